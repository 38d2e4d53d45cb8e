"""An invalid annotation value."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Fix, Problem, Problems, Severity
from ccmcheck.base.uuids import UUID_LIKE
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.catalog.data.annotation_values import RANGES, SHORTEST
from ccmcheck.catalog.data_types import Annotation as Known
from ccmcheck.catalog.service_annotations import (
    PREFIX,
    annotation,
    integer,
    intended_value,
    is_known,
    is_valid,
    proxy_protocols,
)
from ccmcheck.rules._support import placeholders, service_fixes, spelling, yaml_fixes
from ccmcheck.rules.views.service_manifest import WrittenAnnotation
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import Scalar

_SELECTOR = lazy_regex(r"[A-Za-z0-9][A-Za-z0-9./_-]*+(?:=(?:[A-Za-z0-9][A-Za-z0-9._-]*+)?)?")
_HOSTNAME = lazy_regex(r"(?!.*\.\d++\Z)[a-z0-9](?:[-a-z0-9]*+(?<!-))?(?:\.[a-z0-9](?:[-a-z0-9]*+(?<!-))?)*+")


def check(service: ServiceView) -> Problems:
    """Look at the values that the API server rejects, then at those of the CCM's annotations."""
    if service.manifest.text_at("spec", "type").lower() != "loadbalancer":
        return
    yield from _not_strings(service)
    if not service.handled:
        return
    for name, given_annotation in service.annotations.items():
        text = given_annotation.text
        known = annotation(name)
        if known is None or text is None or not is_known(name, service.release) or not service.reads(name):
            continue
        left = spelling.placeholder(text) or (text if name.endswith("-id") and spelling.stands_for_id(text) else "")
        if left:
            yield from placeholders.in_service(service.manifest, given_annotation.span, left)
        elif not is_valid(known, text, service.release):
            yield _unread(service, given_annotation, known, text)
        elif text:
            problem = _invalid(service, name.rpartition("/")[2], known, text)
            if problem is not None:
                severity, label, detail, advice = problem
                yield Problem(given_annotation.span, label, detail, advice, severity=severity)


def _not_strings(service: ServiceView) -> Problems:
    """Values of any annotation that are not strings."""
    for fault in service.service.faults:
        if fault.about != "annotation":
            continue
        name = str(fault.path[-1])
        given_annotation = service.annotations.get(name)
        fix = None
        if given_annotation is not None and isinstance(given_annotation.node, Scalar):
            edit = service_fixes.as_text(service.manifest, given_annotation.node)
            fix = yaml_fixes.safe(service.manifest, f"write `{edit.text}`" if edit is not None else "", edit)
        yield Problem(
            given_annotation.span if given_annotation is not None else service.span_of(*fault.path),
            f"an annotation must be a string, and this is {_kind(fault.better)}",
            "The API server rejects the Service.",
            f"Write `{fix.edits[0].text}`." if fix is not None else fault.help,
            fix,
            severity=Severity.ERROR,
        )


def _kind(value: str | int | None) -> str:
    return "not" if value is None else f"the bool `{value}`" if value in ("true", "false") else f"the number {value}"


def _unread(service: ServiceView, given_annotation: WrittenAnnotation, known: Known, text: str) -> Problem:
    """The problem with a value that the release cannot read."""
    if known.type == "int":
        label = "not an integer; the CCM ignores it" if text else "empty, not an integer; the CCM ignores it"
        advice = "Write a whole number in quotes, or remove the annotation."
    elif known.type == "bool":
        label = "neither `true` nor `false`; values are case-sensitive"
        advice = 'Write `"true"` or `"false"`.'
    else:
        label = "not a PROXY protocol version that this release supports"
        advice = f"Write {_listed(proxy_protocols(service.release))}, or remove the annotation."
    fails = known.type != "int" and service.behaviours["bad-bool-is-an-error"]
    better = intended_value(known, text, service.release)
    fix: Fix | None = None
    if better is not None and isinstance(given_annotation.node, Scalar):
        edit = service_fixes.replace(service.manifest, given_annotation.node, better)
        fix = yaml_fixes.unsafe(service.manifest, f'write `"{better}"`', edit)
    return Problem(
        given_annotation.span,
        label,
        f"The CCM fails {_AT_DELETION.get(known.name, 'to reconcile the Service')}." if fails else _instead(known),
        f'Write `"{better}"`.' if better is not None else advice,
        fix,
        severity=Severity.ERROR if fails else None,
    )


_AT_DELETION = {f"{PREFIX}keep-floatingip": "to delete the Service"}


def _instead(known: Known) -> str:
    """What applies instead of an ignored value."""
    if known.type == "enum":
        return "The CCM silently leaves the PROXY protocol off."
    key = known.keys[0] if len(known.keys) == 1 else ""
    if key:
        return f"`{key}` of cloud.conf applies."
    return f"The default applies: {known.default.partition(' (')[0]}."


def _invalid(service: ServiceView, name: str, known: Known, text: str) -> tuple[Severity, str, str, str] | None:
    """A value that is read but does not work: the severity, what it is, what follows, and what to write."""
    if known.type == "int":
        return _out_of_range(name, integer(text))
    if name == "node-selector":
        wrong = [part for part in text.split(",") if part.strip() and not _SELECTOR.fullmatch(part.strip())]
        if wrong:
            return (
                Severity.WARNING,
                f"`{_cut(wrong[0].strip())}` is not `label=value`: no node has such a label",
                "Spaces around `=` are part of the label and its value. The pools silently lose all their members.",
                'Write `"label=value"`, as in `"env=prod,zone=a"`; a node must match all of them.',
            )
    elif name == "lb-method" and service.behaviours["reads-method-annotation"]:
        words = allowed_values("LoadBalancer", name, service.release)
        if words is not None and text not in words.words:
            label = f"Octavia has no algorithm `{_cut(text)}`"
            return Severity.ERROR, label, "It rejects the pools.", f"Write {_listed(words.words)}."
        built_as = service.driver.methods_of_create.get(text)
        if built_as:
            why = f"A new load balancer uses {built_as}; a pool in a separate request is rejected with 501."
            return Severity.WARNING, f"not supported by {service.driver.name}", why, "Write an algorithm that it has."
    elif name == "hostname" and not _HOSTNAME.fullmatch(text):
        return (
            Severity.ERROR,
            "not a valid hostname",
            "Kubernetes rejects it in the status of the Service, which stays empty.",
            "Write a DNS name of small letters, such as `web.example.org`.",
        )
    elif name.endswith("-id") and not UUID_LIKE.fullmatch(text):
        return (
            Severity.ERROR,
            "not an ID, probably a name",
            "OpenStack finds no such object, and the Service fails.",
            "Write its UUID: `openstack … show NAME -f value -c id` prints it.",
        )
    return None


def _out_of_range(name: str, value: int | None) -> tuple[Severity, str, str, str] | None:
    least, most = RANGES[name]
    if value is None or name in SHORTEST or (least <= value and (most is None or value <= most)):
        return None
    span = f"{least} to {most}" if most is not None else f"{least} or more"
    advice = f"Write a number from {span}, in quotes." if most is not None else f"Write a number of {span}, in quotes."
    if name == "health-monitor-delay" and value == 0:
        return Severity.ERROR, "HAProxy rejects a delay of 0", "The load balancer goes to ERROR.", advice
    if name == "health-monitor-max-retries-down" and value == 0:
        why = "The CCM does not send 0, Octavia uses 3, and the CCM updates the monitor at every reconcile."
        return Severity.WARNING, f"{value} is not in the range {span}", why, advice
    return Severity.ERROR, f"{value} is not in the range {span}", "Octavia rejects the whole load balancer.", advice


def _listed(words: Iterable[str]) -> str:
    *others, last = (f'`"{word}"`' for word in words)
    return f"{', '.join(others)} or {last}" if others else last


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
