"""The processes of a fleet: nodes, Redis, an S3 store, nginx, and a proxy that delays replies."""
import contextlib, os, re, shutil, signal, socket, subprocess, sys, tempfile, time
from collections import Counter
from pathlib import Path

from clients import Connection
from report import fail, say

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "Sources/NukeCLI/Samples"
HERE = Path(__file__).resolve().parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port, host="127.0.0.1"):
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def built():
    """Builds the command, and returns its path."""
    build = ["swift", "build", "-c", "release", "--product", "nuke", "--traits", "Command,Server,Redis",
             "--scratch-path", str(ROOT / ".build-server")]
    say("Building the command with the traits Command, Server and Redis …")
    if subprocess.run(build, cwd=ROOT, stdout=subprocess.DEVNULL).returncode != 0:
        fail("the build failed; run it to see why: " + " ".join(build))
    return subprocess.run(build + ["--show-bin-path"], cwd=ROOT, capture_output=True, text=True).stdout.strip() + "/nuke"


def wait_until(is_ready, what, seconds=30):
    end = time.monotonic() + seconds
    while not is_ready():
        if time.monotonic() > end:
            fail(f"{what} did not happen in {seconds} s")
        time.sleep(0.02)


class Fleet:
    """A folder with logs, and processes that end with it."""

    def __init__(self, nuke):
        self.nuke = nuke
        self.folder = Path(tempfile.mkdtemp(prefix="nuke-fleet-"))
        self.processes = []

    def start(self, name, command, environment=None):
        log = open(self.folder / f"{name}.log", "a")
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
        log.close()
        self.processes.append(process)
        return process

    def keep_logs(self):
        kept = Path(tempfile.mkdtemp(prefix="nuke-fleet-logs-"))
        for log in self.folder.glob("*.log"):
            shutil.copy(log, kept)
        return kept

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Node:
    """An image server.

    `limits` are arguments of prlimit, which apply to the server and not to the workers of its sandbox: these set
    their own.
    """

    address = "127.0.0.1"

    def __init__(self, fleet, name, *flags, environment=None, roots=SAMPLES, limits=(), is_signed=False):
        self.name, self.port = name, free_port()
        command = [fleet.nuke, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--metrics", "--local-roots", str(roots),
                   "--queue-length", "10000", "--log-level", "warning", *([] if is_signed else ["--allow-unsigned"]), *flags]
        self.log = fleet.folder / f"{name}.log"
        self.process = fleet.start(name, ["prlimit", *limits, *command] if limits else command, environment)
        wait_until(self.is_ready, f"the start of {name}")

    def is_ready(self):
        if self.process.poll() is not None:
            fail(f"{self.name} ended: {self.log.read_text()[-2000:]}")
        with contextlib.suppress(OSError):
            return self.get("/ready")[0] == 200
        return False

    def is_alive(self):
        return self.process.poll() is None and self.get("/health")[0] == 200

    def get(self, path):
        return Connection(self.port, self.address).get(path)

    def metrics(self):
        return self.get("/metrics")[1].decode()

    def metric(self, name):
        found = re.search(rf"(?m)^{name} (\S+)$", self.metrics())
        return float(found[1]) if found else None

    def renditions(self):
        """The number of images sent, by where they were found."""
        return Counter({origin: int(float(count)) for origin, count in re.findall(
            r'(?m)^nuke_renditions_total\{[^}]*origin="(\w+)"[^}]*\} (\S+)$', self.metrics())})

    # What the kernel says.

    def workers(self):
        """The processes of the sandbox."""
        found = []
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{self.process.pid}/task").iterdir():
                with contextlib.suppress(OSError):
                    found += map(int, (task / "children").read_text().split())
        return found

    def memory(self):
        """The resident memory of the server and its workers, in MB."""
        return sum(resident_memory(process) for process in [self.process.pid, *self.workers()])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class NetworkNode(Node):
    """An image server in a network namespace."""

    port = 8080

    def __init__(self, fleet, name, machine, *flags):
        self.name, self.machine, self.address = name, machine, machine.address
        self.log = fleet.folder / f"{name}.log"
        self.process = fleet.start(name, machine.command(
            fleet.nuke, "serve", "--host", self.address, "--port", str(self.port), "--metrics", "--allow-unsigned",
            "--queue-length", "10000", "--log-level", "warning", *flags))
        wait_until(self.is_ready, f"the start of {name}")


def resident_memory(process):
    """In MB; 0 for a process that has ended."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
    return 0


class Service:
    """A process that nodes use, at the same port after each start."""

    name = ""

    def __init__(self, fleet, address="127.0.0.1"):
        self.fleet, self.port, self.address = fleet, free_port(), address
        self.start()

    def command(self):
        raise NotImplementedError

    def start(self):
        self.process = self.fleet.start(self.name, self.command())
        wait_until(lambda: accepts(self.port, self.address), f"the start of {self.name}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def hang(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)


class Redis(Service):
    name = "redis"

    def command(self):
        return ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                "--maxmemory", "512mb", "--maxmemory-policy", "allkeys-lru", "--dir", str(self.fleet.folder)]


class Replica(Redis):
    """A Redis server at any address, which may follow a primary."""

    def __init__(self, fleet, number, address, primary=None):
        self.name, self.primary = f"redis{number}", primary
        super().__init__(fleet, address)

    def command(self):
        folder = self.fleet.folder / self.name
        folder.mkdir(exist_ok=True)
        follow = ["--replicaof", self.address, str(self.primary.port)] if self.primary else []
        return ["redis-server", "--port", str(self.port), "--bind", self.address, "--protected-mode", "no", "--save", "",
                "--appendonly", "no", "--maxmemory", "256mb", "--maxmemory-policy", "allkeys-lru", "--dir", str(folder),
                "--repl-diskless-sync-delay", "0", *follow]


    def key_count(self):
        with socket.create_connection((self.address, self.port), timeout=10) as connection:
            connection.sendall(b"DBSIZE\r\n")
            return int(connection.recv(100).strip(b":\r\n"))


class Sentinel(Service):
    def __init__(self, fleet, number, address, primary):
        self.name, self.primary = f"sentinel{number}", primary
        super().__init__(fleet, address)

    def command(self):
        file = self.fleet.folder / f"{self.name}.conf"
        file.write_text(
            f"port {self.port}\nbind {self.address}\nprotected-mode no\ndir {self.fleet.folder}\n"
            f"sentinel monitor images {self.address} {self.primary.port} 2\n"
            "sentinel down-after-milliseconds images 1000\nsentinel failover-timeout images 5000\n")
        return ["redis-server", str(file), "--sentinel"]


class Sentinels:
    """A primary of Redis, two replicas, and three sentinels, which agree on a new primary."""

    def __init__(self, fleet, address):
        self.primary = Replica(fleet, 0, address)
        self.replicas = [Replica(fleet, number, address, self.primary) for number in (1, 2)]
        sentinels = [Sentinel(fleet, number, address, self.primary) for number in range(3)]
        self.url = "redis+sentinel://" + ",".join(f"{address}:{sentinel.port}" for sentinel in sentinels) + "/images/0"
        # They know the replicas and each other when each of them has written so into its file.
        self.files = [fleet.folder / f"{sentinel.name}.conf" for sentinel in sentinels]
        wait_until(
            lambda: all(len(re.findall(r"(?m)^sentinel known-(?:replica|sentinel) ", text)) == 4 for text in self.texts()),
            "the agreement of the sentinels")

    def texts(self):
        return [file.read_text() for file in self.files]

    def kill_primary(self):
        self.primary.process.kill()

    def new_primary(self):
        """The replica that the sentinels have made the primary; None if they have not agreed yet."""
        ports = {re.search(r"(?m)^sentinel monitor images \S+ (\d+) ", text)[1] for text in self.texts()}
        return next((replica for replica in self.replicas if ports == {str(replica.port)}), None)


class Store(Service):
    """An S3 store that keeps its objects in a folder, so that they survive its end."""

    name = "s3"

    def command(self):
        return [sys.executable, str(HERE / "s3_store.py"), str(self.port), str(self.fleet.folder / "objects")]


class Proxy(Service):
    """A TCP proxy whose replies can be delayed."""

    name = "proxy"

    def __init__(self, fleet, target, host="127.0.0.1"):
        self.target, self.host = target, host
        super().__init__(fleet)

    def command(self):
        return [sys.executable, str(HERE / "delay_proxy.py"), str(self.port), str(self.target), self.host]

    def delay(self, seconds):
        self.process.stdin.write(f"{seconds}\n".encode())
        self.process.stdin.flush()


class Nginx(Service):
    """What deploy/ has for nginx, with these nodes, and without its cache, so that each request reaches a node."""

    name = "nginx"

    def __init__(self, fleet, nodes):
        self.nodes = nodes
        super().__init__(fleet)

    def addresses(self):
        return [f"{node.address}:{node.port}" for node in self.nodes]

    def command(self):
        text = re.sub(r"(?m)^.*(proxy_cache|X-Cache).*\n", "", (ROOT / "deploy/nginx/nuke.conf").read_text())
        node = re.search(r"(?m)^ +server node\d+:8080(.*)\n", text)
        text = re.sub(r"(?m)^ +server node\d+:8080.*\n", "", text)
        servers = "".join(f"  server {address}{node[1]}\n" for address in self.addresses())
        text = text[:node.start()] + servers + text[node.start():]
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.port};")
        folder = self.fleet.folder
        folders = " ".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx-errors.log warn;\n"
            f"events {{ worker_connections 1024; }}\nhttp {{ access_log off; {folders}\n{text}\n}}\n")
        return [shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder)]


class NodesNginx(Nginx):
    """The same, with the addresses of nodes."""

    def addresses(self):
        return self.nodes
