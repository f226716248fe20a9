"""A folder, a web server, Redis and image servers, for the commands of one text."""
import contextlib, functools, http.server, os, shutil, signal, socket, subprocess, tempfile, threading, time
import urllib.request
from pathlib import Path

from markdown import ROOT

SAMPLES = ROOT / "Sources/NukeCLI/Samples"
# In seconds, for each command, and for a server to start.
TIME_LIMIT = 30


class Failure(Exception):
    pass


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class World:
    """What a reader has: images in a folder and on the web, and the environment of a shell."""

    def __init__(self, program):
        for needed in ("redis-server", "curl", "openssl"):
            if not shutil.which(needed):
                raise SystemExit(f"check-docs: there is no {needed}; `Scripts/setup --test` installs it")
        self._ends = contextlib.ExitStack()
        home = Path(self._ends.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        self.folder = home / "work"
        self.server_port = free_port()
        self.closed_port = free_port()
        self._server = None
        self._put_images(home)
        self.web_port = self._serve_images(home / "web")
        (self.folder / "list.txt").write_text(
            "".join(f"http://127.0.0.1:{self.web_port}/{name}\n" for name in ("photo.jpg", "cat.gif")))
        self.redis_port = self._start_redis(home)
        # An option of curl's that makes it fail if the server does.
        (home / ".curlrc").write_text("fail\nsilent\nshow-error\n")
        self.environment = {
            "HOME": str(home), "PATH": f"{program.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8", "TMPDIR": str(home),
            "NUKE_PORT": str(self.server_port),
            # The web of the texts is on this machine.
            "NUKE_ALLOW_PRIVATE_ADDRESSES": "127.0.0.0/8",
        }

    def _put_images(self, home):
        places = {
            "lake.jpg": [
                "work/photo.jpg", "work/image.jpg", "web/photo.jpg", "Pictures/lake.jpg", "Pictures/holiday/beach.jpg",
            ],
            "dusk.jpg": ["work/dusk.jpg", "Pictures/dusk.jpg"],
            "chart.png": ["work/photo.png"],
            "orbit.gif": ["web/cat.gif"],
        }
        for sample, paths in places.items():
            for path in paths:
                (home / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SAMPLES / sample, home / path)

    def _serve_images(self, folder):
        handler = functools.partial(Quiet, directory=str(folder))
        web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self._ends.callback(web.server_close)
        self._ends.callback(web.shutdown)
        return web.server_address[1]

    def _start_redis(self, home):
        port = free_port()
        redis = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(home)],
            stdout=subprocess.DEVNULL)
        self._ends.callback(redis.wait)
        self._ends.callback(redis.terminate)
        return port

    def run(self, line):
        """Runs a line in bash, and raises `Failure` with what it printed if it fails."""
        command = "set -euo pipefail; " + line
        # timeout(1) also ends what bash has started. Its status is 124 then, or that of SIGKILL.
        result = subprocess.run(
            ["timeout", "-k", "5", str(TIME_LIMIT), "bash", "-c", command], cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode in (124, -9, 137):
            raise Failure(f"runs for more than {TIME_LIMIT} s")
        output = result.stdout.decode(errors="replace")
        if result.returncode:
            raise Failure(f"ended with {result.returncode}: {output[-600:].strip()}")
        return output

    def export(self, line):
        """Runs a line, and keeps the variables that it exports."""
        after = self.run(line + "; env -0").split("\0")
        self.environment.update(entry.split("=", 1) for entry in after if "=" in entry)

    # MARK: The image server

    def serve(self, line="nuke serve"):
        """Starts a server, and returns when it answers."""
        self.end_server()
        # In a file: a pipe that nobody reads would stop the server.
        self._log = open(self.folder / "server.log", "w+b")
        command = line.rstrip().removesuffix("&").replace("nuke serve", "exec nuke serve")
        self._server = subprocess.Popen(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + TIME_LIMIT
        while not self._is_healthy():
            if self._server.poll() is not None or time.monotonic() > deadline:
                self._server.kill()
                self._server.wait()
                self._server = None
                raise Failure(f"the server does not answer: {self._logged()}")
            time.sleep(0.05)

    def _is_healthy(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.server_port}/health", timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def _logged(self):
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-600:].strip()

    @property
    def has_server(self):
        return self._server is not None

    def end_server(self):
        """Ends the server as an operator does, and raises `Failure` if it does not end well."""
        server, self._server = self._server, None
        if server is None:
            return
        server.send_signal(signal.SIGTERM)
        try:
            status = server.wait(TIME_LIMIT)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
            raise Failure("the server does not end at SIGTERM")
        finally:
            text = self._logged()
            self._log.close()
        if status:
            raise Failure(f"the server ended with {status}: {text}")

    def close(self):
        if self._server is not None:
            self._server.kill()
            self._server.wait()
        self._ends.close()
