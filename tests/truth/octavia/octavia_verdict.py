"""What ccmcheck says to a case: the requests, and whether Octavia takes them."""

from __future__ import annotations

from typing import Any, NamedTuple

from loadbalancer_facts import facts
from loadbalancer_ids import identify
from loadbalancer_oracle import Asked, Case

from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome, Request

API = "2.30"
"""The newest version that the packages' API offers."""
RELEASE = "19.0.0"
OVN_RELEASE = "11.0.0"
PROVIDERS = ("amphora", "octavia", "ovn")
"""Those in ``octavia.conf``."""


class Verdict(NamedTuple):
    """What ccmcheck says.

    Attributes:
        requests: All that the CCM would ask for if nothing was refused.
        taken: Whether Octavia takes them all.
        finished: Whether the CCM gets to its end.
        status: With which status it refuses; 0 where that is not said.
        why: Why it refuses.
        passed_over: Which requests it refuses before that, after which the CCM goes on.
    """

    requests: tuple[Request, ...]
    taken: bool
    finished: bool
    status: int = 0
    why: str = ""
    tolerated: frozenset[int] = frozenset()


def judge(case: Case, release: str) -> Verdict | None:
    """Judge one case; None where the CCM asks for nothing."""
    options = read_options(case.config, release)
    if options.stop or options.unsupported:
        return None
    service = read_service(case.service, allocate=False)
    network = identify("net-ext")
    cloud = facts(case, release, (), network).with_facts(
        octavia_release=RELEASE, ovn_octavia_release=OVN_RELEASE, providers=PROVIDERS
    )
    found = predict(options, service, cloud)
    # the VIP follows from the first request; Octavia uses the port where there is one
    sent = tuple(Asked("", one.method, one.path, "", _of_port(one)) for one in found.requests)
    vip = facts(case, release, sent, network)
    found = predict(options, service, cloud._replace(vip=vip.vip, vip_subnet=vip.vip_subnet))
    if found.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        return None
    # floating IPs and ports are Neutron's, which Octavia's API does not speak for
    refusals = [one for one in found.refusals if not one.field.startswith("floatingip.") and "Neutron" not in one.why]
    refusal = refusals[0] if refusals and found.outcome is Outcome.REFUSED else None
    return Verdict(
        found.requests,
        refusal is None,
        found.outcome is Outcome.ACCEPTED or (refusal is None and bool(found.refusals)),
        refusal.status if refusal else 0,
        f"{refusal.field}: {refusal.why}" if refusal else "",
        frozenset(one.at for one in found.tolerated),
    )


def _of_port(request: Request) -> dict[str, Any] | None:
    """A body without the address that is asked for, where it asks for a port."""
    asked = (request.body or {}).get("loadbalancer")
    if not isinstance(asked, dict) or "vip_port_id" not in asked:
        return request.body
    return {"loadbalancer": {key: value for key, value in asked.items() if key != "vip_address"}}
