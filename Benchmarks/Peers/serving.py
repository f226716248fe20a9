#!/usr/bin/env python3
"""Measures what an answer of `nuke serve` costs, beside thumbor, nginx's image_filter and files, and two floors.

Usage: serving.py CORPUS NUKE FLOORS SECONDS [hits], with "hits" for those rows alone. Each server runs on the first
processor alone and wrk on the others: over 32 connections for hits, over four for misses, whose sizes differ by up to ten
pixels from request to request where one server would else make one image for several clients. A figure is the processor
time of all the server's processes, divided by the answers. Those that are compared take turns; each runs so many seconds in
each of five rounds, and a ratio is the median of those of the rounds.
"""

import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from servers import Server, Servers, folder, free_port, versions

CORPUS, NUKE, FLOORS, SECONDS = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3], int(sys.argv[4])
ONLY_HITS = sys.argv[5:] == ["hits"]
HITS, MISSES = 32, 4
ROUNDS = 5
servers = Servers(CORPUS, NUKE)
nuke, thumbor, nginx = servers.nuke, servers.thumbor, servers.nginx


# A new size for each request, in the place of the usual one.
VARIED = folder / "varied.lua"
VARIED.write_text("""
function request()
  local size = (310 + math.random(20)) .. ":" .. (230 + math.random(20))
  return wrk.format("GET", (wrk.path:gsub("320:240", size)))
end
""")


class Library:
    """The same images made without HTTP, as many at a time and of as many sizes, as one contender more."""

    def __init__(self, file, format):
        self.name = "  the library without HTTP"
        self.command = ["taskset", "-c", "0", FLOORS, "library", str(CORPUS / file), format]
        self.bytes = self.type = ""

    def measure(self, connections, script, seconds):
        # So many that it takes about as long as the others.
        run = [*self.command, str(seconds * 80), str(connections)]
        text = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        return float(text), 0, 0

    def stop(self):
        pass


def compare(contenders, connections=HITS, script=()):
    """Lets all take turns, and tells each one's median.

    The processor itself is not as fast in one minute as in the next, so ratios are those of a round, and their medians are
    what counts: returned for each contender but the first, how many times the first one's time it took.
    """
    rounds = [[contender.measure(connections, script, SECONDS) for contender in contenders] for _ in range(ROUNDS)]
    ratios = []
    for place, contender in enumerate(contenders):
        milliseconds, rate, bad = sorted(figures[place] for figures in rounds)[ROUNDS // 2]
        errors = sum(figures[place][2] for figures in rounds)
        more = f" {rate:12.0f} {contender.bytes:9} {contender.type:12}" if rate else ""
        print(f"{contender.name:44} {milliseconds:10.3f}{more}" + (f"  {errors} ERRORS" if errors else ""), flush=True)
        ratios.append(sorted(figures[place][0] / figures[0][0] for figures in rounds)[ROUNDS // 2])
        contender.stop()
    return ratios[1:]


def goal(text, value, goal, at_most):
    is_met = value <= goal if at_most else value >= goal
    print(f"  {text:60} {value:6.2f}   goal {'≤' if at_most else '≥'} {goal:.2f}   {'reached' if is_met else 'NOT REACHED'}")


print("Versions: " + versions(sys.argv[2]))
CUT = "rs:fill:320:240/q:80"
print(f"{'answers of one processor':44} {'CPU ms':>10} {'a second':>12} {'bytes':>9} type")


def empty_route(length):
    port = free_port()
    return Server("  an empty route that answers as much", [FLOORS, "route", str(port), str(length)], "/image", port)


def static_file(length):
    files = folder / "files"
    files.mkdir()
    (files / "hit.jpg").write_bytes(bytes(length))
    return Servers(files, NUKE).nginx("  a file of nginx with as many bytes", "/hit.jpg", has_filter=False)


hit = f"/unsafe/{CUT}/plain/local:///12mp.jpg"
server = nuke("hit in memory", hit)
with_log = nuke("  with a line in the log", hit, "--log-level", "info", "--log-format", "json")
on_disk = nuke("  on disk", hit, "--memory-cache-size", "0", "--disk-cache", str(folder / "store"))
compared = [server, empty_route(server.bytes), static_file(server.bytes), with_log, on_disk]
empty, file, log, disk = compare(compared)
server = nuke("larger hit in memory", "/unsafe/rs:fill:1024:768/q:80/plain/local:///12mp.jpg")
larger_empty, = compare([server, empty_route(server.bytes)])
goals = [("hit in memory / empty route", 1 / empty, 1.3, True),
         ("larger hit in memory / empty route", 1 / larger_empty, 1.3, True),
         ("hit in memory / file of nginx", 1 / file, 1.3, True), ("with a line in the log / file of nginx", log / file, 1.6, True),
         ("hit on disk / file of nginx", disk / file, 2, True)]
if not ONLY_HITS:
    nothing_kept = ["--memory-cache-size", "0"]
    varied = ["-s", str(VARIED)]
    peer, nginx_peer, floor = compare(
        [nuke("12 MP to 320x240, JPEG", hit, *nothing_kept),
         thumbor("  thumbor", "/unsafe/320x240/filters:quality(80)/12mp.jpg"), nginx("  nginx image_filter", "/12mp.jpg"),
         Library("12mp.jpg", "jpeg")], MISSES, varied)
    webp_peer, webp_floor = compare(
        [nuke("12 MP to 320x240, WebP", hit + "@webp", *nothing_kept),
         thumbor("  thumbor", "/unsafe/320x240/filters:quality(80):format(webp)/12mp.jpg"),
         Library("12mp.jpg", "webp")], MISSES, varied)
    goals += [
        ("JPEG / library", 1 / floor, 1.15, True), ("WebP / library", 1 / webp_floor, 1.15, True),
        ("thumbor / JPEG", peer, 3, False), ("thumbor / WebP", webp_peer, 3, False),
        ("nginx image_filter / JPEG", nginx_peer, 1.5, False)]
print()
for text, value, wanted, at_most in goals:
    goal(text, value, wanted, at_most)
shutil.rmtree(folder, ignore_errors=True)
