#!/usr/bin/python3
"""Makes a folder of photos: photos.py FOLDER COUNT.

The photos are JPEG files of 2 megapixels (1,920 x 1,080), in one folder. There are 300 different images, drawn from noise at
several scales, so that they compress as photographs do. Each file is a copy of one, with a name, a modification time and a
date of its own in its Exif data, so that no two files are the same; their data on disk is not shared either.
"""

import datetime
import io
import os
import pathlib
import struct
import sys

import numpy
from PIL import Image

IMAGES = 300
WIDTH, HEIGHT = 1920, 1080
START = datetime.datetime(2010, 1, 1, 12)


def image(number):
    """Draws an image: a color for each corner, and noise that is finer and weaker from one layer to the next."""
    random = numpy.random.default_rng(number)
    canvas = numpy.zeros((HEIGHT, WIDTH, 3), numpy.float32)
    for columns, strength in [(2, 150), (5, 70), (16, 40), (60, 25), (240, 16), (960, 7)]:
        grid = random.random((max(2, columns * 9 // 16), columns, 3)) - 0.5
        layer = Image.fromarray(((grid + 0.5) * 255).astype(numpy.uint8)).resize((WIDTH, HEIGHT), Image.BICUBIC)
        canvas += (numpy.asarray(layer, numpy.float32) / 255 - 0.5) * strength * 1.6
    return Image.fromarray(numpy.clip(canvas + 128, 0, 255).astype(numpy.uint8))


def exif(date):
    """Returns the segment of a JPEG file that says when it was taken."""
    text = date.strftime("%Y:%m:%d %H:%M:%S").encode() + b"\0"
    tiff = b"II*\0" + struct.pack("<IH", 8, 1) + struct.pack("<HHIII", 0x8769, 4, 1, 26, 0)
    tiff += struct.pack("<H", 1) + struct.pack("<HHIII", 0x9003, 2, len(text), 44, 0) + text
    data = b"Exif\0\0" + tiff
    return b"\xff\xe1" + struct.pack(">H", len(data) + 2) + data


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    complete = folder / ".complete"
    if complete.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    images, size = [], 0
    for number in range(min(IMAGES, count)):
        buffer = io.BytesIO()
        image(number).save(buffer, "JPEG", quality=82)
        images.append(buffer.getvalue())
        size += len(images[-1])
    space = os.statvfs(folder)
    needed = size // len(images) * count
    if needed * 1.1 > space.f_bavail * space.f_frsize:
        sys.exit(f"photos: {count} photos need {needed >> 30} GiB in {folder}, which has less")
    for number in range(count):
        data, date = images[number % len(images)], START + datetime.timedelta(minutes=47 * number)
        path = folder / f"IMG_{number + 1:06}.jpg"
        path.write_bytes(data[:2] + exif(date) + data[2:])
        os.utime(path, (date.timestamp(), date.timestamp()))
    complete.write_text(f"{count} photos, {needed >> 20} MiB\n")
    print(f"made {count} photos from {len(images)} images, {needed >> 20} MiB")


main()
