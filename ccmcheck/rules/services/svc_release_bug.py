"""A bug of the CCM's release that a Service meets."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.release_bugs import place_of, told
from ccmcheck.rules.views.service_view import ServiceView

_MOST = 3


def check(service: ServiceView) -> Problems:
    """Report the worst bugs that the Service shows each at its place, and what also needs something else together."""
    for bug in [bug for bug in service.release_bugs if not bug.when][:_MOST]:
        yield Problem(service.span_of(*place_of(bug.service[0])), *told([bug], service.release, "CCM", met=True))
    rest = [bug for bug in service.release_bugs if bug.when]
    if not all(bug.minor for bug in rest):
        place = service.span_of(*place_of(rest[0].service[0]))
        yield Problem(place, *told(rest, service.release, "CCM", met=True), severity=Severity.INFO)
