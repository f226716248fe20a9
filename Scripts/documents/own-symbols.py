#!/usr/bin/env python3
"""Writes the symbol graph of a module without the symbols of modules that it re-exports.

    Scripts/documents/own-symbols.py GRAPH OUTPUT MODULE…

The compiler writes re-exported symbols, too. They would be documented twice, and links to them would be ambiguous. OUTPUT
has the symbols that the MODULEs declare, and what the compiler and the standard library add to those.
"""
import json
import sys
from pathlib import Path
from urllib.parse import unquote

SOURCES = f"file://{Path(__file__).resolve().parents[2]}/Sources/"
graph_file, output, *modules = sys.argv[1:]


def module(symbol):
    uri = unquote(symbol.get("location", {}).get("uri", ""))
    return uri.removeprefix(SOURCES).split("/")[0] if uri.startswith(SOURCES) else None


with open(graph_file) as file:
    graph = json.load(file)
own = {symbol["identifier"]["precise"] for symbol in graph["symbols"] if module(symbol) in modules}
synthesized = {symbol["identifier"]["precise"] for symbol in graph["symbols"] if "location" not in symbol}
kept = own | {
    relation["source"]
    for relation in graph["relationships"]
    if relation["kind"] == "memberOf" and relation["target"] in own and relation["source"] in synthesized
}
graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["identifier"]["precise"] in kept]
graph["relationships"] = [relation for relation in graph["relationships"] if relation["source"] in kept]
with open(output, "w") as file:
    json.dump(graph, file)
