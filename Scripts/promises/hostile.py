"""Hostile URLs: each is refused in time, and the server stays as it was."""
import collections, contextlib, os, shutil, socket, threading, time

from bombs import BOMBS
from clients import Load, milliseconds
from hostile_origin import HostileOrigin
from hostile_urls import GOOD, KEY, SALT, HostileURLs, signed, source
from processes import SAMPLES, Node
from report import say

# In seconds. The server waits one second for a source.
TIME_LIMIT = 5
# In MB.
GROWTH, DATA_LIMIT = 64, 1024
# The server waits 30 seconds for the rest of a request that it has refused.
CLOSING_TIME = 40
# Libraries open one or two for good when they first need them.
KEPT_DESCRIPTORS = 3
SECRET = b"what-nobody-may-read-7f3a"


def ask(port, target):
    """Sends a request over a connection of its own. Returns the status, 0 if there is none, and all bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(b"GET " + target + b" HTTP/1.1\r\nHost: fleet\r\nConnection: close\r\n\r\n")
        answer = b""
        with contextlib.suppress(ConnectionError):
            while data := connection.recv(1 << 16):
                answer += data
    return (int(answer[9:12]) if answer.startswith(b"HTTP/1.") else 0), answer


class Attack:
    """Sends targets, a few at a time, and keeps what came of each."""

    def __init__(self, node, targets, clients):
        self.node, self.targets = node, iter(targets)
        self.lock = threading.Lock()
        # The kind, the status and the seconds of each.
        self.results = []
        self.bad, self.revealing = [], []
        self.peak = 0
        threads = [threading.Thread(target=self._run, daemon=True) for _ in range(clients)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self.peak = max(self.peak, node.memory())
            time.sleep(0.05)

    def _run(self):
        while True:
            with self.lock:
                kind, target = next(self.targets, (None, None))
            if kind is None:
                return
            start = time.monotonic()
            try:
                status, answer = ask(self.node.port, target)
            except (OSError, ValueError) as error:
                status, answer = -1, str(error).encode()
            seconds = time.monotonic() - start
            with self.lock:
                self.results.append((kind, status, seconds))
                if status not in HostileURLs.KINDS[kind][1]:
                    self.bad.append((kind, status, seconds, target[:300]))
                if SECRET in answer or b"root:x:" in answer or b"\nX-Injected" in answer:
                    self.revealing.append(target)


def settled_memory(node):
    """The memory when it no longer becomes less."""
    before = 1e9
    while True:
        time.sleep(1)
        now = node.memory()
        if now >= before - 1:
            return now
        before = now


def prove_hostile(report, fleet, options):
    report.section(f"{options.urls:,} hostile URLs, seed {options.seed}, {options.clients} at a time")
    root = fleet.folder / "root"
    (root / "folder").mkdir(parents=True)
    shutil.copy(SAMPLES / "chart.png", root / "a.png")
    (fleet.folder / "secret").write_bytes(SECRET)
    os.symlink("../secret", root / "link")
    for name in BOMBS:
        # Packing takes a while.
        BOMBS[name]()
    origin = HostileOrigin()
    node = Node(
        fleet, "hostile", "--allow-private-addresses", "127.0.0.1/32", "--source-timeout", "1s", "--max-source-bytes", "4MiB",
        "--decode-budget", "256MiB", "--presets", "small=w:10,large=w:20", "--max-result-pixels", "10000000",
        roots=root, is_signed=True, limits=[f"--data={DATA_LIMIT << 20}"],
        environment={"NUKE_KEYS": KEY.hex(), "NUKE_SALTS": SALT.hex()})
    good = signed(GOOD).decode()
    hashes = {}
    ask(node.port, source(f"http://127.0.0.1:{origin.port}/lie/status-404"))
    Load([good], lambda: node.port, 1, hashes).wait()
    descriptors = node.descriptors()
    # What libraries keep for good is there before memory is compared.
    Attack(node, HostileURLs(options.seed + 1, origin).targets(240), options.clients)
    memory = settled_memory(node)

    beside = Load(iter(lambda: good, None), lambda: node.port, 1, hashes, pause=0.02)
    attack = Attack(node, HostileURLs(options.seed, origin).targets(options.urls), options.clients)
    beside.stop()
    ended = time.monotonic()
    judge(report, attack, origin)
    report.check("A client beside hostile ones is served", not beside.failures and not beside.wrong,
                 f"{len(beside.failures)} of {len(beside.answers):,} requests failed; 99 of 100 within "
                 f"{milliseconds(beside.times(), 0.99):.0f} ms")
    after = settled_memory(node)
    report.check(f"The server keeps at most {GROWTH} MB more after hostile URLs", after <= memory + GROWTH,
                 f"{memory:.0f} MB before with all workers, {attack.peak:.0f} at most, {after:.0f} afterwards; prlimit "
                 f"gives the server {DATA_LIMIT} MiB of data")

    def finish():
        """Called after other proofs, since the server waits for clients that have not sent all of a refused request."""
        while node.descriptors() > descriptors and time.monotonic() < ended + CLOSING_TIME:
            time.sleep(0.5)
        left = node.descriptors()
        report.check(f"Hostile URLs leak no descriptor, {CLOSING_TIME} s later", left <= descriptors + KEPT_DESCRIPTORS,
                     f"{descriptors} before, {left} afterwards")
        last = Load([good], lambda: node.port, 1, hashes).wait()
        report.check("The server answers as before", node.is_alive() and not last.failures and not last.wrong,
                     f"{len(last.answers) - len(last.failures)} of {len(last.answers)}, and it is healthy")
        node.stop()
        origin.close()

    return finish


def judge(report, attack, origin):
    counts = collections.defaultdict(collections.Counter)
    for kind, status, _ in attack.results:
        counts[kind][status] += 1
    for kind, statuses in counts.items():
        say(f"  {kind}: {dict(sorted(statuses.items()))}")
    for kind, status, seconds, target in attack.bad[:20]:
        say(f"  {kind}: {status} after {seconds:.2f} s: {target!r}")
    total, times = sum(counts.values(), collections.Counter()), [seconds for _, _, seconds in attack.results]
    report.check("Hostile URLs are refused", not attack.bad,
                 f"{len(times) - len(attack.bad):,} of {len(times):,}: " + ", ".join(
                     f"{count} with {status or 'a closed connection'}" for status, count in sorted(total.items())))
    report.check(f"A hostile URL takes at most {TIME_LIMIT} s", max(times) <= TIME_LIMIT,
                 f"{max(times):.2f} s; median {milliseconds(times, 0.5):.0f} ms")
    report.check("Nothing is revealed or injected", not attack.revealing, f"{len(attack.revealing)} answers")
    report.check("No private address is reached", origin.intruders == 0, f"{origin.intruders} connections")
