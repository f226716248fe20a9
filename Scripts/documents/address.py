"""The address of the repository in the documents: it is set in one file, and no other one and no gap stands for it."""
import re

from markdown import ROOT

FILE = ROOT / "Scripts/documents/address"
# Until the repository has an address, this one stands for it. Nobody can register it (RFC 2606).
UNSET = "https://example.com/nuke"
# The text between these comments, which readers do not see, says that there is no address yet.
NOTICE = re.compile(r"<!-- address -->.*?<!-- /address -->\n", re.DOTALL)

# Where a manifest or a command names a repository.
USES = re.compile(r"""\burl: "([^"]*)"|\bgit clone (\S+)|--mirror (\S+)""")
# An address with a gap, such as …/nuke, .../nuke, OWNER/nuke and <user>/nuke.
GAPS = re.compile(
    r"(?:(?<![/\w])(?:…|(?<!\.)\.\.\.)|\b(?:OWNER|USER|YOUR[-_]\w+)|<(?:owner|user|org\w*|url)>)/\w[\w./-]*")
# A link that leads to no page.
GAPS_IN_LINKS = re.compile(r"…|\.\.\.|\bexample\.(?:com|org|net)\b|[<>]")


def address():
    return FILE.read_text().strip()


def check_address(texts):
    """Says where a document has a gap in place of an address, or another address of the repository."""
    current = address()
    failures = []
    for text in texts:
        lines = (ROOT / text.path).read_text().split("\n")
        failures += [f"{text.path}:{number}: {problem}" for number, problem in problems(lines, current)]
        failures += [
            f"{text.path}:{number}: the link to {target} leads to no page"
            for number, target in text.links
            if GAPS_IN_LINKS.search(target)
        ]
        if current != UNSET and NOTICE.search("\n".join(lines)):
            failures.append(f"{text.path}: says that the repository has no address; it has {current}")
    return failures


def problems(lines, current):
    for number, line in enumerate(lines, 1):
        if gap := GAPS.search(line):
            yield number, f"{gap[0]} is no address; the repository's is {current}"
        for use in USES.finditer(line):
            target = (use[1] or use[2] or use[3]).rstrip("`.,")
            # Names are compared as SwiftPM does. Those of kean/Nuke are the package for Apple's platforms.
            name = target.removesuffix(".git").rsplit("/", 1)[-1].lower()
            if name == "nuke" and "://" in target and "/kean/" not in target and target != current:
                yield number, f"the address of the repository is {current}, not {target}; see Scripts/repository"


def replaced(text, old, new):
    """The text with another address, and without the notice that there is none."""
    if new != UNSET:
        text = NOTICE.sub("", text)
    return re.sub(re.escape(old) + r"(?![\w-])", lambda _: new, text)
