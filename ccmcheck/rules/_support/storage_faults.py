"""The faults of ``catalog/data/storage.txt``: what of Cinder, or of what runs its CSI driver, does not do what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from functools import lru_cache
from typing import TypeAlias

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.path_proximity import Itself
from ccmcheck.carriers.base import CcmPod, NodeLabels, RunContext
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.deployments import CINDER_CSI, DEFAULT_FSTYPE, TOPOLOGY, TOPOLOGY_GATE
from ccmcheck.catalog.data.storage import DRIVER_NAME, FAULTS, ZONE_LABELS
from ccmcheck.conf.starting import nodes_of, untolerated
from ccmcheck.conf.target_release import known_release
from ccmcheck.rules._support.machines import version_around
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping as MappingNode
from ccmcheck.yamlio import Scalar, Sequence, YamlNode, field, scalars, text_of

_Facts: TypeAlias = Mapping[str, set[str]]

_IGNORES_ZONE = lazy_regex(r"(?im)^[ \t]*+ignore-volume-az[ \t]*+(?:=[ \t]*+\"?(?:true|yes|on|1|t|y)\b|$)")
_TERMS = (
    ("allowedTopologies", "matchLabelExpressions"),
    ("spec.nodeAffinity.required.nodeSelectorTerms", "matchExpressions"),
)
"""Where objects say which zones they are for: terms, one of which must hold, and the expressions in each."""
_MOST_DRIVERS = 64
"""The driver's workloads in a folder; with more they are copies, and none tells which is meant."""
_KUBELET = lazy_regex(r"(?<![\w./-])(/[\w./-]{1,80}?/kubelet)(?=[/\"'\s,\]}]|\Z)")
_HOST = lazy_regex(
    r"(?m)^[^#\n]*?\b(hostPath|(?:hostNetwork|privileged)(?=[\"']?:[ \t]*true)|hostPort(?=[\"']?:[ \t]*[1-9]))[\"']?:"
)
_FACT = lazy_regex(r"\{([\w.-]+)\}")
_STEP = lazy_regex(r"(?<=metadata)\.|(?<=annotations)\.|\.(?!.*/)")
_NAME = lazy_regex(r"[\w./ -]{1,200}\Z")


def first_fault(manifest: Manifest, rule: str) -> Problems:
    """Report the first fault that the object has; a part of it that a template writes is unknown, and has none.

    Args:
        manifest: The object.
        rule: The rule whose faults are meant.
    """
    facts = _around(manifest)
    for fault in FAULTS:
        if fault.rule != rule or manifest.kind not in fault.kind.split("|") or (fault.once and _is_later(manifest)):
            continue
        answers = [_holds(manifest, condition, facts) for condition in fault.when]
        if False not in answers:
            place = next(node for at in (fault.at, "metadata.name", "kind") for node in _nodes(manifest, at))
            told = (_FACT.sub(lambda fact: _told(manifest, fact[1], facts), text) for text in fault[1:4])
            problem = Problem(place.content, *told)  # type: ignore[arg-type]
            yield problem._replace(severity=Severity.INFO if fault.may or None in answers else None)
            return


def _around(manifest: Manifest) -> _Facts:
    """The facts that ``storage.txt`` names, but for the object's own fields; empty where they are unknown."""
    run = manifest.run_context
    nodes, around, ignored, classes, near, levels, systems = manifest.answer_of_file(
        _of_folder, lambda: _of_folder(manifest)
    )
    own = [pod for pod in near if pod.path == manifest.path and pod.subject == manifest.subject]
    terms = [one for path, _ in _TERMS for one in _nodes(manifest, path)]
    zoned = [one for path, name in _TERMS for one in _nodes(manifest, f"{path}.{name}") if _names_zones(one)]
    choices = [choice for pod in own or near for choice in pod.choices]
    gate, flag = ({value for name, value in choices if name == of} for of in (TOPOLOGY_GATE, TOPOLOGY))
    is_on, is_off = gate <= {"true", "on"}, gate <= {"false", "off"}
    state = "on" if is_on and flag <= {"true"} else "off" if is_off and flag <= {"false"} else "mixed"
    others = [pod for pod in near if own and pod.subject != own[0].subject and pod.namespace == own[0].namespace]
    source = manifest.object.source
    text = source.stack.text if manifest.is_derived else ""
    return {
        "own": {pod.subject for pod in own},
        "program": {pod.subject for pod in (*own, manifest.own_pod) if pod},
        "chart": {"chart"}.intersection(source.route),
        "kubelets": set(_KUBELET.findall(manifest.text[slice(*manifest.node.content)])) if own else set(),
        "drivers": classes[""] | set(map(str, source.marks[:1])),
        "sidecars": {f"{name} {value}" for name, value in choices if name.startswith("csi-")},
        "host": set(_HOST.findall(manifest.text[slice(*manifest.node.content)])),
        "enforced": levels.get(manifest.namespace, set()),
        "systems": systems,
        "kubernetes": {version_around(manifest)} - {""} if own or "beta" in manifest.text_at("apiVersion") else set(),
        "releases": {pod.release for pod in own or near if known_release(pod.release, CINDER_CSI)},
        "flags": {name for pod in own or near for name in pod.flags},
        "cluster": {pod.cluster_name for pod in own if pod.cluster_name},
        "cluster-name": {pod.cluster_name for pod in manifest.nearby(run.pods) if own and pod.cluster_name},
        "provisioners": {"some"} if _may_have_classes(Itself(run.storage_classes), Itself(run.drivers)) else set(),
        "gate": gate,
        "flag": flag | ({"given"} if TOPOLOGY in text else set()),
        "without": {pod.subject for pod in others if (TOPOLOGY, "false") in pod.choices},
        "topology": {state} if gate else {"mixed"} if "false" in flag else set(),
        "nodes": nodes,
        "nodes-around": around,
        "taints": set(_taints(own[0], run)) if own and manifest.kind == "DaemonSet" else set(),
        "no-fstype": {value for name, value in choices if name == DEFAULT_FSTYPE},
        "zones": {value.value for one in zoned for value in scalars(field(one, "values")) if len(zoned) >= len(terms)},
        "ignore-volume-az": ignored if len(ignored) == 1 else set(),
        "class": classes.get(manifest.text_at("spec", "storageClassName") or "-", set()),
    }


@lru_cache(maxsize=4)
def _may_have_classes(classes: Itself[NodeLabels], drivers: Itself[CcmPod]) -> bool:
    """Whether the run has StorageClasses, or a chart or template that may make some."""
    return bool(classes.records) or any(pod.made_by or not pod.release for pod in drivers.records)


def _taints(pod: CcmPod, run: RunContext) -> Iterator[str]:
    """The taints that keep a workload from a Node, but those of the control plane."""
    for node in nodes_of(pod, run.node_labels, run.drivers)[0]:
        keys = (key for taint in untolerated(pod, [node]) if taint.on for key in taint.keys)
        yield from (key for key in keys if not key.startswith("node-role.kubernetes.io/"))


def _of_folder(manifest: Manifest) -> tuple[set[str], set[str], set[str], dict[str, set[str]], list[CcmPod], dict[str, set[str]], set[str]]:  # fmt: skip
    """The zones of the nodes here, and of those that may be the driver's, whether the cloud.confs ignore volumes' zones, StorageClasses, and the driver's workloads."""
    run = manifest.run_context
    near = manifest.nearby(run.drivers)
    nodes = manifest.nearby(run.node_labels)
    around = nodes_of(near[0], run.node_labels, run.drivers)[0] if near else nodes
    classes = _pairs(manifest.nearby(run.storage_classes))
    installed = {pod.subject for pod in manifest.nearest(run.drivers)}
    classes[""] = installed | {DRIVER_NAME} & set().union(*classes.values())
    systems = {one.system.partition(" ")[0] for one in manifest.nearest(run.node_labels) if one.system}
    levels = _pairs(manifest.nearby(run.namespaces))
    confs = run.confs.get(manifest.path) or run.confs.get("", ())
    ignored = {str(_IGNORES_ZONE.search(conf.text) is not None).lower() for conf in confs}
    near = near if len(near) <= _MOST_DRIVERS else []
    return _zones_of(nodes), _zones_of(around), ignored, classes, near, levels, systems


def _pairs(records: Iterable[NodeLabels]) -> dict[str, set[str]]:
    """What records say of each name."""
    found: dict[str, set[str]] = {}
    for name, value in (pair for one in records for pair in one.labels):
        found.setdefault(name, set()).add(value)
    return found


def _zones_of(nodes: SequenceOf[NodeLabels]) -> set[str]:
    """The zones of nodes; none where one has none."""
    zones = [{text for name, text in one.labels if text and name in ZONE_LABELS} for one in nodes]
    return set().union(*zones) if all(zones) else set()


def _names_zones(expression: YamlNode) -> bool:
    operator = text_of(field(expression, "operator")) or "In"
    return operator == "In" and text_of(field(expression, "key")) in ZONE_LABELS


def _holds(manifest: Manifest, condition: str, facts: _Facts) -> bool | None:
    """Whether a condition of ``storage.txt`` holds; None where it may, and a fact is unknown."""
    name, how, than = (*condition.lstrip("!?").split(" ", 2), "", "")[:3]
    top, source = manifest.at(name.partition(".")[0]), manifest.object.source
    if name not in facts and (source.has_mark(top) if top is not None else source.may_gain_lines(manifest.node)):
        return False
    values = _values(manifest, name, facts)
    if condition[0] == "?" and not values:
        return None
    if how == "do":
        releases = [known_release(tag, CINDER_CSI) or manifest.release for tag in values]
        holds = all(behaves(than, release) for release in releases or [manifest.release])
    elif how == "differ":
        holds = len(values) > 1
    elif how == "match":
        holds = any(re.fullmatch(than, value) for value in values)
    elif how == "~":
        others = _values(manifest, than, facts)
        holds = bool(values and others) and values.isdisjoint(others)
    else:
        holds = not values.isdisjoint(than.split("|")) if how else bool(values)
    return holds is not (condition[0] == "!")


def _values(manifest: Manifest, name: str, facts: _Facts) -> set[str]:
    return facts[name] if name in facts else {one.value for one in _nodes(manifest, name) if isinstance(one, Scalar)}


def _nodes(manifest: Manifest, path: str) -> list[YamlNode]:
    """The nodes at a path, those of lists on the way one by one; each once, so that aliases take no time."""
    nodes: list[YamlNode] = [manifest.node]
    path, _, pattern = path.partition(" match ")
    for name in _STEP.split(path):
        mappings = [node for node in nodes if isinstance(node, MappingNode)]
        if name == "*":
            return [key for node in mappings for key, _ in node.items]
        children = dict.fromkeys(child for node in mappings if (child := node.get(name)) is not None)
        items = (child.items if isinstance(child, Sequence) else [child] for child in children)
        nodes = list(dict.fromkeys(one for some in items for one in some))
    return [node for node in nodes if re.fullmatch(pattern, text_of(node) or "")] if pattern else nodes


def _told(manifest: Manifest, name: str, facts: _Facts) -> str:
    """The values of a fact for a message: the names among them, a few."""
    names = sorted(value for value in _values(manifest, name, facts) if _NAME.match(value))
    return ", ".join(one if " " in one else f"`{one}`" for one in names[:3]) + (" …" if len(names) > 3 else "")


def _is_later(manifest: Manifest) -> bool:
    """Whether another object of its kind and driver stands before it in the file."""
    own = (manifest.kind, manifest.text_at("provisioner"))
    alike = (one for one in manifest.neighbours if (one.kind, one.text_at("provisioner")) == own)
    return next(alike) is not manifest.object
