"""Which TLS references the CCM and Barbican refuse, whatever Barbican holds: what predictions and rules both ask.

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go checkService, up to v1.28.1 ``containers.Get`` alone;
openstack/barbican barbican/api/controllers/containers.py and secrets.py, which answer 404 to an ID that is no UUID.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.inputs.behaviours import Behaviours

KINDS = ("containers", "secrets")
_UUID = lazy_regex(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


class WrongReference(NamedTuple):
    """Why a reference to Barbican cannot work.

    Attributes:
        why: In words.
        is_malformed: Whether the CCM refuses its form, without looking it up.
        is_certain: Whether nothing that Barbican could hold makes it right: not for an ID that is no UUID, which may
            stand for one in an example.
    """

    why: str
    is_malformed: bool = False
    is_certain: bool = True


def wrong_reference(ref: str, release: str, behaviours: Behaviours) -> WrongReference | None:
    """What is wrong with a reference to Barbican; None where nothing is.

    Args:
        ref: The reference.
        release: The CCM's release, for people.
        behaviours: The release's.
    """
    has_kind = behaviours["tls-reference-has-a-kind"]
    *before, last = ref.split("/")
    kind = before[-1] if before else ""
    malformed = has_kind and kind not in KINDS
    if malformed or not _UUID.fullmatch(last):
        return WrongReference("not a reference to a Barbican container or secret", malformed, malformed)
    if kind == "secrets" and not has_kind:
        return WrongReference(f"CCM {release} only supports containers, and uses this ID as a container's")
    return None
