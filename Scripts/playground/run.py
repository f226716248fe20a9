"""What both scripts begin with: their options, the server and the browser."""
import argparse, contextlib, shutil, subprocess, sys, tempfile
from pathlib import Path

from browser import Browser
from server import Server

ROOT = Path(__file__).resolve().parent.parent.parent


def options_of(text, folder=False):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    if folder:
        parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("program", nargs="?", metavar="PROGRAM", help="the command nuke with the traits Command and Server; built unless named")
    if not folder:
        parser.add_argument("--only", metavar="WORD", help="the checks with this in their text, or of this name")
    return parser.parse_args()


def built():
    command = ["swift", "build", "-c", "release", "--traits", "Command,Server,Redis", "--scratch-path", ".build-server", "--product", "nuke"]
    subprocess.run(command, cwd=ROOT, check=True)
    folder = subprocess.run([*command, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    return f"{folder}/nuke"


@contextlib.contextmanager
def on_the_page(program):
    """A browser and a server with the sample images, both gone afterwards."""
    if not shutil.which("chromium"):
        sys.exit("no chromium; install Debian's package of this name")
    if not shutil.which(program):
        sys.exit(f"no program at {program}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as ends:
        server = Server(program)
        ends.callback(server.close)
        browser = Browser(Path(folder))
        ends.callback(browser.close)
        yield browser, server
