"""The image server with the sample images, on a port of its own."""
import json, os, re, subprocess, tempfile, threading, urllib.error, urllib.parse, urllib.request


class Server:
    def __init__(self, nuke, *settings, **environment):
        self.nuke = nuke
        clean = {name: text for name, text in os.environ.items() if not name.startswith("NUKE_")}
        self.process = subprocess.Popen(
            [nuke, "serve", "--demo", "--port", "0", *settings], env={**clean, **environment},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        self.address = None
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if found := re.search(r"listening on (http://[^\s\"]*)", line):
                self.address = found.group(1).rstrip("/")
                break
        if self.address is None:
            raise SystemExit(f"the server does not listen: {''.join(seen)[-2000:]}")
        # Nobody reads the rest of its log, and it is not to wait for a reader.
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()

    def another(self, *settings, **environment):
        return Server(self.nuke, *settings, **environment)

    def get(self, path, **fields):
        """Status, fields with small letters, and body."""
        try:
            answer = urllib.request.urlopen(urllib.request.Request(urllib.parse.urljoin(self.address, path), headers=fields), timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.status, {name.lower(): text for name, text in answer.headers.items()}, answer.read()

    def json(self, path):
        return json.loads(self.get(path)[2])

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
