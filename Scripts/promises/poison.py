"""An image that ends the worker of the sandbox that renders it, requested without end beside other images."""
import contextlib, itertools, os, random, signal, threading, time
from collections import Counter

from bombs import black_png
from clients import Connection, Load, fresh_variants, milliseconds, mixed
from hostile_origin import HostileOrigin
from processes import Node, resident_memory
from report import say

# In MB. The images below need 300 in a worker; others a few.
KILLED_ABOVE = 200
BOUND = 5.0


class Killer:
    """Sends a signal to each worker that has become too large: what the kernel does in a group of processes with a limit
    of memory, or what a fault in a decoder does."""

    def __init__(self, node, number):
        self.node, self.number, self.killed, self.is_stopped = node, number, set(), False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.is_stopped:
            for worker in self.node.workers():
                if worker not in self.killed and resident_memory(worker) > KILLED_ABOVE:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker, self.number)
                        self.killed.add(worker)
            time.sleep(0.002)

    def stop(self):
        self.is_stopped = True
        self.thread.join()
        return len(self.killed)


def prove_poison(report, fleet, options):
    report.section(f"An image that ends its worker, for {options.seconds:g} s each time, beside others")
    origin = HostileOrigin()
    origin.files = {"killed": black_png(9_000, 9_000), "crashed": black_png(9_001, 9_000)}
    node = Node(fleet, "poison", "--allow-private-addresses", "127.0.0.1/32", "--decode-budget", "512MiB", "--sandbox")
    for name, number in [("killed", signal.SIGKILL), ("crashed", signal.SIGSEGV)]:
        prove_refusal(report, options, node, origin, name, number)
    report.check("The server outlives its workers", node.is_alive(), f"{len(node.workers())} workers")
    node.stop()
    origin.close()


def prove_refusal(report, options, node, origin, name, number):
    generator, fresh, hashes = random.Random(1), fresh_variants(name), {}
    known = [next(fresh) for _ in range(50)]
    Load(known, lambda: node.port, options.clients, hashes).wait()
    crashes = node.metric("nuke_sandbox_crashes_total")
    beside = Load(mixed(known, f"{name}-beside", 2), lambda: node.port, options.clients, hashes, pause=0.02)
    killer, connection, answers = Killer(node, number), Connection(node.port), []
    end = time.monotonic() + options.seconds
    # Other sizes, so that nothing but the image itself can be known.
    for width in itertools.count(10):
        start = time.monotonic()
        status, _ = connection.get(f"/unsafe/rot:90/w:{width}/plain/http://127.0.0.1:{origin.port}/file/{name}")
        answers.append((status, time.monotonic() - start))
        if time.monotonic() > end and len(answers) > 3:
            break
        time.sleep(0.02)
    killed = killer.stop()
    beside.stop()
    crashes = node.metric("nuke_sandbox_crashes_total") - crashes
    say(f"  {signal.Signals(number).name}: {beside.summary()}")
    text = signal.Signals(number).name
    statuses = Counter(status for status, _ in answers)
    report.check(f"An image that ends workers ({text}) is refused after two", killed == crashes == 2 and set(statuses) <= {422, 429},
                 f"{len(answers)} requests ended {killed} workers; statuses {dict(statuses)}; the third was answered in "
                 f"{answers[2][1] * 1000:.0f} ms")
    slowest = max(beside.times())
    report.check(f"Others are served meanwhile ({text}), within {BOUND:g} s",
                 not beside.failures and not beside.wrong and slowest <= BOUND,
                 f"{len(beside.failures)} of {len(beside.answers):,} failed; slowest {slowest:.2f} s, median "
                 f"{milliseconds(beside.times(), 0.5):.0f} ms")
