"""A feature that ovn does not support."""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog import octavia
from ccmcheck.catalog.data.octavia import ALGORITHMS
from ccmcheck.catalog.service_annotations import annotation, is_valid
from ccmcheck.rules._support import service_fixes, yaml_fixes
from ccmcheck.rules.views.service_view import ServiceView
from ccmcheck.yamlio import Scalar

_OMITTED: dict[str, str] = dict(read_table(__file__, "omitted.tsv"))
_AFFINITY = "sessionAffinity"


def check(service: ServiceView) -> Problems:
    """Look at what ovn rejects, then at what the CCM does not send to it."""
    if not service.handled or not service.driver.is_special:
        return
    yield from _method(service)
    facts = service.run_context.facts
    release = octavia.ovn_release(facts.ovn_octavia_release, facts.octavia_release)
    if service.service.affinity == "ClientIP" and service.driver.has("persistence", release) is False:
        yield Problem(
            service.span_of("spec", _AFFINITY),
            "this release of ovn-octavia-provider does not support session persistence",
            "Octavia rejects the whole load balancer.",
            "Remove it, or upgrade ovn-octavia-provider.",
            severity=Severity.ERROR,
        )
    if not service.behaviours["knows-ovn"]:
        return
    for name, what in _OMITTED.items():
        given = service.annotation(name)
        known = annotation(given.name) if given is not None else None
        if given is not None and known is not None and given.text and is_valid(known, given.text, service.release):
            edits = service_fixes.remove_annotations(service, name)
            yield Problem(
                given.key.span,
                f"has no effect: the CCM does not send {what} to ovn",
                "The annotation is silently ignored."
                if name != "availability-zone"
                else "The CCM only logs a warning.",
                "Remove it.",
                yaml_fixes.unsafe(service.manifest, "remove it", *edits),
            )


def _method(service: ServiceView) -> Problems:
    """An algorithm of Octavia that ovn does not support; svc-annotation-value reports any other value."""
    given = service.annotation("lb-method")
    if given is None or not given.text or not service.behaviours["reads-method-annotation"]:
        return
    driver, octavia_release = service.driver, service.run_context.facts.octavia_release
    if given.text not in ALGORITHMS or driver.takes(given.text, octavia_release) is not False:
        return
    best = next(iter(driver.methods or ALGORITHMS))
    edit = service_fixes.replace(service.manifest, given.node, best) if isinstance(given.node, Scalar) else None
    yield Problem(
        given.span,
        "not supported by ovn",
        "Octavia rejects the whole load balancer.",
        f"Write `{best}`.",
        yaml_fixes.unsafe(service.manifest, f"write `{best}`", edit),
        severity=Severity.ERROR,
    )
