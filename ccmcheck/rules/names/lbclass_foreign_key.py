"""A key that [LoadBalancerClass] does not support."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog import fold
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.ignored import CLASS, reported_by


def check(conf: CloudConf) -> Problems:
    """Report the ignored keys of classes that are known in other sections."""
    for ignored in reported_by(conf, "lbclass-foreign-key"):
        section = conf.schema.section(CLASS)
        names = ", ".join(f"`{spec.name}`" for spec in section.keys) if section is not None else ""
        annotation = _annotation(fold(ignored.item.entry.key))
        yield Problem(
            ignored.item.entry.key_span,
            "not a key of a load balancer class; the CCM silently ignores it",
            f"A class supports {names}.",
            f"Annotate the Services: `{annotation}`."
            if annotation
            else "Write it in `[LoadBalancer]`, where it applies to all classes.",
        )


def _annotation(key: str) -> str:
    """The Service annotation with the meaning of a key; empty where there is none."""
    from ccmcheck.catalog.service_annotations import all_annotations

    for annotation in all_annotations():
        if key == annotation.name.rpartition("/")[2] or annotation.keys == (key,):
            return annotation.name
    return ""
