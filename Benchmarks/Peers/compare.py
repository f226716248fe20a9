#!/usr/bin/env python3
"""Runs all programs side by side and prints one table.

Usage: compare.py CORPUS IMAGE_BENCHMARKS [NAME]; NAME picks the rows that contain it.

Each program is a process of its own that waits for the names of rows. They take turns within each round, so that
whatever else the machine does falls on all of them alike: the ratios are worth more than the figures.
"""

import json
import pathlib
import statistics
import subprocess
import sys

ROUNDS = 15
PEERS = ("pillow", "vips", "opencv", "specialists")
HERE = pathlib.Path(__file__).parent

# Our row, the row of the peers, and the goals: the least ratios to our time of the best peer's and of the bare library's.
TABLE = []
for picture, shrunk, quartered in (("12 MP", 2.4, 1.6), ("12 MP progressive", 8.0, None), ("24 MP", 2.4, 1.6)):
    TABLE.append((f"thumbnail {picture}, pipeline", f"thumbnail {picture}, 1/8", shrunk, None))
    TABLE.append((f"thumbnail {picture}, 1/8", f"thumbnail {picture}, 1/8", shrunk, None))
    TABLE.append((f"thumbnail {picture}, 1/4", f"thumbnail {picture}, 1/4", quartered, None))
TABLE.append(("decode JPEG", "decode JPEG", None, 1 / 1.05))
TABLE.append(("decode JPEG progressive", "decode JPEG progressive", None, 1 / 1.05))
TABLE.append(("decode PNG", "decode PNG", 2.5, None))
TABLE.append(("decode PNG with alpha", "decode PNG with alpha", 2.5, None))
TABLE.append(("decode PNG interlaced", "decode PNG interlaced", None, None))
TABLE.append(("decode WebP", "decode WebP", None, 1 / 1.05))
TABLE.append(("decode AVIF", "decode AVIF", None, 1 / 1.05))
TABLE.append(("decode PNG of 16 bits", "decode PNG of 16 bits", 2.5, None))
for kind in ("WebP, lossless", "TIFF, LZW"):
    TABLE.append((f"decode {kind}", f"decode {kind}", 1.1, None))
for kind in ("decode HEIC", "decode JPEG XL", "first frame of a video"):
    TABLE.append((kind, kind, None, None))
TABLE.append(("draw SVG of 3,700 paths, 512 px", "draw SVG of 3,700 paths, 512 px", 1.2, None))
TABLE.append(("decode GIF, 40 frames", "decode GIF, 40 frames", 2.3, None))
for kind in ("opaque", "with alpha"):
    TABLE.append((f"resize to 640x360, {kind}", f"resize to 640x360, {kind}", 1.0, None))
for radius, goal in ((2, None), (8, 3.5), (50, None)):
    TABLE.append((f"Gaussian blur of {radius}", f"Gaussian blur of {radius}", goal, None))
TABLE.append(("sepia", "sepia", 8.0, None))
TABLE.append(("four filters of color in one pass", "four filters of color in one pass", None, None))
for radius in (8, 64, 256):
    row = f"rounded corners of {radius}, 512x512"
    TABLE.append((row, row, 50.0, 1.0))
TABLE.append(("encode JPEG", "encode JPEG", None, 1 / 1.05))
for effort in (", fast", "", ", small"):
    TABLE.append((f"encode PNG{effort}", f"encode PNG{effort}", None if effort == ", small" else 1.0, None))
    TABLE.append((f"encode PNG of graphics{effort}", f"encode PNG of graphics{effort}", None, None))
TABLE.append(("encode WebP", "encode WebP", None, 1 / 1.05))
BARE_PREFIX = "decode of "


class Program:
    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = json.loads(self.process.stdout.readline())
        self.name, self.rows = self.about["program"], set(self.about["rows"])

    @property
    def title(self):
        return f"{self.name} {self.about['version']}".strip()

    def run(self, row, count=1):
        self.process.stdin.write(f"{count} {row}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def commands(corpus, benchmarks):
    own = [[benchmarks, corpus, "--serve"], [benchmarks, corpus, "--serve-bare"]]
    return own + [[sys.executable, str(HERE / "peer.py"), corpus, peer] for peer in PEERS]


def measure(programs, row):
    """Milliseconds by program, the median of the rounds behind one warm-up; and bytes, where a file is the result."""
    first = {name: program.run(its_row) for name, (program, its_row) in programs.items()}
    warm_up = [answer["ms"] for answer in first.values()]
    # Once alone would measure how long it takes to fetch what the others have pushed out of the processor's caches.
    count = 1 if min(warm_up) >= 1 else 20
    times = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, (program, its_row) in programs.items():
            times[name].append(program.run(its_row, count)["ms"])
    sizes = {name: answer["bytes"] for name, answer in first.items() if "bytes" in answer}
    return {name: statistics.median(values) for name, values in times.items()}, sizes


def print_line(cells, last=""):
    print(f"{cells[0]:<36}" + "".join(f"{cell:>12}" for cell in cells[1:]) + last, flush=True)


def cell(value):
    return "-" if value is None else f"{value:.2f}"


def compare(corpus, benchmarks, wanted):
    ours, bare, *peers = programs = [Program(command) for command in commands(corpus, benchmarks)]
    print("Images: median milliseconds of processor time, one thread. Ratios: others / ours, above 1 we are ahead.")
    print("Peers: " + ", ".join(program.title for program in [*peers, bare]))
    print()
    names = [*(program.name for program in peers), bare.name]
    print_line(["row", "ours", *names, "best/ours", "goal", "bare/ours", "goal"])
    for own_row, peer_row, goal, bare_goal in TABLE:
        if wanted not in own_row:
            continue
        chosen = {ours.name: (ours, own_row)}
        for program in peers:
            if peer_row in program.rows:
                chosen[program.name] = (program, peer_row)
        for bare_row in (peer_row, BARE_PREFIX + peer_row):
            if bare_row in bare.rows:
                chosen[bare.name] = (bare, bare_row)
        times, sizes = measure(chosen, own_row)
        best = min((times[program.name] for program in peers if program.name in times), default=None)
        ratios = [time and time / times[ours.name] for time in (best, times.get(bare.name))]
        judged = [(ratio, least) for ratio, least in zip(ratios, (goal, bare_goal)) if least is not None]
        verdict = "reached" if all(ratio >= least for ratio, least in judged) else "NOT REACHED"
        print_line(
            [own_row, cell(times[ours.name]), *(cell(times.get(name)) for name in names)]
            + [cell(ratios[0]), cell(goal), cell(ratios[1]), cell(bare_goal)],
            "  " + verdict if judged else "",
        )
        if own_row.startswith("encode"):
            print_line(["  bytes", *(str(sizes.get(name, "-")) for name in (ours.name, *names))])
    for program in programs:
        program.close()


def compare_memory(corpus, benchmarks):
    print()
    print("Growth of the greatest memory use by a first thumbnail of 24 MP, in MB:")
    row = "thumbnail 24 MP, 1/8"
    # The bare loop makes no thumbnail that could be compared, and the libraries for single formats make none.
    for command in [command for command in commands(corpus, benchmarks) if "--serve-bare" not in command]:
        program = Program(command)
        if row in program.rows:
            print(f"  {program.title:<28}{program.run(row)['kilobytes'] / 1024:8.1f}", flush=True)
        program.close()


def main():
    corpus, benchmarks = sys.argv[1:3]
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    compare(corpus, benchmarks, wanted)
    if not wanted:
        compare_memory(corpus, benchmarks)


main()
