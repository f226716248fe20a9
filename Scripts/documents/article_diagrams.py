"""Draws the diagrams of the articles: the stages of a load, coalescing, and prefetching.

They are 520 pixels wide, so that they can be read on a phone. Each text is on a shape of its own color, so that the page may
be light or dark. `Scripts/diagrams` writes them.
"""
import re
from xml.sax.saxutils import escape

from markdown import ROOT

RESOURCES = "Sources/Nuke/Nuke.docc/Resources"
WIDTH, LINE, TEXT = 520, "#7d8894", "#1b2733"
WHITE, GRAY, BLUE, GREEN, YELLOW = "#ffffff", "#f1f1f3", "#d9e8f8", "#dfedd6", "#fbeecb"


class Drawing:
    def __init__(self, height, title):
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'role="img" font-family="system-ui, \'Helvetica Neue\', Arial, sans-serif" font-size="16" fill="{TEXT}">',
            f"  <title>{escape(title)}</title>",
            '  <defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0 L10 5 L0 10 z" fill="{LINE}"/></marker></defs>',
        ]

    def arrow(self, path, is_dashed=False):
        dashes = ' stroke-dasharray="5 4"' if is_dashed else ""
        self.lines.append(f'  <path d="{path}" fill="none" stroke="{LINE}" stroke-width="2"{dashes} marker-end="url(#head)"/>')

    def panel(self, x, y, width, height, fill):
        self.lines.append(f'  <rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="{fill}"/>')

    def box(self, x, y, width, height, fill, title, note="", is_centered=False, is_dashed=False):
        """A title in bold, and a note below it."""
        dashes = ' stroke-dasharray="5 4"' if is_dashed else ""
        self.lines.append(
            f'  <rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{fill}" stroke="{LINE}"{dashes}/>')
        middle = y + height // 2
        self.text(x, middle - 4 if note else middle + 5, width, title, ' font-weight="600"', is_centered)
        if note:
            self.text(x, middle + 17, width, note, "", is_centered)

    def text(self, x, y, width, text, style="", is_centered=False):
        place = f'x="{x + width / 2:g}" y="{y}" text-anchor="middle"' if is_centered else f'x="{x + 14}" y="{y}"'
        self.lines.append(f"  <text {place}{style}>{escape(text)}</text>")

    def label(self, x, y, width, text):
        """A short text on a line, centered around a point."""
        self.lines.append(f'  <rect x="{x - width / 2:g}" y="{y - 11}" width="{width}" height="22" rx="11" fill="{GRAY}"/>')
        self.lines.append(f'  <text x="{x:g}" y="{y + 5}" text-anchor="middle" font-size="14">{escape(text)}</text>')

    def finished(self):
        return "\n".join(self.lines + ["</svg>"]) + "\n"


def found(pattern, file):
    """What a pattern captures in a source file."""
    match = re.search(pattern, (ROOT / file).read_text())
    if not match:
        raise SystemExit(f"diagrams: {file} has nothing that matches {pattern}")
    return int(match[1])


def limit(queue):
    file = "Sources/Nuke/Pipeline/ImagePipeline.Configuration.swift"
    return found(rf"public var {queue} = TaskQueue\(maxConcurrentOperationCount: (\d+)", file)


def stages():
    height, step, box = 54, 78, 380
    rows = [
        (GRAY, "Your program", "image(for: request)"),
        (BLUE, "Memory cache", "on the caller’s thread"),
        (BLUE, "Disk cache: the result", f"dataCachingQueue, {limit('dataCachingQueue')} at a time"),
        (BLUE, "Disk cache: the original", f"dataCachingQueue, {limit('dataCachingQueue')} at a time"),
        (GREEN, "Download", f"dataLoadingQueue, {limit('dataLoadingQueue')} at a time; rate limiter"),
        (WHITE, "Decoding", f"imageDecodingQueue, {limit('imageDecodingQueue')} at a time"),
        (WHITE, "Processing", f"imageProcessingQueue, {limit('imageProcessingQueue')} at a time"),
        (GRAY, "Completion", "stored in memory, delivered to all tasks"),
        (BLUE, "Encoding for the disk cache", "imageEncodingQueue; no task waits for it"),
    ]
    drawing = Drawing(len(rows) * step - step + height + 8, "The stages of a load")
    top = [4 + index * step for index in range(len(rows))]
    for index in range(len(rows) - 1):
        drawing.arrow(f"M46 {top[index] + height} V{top[index + 1] - 1}", is_dashed=index == len(rows) - 2)
    # A hit skips the stages between.
    for source, target, line, entry in ((1, 7, 500, 37), (2, 7, 464, 17), (3, 5, 428, 27)):
        drawing.arrow(f"M{box} {top[source] + 27} H{line} V{top[target] + entry} H{box + 1}")
        name, width = ("decode", 58) if source == 2 else ("hit", 34)
        drawing.label((box + line) / 2, top[source] + 27, width, name)
    for y in (top[1], top[2], top[3]):
        drawing.label(82, y + height + 12, 44, "miss")
    for y, (fill, title, note) in zip(top, rows):
        drawing.box(0.5, y, box, height, fill, title, note)
    return drawing.finished()


def coalescing():
    columns, gap, height, step = [0, 176, 352], 8, 54, 82
    drawing = Drawing(4 * step + height + 8, "Three requests that share a download, of which two share a decoding and a resize")
    top = [4 + index * step for index in range(5)]
    for row in range(4):
        for column in columns:
            drawing.arrow(f"M{column + 84} {top[row] + height} V{top[row + 1] - 1}")
    note = "for all three, at the highest priority of the tasks: high"
    drawing.box(0.5, top[0], WIDTH - 1, height, YELLOW, "Download", note, is_centered=True)
    for row, title, shared, alone in (
        (1, "Decoding", "at a reduced size, for both", "at full size"),
        (2, "Resize", "width: 200, for both", "width: 1600"),
    ):
        drawing.box(0.5, top[row], 343, height, YELLOW, title, shared, is_centered=True)
        drawing.box(352.5, top[row], 167, height, WHITE, title, alone, is_centered=True)
    for column, title, note in zip(columns, ("GaussianBlur", "GaussianBlur", "No blur"), ("radius: 4", "radius: 16", "")):
        drawing.box(column + 0.5, top[3], 167, height, WHITE, title, note, is_centered=True)
    for column, name, priority in zip(columns, "ABC", ("low", "low", "high")):
        drawing.box(column + 0.5, top[4], 167, height, GRAY, f"Task {name}", f"priority: {priority}", is_centered=True)
    return drawing.finished()


def prefetching():
    count = found(r"maxConcurrentRequestCount: Int = (\d+)", "Sources/Nuke/Prefetching/ImagePrefetcher.swift")
    if count != 2:
        raise SystemExit("diagrams: the diagram of prefetching shows two requests at a time")
    drawing = Drawing(316, "A prefetcher loads two images at a time, while a view requests others")
    drawing.panel(0, 0, WIDTH, 128, BLUE)
    drawing.text(0, 24, 0, "ImagePrefetcher: low priority, two at a time", ' font-weight="600"')
    drawing.panel(0, 140, WIDTH, 136, GREEN)
    drawing.text(0, 164, 0, "A view: normal priority", ' font-weight="600"')
    lanes = (
        (14, 36, 206, "1"), (228, 36, 170, "4"), (406, 36, 100, "6"),
        (14, 80, 120, "2"), (142, 80, 222, "3"), (372, 80, 134, "5"),
    )
    for x, y, width, name in lanes:
        drawing.box(x, y, width, 36, WHITE, f"image {name}", is_centered=True)
    drawing.box(60, 184, 150, 36, WHITE, "image 9", is_centered=True)
    drawing.text(46, 240, 0, "not prefetched:")
    drawing.text(46, 258, 0, "has a slot at once")
    drawing.arrow("M270 184 V117")
    drawing.arrow("M354 116 V183")
    drawing.box(228, 184, 142, 36, YELLOW, "image 3", is_centered=True)
    drawing.text(210, 240, 0, "joins the load, and")
    drawing.text(210, 258, 0, "raises its priority")
    drawing.box(396, 184, 110, 36, YELLOW, "image 1", is_centered=True)
    drawing.text(392, 240, 0, "memory hit")
    drawing.panel(0, 288, WIDTH, 26, GRAY)
    drawing.arrow("M100 301 H500")
    drawing.text(0, 306, 0, "time")
    return drawing.finished()


def article_diagrams():
    drawings = {"stages": stages, "coalescing": coalescing, "prefetching": prefetching}
    return {f"{RESOURCES}/{name}.svg": draw() for name, draw in drawings.items()}
