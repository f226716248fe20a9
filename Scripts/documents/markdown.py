"""Reads as much of Markdown as the checks need: headings, links and code blocks, with their lines."""
import re, subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"\s*(```+|~~~+)\s*(\w*)")
HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
# In the text, as a definition, and as HTML.
LINK = re.compile(
    r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)|\b(?:src|href)=\"([^\"]+)\"",
    re.MULTILINE)


@dataclass
class Block:
    line: int
    # The word after the fence; `None` for an indented block.
    language: str | None
    lines: list[str] = field(default_factory=list)

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)


@dataclass
class Document:
    # Relative to the repository.
    path: Path
    anchors: set[str]
    # The line and the target of each.
    links: list[tuple[int, str]]
    blocks: list[Block]


def documents():
    """The Markdown files that are tracked, and those that are about to be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    paths = sorted({Path(name) for name in names if name and "/Fixtures/" not in name})
    return [read(path, (ROOT / path).read_text()) for path in paths if (ROOT / path).exists()]


def read(path, text):
    prose, blocks, fence, is_list, is_indented = [], [], None, False, False
    for number, line in enumerate(text.split("\n"), 1):
        marker = FENCE.match(line)
        if fence is not None:
            if marker and marker[1].startswith(fence) and not marker[2]:
                fence = None
            else:
                blocks[-1].lines.append(line)
            prose.append("")
            continue
        if marker:
            fence = marker[1]
            blocks.append(Block(number + 1, marker[2]))
            prose.append("")
            continue
        # Within a list, four spaces continue an item.
        if line.startswith("    ") and not is_list and (is_indented or not prose or not prose[-1].strip()):
            if not is_indented:
                blocks.append(Block(number, None))
            blocks[-1].lines.append(line[4:])
            is_indented = True
            prose.append("")
            continue
        is_indented = False
        if line and not line[0].isspace():
            is_list = re.match(r"[-*+] |\d+[.)] ", line) is not None
        prose.append(line)
    # Code spans have no links. The length stays, and so does the line of each offset.
    joined = re.sub(r"`+[^`\n]+`+", lambda span: "x" * len(span[0]), "\n".join(prose))
    links = [
        (joined.count("\n", 0, match.start()) + 1, match[1] or match[2] or match[3]) for match in LINK.finditer(joined)
    ]
    return Document(path, anchors(prose), links, blocks)


def anchors(prose):
    """The names that GitHub gives to headings."""
    found, counts = set(), {}
    for line in prose:
        if not (heading := HEADING.match(line)):
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found
