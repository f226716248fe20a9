#!/usr/bin/env python3
"""Makes the images that the benchmarks read, from photographs that Debian packages.

Usage: corpus.py RAW OUTPUT. RAW holds the unpacked packages. Needs avifenc, and from PyPI Pillow, imagecodecs, pillow-heif and PyAV. What is there already is left alone.
"""

import functools
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


def deep_png(image):
    """A PNG of 16 bits a sample, whose low bits are noise, as those of a camera are."""
    import imagecodecs
    import numpy

    noise = numpy.random.default_rng(1).integers(-400, 400, (image.height, image.width, 3))
    samples = numpy.asarray(image).astype(numpy.int32) * 257 + noise
    return imagecodecs.png_encode(numpy.clip(samples, 0, 65535).astype(numpy.uint16), level=6)


def map_svg():
    """A drawing of 3,700 paths: lines and areas as a map has them."""
    import random

    random.seed(2)
    styles = ['fill="#dce8c8" stroke="#555"', 'fill="none" stroke="#48c"', 'fill="none" stroke="#b84"']
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1500">']
    for _ in range(3700):
        x, y, angle = random.uniform(0, 2000), random.uniform(0, 1500), random.uniform(0, 6.28)
        points = []
        for _ in range(random.randint(20, 120)):
            angle += random.gauss(0, 0.4)
            x, y = x + 4 * math.cos(angle), y + 4 * math.sin(angle)
            points.append(f"{x:.1f},{y:.1f}")
        parts.append(f'<path {random.choice(styles)} d="M{" L".join(points)}"/>')
    return "\n".join([*parts, "</svg>"]).encode()


def make_video(frames, target):
    import av

    with av.open(str(target), "w", format="mp4") as file:
        stream = file.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 1920, 1080, "yuv420p"
        for frame in frames:
            file.mux(stream.encode(av.VideoFrame.from_image(frame)))
        file.mux(stream.encode())


def make(name, write):
    """Makes a file with `write`, which gets its path, unless it exists."""
    target = OUTPUT / name
    if target.exists():
        return
    unfinished = OUTPUT / f"unfinished-{name}"
    write(unfinished)
    unfinished.rename(target)


def main():
    import imagecodecs
    import numpy
    import pillow_heif

    OUTPUT.mkdir(parents=True, exist_ok=True)
    usual = {"quality": 88, "subsampling": "4:2:0"}
    twelve = functools.cache(lambda: mosaic(["Autumn", "Wood", "Path", "FallenLeaf"], 2, 2000, 1500))
    make("12mp.jpg", lambda path: twelve().save(path, **usual))
    make("12mp-progressive.jpg", lambda path: twelve().save(path, progressive=True, **usual))
    nine = lambda: mosaic(PLASMA[:6] + MATE[:3], 3, 2000, 1333).crop((0, 0, 6000, 3999))
    make("24mp.jpg", lambda path: nine().save(path, **usual))

    two = filling("RainDrops", 1920, 1080)
    make("2mp.jpg", lambda path: two.save(path, **usual))
    make("2mp-progressive.jpg", lambda path: two.save(path, progressive=True, **usual))
    make("2mp.png", two.save)
    make("2mp-16.png", lambda path: path.write_bytes(deep_png(two)))
    make("2mp.webp", lambda path: two.save(path, quality=80))
    make("2mp-lossless.webp", lambda path: two.save(path, lossless=True))
    make("2mp.avif", lambda path: make_avif(OUTPUT / "2mp.png", path))
    make("2mp.heic", lambda path: pillow_heif.from_pillow(two).save(path, quality=80))
    make("2mp.jxl", lambda path: path.write_bytes(imagecodecs.jpegxl_encode(numpy.asarray(two), level=90)))
    make("2mp-lzw.tiff", lambda path: two.save(path, compression="tiff_lzw"))
    make("2mp-alpha.png", lambda path: with_soft_edge(two).save(path))
    make("2mp-interlaced.png", lambda path: path.write_bytes(interlaced_png(two)))
    make("graphics.png", lambda path: graphics().save(path))
    make("map.svg", lambda path: path.write_bytes(map_svg()))
    make("clip.mp4", lambda path: make_video([two] * 25, path))

    def make_gif(path):
        first, *others = moving(two)
        first.save(path, save_all=True, append_images=others, duration=40, loop=0)

    make("moving.gif", make_gif)


main()
