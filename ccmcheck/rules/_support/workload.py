"""A workload of the CCM as several rules see it: its pod, its container, and the flags with their places."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.yamlio import Mapping, Scalar, Sequence, field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.objects.manifest import Manifest
    from ccmcheck.yamlio import Node

SCHEDULED = ("DaemonSet", "Deployment", "StatefulSet")
KINDS = (*SCHEDULED, "Pod")
"""Those that the scheduler places by a template, and all; a Pod of the CCM is mostly a static one."""

_VARIABLE = lazy_regex(r"\$\((\w+)\)\Z|\$(\w+)\Z")


class Workload(NamedTuple):
    """A workload of the CCM.

    Attributes:
        pod: What the run knows of it.
        template: The mapping with the pod's metadata and spec.
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
        value: Its value; empty where only rendering, or the cluster, tells.
        span: Where the value is, in the container's arguments or its environment.
        variable: The environment's entry that has it; None where it stands in the arguments.
    """

    value: str
    span: Span
    variable: Scalar | None = None


@lru_cache(maxsize=1)
def workload(manifest: Manifest) -> Workload | None:
    """Read one; several rules ask for the same object in a row, hence the one-element cache.

    Args:
        manifest: Any object of `KINDS`.

    Returns:
        It; None where no container of it runs the CCM.
    """
    pod = manifest.own_pod
    template = manifest.node if manifest.kind == "Pod" else manifest.at("spec", "template")
    spec = field(template, "spec")
    if pod is None or not isinstance(spec, Mapping) or not isinstance(template, Mapping):
        return None
    for container in maps(spec.get("containers")):
        image = container.get("image")
        if isinstance(image, Scalar) and manifest.said_by(image) == pod.image:
            return Workload(pod, template, spec, container, image)
    return None


def maps(node: Node | None) -> Iterator[Mapping]:
    """The mappings of a sequence."""
    if isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping):
                yield item


def is_settled(manifest: Manifest, node: Mapping) -> bool:
    """Whether what a mapping does not say is really missing: no template's line may add it."""
    place = yaml_fixes.extent(node)
    return place is not None and not manifest.has_template_lines(place)


def words(found: Workload) -> list[Scalar]:
    """The command line, word by word; a shell's script is one word."""
    return [
        item
        for name in ("command", "args")
        if isinstance(node := found.container.get(name), Sequence)
        for item in node.items
        if isinstance(item, Scalar)
    ]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"--{name}(?:=|[ \t]++)[\"']?([^\s\"'\\]++)|--{name}[\"']?\s*+\Z")


def flag(manifest: Manifest, found: Workload, name: str) -> Flag | None:
    """Look for a flag.

    Args:
        manifest: The object.
        found: It, as a workload of the CCM.
        name: The flag's name without hyphens in front.

    Returns:
        The last one of that name; None where it is not given.
    """
    line = words(found)
    last: Flag | None = None
    for number, word in enumerate(line):
        start, end = word.content
        for match in _pattern(name).finditer(manifest.text, start, end):
            if match[1] is not None:
                last = _flag(manifest, found, match[1], Span(*match.span(1)))
            elif number + 1 < len(line):
                following = line[number + 1]
                last = _flag(manifest, found, following.value, following.content)
    return last


def _flag(manifest: Manifest, found: Workload, value: str, span: Span) -> Flag:
    if manifest.is_opaque(span):
        return Flag("", span)
    variable = _VARIABLE.match(value)
    if variable is None:
        return Flag(value if "$" not in value else "", span)
    name = variable[1] or variable[2]
    for entry in maps(found.container.get("env")):
        node = entry.get("value")
        if text_of(entry.get("name")) == name and isinstance(node, Scalar):
            known = not manifest.has_mark(node)
            return Flag(node.value if known else "", node.content, node)
    return Flag("", span)


def write_flag(manifest: Manifest, found: Flag, value: str) -> Edit | None:
    """Replace the value of a flag where it stands."""
    if found.variable is not None:
        return yaml_fixes.write(manifest, found.variable, value)
    return Edit(*found.span, value)
