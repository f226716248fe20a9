#!/usr/bin/env python3
"""Compares the quality scales of lossy formats: which quality of a format looks like which quality of JPEG.

Usage: quality.py RAW NUKE. RAW holds the unpacked packages of photographs. Twenty photographs, 640 pixels wide, are encoded by
`nuke convert` in each format and quality, and decoded by libraries of PyPI. "Looks like" means the same mean SSIM of the
luminance (Wang et al. 2004: a Gaussian window of 11 pixels and sigma 1.5). Prints a table in Markdown.
"""

import io
import pathlib
import subprocess
import sys
import tempfile

import imagecodecs
import numpy
from PIL import Image

RAW, NUKE = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
COUNT, WIDTH = 20, 640
QUALITIES = range(20, 100, 5)
FORMATS = {"webp": imagecodecs.webp_decode, "avif": imagecodecs.avif_decode, "jxl": imagecodecs.jpegxl_decode}
WINDOW = numpy.exp(-(numpy.arange(-5, 6) ** 2) / (2 * 1.5**2))
WINDOW /= WINDOW.sum()


def photographs():
    """Different photographs, the largest file of each folder."""
    found = {}
    for file in sorted(RAW.rglob("*.jpg"), key=lambda file: file.stat().st_size):
        found[file.parent if file.parent.name == "images" else file] = file
    files = [file for file in found.values() if min(Image.open(file).size) >= WIDTH]
    if len(files) < COUNT:
        sys.exit(f"quality: there are only {len(files)} photographs in {RAW}")
    return files[:: len(files) // COUNT][:COUNT]


def luminance(pixels):
    return pixels[..., :3].astype(float) @ [0.299, 0.587, 0.114]


def blurred(values):
    for axis in (0, 1):
        values = numpy.apply_along_axis(numpy.convolve, axis, values, WINDOW, "valid")
    return values


def ssim(one, other):
    mean_one, mean_other = blurred(one), blurred(other)
    variance_one = blurred(one * one) - mean_one**2
    variance_other = blurred(other * other) - mean_other**2
    covariance = blurred(one * other) - mean_one * mean_other
    first, second = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return numpy.mean(
        (2 * mean_one * mean_other + first) * (2 * covariance + second)
        / ((mean_one**2 + mean_other**2 + first) * (variance_one + variance_other + second)))


def encoded(file, format, quality):
    command = [NUKE, "convert", str(file), "-", "--format", format, "-q", str(quality)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def measured(files, originals, format, quality):
    """The mean SSIM and the mean size in bytes."""
    results, size = [], 0
    for file, original in zip(files, originals):
        data = encoded(file, format, quality)
        size += len(data)
        pixels = FORMATS[format](data) if format in FORMATS else numpy.asarray(Image.open(io.BytesIO(data)))
        results.append(ssim(original, luminance(pixels)))
    return numpy.mean(results), size // len(files)


def main():
    with tempfile.TemporaryDirectory() as folder:
        files, originals = [], []
        for number, source in enumerate(photographs()):
            image = Image.open(source).convert("RGB")
            image = image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.LANCZOS)
            file = pathlib.Path(folder) / f"{number}.png"
            image.save(file)
            files.append(file)
            originals.append(luminance(numpy.asarray(image)))
        scales = {format: [measured(files, originals, format, quality) for quality in QUALITIES]
                  for format in ("jpeg", *FORMATS)}
    print("| JPEG | SSIM | bytes |" + "".join(f" {format} | bytes |" for format in FORMATS))
    print("|---" * (3 + 2 * len(FORMATS)) + "|")
    for quality, (likeness, size) in zip(QUALITIES, scales["jpeg"]):
        cells = [str(quality), f"{likeness:.4f}", str(size)]
        for format in FORMATS:
            alike, sizes = zip(*scales[format])
            is_found = alike[0] <= likeness <= alike[-1]
            cells += [f"{value:.0f}" if is_found else "-"
                      for value in (numpy.interp(likeness, alike, QUALITIES), numpy.interp(likeness, alike, sizes))]
        print("| " + " | ".join(cells) + " |")


main()
