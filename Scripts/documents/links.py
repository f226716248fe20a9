"""Finds links that lead nowhere."""
import re
from urllib.parse import unquote

from markdown import ROOT


def check_links(texts):
    by_path = {(ROOT / text.path).resolve(): text for text in texts}
    return [
        f"{text.path}:{line}: {problem}"
        for text in texts
        for line, target in text.links
        if (problem := problem_of(target, text, by_path))
    ]


def problem_of(target, text, by_path):
    """Says what is wrong with a link; `None` if nothing is."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    name, _, anchor = unquote(target).partition("#")
    path = (ROOT / text.path).parent / name if name else ROOT / text.path
    if not path.exists() and not is_resource(name, text) and not is_article(name):
        return f"there is no file {name}"
    if anchor:
        other = by_path.get(path.resolve())
        if other is None:
            return f"{name} has no headings to link to"
        if anchor not in other.anchors:
            return f"{other.path} has no heading #{anchor}"
    return None


def is_resource(name, text):
    """Articles name an image of their catalog without its folder and extension."""
    catalog = next((parent for parent in text.path.parents if parent.suffix == ".docc"), None)
    return catalog is not None and "/" not in name and any((ROOT / catalog / "Resources").glob(f"{name}*.*"))


def is_article(name):
    """Articles link to those of other modules by the addresses of the documentation site."""
    match = re.fullmatch(r"/documentation/([a-z0-9]+)/([a-z0-9]+)", name)
    articles = ROOT.glob("Sources/*/*.docc/*.md")
    return match is not None and any((a.parent.stem.lower(), a.stem.lower()) == match.groups() for a in articles)
