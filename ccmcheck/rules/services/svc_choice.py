"""An annotation that does less than it says, because of what decides besides it."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.release_bugs import place_of
from ccmcheck.rules.views.service_view import ServiceView


def check(service: ServiceView) -> Problems:
    """Tell of the choices that a Service's own annotation shows to be a surprise."""
    for choice in service.choices:
        if choice.lint and service.annotation(choice.lint) is not None:
            change = choice.change[:1].upper() + choice.change[1:]
            yield Problem(service.span_of(*place_of(f"annotation {choice.lint}")), choice.says, help=f"{change}.")
