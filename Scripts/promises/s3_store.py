"""An S3 store for tests: GET, HEAD, PUT, DELETE and LIST of one level, without checking signatures.

    s3_store.py PORT FOLDER
"""
import hashlib, json, os, sys, threading, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from xml.sax.saxutils import escape

FOLDER = Path(sys.argv[2])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def file(self):
        # A name of a fixed length, whatever the key has in it.
        return FOLDER / hashlib.sha256(urllib.parse.urlsplit(self.path).path.encode()).hexdigest()

    def answer(self, status, body=b"", fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        if "list-type=2" in self.path:
            return self.list()
        try:
            head, _, body = self.file().read_bytes().partition(b"\n")
        except FileNotFoundError:
            return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        self.answer(200, body, json.loads(head)["fields"])

    do_HEAD = do_GET

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kept = [(name, value) for name, value in self.headers.items()
                if name.lower().startswith("x-amz-meta-") or name.lower() == "content-type"]
        tag = ("ETag", f'"{hashlib.md5(body).hexdigest()}"')
        key = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        file = self.file()
        part = file.with_suffix(f".{threading.get_ident()}")
        part.write_bytes(json.dumps({"key": key, "fields": [*kept, tag]}).encode() + b"\n" + body)
        os.replace(part, file)
        self.answer(200, fields=[tag])

    def do_DELETE(self):
        self.file().unlink(missing_ok=True)
        self.answer(204)

    def list(self):
        parts = urllib.parse.urlsplit(self.path)
        bucket = parts.path.strip("/")
        prefix = f"/{bucket}/" + urllib.parse.parse_qs(parts.query).get("prefix", [""])[0]
        keys = []
        for file in FOLDER.iterdir():
            if not file.suffix:
                with open(file, "rb") as opened:
                    keys.append(json.loads(opened.readline())["key"])
        contents = "".join(f"<Contents><Key>{escape(key[len(bucket) + 2:])}</Key></Contents>"
                           for key in sorted(keys) if key.startswith(prefix))
        self.answer(200, f"<ListBucketResult><IsTruncated>false</IsTruncated>{contents}</ListBucketResult>".encode())

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


FOLDER.mkdir(exist_ok=True)
Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
