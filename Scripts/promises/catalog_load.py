"""Requests for a catalog with a skewed popularity, over many connections at a time. Each answer is checked."""
import array, asyncio, bisect, itertools, random, re, time
from collections import Counter

from catalog import is_right, path


def skewed(count, skew, seed):
    """Numbers of a catalog without end. The k-th popular one is requested in proportion to 1 / k ** skew (Zipf's law)."""
    generator = random.Random(seed)
    total = array.array("d", itertools.accumulate(1 / rank ** skew for rank in range(1, count + 1)))
    # The factor has no divisor in common with the count, so that each rank has another number, far from its neighbors'.
    factor = next(factor for factor in itertools.count(int(count * 0.618) | 1, 2) if all(
        count % divisor or factor % divisor for divisor in range(2, 1000)))
    while True:
        rank = bisect.bisect_left(total, generator.random() * total[-1])
        yield min(rank, count - 1) * factor % count


class Client(asyncio.Protocol):
    """A connection that is kept open, with one request at a time."""

    def __init__(self, load):
        self.load, self.number, self.buffer, self.length = load, None, b"", None

    def connection_made(self, transport):
        self.transport = transport
        self.ask()

    def ask(self):
        self.number = self.load.next_number()
        self.length = None
        if self.number is None:
            return self.transport.close()
        self.began = time.perf_counter()
        self.transport.write(f"GET {path(self.number)} HTTP/1.1\r\nHost: nodes\r\nAccept: */*\r\n\r\n".encode())

    def data_received(self, data):
        self.buffer += data
        if self.length is None:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            self.head, self.buffer = self.buffer[:end].lower(), self.buffer[end + 4:]
            self.length = int(re.search(rb"\r\ncontent-length: *(\d+)", self.head)[1])
        if len(self.buffer) < self.length:
            return
        body, self.buffer = self.buffer[:self.length], self.buffer[self.length:]
        found = re.search(rb"cache;desc=(\w+)", self.head)
        self.load.note(self.number, self.began, int(self.head[9:12]), body, found[1].decode() if found else None)
        self.number = None
        if b"\r\nconnection: close" in self.head:
            self.transport.close()
        else:
            self.ask()

    def connection_lost(self, _):
        if self.number is not None:
            self.load.note(self.number, self.began, 0, b"", None)
        self.load.lost()


class CatalogLoad:
    """What came of `count` requests with `clients` at a time. `events` are functions that are called at a share of them."""

    def __init__(self, address, numbers, count, clients, events=()):
        self.address, self.numbers, self.left, self.clients = address, numbers, count, clients
        self.count = count
        self.events = sorted(events, key=lambda event: event[0])
        self.durations = {"hit": array.array("f"), "miss": array.array("f")}
        self.origins, self.statuses, self.made = Counter(), Counter(), Counter()
        self.answered = 0
        self.failures, self.wrong = [], []

    def next_number(self):
        if self.left <= 0:
            return None
        self.left -= 1
        return next(self.numbers)

    def note(self, number, began, status, body, origin):
        now = time.perf_counter()
        self.answered += 1
        self.statuses[status] += 1
        if status != 200:
            self.failures.append((began, number, status))
        elif not is_right(number, body):
            self.wrong.append(number)
        else:
            self.origins[origin] += 1
            self.durations["miss" if origin in ("made", "joined") else "hit"].append(now - began)
            if origin == "made":
                self.made[number] += 1
        while self.events and self.answered >= self.events[0][0] * self.count:
            self.events.pop(0)[1]()

    def lost(self):
        if self.left > 0:
            asyncio.get_running_loop().create_task(self.connect())
        else:
            self.open -= 1
            if self.open == 0:
                self.ended.set()

    async def connect(self):
        try:
            await asyncio.get_running_loop().create_connection(lambda: Client(self), *self.address)
        except OSError:
            await asyncio.sleep(0.05)
            self.lost()

    async def run_to_end(self):
        self.ended = asyncio.Event()
        self.open = self.clients
        await asyncio.gather(*(self.connect() for _ in range(self.clients)))
        await self.ended.wait()

    def run(self):
        began = time.perf_counter()
        asyncio.run(self.run_to_end())
        self.seconds = time.perf_counter() - began
        return self

    @property
    def hit_ratio(self):
        return (self.origins["memory"] + self.origins["store"]) / max(sum(self.origins.values()), 1)

    @property
    def duplicates(self):
        """The number of renderings of images that had been rendered before."""
        return sum(count - 1 for count in self.made.values())


def quantile(times, part):
    """In seconds."""
    times = sorted(times)
    return times[min(int(len(times) * part), len(times) - 1)] if times else float("nan")
