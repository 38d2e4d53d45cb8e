"""Releases of the CCM in texts that are no objects: commands, Terraform, addresses of manifests, images in a line.

Each sign is a row of `SIGNS`; one loop collects what they find. A variable in a value's place counts where the same
text sets it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.embedded.shell_assignments import assigned_values
from ccmcheck.carriers.image_tags import NAME, collect, is_variable, release_of_variable
from ccmcheck.carriers.images import release_of, release_of_chart, release_of_manifests
from ccmcheck.catalog.data.deployments import CCM, CCM_MANIFESTS, CCM_REPOSITORY, RELEASE_VARIABLES
from ccmcheck.catalog.signs.paths import DOCUMENTS, GO, HCL, is_document

MOST_VARIABLES = 20
"""Names that are looked up in one text for one sign."""
_MOST_LINES = 50
"""Lines on either side of a chart's name in which its version is looked for."""

TAG, CHART, REF, VARIABLE = "image", "chart", "manifests", "variable"
"""What a value is: an image's tag, the version of the chart, the tag or branch of manifests, a variable's value."""
SHELL, TF_VARIABLE, TF_LOCAL = "$", "var", "local"
"""What a variable in its place is of."""


class Told(NamedTuple):
    """What a sign found.

    Attributes:
        kind: What the value is.
        value: The value, or the name of the variable that has it.
        start: Where it is.
        name: The variable that is set to it; empty for none.
        scope: Where the variable that has the value is set; empty for a value.
    """

    kind: str
    value: str
    start: int
    name: str = ""
    scope: str = ""


_WORDS = r"(?:[^\r\n;&|#]|(?<!\s)#)*+"
_COMMAND = lazy_regex(rf"(?<!\S)#[^\n]*+|\bhelm[ \t]++(?P<words>{_WORDS}(?:(?<=\\)\r?\n{_WORDS}){{0,100}}+)")
"""A comment, or a command without the comment behind it."""
_CHART = lazy_regex(rf"(?:^|[\s\"'/]){CCM}(?=[\s\"'\\]|\Z)")
_VERSION = lazy_regex(r"--version(?:[ \t]++|=)[\"']?(?P<version>[^\s\"'\\]++)")
_SHELL_NAME = lazy_regex(r"\$[{(]?(?P<name>[A-Za-z_]\w*+)[})]?\Z")


def _commands(text: str) -> Iterator[Told]:
    for command in _COMMAND.finditer(text):
        words = command["words"]
        version = _VERSION.search(words) if words and _CHART.search(words) else None
        if version is not None:
            start = command.start("words") + version.start("version")
            variable = _SHELL_NAME.match(version["version"])
            if variable is not None:
                yield Told(CHART, variable["name"], start, scope=SHELL)
            else:
                yield Told(CHART, version["version"], start)


_QUOTED = r"[ \t]*+=[ \t]*+\""
_NAMED_IN_HCL = lazy_regex(
    rf"\bvariable[ \t]++\"(?P<variable>{NAME})\"[ \t]*+\{{[^{{}}]*?\bdefault{_QUOTED}(?P<default>[^\"\n]++)\""
    rf"|^[ \t]*+(?P<name>{NAME}){_QUOTED}(?P<value>[^\"\n]++)\"",
    re.MULTILINE,
)


def _named_in_hcl(text: str) -> Iterator[Told]:
    for match in _NAMED_IN_HCL.finditer(text) if any(part in text for part in RELEASE_VARIABLES) else ():
        name, value = ("variable", "default") if match["variable"] else ("name", "value")
        if is_variable(match[name]):
            yield Told(VARIABLE, match[value], match.start(value), match[name])


_CHART_IN_HCL = lazy_regex(rf"^(?P<indent>[ \t]*+)chart(?:_?name)?[ \t]*+=[ \t]*+\"(?:[^\"\n]*/)?{CCM}\"", re.MULTILINE)
_VERSION_IN_HCL = lazy_regex(
    r"(?:chart_)?version[ \t]*+=[ \t]*+(?:\"(?P<version>[^\"\n$]++)\"|(?P<scope>var|local)\.(?P<name>\w++))"
)


def _charts_in_hcl(text: str) -> Iterator[Told]:
    for chart in _CHART_IN_HCL.finditer(text):
        version = _version_beside(text, chart["indent"], chart.start(), chart.end())
        if version is not None:
            name = "version" if version["version"] else "name"
            yield Told(CHART, version[name], version.start(name), "", version["scope"] or "")


def _version_beside(text: str, indent: str, start: int, end: int) -> re.Match[str] | None:
    """The version in the block or map that a chart's name is in: its lines are indented alike, nested ones deeper."""
    for step in (1, -1):
        here = end if step > 0 else start
        for _ in range(_MOST_LINES):
            here = text.find("\n", here) + 1 if step > 0 else text.rfind("\n", 0, max(here - 1, 0)) + 1
            if not here and step > 0:
                break
            if not text.startswith(indent, here):
                if text[here : text.find("\n", here)].strip():
                    break  # the end of the block
            elif (match := _VERSION_IN_HCL.match(text, here + len(indent))) is not None:
                return match
            elif text.startswith("}", here + len(indent)):
                break
            if not here:
                break
    return None


_PLACE = rf"{CCM_REPOSITORY}(?:\.git)?/(?:(?:raw|blob|tree)/)?(?:refs/(?:tags|heads)/)?"
_REF = r"(?P<{}>(?:v|release-)1\.[\d.]++)"
_ADDRESS = lazy_regex(
    rf"{_PLACE}(?:{_REF.format('ref')}/{CCM_MANIFESTS}(?:/{CCM}-(?:ds|pod)\.yaml|/?(?=[\s\"'`)]|\Z))"
    rf"|\$\{{?(?P<name>[A-Za-z_]\w*+)\}}?/{CCM_MANIFESTS}/(?:{CCM}-(?:ds|pod)\.yaml|[\"']?\$))"
    rf"|{CCM_REPOSITORY}(?:\.git)?//?{CCM_MANIFESTS}/?\?(?:ref|version)={_REF.format('query')}"
)
"""The CCM's workload, or the folder with it, by the address of its text or as kustomize writes it; a script's variable
may say which tag or branch."""
_NEXT = r"(?:(?!git (?:checkout|clone))[\s\S]){0,1000}?"
_CHECKED_OUT = lazy_regex(
    rf"(?:{CCM_REPOSITORY}[^`]{{0,200}}?\bgit checkout (?:-q |tags/)?{_REF.format('ref')}"
    rf"|\bgit clone [^\n]{{0,100}}?(?:-b|--branch)[ =]{_REF.format('query')}[^\n]{{0,100}}?{CCM_REPOSITORY})"
    rf"(?={_NEXT}(?<![\w/]){CCM_MANIFESTS})"
)
"""A checkout of a tag whose manifests are applied before the next one: the repository has other programs, too."""


def _addresses(text: str) -> Iterator[Told]:
    for match in _ADDRESS.finditer(text):
        group = match.lastgroup or ""
        yield Told(REF, match[group].rstrip("."), match.start(group), "", SHELL if group == "name" else "")


def _checkouts(text: str) -> Iterator[Told]:
    for match in _CHECKED_OUT.finditer(text):
        group = "ref" if match["ref"] else "query"
        yield Told(REF, match[group].rstrip("."), match.start(group))


_ITEM = r"[\"']?[^\s\"'=]*+[\"']?,?[ \t\r]*+(?:\n|\Z)"
"""The rest of a line with nothing but an image, as a list has them: to be mirrored or scanned, whoever runs them."""
_IMAGE = lazy_regex(
    rf"^(?![ \t]*+(?:#|//|-[ \t]|{_ITEM}))(?:(?![ \t](?:#|//))[^\n])*?(?<=[\s\"'=/,(|]){CCM}:(?P<tag>v?1\.[\w.+-]++)"
    r"(?:@sha256:[0-9a-f]++)?(?=[\s\"',;)|]|\Z)",
    re.MULTILINE,
)


def _images(text: str) -> Iterator[Told]:
    for match in _IMAGE.finditer(text):
        yield Told(TAG, match["tag"], match.start("tag"))


class ReleaseSign(NamedTuple):
    """What in a text tells a release.

    Attributes:
        name: What it is.
        needs: What the text has then.
        find: Finds it.
        language: The language that it is of; empty for any.
        is_weak: Whether it counts only where nothing else tells, in what is no document and nothing builds.
    """

    name: str
    needs: tuple[str, ...]
    find: Callable[[str], Iterator[Told]]
    language: str = ""
    is_weak: bool = False


SIGNS = (
    ReleaseSign("a variable of Terraform by its name", (), _named_in_hcl, HCL),
    ReleaseSign("the chart in Terraform", (CCM,), _charts_in_hcl, HCL),
    ReleaseSign("the address of manifests", (CCM_REPOSITORY, CCM_MANIFESTS), _addresses),
    ReleaseSign("manifests of a checkout", (CCM_REPOSITORY, CCM_MANIFESTS, "git c"), _checkouts),
    ReleaseSign("a helm command", (CCM, "--version"), _commands),
    ReleaseSign("an image in a line", (f"{CCM}:",), _images, is_weak=True),
)


def find_in_text(carrier: Carrier, language: str) -> None:
    """Collect the releases that a text tells.

    Args:
        carrier: The whole file.
        language: Its language; empty for YAML.
    """
    text, collector = carrier.source.text, carrier.collector
    options = collector.options
    may_be_weak = not (options.is_bundle or options.built) and (language not in DOCUMENTS or language == GO)
    for sign in SIGNS:
        if sign.language not in ("", language) or not all(need in text for need in sign.needs):
            continue
        if sign.is_weak and (
            not may_be_weak or collector.broken or any(pod.release for pod in (*collector.pods, *collector.image_tags))
        ):
            continue
        variables: dict[tuple[str, str], Told] = {}
        for told in sign.find(text):
            if told.scope:
                variables.setdefault((told.scope, told.value), told)
            else:
                _collect(carrier, told)
        for told in islice(variables.values(), MOST_VARIABLES):
            _collect_value(carrier, told)


def _collect(carrier: Carrier, told: Told) -> None:
    release = _release_of(told)
    if release or told.kind == REF:  # whose manifests are applied, whatever they install
        subject = told.name or _SUBJECTS[told.kind].format(told.value)
        image = {TAG: f"{CCM}:{told.value}", VARIABLE: told.value}.get(told.kind, "")
        collect(carrier, subject, image, release, told.start, is_script=told.kind in (CHART, REF))


_SUBJECTS = {TAG: "image", CHART: f"chart {CCM} {{}}", REF: "manifests of {}"}


def _release_of(told: Told) -> str:
    if told.kind == VARIABLE:
        return release_of_variable(told.name, told.value)
    if told.kind == TAG:
        return release_of(f"{CCM}:{told.value}")
    return release_of_chart(told.value) if told.kind == CHART else release_of_manifests(told.value)


def _collect_value(carrier: Carrier, told: Told) -> None:
    """Collect what a text gives a variable; values that differ contradict each other, as does one set elsewhere."""
    text, name = carrier.source.text, told.value
    values = [Told(told.kind, text[slice(*place)], place.start, name) for place in _values(text, told.scope, name)]
    known = [value for value in values if _release_of(value)]
    for value in known:
        _collect(carrier, value)
    if not known and told.scope == SHELL and not is_document(carrier.collector.path):
        collect(carrier, _SUBJECTS[told.kind].format(f"${name}"), "", "", told.start, variable=name)


_VARIABLE_IN_HCL = r"\bvariable[ \t]++\"{name}\"[ \t]*+\{{[^{{}}]*?\bdefault[ \t]*+=[ \t]*+\"(?P<value>[^\"\n$]++)\""
_LOCALS = lazy_regex(r"^locals[ \t]*+\{[^\n]*+\n(?:(?!\})[^\n]*+\n)*+", re.MULTILINE)
_LOCAL_IN_HCL = r"^(?:\t| {{0,2}}){name}[ \t]*+=[ \t]*+\"(?P<value>[^\"\n$]++)\""
"""As ``terraform fmt`` indents local values; deeper ones are those of a map."""


def _values(text: str, scope: str, name: str) -> Iterator[Span]:
    """The places of the values that a text gives a variable."""
    if scope == SHELL:
        yield from assigned_values(text, name)
        return
    pattern = re.compile((_VARIABLE_IN_HCL if scope == TF_VARIABLE else _LOCAL_IN_HCL).format(name=name), re.MULTILINE)
    parts: Sequence[tuple[int, int]] = [(0, len(text))]
    if scope == TF_LOCAL:
        parts = [block.span() for block in _LOCALS.finditer(text)]
    for part in parts:
        for match in pattern.finditer(text, *part):
            yield Span(*match.span("value"))
