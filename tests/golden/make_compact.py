#!/usr/bin/env python3
"""Packs the part of the full golden data that the tests need to stand alone into this folder.

    make_compact.py FULL_GOLDEN_DIR [OUTPUT_DIR]

Needs Python 3.9 and nothing else; README.md describes the packed forms. Every packed file is unpacked again and compared
before it is written, and nothing is written that is there already with the same bytes.
"""

import base64
import json
import pathlib
import struct
import sys
import zlib

TINY_MODELS = [
    "llama-gqa", "llama3-rope", "llama-tied", "llama-linear", "llama-yarn", "mistral-swa", "mistral-headdim",
    "qwen2", "qwen3", "gemma3", "qwen3-moe", "mixtral", "gpt-oss-mxfp4", "phi3-longrope",
]
TINY_FILES = ["model-f32.gguf", "model-f16.gguf", "model-q8_0.gguf", "model-mxfp4.gguf", "model-f32-window-key.gguf"]
# Hugging Face folders without their weights, which a test makes from the GGUF file.
FOLDER_MODELS = ["llama-gqa", "mistral-swa", "gemma3", "qwen3-moe"]
FOLDER_FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "tokenizer.model"]
QUANT_FILES = [
    "bf16", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_k", "q4_k_m", "q5_k_m", "q6_k", "iq4_xs",
]
BASE = "control_valid.gguf"


def deflate(data):
    """What qUncompress() reads: the length, big-endian, and a zlib stream."""
    return struct.pack(">I", len(data)) + zlib.compress(data, 9)


def shuffle(data):
    """Byte 0 of every group of four, then byte 1, ...: floats that are exact in F16 have nearly constant planes."""
    return b"".join(data[i::4] for i in range(4))


def unshuffle(data):
    out = bytearray(len(data))
    start = 0
    for i in range(4):
        count = len(out[i::4])
        out[i::4] = data[start:start + count]
        start += count
    return bytes(out)


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)
    return len(data)


def pack(source, target):
    """Writes `source` as target.qz or target.qz4, whichever is smaller."""
    data = source.read_bytes()
    plain = deflate(data)
    planes = deflate(shuffle(data))
    assert zlib.decompress(plain[4:]) == data
    assert unshuffle(zlib.decompress(planes[4:])) == data
    if len(planes) < len(plain):
        return write(target.with_name(target.name + ".qz4"), planes)
    return write(target.with_name(target.name + ".qz"), plain)


def common_prefix(a, b):
    count = 0
    for x, y in zip(a, b):
        if x != y:
            break
        count += 1
    return count


def pack_broken(source, target):
    """bad/: the unbroken file, the index, and what each other file has between a start and an end that it shares."""
    base = (source / BASE).read_bytes()
    patches = {}
    for entry in json.loads((source / "index.json").read_text())["files"]:
        data = (source / entry["file"]).read_bytes()
        if entry["file"] == BASE:
            continue
        start = common_prefix(base, data)
        longest = min(len(base), len(data)) - start
        end = min(common_prefix(base[::-1], data[::-1]), longest)
        middle = data[start:len(data) - end]
        assert base[:start] + middle + base[len(base) - end:] == data
        patches[entry["file"]] = {"start": start, "end": end, "middle": base64.b64encode(middle).decode()}
    size = write(target / BASE, base)
    size += write(target / "index.json", (source / "index.json").read_bytes())
    size += write(target / "patches.json.qz", deflate(json.dumps(patches, sort_keys=True).encode()))
    return size


def pack_bundle(source, target):
    """A folder of small files as one: a line of JSON ([name, size] in order), then their bytes."""
    files = sorted(source.iterdir())
    index = json.dumps([[path.name, path.stat().st_size] for path in files]).encode()
    return write(target, deflate(index + b"\n" + b"".join(path.read_bytes() for path in files)))


def main():
    full = pathlib.Path(sys.argv[1])
    out = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(__file__).resolve().parent
    files = ["chat/golden.json", "tiny-quant/golden.json"]
    files += [f"tiny-quant/model-{name}.gguf" for name in QUANT_FILES]
    files += [f"real/{model}/{name}" for model in ("smollm2", "gemma3")
              for name in ("golden.json", "tokenizer.json", "ppl.txt")]
    files += [f"tiny/{model}/{name}" for model in TINY_MODELS
              for name in ["golden.json", "tokenizer_golden.json"] + TINY_FILES
              if (full / "tiny" / model / name).exists()]
    files += [f"tiny/{model}/hf/{name}" for model in FOLDER_MODELS for name in FOLDER_FILES
              if (full / "tiny" / model / "hf" / name).exists()]
    sizes = {}
    for name in files:
        part = name.split("/")[0]
        sizes[part] = sizes.get(part, 0) + pack(full / name, out / name)
    sizes["quant"] = pack_bundle(full / "quant", out / "quant.bundle.qz")
    sizes["bad"] = pack_broken(full / "bad", out / "bad")
    for part, size in sizes.items():
        print(f"{part:12} {size / 1e6:6.2f} MB")
    print(f"{'all':12} {sum(sizes.values()) / 1e6:6.2f} MB")


if __name__ == "__main__":
    main()
