"""Chromium without a window, told what to do through a pipe: https://chromedevtools.github.io/devtools-protocol/."""
import base64, fcntl, json, os, re, select, signal, time
from pathlib import Path

LOOKING = (Path(__file__).parent / "looking.js").read_text()


class Wrong(Exception):
    """Something is not as it has to be; the text says what was seen."""


class Browser:
    """A browser of its own, which can ask nothing but this machine. One thread."""

    def __init__(self, folder):
        self.next = 0
        self.answers = {}
        self.tabs = {}
        self.buffer = b""
        self.folder = folder
        self.downloads = {}
        # Away from 3 and 4, where the browser expects them.
        ours_in, theirs_out = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe())
        theirs_in, ours_out = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe())
        log = os.open(folder / "chromium.log", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        options = [
            "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}", "--disable-gpu",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-first-run", "--disable-component-update",
            "--disable-background-networking", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
            # It does not start as root otherwise, and shows pages of ours alone.
            "--no-sandbox",
        ]
        self.process = os.posix_spawnp(
            "chromium", ["chromium", *options, "about:blank"], os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, theirs_in, 3), (os.POSIX_SPAWN_DUP2, theirs_out, 4),
                          (os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)])
        for end in (theirs_in, theirs_out, log):
            os.close(end)
        self.input, self.output = ours_in, ours_out

    def close(self):
        try:
            self.call("Browser.close", seconds=5)
        except (Wrong, OSError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)

    def send(self, method, session=None, **parameters):
        self.next += 1
        message = {"id": self.next, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        return self.next

    def call(self, method, session=None, seconds=40, **parameters):
        number = self.send(method, session, **parameters)
        self.wait(lambda: number in self.answers, f"an answer to {method}", seconds)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Wrong(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait(self, is_so, what, seconds=20):
        """Takes what comes from the browser until something is so."""
        end = time.monotonic() + seconds
        while not is_so():
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise Wrong(f"not within {seconds} s: {what}")
            data = os.read(self.input, 1 << 20)
            if not data:
                raise Wrong("the browser ended")
            *messages, self.buffer = (self.buffer + data).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.answers[message["id"]] = message
                elif message["method"] == "Browser.downloadWillBegin":
                    self.downloads[message["params"]["guid"]] = {"name": message["params"]["suggestedFilename"], "state": "inProgress"}
                elif message["method"] == "Browser.downloadProgress":
                    self.downloads[message["params"]["guid"]]["state"] = message["params"]["state"]
                elif message.get("sessionId") in self.tabs:
                    self.tabs[message["sessionId"]].happened(message["method"], message["params"])

    def tab(self, width, height, is_phone=False, ratio=1):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = self.tabs[session] = Tab(self, target, session, is_phone)
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility", "Audits"):
            tab.call(f"{domain}.enable")
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=LOOKING)
        tab.call("Emulation.setFocusEmulationEnabled", enabled=True)
        tab.resize(width, height, ratio)
        return tab


class Tab:
    """A page, and all that it asked for and complained of."""

    def __init__(self, browser, target, session, is_phone):
        self.browser, self.target, self.session, self.is_phone = browser, target, session, is_phone
        self.requests = {}
        self.problems = []
        self.gates = []
        self.loads = 0

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def close(self):
        del self.browser.tabs[self.session]
        self.browser.call("Target.closeTarget", targetId=self.target)

    def resize(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio,
                  mobile=self.is_phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=self.is_phone)

    def prefer(self, **features):
        """What the reader prefers, such as `color_scheme="dark"`; nothing takes all back."""
        known = {"color_scheme": "prefers-color-scheme", "motion": "prefers-reduced-motion", "colors": "forced-colors"}
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": known[name], "value": features.get(name, "")} for name in known])

    # What happens

    def happened(self, name, event):
        if name == "Network.requestWillBeSent":
            self.requests[event["requestId"]] = {"url": event["request"]["url"], "state": "sent"}
        elif name == "Network.responseReceived":
            fields = {field.lower(): text for field, text in event["response"]["headers"].items()}
            self.requests.setdefault(event["requestId"], {"url": event["response"]["url"]}).update(
                status=event["response"]["status"], fields=fields)
        elif name in ("Network.loadingFinished", "Network.loadingFailed"):
            if event["requestId"] in self.requests:
                self.requests[event["requestId"]]["state"] = name.removeprefix("Network.loading").lower()
        elif name == "Page.loadEventFired":
            self.loads += 1
        elif name == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif name == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(value.get("value")) for value in event["args"]))
        elif name == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            self.problems.append(f"{event['entry']['text']} {event['entry'].get('url', '')}".strip())
        elif name == "Audits.issueAdded" and event["issue"]["code"] in (
                "ContentSecurityPolicyIssue", "MixedContentIssue", "GenericIssue"):
            self.problems.append(json.dumps(event["issue"]["details"]))
        elif name == "Fetch.requestPaused":
            gate = next((gate for gate in self.gates if gate.pattern.search(event["request"]["url"])), None)
            if gate:
                gate.held.append(event)
            else:
                self.browser.send("Fetch.continueRequest", self.session, requestId=event["requestId"])

    def gate(self, pattern):
        """Holds each request for an address with this pattern until the gate says what comes of it."""
        gate = Gate(self, re.compile(pattern))
        self.gates.append(gate)
        self.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        return gate

    # What is done

    def open(self, address):
        loads = self.loads
        self.call("Page.navigate", url=address)
        # Another hash alone loads nothing.
        if "#" not in address or self.run("location.href").split("#")[0] != address.split("#")[0]:
            self.browser.wait(lambda: self.loads > loads, f"{address} is loaded")

    def reload(self):
        loads = self.loads
        self.call("Page.reload")
        self.browser.wait(lambda: self.loads > loads, "the page is loaded anew")

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Wrong(f"{script[:80]}: {details.get('exception', {}).get('description', details['text'])[:300]}")
        return answer["result"].get("value")

    def until(self, script, what, seconds=20):
        """Waits until a script gives what is true, and gives that."""
        value = self.run(
            f"new Promise((resolve) => {{ const end = performance.now() + {seconds * 1000}; const look = () => {{"
            f"let value; try {{ value = {script}; }} catch {{ value = null; }}"
            "if (value || performance.now() > end) resolve(value || null); else setTimeout(look, 15); }; look(); })")
        if not value:
            raise Wrong(f"not within {seconds} s: {what}")
        return value

    KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "Space": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
            "ArrowRight": 39, "ArrowDown": 40}

    def press(self, key, shift=False, commands=()):
        text = {"Enter": "\r", "Space": " "}.get(key, "")
        event = {"key": " " if key == "Space" else key, "code": key, "windowsVirtualKeyCode": self.KEYS[key],
                 "modifiers": 8 if shift else 0}
        kind = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", **event, **kind, commands=list(commands))
        self.call("Input.dispatchKeyEvent", **event, type="keyUp")

    def write(self, selector, text):
        """Replaces what stands in a field by typing; the field keeps the focus."""
        self.run(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.focus(); field.select(); }})()")
        self.call("Input.insertText", text=text)

    def tap(self, selector):
        """Presses the middle of an element, by finger or mouse."""
        place = self.run(f"looking.middle({json.dumps(selector)})")
        if isinstance(place, str):
            raise Wrong(place)
        if self.is_phone:
            self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[place])
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        else:
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def download(self, selector):
        """Presses a link that keeps a file; gives the name that was proposed, and the bytes."""
        browser = self.browser
        browser.downloads.clear()
        browser.call("Browser.setDownloadBehavior", behavior="allowAndName", downloadPath=str(browser.folder), eventsEnabled=True)
        self.tap(selector)
        browser.wait(lambda: any(one["state"] == "completed" for one in browser.downloads.values()), "a file is kept")
        (number, download), = browser.downloads.items()
        return download["name"], (browser.folder / number).read_bytes()

    def png(self):
        """What is seen."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


class Gate:
    def __init__(self, tab, pattern):
        self.tab, self.pattern, self.held = tab, pattern, []

    def wait(self, count):
        self.tab.browser.wait(lambda: len(self.held) >= count, f"{count} requests for {self.pattern.pattern}")

    def let(self, place=0):
        self._answer("Fetch.continueRequest", place)

    def refuse(self, status, text, place=0):
        self._answer("Fetch.fulfillRequest", place, responseCode=status, body=base64.b64encode(text.encode()).decode(),
                     responseHeaders=[{"name": "Content-Type", "value": "text/plain; charset=utf-8"}])

    def cut(self, place=0):
        self._answer("Fetch.failRequest", place, errorReason="ConnectionReset")

    def _answer(self, method, place, **parameters):
        request = self.held.pop(place)
        self.tab.browser.send(method, self.tab.session, requestId=request["requestId"], **parameters)

    def open(self):
        """Lets all through from now on."""
        self.tab.gates.remove(self)
        while self.held:
            self.let()
        if not self.tab.gates:
            self.tab.call("Fetch.disable")
