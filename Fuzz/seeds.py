#!/usr/bin/env python3
"""Gathers the inputs the fuzzers start from: the codecs' test fixtures, and the parts taken out of them.

Usage: seeds.py FIXTURES OUTPUT; makes OUTPUT/<fuzzer>/<file>. Needs nothing but Python.
"""

import gzip
import pathlib
import random
import sys
import zlib

# What stands behind the signature of an image server's URL.
IMAGE_PATHS = [
    "rs:fill:300:200:1:1:no:0:5/g:fp:0.3:0.7/plain/http://example.com/a.jpg@webp",
    "pd:1:2:3:4/bg:0F0/bga:0.5/rot:90/fl:1:1/c:0.5:20:sowe:1:1/t:10:ffffff:1:1/aHR0cDovL2V4YW1wbGUuY29tL2EuanBn.png",
    "wm:0.5:soea:10:10:0.2/fq:webp:60:avif:50/q:80/mb:2000/fn:YSBi:1/exp:99/cb:x/att:1/plain/local:///a%20b.gif",
    "dpr:2/z:1.5:2/bl:1/sh:0.5/pix:8/a:10:1.5:0.5/skp:svg/sm:0/kcr:1/placeholder:blurhash/aq:ssim:0.9:10:90/msr:5/maf:3/mrd:600/f:best/raw:1/plain/s3://bucket/key%40x",
]

DATA_URLS = [
    ";base64,iVBORw0KGgo=",
    "image/png;base64,R0lGODlhAQABAAAAACw%3D",
    "text/plain;charset=UTF-8,a%20b%zz#fragment",
    ";charset=\"x;y\",",
    "image/svg+xml;BASE64, Zm 9v\tYg==",
    ",",
]


# Numbers for status, method and mode, and time; a request and a response.
HTTP_EXCHANGES = [
    [
        (b"\0\0\4", b"GET\nAccept: image/webp\n", b"OK\nCache-Control: max-age=1, stale-if-error=9\nETag: \"a\"\nVary: Accept\n"),
        (b"\2\0\x40", b"GET\nAccept: image/webp\nRange: bytes=0-9\n", b"OK\nETag: \"a\"\nDate: Sun, 06 Nov 1994 08:49:37 GMT\n"),
        (b"\6\0\x40", b"GET\nAccept: image/png\nIf-None-Match: W/\"a\", *\n", b"OK\nConnection: a, b\n"),
    ],
    [
        (b"\0\0\x14", b"GET\n", b"OK\nContent-Length: 99\nLast-Modified: Sun Nov  6 08:49:37 1994\nETag: \"b\"\n"),
        (b"\1\0\x50", b"GET\nIf-Range: \"b\"\n", b"OK\nContent-Range: bytes 20-98/99\nETag: \"b\"\nExpires: Sunday, 06-Nov-94 08:49:37 GMT\n"),
        (b"\0\x80\x50", b"POST\nCache-Control: no-cache=\"a, b\", max-stale\n", b"OK\nLocation: ../d?e\nContent-Location: //a.test/b/c\n"),
        (b"\0\x41\x50", b"HEAD\nPragma: no-cache\n", b"OK\nAge: 7, 8\nContent-Length: 99\n"),
    ],
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


def large_jpeg(side, seed):
    """A baseline JPEG of noise, 4:2:0: long enough for the second bit reader of our decoder."""
    random.seed(seed)

    def segment(marker, content):
        return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content

    # One code of each length from 1 to 16 bits: 0, 10, 110 and so on. The first AC symbol ends the block.
    dc = list(range(8))
    ac = [0x00, 0x01, 0x02, 0x11, 0x03, 0x21, 0x12, 0x04, 0x31, 0x22, 0x05, 0x13, 0x41, 0x06, 0xF0, 0x07]
    bits = []

    def put(value, count):
        bits.append(format(value, f"0{count}b")[-count:] if count else "")

    def code(symbols, symbol):
        length = symbols.index(symbol) + 1
        put((1 << length) - 2, length)

    for _ in range((side // 16) ** 2 * 6):
        size = random.choice((0, 0, 1, 2, 3))
        code(dc, size)
        put(random.getrandbits(8), size)
        position = 0
        for _ in range(random.randrange(9)):
            symbol = random.choice(ac[1:])
            position += (symbol >> 4) + 1
            if position > 62:
                break
            code(ac, symbol)
            put(random.getrandbits(8), symbol & 15)
        code(ac, 0)
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    data = int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xFF", b"\xFF\0")
    size = side.to_bytes(2, "big") * 2
    frame = segment(0xC0, b"\x08" + size + bytes([3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]))
    steps = segment(0xDB, b"\0" + bytes([2] * 64))
    codes = segment(0xC4, b"\0" + bytes([1] * 8 + [0] * 8) + bytes(dc))
    codes += segment(0xC4, b"\x10" + bytes([1] * 16) + bytes(ac))
    scan = segment(0xDA, bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0]))
    return b"\xFF\xD8" + steps + frame + codes + scan + data + b"\xFF\xD9"


def main():
    fixtures, output = map(pathlib.Path, sys.argv[1:])

    def write(fuzzer, name, content):
        folder = output / fuzzer
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)

    kinds = {".jpg": "JPEGFuzzer", ".png": "PNGFuzzer", ".webp": "WebPFuzzer", ".gif": "GIFFuzzer",
             ".bmp": "BMPFuzzer", ".ico": "ICOFuzzer", ".tif": "TIFFFuzzer", ".svg": "SVGFuzzer",
             ".avif": "AVIFFuzzer", ".heic": "HEICFuzzer", ".jxl": "JXLFuzzer",
             ".mp4": "VideoFuzzer", ".mov": "VideoFuzzer", ".webm": "VideoFuzzer"}
    for file in sorted(fixtures.rglob("*")):
        if not file.is_file():
            continue
        content = file.read_bytes()
        fuzzer = kinds.get(file.suffix)
        if fuzzer is None and file.parent.name == "Damaged":
            fuzzer = {".icc": "ProfileFuzzer", ".tiff": "EXIFFuzzer", ".url": "DataURLFuzzer"}.get(file.suffix)
        if fuzzer:
            write(fuzzer, f"{file.parent.name}-{file.name}", content)
        if file.suffix == ".svg":
            write(fuzzer, f"{file.parent.name}-{file.name}z", gzip.compress(content, mtime=0))
            write("HeaderFuzzer", f"{file.name}z", gzip.compress(content, mtime=0))
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
    for seed in range(4):
        write("JPEGFuzzer", f"large-{seed}.jpg", large_jpeg(512 + seed * 160, seed))
    # Recipes for images: see PNGFuzzer.swift.
    for depth in range(5):
        for kind in range(5):
            for flags in (0, 0x80, 0x9F):
                head = bytes([9, 7, depth, kind, 4, 4, flags, 3])
                write("PNGFuzzer", f"recipe-{depth}-{kind}-{flags}", head + bytes(i * 7 % 251 for i in range(600)))
    # Recipes for bitmaps: see PNGWriterFuzzer.swift.
    for level in range(10):
        for kind in range(4):
            head = bytes([40, 30, level, kind, 0, level * 25])
            write("PNGWriterFuzzer", f"{level}-{kind}", head + bytes(i * i // 9 % 251 for i in range(400)))
    for index, exchanges in enumerate(HTTP_EXCHANGES):
        parts = [part for numbers, request, response in exchanges for part in (numbers, request, response)]
        write("HTTPCachingFuzzer", f"{index}.heads", b"\x1e".join(parts))
    # The first byte: see ContentCodingFuzzer.swift.
    text = b"<svg/>" * 200
    for index, body in enumerate([gzip.compress(text), gzip.compress(text) * 2, gzip.compress(bytes(100_000))]):
        write("ContentCodingFuzzer", f"{index}.gz", b"\x08" + body)
    for index, body in enumerate([zlib.compress(text), zlib.compress(text)[2:-4], zlib.compress(text, 0)]):
        write("ContentCodingFuzzer", f"{index}.zlib", b"\x09" + body)
    for index, url in enumerate(DATA_URLS):
        write("DataURLFuzzer", f"{index}.url", url.encode())
    for index, path in enumerate(IMAGE_PATHS):
        write("ImageURLFuzzer", f"{index}.path", path.encode())


main()
