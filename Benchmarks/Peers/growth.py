#!/usr/bin/env python3
"""Measures how time and memory of `nuke convert` grow with the number of files and the size of an image.

Usage: growth.py CORPUS NUKE. Converts 100, 1,000 and 10,000 copies of a photograph of 640x360 pixels to 160x90, and one
photograph of 3, 30 and 300 megapixels, as JPEG and as PNG, to 320x240. Prints rows of tables in Markdown: the CPU time per
file or per megapixel, and the peak memory of the process.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

CORPUS, NUKE = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
Image.MAX_IMAGE_PIXELS = None


def run(*arguments):
    """CPU seconds and peak memory in MB."""
    before = os.times()
    process = subprocess.Popen([NUKE, "convert", "--quiet", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    after = os.times()
    if status:
        sys.exit(f"growth: nuke convert failed with status {os.waitstatus_to_exitcode(status)}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, usage.ru_maxrss / 1000


def files(folder, photograph):
    photograph.resize((640, 360)).save(folder / "one.jpg", quality=85)
    data = (folder / "one.jpg").read_bytes()
    cells = []
    for count in (100, 1000, 10_000):
        source = folder / f"{count}"
        source.mkdir()
        for number in range(count):
            (source / f"{number:05}.jpg").write_bytes(data)
        names = folder / f"{count}.txt"
        names.write_text("".join(f"{entry.path}\n" for entry in os.scandir(source)))
        cpu, peak = run("--size", "160x90", "--files-from", str(names), "--output", f"{folder}/results{count}/")
        cells.append(f"{cpu / count * 1e3:.2f} ms a file, {peak:.0f} MB")
    print("\n| `nuke convert` | 100 | 1,000 | 10,000 files |\n|---|--:|--:|--:|")
    print(f"| JPEG of 640x360 to 160x90 | {' | '.join(cells)} |")


def sizes(folder, photograph):
    print("\n| `nuke convert` to 320x240 | 3 | 30 | 300 megapixels |\n|---|--:|--:|--:|")
    for suffix in ("jpg", "png"):
        cells = []
        for side in (2000, 6324, 20_000):
            path = folder / f"{side}.{suffix}"
            photograph.resize((side, side * 3 // 4)).save(path, compress_level=1, quality=85)
            cpu, peak = run("--size", "320x240", str(path), "--output", f"{folder}/result-{side}.{suffix}")
            megapixels = side * side * 3 / 4e6
            mapped = path.stat().st_size / 1e6
            cells.append(f"{cpu / megapixels * 1e3:.2f} ms a megapixel, {peak:.0f} MB, file {mapped:.0f} MB")
            path.unlink()
        print(f"| {suffix.upper()} | {' | '.join(cells)} |")


def main():
    photograph = Image.open(CORPUS / "2mp.jpg").convert("RGB")
    with tempfile.TemporaryDirectory() as folder:
        files(pathlib.Path(folder), photograph)
        sizes(pathlib.Path(folder), photograph)


main()
