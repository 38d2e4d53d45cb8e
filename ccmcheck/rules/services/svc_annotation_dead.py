"""An annotation without effect."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.data_types import Annotation as Known
from ccmcheck.catalog.service_annotations import PREFIX, all_annotations, annotation, is_known, is_valid
from ccmcheck.rules.views.service_view import ServiceView

_LB_METHOD = f"{PREFIX}lb-method"
_CLASS = f"{PREFIX}class"


def check(service: ServiceView) -> Problems:
    """Report the annotations that the prediction ignores."""
    if (
        not service.handled
        or service.driver.is_special
        or not any(name.startswith(PREFIX) for name in service.annotations)
    ):
        return
    prediction = service.prediction
    # reported by svc-annotation-unknown, svc-annotation-value and, where a class sets the same, svc-class
    elsewhere = {_LB_METHOD} | {
        known.name for known in all_annotations() if _CLASS in service.annotations and _is_of_class(known)
    }
    for one in prediction.ignored if prediction is not None else ():
        given, found = service.annotations.get(one.what), annotation(one.what)
        if given is None or not given.text or found is None or one.what in elsewhere:
            continue
        known = one.what.startswith(PREFIX) and is_known(one.what, service.release)
        if known and is_valid(found, given.text, service.release):
            yield Problem(
                given.key.span,
                f"has no effect: {one.why}",
                "The CCM reads the value, and no request to Octavia has it.",
                "Remove the annotation, or change what the reason names.",
            )


def _is_of_class(known: Known) -> bool:
    """Whether a class of cloud.conf can set the same."""
    named = annotation(_CLASS)
    return named is not None and bool(known.keys) and set(known.keys) <= set(named.keys) and known.name != _CLASS
