"""An annotation's value that the CCM cannot read, or that does not work.

What it does: finds bools that are not exactly `true` or `false`, integers with a unit, a `proxy-protocol` that the release
does not know, numbers that Octavia refuses, IDs that are none, and values that are no text.

Why: the load balancer is another one than was asked for, or there is none.

What the CCM does: up to 1.22 a bad bool ends the reconcile; since 1.23 the default holds. A bad integer is passed over,
since 1.19 with a warning in the log. `proxy-protocol` takes `v1` and `v2` since 1.31; anything else is off. A value
without quotes that YAML reads as a bool or a number never gets there: the API server refuses the Service.

Releases: 1.14 and newer

Fix: writes the quotes; `true` and `false` in lower case; the number without its unit.

Fix safety: safe for quotes, because the Service is refused without them; otherwise unsafe because the load balancer changes

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go getBoolFromServiceAnnotation, getIntFromServiceAnnotation,
getProxyProtocolFromServiceAnnotation; octavia/common/constants.py; Kubernetes 1.36, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import octavia
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.catalog.data.annotation_values import RANGES, SHORTEST
from ccmcheck.catalog.service_annotations import PREFIX, annotation, integer, intended_value, is_known, is_valid
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix
    from ccmcheck.catalog.data_types import Annotation as Known
    from ccmcheck.objects.service_manifest import Annotation
    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-annotation-value", "An annotation's value that does not work", Severity.WARNING, kinds=("Service",))

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    loadbalancer.openstack.org/{}
spec:
  type: LoadBalancer
  ports:
  - port: 80
"""


def _with(text: str) -> str:
    return _SERVICE.format(text)


BAD = (
    Case(
        _with("enable-health-monitor: true"),
        at=(5, 55),
        fixed=_with('enable-health-monitor: "true"'),
        severity=Severity.ERROR,
    ),
    Case(
        _with('enable-health-monitor: "True"'),
        at=(5, 55),
        fixed=_with('enable-health-monitor: "true"'),
        unsafe=True,
    ),
    Case(
        _with('health-monitor-delay: "5s"'),
        at=(5, 54),
        fixed=_with('health-monitor-delay: "5"'),
        unsafe=True,
    ),
    Case(_with("timeout-client-data: 50s"), at=(5, 53), fixed=_with('timeout-client-data: "50000"'), unsafe=True),
    Case(_with("proxy-protocol: v2"), at=(5, 48), release="1.30"),
    Case(_with("proxy-protocol: v1"), at=(5, 48), fixed=_with('proxy-protocol: "true"'), unsafe=True, release="1.30"),
    Case(_with('health-monitor-max-retries: "11"'), at=(5, 60), severity=Severity.ERROR),
    Case(_with("floating-network-id: public"), at=(5, 53), severity=Severity.ERROR),
    Case(
        _with("health-monitor-delay: 5"),
        at=(5, 54),
        fixed=_with('health-monitor-delay: "5"'),
        severity=Severity.ERROR,
        shown=False,
    ),
    Case(
        _with("keep-floatingip: 'yes'"),
        at=(5, 49),
        fixed=_with("keep-floatingip: 'true'"),
        unsafe=True,
        severity=Severity.ERROR,
        release="1.22",
        shown=False,
    ),
    Case(
        _with("keep-floatingip: yes"),
        at=(5, 49),
        fixed=_with('keep-floatingip: "true"'),
        severity=Severity.ERROR,
        shown=False,
    ),
    Case(_with('x-forwarded-for: ""'), at=(5, 49), shown=False),
    Case(_with('health-monitor-timeout: "500ms"'), at=(5, 56), shown=False),
    Case(_with('health-monitor-max-retries-down: "0"'), at=(5, 65), shown=False),
    Case(_with('health-monitor-delay: "0"'), at=(5, 54), severity=Severity.ERROR, shown=False),
    Case(_with("lb-method: round_robin"), at=(5, 43), severity=Severity.ERROR, shown=False),
    Case(_with("node-selector: env = prod"), at=(5, 47), shown=False),
    Case(_with("lb-method: SOURCE_IP_PORT"), at=(5, 43), conf="[LoadBalancer]\nlb-provider = amphora\n", shown=False),
    Case(_with("hostname: 192.0.2.1"), at=(5, 42), severity=Severity.ERROR, shown=False),
    Case(
        _with("availability-zone: 1"),
        at=(5, 51),
        fixed=_with('availability-zone: "1"'),
        severity=Severity.ERROR,
        shown=False,
    ),
)
GOOD = (
    Case(_with('enable-health-monitor: "true"')),
    Case(_with('health-monitor-delay: "10"')),
    Case(_with('proxy-protocol: "v2"')),
    Case(_with("enable-health-monitor: '${MONITOR}'"), template=True),
    Case(_with("enable-health-monitor: {{ .Values.monitor | quote }}"), template=True),
    Case(_with('node-selector: "env=prod"')),
    Case(_with('node-selector: "env = prod"'), release="1.27", shown=False),
    Case(_with("floating-network-id: 0f1b6c1e-2d3a-4b5c-8d7e-6f5a4b3c2d1e"), shown=False),
    Case(_with('floating-network-id: ""'), shown=False),
    Case(_with('connection-limit: "-1"'), shown=False),
    Case(_with('timeout-client-data: "+0050000"'), shown=False),
    Case(_with("hostname: web.example.com"), shown=False),
    Case(_with("enable-health-monitor: True").replace("LoadBalancer", "NodePort"), shown=False),
    Case(_with('lb-method: "x"'), release="1.31", shown=False),
)

_UUID = lazy_regex(r"(?:urn:uuid:)?\{?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?")
_SELECTOR = lazy_regex(r"[A-Za-z0-9][A-Za-z0-9./_-]*+(?:=(?:[A-Za-z0-9][A-Za-z0-9._-]*+)?)?")
_HOSTNAME = lazy_regex(r"(?!.*\.\d++\Z)[a-z0-9](?:[-a-z0-9]*+(?<!-))?(?:\.[a-z0-9](?:[-a-z0-9]*+(?<!-))?)*+")


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at the values that the API server refuses, then at those of the CCM's own annotations."""
    if service.manifest.said("spec", "type").lower() != "loadbalancer":
        return
    yield from _no_texts(service)
    if not service.handled:
        return
    for name, given in service.annotations.items():
        text = given.text
        found = annotation(name)
        if found is None or text is None or not is_known(name, service.release):
            continue
        if not is_valid(found, text, service.release):
            yield _unread(service, given, found, text)
        elif text:
            told = _unworkable(service, name.rpartition("/")[2], found, text)
            if told is not None:
                severity, label, detail = told
                yield Problem(given.span, label, detail, severity=severity)


def _no_texts(service: ServiceView) -> Iterator[Problem]:
    """Values of any annotation that are no text."""
    for fault in service.service.faults:
        if fault.about != "annotation":
            continue
        name = str(fault.path[-1])
        given = service.annotations.get(name)
        fix = None
        if given is not None and isinstance(given.node, Scalar):
            edit = service_fixes.as_text(service.manifest, given.node)
            fix = yaml_fixes.safe(service.manifest, f"write `{edit.text}`" if edit is not None else "", edit)
        yield Problem(
            given.span if given is not None else service.span_of(*fault.path),
            f"Kubernetes takes texts only, and this is {_kind(fault.better)}",
            "The API server refuses the Service.",
            f"Write `{fix.edits[0].text}`." if fix is not None else fault.help,
            fix,
            severity=Severity.ERROR,
        )


def _kind(value: str | int | None) -> str:
    return "none" if value is None else f"the bool `{value}`" if value in ("true", "false") else f"the number {value}"


def _unread(service: ServiceView, given: Annotation, found: Known, text: str) -> Problem:
    """A value that the release cannot read."""
    if found.type == "int":
        label = "no whole number to the CCM, which passes over it" if text else "empty, which is no number"
    elif found.type == "bool":
        label = "neither `true` nor `false` to the CCM"
    else:
        label = "no PROXY protocol that this release knows"
    ends = found.type != "int" and service.behaviours["bad-bool-is-an-error"]
    better = intended_value(found, text, service.release)
    fix: Fix | None = None
    if better is not None and isinstance(given.node, Scalar):
        edit = service_fixes.replace(service.manifest, given.node, better)
        fix = yaml_fixes.unsafe(service.manifest, f'write `"{better}"`', edit)
    return Problem(
        given.span,
        label,
        f"The CCM ends {_AT_DELETION.get(found.name, 'the reconcile')} with an error." if ends else _instead(found),
        f'Write `"{better}"`.' if better is not None else "",
        fix,
        severity=Severity.ERROR if ends else None,
    )


_AT_DELETION = {f"{PREFIX}keep-floatingip": "the deletion of the Service"}


def _instead(found: Known) -> str:
    """What holds in the place of a value that is passed over."""
    if found.type == "enum":
        return "The PROXY protocol stays off, without a line in the log."
    key = found.keys[0] if len(found.keys) == 1 else ""
    if key:
        return f"`{key}` of cloud.conf holds."
    return f"What holds instead: {found.default}."


def _unworkable(service: ServiceView, name: str, found: Known, text: str) -> tuple[Severity, str, str] | None:
    """A value that is read, and does not work."""
    if found.type == "int":
        return _out_of_range(name, integer(text))
    if name == "node-selector":
        wrong = [part for part in text.split(",") if part.strip() and not _SELECTOR.fullmatch(part.strip())]
        if wrong:
            return (
                Severity.WARNING,
                f"`{_cut(wrong[0].strip())}` is no `label=value`: no node has such a label",
                "Blanks around `=` belong to the label and its value. The pools lose all their members, without a message.",
            )
    elif name == "lb-method" and service.behaviours["reads-method-annotation"]:
        words = allowed_values("LoadBalancer", name, service.release)
        if words is not None and text not in words.words:
            return (Severity.ERROR, f"none of {', '.join(words.words)}", "Octavia refuses the pools.")
        if service.driver == "amphora" and octavia.method_taken("amphora", text, "") is False:
            why = "It takes the algorithm inside one request and runs plain round robin; alone it is refused with 501."
            return Severity.WARNING, "amphora does not do this algorithm", why
    elif name == "hostname" and not _HOSTNAME.fullmatch(text):
        return (Severity.ERROR, "no host name", "Kubernetes refuses it in the Service's status, which stays empty.")
    elif name.endswith("-id") and name != "load-balancer-id" and not _UUID.fullmatch(text):
        return (
            Severity.ERROR,
            "not an ID; more likely a name",
            "OpenStack finds nothing by it, and the Service fails.",
        )
    return None


def _out_of_range(name: str, value: int | None) -> tuple[Severity, str, str] | None:
    least, most = RANGES[name]
    if value is None or name in SHORTEST or (least <= value and (most is None or value <= most)):
        return None
    span = f"{least} to {most}" if most is not None else f"{least} or more"
    if name == "health-monitor-delay" and value == 0:
        return Severity.ERROR, "a delay of 0 makes HAProxy refuse its configuration", "The load balancer ends in ERROR."
    if name == "health-monitor-max-retries-down" and value == 0:
        why = "The CCM leaves 0 out, Octavia stores 3, and the monitor is updated at every reconcile."
        return Severity.WARNING, f"not in the range {span}", why
    return Severity.ERROR, f"not in the range {span}", "Octavia refuses the whole load balancer."


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
