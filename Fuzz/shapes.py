#!/usr/bin/env python3
"""Generates files of one format from its structure: valid ones with hostile numbers, repetitions, nesting and references.

Usage: shapes.py TARGET COUNT SEED OUTPUT; TARGET is GIF, SVG, TIFF, Video, HEIC or EXIF. Writes OUTPUT/<number>. The same
arguments give the same files. Needs nothing but Python.
"""

import base64
import gzip
import pathlib
import random
import struct
import sys

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Tests/NukeCodecsTests/Fixtures"

# Numbers at the edges of the types that programs store them in.
EDGES = [0, 1, 2, 7, 8, 255, 256, 4095, 16384, 32767, 32768, 65500, 65535, 65536, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]


class Shapes:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.choice = self.random.choice

    def number(self, most):
        """A small number, or one at an edge, below a limit."""
        if self.random.random() < 0.5:
            return min(self.random.randrange(40), most)
        return self.choice([edge for edge in EDGES if edge <= most])

    def repeated(self, make, most):
        """What `make` gives, as often as a small number, rarely a large one."""
        count = self.random.randrange(5) if self.random.random() < 0.95 else self.random.randrange(most)
        if self.random.random() < 0.5:
            return [make()] * count if count else []
        return [make() for _ in range(min(count, 200))]

    # SVG

    NUMBERS = "0 1 -1 3 10 -5 .5 1e-9 1e3 1e5 1e6 3e6 1e7 1e8 -1e7 2147483647 1e15 1e30 1e300 nan inf -0 1e-300 1e999".split()
    UNITS = ["", "", "", "", "%", "em", "ex", "px", "in", "cm", "pt"]

    def plain(self):
        return self.choice(self.NUMBERS)

    def length(self):
        return self.plain() + self.choice(self.UNITS)

    def lengths(self, most=6):
        return " ".join(self.length() for _ in range(self.random.randrange(1, most)))

    def transform(self):
        names = {"scale": 2, "rotate": 3, "translate": 2, "skewX": 1, "matrix": 6}
        name = self.choice(list(names))
        return f"{name}({' '.join(self.plain() for _ in range(names[name]))})"

    def path(self):
        commands = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}

        def step():
            letter = self.choice(list(commands))
            numbers = [self.plain() for _ in range(commands[letter])]
            return self.choice([letter, letter.lower()]) + " ".join(numbers)

        return f"M{self.plain()} {self.plain()}" + "".join(self.repeated(step, 5000))

    def style(self):
        reference = f"url(#{self.choice('abcdefgh')})" if self.random.random() < 0.9 else self.css(3)
        properties = {
            "fill": self.choice(["red", "none", reference]), "stroke": self.choice(["blue", "none", reference]),
            "stroke-width": self.length(), "stroke-dasharray": self.lengths(), "stroke-dashoffset": self.length(),
            "stroke-linecap": self.choice(["round", "square"]), "stroke-linejoin": "round", "stroke-miterlimit": self.plain(),
            "filter": reference, "mask": reference, "clip-path": reference, "marker-mid": reference,
            "marker-start": reference, "opacity": self.plain(), "font-size": self.length(), "letter-spacing": self.length(),
            "mix-blend-mode": "screen", "vector-effect": "non-scaling-stroke", "font-weight": self.plain(),
        }
        chosen = self.random.sample(sorted(properties), self.random.randrange(4))
        if self.random.random() < 0.2:
            return 'style="' + ";".join(f"{name}:{properties[name]}" for name in chosen) + '"'
        return " ".join(f'{name}="{properties[name]}"' for name in chosen)

    def attributes(self, *names):
        chosen = [name for name in names if self.random.random() < 0.6]
        extra = [f'id="{self.choice("abcdefgh")}"'] if self.random.random() < 0.3 else []
        extra += [f'class="{self.choice("xyz")} {self.choice("xyz")}"'] if self.random.random() < 0.2 else []
        extra += [f'transform="{self.transform()}"'] if self.random.random() < 0.2 else []
        return " ".join([f'{name}="{self.length()}"' for name in chosen] + extra + [self.style()])

    def box(self):
        return f'viewBox="{self.plain()} {self.plain()} {self.plain()} {self.plain()}"' if self.random.random() < 0.4 else ""

    def filters(self):
        names = "GaussianBlur Offset Flood ColorMatrix Tile Composite Turbulence DisplacementMap DropShadow Image Merge Blend Morphology ConvolveMatrix".split()
        return "".join(
            f'<fe{name} stdDeviation="{self.plain()}" dx="{self.plain()}" radius="{self.plain()}" order="{self.plain()}"'
            f' numOctaves="{self.plain()}" baseFrequency="{self.plain()}" {self.attributes("x", "y", "width", "height")}/>'
            for name in self.random.sample(names, self.random.randrange(1, 4)))

    def element(self, level=0):
        place = ("x", "y", "width", "height")
        units = self.choice(["", 'clipPathUnits="objectBoundingBox"', 'maskContentUnits="objectBoundingBox"',
            'patternContentUnits="objectBoundingBox"', 'filterUnits="userSpaceOnUse"', 'primitiveUnits="objectBoundingBox"'])
        leaves = [
            lambda: f'<rect {self.attributes(*place, "rx", "ry")}/>',
            lambda: f'<circle {self.attributes("cx", "cy", "r")}/>',
            lambda: f'<line {self.attributes("x1", "x2", "y1", "y2")}/>',
            lambda: f'<path d="{self.path()}" {self.attributes()}/>',
            lambda: f'<polyline points="{" ".join(self.repeated(self.plain, 5000))}" {self.attributes()}/>',
            lambda: f'<text {self.attributes("x", "dx", "font-size", "textLength")}>{"".join(self.repeated(lambda: self.choice("ab &#x645;&e;"), 5000))}</text>',
            lambda: f'<use href="#{self.choice("abcdefgh")}" {self.attributes(*place)}/>',
            lambda: f'<image href="{self.link()}" {self.attributes(*place)}/>',
            lambda: f'<feImage href="{self.link()}"/>',
            lambda: f'<filter {units} {self.attributes(*place)}>{self.filters()}</filter>',
            lambda: f"<style>{''.join(self.repeated(self.rule, 3000))}</style>",
            lambda: f"<style>{self.css(40)}{self.rule()}</style>",
            lambda: f'<rect style="{self.css(8)}" fill="{self.css(4)}" width="{self.css(2)}"/>',
            lambda: "<?xml-stylesheet href='a.css'?>",
        ]
        groups = [("g", ""), ("svg", self.box()), ("symbol", self.box()), ("pattern", units + " " + self.box()),
            ("marker", self.box()), ("mask", units), ("clipPath", units), ("a", ""), ("switch", "")]
        if level < 6 and self.random.random() < 0.4:
            name, more = self.choice(groups)
            inside = "".join(self.repeated(lambda: self.element(level + 1), 300))
            return f'<{name} {more} {self.attributes(*place)}>{inside}</{name}>'
        return self.choice(leaves)()

    # What divides CSS, and what refers to something external.
    CSS = ["@import url(x;y);", "@import 'data:text/css,a%7B%7D'", "@media all{", "@", "/*", "*/", "'", "&quot;", "{", "}", "(", ")",
        "[", "]", ";", ":", ",", "\\", "\n", "&#10;", "url(", "url(#a)", "url('#b')", "url(data:image/svg+xml,a#b)", "&lt;!--",
        "-->", "<!-- -->", "rect", ".x", "#a", "fill", "font-size", "1e7", "red", ":not(", "&#x600;", "&#x301;", "\\40 ", "&e;"]

    def css(self, most):
        return "".join(self.choice(self.CSS) for _ in range(self.random.randrange(most + 1)))

    def link(self):
        # A PNG and a GIF of one pixel, and what is no image.
        images = ["iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
            "R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "iVBORw0KGgo=", "AAAA", "", base64.b64encode(b"<svg/>").decode()]
        kind = self.choice(["image/png", "IMAGE/GIF", "image/svg+xml", "image/avif", "", "text/css;x=y"])
        link = self.choice([" data:", "DATA:", "da&#10;ta:"]) + kind + self.choice([";base64,", ",", "; base64,"]) + self.choice(images)
        return self.choice([link, link, link + "#a", link[:-1], "https://a.test/b.png", "#a"])

    def rule(self):
        selector = self.choice(["*", "rect", ".x", ".x.y", "g > path", "g g rect", "#a", ":first-child", "rect ~ rect"])
        return selector + "{" + self.style().replace('style="', "").replace('="', ":").replace('"', ";") + "}"

    def svg(self):
        entities = '<!DOCTYPE svg [<!ENTITY e "text"><!ENTITY f "&e;&e;&e;">]>' if self.random.random() < 0.1 else ""
        inside = "".join(self.element() for _ in range(self.random.randrange(1, 8)))
        text = (entities + f'<svg xmlns="http://www.w3.org/2000/svg" {self.attributes("width", "height")} {self.box()}>{inside}</svg>').encode()
        return text if self.random.random() < 0.9 else gzip.compress(text, mtime=0)

    # GIF

    def gif(self):
        def frame():
            fields = [self.number(65535) for _ in range(4)]
            codes = bytes(self.random.randrange(256) for _ in range(self.random.randrange(40)))
            control = b"!\xf9\x04" + struct.pack("<BHBB", self.random.randrange(32), self.number(65535), 0, 0)
            data = bytes([self.random.randrange(14)]) + (bytes([len(codes)]) + codes if codes else b"") + b"\0"
            return control + b"," + struct.pack("<4HB", *fields, self.choice([0, 0x40])) + data

        size = [self.number(65535), self.number(65535)]
        loop = b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<HB", self.number(65535), 0)
        comment = lambda: b"!\xfe\x02ab\0"
        parts = self.repeated(frame, 3000) + self.repeated(comment, 3000) + [loop]
        self.random.shuffle(parts)
        return b"GIF89a" + struct.pack("<2H3B", *size, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff" + b"".join(parts) + b";"

    # TIFF, and EXIF, which is a TIFF file

    TAGS = [256, 257, 258, 259, 262, 273, 274, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325, 330, 338, 339, 513, 514,
        34377, 34665, 34675, 36867, 37510, 40965]

    def tiff(self):
        order = self.choice("<>")
        count = self.choice([0, 1, 9, 12, 20, 400])
        entries = []
        for tag in sorted(self.choice(self.TAGS) for _ in range(count)):
            kind = self.choice([1, 2, 3, 3, 4, 4, 5, 7, 12, 13, 99])
            value = {259: self.choice([1, 5, 8, 32773]), 258: 8, 262: self.choice([0, 1, 2, 3, 5])}.get(tag)
            if value is None:
                value = self.number((1 << 32) - 1) if self.random.random() < 0.6 else self.random.randrange(600)
            items = 1 if self.random.random() < 0.8 else self.number((1 << 32) - 1)
            if kind == 3 and order == ">" and items == 1:
                value = (value & 0xFFFF) << 16
            entries.append(struct.pack(order + "HHII", tag, kind, items, value))
        head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, len(entries))
        following = self.choice([0, 8, 8 + 2 + 12 * len(entries), self.number((1 << 32) - 1)])
        return head + b"".join(entries) + struct.pack(order + "I", following) + bytes(self.random.randrange(256) for _ in range(300))

    # Boxes

    def boxes(self, data, level=0):
        """The boxes of a file with numbers changed, and boxes repeated, nested, left out and exchanged."""
        boxes, place = [], 0
        while place + 8 <= len(data):
            size, kind = struct.unpack(">I4s", data[place:place + 8])
            size = size if 8 <= size <= len(data) - place else len(data) - place
            boxes.append([kind, data[place + 8:place + size]])
            place += size
        containers = [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"iprp", b"ipco", b"dinf", b"meta"]
        for box in boxes:
            skipped = 4 if box[0] == b"meta" else 0
            if box[0] in containers and level < 8:
                box[1] = box[1][:skipped] + self.boxes(box[1][skipped:], level + 1)
            elif box[0] != b"mdat" and len(box[1]) >= 4 and self.random.random() < 0.15:
                for _ in range(self.random.randrange(1, 4)):
                    at = self.random.randrange(len(box[1]) // 4) * 4
                    box[1] = box[1][:at] + struct.pack(">I", self.number((1 << 32) - 1)) + box[1][at + 4:]
        if boxes and self.random.random() < 0.1:
            change = self.random.randrange(4)
            box = self.choice(boxes)
            if change == 0:
                boxes += [box] * self.choice([1, 2, 300])
            elif change == 1:
                boxes.remove(box)
            elif change == 2:
                for _ in range(self.choice([1, 2, 300])):
                    box[1] = struct.pack(">I4s", len(box[1]) + 8, box[0]) + box[1]
            else:
                self.random.shuffle(boxes)
        sizes = [len(box[1]) + 8 if self.random.random() < 0.99 else self.number((1 << 32) - 1) for box in boxes]
        return b"".join(struct.pack(">I4s", size, box[0]) + box[1] for size, box in zip(sizes, boxes))

    def changed(self, pattern):
        files = sorted(file for file in FIXTURES.glob(pattern) if file.stat().st_size < 50_000)
        return self.boxes(self.choice(files).read_bytes())


def main():
    target, count, seed, output = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4])
    shapes = Shapes(seed)
    make = {
        "GIF": shapes.gif, "SVG": shapes.svg, "TIFF": shapes.tiff, "EXIF": shapes.tiff,
        "Video": lambda: shapes.changed("Video/*.m??"), "HEIC": lambda: shapes.changed("HEIC/*.heic"),
    }[target]
    output.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (output / str(number)).write_bytes(make()[:1 << 20])


if __name__ == "__main__":
    main()
