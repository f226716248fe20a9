#!/usr/bin/env python3
"""Gathers the inputs the fuzzers start from: the codecs' test fixtures, and the parts taken out of them.

Usage: seeds.py FIXTURES OUTPUT; makes OUTPUT/<fuzzer>/<file>. Needs nothing but Python.
"""

import pathlib
import sys

DATA_URLS = [
    ";base64,iVBORw0KGgo=",
    "image/png;base64,R0lGODlhAQABAAAAACw%3D",
    "text/plain;charset=UTF-8,a%20b%zz#fragment",
    ";charset=\"x;y\",",
    "image/svg+xml;BASE64, Zm 9v\tYg==",
    ",",
]


def segments(jpeg):
    """Markers and contents up to the first scan."""
    offset = 2
    while offset + 4 <= len(jpeg) and jpeg[offset] == 0xFF and jpeg[offset + 1] != 0xDA:
        if jpeg[offset + 1] == 0xFF:
            offset += 1
            continue
        length = int.from_bytes(jpeg[offset + 2 : offset + 4], "big")
        yield jpeg[offset + 1], jpeg[offset + 4 : offset + 2 + length]
        offset += 2 + length


def main():
    fixtures, output = map(pathlib.Path, sys.argv[1:])

    def write(fuzzer, name, content):
        folder = output / fuzzer
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)

    kinds = {".jpg": "JPEGFuzzer", ".png": "PNGFuzzer", ".webp": "WebPFuzzer", ".gif": "GIFFuzzer",
             ".bmp": "BMPFuzzer", ".ico": "ICOFuzzer", ".tif": "TIFFFuzzer", ".svg": "SVGFuzzer",
             ".avif": "AVIFFuzzer", ".heic": "HEICFuzzer", ".jxl": "JXLFuzzer"}
    for file in sorted(fixtures.rglob("*")):
        if not file.is_file():
            continue
        content = file.read_bytes()
        fuzzer = kinds.get(file.suffix)
        if fuzzer is None and file.parent.name == "Damaged":
            fuzzer = {".icc": "ProfileFuzzer", ".tiff": "EXIFFuzzer", ".url": "DataURLFuzzer"}.get(file.suffix)
        if fuzzer:
            write(fuzzer, file.name, content)
        if file.suffix in kinds:
            write("HeaderFuzzer", file.name, content[:4096])
        if file.suffix == ".tiff":
            write("EXIFFuzzer", file.name, content)
        if file.suffix == ".jpg":
            profile = b""
            for marker, body in segments(content):
                if marker == 0xE1 and body.startswith(b"Exif\0\0"):
                    write("EXIFFuzzer", file.stem + ".tiff", body[6:])
                if marker == 0xE2 and body.startswith(b"ICC_PROFILE\0"):
                    profile += body[14:]
            if profile:
                write("ProfileFuzzer", file.stem + ".icc", profile)
    # Recipes for pictures: see PNGFuzzer.swift.
    for depth in range(5):
        for kind in range(5):
            for flags in (0, 0x80, 0x9F):
                head = bytes([9, 7, depth, kind, 4, 4, flags, 3])
                write("PNGFuzzer", f"recipe-{depth}-{kind}-{flags}", head + bytes(i * 7 % 251 for i in range(600)))
    for index, url in enumerate(DATA_URLS):
        write("DataURLFuzzer", f"{index}.url", url.encode())


main()
