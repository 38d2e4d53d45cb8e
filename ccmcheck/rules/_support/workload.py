"""A workload of the CCM: its pod, its container, and its flags with their places."""

from __future__ import annotations

import re
from functools import cache

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CcmPod
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.ccm_flags import SERVICE_CONTROLLER
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules._support.once import once
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Scalar, Sequence, field, mappings, text_of

CONTROLLERS = ("DaemonSet", "Deployment", "StatefulSet")
KINDS = (*CONTROLLERS, "Pod")
"""The kinds of workloads of the CCM; a Pod is mostly a static one."""

_VARIABLE = lazy_regex(r"\$\((\w+)\)\Z|\$(\w+)\Z")


class Workload(NamedTuple):
    """A workload of the CCM.

    Attributes:
        pod: The workload as collected from the run.
        template: The pod template: the mapping with the pod's metadata and spec.
        spec: The pod's spec.
        container: The CCM's container.
        image: The container's image.
    """

    pod: CcmPod
    template: Mapping
    spec: Mapping
    container: Mapping
    image: Scalar


class Flag(NamedTuple):
    """One flag of the command line.

    Attributes:
        value: Its value; empty where it is only known in the cluster or after rendering.
        span: The place of the value, in the container's arguments or its environment.
        variable: The value of the environment variable; None where it is in the arguments.
    """

    value: str
    span: Span
    variable: Scalar | None = None


@once
def workload(manifest: Manifest) -> Workload | None:
    """Read an object of `KINDS`; several rules ask for the same one.

    Returns:
        None where no container runs the CCM.
    """
    pod = manifest.own_pod
    template = manifest.node if manifest.kind == "Pod" else manifest.at("spec", "template")
    spec = field(template, "spec")
    if pod is None or not isinstance(spec, Mapping) or not isinstance(template, Mapping):
        return None
    for container in mappings(spec.get("containers")):
        image = container.get("image")
        if isinstance(image, Scalar) and manifest.written(image) == pod.image:
            return Workload(pod, template, spec, container, image)
    return None


def is_settled(manifest: Manifest, node: Mapping) -> bool:
    """Whether a missing key is really missing: no template line can add it."""
    place = yaml_fixes.extent(node)
    return place is not None and not manifest.has_template_lines(place)


def words(ccm: Workload) -> list[Scalar]:
    """The words of the command line; a shell script is one word."""
    return [
        item
        for name in ("command", "args")
        if isinstance(node := ccm.container.get(name), Sequence)
        for item in node.items
        if isinstance(item, Scalar)
    ]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"--{name}(?:=|[ \t]++)[\"']?([^\s\"'\\]++)|--{name}[\"']?\s*+\Z")


def flag(manifest: Manifest, ccm: Workload, name: str) -> Flag | None:
    """The last flag of a name, given without its hyphens; None where it is not set."""
    line = words(ccm)
    last: Flag | None = None
    for number, word in enumerate(line):
        start, end = word.content
        for match in _pattern(name).finditer(manifest.text, start, end):
            if match[1] is not None:
                last = _flag(manifest, ccm, match[1], Span(*match.span(1)))
            elif number + 1 < len(line):
                following = line[number + 1]
                last = _flag(manifest, ccm, following.value, following.content)
    return last


def names_load_balancers(manifest: Manifest, ccm: Workload) -> bool:
    """Whether a workload makes load balancers by its cluster's name: it runs the service controller, of CCM 1.14 on.

    Args:
        manifest: The workload's.
        ccm: The workload.
    """
    if not behaves("names-by-cluster", manifest.release):
        return False
    given_flag = flag(manifest, ccm, "controllers")
    if given_flag is None or not given_flag.value:
        return True
    chosen = [name.strip() for name in given_flag.value.split(",")]
    if any(f"-{name}" in chosen for name in SERVICE_CONTROLLER):
        return False
    return not {"*", *SERVICE_CONTROLLER}.isdisjoint(chosen)


def _flag(manifest: Manifest, ccm: Workload, value: str, span: Span) -> Flag:
    if manifest.is_opaque(span):
        return Flag("", span)
    variable = _VARIABLE.match(value)
    if variable is None:
        return Flag(value if "$" not in value else "", span)
    name = variable[1] or variable[2]
    for entry in mappings(ccm.container.get("env")):
        node = entry.get("value")
        if text_of(entry.get("name")) == name and isinstance(node, Scalar):
            known = not manifest.has_mark(node)
            return Flag(node.value if known else "", node.content, node)
    return Flag("", span)


def write_flag(manifest: Manifest, found: Flag, value: str) -> Edit | None:
    """Replace the value of a flag in its place."""
    if found.variable is not None:
        return yaml_fixes.write(manifest, found.variable, value)
    return Edit(*found.span, value)
