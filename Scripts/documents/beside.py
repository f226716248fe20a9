"""Runs the commands of other programs that a text lists, and ours beside them, and compares what they write."""
import operator, os, re, shutil, subprocess, tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from markdown import ROOT

TEXT = Path("docs/coming-from-imagemagick.md")
SAMPLES = ROOT / "Sources/NukeCLI/Samples"
# In seconds, for each command.
TIME_LIMIT = 60

NEEDED = ("convert", "mogrify", "montage", "identify", "compare", "composite", "vips", "vipsthumbnail", "vipsheader")

# sharp is a library for Node.js, which is not installed. Its lines are only written down.
NOT_RUN = re.compile(r"sharp\(")

# The images that the commands read: their names, and how they are made of samples. Some names are none of `*.jpg`.
IMAGES = {
    "photo.jpg": ["lake.jpg", "--size", "640x480"],
    "dusk.jpg": ["dusk.jpg", "--size", "640x480^", "--crop", "640x480"],
    "logo.png": ["badge.png", "--size", "192x192"],
    "portrait.jpeg": ["lake.jpg", "--size", "640x480", "--format", "jpeg"],
    "cat.gif": ["orbit.gif"],
}

# An APP1 segment with a TIFF of little endian and two entries: the maker, `Cam`, and the orientation, 6.
EXIF = bytes.fromhex(
    "FFE1002E 457869660000 49492A0008000000 0200 0F010200040000 0043616D00 120103000100000006000000 00000000")


class Failure(Exception):
    pass


@dataclass
class Row:
    """A line of a table."""
    line: int
    task: str
    theirs: list[str]
    ours: str
    # The largest mean absolute difference, or what is compared instead of pixels.
    limit: str

    @staticmethod
    def of(line, text):
        """The row in a line of the text; `None` if the line is none of a table of commands."""
        cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", text)[1:-1]]
        if len(cells) != 4 or not (ours := re.findall("`(nuke [^`]+)`", cells[2])):
            return None
        theirs = re.findall("`([^`]+)`", cells[1])
        return Row(line, cells[0], [command for command in theirs if not NOT_RUN.search(command)], ours[0], cells[3])


@dataclass
class Result:
    command: str
    # What the command has written, by name.
    files: dict[str, Path]
    printed: str


def run_beside(program):
    """Runs all rows. Returns their failures."""
    for needed in NEEDED:
        if not shutil.which(needed):
            raise SystemExit(f"check-docs: there is no {needed}; `Scripts/setup --test --environments` installs it")
    lines = (ROOT / TEXT).read_text().split("\n")
    rows = [row for number, line in enumerate(lines, 1) if (row := Row.of(number, line))]
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(2) as pool:
        samples = Path(home) / "samples"
        make_images(samples, program)
        results = list(pool.map(lambda row: check_row(row, samples, Path(home) / str(row.line), program), rows))
    print(f"check-docs: ran {sum(count for count, _ in results)} commands of {len(rows)} rows beside ours")
    return [failure for _, failures in results for failure in failures]


def make_images(folder, program):
    folder.mkdir()
    for name, (sample, *options) in IMAGES.items():
        command = [program, "convert", SAMPLES / sample, name, "--quality", "95", "--quiet", *options]
        subprocess.run(command, cwd=folder, check=True)
    portrait = folder / "portrait.jpeg"
    data = portrait.read_bytes()
    portrait.write_bytes(data[:2] + EXIF + data[2:])


def check_row(row, samples, home, program):
    """Runs the commands of a row. Returns the number of those of other programs, and the failures."""
    failures = []
    try:
        if not row.theirs:
            raise Failure("has no command of another program")
        ours = run(row.ours, samples, home / "ours", program)
        for number, command in enumerate(row.theirs):
            try:
                compare(run(command, samples, home / str(number), program), ours, row.limit)
            except Failure as failure:
                failures.append(f"{TEXT}:{row.line}: {command}: {failure}")
    except Failure as failure:
        failures.append(f"{TEXT}:{row.line}: {row.task}: {failure}")
    return len(row.theirs), failures


def run(command, samples, folder, program):
    """Runs a command in a folder of its own, which has the images."""
    shutil.copytree(samples, folder)
    environment = {"HOME": str(folder.parent), "PATH": f"{program.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    result = subprocess.run(
        ["timeout", "-k", "5", str(TIME_LIMIT), "bash", "-c", "set -euo pipefail; " + command], cwd=folder,
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # The status 1 of ImageMagick's `compare` means that images differ.
    if result.returncode and not (result.returncode == 1 and command.startswith("compare ")):
        raise Failure(f"`{command}` ended with {result.returncode}: {result.stderr.decode(errors='replace')[-600:]}")
    files = {str(file.relative_to(folder)): file for file in sorted(folder.rglob("*")) if file.is_file()}
    written = {name: file for name, file in files.items() if name not in IMAGES}
    return Result(command, written, result.stdout.decode(errors="replace"))


def compare(theirs, ours, limit):
    """Raises `Failure` if two results differ by more than a limit."""
    if theirs.files.keys() != ours.files.keys():
        raise Failure(f"writes {', '.join(theirs.files) or 'nothing'}, ours {', '.join(ours.files) or 'nothing'}")
    if not ours.files:
        if (value := figure(theirs.printed, limit)) != figure(ours.printed, limit):
            raise Failure(f"prints {value}, ours {figure(ours.printed, limit)}")
    for name, file in theirs.files.items():
        compare_images(name, file, ours.files[name], limit)


def figure(printed, limit):
    """What is compared of two texts."""
    patterns = {"size": r"\d+x\d+", "PSNR": r"\d+\.\d+", "runs": ""}
    if limit not in patterns:
        raise Failure(f"writes no file, and beside.py does not know how to compare `{limit}` of what it prints")
    found = re.findall(patterns[limit], printed if limit != "PSNR" else printed.rpartition("PSNR")[2])
    if not found:
        raise Failure(f"prints no {limit}")
    return f"{float(found[0]):.1f}" if limit == "PSNR" else found[0]


def compare_images(name, theirs, ours, limit):
    if (their_sizes := sizes(theirs)) != (our_sizes := sizes(ours)):
        raise Failure(f"{name} has the sizes {their_sizes}, ours {our_sizes}")
    if (their_maker := maker(theirs)) != (our_maker := maker(ours)):
        raise Failure(f"{name} has the maker `{their_maker}` in EXIF, ours `{our_maker}`")
    if limit == "size":
        return
    first, second = pixels(theirs), pixels(ours)
    difference = sum(map(abs, map(operator.sub, first, second))) / max(len(first), 1)
    if len(first) != len(second) or difference > allowed(limit):
        raise Failure(f"{name} is off by {difference:.2f}, and the limit is {limit}")


def allowed(limit):
    try:
        return float(limit)
    except ValueError:
        raise Failure(f"`{limit}` is not a limit for pixels") from None


def magick(*arguments):
    return subprocess.run(["convert", *arguments], check=True, capture_output=True).stdout


def sizes(file):
    """The size of each frame."""
    return magick(file, "-coalesce", "-format", "%wx%h ", "info:").decode().split()


def maker(file):
    return magick(f"{file}[0]", "-format", "%[EXIF:Make]", "info:").decode().strip()


def pixels(file):
    """The bytes of all frames in RGB, over a color that no image has where it is transparent."""
    return magick(
        file, "-coalesce", "-background", "#FF00C0", "-alpha", "remove", "-colorspace", "sRGB", "-type", "TrueColor",
        "-depth", "8", "rgb:-")
