"""What ccmcheck says of a Service beside what the API server says."""

from __future__ import annotations

import re
from typing import Any

from ccmcheck.carriers import FindOptions, find
from ccmcheck.predict.inputs.fields import dotted
from ccmcheck.predict.inputs.manifests import plain
from ccmcheck.predict.inputs.service import read_service

Json = dict[str, Any]
KUBERNETES = "1.36"
_NAMED = re.compile(r"\[([^\]]*[^\]\d][^\]]*)\]")
_FIELD = re.compile(r"(?:metadata|spec)\b\S*\Z")
_FOLLOWS = ("spec.ports[0].targetPort", "spec.ipFamilyPolicy", "spec.ipFamilies", "spec.clusterIPs[0]")
"""Reported beside the field that is the reason."""


def difference(service: Json, answer: list[str], *, alone: bool) -> str:
    """Say how the two differ; empty where they agree.

    They agree where both refuse or both take it, and one of our faults is where the API server's first error is.

    Args:
        service: The manifest.
        answer: The fields that the API server reports.
        alone: Whether there is one mistake only, so that its place must be the same.
    """
    faults = [one for one in read_service(service).faults if one.holds(KUBERNETES) is not False]
    if bool(faults) != bool(answer):
        return f"ccmcheck {[(dotted(one.path), one.text) for one in faults]}, the API server {answer}"
    named = [_NAMED.sub(r".\1", one.replace(".LoadBalancerSource", ".loadBalancerSource")) for one in answer]
    fields = [one for one in named if _FIELD.match(one) and not one.startswith(_FOLLOWS)]
    if not alone or not fields:
        return ""
    ours = [dotted(one.path) for one in faults]
    if any(our.startswith(field) or field.startswith(our) for our in ours for field in fields):
        return ""
    return f"ccmcheck {ours}, the API server {fields}"


def is_refused(text: str) -> bool:
    """Whether we say that a manifest is refused: it is no YAML, or there is something wrong with the Service."""
    found = find("service.yaml", text, FindOptions(explicit=True)).objects
    faults = read_service(plain(found[0].node, found[0].source)).faults if found else ()
    return not found or any(one.holds(KUBERNETES) is not False for one in faults)
