"""A server of sources that lies about their length and type, and that serves bombs. And a port that nobody may reach."""
import socket, threading

from bombs import BOMBS

PNG_TYPE = "Content-Type: image/png\r\n"


def response(body=b"", fields=PNG_TYPE, status="200 OK", length=None):
    return f"HTTP/1.1 {status}\r\n{fields}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body


def redirect(location):
    return response(status="302 Found", fields=f"Location: {location}\r\n")


PAGE = b"<!DOCTYPE html><title>Hi</title>"
NOISE = bytes((n * 2654435761 >> 13) & 255 for n in range(5000))
# Each name with what is sent. Afterwards the connection is closed, or kept open without a word by those in STALLS.
LIES = {
    "page": response(PAGE, "Content-Type: text/html\r\n"),
    "page-as-png": response(PAGE),
    "noise": response(NOISE, "Content-Type: image/jpeg\r\n"),
    "empty": response(),
    "too-short": response(NOISE, length=1 << 20),
    "exabyte": response(NOISE, length=1 << 60),
    "negative": response(NOISE, length=-5),
    "length-nan": response(NOISE, length="nan"),
    "two-lengths": response(NOISE, PNG_TYPE + "Content-Length: 7\r\n"),
    "chunk-size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc",
    "no-gzip": response(NOISE, "Content-Encoding: gzip\r\n"),
    "no-http": b"220 smtp.example.com ESMTP\r\n",
    "nothing": b"",
    "cut-head": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "endless-head": b"HTTP/1.1 200 OK\r\n" + b"X-A: " + b"a" * 4_000_000,
    "status-999": response(status="999 Odd"),
    "status-204": b"HTTP/1.1 204 No Content\r\n\r\n",
    "status-206": response(NOISE, status="206 Partial Content"),
    "status-304": b"HTTP/1.1 304 Not Modified\r\n\r\n",
    "status-404": response(status="404 Not Found"),
    "status-500": response(status="500 Internal Server Error"),
    "to-private": redirect("http://10.0.0.1/a.png"),
    "to-metadata": redirect("http://169.254.169.254/latest/meta-data/"),
    "to-hexadecimal": redirect("http://0x0a000001/a.png"),
    "to-file": redirect("file:///etc/passwd"),
    "to-local": redirect("local:///a.png"),
    "to-data": redirect("data:image/png;base64,AAAA"),
    "to-gopher": redirect("gopher://127.0.0.1:6379/_FLUSHALL"),
    "to-nowhere": response(status="302 Found", fields=""),
    "endless": response(bytes(8 << 20), length=1 << 40),
    "silence": b"",
    "silent-body": response(NOISE[:100], length=200),
}
STALLS = {"silence", "silent-body"}


class HostileOrigin:
    """Listens on 127.0.0.1. The canary listens on all other addresses of this machine, and counts connections."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.canary = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True, backlog=128)
        self.canary_port = self.canary.getsockname()[1]
        self.intruders = 0
        self.stalled = []
        self.is_closed = False
        for run in [self._serve, self._count]:
            threading.Thread(target=run, daemon=True).start()

    def _serve(self):
        while not self.is_closed:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _count(self):
        while not self.is_closed:
            try:
                self.canary.accept()[0].close()
            except OSError:
                return
            self.intruders += 1

    def _answer(self, connection):
        connection.settimeout(30)
        try:
            request = b""
            while b"\r\n\r\n" not in request:
                data = connection.recv(1 << 16)
                if not data:
                    return connection.close()
                request += data
            _, kind, name = request.split(b" ", 2)[1].decode().split("?")[0].split("/")
            if kind == "bomb":
                content, fields, _ = BOMBS[name]()
                connection.sendall(response(content, fields))
            elif kind == "file":
                connection.sendall(response(self.files[name]))
            elif name == "loop":
                connection.sendall(redirect("/lie/loop"))
            else:
                connection.sendall(LIES[name])
            if name in STALLS:
                # Until the server gives up.
                connection.recv(1)
        except OSError:
            pass
        connection.close()

    # Further files by name, for those who serve more than lies.
    files = {}

    def close(self):
        self.is_closed = True
        for listener in [self.listener, self.canary]:
            # Wakes the thread that accepts.
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
