"""Machines on this one: network namespaces that are connected by a bridge. They end with the process that made them."""
import contextlib, os, shutil, subprocess, sys, time
from pathlib import Path

from report import fail

BRIDGE = "10.77.0.1"


def enter_own_network():
    """Runs this script again in a network and a process namespace of its own, so that nothing of it is left behind."""
    if os.environ.get("OWN_NETWORK") == "own":
        return run("ip", "link", "set", "lo", "up")
    if os.geteuid() != 0 or not shutil.which("unshare"):
        fail("network namespaces need root: sudo " + " ".join(sys.argv))
    os.environ["OWN_NETWORK"] = "own"
    os.execvp("unshare", ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv])


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        fail(f"{' '.join(command)}: {result.stderr.strip()}")


def make_bridge():
    run("ip", "link", "add", "bridge", "type", "bridge")
    run("ip", "address", "add", f"{BRIDGE}/24", "dev", "bridge")
    run("ip", "link", "set", "bridge", "up")


class Machine:
    """A network namespace with an address. Programs that are started with `command` run in it."""

    def __init__(self, fleet, number):
        self.address, self.link = f"10.77.0.{10 + number}", f"machine{number}"
        self.process = fleet.start(self.link, ["unshare", "--net", "sleep", "infinity"])
        own, other = Path("/proc/self/ns/net"), Path(f"/proc/{self.process.pid}/ns/net")
        end = time.monotonic() + 10
        while os.readlink(own) == os.readlink(other):
            if time.monotonic() > end:
                fail("a network namespace could not be created")
            time.sleep(0.01)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", str(self.process.pid))
        run("ip", "link", "set", self.link, "master", "bridge", "up")
        for words in ["address add %s/24 dev eth0" % self.address, "link set eth0 up", "link set lo up"]:
            run(*self.command("ip", *words.split()))

    def command(self, *command):
        return ["nsenter", f"--net=/proc/{self.process.pid}/ns/net", *command]

    def slow_down(self, seconds):
        """Delays everything that is sent to the machine. Returns False if the kernel cannot."""
        delay = ["tc", "qdisc", "add", "dev", self.link, "root", "netem", "delay", f"{seconds * 1000:g}ms", "limit", "100000"]
        with contextlib.suppress(OSError):
            return subprocess.run(delay, capture_output=True).returncode == 0
        return False
