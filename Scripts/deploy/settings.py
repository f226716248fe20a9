"""Checks with the command that it accepts the settings of all files under deploy.

    python3 Scripts/deploy/settings.py NUKE

NUKE is the command, built with the trait Server. It reads each file's settings as the server would, prints them, and ends.
"""
import os
import re
import subprocess
import sys
import tempfile

import yaml

SECRET = "00" * 32


def read(path):
    with open(path) as file:
        return file.read()


def assignments(text):
    return dict(re.findall(r"(?m)^(NUKE_\w+)=(.*)$", text))


def environments(folder):
    """Returns the variables that each way to run the server sets, by the name of its file."""
    for name in ["keys", "salts"]:
        with open(f"{folder}/{name}", "w") as file:
            file.write(SECRET + "\n")
    unit = dict(pair for line in re.findall(r"(?m)^Environment=(.*)$", read("deploy/systemd/nuke.service"))
                for pair in re.findall(r"(NUKE_\w+)=(\S+)", line))
    unit = {name: value.replace("%d", folder).replace("%C", folder) for name, value in unit.items()}
    result = {"deploy/systemd": unit | assignments(read("deploy/systemd/nuke.env"))}

    image = dict(re.findall(r"\b(NUKE_\w+)=(\S+)", read("deploy/Dockerfile")))
    for name, service in yaml.safe_load(read("deploy/compose.yaml"))["services"].items():
        own = {key: re.sub(r"\$\{.*\}", SECRET, value) for key, value in service.get("environment", {}).items()}
        if "NUKE_KEYS" in own:
            result[f"deploy/compose.yaml, {name}"] = image | own

    secret = yaml.safe_load(read("deploy/kubernetes/secret.example.yaml"))["stringData"]
    secret = {name: SECRET if value == "replace-me" else value for name, value in secret.items()}
    pod = image | secret | {"NUKE_OPERATION_HOST": "10.0.0.1"}
    result["deploy/kubernetes"] = pod | yaml.safe_load(read("deploy/kubernetes/configmap.yaml"))["data"]
    rendered = subprocess.run([sys.executable, "Scripts/deploy/render"], capture_output=True, text=True, check=True).stdout
    data, = [document["data"] for document in yaml.safe_load_all(rendered) if document["kind"] == "ConfigMap"]
    result["deploy/kubernetes/values.yaml"] = pod | data
    return result


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for name, variables in environments(folder).items():
            run = subprocess.run(
                [sys.argv[1], "serve", "--print-config"], env={"PATH": os.environ["PATH"]} | variables, capture_output=True,
                text=True)
            if run.returncode != 0:
                sys.exit(f"check-deploy: the server does not accept the settings of {name}: {run.stderr.strip()}")
            unused = [variable for variable in variables if variable not in run.stdout]
            if unused:
                sys.exit(f"check-deploy: the server does not use {', '.join(unused)} of {name}")
            print(f"the server accepts the {len(variables)} settings of {name}")


main()
