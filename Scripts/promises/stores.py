"""A store that nodes share is killed, restarted, stopped and slowed down, under steady load."""
import contextlib, random, time

from clients import Load, fresh_variants, milliseconds, mixed
from processes import Node, Proxy, Redis, Store, wait_until
from report import say

DELAY = 0.3


class RedisTrial:
    name = "Redis"
    up = "nuke_redis_up"
    # A request waits for several commands in turn, each at most `--redis-timeout` (0.5 s). After three failures, nothing
    # waits.
    bound = 2.0
    # The pauses between attempts grow to several seconds.
    recovery = 15.0
    service = Redis

    @staticmethod
    def flags(port):
        return ["--redis-url", f"redis://127.0.0.1:{port}"], {}

    @staticmethod
    def is_written(node):
        return True


class StoreTrial:
    name = "S3"
    up = "nuke_s3_up"
    # `--s3-timeout` (2 s), for the purges and for the image. After five failures, nothing waits for ten seconds.
    bound = 5.0
    recovery = 15.0
    service = Store

    @staticmethod
    def flags(port):
        return (["--s3-cache", "images/results", "--s3-endpoint", f"http://127.0.0.1:{port}", "--s3-access-key", "fleet"],
                {"NUKE_S3_SECRET_KEY": "fleet"})

    @staticmethod
    def is_written(node):
        return node.metric("nuke_s3_pending_bytes") == 0


class Fault:
    """`begin` and `end` take a service and the proxy in front of it, which only some faults need."""

    def __init__(self, text, begin, end, has_proxy=False):
        self.text, self.begin, self.end, self.has_proxy = text, begin, end, has_proxy


def restart(service, _):
    service.kill()
    service.start()


FAULTS = [
    Fault("killed", lambda service, _: service.kill(), lambda service, _: service.start()),
    Fault("restarted", restart, lambda *_: None),
    Fault("stopped (SIGSTOP)", lambda service, _: service.hang(), lambda service, _: service.go_on()),
    Fault(f"slowed down (each reply {DELAY * 1000:.0f} ms late)",
          lambda _, proxy: proxy.delay(DELAY), lambda _, proxy: proxy.delay(0), has_proxy=True),
]


def prove_redis(report, fleet, options):
    prove(report, fleet, options, RedisTrial)


def prove_s3(report, fleet, options):
    prove(report, fleet, options, StoreTrial)


def prove(report, fleet, options, trial):
    report.section(f"{trial.name} fails under steady load, for {options.seconds:g} s each time")
    for number, fault in enumerate(FAULTS):
        with contextlib.ExitStack() as stack:
            service = trial.service(fleet)
            stack.callback(service.kill)
            proxy = None
            if fault.has_proxy:
                proxy = Proxy(fleet, service.port)
                stack.callback(proxy.kill)
            flags, environment = trial.flags((proxy or service).port)
            # Without memory, each request needs the store.
            nodes = [Node(fleet, f"{trial.name}-{number}-{name}", "--memory-cache-size", "0", *flags, environment=environment)
                     for name in "ab"]
            for node in nodes:
                stack.callback(node.stop)
            prove_fault(report, options, trial, fault, service, proxy, nodes)


def prove_fault(report, options, trial, fault, service, proxy, nodes):
    name = f"{trial.name} {fault.text}"
    fresh, generator, ports = fresh_variants(f"{trial.name}-{fault.text[0]}-known"), random.Random(1), [node.port for node in nodes]
    known = [next(fresh) for _ in range(50)]
    hashes = {}
    Load(known, lambda: ports[0], options.clients, hashes).wait()
    wait_until(lambda: trial.is_written(nodes[0]), f"storing in {trial.name}")

    # Each client pauses, so that the nodes have to do with the fault and not with overload.
    load = Load(mixed(known, "fault", 2), lambda: generator.choice(ports), options.clients, hashes, pause=0.02)
    time.sleep(1.5)
    begun = time.monotonic()
    fault.begin(service, proxy)
    time.sleep(max(0, options.seconds - (time.monotonic() - begun)))
    fault.end(service, proxy)
    ended = time.monotonic()
    while any(node.metric(trial.up) != 1 for node in nodes) and time.monotonic() < ended + 60:
        time.sleep(0.1)
    recovery = time.monotonic() - ended
    time.sleep(0.5)
    load.stop()
    say(f"  {name}: {load.summary()}")
    report.check(f"{name}: no request fails", not load.failures and not load.wrong,
                 f"{len(load.failures)} of {len(load.answers):,}, and {len(load.wrong)} wrong")
    before, during = load.times(end=begun), load.times(begun, ended)
    slowest = max(load.times(begun))
    report.check(f"{name}: a request takes at most {trial.bound:g} s", slowest <= trial.bound,
                 f"{slowest:.2f} s; median {milliseconds(during, 0.5):.0f} ms, before {milliseconds(before, 0.5):.0f} ms")

    # Rendered by one node, and found by the other.
    again = fresh_variants(f"{trial.name}-{fault.text[0]}-again")
    paths = [next(again) for _ in range(30)]
    Load(paths, lambda: ports[0], options.clients, hashes).wait()
    wait_until(lambda: trial.is_written(nodes[0]), f"storing in {trial.name}")
    made = nodes[1].renditions()["made"]
    shared = Load(paths, lambda: ports[1], options.clients, hashes).wait()
    made = nodes[1].renditions()["made"] - made
    report.check(f"{name}: results are shared again within {trial.recovery:g} s",
                 made == 0 and not shared.failures and not shared.wrong and recovery <= trial.recovery,
                 f"after {recovery:.1f} s; {made} of {len(paths)} rendered twice")
