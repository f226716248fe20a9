#!/usr/bin/env python3
"""What `nuke serve` needs beside processor time: memory, the time to start, and the size of its container.

Usage: footprint.py CORPUS NUKE FLOORS [STATIC], where FLOORS is the program ServingFloors, and STATIC the command built as
deploy/Dockerfile says. Prints rows of a table in Markdown.

- Idle connections: the growth of the resident memory of all the server's processes with 1,000 connections that have each
  received an answer and stay open. The floor is an empty route of Hummingbird's.
- Start: the time from starting the process until an answer with status 200, the median of ten. Files are in the system's
  cache.
- At rest and at most: the proportional set size (PSS) of all the server's processes, in which a page that several have in
  memory counts once. At most is the largest of readings every 5 ms, while four clients request 24 MP to 500x500, each time
  in another size.
- Container: the command without symbols, its resources, and the installed sizes of the packages that deploy/Dockerfile
  installs, with all that they depend on, except those that every Debian has. debian:12-slim itself is not counted.
"""

import contextlib
import os
import pathlib
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from servers import Servers, folder, free_port, processes_of, versions

CORPUS, NUKE, FLOORS = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
STATIC = (sys.argv[4:] or [None])[0]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONNECTIONS, STARTS, IMAGES, CLIENTS = 1000, 10, 100, 4
servers = Servers(CORPUS, NUKE, processors=f"0-{os.cpu_count() - 1}", pause=0.001)


def memory(server, field):
    """Megabytes of all processes of a server: `Rss` or `Pss`."""
    total = 0
    for process in processes_of(server.process.pid):
        with contextlib.suppress(OSError):
            text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
            total += int(re.search(rf"(?m)^{field}: +(\d+)", text)[1]) * 1024
    return total / 1e6


def settled(server):
    """Waits until the memory is the same for a second: workers of a sandbox start after the first answer."""
    before, since = -1, time.monotonic()
    while time.monotonic() < since + 1:
        now = memory(server, "Rss")
        if abs(now - before) > 0.5:
            before, since = now, time.monotonic()
        time.sleep(0.1)


def receive(connection):
    data = connection.recv(1 << 18)
    if not data:
        raise ConnectionError("the server closed the connection")
    return data


def request(connection, path):
    """Sends a request, and reads its answer. Returns the status."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += receive(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?im)^content-length: *(\d+)", head)[1])
    while len(body) < length:
        body += receive(connection)
    return int(head[9:12])


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def idle_connections(server, path):
    """The growth with many idle connections, in MB."""
    # Buffers and threads that are created only once are there before the first reading.
    for _ in range(20):
        with connect(server) as connection:
            request(connection, path)
    settled(server)
    before = memory(server, "Rss")
    open_ones = []
    for _ in range(CONNECTIONS):
        open_ones.append(connect(server))
        request(open_ones[-1], path)
    after = memory(server, "Rss")
    try:
        for connection in open_ones[::100]:
            request(connection, path)
    except OSError:
        sys.exit(f"footprint: {server.name} closed connections meanwhile; this machine has too much other work")
    for connection in open_ones:
        connection.close()
    return after - before


def at_most(server, path):
    """The largest memory while images are rendered, in MB. Each `SIZE` in the path is replaced."""
    sizes, peak = iter(range(401, 401 + IMAGES)), [0.0]
    lock, problems = threading.Lock(), []

    def run():
        try:
            with connect(server) as connection:
                while True:
                    with lock:
                        size = next(sizes, None)
                    if size is None:
                        return
                    status = request(connection, path.replace("SIZE", str(size)))
                    if status != 200:
                        problems.append(f"status {status}")
                        return
        except OSError as error:
            problems.append(error)

    threads = [threading.Thread(target=run) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        peak[0] = max(peak[0], memory(server, "Pss"))
        time.sleep(0.005)
    if problems:
        sys.exit(f"footprint: {server.name} did not answer {path}: {problems[0]}")
    return peak[0]


def row(name, value, unit, note=""):
    print(f"| {name} | {value} {unit} | {note} |", flush=True)


def empty_route(name, path):
    port = free_port()
    return servers.start(name, [FLOORS, "route", str(port), "6"], path, port)


class Contender:
    def __init__(self, name, start, path, image=None):
        self.name, self.start, self.path, self.image = name, start, path, image

    def report(self):
        times = []
        for _ in range(STARTS):
            server = self.start(self.name, self.path)
            times.append(server.started * 1000)
            server.stop()
        row(f"{self.name}: start until the first answer", f"{statistics.median(times):.0f}", "ms",
            f"{min(times):.0f} to {max(times):.0f} ms, of {self.path}")
        server = self.start(self.name, self.path)
        settled(server)
        row(f"{self.name}: memory at rest", f"{memory(server, 'Pss'):.0f}", "MB",
            f"{len(processes_of(server.process.pid))} processes")
        row(f"{self.name}: memory per {CONNECTIONS:,} idle connections", f"{idle_connections(server, self.path):.1f}", "MB",
            f"resident memory; after {self.path}")
        if self.image:
            # What the connections of before have freed would hide the growth.
            server.stop()
            server = self.start(self.name, self.path)
            settled(server)
            path = self.image.replace("SIZE", "100").replace("24mp", "2mp")
            row(f"{self.name}: memory per {CONNECTIONS:,} idle connections", f"{idle_connections(server, path):.1f}", "MB",
                f"after {path}")
        server.stop()
        if self.image:
            server = self.start(self.name, self.path)
            row(f"{self.name}: memory at most, 24 MP to 500x500, four at a time", f"{at_most(server, self.image):.0f}", "MB",
                f"{IMAGES} images")
            server.stop()


def packages_of(names):
    """The packages that are installed with some into an empty system."""
    run = ["apt-get", "-s", "-o", "Dir::State::status=/dev/null", "install", "--no-install-recommends", *names]
    text = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"(?m)^Inst (\S+)", text))


def sizes_of(package):
    """The installed size and that of the download, in bytes."""
    text = subprocess.run(["apt-cache", "show", "--no-all-versions", package], capture_output=True, text=True, check=True).stdout
    installed, packed = (re.search(rf"(?m)^{field}: (\d+)", text) for field in ["Installed-Size", "Size"])
    return int(installed[1]) * 1024, int(packed[1])


def container():
    runtime = (ROOT / "deploy/Dockerfile").read_text().split("\nFROM ")[-1]
    names = re.search(r"--no-install-recommends ((?:[\w.+-]+|\\\n|\s)+?)\s*\\\n\s*&&", runtime)[1].replace("\\\n", " ").split()
    essential = subprocess.run(
        ["dpkg-query", "-W", "-f=${Package} ${Essential} ${Priority}\n"], capture_output=True, text=True, check=True).stdout
    base = packages_of({line.split()[0] for line in essential.splitlines() if " yes " in line or line.endswith(" required")} | {"apt"})
    added = packages_of(names) - base
    installed, packed = map(sum, zip(*(sizes_of(package) for package in added)))
    row("container: packages", f"{installed / 1e6:.0f}", "MB",
        f"{len(added)} packages, {packed / 1e6:.0f} MB packed; Installed-Size of {', '.join(names[:3])} and so on")
    if not STATIC:
        print("footprint: without the command as deploy/Dockerfile builds it, the container has no further rows", file=sys.stderr)
        return
    linked = subprocess.run(["ldd", STATIC], capture_output=True, text=True).stdout
    if "libswift" in linked:
        sys.exit(f"footprint: {STATIC} uses Swift's runtime as libraries; build it with --static-swift-stdlib")
    with tempfile.TemporaryDirectory() as work:
        stripped = shutil.copy(STATIC, work)
        subprocess.run(["strip", stripped], check=True)
        program = pathlib.Path(stripped).stat().st_size
    resources = sum(file.stat().st_size for folder in pathlib.Path(STATIC).parent.glob("*.resources")
                    for file in folder.rglob("*") if file.is_file())
    row("container: the command", f"{program / 1e6:.0f}", "MB", f"stripped, and {resources / 1e6:.1f} MB of resources")
    row("container: all above debian:12-slim", f"{(program + resources + installed) / 1e6:.0f}", "MB", "")


def main():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 4 * CONNECTIONS:
        sys.exit(f"footprint: only {most} open files are allowed; raise the limit to {4 * CONNECTIONS}")
    # The servers inherit this, and accept more connections.
    resource.setrlimit(resource.RLIMIT_NOFILE, (4 * CONNECTIONS, most))
    no_cache = ["--memory-cache-size", "0"]
    image = "/unsafe/rs:fit:SIZE:500/plain/local:///24mp.jpg@jpg"
    contenders = [
        Contender("nuke serve", lambda *names: servers.nuke(*names, *no_cache, sandbox="--sandbox"), "/ready", image),
        Contender("nuke serve --no-sandbox", lambda *names: servers.nuke(*names, *no_cache), "/ready", image),
        Contender("an empty route of Hummingbird's", empty_route, "/ready"),
        Contender("thumbor", servers.thumbor, "/healthcheck", "/unsafe/fit-in/SIZEx500/24mp.jpg"),
        Contender("nginx, files only", lambda *names: servers.nginx(*names, has_filter=False), "/small.txt"),
    ]
    print("Versions: " + versions(sys.argv[2]) + "\n")
    print("| row | value | |\n|---|---|---|")
    with files():
        for contender in contenders:
            contender.report()
    container()
    # Published by imgproxy's author in 2019, of another image and machine. There are no such figures of its other rows.
    row("imgproxy, published: memory at most, 36 MP to 500x500, four at a time", "194", "MB",
        "four processors; thumbor 461 MB; https://gist.github.com/DarthSim/9d971d2859f3714a29cf8ce094b3fc55")
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def files():
    """A short file for nginx."""
    file = CORPUS / "small.txt"
    file.write_text("ready\n")
    try:
        yield
    finally:
        file.unlink()


main()
