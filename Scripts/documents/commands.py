"""Runs the commands of the texts."""
import re
from concurrent.futures import ThreadPoolExecutor

from world import Failure, World

TEXTS = re.compile(r"(README|CONTRIBUTING)\.md|docs/.*\.md|Sources/.*\.docc/.*\.md")

# The lines that are run, by their first word.
RUN = {"nuke", "curl", "export", "ls"}

# The lines that are not run, by their first word, and why.
NOT_RUN = {
    "sudo": "installs packages",
    "make": "builds the package; Scripts/check runs what its targets run",
    "swift": "builds the package",
    "git": "fetches the package from where it is hosted",
    "Scripts/setup": "installs packages",
    "Scripts/check": "runs this script",
    "Scripts/check-docs": "is this script",
    "Scripts/docs": "builds the documentation; Scripts/check --release runs it",
    "Scripts/diagrams": "changes the diagrams; Scripts/check compares them",
    "Scripts/manual": "changes the manual page; Scripts/check compares it",
    "Scripts/check-start-here": "builds the package; Scripts/check --release runs it",
    "Scripts/check-environments": "runs all tests; Scripts/check --release runs it",
    "Scripts/bench": "takes minutes",
    "Scripts/fuzz": "takes minutes",
}

# The texts whose lines are not run, and why.
NOT_RUN_TEXTS = {
    "Sources/Nuke/Nuke.docc/StartHere.md": "Scripts/check-start-here builds and runs its programs",
}


def stand_ins(world):
    """What stands for the names in the texts, in this order."""
    server = f"http://127.0.0.1:{world.server_port}"
    closed = f"127.0.0.1:{world.closed_port}"
    return {
        # The server that the text has started, or that it says is there.
        "https://images.example.com": server,
        "http://127.0.0.1:8080": server,
        "--port 9000": f"--port {world.server_port}",
        "https://example.com": f"http://127.0.0.1:{world.web_port}",
        "cache.internal:6379": f"127.0.0.1:{world.redis_port}",
        # Servers start while stores cannot be reached.
        "cache.internal:6380": closed,
        "one:26379,two:26379,three:26379": f"{closed},{closed},{closed}",
        "proxy.example.com:3128": closed,
        "/etc/nuke/redis-ca.pem": "/etc/ssl/certs/ca-certificates.crt",
        "IMGPROXY_KEY=… IMGPROXY_SALT=…": "IMGPROXY_KEY=736563726574 IMGPROXY_SALT=68656c6c6f",
    }


def run_commands(texts, program):
    wanted = [text for text in texts if TEXTS.fullmatch(str(text.path)) and str(text.path) not in NOT_RUN_TEXTS]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda text: run_text(text, program), wanted))
    failures = [failure for _, found in results for failure in found]
    print(f"check-docs: ran {sum(count for count, _ in results)} commands of {len(wanted)} texts")
    return failures


def run_text(text, program):
    """Runs the commands of a text, one after the other in one folder. Returns their number, and the failures."""
    count, failures, world = 0, [], None
    try:
        for block in text.blocks:
            for number, line in command_lines(block):
                where = f"{text.path}:{number}: {line}"
                # The program is there already.
                line = re.sub(r"^swift run (--traits \S+ )?nuke ", "nuke ", line)
                word = first_word(line)
                if word in NOT_RUN:
                    continue
                if word not in RUN:
                    failures.append(f"{where}: commands.py does not say whether `{word}` is run")
                    continue
                count += 1
                world = world or World(program)
                try:
                    run_line(line, world)
                except Failure as failure:
                    failures.append(f"{where}: {failure}")
            if world:
                try:
                    world.end_server()
                except Failure as failure:
                    failures.append(f"{text.path}:{block.line}: {failure}")
    finally:
        if world:
            world.close()
    return count, failures


def command_lines(block):
    """The lines of a block of commands, with their numbers; none of another block."""
    if block.language not in (None, "sh", "bash", "shell", "console"):
        return []
    lines, continued = [], False
    for number, line in enumerate(block.lines, block.line):
        if continued:
            lines[-1] = (lines[-1][0], lines[-1][1][:-1] + line.strip())
        elif line.strip() and not line.startswith("#"):
            lines.append((number, line))
        continued = line.endswith("\\")
    # An indented block may be anything. One that has our command anywhere is a block of commands.
    is_commands = block.language is not None or any(
        first_word(line) in RUN | NOT_RUN.keys() or re.search(r"(^|\s)nuke [a-z]+", line) for _, line in lines)
    return lines if is_commands else []


def first_word(line):
    """The program of a line, after the variables that are set for it."""
    return next((word for word in line.split() if not re.match(r"\w+=", word)), "")


def run_line(line, world):
    for name, stand_in in stand_ins(world).items():
        line = line.replace(name, stand_in)
    hosts = [authority.rpartition("@")[2] for authority in re.findall(r"\w://([^/\s]+)", line)]
    for unknown in [host for host in hosts if not host.startswith("127.0.0.1")] + re.findall("…", line):
        raise Failure(f"commands.py does not say what stands for `{unknown}`")
    if re.search(r"\bnuke serve\b", line):
        world.serve(line)
        return
    if re.search(r"\bnuke (health|purge)\b", line) and not world.has_server:
        world.serve()
    if first_word(line) == "export":
        world.export(line)
    else:
        world.run(line)
