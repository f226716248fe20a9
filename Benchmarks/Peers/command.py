#!/usr/bin/env python3
"""Measures thumbnails of 1,000 files by `nuke convert`, beside vipsthumbnail and ImageMagick's mogrify.

Usage: command.py CORPUS NUKE. The files are crops of 2mp.jpg, 1,400 to 1,920 pixels wide, at qualities from 78 to 92.
Each program makes JPEG files that fit 320x240, of quality 80, on all processors: vipsthumbnail and mogrify as two
processes, since one of theirs works on one file at a time. They take turns, five each. Prints rows of a table in Markdown:
the median wall time, the median CPU time, and the largest memory of a process.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

from PIL import Image

CORPUS, NUKE = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
COUNT, TURNS = 1000, 5


def make_files(folder):
    choose = random.Random(1)
    image = Image.open(CORPUS / "2mp.jpg").convert("RGB")
    for number in range(COUNT):
        width = choose.randint(1400, min(1920, image.width))
        height = min(width * 9 // 16, image.height)
        left, top = choose.randint(0, image.width - width), choose.randint(0, image.height - height)
        image.crop((left, top, left + width, top + height)).save(
            folder / f"{number:04}.jpg", quality=choose.randint(78, 92))


def halves(files):
    return files[::2], files[1::2]


def commands_of(name, files, output):
    if name == "nuke convert":
        return [[NUKE, "convert", "--quiet", "--size", "320x240", "-q", "80", "--output", f"{output}/", *files]]
    if name == "vipsthumbnail":
        return [["vipsthumbnail", "-s", "320x240", "-o", f"{output}/%s.jpg[Q=80]", *half] for half in halves(files)]
    return [["mogrify", "-path", output, "-thumbnail", "320x240", "-quality", "80", *half] for half in halves(files)]


def run(name, files):
    """Wall and CPU seconds. The files are in the system's cache."""
    with tempfile.TemporaryDirectory() as output:
        before, start = os.times(), time.monotonic()
        # One of the peers' threads for each process: more only wait for each other.
        environment = dict(os.environ, VIPS_CONCURRENCY="1", MAGICK_THREAD_LIMIT="1", OMP_NUM_THREADS="1")
        processes = [
            subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) for command in commands_of(name, files, output)]
        peak = 0
        for process in processes:
            _, status, usage = os.wait4(process.pid, 0)
            peak = max(peak, usage.ru_maxrss)
            if status:
                sys.exit(f"command: {name} failed with status {os.waitstatus_to_exitcode(status)}")
        wall, after = time.monotonic() - start, os.times()
        made = sum(1 for _ in os.scandir(output))
        if made != COUNT:
            sys.exit(f"command: {name} made {made} of {COUNT} files")
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        return wall, cpu, peak / 1000


def main():
    with tempfile.TemporaryDirectory() as folder:
        make_files(pathlib.Path(folder))
        files = sorted(entry.path for entry in os.scandir(folder))
        results = {name: [] for name in ["nuke convert", "vipsthumbnail", "mogrify -thumbnail"]}
        for turn in range(TURNS + 1):
            for name, runs in results.items():
                figures = run(name, files)
                if turn > 0:  # The first turn fills the system's cache.
                    runs.append(figures)
    print(f"| {COUNT:,} JPEG files to 320x240 | wall s | CPU s | memory MB |\n|---|--:|--:|--:|")
    for name, runs in results.items():
        wall, cpu, peak = (statistics.median(column) for column in zip(*runs))
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |")


main()
