"""What the page has to do, each check one function; its text says what holds, what it returns what was seen."""
import html.parser, itertools, json, re, urllib.parse

from browser import Wrong

CHECKS = []
# Widths that nobody asked for yet, so that the image has to be made.
FRESH = itertools.count(101)


def check(text):
    def keep(function):
        CHECKS.append((text, function))
        return function
    return keep


def need(is_so, otherwise):
    if not is_so:
        raise Wrong(otherwise)


class Visit:
    """A tab on the page, and the words in which checks speak of it."""

    def __init__(self, tab, server):
        self.tab, self.server = tab, server
        self.origin = server.address

    def run(self, check):
        """What a check has seen; what the browser complained of, or asked others for, fails it too."""
        self.tab.problems.clear()
        try:
            seen = check(self)
        finally:
            for gate in list(self.tab.gates):
                gate.open()
            self.tab.prefer()
            self.tab.browser.call("Browser.resetPermissions")
        self.expect()
        need(not self.tab.problems, f"the browser complains: {self.tab.problems}")
        return seen

    def open(self, state=""):
        """The page with a state behind its address, as after a fresh load, once there is an answer."""
        self.tab.open("about:blank")
        self.tab.requests.clear()
        self.tab.open(f"{self.origin}/#{state}")
        self.settle()

    def settle(self):
        self.tab.until("document.querySelector('#result:not([aria-busy])') && document.querySelector('#address').value"
                       " && document.querySelectorAll('#sources input').length", "an answer is shown")

    def url(self):
        return self.tab.run("document.querySelector('#address').value")

    def text(self, selector):
        return self.tab.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def facts(self):
        return self.tab.run("Object.fromEntries(looking.all('#facts div').map((one) => [one.children[0].textContent, one.children[1].textContent]))")

    def shows(self, part, width=None):
        """Waits until the URL has a part and its image is there; gives the width."""
        size = f"&& document.querySelector('#result-image').naturalWidth === {width}" if width else ""
        self.tab.until(f"document.querySelector('#address').value.includes({json.dumps(part)}) && looking.isSeen(document.querySelector('#result-image'))"
                       f"&& document.querySelector('#result-image').complete && !document.querySelector('#result[aria-busy]') {size}",
                       f"an image of {part}" + (f" {width} wide" if width else ""))
        return self.tab.run("document.querySelector('#result-image').naturalWidth")

    def fails(self):
        self.tab.until("looking.isSeen(document.querySelector('#failure')) && !document.querySelector('#result[aria-busy]')", "an error is shown")
        return re.sub(r"\s*\n\s*", ": ", self.text("#failure"))

    def expect(self, *patterns):
        """Takes away what a browser says of failures that were wanted."""
        self.tab.run("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
        self.tab.problems[:] = [text for text in self.tab.problems if not any(re.search(one, text) for one in patterns)]

    def clipboard(self, is_open):
        browser = self.tab.browser
        if is_open:
            browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=self.origin)
        else:
            browser.call("Browser.setPermission", permission={"name": "clipboard-write"}, setting="denied", origin=self.origin)

    def tree(self):
        """The accessibility tree without what is left out of it, in order."""
        nodes = self.tab.call("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        ordered = []

        def walk(node):
            if not node.get("ignored"):
                ordered.append({
                    "role": node["role"]["value"], "name": node.get("name", {}).get("value", ""), "id": node["nodeId"],
                    "properties": {one["name"]: one["value"].get("value") for one in node.get("properties", [])}})
            for child in node.get("childIds", []):
                if child in by_id:
                    walk(by_id[child])

        walk(nodes[0])
        return ordered


def amount(text):
    """A number of bytes as the page tells it, and how far that may be off."""
    number, unit = re.fullmatch(r"([\d.]+)\s(B|kB|MB|GB)", text).groups()
    scale = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
    return float(number) * scale, scale * (0.051 if "." in number else 0.51) if unit != "B" else 0


def near(told, real):
    """Whether a time as it is told is that of a field; halves may be rounded either way."""
    number, unit = told.split()
    return abs(float(number) * (1000 if unit == "s" else 1) - real) <= {"s": 51}.get(unit, 0.051 if "." in number else 0.51)


# Images


@check("all comes from the server itself, and nothing is in the page that its policy forbids")
def alone(visit):
    visit.open()
    others = {one["url"] for one in visit.tab.requests.values() if not one["url"].startswith((f"{visit.origin}/", "blob:", "data:,"))}
    need(not others, f"asked for {others}")
    page = next(one for one in visit.tab.requests.values() if one["url"] == f"{visit.origin}/")
    policy = page["fields"].get("content-security-policy", "")
    need("default-src 'none'; script-src 'self'; style-src 'self'" in policy, f"the policy is {policy!r}")
    inline = visit.tab.run("looking.all('*').filter((node) => node.matches('style, script:not([src]), [href^=\"javascript:\"]')"
                           " || node.getAttributeNames().some((name) => name.startsWith('on'))).map(looking.nameOf)")
    need(not inline, f"within the page: {inline}")
    source = visit.server.get("/")[2].decode()
    need(" style=" not in source and "<style" not in source, "there are styles within the page")
    return f"{len(visit.tab.requests)} requests"


@check("the image appears, and bytes, times and cache are those of the answer")
def image(visit):
    wanted = next(FRESH)
    visit.open(f"width={wanted}")
    width = visit.shows(f"rs:fit:{wanted}:0", wanted)
    answer = next(one for one in visit.tab.requests.values() if one["url"] == visit.url() and one.get("status") == 200)
    fields, facts = answer["fields"], visit.facts()
    told, slack = amount(facts["Bytes"])
    need(abs(told - int(fields["content-length"])) <= slack, f"{facts['Bytes']}, but {fields['content-length']} bytes came")
    need(facts["Type"] == fields["content-type"] and facts["ETag"] == fields["etag"], f"{facts} of {fields}")
    need(facts["Cache-Control"] == fields["cache-control"], f"{facts} of {fields}")
    need(re.match(rf"{width}\s×\s", facts["Pixels"]), f"{facts['Pixels']}, but it is {width} wide")
    timing = fields["server-timing"]
    stages = {name: float(time) for name, time in re.findall(r"(\w+);dur=([\d.]+)", timing)}
    need(near(facts["Time"], stages["total"]), f"{facts['Time']} of {timing}")
    words = {"queued": "Queue", "load": "Load", "wait": "Memory", "decode": "Decode", "process": "Process", "encode": "Encode"}
    parts = {word: stages[name] for name, word in words.items() if name in stages}
    need("Encode" in parts, f"nothing of encoding in {timing}")
    parts["Other"] = stages["total"] - sum(parts.values())
    shown = dict(re.findall(r"(\w+)\s([\d.]+\s(?:ms|s))", visit.text("#times-text")))
    need(shown.keys() == parts.keys() and all(near(shown[word], parts[word]) for word in parts), f"{shown} of {timing}")
    need("cache;desc=made" in timing and facts["Cache"] == "made now", f"{facts['Cache']} of {timing}")
    pieces = visit.tab.run("looking.all('#bar i').map((piece) => piece.getBoundingClientRect().width)")
    widest = list(shown)[pieces.index(max(pieces))] if len(pieces) == len(shown) else None
    need(widest == max(parts, key=parts.get), f"a bar of {pieces} for {shown}")
    first = visit.text("#summary")
    visit.open(f"width={wanted}")
    facts = visit.facts()
    need(facts["Cache"] == "hit in memory" and not visit.tab.run("looking.isSeen(document.querySelector('#bar'))"), f"asked for again: {facts}")
    return f"{first}; again: {visit.text('#summary')}"


@check("a control changes the URL and the image")
def control(visit):
    visit.open()
    before = visit.shows("rs:fit:640:0", 640)
    visit.tab.write("[name=width]", "320")
    visit.shows("rs:fit:320:0", 320)
    visit.tab.tap("#sources label:nth-child(5)")
    name = visit.tab.run("document.querySelector('#sources input:checked').value")
    visit.shows(name.rpartition("/")[2], 320)
    visit.tab.tap("[name=format]")
    visit.tab.press("Escape")
    visit.tab.run("(() => { const list = document.querySelector('[name=format]'); list.value = 'png';"
                  " for (const kind of ['input', 'change']) list.dispatchEvent(new Event(kind, { bubbles: true })); })()")
    visit.shows("@png", 320)
    need(visit.facts()["Type"] == "image/png", visit.facts())
    visit.tab.tap("#reset")
    visit.shows("rs:fit:640:0", before)
    need("@" not in visit.url(), visit.url())
    return "640 to 320 pixels, another source, PNG, and back by Reset"


@check("while an option is changed, what comes of it is in view")
def view(visit):
    visit.open("width=200")
    visit.shows("rs:fit:200:0", 200)
    visit.tab.run("document.querySelector('[name=quality]').focus()")
    visit.tab.press("Home")
    visit.tab.press("ArrowRight")
    visit.shows("q:1/", 200)
    seen = visit.tab.run("looking.all('#result-image, #preview').filter((one) => { const box = one.getBoundingClientRect();"
                         " return looking.isSeen(one) && box.top < innerHeight && box.bottom > 0 && one.src === document.querySelector('#result-image').src; })"
                         ".map((one) => one.id)")
    need(seen == (["preview"] if visit.tab.is_phone else ["result-image"]), f"in view: {seen}")
    said = visit.text("#preview-text") if visit.tab.is_phone else visit.text("#summary")
    need(said == visit.text("#summary"), said)
    return f"{seen[0]}, {said}"


@check("the URL can be edited: the options follow, what they cannot say stays, and Escape takes it back")
def editing(visit):
    visit.open()
    visit.shows("rs:fit:640:0", 640)
    source = visit.url().partition("/plain/")[2]
    visit.tab.write("#address", f"{visit.origin}/unsafe/q:40/rs:fill:200:100/plain/{source}@webp")
    visit.tab.press("Enter")
    visit.shows("rs:fill:200:100/q:40", 200)
    values = visit.tab.run("['width', 'height', 'resizing', 'quality', 'format'].map((name) => document.querySelector(`[name=${name}]`).value)")
    need(values == ["200", "100", "fill", "40", "webp"], f"the options say {values}")
    visit.tab.write("#address", f"/w:150/el:1/plain/{source}")
    visit.tab.press("Enter")
    visit.shows("/unsafe/w:150/el:1/plain/", 150)
    hint = visit.text("#address-hint")
    need("cannot represent" in hint, hint)
    visit.tab.write("#address", "nonsense")
    visit.tab.press("Escape")
    need("/w:150/el:1/" in visit.url(), f"after Escape: {visit.url()}")
    visit.tab.write("[name=width]", "260")
    visit.shows("rs:fill:260:100", 260)
    return "by an address, by a path alone; a change of an option begins anew"


@check("the URL is copied, and where the clipboard is closed it is selected")
def copying(visit):
    visit.open()
    visit.clipboard(True)
    visit.tab.tap("#copy")
    visit.tab.until("document.querySelector('#said').textContent === 'Copied.'", "it is said that the URL was copied")
    copied = visit.tab.run("navigator.clipboard.readText()")
    need(copied == visit.url(), f"copied {copied}")
    visit.tab.until("document.querySelector('#copy').textContent === 'Copy'", "the button is as before")
    visit.clipboard(False)
    visit.tab.tap("#copy")
    visit.tab.until("document.querySelector('#said').textContent.startsWith('Selected')", "it is said that the URL is selected")
    selected = visit.tab.run("(() => { const field = document.querySelector('#address'); return field.value.slice(field.selectionStart, field.selectionEnd); })()")
    need(selected == visit.url(), f"selected {selected}")
    return copied


class Markup(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.elements = []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))


@check("the image can be kept, and the HTML for a page names images that there are, for one and two pixels a point")
def markup(visit):
    visit.open("width=300")
    visit.shows("rs:fit:300:0", 300)
    name, data = visit.tab.download("#download")
    need(re.fullmatch(r"lake\.(jpg|webp|avif|png)", name), f"it is kept as {name}")
    need(data == visit.server.get(visit.url(), Accept="image/avif,image/webp,image/*")[2], f"{len(data)} bytes are kept, others than are sent")
    visit.tab.tap("#markup summary")
    text = visit.tab.until("document.querySelector('#markup-text').textContent", "there is HTML")
    parser = Markup()
    parser.feed(text)
    addresses = {}
    for tag, attributes in parser.elements:
        for entry in re.split(r",\s+", attributes.get("srcset", "")):
            if entry:
                address, ratio = entry.split()
                addresses[address] = (attributes.get("type"), ratio)
    need({"1x", "2x"} == {ratio for _, ratio in addresses.values()}, text)
    for address, (kind, _) in addresses.items():
        status, fields, body = visit.server.get(address)
        need(status == 200 and len(body) > 0 and kind in (None, fields["content-type"]), f"{address}: {status}, {fields.get('content-type')}")
    image = next(attributes for tag, attributes in parser.elements if tag == "img")
    need(image["width"] == "300" and "alt" in image and image["src"] in addresses, text)
    visit.clipboard(False)
    visit.tab.tap("#markup-copy")
    visit.tab.until("document.querySelector('#said').textContent.startsWith('Selected')", "it is said that the HTML is selected")
    selected = visit.tab.run("String(getSelection())")
    need(selected.split() == text.split(), f"selected {selected}")
    return f"{name}, {len(data)} bytes; {len(addresses)} addresses, {' '.join(tag for tag, _ in parser.elements)}"


@check("a missing source and a malformed option are told in words, announced, and got over")
def errors(visit):
    visit.open("source=" + urllib.parse.quote("local:///missing.jpg", safe=""))
    missing = visit.fails()
    need(missing.startswith("Status 404: ") and len(missing) > 20, missing)
    alert = [node for node in visit.tree() if node["role"] == "alert"]
    need(len(alert) == 1 and alert[0]["properties"].get("live") == "assertive", f"alerts in the tree: {alert}")
    need("missing.jpg" in visit.url(), visit.url())
    need(not visit.tab.run("looking.isSeen(document.querySelector('#download'))"), "what is not there can be downloaded")
    visit.tab.write("#address", "/unsafe/nonsense:1/plain/local:///lake.jpg")
    visit.tab.press("Enter")
    visit.tab.until("document.querySelector('#failure-status').textContent === 'Status 400'", "the option is refused")
    malformed = visit.fails()
    need("nonsense" in malformed, malformed)
    need("nonsense:1" in visit.url(), f"what was typed is gone: {visit.url()}")
    visit.tab.write("[name=width]", "-5")
    visit.tab.until("document.querySelector('#failure-text').textContent && document.querySelector('#address').value.includes(':-5:')"
                    " && !document.querySelector('#result[aria-busy]')", "the width is refused")
    visit.tab.write("[name=width]", "200")
    visit.tab.write("[name=source]", "local:///lake.jpg")
    visit.shows("rs:fit:200:0/plain/local:///lake.jpg", 200)
    need(not visit.tab.run("looking.isSeen(document.querySelector('#failure'))"), "the error is still there")
    visit.expect(r"status of 40[04]")
    return f"{missing} / {malformed}"


@check("comparing shows each format that the server writes, with its weight, and names the smallest")
def comparing(visit):
    width = next(FRESH)
    visit.open(f"width={width}")
    visit.shows(f"rs:fit:{width}:0", width)
    formats = visit.server.json("/_playground/config")["formats"]
    need(not visit.tab.run("document.querySelectorAll('#formats li').length"), "formats before anybody asked")
    visit.tab.requests.clear()
    visit.tab.tap("#compare")
    visit.tab.until(f"document.querySelectorAll('#formats li').length === {len(formats)} && !document.querySelector('#compare[aria-disabled]')",
                    "all formats are there", 30)
    shown = visit.tab.run("looking.all('#formats li').map((one) => ({ format: one.querySelector('.name').firstChild.textContent,"
                          " bytes: one.querySelector('.bytes')?.textContent ?? '', note: one.querySelector('.body .note').textContent,"
                          " text: one.querySelector('.thumb').textContent, isShown: one.querySelector('img')?.naturalWidth > 0,"
                          " isBest: one.classList.contains('best') }))")
    need([one["format"] for one in shown] == formats, f"{shown} of {formats}")
    answers = {one["url"].rpartition("@")[2]: one["fields"]
               for one in visit.tab.requests.values() if "/unsafe/" in one["url"] and "@" in one["url"] and one.get("status") == 200}
    lengths = {format: int(fields["content-length"]) for format, fields in answers.items()}
    for one in shown:
        if one["format"] in lengths:
            told, slack = amount(one["bytes"])
            need(abs(told - lengths[one["format"]]) <= slack, f"{one} of {lengths}")
            timing = answers[one["format"]]["server-timing"]
            told = re.fullmatch(r"(made in|hit in memory,) ([\d.]+\sm?s)", one["note"])
            need(told and ("desc=made" in timing) == (told[1] == "made in"), f"{one} of {timing}")
            need(near(told[2], float(re.search(r"total;dur=([\d.]+)", timing)[1])), f"{one} of {timing}")
            need(one["isShown"] or one["text"] == f"This browser does not support {one['format'].upper()}.", f"{one} is not to be seen")
        else:
            need(len(one["note"]) > 10, f"{one['format']} fails without a word")
    need(set(lengths) >= {"jpeg", "png", "webp"}, f"made: {lengths}")
    smallest = min(lengths, key=lengths.get)
    status = visit.text("#compare-status")
    need([one["format"] for one in shown if one["isBest"]] == [smallest] and status.startswith(smallest.upper()), f"{status} of {lengths}")
    visit.tab.write("[name=width]", "170")
    visit.tab.until("looking.isSeen(document.querySelector('#compare-stale'))", "it is said that the options have changed")
    return f"{', '.join(formats)}; {status}"


@check("live figures are the server's, and move after requests")
def figures(visit):
    visit.open()
    read = "Number(document.querySelector('[data-stat=requests]').textContent.replaceAll(',', ''))"
    before = visit.tab.until(read, "figures are shown")
    for _ in range(3):
        visit.server.get("/unsafe/rs:fit:50/plain/local:///lake.jpg")
    after = visit.tab.until(f"{read} >= {before + 3} && {read}", "the figures have moved by three")
    real = visit.server.json("/_playground/stats")["server"]["requests"]
    need(before + 3 <= after <= real, f"{after} shown, {real} real")
    return f"{before} to {after}; {visit.text('.stats').replace(chr(10), ' ')}"


@check("the state stands in the address: reload, back, forward and others' browsers show the same")
def address(visit):
    visit.open("width=200")
    visit.shows("rs:fit:200:0", 200)
    visit.tab.tap("#form summary")
    visit.tab.until("looking.isSeen(document.querySelector('[name=blur]'))", "the effects are open")
    visit.tab.run("document.querySelector('[name=blur]').focus()")
    visit.tab.press("ArrowRight")
    visit.shows("bl:0.5", 200)
    visit.tab.tap("[name=enlarge]")
    visit.shows("rs:fit:200:0:1/bl:0.5", 200)
    url, hash = visit.url(), visit.tab.run("location.hash")
    visit.tab.reload()
    visit.settle()
    visit.shows("rs:fit:200:0:1/bl:0.5", 200)
    need(visit.url() == url, f"{visit.url()} after the reload, {url} before")
    need(visit.tab.run("looking.isSeen(document.querySelector('[name=blur]'))"), "what is set is not to be seen")
    visit.tab.run("history.back()")
    visit.shows("rs:fit:200:0/bl:0.5", 200)
    need(not visit.tab.run("document.querySelector('[name=enlarge]').checked"), "the control does not go back")
    visit.tab.run("history.forward()")
    visit.shows("rs:fit:200:0:1/bl:0.5", 200)
    visit.tab.open(f"{visit.origin}/#path=" + urllib.parse.quote("/w:90/plain/local:///lake.jpg", safe=""))
    visit.shows("/unsafe/w:90/plain/local:///lake.jpg", 90)
    return hash


@check("with keys and behind a prefix the page signs, also what was typed")
def signing(visit):
    server = visit.server.another("--path-prefix", "/img", NUKE_KEYS="00112233", NUKE_SALTS="445566")
    try:
        signed = Visit(visit.tab, server)
        signed.open("width=200")
        signed.shows("rs:fit:200:0", 200)
        first = signed.url()
        need(re.match(rf"{server.address}/img/[\w-]{{20,}}/rs:fit:200:0/plain/", first), first)
        need(signed.text("#signature") == "signed", signed.text("#signature"))
        need(server.get(first)[0] == 200 and server.get(first.replace(":200:", ":201:"))[0] == 403, "the server takes other URLs than it signs")
        signed.tab.write("#address", first.replace(":200:", ":220:"))
        signed.tab.press("Enter")
        signed.shows("rs:fit:220:0", 220)
        need(first.split("/")[4] != signed.url().split("/")[4], signed.url())
        return signed.url()
    finally:
        # The page would go on asking for figures.
        visit.tab.open("about:blank")
        server.close()


# Order


@check("while an answer is late the page says so, and keeps the image")
def waiting(visit):
    visit.open("width=200")
    visit.shows("rs:fit:200:0", 200)
    gate = visit.tab.gate(r"/unsafe/.*rs:fit:220:0/plain")
    visit.tab.write("[name=width]", "220")
    gate.wait(1)
    visit.tab.until("document.querySelector('#summary').textContent === 'Loading…'", "it says that it loads")
    need(visit.tab.run("document.querySelector('#result').ariaBusy === 'true' && document.querySelector('#result-image').naturalWidth") == 200,
         "the image of before is gone, or nothing says that it is of before")
    need(visit.tab.run("!document.querySelector('#form :disabled')"), "the options are closed meanwhile")
    gate.open()
    visit.shows("rs:fit:220:0", 220)
    return visit.text("#summary")


@check("an answer that comes late does not stand over a newer one, be it an image or an error")
def stale(visit):
    visit.open("width=200")
    visit.shows("rs:fit:200:0", 200)
    gate = visit.tab.gate(r"/unsafe/.*rs:fit:2[1-4]0:0/plain")
    visit.tab.write("[name=width]", "210")
    gate.wait(1)
    aborted = gate.held[0]["networkId"]
    visit.tab.write("[name=width]", "220")
    gate.wait(2)
    visit.tab.browser.wait(lambda: visit.tab.requests[aborted]["state"] == "failed", "the older request is given up")
    gate.held.pop(0)
    gate.let()
    visit.shows("rs:fit:220:0", 220)
    # From here on nothing is given up: the older answers do come, after the newer.
    visit.tab.run("(() => { const ask = fetch, decode = HTMLImageElement.prototype.decode; window.ended = 0;"
                  " window.fetch = (address, options) => ask(address, { ...options, signal: undefined });"
                  " HTMLImageElement.prototype.decode = async function () { await decode.call(this); ended += 1; };"
                  " const text = Blob.prototype.text; Blob.prototype.text = async function () { const all = await text.call(this); ended += 1; return all; }; })()")
    for width in (230, 240, 210):
        visit.tab.write("[name=width]", str(width))
        gate.wait({230: 1, 240: 2, 210: 3}[width])
    gate.let(2)
    visit.shows("rs:fit:210:0", 210)
    gate.let(0)
    gate.refuse(404, "late", 0)
    visit.tab.until("ended === 3", "both late answers are read")
    visit.tab.run("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    need(visit.tab.run("document.querySelector('#result-image').naturalWidth") == 210 and "rs:fit:210:0" in visit.url(), f"{visit.url()} is shown")
    need(not visit.tab.run("looking.isSeen(document.querySelector('#failure'))"), "the late error is shown")
    need(visit.facts()["Pixels"].startswith("210"), visit.facts())
    gate.open()
    visit.expect("status of 404")
    return "the newest of four stays, after an image and a 404 that were late"


@check("where the figures fail the page says so, goes on, and takes them up again")
def failing(visit):
    visit.open("width=200")
    gate = visit.tab.gate("/_playground/stats")
    gate.wait(1)
    gate.refuse(500, "no")
    said = visit.tab.until("document.querySelector('#stats-status').textContent", "it says that there are none")
    visit.tab.write("[name=width]", "240")
    visit.shows("rs:fit:240:0", 240)
    gate.wait(1)
    gate.cut()
    gate.wait(1)
    need(visit.text("#stats-status") == said, "after a connection that broke off it says other things")
    gate.open()
    visit.tab.until("!document.querySelector('#stats-status').textContent", "it takes that back")
    visit.expect("status of 500", "ERR_CONNECTION_RESET")
    return said


@check("a server that does not answer at all is told of")
def silent(visit):
    gate = visit.tab.gate("/_playground/config")
    visit.tab.open("about:blank")
    visit.tab.open(f"{visit.origin}/")
    gate.wait(1)
    gate.cut()
    said = visit.fails()
    gate.open()
    need("does not respond" in said, said)
    visit.expect("ERR_CONNECTION_RESET")
    return said


# Keyboard


def walk(visit, shift=False):
    """Where Tab goes from the beginning until the page ends."""
    visit.tab.run("(() => { document.activeElement.blur(); scrollTo(0, 0); })()")
    visit.tab.run("(() => { const start = document.createElement('span'); start.tabIndex = -1;"
                  f" document.body.{'append' if shift else 'prepend'}(start); start.focus(); start.remove(); }})()")
    stops = []
    while len(stops) < 120:
        visit.tab.press("Tab", shift=shift)
        stop = visit.tab.run("looking.focus()")
        if stop is None or (stops and stop["name"] == stops[0]["name"]):
            return stops
        stops.append(stop)
    raise Wrong(f"Tab does not come to an end: {[stop['name'] for stop in stops[-4:]]}")


@check("Tab reaches every control in the order they are seen, each shows it, and there is a way on and back")
def tabbing(visit):
    visit.open("width=200&blur=1&rotate=90")
    visit.shows("bl:1")
    visit.tab.tap("#markup summary")
    visit.tab.until("document.querySelector('#markup-text').textContent", "there is HTML")
    wanted = visit.tab.run("looking.stops()")
    stops = walk(visit)
    names = [stop["name"] for stop in stops]
    need(names == wanted, f"not reached: {[name for name in wanted if name not in names]}, in another order or twice: {names}")
    back = [stop["name"] for stop in walk(visit, shift=True)]
    need(back == names[::-1], f"back is another way: {back}")
    unmarked = [stop["name"] for stop in stops if stop["focused"] == stop["without"] or "none" in stop["focused"] or stop["focused"].split()[1] < "2px"]
    need(not unmarked, f"the focus is not to be seen on {unmarked}")
    hidden = [stop["name"] for stop in stops if not stop["isInView"]]
    need(not hidden, f"with the focus out of sight: {hidden}")
    regions = list(dict.fromkeys(stop["region"] for stop in stops))
    need(regions == ["", "result", "form", "card compare"], f"regions: {regions}")
    for one, next in zip(stops, stops[1:]):
        if (one["region"] == next["region"] or visit.tab.is_phone) and one["region"]:
            need(one["bottom"] <= next["top"] + 2 or (one["x"] <= next["x"] + 1 and one["top"] < next["bottom"]),
                 f"{next['name']} comes after {one['name']}, but stands before it")
    return f"{len(stops)} stops"


@check("Enter, Space and arrows do what they are for")
def keys(visit):
    visit.open("width=200")
    visit.shows("rs:fit:200:0", 200)
    tab = visit.tab
    tab.run("(() => { const start = document.createElement('span'); start.tabIndex = -1; document.body.prepend(start); start.focus(); start.remove(); })()")
    tab.press("Tab")
    need(tab.run("document.activeElement.id") == "skip", "the first stop is not the link past the image")
    need(tab.run("document.activeElement.getBoundingClientRect().x >= 0"), "the link is out of sight while it has the focus")
    tab.press("Enter")
    tab.press("Tab")
    need(tab.run("document.activeElement.id") == "reset", f"behind the link: {tab.run('looking.nameOf(document.activeElement)')}")
    need("rs:fit:200:0" in visit.url(), "the link changes the state")
    tab.press("Tab")
    first = tab.run("document.activeElement.value")
    tab.press("ArrowRight")
    second = tab.run("document.querySelector('#sources input:checked').value")
    need(second != first, "arrows do not change the source")
    visit.shows(second.rpartition("/")[2])
    tab.run("document.querySelector('[name=width]').focus()")
    tab.press("ArrowUp")
    visit.shows("rs:fit:210:0")
    tab.run("document.querySelector('[name=resizing]').focus()")
    tab.press("ArrowDown")
    tab.press("Enter")
    visit.shows("rs:fill:210:0")
    tab.press("Escape")
    tab.run("document.querySelector('[name=enlarge]').focus()")
    tab.press("Space")
    visit.shows("rs:fill:210:0:1")
    tab.run("document.querySelector('[name=quality]').focus()")
    tab.press("End")
    tab.press("ArrowLeft")
    visit.shows("q:99")
    tab.run("document.querySelector('#form summary').focus()")
    tab.press("Enter")
    tab.until("document.querySelector('#form details').open", "Enter opens the effects")
    tab.press("Space")
    tab.until("!document.querySelector('#form details').open", "Space closes them")
    tab.run("document.querySelector('#compare').focus()")
    tab.press("Enter")
    tab.until("document.querySelector('#formats li') && !document.querySelector('#compare[aria-disabled]')", "Enter compares", 30)
    need(tab.run("document.activeElement.id") == "compare", "the focus is lost")
    tab.run("document.querySelector('#reset').focus()")
    tab.press("Space")
    visit.shows("rs:fit:640:0", 640)
    return "skip link, source, number, list, box, slider, details, button"


# Screen readers

INTERACTIVE = {"button", "link", "textbox", "spinbutton", "slider", "checkbox", "radio", "combobox", "ColorWell",
               "DisclosureTriangle", "searchbox", "switch", "tab", "menuitem"}


@check("the accessibility tree: names, roles, headings in order, landmarks, a language, polite live regions")
def reading(visit):
    visit.open(f"width={next(FRESH)}&blur=1&rotate=90")
    visit.shows("bl:1")
    visit.tab.tap("#compare")
    visit.tab.until("document.querySelector('#formats li') && !document.querySelector('#compare[aria-disabled]')", "all formats are there", 30)
    tree = visit.tree()
    controls = [node for node in tree if node["role"] in INTERACTIVE]
    nameless = [node for node in controls if not node["name"].strip()]
    need(not nameless, f"without a name: {nameless}")
    # What Tab stops at is what the tree calls interactive; radio buttons of a group are one stop, the skip link is among both.
    radios = sum(node["role"] == "radio" for node in controls)
    stops = visit.tab.run("looking.stops().length")
    need(len(controls) - radios + 1 == stops, f"{len(controls)} controls, {radios} of them radio buttons, but {stops} stops")
    roles = {node["name"]: node["role"] for node in controls}
    wanted = {
        "URL": "textbox", "Copy the URL": "button", "Open the image in a new tab": "link", "Download the image": "link",
        "Address": "textbox", "Width": "spinbutton", "Resizing": "combobox", "Enlarge": "checkbox", "Quality": "slider",
        "Blur": "slider", "Color": "ColorWell", "Compare": "button", "Reset": "button", "lake.jpg": "radio",
        "Effects": "DisclosureTriangle"}
    need(wanted.items() <= roles.items(), f"roles by names: {dict(wanted.items() - roles.items())} not among {roles}")
    images = [node["name"] for node in tree if node["role"] in ("image", "img")]
    need(images and all(images), f"images: {images}")
    # Whoever waited for room in memory is told so before the queue.
    bar = r"Time by stage (Room [\d.]+\sm?s )?Queue [\d.]+\sm?s "
    need(any(re.search(bar, name) for name in images), f"the bar has no words: {images}")
    headings = [(int(node["properties"]["level"]), node["name"]) for node in tree if node["role"] == "heading"]
    need(headings == [(1, "Nuke image server"), (2, "Result"), (3, "Time by stage"), (2, "Options"), (2, "Formats side by side")], f"headings: {headings}")
    landmarks = [(node["role"], node["name"]) for node in tree if node["role"] in ("banner", "main", "contentinfo", "form", "region", "navigation")]
    need({"banner", "main", "contentinfo", "form"} <= {role for role, _ in landmarks}, f"landmarks: {landmarks}")
    need(all(name for role, name in landmarks if role in ("form", "region")), f"landmarks: {landmarks}")
    live = [(node["role"], node["properties"].get("live")) for node in tree if node["properties"].get("live", "off") != "off" and node["role"] in ("status", "alert", "log")]
    need(len(live) >= 3 and set(live) <= {("status", "polite"), ("alert", "assertive")}, f"live regions: {live}")
    language, title = visit.tab.run("[document.documentElement.lang, document.title]")
    need(language == "en" and title, f"{language}, {title}")
    spoken = visit.tab.run("['quality', 'blur'].map((name) => document.querySelector(`[name=${name}]`).ariaValueText)")
    need(spoken == ["default", None], f"sliders say {spoken}")
    return f"{len(controls)} controls, {len(images)} images, {len(headings)} headings, {len(landmarks)} landmarks, {len(live)} live regions"


# Eyes and fingers


@check("text has a contrast of 4.5 and fields of 3 to 1, light and dark, with an image, an error, formats and figures that fail")
def contrast(visit):
    least = {}
    for scheme in ("light", "dark"):
        visit.tab.prefer(color_scheme=scheme, motion="reduce")
        for state in ("blur=1&rotate=90&width=160", "source=local%3A%2F%2F%2Fmissing.jpg", "placeholder=blurhash"):
            visit.open(state)
            if state.startswith("blur"):
                visit.tab.tap("#markup summary")
                visit.tab.until("document.querySelector('#markup-text').textContent", "there is HTML")
                visit.tab.tap("#compare")
                visit.tab.until("document.querySelector('#formats li') && !document.querySelector('#compare[aria-disabled]')", "all formats", 30)
            visit.tab.run("document.querySelector('#stats-status').textContent = 'No figures.'")
            seen = visit.tab.run("looking.contrast()")
            need(not seen["bad"], f"{scheme}, {state}: {seen['bad']}")
            least[scheme] = min(seen["least"], least.get(scheme, 99))
    visit.tab.prefer()
    visit.expect("status of 404")
    return ", ".join(f"{scheme}: at least {value:.1f}" for scheme, value in least.items())


@check("what is to be pressed is 24 pixels high and wide at least")
def targets(visit):
    visit.open("blur=1&rotate=90&width=200")
    visit.shows("bl:1")
    found = visit.tab.run("looking.targets()")
    small = [target for target in found if min(target["width"], target["height"]) < 24]
    need(not small, f"too small: {small}")
    need(len(found) > 25, f"only {len(found)} targets")
    return f"{len(found)} targets, the smallest {min(min(one['width'], one['height']) for one in found):.0f} pixels"


@check("who wants no motion gets none, and colors of the system's own lose nothing")
def preferences(visit):
    visit.open("width=210")
    count = "looking.all('*').filter((node) => { const style = getComputedStyle(node);" \
            " return style.transitionDuration.split(',').some((time) => parseFloat(time) > 0) || style.animationName !== 'none'; }).length"
    moving = visit.tab.run(count)
    visit.tab.prefer(motion="reduce")
    still = visit.tab.run(count)
    need(moving > 0 and still == 0, f"{moving} parts move, {still} where no motion is wanted")
    visit.tab.prefer(colors="active")
    visit.tab.tap("#compare")
    visit.tab.until("document.querySelector('#formats li') && !document.querySelector('#compare[aria-disabled]')", "all formats are there", 30)
    lost = visit.tab.run(
        "[...looking.all('#bar i'), ...looking.all('.weight i')].filter((piece) => looking.ratio(looking.background(piece), looking.background(piece.parentElement.parentElement)) < 1.5).length")
    marks = visit.tab.run("[getComputedStyle(document.querySelector('#sources input:checked + img')).outlineStyle,"
                          " document.querySelector('#formats .best').textContent.includes('smallest')]")
    visit.tab.prefer()
    need(lost == 0 and marks == ["solid", True], f"{lost} pieces of bars are not seen; {marks}")
    return f"{moving} parts move otherwise; bars, the source and the smallest are seen by shape and words"


@check("nothing lies over anything or beyond the edge, down to 320 pixels, and with text twice as large")
def reflow(visit):
    tab = visit.tab
    visit.open("width=160&blur=1&rotate=90")
    tab.tap("#markup summary")
    tab.tap("#compare")
    tab.until("document.querySelector('#formats li') && !document.querySelector('#compare[aria-disabled]')", "all formats are there", 30)
    width, height = tab.run("[innerWidth, innerHeight]")
    sizes = [(320, 568, 2, 100), (640, 800, 1, 200), (width, height, 1, 100)]
    if not tab.is_phone:
        sizes += [(1000, 800, 1, 100), (800, 600, 1, 100), (width, height, 1, 200)]
    try:
        for wide, high, ratio, percent in sizes:
            tab.resize(wide, high, ratio)
            tab.run(f"document.documentElement.style.fontSize = '{percent}%'")
            need(tab.run("innerWidth") == wide, f"the window is {tab.run('innerWidth')} wide, not {wide}")
            found = tab.run("looking.collisions()")
            need(not found, f"{wide} pixels, text at {percent} %: {found[:6]}")
    finally:
        tab.resize(width, height)
    visit.open("source=local%3A%2F%2F%2Fmissing.jpg")
    tab.resize(320, 568, 2)
    found = tab.run("looking.collisions()")
    tab.resize(width, height)
    need(not found, f"an error at 320 pixels: {found[:6]}")
    visit.expect("status of 404")
    return ", ".join(f"{wide} at {percent} %" for wide, _, _, percent in sizes)
