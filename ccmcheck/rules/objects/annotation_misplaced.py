"""An annotation for the CCM on a workload instead of its Service."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog import service_annotations
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping

_PLACES = (("metadata", "annotations"), ("spec", "template", "metadata", "annotations"))


def check(manifest: Manifest) -> Problems:
    """Look through the annotations of the workload and of its pods."""
    for place in _PLACES:
        annotations = manifest.at(*place)
        for key, _ in annotations.items if isinstance(annotations, Mapping) else ():
            if service_annotations.annotation(key.value) is not None:
                yield Problem(
                    key.span,
                    f"the CCM reads this annotation on Services alone; on a {manifest.kind} it does nothing",
                    "The load balancer is made as if it were not there.",
                    "Move it to `metadata.annotations` of the Service.",
                )
