"""Generates URLs that must be refused, from a seed."""
import base64, hashlib, hmac, random

from bombs import BOMBS
from hostile_origin import LIES

KEY, SALT = b"key of the fleet", b"salt of the fleet"
GOOD = b"/w:20/plain/local:///a.png"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def signed(path):
    return b"/" + encoded(hmac.new(KEY, SALT + path, hashlib.sha256).digest()) + path


def source(url, options="w:20"):
    return signed(f"/{options}/plain/{url}".encode())


class HostileURLs:
    """Each method makes a target of one kind; `KINDS` has the statuses that it may be answered with."""

    def __init__(self, seed, origin):
        self.random = random.Random(seed)
        self.origin = origin
        self.number = seed * 1_000_000

    def pick(self, *choices):
        return self.random.choice(choices)

    def some(self, least, most):
        return self.random.randint(least, most)

    def next_number(self):
        self.number += 1
        return self.number

    UPS = ["..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..%2f", "..%5c", "..\\", "....", "..;", "..%00", "..%20",
           "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "folder/..", "folder/%2e%2e", ".//..", "%2f..", "..%c0%af", "%uff0e%uff0e"]

    def traversal(self):
        ups = "/".join(self.random.choices(self.UPS, k=self.some(1, 8)))
        end = self.pick("secret", "%2fsecret", "etc/passwd", "proc/self/environ", "proc/self/mem", "../secret%00.png")
        start = self.pick("local:///", "local://", "local:/", "local:///folder/", "file:///", "local://root/")
        return source(f"{start}{ups}/{end}", self.pick("raw:1", "w:20", "skp:png"))

    PRIVATE = [
        "127.0.0.2", "127.2", "127.0.2", "0x7f000002", "0x7f.0.0.2", "2130706434", "017700000002", "0177.0.0.02",
        "0", "0.0.0.0", "0x0", "10.0.0.1", "10.1", "167772161", "0xa000001", "012.0.0.1", "172.16.0.1", "172.31.255.254",
        "192.168.1.1", "0xC0A80101", "3232235777", "169.254.169.254", "2852039166", "0xA9FEA9FE", "0251.0376.0251.0376",
        "100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.1",
        "[::1]", "[::]", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "[::127.0.0.2]", "[0:0:0:0:0:0:0:1]", "[fe80::1]",
        "[fc00::1]", "[fd00:ec2::254]", "[64:ff9b::7f00:2]", "[64:ff9b::a00:1]", "[2002:7f00:2::]", "[2002:a00:1::]",
        "[::ffff:0:127.0.0.2]", "[ff02::1]", "[fe80::1%25lo]", "127.0.0.2.", "127%2e0%2e0%2e2", "%31%32%37.0.0.2",
        "user:name@127.0.0.2", "example.com@127.0.0.2", "127.0.0.2%23.example.com", "１２７.0.0.2", "127。0。0。2", "①②⑦.0.0.2",
    ]

    def private(self):
        port = self.pick(f":{self.origin.canary_port}", f":{self.origin.canary_port}", ":6379", ":80", "")
        host = self.random.choice(self.PRIVATE)
        url = f"{self.pick('http', 'http', 'HTTP', 'https')}://{host}{port}/a.png?{self.next_number()}"
        if self.pick(True, False):
            return signed(b"/w:20/" + encoded(url.encode()))
        return source(url.replace("?", "%3f"))

    def oversized(self):
        side, other = self.some(20_000, 10**9), self.some(20_000, 10**9)
        options = self.pick(f"rs:force:{side}:{other}:1", f"w:{side}/h:{other}/rt:force/el:1", f"w:{side}/el:1/rt:force/h:{side}",
                            f"rs:fill:{side}:{other}:1:1", f"s:{side}:{other}:1:1")
        return source("local:///a.png", options)

    NUMBERS = ["9223372036854775808", "-9223372036854775809", "99999999999999999999999999", "-1", "1e400", "-1e400", "nan", "inf",
               "0x10", "1e999999999", "1" * 400, "--1", "1.1.1", "1,5", "٣", "１", "½", "1_000"]

    def numbers(self):
        option = self.pick("w", "h", "mw", "mh", "z", "dpr", "q", "bl", "sh", "pix", "rot", "mb", "c", "pd", "bga", "maf", "msr",
                           "mrd", "vts", "rs:fit", "g:fp", "wm", "t", "co", "sa", "msfs")
        return source("local:///a.png", f"{option}:{self.random.choice(self.NUMBERS)}")

    def encodings(self):
        text = self.pick("../secret", "local:///../secret", "http://10.0.0.1/", "/etc/passwd", "\x00", "a.png/../../secret")
        if self.pick(True, False):
            data = text.encode()
            for _ in range(self.some(2, 20)):
                data = encoded(data)
            return signed(b"/w:20/" + data)
        escaped = "".join(f"%{byte:02x}" for byte in text.encode()).replace("%", "%" + "25" * self.some(0, 200))
        return source(self.pick("local:///", "") + escaped)

    UTF8 = [b"\xff", b"\xfe\xff", b"\xc0\xae", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xf5\x80\x80\x80", b"\x80",
            b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98"]

    def utf8(self):
        data = b"".join(self.random.choices(self.UTF8, k=self.some(1, 20)))
        if self.pick(True, False):
            data = b"".join(b"%%%02X" % byte for byte in data)
        return signed(self.pick(b"/w:" + data + b"/plain/local:///a.png", b"/plain/local:///" + data + b".png",
                                b"/" + data + b":1/plain/local:///a.png", b"/w:20/plain/" + data))

    def signatures(self):
        right = signed(GOOD)[1:].partition(b"/")[0]
        place = self.some(0, len(right) - 2)
        changed = right[:place] + (b"B" if right[place] == ord("A") else b"A") + right[place + 1:]
        other = encoded(hmac.new(KEY, SALT + b"/w:21/plain/local:///a.png", hashlib.sha256).digest())
        unsalted = encoded(hmac.new(KEY, GOOD, hashlib.sha256).digest())
        wrong = self.pick(changed, right[:place], right + b"A", right + right, other, unsalted, b"unsafe", b"insecure", b"_", b"plain",
                          right.swapcase(), encoded(self.random.randbytes(32)), b"A" * self.some(1, 4000), b"%00", b"..")
        return b"/" + wrong + GOOD

    def presets(self):
        names = [self.pick("small", "large", "small", "missing", "preset", "pr:small", "", "..", "a" * 1000) for _ in range(self.some(1, 300))]
        return source("local:///a.png", self.pick("pr", "preset") + ":" + ":".join([*names, "none"]))

    def controls(self):
        byte = self.pick(0, 1, 7, 8, 9, 10, 11, 12, 13, 27, 127)
        raw = bytes([byte]) if self.pick(True, False) else b"%%%02x" % byte
        injected = raw + self.pick(b"X-Injected:1", b"\x1b[2J", b"")
        return signed(self.pick(b"/w:1" + injected + b"/plain/local:///a.png", b"/plain/local:///a" + injected + b".png",
                                b"/fn:" + injected + b"/plain/local:///missing.png"))

    def long(self):
        count = self.some(9_000, 200_000)
        return self.pick(lambda: signed(b"/w:20/plain/local:///" + b"a" * count), lambda: signed(b"/w:1" * (count // 4) + GOOD),
                         lambda: b"/" + b"a" * count, lambda: signed(b"/w:20/" + b"a/" * (count // 2)), lambda: b"/" * count,
                         lambda: signed(b"/w:20/plain/http://" + b"a." * (count // 2) + b"com/a.png"))()

    def lies(self):
        name = self.random.choice([*LIES, "loop"])
        return source(f"http://127.0.0.1:{self.origin.port}/lie/{name}%3f{self.next_number()}")

    def bombs(self):
        name = self.random.choice([*BOMBS])
        url = f"http://127.0.0.1:{self.origin.port}/bomb/{name}%3f{self.next_number()}"
        return source(url, {"png-turned": "rot:90/w:10"}.get(name, f"w:{self.some(5, 50)}"))

    # 0 stands for a connection that was closed on what is no HTTP. A failing source has 502 and 504.
    KINDS = {
        "path traversal": (traversal, {400, 403, 404, 422}),
        "private addresses": (private, {400, 403, 502}),
        "oversized results": (oversized, {400, 422}),
        "impossible numbers": (numbers, {400}),
        "repeated encodings": (encodings, {400, 403, 404, 422, 502}),
        "invalid UTF-8": (utf8, {0, 400, 403, 404}),
        "wrong signatures": (signatures, {400, 403}),
        "nested presets": (presets, {400, 431}),
        "control characters": (controls, {0, 400, 403, 404}),
        "long paths": (long, {0, 400, 403, 404, 414, 431}),
        "lying sources": (lies, {403, 404, 422, 502, 504}),
        "bombs": (bombs, {422}),
    }

    def targets(self, count):
        """Yields kinds and targets, about as many of each kind."""
        kinds = []
        for _ in range(count):
            if not kinds:
                kinds = self.random.sample([*self.KINDS], len(self.KINDS))
            kind = kinds.pop()
            yield kind, self.KINDS[kind][0](self)
