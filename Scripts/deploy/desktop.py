"""Checks the files under deploy/desktop: that desktops accept them, and that they agree with the program and each other.

Uses desktop-file-validate and appstreamcli if they are installed, and says so if they are not.
"""
import configparser
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

FOLDER = Path("deploy/desktop")
SVG = "{http://www.w3.org/2000/svg}"
# The types of shared-mime-info, where they are not image/NAME. Older versions of it, and other desktops, have the second names.
TYPES = {"heic": ["image/heif", "image/heic"], "svg": ["image/svg+xml", "image/svg+xml-compressed"],
         "ico": ["image/vnd.microsoft.icon", "image/x-icon"]}
# Until the project has a domain, there is no reverse domain name that nobody else may use.
OVERRIDES = "cid-desktopapp-is-not-rdns=info"


def require(condition, text):
    if not condition:
        sys.exit(f"check-deploy: {text}")


def run(*command):
    """Runs a program that checks a file, if it is installed."""
    if not shutil.which(command[0]):
        print(f"{command[0]} is not installed, so {command[-1]} is only partly checked; Scripts/setup --test installs it")
        return
    result = subprocess.run(command, capture_output=True, text=True)
    # desktop-file-validate also succeeds with warnings.
    output = (result.stdout + result.stderr).strip()
    failed = result.returncode != 0 or (command[0] == "desktop-file-validate" and output)
    require(not failed, f"{command[0]} says of {command[-1]}:\n{output}")


def parsed(path):
    try:
        return ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        sys.exit(f"check-deploy: {path} is not XML: {error}")


def check_entry(path, identifier):
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes="#", delimiters="=")
    parser.optionxform = str
    parser.read(path)
    entry = parser["Desktop Entry"]
    for key in ["Icon", "StartupWMClass", "TryExec"]:
        require(entry[key] == identifier, f"{path}: {key} is not {identifier}")
    require(entry["Exec"].split()[0] == identifier, f"{path}: Exec does not run {identifier}")
    formats = re.search(r"enum ImageFormat\b.*?\{((?:\s*case [^\n:]+\n)+)", Path("Sources/NukeCodecs/ImageFormat.swift").read_text())
    require(formats, f"no formats were found to compare with those of {path}")
    images = set(re.findall(r"\b(?!case)\w+", formats[1])) - {"mp4", "mov", "webm"}
    expected = {kind for name in images for kind in TYPES.get(name, [f"image/{name}"])} | {"inode/directory"}
    found = set(entry["MimeType"].strip(";").split(";"))
    require(found == expected, f"{path}: the media types differ from the formats in {', '.join(sorted(found ^ expected))}")
    return len(found)


def check_icon(path):
    root = parsed(path)
    require(root.tag == f"{SVG}svg", f"{path} is not an SVG image")
    box = root.get("viewBox", "").split()
    require(len(box) == 4 and box[:2] == ["0", "0"] and box[2] == box[3], f"{path} is not square")
    for element in root.iter():
        require(element.tag.startswith(SVG) and element.tag not in [SVG + "image", SVG + "script", SVG + "text"],
                f"{path}: {element.tag} looks different from one desktop to the next")
        for name in element.attrib:
            require("href" not in name and not name.startswith("on"), f"{path}: {name} refers to something else")


def check_metainfo(path, identifier):
    root = parsed(path)
    require(root.findtext("id") == identifier, f"{path}: the id is not {identifier}")
    require(root.findtext("launchable") == f"{identifier}.desktop", f"{path}: the launchable is not {identifier}.desktop")
    address = Path("Scripts/documents/address").read_text().strip()
    require(root.findtext("url") == address, f"{path}: the homepage is not {address}; see Scripts/repository")


def main():
    source = "".join(path.read_text() for path in Path("Sources/NukeGallery").rglob("*.swift"))
    identifier = re.search(r'setProgramName\(\s*"[^"]+", id: "([^"]+)"', source)
    require(identifier, "Sources/NukeGallery does not set the name of the program")
    identifier = identifier[1]
    entry, metainfo = FOLDER / f"{identifier}.desktop", FOLDER / f"{identifier}.metainfo.xml"
    icons = [FOLDER / f"{identifier}.svg", FOLDER / f"{identifier}-symbolic.svg"]
    for path in [entry, metainfo, *icons]:
        require(path.exists(), f"there is no {path}, the name of which is that of the window")
    count = check_entry(entry, identifier)
    for icon in icons:
        check_icon(icon)
    check_metainfo(metainfo, identifier)
    run("desktop-file-validate", entry)
    run("appstreamcli", "validate", "--no-net", "--override", OVERRIDES, metainfo)
    print(f"the desktop file of {identifier} has all {count} media types, and its icons and metainfo fit it")


main()
