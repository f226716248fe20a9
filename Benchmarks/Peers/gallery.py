#!/usr/bin/python3
"""Measures how the gallery shows a folder of many photos, beside gThumb, and Loupe where it is installed.

Usage: gallery.py FOLDER PROGRAM [TURNS [SHOTS]]. FOLDER is one that photos.py made, and PROGRAM is nuke-gallery. Without TURNS,
there are three. SHOTS is a folder for screenshots of each row.

Each program starts in a window of 1040x720 on a virtual display (Xvfb), whose pixels are read about 50 times a second, with
an empty folder for caches, and then again with the one it has filled: the rows `cold` and `warm`. The files of the photos are
read through the system's page cache in both. The columns:

  window      seconds from the start to the first pixels of a window
  full        seconds until the screen of thumbnails is complete: after that, no block of 16x16 pixels that has an image in it
              at the end changes for three seconds
  CPU         seconds of processor time until then, of the program and its children
  peak        the largest resident memory of its processes until the end of the row, in MiB
  PSS         their proportional memory when the screen is complete, in MiB
  gap         the longest time without a new image on the screen while the wheel is turned 25 steps a second for 6 seconds, in ms
  updates     changes of the screen per second in that time
  again       seconds from the last step of the wheel until the screen is complete again; a step is longer in GTK 4
  end         seconds from the key End, which goes from the first photo to the last, until the screen is complete there: no
              block with an image changes for a second. GTK 4 hides the frame around the current cell three seconds after a
              key, which is a change of the blocks around it
  images      how much of the screen is images, in percent

A figure is the median of the turns; programs take turns. `>` means that the time limit ended the wait. Loupe has no grid, so it is
measured with one photo, and so are the others in rows named `one photo`: `full` is then the time to that photo. At the end come
the frame times of the gallery's own --measure, for which other programs have nothing like it.
"""

import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

WIDTH, HEIGHT, BLOCK = 1040, 720, 16
QUIET, QUIET_AFTER_KEY, LIMIT = 3, 1, 300
STEPS, RATE = 150, 25
TICKS = os.sysconf("SC_CLK_TCK")

FOLDER, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
TURNS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
SHOTS = pathlib.Path(sys.argv[4]).resolve() if len(sys.argv) > 4 else None
WEIGHTS = numpy.random.default_rng(1).integers(1, 1 << 40, (BLOCK, 1, BLOCK), dtype=numpy.uint64)


class Screen:
    """A virtual display that writes its pixels to a file."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-fbdir", self.folder.name],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as file:
            self.display = ":" + file.readline().strip()
        self.file = pathlib.Path(self.folder.name) / "Xvfb_screen0"
        # The file begins with a header and a color table.
        data = numpy.memmap(self.file, numpy.uint32, "r")
        self.pixels = data[-WIDTH * HEIGHT:].reshape(HEIGHT, WIDTH)

    def close(self):
        del self.pixels
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def save(self, name):
        if SHOTS:
            SHOTS.mkdir(parents=True, exist_ok=True)
            subprocess.run(["convert", f"xwd:{self.file}", SHOTS / f"{name}.png"], check=True)

    def blocks(self):
        return self.pixels.reshape(HEIGHT // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK)

    def sums(self):
        """Returns a checksum of each block."""
        return (self.blocks() * WEIGHTS).sum(axis=(1, 3), dtype=numpy.uint64)

    def images(self):
        """Returns for each block whether it has an image in it: more colors than text and buttons have."""
        parts = self.blocks().transpose(0, 2, 1, 3).reshape(-1, BLOCK * BLOCK)
        ordered = numpy.sort(parts & 0xFFFFFF, axis=1)
        return ((numpy.diff(ordered, axis=1) != 0).sum(axis=1) > 100).reshape(HEIGHT // BLOCK, WIDTH // BLOCK)


class Log:
    """The checksums of the screen at each time it changed."""

    def __init__(self, screen, session):
        self.screen, self.session, self.times, self.sums, self.cpu = screen, session, [], [], []

    def watch(self, start, seconds, quiet=QUIET):
        """Watches the screen until the blocks with images have not changed for `quiet` seconds, or until the limit."""
        end, last = start + seconds, time.monotonic()
        previous, images, is_stale = self.screen.sums(), self.screen.images(), False
        self.add(start, previous)
        while (now := time.monotonic()) < end:
            sums = self.screen.sums()
            if (sums != previous).any():
                self.add(now, sums)
                # Blocks that get an image now.
                if not is_stale or now - last > 0.5:
                    images = self.screen.images()
                if (sums != previous)[images].any():
                    last = now
                previous, is_stale = sums, True
            if now - last > quiet:
                if is_stale:
                    images, is_stale = self.screen.images(), False
                if images.any():
                    return True
            time.sleep(0.01)
        return False

    def add(self, now, sums):
        self.times.append(now)
        self.sums.append(sums)
        self.cpu.append(self.session.cpu())

    def first_pixels(self):
        """Returns the time of the first change."""
        return next((now for now, sums in zip(self.times[1:], self.sums[1:]) if (sums != self.sums[0]).any()), None)

    def complete(self):
        """Returns the index of the first entry after which the blocks with images do not change any more."""
        images, final = self.screen.images(), self.sums[-1]
        index = len(self.sums) - 1
        while index > 0 and (self.sums[index - 1][images] == final[images]).all():
            index -= 1
        return index


class Session:
    """A program, and the processes that it starts."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.peaks = {}

    def members(self):
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(") ", 1)[1].split()
                except (OSError, IndexError):
                    continue
                if int(fields[3]) == self.process.pid:
                    yield int(entry), fields

    def cpu(self):
        """Returns the seconds that the program, and the children that it has waited for, have used."""
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        except OSError:
            return 0
        return sum(map(int, fields[11:15])) / TICKS

    def memory(self):
        """Returns the proportional memory, and notes the peaks."""
        total = 0
        for identifier, _ in self.members():
            try:
                for line in open(f"/proc/{identifier}/status"):
                    if line.startswith("VmHWM:"):
                        self.peaks[identifier] = int(line.split()[1])
                for line in open(f"/proc/{identifier}/smaps_rollup"):
                    if line.startswith("Pss:"):
                        total += int(line.split()[1])
            except OSError:
                continue
        return total / 1024

    def end(self):
        for sign in [signal.SIGTERM, signal.SIGKILL]:
            try:
                os.killpg(self.process.pid, sign)
                self.process.wait(10)
                return
            except subprocess.TimeoutExpired:
                continue
            except ProcessLookupError:
                self.process.wait()
                return


def environment(home, display):
    """Returns the variables for a program: folders of its own, no session bus, and no graphics processor."""
    values = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "DBUS_", "WAYLAND_"))}
    for name in ["cache", "config", "data", "run"]:
        (home / name).mkdir(mode=0o700, exist_ok=True)
    settings = home / "config/glib-2.0/settings"
    settings.mkdir(parents=True, exist_ok=True)
    # gThumb's grid in the whole window, with images that are about as large as ours.
    (settings / "keyfile").write_text(
        f"[org/gnome/gthumb/browser]\nwindow-width={WIDTH}\nwindow-height={HEIGHT}\nsidebar-visible=false\nthumbnail-size=164\n")
    return values | {
        "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"), "XDG_RUNTIME_DIR": str(home / "run"), "DISPLAY": display,
        "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "keyfile", "GTK_A11Y": "none", "NO_AT_BRIDGE": "1",
        "DBUS_SESSION_BUS_ADDRESS": "disabled:"}


def fit(display):
    """Gives the window the size of the screen, as there is no window manager."""
    def xdotool(*arguments):
        return subprocess.run(["xdotool", *arguments], env=os.environ | {"DISPLAY": display}, capture_output=True, text=True).stdout
    for window in xdotool("search", "--onlyvisible", "--name", ".").split():
        xdotool("windowmove", window, "0", "0", "windowsize", window, str(WIDTH), str(HEIGHT))


def scroll(screen, log):
    """Turns the wheel over the middle of the screen, and returns the longest time between changes of the screen, in seconds, the
    changes per second, and the time until the screen is complete again; `None` if it does not scroll."""
    before = screen.sums()
    wheel = subprocess.Popen(
        ["xdotool", "mousemove", str(WIDTH // 2), str(HEIGHT // 2), "click", "--repeat", str(STEPS), "--delay", str(1000 // RATE), "5"],
        env=os.environ | {"DISPLAY": screen.display})
    changes, previous = [time.monotonic()], before
    while wheel.poll() is None:
        sums = screen.sums()
        if (sums != previous).any():
            changes.append(time.monotonic())
            previous = sums
        time.sleep(0.005)
    end = time.monotonic()
    if len(changes) < 10:
        return None
    gaps = [after - before for before, after in zip(changes, changes[1:] + [end])]
    after = Log(screen, log.session)
    is_complete = after.watch(end, LIMIT)
    return max(gaps), (len(changes) - 1) / (end - changes[0]), after.times[after.complete()] - end if is_complete else None


def jump(screen, log):
    """Goes to the first photo and then to the last, and returns the time until the screen is complete; `None` if that does not
    come."""
    # gThumb selects its first photo by the first key, whichever it is.
    subprocess.run(["xdotool", "key", "Home"], env=os.environ | {"DISPLAY": screen.display}, check=True)
    Log(screen, log.session).watch(time.monotonic(), LIMIT, QUIET_AFTER_KEY)
    before, start = screen.sums(), time.monotonic()
    subprocess.run(["xdotool", "key", "End"], env=os.environ | {"DISPLAY": screen.display}, check=True)
    while (screen.sums() != before).sum() < 20:
        if time.monotonic() > start + 30:
            return None
        time.sleep(0.005)
    after = Log(screen, log.session)
    return after.times[after.complete()] - start if after.watch(time.monotonic(), LIMIT, QUIET_AFTER_KEY) else None


def run(command, home, name, is_grid):
    """Runs a program once, and returns its figures by the names of the columns."""
    screen = Screen()
    session = None
    try:
        time.sleep(0.5)
        start = time.monotonic()
        session = Session(command, environment(home, screen.display))
        log = Log(screen, session)
        # Until there is a window.
        log.add(start, screen.sums())
        while (screen.sums() == log.sums[0]).all() and time.monotonic() < start + 60:
            if session.process.poll() is not None:
                sys.exit(f"gallery: {command[0]} ended with status {session.process.returncode}")
            time.sleep(0.01)
        log.add(time.monotonic(), screen.sums())
        fit(screen.display)
        is_complete = log.watch(time.monotonic(), LIMIT)
        index = log.complete()
        figures = {
            "window": log.first_pixels() - start, "full": log.times[index] - start if is_complete else None,
            "CPU": log.cpu[index], "PSS": session.memory(), "images": 100 * screen.images().mean()}
        screen.save(name)
        if is_grid and (scrolled := scroll(screen, log)):
            figures |= {"gap": scrolled[0] * 1000, "updates": scrolled[1], "again": scrolled[2]}
            screen.save(f"{name}-scrolled")
            figures["end"] = jump(screen, log)
            screen.save(f"{name}-end")
        session.memory()
        figures["peak"] = sum(session.peaks.values()) / 1024
        return figures
    finally:
        if session:
            session.end()
        screen.close()


def measured_by_itself():
    """Returns what `nuke-gallery --measure` prints, which scrolls through the folder by a script."""
    screen = Screen()
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            return subprocess.run(
                [PROGRAM, "--measure", str(FOLDER)], env=environment(pathlib.Path(home), screen.display), check=True, timeout=LIMIT,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    finally:
        screen.close()


COLUMNS = {"window": 2, "full": 2, "CPU": 1, "peak": 0, "PSS": 0, "gap": 0, "updates": 0, "again": 2, "end": 2, "images": 0}


def text(column, values, is_measured):
    if not is_measured:
        return ""
    if None in values:
        return f"> {LIMIT}"
    return f"{statistics.median(values):.{COLUMNS[column]}f}"


def programs():
    """Yields the name of each row, its command, and whether it shows a grid."""
    photo = str(min(FOLDER.glob("*.jpg")))
    yield "nuke-gallery", [PROGRAM, str(FOLDER)], True
    if shutil.which("gthumb"):
        yield "gThumb", ["gthumb", "--new-window", str(FOLDER)], True
    yield "nuke-gallery, one photo", [PROGRAM, "--open", "1", str(FOLDER)], False
    if shutil.which("gthumb"):
        yield "gThumb, one photo", ["gthumb", "--new-window", photo], False
    if shutil.which("loupe"):
        yield "Loupe, one photo", ["loupe", photo], False


def main():
    if not (FOLDER / ".complete").exists():
        sys.exit(f"gallery: {FOLDER} is not a folder that photos.py made")
    print((FOLDER / ".complete").read_text().strip())
    for command in ["gthumb", "loupe"]:
        if shutil.which(command):
            version = subprocess.run(["dpkg-query", "-W", command], capture_output=True, text=True).stdout.split()
            print(*version)
    rows = {}
    for turn in range(TURNS):
        for name, command, is_grid in programs():
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
                for state in ["cold", "warm"]:
                    figures = run(command, pathlib.Path(home), f"{name} {state}".replace(", ", "-").replace(" ", "-"), is_grid)
                    rows.setdefault((name, state), []).append(figures)
                    print(f"turn {turn + 1}, {name}, {state}:", {key: value and round(value, 2) for key, value in figures.items()}, file=sys.stderr)
    print()
    print(measured_by_itself().strip())
    print()
    print("| | caches | " + " | ".join(COLUMNS) + " |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for (name, state), turns in rows.items():
        cells = [text(column, [figures.get(column) for figures in turns], any(column in figures for figures in turns)) for column in COLUMNS]
        print(f"| {name} | {state} | " + " | ".join(cells) + " |")


main()
