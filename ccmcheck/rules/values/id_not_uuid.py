"""A name instead of an ID."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.uuids import UUID
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import spelling

_HEX = lazy_regex(r"[0-9a-f]{32}", re.IGNORECASE)
_CIDR = lazy_regex(r"[0-9a-f.:]+/\d{1,3}", re.IGNORECASE)
_NETWORK_SECTIONS = frozenset(("LoadBalancer", "LoadBalancerClass", "Route"))
_GENERATED = frozenset(("application-credential-id", "trust-id"))
_NO_ID = lazy_regex(r"[\s/@,:]")
_PROJECT_NAME = lazy_regex(r"(?=.*[g-z])(?=.*[-_.])[a-z][\w.-]{3,63}", re.IGNORECASE)
"""What is a name in all likelihood: Keystone keeps projects in its own database, and gives them 32 hexadecimal digits."""
_KIND = {"flavor-id": "flavor", "router-id": "router"}


def check(conf: CloudConf) -> Problems:
    """Look at every known ``*-id`` key."""
    for item in conf.items:
        spec = item[2]
        if spec is None or spec.name[-3:] != "-id":
            continue
        value = item.entry.value
        if not value or UUID.fullmatch(value) or item.opaque:
            continue
        in_network = spec.section in _NETWORK_SECTIONS
        is_project = spec.name == "tenant-id" and _PROJECT_NAME.fullmatch(value) is not None
        if not in_network and (_HEX.fullmatch(value) or not (is_project or _is_wrong(spec.name, value))):
            continue
        if (
            spelling.is_reported_as_misspelt(value)
            or conf.last(spec.section, spec.name, item.section.subsection) != item
        ):
            continue
        stands_for_value = spelling.stands_for_id(value) or spelling.is_name_of_variable(value) or value == spec.name
        if stands_for_value and is_document(conf.path):
            continue
        kind = _KIND.get(spec.name, "subnet" if "subnet" in spec.name else "network")
        yield Problem(
            item.span,
            _label(value, in_network=in_network),
            "Every Service that uses it fails; the CCM does not check it at start."
            if in_network
            else f"Keystone gives IDs of 32 hexadecimal digits; with a name here {conf.reader} cannot log in."
            if is_project
            else f"Keystone has no such ID, so {conf.reader} cannot log in.",
            f"Write the {kind}'s UUID: `openstack {'loadbalancer ' * (kind == 'flavor')}{kind} show NAME -f value -c id` prints it."
            if in_network
            else f"Write the ID, or use the key that takes a name{': `tenant-name`' if is_project else ''}.",
            severity=Severity.INFO if is_project else None,
        )


def _is_wrong(name: str, value: str) -> bool:
    """Whether Keystone never generates such an ID: project, user and domain IDs may come from another system."""
    if name in _GENERATED:
        return True
    return _NO_ID.search(value) is not None or (name.endswith("domain-id") and value == "Default")


def _label(value: str, *, in_network: bool) -> str:
    if not value.strip():
        return "whitespace is sent as the ID"
    if _CIDR.fullmatch(value):
        return "a CIDR, not an ID"
    if in_network and _HEX.fullmatch(value):
        return "a UUID without hyphens is not accepted here"
    return "not an ID, probably a name"
