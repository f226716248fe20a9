"""Compares the programs in the article "Start here" with the packages that `Scripts/check-start-here` builds."""
from markdown import ROOT

ARTICLE = "Sources/Nuke/Nuke.docc/StartHere.md"
# The reader's packages are beside this one, and the examples below it.
DEPENDENCY = ('.package(name: "nuke", path: "../../.."', '.package(path: "../nuke"')


def check_programs(texts):
    article = next(text for text in texts if str(text.path) == ARTICLE)
    programs = {
        path.read_text().replace(*DEPENDENCY): path.relative_to(ROOT)
        for path in sorted((ROOT / "Examples/StartHere").glob("*/**/*.swift"))
        if ".build" not in path.parts
    }
    shown = {block.text: block.line for block in article.blocks if block.language == "swift"}
    unknown = [line for text, line in shown.items() if text not in programs]
    hidden = [path for text, path in programs.items() if text not in shown]
    return [f"{ARTICLE}:{line}: no file below Examples/StartHere has this text" for line in unknown] + [
        f"{path}: {ARTICLE} does not show this text" for path in hidden
    ]
