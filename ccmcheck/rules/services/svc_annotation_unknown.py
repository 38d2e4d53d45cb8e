"""An unknown annotation of the CCM.

What it does: finds annotations under `loadbalancer.openstack.org/` that the target release does not read: misspelt ones,
keys of cloud.conf, annotations of later releases, and known names under a misspelt domain.

Why: the Service does not get the setting, and nothing reports it.

What the CCM does: it reads the annotations that it knows and silently ignores all others.
Names are case-sensitive. v1.32.0, v1.32.1, v1.33.0 and v1.33.1 declare `lb-method` and never read it.

Releases: 1.14 and newer

Fix: writes the nearest name; for a key of cloud.conf, the annotation that overrides it.

Fix safety: unsafe because the load balancer changes once the annotation is read

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go, the constants of every tag;
kubernetes/cloud-provider-openstack#2756, #3232
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.suggest import fold_name, hint, nearest_name
from ccmcheck.catalog.service_annotations import PREFIX, all_annotations, annotation, first_release, is_known
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.catalog import Release
    from ccmcheck.catalog.data_types import Annotation as Known
    from ccmcheck.objects.service_manifest import Annotation
    from ccmcheck.objects.service_view import ServiceView

META = Meta("svc-annotation-unknown", "An unknown annotation of the CCM", Severity.WARNING, kinds=("Service",))

_SERVICE = """\
kind: Service
metadata:
  name: web
  annotations:
    {}
spec:
  type: LoadBalancer
  ports:
  - port: 80
"""


def _with(text: str) -> str:
    return _SERVICE.format(text)


BAD = (
    Case(
        _with('loadbalancer.openstack.org/enable-healthmonitor: "true"'),
        at=(5, 5),
        fixed=_with('loadbalancer.openstack.org/enable-health-monitor: "true"'),
        unsafe=True,
    ),
    Case(
        _with('"loadbalancer.openstack.org/create-monitor": "true"'),
        at=(5, 5),
        fixed=_with('"loadbalancer.openstack.org/enable-health-monitor": "true"'),
        unsafe=True,
    ),
    Case(_with("loadbalancer.openstack.org/lb-provider: ovn"), at=(5, 5)),
    Case(_with('loadbalancer.openstack.org/node-selector: "env=prod"'), at=(5, 5), release="1.27"),
    Case(
        _with('service.beta.kubernetes.io/openstack-internal-loadbalancer: "true"'),
        at=(5, 5),
        fixed=_with('service.beta.kubernetes.io/openstack-internal-load-balancer: "true"'),
        unsafe=True,
    ),
    Case(
        _with('loadbalancer.openstack.com/proxy-protocol: "true"'),
        at=(5, 5),
        fixed=_with('loadbalancer.openstack.org/proxy-protocol: "true"'),
        unsafe=True,
        shown=False,
    ),
    Case(
        _with('loadbalancer.openstack.org/Proxy-Protocol: "true"'),
        at=(5, 5),
        fixed=_with('loadbalancer.openstack.org/proxy-protocol: "true"'),
        unsafe=True,
        shown=False,
    ),
    Case(_with("loadbalancer.openstack.org/loadBalancerIP: 192.0.2.1"), at=(5, 5)),
    Case(_with("loadbalancer.openstack.org/load-balancer-ip: 192.0.2.1"), at=(5, 5), shown=False),
    Case(_with("loadbalancer.openstack.org/security-group: x"), at=(5, 5), shown=False),
    Case(_with('loadbalancer.openstack.org/enable-ingress-hostname: "true"'), at=(5, 5), shown=False),
    Case(_with("loadbalancer.openstack.org/lb-method: SOURCE_IP"), at=(5, 5), release="v1.33.0", shown=False),
    Case(_with('loadbalancer.openstack.org/health-monitor-max-retries-down: "3"'), at=(5, 5), release="v1.27.1"),
    Case(
        _with(
            'loadbalancer.openstack.org/keep-floating-ip: "true"\n    loadbalancer.openstack.org/keep-floatingip: "true"'
        ),
        at=(5, 5),
        shown=False,
    ),
)
GOOD = (
    Case(_with('loadbalancer.openstack.org/enable-health-monitor: "true"')),
    Case(_with('service.beta.kubernetes.io/azure-load-balancer-internal: "true"')),
    Case(_with('loadbalancer.openstack.org/{{ .Values.name }}: "true"'), template=True),
    Case(
        _with('loadbalancer.openstack.org/nonsense: "true"').replace("spec:", "spec:\n  loadBalancerClass: x.io/y"),
        shown=False,
    ),
    Case(_with('loadbalancer.openstack.org/nonsense: "true"').replace("LoadBalancer", "NodePort"), shown=False),
    Case(_with('loadbalancer.openstack.org/node-selector: "env=prod"'), release="1.28", shown=False),
    Case(_with("loadbalancer.openstack.org/load-balancer-address: 192.0.2.1"), shown=False),
    Case(_with('metallb.universe.tf/address-pool: "x"'), shown=False),
)

_SECTION = "LoadBalancer"
_SPEC_FIELDS = {
    name.lower(): name
    for name in (
        "allocateLoadBalancerNodePorts",
        "externalTrafficPolicy",
        "healthCheckNodePort",
        "ipFamilies",
        "ipFamilyPolicy",
        "loadBalancerClass",
        "loadBalancerIP",
        "loadBalancerSourceRanges",
        "sessionAffinity",
    )
}
"""Fields of a Service's spec, some of which other clouds have as annotations (k8s.io/api core/v1, ServiceSpec)."""
_MOST_EDITS = 2


def check(service: ServiceView) -> Iterator[Problem]:
    """Look at every annotation that is, or was intended to be, one of the CCM."""
    if not service.handled:
        return
    for name, given in service.annotations.items():
        if is_known(name, service.release):
            if name == f"{PREFIX}lb-method" and not service.behaviours["reads-method-annotation"]:
                yield Problem(
                    given.key.span,
                    "this release declares the annotation but does not read it",
                    "`lb-method` in cloud.conf applies.",
                )
        elif name.startswith(PREFIX):
            known = annotation(name)
            yield _too_new(given, known, service) if known is not None else _unknown(given, service)
        else:
            meant = _misspelt_domain(name, service)
            if meant:
                mistake = "misspelt domain" if name.rpartition("/")[2] in meant else "misspelt name"
                yield _problem(service, given, f"{mistake}: the CCM silently ignores the annotation", "", meant)


def _too_new(given: Annotation, known: Known, service: ServiceView) -> Problem:
    instead = f"`{known.keys[0]}` in cloud.conf applies to all Services." if len(known.keys) == 1 else ""
    label = f"unknown to this release; the first that reads it is {first_release(known, service.release)}"
    return Problem(given.key.span, label, "The CCM silently ignores it.", instead)


def _unknown(given: Annotation, service: ServiceView) -> Problem:
    rest = given.name.removeprefix(PREFIX)
    known = _known(service.release)
    history = catalog.history(_SECTION, rest.lower())
    if history is not None:
        overriding = next((one for one in known.values() if one.keys == (rest.lower(),)), None)
        label = "a key of cloud.conf, not an annotation; the CCM silently ignores it"
        if overriding is None:
            help_text = "Set it in [LoadBalancer], for all Services."
            return Problem(given.key.span, label, "", help_text)
        return _problem(service, given, label, "", overriding.name)
    field = _SPEC_FIELDS.get(fold_name(rest))
    if field is not None:
        label = "a field of the Service's spec, not an annotation; the CCM silently ignores it"
        return Problem(given.key.span, label, "", f"Write `{field}` below `spec`.")
    near = nearest_name(rest, known, _MOST_EDITS)
    label = "unknown annotation"
    detail = "The CCM silently ignores it."
    if near is None:
        return Problem(given.key.span, label, detail, hint(rest, known))
    return _problem(service, given, label, detail, known[near].name)


@lru_cache(maxsize=64)
def _known(release: Release) -> dict[str, Known]:
    """The annotations that a release reads or writes, by their names without the domain."""
    return {one.name.rpartition("/")[2]: one for one in all_annotations() if is_known(one.name, release)}


def _misspelt_domain(name: str, service: ServiceView) -> str:
    """The annotation that a name under another domain was intended to be; empty where it belongs to other software."""
    domain, slash, rest = name.partition("/")
    if not slash:
        return ""
    for one in all_annotations():
        right_domain, _, right_rest = one.name.partition("/")
        if not is_known(one.name, service.release):
            continue
        if rest == right_rest and _near_domain(domain, right_domain):
            return one.name
        if (
            domain == right_domain
            and not one.name.startswith(PREFIX)
            and nearest_name(rest, (right_rest,), _MOST_EDITS)
        ):
            return one.name
    return ""


def _near_domain(domain: str, right: str) -> bool:
    """Whether a domain is a misspelling of another, under any top-level domain."""
    return nearest_name(domain.rpartition(".")[0], (right.rpartition(".")[0],), _MOST_EDITS) is not None


def _problem(service: ServiceView, given: Annotation, label: str, detail: str, meant: str) -> Problem:
    """A problem with an intended name, and the fix where that annotation is not set already."""
    if meant in service.annotations:
        return Problem(given.key.span, label, detail, f"Remove it; `{meant}` is set already.")
    edit = yaml_fixes.write(service.manifest, given.key, meant)
    fix = yaml_fixes.unsafe(service.manifest, f"write `{meant}`", edit)
    return Problem(given.key.span, label, detail, f"Write `{meant}`.", fix)
