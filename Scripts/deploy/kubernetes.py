"""Checks the manifests under deploy/kubernetes, and what other files under deploy have in common with them."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import yaml


def require(condition, text):
    if not condition:
        sys.exit(f"check-deploy: {text}")


def read(path):
    with open(path) as file:
        return file.read()


def size(text):
    """Returns the bytes of a size such as 2Gi, 256MiB or 0."""
    parts = re.fullmatch(r"(\d+)(?:([KMGT])iB?)?", str(text))
    require(parts, f"{text} is not a size, such as 256MiB")
    number, unit = parts.groups()
    return int(number) << 10 * ("KMGT".index(unit) + 1 if unit else 0)


def seconds(text):
    parts = re.fullmatch(r"([\d.]+)(ms|s|m|)", str(text))
    require(parts, f"{text} is not a time, such as 10s")
    number, unit = parts.groups()
    return float(number) * {"ms": 0.001, "s": 1, "m": 60, "": 1}[unit]


def default(name):
    """Returns the time in seconds of a property of the server's configuration."""
    text = read("Sources/NukeServer/Configuration/ImageServer.Configuration.swift")
    return re.search(name + r": TimeInterval = ([\d.]+)", text)[1]


def time_to_end(settings):
    closing = float(re.search(r"closingTime = ([\d.]+)", read("Sources/NukeServer/App/Shutdown.swift"))[1])
    names = {"NUKE_DRAIN_DELAY": "drainDelay", "NUKE_GRACE_PERIOD": "gracePeriod"}
    return sum(seconds(settings.get(name) or default(property)) for name, property in names.items()) + closing


def check(kinds):
    """Checks manifests, by their kinds."""
    deployment = kinds["Deployment"]["spec"]
    template = deployment["template"]
    pod = template["spec"]
    container, = pod["containers"]
    labels = template["metadata"]["labels"]
    settings = dict(kinds["ConfigMap"]["data"])

    # Security: the profile "restricted" of Kubernetes' pod security standards, and more.
    user = re.search(r"^USER (\d+):(\d+)$", read("deploy/Dockerfile"), re.MULTILINE)
    require(user and int(user[1]) > 0, "the Dockerfile has no numeric USER and group")
    wanted = {"runAsNonRoot": True, "runAsUser": int(user[1]), "runAsGroup": int(user[2]), "fsGroup": int(user[2]),
              "seccompProfile": {"type": "RuntimeDefault"}}
    require(pod.get("securityContext") == wanted, f"the pod's securityContext must be {wanted}")
    owner = f"install -d -o {user[1]} -g {user[2]} "
    require(owner in read("deploy/Dockerfile"), "the Dockerfile's user does not own the cache")
    wanted = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    require(container.get("securityContext") == wanted, f"the container's securityContext must be {wanted}")
    for field in ["automountServiceAccountToken", "enableServiceLinks"]:
        require(pod.get(field) is False, f"{field} must be false")
    require(not any(pod.get(field) for field in ["hostNetwork", "hostPID", "hostIPC"]), "the pod uses host namespaces")
    require(all(set(volume) <= {"name", "emptyDir"} for volume in pod["volumes"]), "a volume is not an emptyDir")
    require(settings.get("NUKE_SANDBOX") == "true", "NUKE_SANDBOX must be true")

    # Settings.
    values = {entry["name"]: entry for entry in container["env"]}
    for source in container["envFrom"]:
        for field, kind in [("configMapRef", "ConfigMap"), ("secretRef", "Secret")]:
            name = source.get(field, {}).get("name")
            require(name in (None, kinds[kind]["metadata"]["name"]), f"there is no {kind} {name}")
    require(all(isinstance(value, str) for value in settings.values()), "a value of the ConfigMap is not a string")
    require(
        values["NUKE_OPERATION_HOST"].get("valueFrom") == {"fieldRef": {"fieldPath": "status.podIP"}},
        "NUKE_OPERATION_HOST must be the pod's address")
    image = dict(re.findall(r"\b(NUKE_\w+)=(\S+)", read("deploy/Dockerfile")))

    # Ports.
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    require(ports["http"] == int(image["NUKE_PORT"]), "the port http is not the image's NUKE_PORT")
    require(ports["operation"] == int(settings["NUKE_OPERATION_PORT"]), "the port operation is not NUKE_OPERATION_PORT")
    for probe, path in [("startupProbe", "/health"), ("livenessProbe", "/health"), ("readinessProbe", "/ready")]:
        get = container.get(probe, {}).get("httpGet", {})
        require(get.get("path") == path, f"{probe} must ask for {path}")
        port = ports.get(get.get("port"), get.get("port"))
        require(port == ports["operation"], f"{probe} does not ask the operation port")
    targets = [port["targetPort"] for port in kinds["Service"]["spec"]["ports"]]
    require([ports.get(port, port) for port in targets] == [ports["http"]], "the service must have the port http alone")
    require(
        all(endpoint["port"] == "operation" for endpoint in kinds["PodMonitor"]["spec"]["podMetricsEndpoints"]),
        "the PodMonitor does not ask the operation port")

    # Time to shut down, also in the other files.
    require(seconds(settings.get("NUKE_DRAIN_DELAY", 0)) > 0, "NUKE_DRAIN_DELAY is not set")
    unit = read("deploy/systemd/nuke.service")
    ends = {
        "terminationGracePeriodSeconds": (pod["terminationGracePeriodSeconds"], settings),
        "TimeoutStopSec of nuke.service": (
            re.search(r"^TimeoutStopSec=(\S+)", unit, re.MULTILINE)[1],
            dict(re.findall(r"^(NUKE_\w+)=(\S+)", read("deploy/systemd/nuke.env"), re.MULTILINE)))}
    for name, service in yaml.safe_load(read("deploy/compose.yaml"))["services"].items():
        if "NUKE_KEYS" in service.get("environment", {}):
            ends[f"stop_grace_period of {name}"] = (service["stop_grace_period"], service["environment"])
    for name, (time, used) in ends.items():
        require(seconds(time) > time_to_end(used), f"{name} must be more than {time_to_end(used):g} seconds")

    # Memory: sandboxed processes, the caches that settings limit, and a quarter of the limit for what they do not.
    limits, requests = container["resources"]["limits"], container["resources"]["requests"]
    for kind in ["cpu", "memory", "ephemeral-storage"]:
        require(kind in limits and kind in requests, f"{kind} has no request or limit")
    memory = size(limits["memory"])
    # RenderJob: an image may take a quarter more than predicted, and its process 256 MiB in addition.
    processes = (int(settings["NUKE_WORKERS"]) + 1) * (256 << 20) + size(settings["NUKE_DECODE_BUDGET"]) * 5 // 4
    caches = size(settings["NUKE_MEMORY_CACHE_SIZE"]) + size(settings["NUKE_SEND_BUDGET"])
    need = processes + caches + memory // 4
    require(need <= memory, f"the settings may use {need >> 20} MiB of memory, which is more than the limit")

    # The disk cache.
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    volume = next((volume for volume in pod["volumes"] if volume["name"] == mounts.get(image["NUKE_DISK_CACHE"])), None)
    require(volume and volume["emptyDir"].get("sizeLimit"), "the disk cache is not in a volume with a size limit")
    room = size(volume["emptyDir"]["sizeLimit"])
    require(size(settings["NUKE_DISK_CACHE_SIZE"]) * 5 <= room * 4, "NUKE_DISK_CACHE_SIZE is more than 80 % of its volume")
    require(room < size(limits["ephemeral-storage"]), "the volume is not smaller than the limit of ephemeral storage")

    # Selectors.
    spread = pod["topologySpreadConstraints"]
    require(len({constraint["topologyKey"] for constraint in spread}) == 2, "pods must be spread over zones and nodes")
    selectors = {
        "the Deployment": deployment["selector"]["matchLabels"], "the Service": kinds["Service"]["spec"]["selector"],
        "the NetworkPolicy": kinds["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
        "the PodDisruptionBudget": kinds["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        "the PodMonitor": kinds["PodMonitor"]["spec"]["selector"]["matchLabels"]}
    for constraint in spread:
        selectors["the spread by " + constraint["topologyKey"]] = constraint["labelSelector"]["matchLabels"]
    for name, selector in selectors.items():
        require(selector and selector.items() <= labels.items(), f"{name} does not select the pods")

    # The network.
    policy = kinds["NetworkPolicy"]["spec"]
    require(set(policy["policyTypes"]) == {"Ingress", "Egress"}, "the NetworkPolicy must apply to both directions")
    for rule in policy["ingress"]:
        open_ports = {ports.get(port["port"], port["port"]) for port in rule.get("ports", [])}
        require(open_ports and open_ports <= set(ports.values()), "an ingress rule has no ports, or others than the pod's")
        if ports["operation"] in open_ports:
            peers = rule.get("from", [])
            require(
                peers and all(peer.get("namespaceSelector", {}).get("matchLabels") for peer in peers),
                "the operation port must be open to the monitoring namespace alone")
    private = {"10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"}
    for rule in policy["egress"]:
        require(rule.get("to") and rule.get("ports"), "an egress rule has no destination or no ports")
        for block in [peer["ipBlock"] for peer in rule["to"] if "ipBlock" in peer]:
            require(
                block["cidr"] == "2000::/3" or block["cidr"] == "0.0.0.0/0" and private <= set(block.get("except", [])),
                f"the egress to {block['cidr']} includes private addresses")

    # Scaling.
    scaler = kinds["HorizontalPodAutoscaler"]["spec"]
    target = scaler["scaleTargetRef"]["name"]
    require(target == kinds["Deployment"]["metadata"]["name"], f"the autoscaler scales {target}")
    require("replicas" not in deployment, "the Deployment has replicas, which the autoscaler sets")
    require(
        scaler["maxReplicas"] > scaler["minReplicas"] > kinds["PodDisruptionBudget"]["spec"]["maxUnavailable"] > 0,
        "disruptions may end all pods, or none")

    # The entry.
    ingress = kinds["Ingress"]
    annotations = ingress["metadata"]["annotations"]
    prefix = "nginx.ingress.kubernetes.io/"
    require(annotations[prefix + "upstream-hash-by"] == "$request_uri", "the Ingress does not hash the URL")
    require(all(isinstance(value, str) for value in annotations.values()), "an annotation of the Ingress is not a string")
    limit = seconds(settings.get("NUKE_REQUEST_TIMEOUT") or default("requestTimeout"))
    require(
        seconds(annotations[prefix + "proxy-read-timeout"]) > limit,
        f"the Ingress must wait for more than the server's time limit, {limit:g} seconds")
    service = {"name": kinds["Service"]["metadata"]["name"]}
    names = [port["name"] for port in kinds["Service"]["spec"]["ports"]]
    hosts = []
    for rule in ingress["spec"]["rules"]:
        hosts.append(rule["host"])
        for path in rule["http"]["paths"]:
            backend = path["backend"]["service"]
            require({"name": backend["name"]} == service, f"the Ingress names the service {backend['name']}")
            require(backend["port"].get("name") in names, "the Ingress names no port of the service")
    secured = [host for entry in ingress["spec"]["tls"] for host in entry["hosts"]]
    require(secured == hosts, "the hosts of the Ingress and of its TLS secret differ")


def check_schema(documents):
    """Checks all fields against the schemas of Kubernetes, if kubernetes-validate is installed."""
    python = ".build-python/bin/python"
    if not os.path.exists(python) or subprocess.run([python, "-c", "import kubernetes_validate"], capture_output=True).returncode:
        print("the manifests are not checked against the schemas of Kubernetes: Scripts/setup --test installs them")
        return
    # Resources of extensions are not Kubernetes' own.
    own = [document for document in documents if ".coreos.com/" not in document["apiVersion"]]
    program = (
        "import json, sys, kubernetes_validate as k\n"
        "for document in json.load(sys.stdin): k.validate(document, k.latest_version(), strict=True)")
    run = subprocess.run([python, "-c", program], input=json.dumps(own), capture_output=True, text=True)
    require(run.returncode == 0, f"a manifest is not valid: {run.stderr.strip()[-400:]}")
    print(f"{len(own)} manifests are valid by the schemas of Kubernetes, without unknown fields")


def by_kind(documents):
    for document in documents:
        require(document.get("apiVersion") and document.get("metadata", {}).get("name"), "a manifest has no version or name")
    return {document["kind"]: document for document in documents}


folder = "deploy/kubernetes/"
apart = {"kustomization.yaml", "values.yaml"}
optional = {"secret.example.yaml", "podmonitor.yaml", "ingress.yaml"}
documents = {}
for path in sorted(glob.glob(folder + "*.yaml")):
    try:
        documents[path.removeprefix(folder)] = yaml.safe_load(read(path))
    except yaml.YAMLError as error:
        sys.exit(f"check-deploy: {path} is not YAML: {error}")
kustomization, _ = (documents.pop(name) for name in sorted(apart))
require(
    set(kustomization["resources"]) == set(documents) - optional,
    "kustomization.yaml must list every manifest except " + " and ".join(sorted(optional)))
base = by_kind(documents.values())
container, = base["Deployment"]["spec"]["template"]["spec"]["containers"]
require(
    container["image"] in [entry["name"] for entry in kustomization["images"]], "kustomization.yaml does not name the image")
check(base)

# With the example's values, the rest is as it was.
render = subprocess.run([sys.executable, "Scripts/deploy/render"], capture_output=True, text=True)
require(render.returncode == 0, f"Scripts/deploy/render: {render.stderr}")
rendered = list(yaml.safe_load_all(render.stdout))
values = yaml.safe_load(read(folder + "values.yaml"))
kinds = by_kind(rendered)
check(base | kinds)
require(
    kinds["Deployment"]["spec"]["template"]["spec"]["containers"][0]["image"] == values["image"]
    and values["settings"].items() <= kinds["ConfigMap"]["data"].items()
    and kinds["Ingress"]["spec"]["rules"][0]["host"] == values["host"], "Scripts/deploy/render does not use its values")
with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
    for wrong, reason in [("hots: a", "unknown value hots"), ("settings: {PORT: 1}", "PORT is not the variable"),
                          ("replicas: {min: 4, max: 3}", "replicas must be"), ("host: 1", "host: 1 is not a text"),
                          ("- a", "is not a mapping of values"), ("a: [", "is not YAML")]:
        file.seek(0)
        file.truncate()
        file.write(wrong)
        file.flush()
        run = subprocess.run([sys.executable, "Scripts/deploy/render", file.name], capture_output=True, text=True)
        require(run.returncode == 1 and reason in run.stderr, f"Scripts/deploy/render says of {wrong!r}: {run.stderr}")
check_schema([*documents.values(), *rendered])
print(f"all {len(documents)} manifests for Kubernetes are valid, and fit the image and its settings, also with values.yaml")
