"""Small files that are, or say of themselves, much more than they look like, and one that needs much memory."""
import functools, struct, zlib


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


@functools.cache
def black_png(width, height):
    """A PNG with one bit a pixel. All pixels are decoded to four bytes each."""
    packer, row = zlib.compressobj(9), bytes(1 + (width + 7) // 8)
    data = b"".join(packer.compress(row * 100) for _ in range(height // 100)) + packer.compress(row * (height % 100))
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data + packer.flush()) + chunk(b"IEND", b""))


@functools.cache
def gigabyte(start=b""):
    """A gigabyte of spaces behind `start`, packed."""
    packer = zlib.compressobj(9, wbits=31)
    spaces = b" " * (1 << 20)
    return packer.compress(start) + b"".join(packer.compress(spaces) for _ in range(1024)) + packer.flush()


def lying_bmp(side):
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 1000, 0, 0, 54, 40, side, side, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(900)


def lying_gif(side):
    return b"GIF89a" + struct.pack("<HHBBB", side, side, 0x80, 0, 0) + bytes(6) + b"," + struct.pack(
        "<HHHHB", 0, 0, side, side, 0) + b"\x02\x02\x44\x01\x00;"


def lying_webp(side):
    bits = 0x2F | (side - 1) << 8 | (side - 1) << 22
    payload = b"VP8L" + struct.pack("<I", 32) + bits.to_bytes(5, "little") + bytes(27)
    return b"RIFF" + struct.pack("<I", len(payload) + 4) + b"WEBP" + payload


def lying_jpeg(side):
    tables = b"\xff\xdb\x00\x43\x00" + bytes([1] * 64)
    frame = b"\xff\xc0\x00\x0b\x08" + struct.pack(">HH", side, side) + b"\x01\x01\x11\x00"
    codes = b"\xff\xc4\x00\x14\x00" + bytes([1] + [0] * 15) + b"\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    return b"\xff\xd8" + tables + frame + codes + scan + bytes(400) + b"\xff\xd9"


def many_uses():
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    levels = "".join(f'<g id="g{n}">' + f'<use xlink:href="#g{n - 1}"/>' * 10 + "</g>" for n in range(1, 11))
    return f'<svg {names} width="100" height="100"><g id="g0"><rect width="9" height="9"/></g>{levels}</svg>'.encode()


def many_entities():
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return (f'<!DOCTYPE svg [<!ENTITY e0 "aaaaaaaaaa">{entities}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
            "<text>&e9;</text></svg>").encode()


# The content, its header fields, and the options of the URL.
BOMBS = {
    "png-30000": lambda: (black_png(30_000, 30_000), "", "w:10"),
    "png-turned": lambda: (black_png(9_000, 9_000), "", "rot:90/w:10"),
    "gif-65535": lambda: (lying_gif(65_535), "", "w:10"),
    "bmp-30000": lambda: (lying_bmp(30_000), "", "w:10"),
    "webp-16383": lambda: (lying_webp(16_383), "", "w:10"),
    "jpeg-65500": lambda: (lying_jpeg(65_500), "", "w:10"),
    "gzip": lambda: (gigabyte(), "Content-Encoding: gzip\r\n", "w:10"),
    "svgz": lambda: (gigabyte(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'), "", "w:10"),
    "svg-uses": lambda: (many_uses(), "", "w:10"),
    "svg-entities": lambda: (many_entities(), "", "w:10"),
}
