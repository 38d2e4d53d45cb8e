"""Workloads that run the CCM: which release, which file ``--cloud-config`` names, and what is mounted where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.suggest import nearest_name
from ccmcheck.carriers import other_controllers
from ccmcheck.carriers.base import (
    ACCOUNT,
    CLUSTER_CIDR,
    NODE_CIDRS,
    OWN_ACCOUNTS,
    REGIONAL,
    ROUTES,
    CcmPod,
    Mount,
    Placement,
    Toleration,
)
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.source_text import SourceText
from ccmcheck.catalog.data.cluster import KUBELET_PROVIDER, PROVIDER_NAME
from ccmcheck.catalog.data.deployments import CCM, CINDER_CSI, DEFAULT_FSTYPE, TOPOLOGY, TOPOLOGY_GATE
from ccmcheck.catalog.signs.releases import is_ccm_image, release_of
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode, field, mappings, text_of

_FLAG = r"--{}(?:=|\s+)[\"']?([^\s\"']+)"
_CLOUD_CONFIG = lazy_regex(_FLAG.format("cloud-config"))
_CLOUD_PROVIDER = lazy_regex(_FLAG.format("cloud-provider"))
_CLUSTER, _CLUSTER_NAME = (lazy_regex(_FLAG.format(name)) for name in ("cluster", "cluster-name"))
_KUBECONFIG = lazy_regex(_FLAG.format("kubeconfig"))
_ACCOUNTS = lazy_regex(_FLAG.format("use-service-account-credentials"))
_LOCK = lazy_regex(_FLAG.format("leader-elect-resource-lock"))
_GATES = lazy_regex(_FLAG.format("feature-gates"))
_CIDR = lazy_regex(_FLAG.format(CLUSTER_CIDR))
_SWITCHES = {name: lazy_regex(_FLAG.format(name)) for name in (TOPOLOGY, NODE_CIDRS, ROUTES)}
_PROVISIONER, _WITH_TOPOLOGY = "csi-provisioner", 5
_SIDECAR = lazy_regex(r"(csi-(?:provisioner|attacher|resizer|snapshotter)):v?(\d{1,3})\.")
_TOPOLOGY_GATE = lazy_regex(r"--feature-gates=(?:[\w=,]{0,200},)?Topology=(true|false)\b")
_NAME = lazy_regex(r"(?:^|[\s\"'])--([a-z][a-z0-9_-]*+)")
_ASSIGNED = lazy_regex(rf"(?<![^\s;&|])(?P<name>[A-Za-z_]\w{{0,100}})=[^\n]{{0,200}}?(?P<image>{CCM}:[^\s\"';&|)]++)")
_WHOLE_VARIABLE = lazy_regex(r"\$\{?(?P<name>[A-Za-z_]\w{0,100})\}?\Z")
_VARIABLE = lazy_regex(r"\$\((\w+)\)")
_TRUE = ("1", "t", "T", "true", "TRUE", "True")
_FALSE = ("0", "f", "F", "false", "FALSE", "False")
"""What strconv.ParseBool takes."""
_WORDS = {**dict.fromkeys(_TRUE, "true"), **dict.fromkeys(_FALSE, "false")}
_INJECTORS = ("vault.", "inject")
"""In the names of annotations by which an admission webhook may add volumes to the pod."""
_REQUIRED = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
_STARTED = ("state", "running", "startedAt")
_KEYED = {"Secret": "secret", "ConfigMap": "configMap"}
"""The sources that have keys, with the volume's field."""


def find(obj: KubernetesObject, carrier: Carrier) -> None:
    """Search a Pod, or an object with a template for Pods, for the CCM, another such controller, or a driver."""
    status = obj.at("status") if obj.kind == "Pod" else None
    states = {text_of(one.get("name")): one for one in mappings(field(status, "containerStatuses"))}
    pod = (obj.at("spec") or status) if obj.kind == "Pod" else obj.at("spec", "template", "spec")
    if not isinstance(pod, Mapping):
        return
    for container in mappings(pod.get("containers") or pod.get("containerStatuses")):
        image = container.get("image")
        if not isinstance(image, Scalar):
            continue
        is_driver = CINDER_CSI in image.value
        if pod is status and not is_driver:
            continue
        if not (is_driver or is_ccm_image(image.value) or _starts_ccm(container)):
            other_controllers.find_container(obj, carrier, container, image.value)
            continue
        command_line = _command_line(container)
        if _is_of_another_cloud(container, obj.source):
            continue
        image_name = _assigned(obj.source.value_of(image), obj.source.stack.text)
        (carrier.collector.drivers if is_driver else carrier.collector.pods).append(
            CcmPod(
                obj.path,
                obj.subject,
                obj.namespace,
                image_name,
                release_of(image_name),
                _flag(_CLOUD_CONFIG, command_line, container, obj.source),
                tuple(_mounts(container, pod, obj.source)),
                _flag(_CLUSTER if is_driver else _CLUSTER_NAME, command_line, container, obj.source),
                tuple(dict.fromkeys(name.replace("_", "-") for name in _NAME.findall(command_line))),
                obj.document,
                carrier.collector.position(obj.source, image.content.start)[0],
                (
                    *_choices(command_line, container, obj.source),
                    *_of_pod(pod, obj),
                    *(_sidecars(pod) if is_driver else ()),
                ),
                placement=_placement(obj, pod, container),
                started=text_of(field(states.get(text_of(container.get("name"))), *_STARTED)) or "",
            )
        )


def _placement(obj: KubernetesObject, pod: Mapping, container: Mapping) -> Placement | None:
    """Where a workload may run; None where a template's line may change it."""
    source = obj.source
    template = obj.node if obj.kind == "Pod" else obj.at("spec", "template") or obj.node
    key = template.key("spec") if isinstance(template, Mapping) else None
    if key is None or source.has_lines_of_marks(Span(key.span.end, pod.content.end)):
        return None
    selector, tolerations, mounts = pod.get("nodeSelector"), pod.get("tolerations"), container.get("volumeMounts")
    labels = (
        [(key.value, text_of(value) or "") for key, value in selector.items] if isinstance(selector, Mapping) else []
    )
    required = field(pod, *_REQUIRED)
    annotations = field(template, "metadata", "annotations")
    names = [key.value for key, _ in annotations.items] if isinstance(annotations, Mapping) else []
    return Placement(
        None if selector is not None and source.has_mark(selector) else tuple(labels),
        frozenset(
            {name for name, _ in labels}
            | {
                text_of(mapping.get("key")) or ""
                for term in mappings(required)
                for mapping in mappings(term.get("matchExpressions"))
                if text_of(mapping.get("operator")) in ("Exists", "In")
            }
        ),
        None
        if tolerations is not None and source.has_mark(tolerations)
        else tuple(
            Toleration(*(text_of(one.get(name)) or "" for name in Toleration._fields)) for one in mappings(tolerations)
        ),
        _flag(_KUBECONFIG, _command_line(container), container, source),
        (mounts is not None and source.has_mark(mounts)) or any(sign in name for name in names for sign in _INJECTORS),
        obj.kind != "Pod",
        tolerations is not None,
    )


def _assigned(image: str, script: str) -> str:
    """An image; for a shell variable the CCM's image that the script around the manifest assigns it."""
    match = _WHOLE_VARIABLE.match(image)
    images = _assigned_images(script).get(match["name"], ()) if match is not None else ()
    return next(iter(images)) if len(images) == 1 else image


@lru_cache(maxsize=1)  # the manifests of a script are searched one after another
def _assigned_images(script: str) -> dict[str, set[str]]:
    """The CCM's images that a script gives variables, by their names."""
    found: dict[str, set[str]] = {}
    for match in _ASSIGNED.finditer(script) if f"{CCM}:" in script else ():
        found.setdefault(match["name"], set()).add(match["image"])
    return found


def _starts_ccm(container: Mapping) -> bool:
    """Whether its command is the CCM's program, as in the upstream manifests; a mirror may name the image otherwise."""
    for name in ("command", "args"):
        node = container.get(name)
        if isinstance(node, Sequence) and node.items:
            program = text_of(node.items[0]) or ""
            return program.rpartition("/")[2] == CCM and " " not in program
    return False


def _is_of_another_cloud(container: Mapping, source: SourceText) -> bool:
    """Whether ``--cloud-provider`` names another cloud, which forks of the CCM for several clouds take."""
    known = (item for item in _arguments(container) if not source.has_mark(item))
    match = _CLOUD_PROVIDER.search(_joined(known))
    if match is None or not (match[1].isalnum() and match[1].isascii()):
        return False  # a variable, or no word
    return nearest_name(match[1], (PROVIDER_NAME, KUBELET_PROVIDER)) is None


def _command_line(container: Mapping) -> str:
    """Its command line."""
    return _joined(_arguments(container))


def _written(container: Mapping, source: SourceText) -> str:
    """Its command line, template marks as written."""
    items = [item for item in _arguments(container) if isinstance(item, Scalar)]
    return " ".join(source.value_of(item) for item in items) if source.marks else _joined(items)


def _arguments(container: Mapping) -> Iterator[YamlNode]:
    for name in ("command", "args"):
        node = container.get(name)
        if isinstance(node, Sequence):
            yield from node.items


def _joined(arguments: Iterable[YamlNode]) -> str:
    return " ".join(text_of(item) or "" for item in arguments)


def _flag(pattern: re.Pattern[str], command_line: str, container: Mapping, source: SourceText) -> str:
    """The last value of a flag, with the container's environment put in (Kubernetes, ``$(NAME)``); empty if unknown."""
    values = pattern.findall(command_line)
    if not values or pattern.findall(_written(container, source))[-1:] != values[-1:]:
        return ""  # there is none, or a template decides it
    variables = {text_of(entry.get("name")): entry.get("value") for entry in mappings(container.get("env"))}
    known = {name: text_of(value) for name, value in variables.items() if value is not None}
    names = _VARIABLE.findall(values[-1])
    if any(isinstance(value := variables.get(name), Scalar) and source.has_mark(value) for name in names):
        return ""
    # a value from another object is not here: the reference says so
    return _VARIABLE.sub(lambda name: known.get(name[1]) or name[0], values[-1])


def _choices(command_line: str, container: Mapping, source: SourceText) -> Iterator[tuple[str, str]]:
    """Flags whose values other rules need; a gate's value as Go reads it."""
    lock = _flag(_LOCK, command_line, container, source)
    if lock:
        yield "leader-elect-resource-lock", lock
    if CLUSTER_CIDR in command_line:
        yield CLUSTER_CIDR, _flag(_CIDR, command_line, container, source)
    for name, pattern in _SWITCHES.items():
        if f"--{name} " in f"{command_line} ":
            yield name, "true"
        elif f"--{name}" in command_line:
            yield name, _WORDS.get(_flag(pattern, command_line, container, source), "")
    if OWN_ACCOUNTS in command_line:
        yield OWN_ACCOUNTS, "false" if _flag(_ACCOUNTS, command_line, container, source) in _FALSE else "true"
    for entry in mappings(container.get("env")):
        if text_of(entry.get("name")) == REGIONAL:
            yield REGIONAL, text_of(entry.get("value")) or ""
    for given in _GATES.findall(command_line):
        for name, _, value in (gate.partition("=") for gate in given.split(",")):
            word = _WORDS.get(value.strip())
            if word is not None:
                yield "feature-gates", f"{name.strip()}={word}"


def _of_pod(pod: Mapping, obj: KubernetesObject) -> Iterator[tuple[str, str]]:
    """Its account, and its DNS policy, where it is in the network of its node."""
    account = pod.get(ACCOUNT) or pod.get("serviceAccount")
    if isinstance(account, Scalar) and obj.namespace and not obj.source.has_mark(account):
        yield ACCOUNT, f"{obj.namespace}/{account.value}"
    if text_of(pod.get("hostNetwork")) == "true":
        yield "dnsPolicy", text_of(pod.get("dnsPolicy")) or "ClusterFirst"


def _sidecars(pod: Mapping) -> Iterator[tuple[str, str]]:
    """The releases of the driver's sidecars, and whether csi-provisioner has the gate Topology; empty if unknown."""
    for container in mappings(pod.get("containers")):
        image, line = text_of(container.get("image")) or "", _command_line(container)
        known = _SIDECAR.search(image)
        if known is not None and "HonorPVReclaimPolicy=false" not in line:
            yield known[1], known[2]
        if known is not None and known[1] == _PROVISIONER and int(known[2]) > 1 and DEFAULT_FSTYPE not in line:
            yield DEFAULT_FSTYPE, "none"
        if _PROVISIONER in image or text_of(container.get("name")) == _PROVISIONER:
            by_default = "" if known is None else "on" if int(known[2]) >= _WITH_TOPOLOGY else "off"
            yield TOPOLOGY_GATE, (_TOPOLOGY_GATE.findall(line) or [by_default if "opology" not in line else ""])[-1]


def _mounts(container: Mapping, pod: Mapping, source_text: SourceText) -> Iterator[Mount]:
    volumes = {text_of(volume.get("name")): volume for volume in mappings(pod.get("volumes"))}
    for mount in mappings(container.get("volumeMounts")):
        place = mount.get("mountPath")
        path = text_of(place)
        sub_path = text_of(mount.get("subPath")) or ""
        volume = volumes.get(text_of(mount.get("name")))
        source, name = _source(volume) if volume is not None else ("", "")
        if path and place is not None:
            known = "" if source_text.has_mark(place) else path
            yield Mount(known, source, name, sub_path, _items(volume, source))


def _items(volume: Mapping | None, source: str) -> tuple[tuple[str, str], ...]:
    shown = field(volume, _KEYED[source], "items") if source in _KEYED else None
    return tuple((text_of(item.get("key")) or "", text_of(item.get("path")) or "") for item in mappings(shown))


def _source(volume: Mapping) -> tuple[str, str]:
    if "secret" in (names := {key.value for key, _ in volume.items}):
        return "Secret", text_of(field(volume, "secret", "secretName")) or ""
    if "configMap" in names:
        return "ConfigMap", text_of(field(volume, "configMap", "name")) or ""
    if "hostPath" in names:
        return "hostPath", text_of(field(volume, "hostPath", "path")) or ""
    return next((key.value for key, _ in volume.items if key.value != "name"), ""), ""
