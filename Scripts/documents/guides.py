#!/usr/bin/env python3
"""Writes a DocC catalog with the guides in docs, so that the documentation site contains them.

    Scripts/documents/guides.py CATALOG

Links between the guides, and to the articles of the modules, stay links. Links to other files lead to the repository, or
become text as long as the repository has no address.
"""
import re, shutil, sys
from pathlib import Path

sys.dont_write_bytecode = True
from address import NOTICE, UNSET, address
from markdown import FENCE, HEADING, ROOT, anchors

GROUPS = {
    "The command": ["command-line", "coming-from-imagemagick"],
    "The server": ["serving-images", "coming-from-imgproxy", "from-one-machine-to-many"],
    "Images and colors": ["features", "colors", "odd-files"],
    "Working on the package": ["architecture", "first-tasks", "nuke-behavior"],
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def anchor_of(name, slug):
    """DocC's name of the heading that has a name on GitHub."""
    lines = (ROOT / f"docs/{name}.md").read_text().split("\n")
    title = next(heading[1] for line in lines if (heading := HEADING.match(line)) and slug in anchors([line]))
    return re.sub(r"[^\w()’-]+", "-", title.replace("`", "")).strip("-")


def converted(name, resources):
    def link(match):
        mark, text, target = match.groups()
        path, _, slug = target.partition("#")
        if re.match(r"[a-z]+:", target):
            return match[0]
        file = (ROOT / "docs" / path).resolve().relative_to(ROOT) if path else Path(f"docs/{name}.md")
        if mark:
            shutil.copy(ROOT / file, resources / file.name)
            return f"![{text}]({file.name})"
        if file.parent == Path("docs"):
            return f"[{text}](<doc:{file.stem}{'#' + anchor_of(file.stem, slug) if slug else ''}>)"
        if file.parent.suffix == ".docc":
            return f"[{text}](/documentation/{file.parent.stem.lower()}/{file.stem.lower()})"
        return text if address() == UNSET else f"[{text}]({address()}/blob/main/{file})"

    title, *lines = NOTICE.sub("", (ROOT / f"docs/{name}.md").read_text()).split("\n")
    # Only prose has links. Titles of pages have no code.
    parts, fence = [[title.replace("`", "")]], None
    for line in lines:
        marker = FENCE.match(line)
        is_code = fence is not None or marker is not None or line.startswith("    ")
        if marker:
            fence = None if fence and marker[1].startswith(fence) and not marker[2] else fence or marker[1]
        if is_code != (len(parts) % 2 == 0):
            parts.append([])
        parts[-1].append(line)
    texts = ["\n".join(part) for part in parts]
    return "\n".join(LINK.sub(link, text) if index % 2 == 0 else text for index, text in enumerate(texts))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    catalog = Path(sys.argv[1])
    resources = catalog / "Resources"
    resources.mkdir(parents=True)
    names = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))
    known = {name for group in GROUPS.values() for name in group}
    groups = GROUPS | {"More": [name for name in names if name not in known]}
    lines = ["# Guides", "", "@Metadata {", "  @TechnologyRoot", "}", ""]
    lines += ["The command, the server, and how the package works.", "", "## Topics"]
    for title, group in groups.items():
        if present := [name for name in group if name in names]:
            lines += ["", f"### {title}", "", *(f"- <doc:{name}>" for name in present)]
    (catalog / "Guides.md").write_text("\n".join(lines) + "\n")
    for name in names:
        (catalog / f"{name}.md").write_text(converted(name, resources))


main()
