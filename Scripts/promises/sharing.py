"""Three nodes, Redis and nginx: each image is rendered once, and the end of a node is not noticed."""
import random, signal, time
from collections import Counter

from clients import Load, variants
from processes import Nginx, Node, Redis
from report import say


def prove_sharing(report, fleet, options):
    generator, hashes = random.Random(1), {}
    redis = Redis(fleet)
    flags = ["--redis-url", f"redis://127.0.0.1:{redis.port}", "--memory-cache-size", "64MB", "--request-timeout", "60s"]
    nodes = [Node(fleet, f"node{number}", *flags) for number in range(3)]

    report.section(f"{options.variants:,} variants, each {options.repeats} times, in random order over three nodes")
    distinct = variants(options.variants)
    paths = distinct * options.repeats
    generator.shuffle(paths)
    ports = [node.port for node in nodes]
    load = Load(paths, lambda: generator.choice(ports), options.clients, hashes).wait(len(paths))
    say(f"  {load.summary()}")
    counts = sum((node.renditions() for node in nodes), Counter())
    say(f"  found in: {dict(counts)}")
    report.check("Three nodes render each image once", counts["made"] == len(distinct),
                 f"{counts['made']:,} renderings of {len(distinct):,} images, for {len(paths):,} requests")
    report.check("All answers are images", not load.failures, f"{len(load.failures)} others")
    report.check("All answers of a URL are the same, byte for byte", not load.wrong, f"{len(load.wrong)} different")

    report.section("A node is killed under load, behind nginx")
    nginx = Nginx(fleet, nodes)
    paths = generator.choices(distinct, k=max(len(distinct), 2000) * 2)
    load = Load(paths, lambda: nginx.port, options.clients, hashes)
    load.wait_for(len(paths) * 2 // 5)
    nodes[0].process.send_signal(signal.SIGKILL)
    killed = time.monotonic()
    load.wait(len(paths))
    say(f"  {load.summary()}")
    late = [answer for answer in load.failures if answer[0] - killed > 5]
    report.check("Only requests on their way through a killed node fail",
                 len(load.failures) <= options.clients and not late and not load.wrong,
                 f"{len(load.failures)} of {len(paths):,}, with {options.clients} on their way; {len(late)} after 5 s")

    report.section("A node without caches takes its place")
    cold = Node(fleet, "node3", *flags)
    paths = generator.sample(distinct, min(len(distinct), 2000))
    load = Load(paths, lambda: cold.port, options.clients, hashes).wait(len(paths))
    say(f"  {load.summary()}")
    counts = cold.renditions()
    say(f"  found in: {dict(counts)}")
    report.check("A node without caches renders nothing that Redis has",
                 counts["made"] == 0 and not load.failures and not load.wrong, f"{counts['made']} of {len(paths):,}")
    for node in [*nodes[1:], cold]:
        node.stop()
    nginx.kill()
    redis.kill()
