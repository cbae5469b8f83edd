#!/usr/bin/env python3
"""Makes splits.json: how pre-tokenizers cut texts, by two sources that are not ours.

The expressions are read from llama.cpp's src/llama-vocab.cpp (those that it says stand in tokenizer.json, where it had to
adapt them), the cutting is done by the package `tokenizers` from PyPI (pip install tokenizers==0.23.3).

    make.py LLAMA_VOCAB_CPP > splits.json

splits.json: `texts`, a list of strings, and `families`: name as in tokenizer.ggml.pre -> for each text the lengths of its
pieces in Unicode scalar values, as a string of base-62 digits; a length of 62 or more is written ~LENGTH~.
"""
import json
import random
import re
import sys

from tokenizers import Regex, pre_tokenizers

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}"
NOT_HAN = r"&&[^\p{Han}]]"
# What llama.cpp has only as code: Kimi's published expression.
KIMI = (rf"\p{{Han}}+|[^\r\n\p{{L}}\p{{N}}]?{UPPER}{NOT_HAN}*{LOWER}{NOT_HAN}+{CONTRACTION}?|"
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}{NOT_HAN}+{LOWER}{NOT_HAN}*{CONTRACTION}?|"
        r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
# Cuts at places instead of stretches, or adapted by llama.cpp without saying from what.
LEFT_OUT = {"AFMOE", "SUPERBPE", "CHAMELEON", "GRANITE_EMB_MULTI", "WHITESPACE", "DEFAULT"}
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def expressions(source):
    """Enumerator of each family -> its expressions."""
    body = source[source.index("struct llm_tokenizer_bpe : llm_tokenizer"):source.index("std::vector<std::string> regex_exprs;")]
    found = {}
    for block in re.finditer(r"((?:\s*case LLAMA_VOCAB_PRE_TYPE_\w+:)+|\s*default:)(.*?)break;", body, re.S):
        names = re.findall(r"PRE_TYPE_(\w+)", block.group(1)) or ["DEFAULT"]
        patterns, original = [], None
        for line in block.group(2).split("\n"):
            literal = re.search(r'"(?:[^"\\]|\\.)*"', line)
            if not literal:
                continue
            pattern = json.loads(literal.group(0))
            if line.strip().startswith("//"):
                original = pattern
            else:
                patterns.append(original or pattern)
                original = None
        for name in names:
            found[name] = patterns
    found["KIMI_K2"] = [KIMI]
    return found


def names(source):
    """Name in tokenizer.ggml.pre -> enumerator."""
    found = {}
    for condition, enumerator in re.findall(
            r'if \(([^{}]*?tokenizer_pre == [^{}]*?)\) \{\s*pre_type = LLAMA_VOCAB_PRE_TYPE_(\w+);', source):
        for name in re.findall(r'tokenizer_pre == "([^"]+)"', condition):
            found[name] = enumerator
    return found


def texts():
    fixed = [
        "I'm sure HE'LL say we've 12345 cats, don't you? It'S 3.14159!\n\n  Next   line\t\tend  ",
        "camelCase HTTPServer's getX2Y __init__(self): // x/y\r\n\r\n\treturn 0x1F;\n",
        "안녕하세요, 세계! 대한민국 2026년 11월 30일. ㄱㄴㄷ ㅏㅑ",
        "日本語のテキスト、カタカナとひらがな。中文字符，没有空格！１２３",
        "Привет, мир! Ünïcödé Ελληνικά ქართული Ჰello ʰ ǅ ﬁ 𝐀𝐁 𐐀𐐨",
        "🙂🙃👨‍👩‍👧 ☃️ →← ₩1,234,567.89 1234567 12 123 1234a 99b",
        "हिन्दी में पाठ e\u0301\u0301x \u0301A ̀ab ไทย ພາສາລາວ မြန်မာ ខ្មែរ",
        " \u00a0\u2003\u3000x\u0085\u2028y \v\f z   \n \n  a\r\r\nb",
        "$100 + 50% = <tag> ^~|`` [a] {b} \"q\" 'tis 'Re 'ſ '\u212a #include <x.h> a_b @me",
        "اَلْعَرَبِيَّةُ ۱۲۳ فارسی، ۔ עִבְרִית ৳ ½ ² Ⅷ ㊿ ٣٤٥",
        "\n", " ", "   ", "\t\n ", "a", "  a", "a  ", "…。，、।۔،()|.,!?",
        "hello world foo  bar e\u0301 f\u0301 g", "a" * 70, " " * 70 + "x", "1" * 65, "!" * 66 + "\n\n/",
    ]
    parts = list(" \n\r\t\v/'’.,!?$+<=>^~|`_-aZz79") + ["'s", "'RE", "가", "漢", "か", "é", "\u0301", "ß", "Ж", "ж", "ǅ",
        "ʰ", "٣", "²", "😀", "\u00a0", "\u3000", "।", "“", "ア", "ㄱ", "ㄅ", "ก", "ა", "\u200d", "  ", "123", "Ab", "don't"]
    generator = random.Random(4)
    made = ["".join(generator.choice(parts) for _ in range(generator.randint(8, 34))) for _ in range(48)]
    return fixed + made


def splitter(patterns):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(p), "isolated") for p in patterns])


def lengths(tokenizer, text):
    pieces = [piece for piece, _ in tokenizer.pre_tokenize_str(text)]
    assert "".join(pieces) == text
    return "".join(DIGITS[len(p)] if len(p) < 62 else f"~{len(p)}~" for p in pieces)


def main():
    source = open(sys.argv[1], encoding="utf-8").read()
    patterns, samples, families = expressions(source), texts(), {}
    for name, enumerator in sorted(names(source).items()):
        if enumerator in LEFT_OUT or not patterns.get(enumerator):
            continue
        wanted = [GPT2 if p == GPT2[:-4] else p for p in patterns[enumerator]]
        families.setdefault(json.dumps(wanted), []).append(name)
    result = {"texts": samples, "families": {}}
    for wanted, known in families.items():
        cut = splitter(json.loads(wanted))
        result["families"][" ".join(known)] = [lengths(cut, text) for text in samples]
    default = [GPT2 if p == GPT2[:-4] else p for p in patterns["DEFAULT"]]
    result["families"]["default"] = [lengths(splitter(default), text) for text in samples]
    json.dump(result, sys.stdout, ensure_ascii=True, indent=0)


main()
