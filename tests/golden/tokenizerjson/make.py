#!/usr/bin/env python3
"""Makes cases.json: small tokenizers of kinds that the golden models do not have, and what `tokenizers` makes of texts.

    python3 -m venv venv && venv/bin/pip install tokenizers==0.23.3 && venv/bin/python make.py
"""

import json
import pathlib

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

WORDS = ("the quick brown fox jumps over the lazy dog and runs through the forest where it finds a small house with "
         "three windows; inside the house, an old radio plays music that nobody has heard for years. Numbers: 1 22 333 "
         "안녕하세요 세계 한국어 문장은 짧다 그리고 café naïve Straße don't I'll we've").split()
CORPUS = [" ".join(WORDS[i:] + WORDS[:i]) for i in range(len(WORDS))]
TEXTS = ["", " ", "  ", "Hello world", " the quick  brown   fox", "house\n\n\nforest\t.", "한국어 세계!", "caf\u0065\u0301 ﬁve ½ Å",
         "😀 emoji 🏳️‍🌈", "unseen: ŻŁ ∑∏", "the    four spaces", "▁signs ▁▁ and a real ▁", "12345 3.14", "a=b+c; $5 <x> \"q\"...", "don't I'LL we've",
         "a" * 40, "<s>the house</s>", "x <s>  the \t</s> y", "see <tool>the fox</tool>", "the<s>the <s> the"]


def added(tokenizer):
    tokenizer.add_special_tokens([AddedToken("<s>", lstrip=True, rstrip=False, normalized=False),
                                  AddedToken("</s>", lstrip=False, rstrip=True, normalized=False)])
    tokenizer.add_tokens([AddedToken("<tool>", normalized=False), AddedToken("</tool>", normalized=False)])
    if json.loads(tokenizer.to_str())["model"].get("byte_fallback"):
        # Gemma has such: found as written, and made by merges of spaces.
        tokenizer.add_tokens([AddedToken("▁▁", normalized=False), AddedToken("\n\n", normalized=False)])
        parts = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
        if "Prepend" in tokenizer.to_str() or "always" in tokenizer.to_str() or "first" in tokenizer.to_str():
            parts.append(decoders.Strip(" ", 1, 0))
        tokenizer.decoder = decoders.Sequence(parts)
    elif "ByteLevel" in tokenizer.to_str():
        tokenizer.decoder = decoders.ByteLevel()


def with_bytes(tokenizer):
    """The 256 byte tokens of byte fallback, behind the trained ones."""
    data = json.loads(tokenizer.to_str())
    model = data["model"]
    for byte in range(256):
        name = f"<0x{byte:02X}>"
        if isinstance(model["vocab"], dict):
            model["vocab"][name] = len(model["vocab"])
        else:
            model["vocab"].append([name, -30.0])
    if "merges" in model:
        model["vocab"]["▁▁"] = len(model["vocab"])
        model["merges"].append(["▁", "▁"])
    model["byte_fallback"] = True
    return Tokenizer.from_str(json.dumps(data))


def bpe(normalizer, pre, alphabet=None, byte_fallback=True):
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True) if byte_fallback else models.BPE())
    if normalizer:
        tokenizer.normalizer = normalizer
    if pre:
        tokenizer.pre_tokenizer = pre
    options = {"initial_alphabet": alphabet} if alphabet else {}
    special = ["<unk>"] if byte_fallback else []
    trainer = trainers.BpeTrainer(vocab_size=440 if alphabet else 200, special_tokens=special, show_progress=False,
                                  limit_alphabet=1000, **options)
    # A short word at a time: without a pre-tokenizer tokens would grow to whole lines.
    tokenizer.train_from_iterator([w for line in CORPUS[:1] for w in [" " + x for x in line.split()]] * 3, trainer)
    tokenizer = with_bytes(tokenizer) if byte_fallback else tokenizer
    added(tokenizer)
    return tokenizer


def unigram(pre, byte_fallback):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer = with_bytes(tokenizer) if byte_fallback else tokenizer
    added(tokenizer)
    return tokenizer


def main():
    space = normalizers.Replace(" ", "▁")
    prefixed = normalizers.Sequence([normalizers.Prepend("▁"), space])
    metaspace = pre_tokenizers.Metaspace
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    kinds = {
        "bpe prefixed": bpe(prefixed, None),
        "bpe spaces split": bpe(space, pre_tokenizers.Split(" ", "merged_with_previous")),
        "bpe metaspace first": bpe(None, metaspace(prepend_scheme="first", split=False)),
        "bpe metaspace always": bpe(None, metaspace(prepend_scheme="always", split=True)),
        "unigram bytes": unigram(metaspace(prepend_scheme="always", split=True), True),
        "unigram first": unigram(metaspace(prepend_scheme="first", split=False), False),
        "bytes nfkc": bpe(normalizers.NFKC(), byte_level, pre_tokenizers.ByteLevel.alphabet(), False),
        "bytes falcon": bpe(None, pre_tokenizers.Sequence([
            pre_tokenizers.Punctuation(behavior="contiguous"), byte_level, pre_tokenizers.Digits(individual_digits=False),
            pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")]), pre_tokenizers.ByteLevel.alphabet(), False),
        "bytes punctuation": bpe(None, pre_tokenizers.Sequence([pre_tokenizers.Punctuation(behavior="isolated"),
                                                                byte_level]),
                                 pre_tokenizers.ByteLevel.alphabet(), False),
        "bytes digits": bpe(None, pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=False), byte_level]),
                            pre_tokenizers.ByteLevel.alphabet(), False),
    }

    def case(tokenizer, text):
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        result = {"text": text, "ids": ids}
        if tokenizer.decoder and "<s>" not in text:
            result["decoded"] = tokenizer.decode(ids, skip_special_tokens=False)
        return result

    cases = []
    for name, tokenizer in kinds.items():
        cases.append({"name": name, "tokenizer": json.loads(tokenizer.to_str()), "rows": tokenizer.get_vocab_size(),
                      "texts": [case(tokenizer, text) for text in TEXTS]})
    path = pathlib.Path(__file__).resolve().parent / "cases.json"
    path.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
