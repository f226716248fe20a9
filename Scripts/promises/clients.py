"""Clients: connections, and loads of requests."""
import hashlib, itertools, random, re, socket, threading, time
from collections import Counter

from report import say


class Connection:
    """A connection that is kept open."""

    def __init__(self, port, host="127.0.0.1"):
        self.port, self.host = port, host
        self.socket = None

    def get(self, path):
        """Returns the status and the body."""
        if self.socket is None:
            self.socket = socket.create_connection((self.host, self.port), timeout=60)
            self.buffer = b""
        try:
            self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: fleet\r\n\r\n".encode())
            while b"\r\n\r\n" not in self.buffer:
                self._more()
            head, _, rest = self.buffer.partition(b"\r\n\r\n")
            self.buffer = rest
            length = int(re.search(rb"(?im)^content-length: *(\d+)", head).group(1))
            while len(self.buffer) < length:
                self._more()
            body, self.buffer = self.buffer[:length], self.buffer[length:]
            if b"connection: close" in head.lower():
                self.close()
            return int(head.split(b" ", 2)[1]), body
        except BaseException:
            self.close()
            raise

    def _more(self):
        chunk = self.socket.recv(1 << 18)
        if not chunk:
            raise ConnectionError("the server closed the connection")
        self.buffer += chunk

    def close(self):
        if self.socket is not None:
            self.socket.close()
        self.socket = None


def milliseconds(times, part):
    """The time within which a part of the requests was answered."""
    times = sorted(times)
    return times[min(int(len(times) * part), len(times) - 1)] * 1000 if times else 0.0


class Load:
    """Requests by several clients at a time, each with connections of its own. All answers of a path must be the same."""

    def __init__(self, paths, pick_port, clients, hashes, pause=0):
        self.paths = iter(paths)
        self.pick_port = pick_port
        self.hashes = hashes
        self.pause = pause
        self.lock = threading.Lock()
        # When each request began, how long it took, and its status: 0 for a connection that failed.
        self.answers = []
        self.wrong = []
        self.is_stopped = False
        self.began = time.monotonic()
        # Daemons do not keep the script from ending when a proof fails. Some loads have no end.
        self.threads = [threading.Thread(target=self._run, daemon=True) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def _run(self):
        connections = {}
        while not self.is_stopped:
            with self.lock:
                path = next(self.paths, None)
            if path is None:
                break
            port = self.pick_port()
            start = time.monotonic()
            try:
                status, body = connections.setdefault(port, Connection(port)).get(path)
            except OSError:
                status, body = 0, b""
            seconds = time.monotonic() - start
            digest = hashlib.sha1(body).digest()
            with self.lock:
                self.answers.append((start, seconds, status))
                if status == 200 and self.hashes.setdefault(path, digest) != digest:
                    self.wrong.append(path)
            if self.pause:
                time.sleep(self.pause)
        for connection in connections.values():
            connection.close()

    def wait(self, count=None):
        """Waits until all requests, of `count`, have ended."""
        while any(thread.is_alive() for thread in self.threads):
            for thread in self.threads:
                thread.join(5)
            if any(thread.is_alive() for thread in self.threads):
                say(f"  {len(self.answers):,}" + (f" of {count:,}" if count else "") + " requests")
        self.seconds = time.monotonic() - self.began
        return self

    def wait_for(self, count):
        """Waits until a number of requests has ended."""
        while len(self.answers) < count:
            time.sleep(0.01)

    def stop(self):
        self.is_stopped = True
        return self.wait()

    @property
    def statuses(self):
        return Counter(status for _, _, status in self.answers)

    @property
    def failures(self):
        return [answer for answer in self.answers if answer[2] != 200]

    def times(self, start=0.0, end=float("inf")):
        """The durations of the requests that ran in a period."""
        return [seconds for began, seconds, _ in self.answers if began < end and began + seconds > start]

    def summary(self):
        times = self.times()
        return (f"{len(times):,} requests in {self.seconds:.1f} s ({len(times) / self.seconds:,.0f} a second), "
                f"median {milliseconds(times, 0.5):.1f} ms, 99th of 100 {milliseconds(times, 0.99):.1f} ms, "
                f"statuses {dict(self.statuses)}")


IMAGES = ["lake.jpg", "dusk.jpg", "night.jpg", "chart.png", "aurora.webp"]


def variants(count):
    """Paths of different images."""
    paths = []
    for number in range(count):
        width = 24 + number // (len(IMAGES) * 4) % 1000
        mode = ["fit", "fill", "force", "fill-down"][number // len(IMAGES) % 4]
        source = IMAGES[number % len(IMAGES)]
        paths.append(f"/unsafe/rs:{mode}:{width}:{width * 3 // 4}/plain/local:///{source}@{['jpg', 'webp'][number % 2]}")
    assert len(set(paths)) == count
    return paths


def fresh_variants(name):
    """Paths without end that no other name has, small and quickly rendered."""
    for number in itertools.count():
        source = IMAGES[number % len(IMAGES)]
        yield f"/unsafe/rs:fill:{40 + number % 60}:{30 + number // 60 % 60}/cb:{name}-{number}/plain/local:///{source}@jpg"


def mixed(known, name, seed):
    """Four of five requests are for known paths, the others for fresh ones. Without end."""
    generator, fresh = random.Random(seed), fresh_variants(name)
    for number in itertools.count():
        yield next(fresh) if number % 5 == 4 else generator.choice(known)
