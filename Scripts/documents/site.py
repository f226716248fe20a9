#!/usr/bin/env python3
"""Adds a start page, a search that needs no other server, and a link to both on each page, to a site that DocC has written.

    Scripts/documents/site.py SITE BASE

SITE is the folder of the site, and BASE the path under which a server serves it, such as / or /nuke.
"""
import json, re, shutil, sys
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent / "site"
# DocC shows the template of this name above each page.
HEADER = """<template id="custom-header"><style>
nav { display: flex; gap: 20px; padding: 0 20px; background: #1d1d1f; font: 15px system-ui, "Helvetica Neue", Arial, sans-serif }
a { display: inline-block; padding: 12px 0; color: #fff; text-decoration: none }
a:hover, a:focus-visible { text-decoration: underline }
</style><nav aria-label="Site"><a href="BASE">Nuke for Linux</a><a href="BASE?q=">Search</a></nav></template>"""


def texts(value):
    """The texts and code in a page's contents, in order."""
    if isinstance(value, list):
        for element in value:
            yield from texts(element)
    elif isinstance(value, dict):
        if isinstance(value.get("code"), list):
            yield " ".join(value["code"])
        for key in ("text", "code", "title"):
            if isinstance(value.get(key), str):
                yield value[key]
        for key, child in value.items():
            if isinstance(child, (list, dict)) and key != "metadata":
                yield from texts(child)
        # A symbol in a sentence is named by its path.
        if value.get("type") == "reference":
            yield value["identifier"].rsplit("/", 1)[-1]


def headings(value):
    if isinstance(value, list):
        for element in value:
            yield from headings(element)
    elif isinstance(value, dict):
        if value.get("type") == "heading":
            yield value["text"]
        else:
            yield from headings(list(value.values()))


def joined(parts):
    text = re.sub(r"\s+", " ", " ".join(parts)).strip()
    return re.sub(r" (?=[.,;:)])|(?<=\() ", "", text)


def page(file, site):
    data = json.loads(file.read_text())
    path = file.relative_to(site / "data").with_suffix("").as_posix() + "/"
    summary = joined(texts(data.get("abstract", [])))
    is_article = data["kind"] != "symbol"
    if not is_article and not summary:
        return None
    module = data["metadata"].get("modules", [{}])[0].get("name", "Guide")
    kind = module if is_article else f"{data['metadata'].get('roleHeading', '')}, {module}"
    content = data.get("primaryContentSections", []) if is_article else []
    found = [title for title in headings(content) if title != "Overview"]
    return [data["metadata"]["title"], kind, path, summary, joined(found), joined(texts(content))]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    site, base = Path(sys.argv[1]), sys.argv[2].rstrip("/") + "/"
    header = HEADER.replace("BASE", base)
    for file in (site / "documentation").rglob("*.html"):
        file.write_text(re.sub(r"(<body[^>]*>)", lambda body: body[0] + header, file.read_text(), count=1))

    pages = [found for file in sorted((site / "data/documentation").rglob("*.json")) if (found := page(file, site))]
    (site / "search-index.json").write_text(json.dumps(pages, ensure_ascii=False, separators=(",", ":")))
    shutil.copy(TEMPLATES / "search.js", site)
    start = (TEMPLATES / "index.html").read_text()
    missing = [path for path in re.findall(r'href="(documentation/[^"]*)"', start) if not (site / path / "index.html").exists()]
    if missing:
        sys.exit(f"site: the start page links to pages that do not exist: {', '.join(missing)}")
    # Many servers send 404.html for a page that does not exist, at any depth.
    start = start.replace("<!-- base -->", f'<base href="{base}">')
    for name in ("index.html", "404.html"):
        (site / name).write_text(start)


main()
