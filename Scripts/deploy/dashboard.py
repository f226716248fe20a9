"""Checks the dashboard for Grafana: its layout, and that the server exports every metric it shows."""
import glob
import itertools
import json
import re
import sys


def require(condition, text):
    if not condition:
        sys.exit(f"check-deploy: {text}")


def exported():
    """Returns the kinds of the metrics in the Swift sources, by their names."""
    kinds = {}
    for path in glob.glob("Sources/**/*.swift", recursive=True):
        with open(path) as file:
            text = file.read()
        functions = "Timer|RequestDurations|Counter|Meter|Gauge|CollectedMetric|ofQueues"
        maker = rf'\b({functions})\(\s*(?:label: )?"((?:nuke|process)_\w+)"(, \.histogram)?'
        for function, name, histogram in re.findall(maker, text):
            kinds[name] = "histogram" if function in ("Timer", "RequestDurations") or histogram else "number"
        # Tables of names without prefix and suffix, in calls or in variables that calls follow.
        suffixes = {"counters": "_total", "gauges": ""}
        names, prefix, kind = [], None, None
        beginnings = (
            r'let (\w+): \[CollectedMetric\.Row\]|\.(counters|gauges)\(\s*"(\w+_)",\s*(\w+)?'
            r'|\(\s*"(?!nuke_)(\w+)",\s*"')
        for table, call, own, variable, row in re.findall(beginnings, text):
            if table:
                prefix, kind = None, table
            elif call and variable:
                kinds |= {own + name + suffixes[call]: "number" for of, name in names if of == variable}
                names = [entry for entry in names if entry[0] != variable]
            elif call:
                prefix, kind = own, call
            elif prefix:
                kinds[prefix + row + suffixes[kind]] = "number"
            elif kind:
                names.append((kind, row))
    return kinds


def is_exported(name, kinds):
    series = re.fullmatch(r"(\w+)_(bucket|sum|count)", name)
    return kinds.get(name) == "number" or series and kinds.get(series[1]) == "histogram"


with open("deploy/grafana/nuke.json") as file:
    dashboard = json.load(file)
require(dashboard["schemaVersion"] >= 39, "the dashboard is not in the schema of Grafana 10")
variables = {variable["name"]: variable["type"] for variable in dashboard["templating"]["list"]}
wanted = {"datasource": "datasource", "instance": "query"}
require(variables == wanted, "the dashboard's variables are not datasource and instance")

panels = dashboard["panels"]
places = {}
ids = [panel["id"] for panel in panels]
require(len(set(ids)) == len(ids), "two panels have the same id")
for panel in panels:
    title, place = panel["title"], panel["gridPos"]
    require(place["x"] >= 0 and place["x"] + place["w"] <= 24, f"the panel {title} is not within the 24 columns")
    for cell in itertools.product(
        range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])):
        require(cell not in places, f"the panels {places.get(cell)} and {title} overlap")
        places[cell] = title

kinds = exported()
require(len(kinds) > 60, f"only {len(kinds)} metrics were found in the sources")
templating = dashboard["templating"]["list"]
queries = [(variable["name"], variable["query"]) for variable in templating if variable["type"] == "query"]
for panel in panels:
    if panel["type"] == "row":
        continue
    source = panel["datasource"]["uid"]
    require(source == "${datasource}", f"the panel {panel['title']} does not use the variable datasource")
    require(panel["targets"], f"the panel {panel['title']} has no queries")
    for target in panel["targets"]:
        queries.append((panel["title"], target["expr"]))
        selectors = re.findall(r"\w+\{([^}]*)\}", target["expr"])
        require(
            selectors and all('instance=~"$instance"' in selector for selector in selectors),
            f"a query of the panel {panel['title']} does not use the variable instance")
used = set()
for title, query in queries:
    for name in re.findall(r"\b(?:nuke|process)_\w+|\w+(?=\{)", query):
        require(is_exported(name, kinds), f"the server exports no {name}, which {title} shows")
        used.add(name)
print(f"the server exports all {len(used)} series of the dashboard's {len(panels)} panels")
