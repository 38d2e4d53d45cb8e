"""An unknown annotation of the CCM."""

from __future__ import annotations

from functools import lru_cache

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Problems
from ccmcheck.base.suggest import fold_name, hint, nearest_name
from ccmcheck.catalog import Release
from ccmcheck.catalog.data_types import Annotation as Known
from ccmcheck.catalog.service_annotations import PREFIX, all_annotations, annotation, first_release, is_known
from ccmcheck.rules._support import yaml_fixes
from ccmcheck.rules.views.service_manifest import WrittenAnnotation
from ccmcheck.rules.views.service_view import ServiceView

_SECTION = "LoadBalancer"
_OTHERS_SPELL = (
    "allocateLoadBalancerNodePorts externalTrafficPolicy healthCheckNodePort ipFamilies ipFamilyPolicy loadBalancerClass "
    "loadBalancerIP loadBalancerSourceRanges sessionAffinity"
)
_SPEC_FIELDS = {name.lower(): name for name in _OTHERS_SPELL.split()}
"""Fields of a Service's spec, some of which other clouds have as annotations (k8s.io/api core/v1, ServiceSpec)."""
_MOST_EDITS = 2


def check(service: ServiceView) -> Problems:
    """Look at every annotation that is, or was intended to be, one of the CCM."""
    if not service.handled:
        return
    for name, given in service.annotations.items():
        if is_known(name, service.release):
            if not service.reads(name):
                yield Problem(
                    given.key.span,
                    "the in-tree provider does not read this annotation of the CCM",
                    "The load balancer is made as if it were not there.",
                    "Remove it, or move to the cloud-controller-manager, which reads it: `ccmcheck upgrade --from in-tree@R`.",
                )
            elif name == f"{PREFIX}lb-method" and not service.behaviours["reads-method-annotation"]:
                yield Problem(
                    given.key.span,
                    "this release declares the annotation but does not read it",
                    "`lb-method` in cloud.conf applies to all Services.",
                    "Set `lb-method` in cloud.conf, or use a newer CCM.",
                )
        elif name.startswith(PREFIX):
            known = annotation(name)
            yield _too_new(given, known, service) if known is not None else _unknown(given, service)
        else:
            meant = _misspelt_domain(name, service)
            if meant:
                mistake = "misspelt domain" if name.rpartition("/")[2] in meant else "misspelt name"
                yield _problem(service, given, f"{mistake}: the CCM silently ignores the annotation", "", meant)


def _too_new(given: WrittenAnnotation, known: Known, service: ServiceView) -> Problem:
    instead = f"`{known.keys[0]}` in cloud.conf applies to all Services." if len(known.keys) == 1 else ""
    first = first_release(known, service.release)
    label = f"this release does not read it; the first that does is {first}"
    return Problem(
        given.key.span, label, "The CCM silently ignores it.", instead or f"Upgrade to {first}, or remove it."
    )


def _unknown(given: WrittenAnnotation, service: ServiceView) -> Problem:
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
    label = "the CCM has no such annotation, and silently ignores it"
    detail = "The load balancer is made as if it were not there."
    if near is None:
        return Problem(
            given.key.span, label, detail, hint(rest, known) or "Remove it, or write the intended annotation."
        )
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
        if domain != right_domain and one.name.startswith(PREFIX) and _near_domain(domain, right_domain):
            near = nearest_name(rest, _known(service.release), _MOST_EDITS)
            return f"{PREFIX}{near}" if near is not None else ""
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


def _problem(service: ServiceView, given: WrittenAnnotation, label: str, detail: str, meant: str) -> Problem:
    """A problem with an intended name, and the fix where that annotation is not set already."""
    if meant in service.annotations:
        return Problem(given.key.span, label, detail, f"Remove it; `{meant}` is set already.")
    edit = yaml_fixes.write(service.manifest, given.key, meant)
    fix = yaml_fixes.unsafe(service.manifest, f"write `{meant}`", edit)
    return Problem(given.key.span, label, detail, f"Write `{meant}`.", fix)
