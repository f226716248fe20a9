"""Image servers to compare: `nuke serve`, thumbor and nginx, each a process with a first answer."""

import atexit
import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
folder = pathlib.Path(tempfile.mkdtemp(prefix="nuke-serving-"))
THUMBOR = pathlib.Path(__file__).parents[1] / ".venv-thumbor/bin/thumbor"


def first_line(*command):
    """The first line that a program prints about its version, on either output."""
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError:
        return f"{command[0]}: not installed"
    return run.stdout.strip().split("\n")[0]


def versions(command):
    """What the processes to compare say about themselves."""
    return ", ".join([
        first_line(command, "--version"), first_line(str(THUMBOR), "--version"), first_line("nginx", "-v"),
        first_line("wrk", "-v").split(" [")[0]])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def processes_of(process):
    """A process, its children, and theirs."""
    found, waiting = [], [process]
    while waiting:
        number = waiting.pop()
        found.append(number)
        # Processes and threads may end meanwhile.
        with contextlib.suppress(OSError):
            for task in pathlib.Path(f"/proc/{number}/task").iterdir():
                with contextlib.suppress(OSError):
                    waiting += map(int, (task / "children").read_text().split())
    return found


def processor_seconds(process):
    """User and system time of a process and its children."""
    total = 0
    for number in processes_of(process):
        try:
            fields = pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


class Server:
    """Runs on the processors of `processors` alone. `started` is the time until the first answer, in seconds."""

    def __init__(self, name, command, path, port, processors="0", pause=0.1):
        self.name, self.path, self.port = name, path, port
        self.log = open(folder / f"{name.replace(' ', '-')}.log", "w")
        start = time.monotonic()
        self.process = subprocess.Popen(["taskset", "-c", processors, *command], stdout=self.log, stderr=self.log, cwd=folder)
        # With SIGTERM, since the workers of nginx outlive a master process that is killed.
        atexit.register(self.stop)
        url = f"http://127.0.0.1:{port}{path}"
        end = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(url, timeout=60) as answer:
                    self.started = time.monotonic() - start
                    self.bytes = len(answer.read())
                    self.type = answer.headers["Content-Type"]
                break
            except OSError as error:
                if time.monotonic() > end or self.process.poll() is not None:
                    sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {name} does not answer {url}: {error}; see {self.log.name}")
                time.sleep(pause)

    def measure(self, connections, script, seconds):
        """Milliseconds of processor time of one answer, answers a second, and those that were none."""
        url = f"http://127.0.0.1:{self.port}{self.path}"
        run = ["taskset", "-c", f"1-{max(os.cpu_count() - 1, 1)}", "wrk", "-t", "1", "-c", str(connections), "--timeout", "30s", *script]
        subprocess.run([*run, "-d", "1s", url], stdout=subprocess.DEVNULL, check=True)
        before = processor_seconds(self.process.pid)
        text = subprocess.run([*run, "-d", f"{seconds}s", url], capture_output=True, text=True, check=True).stdout
        used = processor_seconds(self.process.pid) - before
        answers = int(re.search(r"(\d+) requests in", text).group(1))
        bad = sum(map(int, re.findall(r"Non-2xx or 3xx responses: (\d+)", text)))
        return used / max(answers, 1) * 1000, float(re.search(r"Requests/sec: +([\d.]+)", text).group(1)), bad

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Servers:
    """Starts servers of the images in a folder."""

    def __init__(self, corpus, program, processors="0", pause=0.1):
        self.corpus, self.program, self.processors, self.pause = corpus, program, processors, pause

    def start(self, name, command, path, port):
        return Server(name, command, path, port, self.processors, self.pause)

    def nuke(self, name, path, *flags, sandbox="--no-sandbox"):
        port = free_port()
        command = [self.program, "serve", sandbox, "--host", "127.0.0.1", "--port", str(port), "--allow-unsigned",
                   "--local-roots", str(self.corpus), "--log-level", "error", "--queue-length", "10000", *flags]
        return self.start(name, command, path, port)

    def thumbor(self, name, path, *flags):
        port = free_port()
        configuration = folder / "thumbor.conf"
        configuration.write_text(
            f"LOADER = 'thumbor.loaders.file_loader'\nFILE_LOADER_ROOT_PATH = '{self.corpus}'\nALLOW_UNSAFE_URL = True\n"
            "STORAGE = 'thumbor.storages.no_storage'\nRESULT_STORAGE = None\nQUALITY = 80\n")
        command = [str(THUMBOR), "-p", str(port), "-i", "127.0.0.1", "-c", str(configuration), "-l", "error", *flags]
        return self.start(name, command, path, port)

    def nginx(self, name, path, has_filter=True):
        """With `has_filter`, images are cropped by image_filter; without, the files are sent."""
        port = free_port()
        temporary = "\n".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        module = "load_module /usr/lib/nginx/modules/ngx_http_image_filter_module.so;" if has_filter else ""
        filter = "image_filter crop 320 240; image_filter_jpeg_quality 80; image_filter_buffer 64M;" if has_filter else ""
        (folder / "nginx.conf").write_text(f"""
{module}
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
events {{ worker_connections {1024 if has_filter else 8192}; }}
http {{
  access_log off; {temporary}
  types {{ image/jpeg jpg; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{ root {self.corpus}; {filter} }}
  }}
}}
""")
        # Its workers could not read the corpus otherwise.
        command = [shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder),
                   *(["-g", "user root;"] if os.getuid() == 0 else [])]
        return self.start(name, command, path, port)
