"""The version of the CCM's chart where a command or Terraform installs it, which gives the CCM's release.

That is ``helm upgrade -i ccm cpo/openstack-cloud-controller-manager --version 2.31.1``, Terraform's ``helm_release``,
and the charts in k0s' configuration where Terraform writes it. A variable in the version's place counts where the same
text sets it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers import image_tags
from ccmcheck.carriers.embedded.shell_assignments import assigned_values
from ccmcheck.carriers.images import release_of_chart
from ccmcheck.catalog.data.deployments import CCM

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ccmcheck.carriers.carrier import Carrier

_WORDS = r"(?:[^\r\n;&|#]|(?<!\s)#)*+"
_COMMAND = lazy_regex(rf"(?<!\S)#[^\n]*+|\bhelm[ \t]++(?P<words>{_WORDS}(?:(?<=\\)\r?\n{_WORDS}){{0,100}}+)")
"""A comment, or a command without the comment behind it."""
_CHART = lazy_regex(rf"(?:^|[\s\"'/]){CCM}(?=[\s\"'\\]|\Z)")
_VERSION = lazy_regex(r"--version(?:[ \t]++|=)[\"']?(?P<version>[^\s\"'\\]++)")
_SHELL_NAME = lazy_regex(r"\$[{(]?(?P<name>[A-Za-z_]\w*+)[})]?\Z")

_MOST_VARIABLES = 20
"""Names that are looked up in one text."""

_BLOCK = lazy_regex(
    r"^(?:resource|data|module)[ \t]++\"[^\n]*+\n(?:(?!\}|(?:resource|data|module)[ \t]++\")[^\n]*+\n)*+", re.MULTILINE
)
_HCL_CHART = lazy_regex(rf"^[ \t]*+chart(?:_name)?[ \t]*+=[ \t]*+\"(?:[^\"\n]*/)?{CCM}\"", re.MULTILINE)
_HCL_VERSION = lazy_regex(
    r"^[ \t]*+(?:chart_)?version[ \t]*+=[ \t]*+(?:\"(?P<version>[^\"\n$]++)\"|(?P<kind>var|local)\.(?P<name>\w++))",
    re.MULTILINE,
)
_LISTED_CHART = lazy_regex(rf"^(?P<indent>[ \t]++)chart_?name[ \t]*+=[ \t]*+\"(?:[^\"\n]*/)?{CCM}\"", re.MULTILINE)
_LISTED_VERSION = lazy_regex(r"version[ \t]*+=[ \t]*+\"(?P<version>[^\"\n$]++)\"")
_MOST_LINES = 50
"""Lines on either side of a chart's name in which its version is looked for."""

_VARIABLE_IN_HCL = r"\bvariable[ \t]++\"{name}\"[ \t]*+\{{[^{{}}]*?\bdefault[ \t]*+=[ \t]*+\"(?P<value>[^\"\n$]++)\""
_LOCALS = lazy_regex(r"^locals[ \t]*+\{[^\n]*+\n(?:(?!\})[^\n]*+\n)*+", re.MULTILINE)
_LOCAL_IN_HCL = r"^(?:\t| {{0,2}}){name}[ \t]*+=[ \t]*+\"(?P<value>[^\"\n$]++)\""
"""As ``terraform fmt`` indents local values; deeper ones are those of a map."""


def find_in_commands(carrier: Carrier) -> None:
    """Collect the versions that the ``helm`` commands of a text install, and the variables that say them elsewhere.

    Args:
        carrier: The whole file, which names the chart and a version.
    """
    text = carrier.source.text
    names: dict[str, int] = {}
    for command in _COMMAND.finditer(text):
        words = command["words"]
        version = _VERSION.search(words) if words and _CHART.search(words) else None
        if version is not None:
            name = _SHELL_NAME.match(version["version"])
            if name is not None:
                names.setdefault(name["name"], command.start("words") + version.start("version"))
            else:
                _collect(carrier, version["version"], command.start("words") + version.start("version"))
    for one, start in islice(names.items(), _MOST_VARIABLES):
        values = list(assigned_values(text, one))
        for value in values:
            _collect(carrier, text[slice(*value)], value.start, one)
        if not values:
            image_tags.collect(carrier, f"chart {CCM} ${one}", "", "", start, variable=one)


def find_in_hcl(carrier: Carrier) -> None:
    """Collect the versions of Terraform's resources that install the chart.

    Args:
        carrier: The whole file.
    """
    text = carrier.source.text
    if CCM not in text:
        return
    names: dict[str, dict[str, None]] = {"var": {}, "local": {}}
    for block in _BLOCK.finditer(text):
        version = _HCL_VERSION.search(block[0]) if _HCL_CHART.search(block[0]) else None
        if version is not None:
            if version["version"]:
                _collect(carrier, version["version"], block.start() + version.start("version"))
            else:
                names[version["kind"]][version["name"]] = None
    for chart in _LISTED_CHART.finditer(text):
        beside = _version_beside(text, chart["indent"], chart.start(), chart.end())
        if beside is not None:
            _collect(carrier, beside["version"], beside.start("version"))
    _collect_variables(carrier, names["var"], _VARIABLE_IN_HCL, (Span(0, len(text)),))
    blocks = [Span(*block.span()) for block in _LOCALS.finditer(text)] if names["local"] else []
    _collect_variables(carrier, names["local"], _LOCAL_IN_HCL, blocks)


def _version_beside(text: str, indent: str, start: int, end: int) -> re.Match[str] | None:
    """The version in the map that a chart's name is in: its lines are indented alike, and what is nested deeper."""
    for step in (1, -1):
        here = end if step > 0 else start
        for _ in range(_MOST_LINES):
            here = text.find("\n", here) + 1 if step > 0 else text.rfind("\n", 0, max(here - 1, 0)) + 1
            if not here and step > 0:
                break
            if not text.startswith(indent, here):
                if text[here : text.find("\n", here)].strip():
                    break  # the map's end
            elif (found := _LISTED_VERSION.match(text, here + len(indent))) is not None:
                return found
            if not here:
                break
    return None


def _collect_variables(carrier: Carrier, names: Iterable[str], assignment: str, parts: Sequence[Span]) -> None:
    """Collect the values that parts of the text give variables; those of one that differ contradict each other."""
    for name in islice(names, _MOST_VARIABLES):
        pattern = re.compile(assignment.format(name=name), re.MULTILINE)
        for part in parts:
            for found in pattern.finditer(carrier.source.text, *part):
                _collect(carrier, found["value"], found.start("value"), name)


def _collect(carrier: Carrier, version: str, start: int, name: str = "") -> None:
    release = release_of_chart(version)
    if release:
        image_tags.collect(carrier, name or f"chart {CCM} {version}", "", release, start)
