#!/usr/bin/env python3
"""Makes the images that the benchmarks read, from photographs that Debian packages.

Usage: corpus.py RAW OUTPUT. RAW holds the unpacked packages. Needs Pillow and avifenc. What is there already is left alone.
"""

import math
import pathlib
import subprocess
import sys

from PIL import Image, ImageDraw, ImageFilter

RAW, OUTPUT = map(pathlib.Path, sys.argv[1:])
PLASMA = ["Autumn", "Path", "FallenLeaf", "Kite", "ColdRipple", "ColorfulCups", "EveningGlow", "OneStandsOut"]
MATE = ["Wood", "RainDrops", "Dune", "Garden"]


def photograph(name):
    if name in PLASMA:
        folder = RAW / "usr/share/wallpapers" / name / "contents/images"
        file = max(folder.glob("*.jpg"), key=lambda file: file.stat().st_size)
    else:
        file = RAW / f"usr/share/backgrounds/mate/nature/{name}.jpg"
    return Image.open(file).convert("RGB")


def filling(name, width, height):
    """The middle of a photograph, enlarged where it is too small."""
    image = photograph(name)
    factor = max(width / image.width, height / image.height)
    if factor > 1:
        size = math.ceil(image.width * factor), math.ceil(image.height * factor)
        image = image.resize(size, Image.LANCZOS)
    left, top = (image.width - width) // 2, (image.height - height) // 2
    return image.crop((left, top, left + width, top + height))


def mosaic(names, columns, width, height):
    rows = len(names) // columns
    whole = Image.new("RGB", (width * columns, height * rows))
    for index, name in enumerate(names):
        whole.paste(filling(name, width, height), (index % columns * width, index // columns * height))
    return whole


def with_soft_edge(image):
    alpha = Image.new("L", image.size, 0)
    ImageDraw.Draw(alpha).ellipse((60, 30, image.width - 60, image.height - 30), fill=255)
    image = image.copy()
    image.putalpha(alpha.filter(ImageFilter.GaussianBlur(24)))
    return image


def interlaced_png(image):
    """An Adam7 PNG: Pillow reads them but writes none."""
    import struct
    import zlib

    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    pixels, stride = image.tobytes(), image.width * 3
    rows = []
    for left, top, step, step_down in passes:
        for y in range(top, image.height, step_down):
            row = pixels[y * stride : (y + 1) * stride]
            samples = bytearray(len(range(left, image.width, step)) * 3)
            for channel in range(3):
                samples[channel::3] = row[left * 3 + channel :: step * 3]
            # The filter "sub": close to what an encoder would choose.
            rows.append(b"\1" + bytes((a - b) & 255 for a, b in zip(samples, b"\0\0\0" + samples)))

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 1)
    data = zlib.compress(b"".join(rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def make_avif(source, target):
    quantizers = ["--min", "20", "--max", "30"]
    command = ["avifenc", "--speed", "6", "--yuv", "420", "--depth", "8", *quantizers, str(source), str(target)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def moving(image):
    """Forty frames: the view wanders over a photograph."""
    frames = []
    for index in range(40):
        angle = index / 40 * 2 * math.pi
        left, top = 200 + round(150 * math.cos(angle)), 150 + round(100 * math.sin(angle))
        view = image.crop((left, top, left + 960, top + 540)).resize((480, 270), Image.LANCZOS)
        frames.append(view.quantize(128, dither=Image.Dither.FLOYDSTEINBERG))
    return frames


def graphics():
    """A page of text and boxes, of some thousand colors, as a screenshot has."""
    import random

    random.seed(1)
    image = Image.new("RGB", (1600, 1200), "white")
    draw = ImageDraw.Draw(image)
    for y in range(200):
        draw.line((0, y, 1600, y), fill=(40 + y // 4, 80 + y // 3, 160))
    for _ in range(40):
        x, y = random.randrange(1400), random.randrange(220, 1100)
        fill = tuple(random.randrange(120, 256) for _ in range(3))
        draw.rounded_rectangle((x, y, x + 180, y + 80), 12, fill=fill, outline=(60, 60, 60))
    words = ["the", "image", "decoder", "returns", "a", "bitmap", "of", "pixels", "filter", "row"]
    # Small bitmap letters, smoothed by enlarging them.
    text = Image.new("L", (800, 600), 0)
    for y in range(110, 590, 12):
        ImageDraw.Draw(text).text((10, y), " ".join(random.choice(words) for _ in range(24)), fill=255)
    image.paste((20, 20, 20), mask=text.resize(image.size, Image.BICUBIC))
    return image


def main():
    OUTPUT.mkdir(parents=True, exist_ok=True)
    if not (OUTPUT / "graphics.png").exists():
        graphics().save(OUTPUT / "graphics.png")
    if (OUTPUT / "complete").exists():
        return
    usual = {"quality": 88, "subsampling": "4:2:0"}
    twelve = mosaic(["Autumn", "Wood", "Path", "FallenLeaf"], 2, 2000, 1500)
    twelve.save(OUTPUT / "12mp.jpg", **usual)
    twelve.save(OUTPUT / "12mp-progressive.jpg", progressive=True, **usual)
    mosaic(PLASMA[:6] + MATE[:3], 3, 2000, 1333).crop((0, 0, 6000, 3999)).save(OUTPUT / "24mp.jpg", **usual)

    two = filling("RainDrops", 1920, 1080)
    two.save(OUTPUT / "2mp.jpg", **usual)
    two.save(OUTPUT / "2mp-progressive.jpg", progressive=True, **usual)
    two.save(OUTPUT / "2mp.png")
    two.save(OUTPUT / "2mp.webp", quality=80)
    make_avif(OUTPUT / "2mp.png", OUTPUT / "2mp.avif")
    with_soft_edge(two).save(OUTPUT / "2mp-alpha.png")
    (OUTPUT / "2mp-interlaced.png").write_bytes(interlaced_png(two))
    first, *others = moving(two)
    first.save(OUTPUT / "moving.gif", save_all=True, append_images=others, duration=40, loop=0)
    (OUTPUT / "complete").touch()


main()
