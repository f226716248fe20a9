#!/usr/bin/env python3
"""Writes the symbol graphs of a module's documentation.

    Scripts/documents/own-symbols.py GRAPHS OUTPUT MODULE [PART…]

GRAPHS is the folder of the symbol graphs of all modules. OUTPUT gets those of MODULE, without the symbols of modules that
it re-exports, which the compiler writes, too: they would be documented twice, and links to them would be ambiguous. Each
PART is a module that has no documentation of its own: its symbols are documented as those of MODULE.
"""
import json
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote

SOURCES = f"file://{Path(__file__).resolve().parents[2]}/Sources/"
graphs, output, name, *parts = sys.argv[1:]
graphs, output = Path(graphs), Path(output)


def module(symbol):
    uri = unquote(symbol.get("location", {}).get("uri", ""))
    return uri.removeprefix(SOURCES).split("/")[0] if uri.startswith(SOURCES) else None


def own(graph, declaring):
    """What a module declares, and what the compiler and the standard library add to that."""
    declared = {symbol["identifier"]["precise"] for symbol in graph["symbols"] if module(symbol) == declaring}
    synthesized = {symbol["identifier"]["precise"] for symbol in graph["symbols"] if "location" not in symbol}
    kept = declared | {
        relation["source"]
        for relation in graph["relationships"]
        if relation["kind"] == "memberOf" and relation["target"] in declared and relation["source"] in synthesized
    }
    return (
        [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] in kept],
        [relation for relation in graph["relationships"] if relation["source"] in kept],
    )


def members(graph):
    """The members of extensions, as members of the types that they extend."""
    blocks = {
        relation["source"]: relation["target"] for relation in graph["relationships"] if relation["kind"] == "extensionTo"
    }
    relations = [
        relation | {"target": blocks.get(relation["target"], relation["target"])}
        for relation in graph["relationships"]
        if relation["source"] not in blocks
    ]
    return [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] not in blocks], relations


def read(path):
    with open(path) as file:
        return json.load(file)


result = read(graphs / f"{name}.symbols.json")
symbols, relationships = [], []
for part in [name, *parts]:
    found = [own(read(graphs / f"{part}.symbols.json"), part)]
    for path in sorted(graphs.glob(f"{part}@*.symbols.json")):
        if path.name.removesuffix(".symbols.json").split("@")[1] in parts:
            found.append(members(read(path)))
        elif part == name:
            shutil.copy(path, output)
    for more in found:
        symbols += more[0]
        relationships += more[1]
result["symbols"], result["relationships"] = symbols, relationships
with open(output / f"{name}.symbols.json", "w") as file:
    json.dump(result, file)
