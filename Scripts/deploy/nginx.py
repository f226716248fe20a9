"""Runs nginx with deploy/nginx/nuke.conf in front of a server that stands for the nodes, and checks what is stored
under which key, and what nodes receive. Needs nginx-light."""
import collections
import http.client
import http.server
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

CONFIGURATION = "deploy/nginx/nuke.conf"
ARTICLE = "docs/serving-images.md"
CROWD = 8
# The time in seconds after which nginx's proxy_cache_lock lets requests pass.
LOCK_TIMEOUT = 5
# A waiting request fails after this time, in seconds.
PATIENCE = 10


def require(condition, text):
    if not condition:
        sys.exit(f"check-deploy: {CONFIGURATION}: {text}")


class Node(http.server.BaseHTTPRequestHandler):
    """Responds with what it received. A word in the path determines the response."""

    protocol_version = "HTTP/1.1"
    lock = threading.Lock()
    received = []
    # Cache-Control of the first response to such a path, of the second, and so on; None for a failure.
    cache_control = {
        "private": ["private, max-age=60"],
        "crowd": ["private, max-age=60"],
        "no-store": ["no-store"],
        "expires": ["public, max-age=1", "private, max-age=60"],
        "fails": ["public, max-age=1", None],
    }
    crowd = threading.Barrier(CROWD)

    def do_GET(self):
        with self.lock:
            count = sum(path == self.path for path, _ in self.received)
            self.received.append((self.path, self.headers))
        word = next((word for word in self.cache_control if f"/{word}" in self.path), None)
        controls = self.cache_control.get(word, ["public, max-age=60"])
        control = controls[min(count, len(controls) - 1)]
        if word == "crowd":
            try:
                self.crowd.wait(LOCK_TIMEOUT / 2)
            except threading.BrokenBarrierError:
                control = None
        body = f"{self.path}\n{self.headers.get('Accept')}\n{count}".encode()
        self.send_response(200 if control else 503)
        self.send_header("Cache-Control", control or "no-store")
        self.send_header("Vary", "Accept, Origin")
        self.send_header("X-Request-ID", self.headers.get("X-Request-ID", "none"))
        self.send_header("ETag", '"%x"' % (hash(body) & 0xFFFFFFFF))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_OPTIONS = do_DELETE = do_GET

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


class Connection(http.client.HTTPConnection):
    """A connection to nginx's socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=2 * PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


Answer = collections.namedtuple("Answer", "status fields text")


class Front:
    """A running nginx."""

    def __init__(self, work, port):
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        require(program, "nginx is needed: apt-get install nginx-light")
        with open(CONFIGURATION) as file:
            text = file.read()
        # The nodes' names are not those of this machine, and nginx's folders are not its own.
        text = re.sub(r"server node\d+:8080", f"server 127.0.0.1:{port}", text, count=1)
        text = re.sub(r" +server node\d+:8080.*\n", "", text)
        self.socket = f"{work}/socket"
        text = text.replace("listen 80;", f"listen unix:{self.socket};")
        self.cache = f"{work}/cache"
        text = text.replace("/var/cache/nginx/nuke", self.cache)
        text = text.replace("# https://shop.example.com", "https://shop.example.com")
        folders = "".join(f"{name}_temp_path {work}/{name}; " for name in
                          ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        path = f"{work}/nginx.conf"
        with open(path, "w") as file:
            file.write(f"daemon off; master_process off; pid {work}/pid; error_log {work}/log warn;\n"
                       f"events {{}}\nhttp {{ access_log off; {folders}\n{text}\n}}\n")
        test = subprocess.run([program, "-t", "-q", "-p", work, "-c", path], capture_output=True, text=True)
        require(test.returncode == 0, test.stderr)
        self.process = subprocess.Popen([program, "-p", work, "-c", path], stderr=subprocess.DEVNULL)
        try:
            self.wait_until_open(f"{work}/log")
        except BaseException:
            self.stop()
            raise

    def wait_until_open(self, log):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                Connection(self.socket).connect()
                return
            except OSError:
                with open(log) as file:
                    text = file.read()
                require(time.monotonic() < deadline and self.process.poll() is None, f"nginx does not start: {text}")
                time.sleep(0.01)

    def ask(self, path, method="GET", **fields):
        connection = Connection(self.socket)
        connection.putrequest(method, path, skip_host="Host" in fields, skip_accept_encoding=True)
        for name, value in fields.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        return answer

    def stop(self):
        self.process.terminate()
        self.process.wait()


def purge(source, cache):
    """Runs the command of the documentation."""
    with open(ARTICLE) as file:
        command = re.search(r"(?m)^    (grep -\w+ -- '(\S+)' (\S+) .*)$", file.read())
    require(command, f"{ARTICLE} has no command that purges")
    text = command[1].replace(command[2], source).replace(command[3], cache)
    subprocess.run(["sh", "-c", text], check=True)


def requests_of(word):
    return [(path, fields) for path, fields in Node.received if f"/{word}" in path]


def check(front):
    # Accept. Browsers' values, other spellings of them, and values that name no format with full weight.
    accepts = {
        "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8": "image/avif, image/webp, ",
        "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5": "image/avif, image/webp, ",
        "image/webp,image/avif,image/jxl,image/heic,image/*;q=0.8,*/*;q=0.5": "image/avif, image/webp, image/jxl, ",
        "text/html , IMAGE/WebP ;Q=1.000": "image/webp, ",
        "image/avif;q=1": "image/avif, ",
        "image/jxl\t,\timage/webp": "image/webp, image/jxl, ",
        "image/webp;q=0.5, image/webp": "image/webp, ",
        "*/*": "", "image/*": "", "": "", "image/avif;q=0": "", "image/avif;q=0.9": "", "image/avif;v=1": "",
        "image/avif2, ximage/webp, image/jxlx": "", "image/avif;q=1;v=2": "",
    }
    for accept, formats in accepts.items():
        answer = front.ask("/s/accept/plain/http://a", Accept=accept)
        require(answer.text.splitlines()[1] == formats + "*/*;q=0.1", f"Accept {accept!r} gave {answer.text!r}")
        require("Accept" in answer.fields["Vary"], "clients are not told that the response depends on Accept")
    for accept in ["image/avif;" * 1400, ", " * 7000 + "image/webp", "image/webp" + " " * 14000 + ";q=1"]:
        require(front.ask("/s/accept/plain/http://a", Accept=accept).status == 200, "a long Accept is an error")
    for number in range(1000):
        front.ask("/s/accept/plain/http://a", Accept=f"image/webp, text/x{number}")
    require(len(requests_of("s/accept")) == len(set(accepts.values())), "spellings of Accept made entries of their own")

    # Paths and hosts.
    first = front.ask("/s/paths/plain/http://a/b.png")
    require(first.fields["X-Cache"] == "MISS", "the first request was a hit")
    for path in ["/s/paths/plain/http://a/b.png?x", "/s/paths/plain/http://a/b.png?", "/s/paths/plain/http:/a/b.png",
                 "//s/paths/plain/http://a/b.png", "///s/paths/plain/http:/a/b.png?a=/plain/http:/b",
                 "/s/paths/plain/http://a/b.png#x"]:
        answer = front.ask(path)
        require(answer.fields["X-Cache"] == "HIT" and answer.text == first.text, f"{path} has an entry of its own")
    for number in range(20):
        answer = front.ask("/s/paths/plain/http://a/b.png", Host=f"made-up-{number}.example.com")
        require(answer.fields["X-Cache"] == "HIT", "hosts that clients invent have entries of their own")
    # What is signed reaches the node unchanged.
    for path in ["/s/w:1/plain/http://a/plain/http:/b%20c%2F@webp", "/s/w:1/aHR0cDovL2E/L2I.png",
                 "/s/plain/local:///a//b", "/s/plain/local://root/a", "/s/w:1/plain/s3://b/plain/local:/c",
                 "/plain/w:1/plain/http://a/..%2Fb"]:
        front.ask(path)
        require(Node.received[-1][0] == path, f"{path} reached the node as {Node.received[-1][0]}")
    for path in ["/s" + "/a" * 7000, "/s/" + "a" * 15000, "/s" + "/plain" * 2000,
                 "/s" + "/w:1" * 3000 + "/plain/http://a"]:
        front.ask(path)
        require(Node.received[-1][0] == path, f"a path of {len(path)} bytes did not reach the node as it was")
    front.ask("/s/plain/local:/a")
    require(Node.received[-1][0] == "/s/plain/local:///a", "the slashes of a local source are not restored")
    require(front.ask("/s/other/plain/http://a").fields["X-Cache"] == "MISS", "two paths share an entry")

    # Other fields neither reach nodes nor split entries, except origins of the list.
    hostile = {"Cookie": "a=b", "DPR": "3", "Sec_CH_Width": "4000", "Width": "1", "Save_Data": "on",
               "X_Forwarded_For": "10.0.0.1", "X_Request_ID": "chosen", "Origin": "https://evil.example.com",
               "Range": "bytes=0-3", "If_None_Match": '"x"', "Authorization": "Basic eA==", "X_Accel_Expires": "9"}
    answer = front.ask("/s/fields/plain/http://a", **hostile)
    received = requests_of("s/fields")[-1][1]
    known = {"host", "accept", "user-agent", "x-request-id", "x-forwarded-for", "connection"}
    require({name.lower() for name in received} <= known, f"nodes received {received}")
    require(received["X-Forwarded-For"] == "unix:", "the address in a client's X-Forwarded-For reaches nodes")
    require(answer.status == 206 and len(answer.text) == 4, "a part of a response is not sent")
    require(answer.fields["X-Request-ID"] == received["X-Request-ID"] != "chosen", "clients choose the ID of a request")
    again = front.ask("/s/fields/plain/http://a")
    require(again.fields["X-Cache"] == "HIT" and again.fields["X-Request-ID"] != answer.fields["X-Request-ID"],
            "a stored response has the ID of another request")
    require(front.ask("/s/fields/plain/http://a", If_None_Match=again.fields["ETag"]).status == 304, "no 304 is sent")
    shop = front.ask("/s/fields/plain/http://a", Origin="https://shop.example.com")
    require(shop.fields["X-Cache"] == "MISS" and requests_of("s/fields")[-1][1]["Origin"] == "https://shop.example.com",
            "a listed origin shares an entry with others")
    front.ask("/s/options/plain/http://a", "OPTIONS", Origin="https://shop.example.com",
              Access_Control_Request_Method="GET")
    received = requests_of("s/options")[-1][1]
    require(received["Access-Control-Request-Method"] == "GET" and received["Origin"], "preflight requests are changed")
    count = len(requests_of("s/fields"))
    front.ask("/s/fields/plain/http://a", "DELETE")
    require(len(requests_of("s/fields")) == count + 1, "DELETE does not reach the node")

    # Cache-Control.
    for word in ["private", "no-store"]:
        texts = {front.ask(f"/s/{word}/plain/http://a").text for _ in range(3)}
        require(len(texts) == 3, f"a response that is {word} was stored")
    statuses = []
    threads = [threading.Thread(target=lambda: statuses.append(front.ask("/s/crowd/plain/http://a").status))
               for _ in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    require(statuses == [200] * CROWD, "requests for a private image wait for each other")

    first = front.ask("/s/expires/plain/http://a").text
    failing = front.ask("/s/fails/plain/http://a").text
    # nginx reads the clock itself, in whole seconds.
    time.sleep(2.1)
    require(len({first} | {front.ask("/s/expires/plain/http://a").text for _ in range(3)}) == 4,
            "a response that became private is still sent from the cache")
    answer = front.ask("/s/fails/plain/http://a")
    require(answer.text == failing and answer.fields["X-Cache"] == "STALE", "no stale response is sent while a node fails")

    # Purging, with the command of the documentation. Each size and format is gone, and nothing else.
    source, others = "https://example.com/photo.jpg", ["/s/purged/plain/https://example.com/photo.png", "/s/purged/kept"]
    paths = [f"/s/purged/{options}/plain/{source}{format}" for options in ["w:1", "w:2"] for format in ["", "@png"]]
    requests = [(path, accept) for path in paths + others for accept in ["image/webp", "*/*"]]
    before = {request: front.ask(request[0], Accept=request[1]).text for request in requests}
    purge(source, front.cache)
    for path, accept in requests:
        answer = front.ask(path, Accept=accept)
        if path in others:
            require(answer.fields["X-Cache"] == "HIT", f"a purge removed {path}")
            continue
        require(answer.fields["X-Cache"] == "MISS" and answer.text != before[path, accept], f"{path} was not purged")
        require(front.ask(path, Accept=accept).text == answer.text, f"{path} is not stored after a purge")

    # The operator's pages.
    count = len(Node.received)
    for page in ["metrics", "health", "ready", "_playground"]:
        escaped = f"%{ord(page[0]):x}{page[1:]}"
        for path in [f"/{page}", f"//{page}", f"/{page}/", f"/{page}?x", f"/x/../{page}", f"/./{page}", f"/{escaped}",
                     f"/{page}/sign?path=/plain/x"]:
            require(front.ask(path).status == 404, f"{path} is open to clients")
    require(len(Node.received) == count, "a request for one of the operator's pages reached a node")


def main():
    server = Server(("127.0.0.1", 0), Node)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as work:
        front = Front(work, server.server_port)
        try:
            check(front)
        finally:
            front.stop()
    server.shutdown()
    print("nginx takes deploy/nginx/nuke.conf, and stores each image once for each set of formats, and nothing private")


main()
