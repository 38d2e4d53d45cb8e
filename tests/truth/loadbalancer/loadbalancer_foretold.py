"""Asks ccmcheck, and says it in the words that the oracle uses."""

from __future__ import annotations

from typing import Any, NamedTuple

from loadbalancer_oracle import Case

from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.records import Outcome, Prediction, Request
from ccmcheck.predict.requests.deletion import follow_deletion
from ccmcheck.predict.requests.node_update import reconcile_nodes
from ccmcheck.predict.requests.reconcile import follow

Json = dict[str, Any]

_NO_START = "the CCM does not start: "
_ENDS = "the CCM ends: "


class Foretold(NamedTuple):
    """A prediction, as far as it can be compared.

    Attributes:
        outcome: As `loadbalancer_oracle.Answer` has it.
        error: The same.
        requests: What changes something, in order.
        ingress: The Service's status; None where it ends in an error.
        events: Those of the CCM itself; the service controller writes its own.
        network: Where the floating IP is looked for.
    """

    outcome: str
    error: str
    requests: tuple[Request, ...] = ()
    ingress: tuple[Json, ...] | None = None
    events: tuple[str, ...] = ()
    network: str = ""


def foretell(case: Case, release: str, cloud: CloudState) -> Foretold:
    """What ccmcheck says of a case.

    Args:
        case: The case.
        release: As ccmcheck names it.
        cloud: What is known around it.

    Raises:
        ValueError: It says that too little is known.
    """
    options = read_options(case.config, release)
    if options.stop:
        return _stopped(options.stop)
    if options.unsupported:
        return Foretold("unsupported", "")
    found = follow(options, read_service(case.service, allocate=False), cloud)
    if found.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        raise ValueError(f"{found.outcome.value}: {found.why}")
    return Foretold(
        "error" if found.outcome is Outcome.ERROR else "ok",
        found.error if found.outcome is Outcome.ERROR else "",
        found.requests,
        _ingress(found) if found.outcome is Outcome.ACCEPTED else None,
        tuple(
            f"{one.kind} {one.reason} {one.message}" for one in found.events if one.reason.startswith("LoadBalancer")
        ),
        found.floating.network,
    )


def foretell_act(kind: str, case: Case, release: str, cloud: CloudState) -> Foretold:
    """What ccmcheck says of a change of nodes, or of a deletion.

    Args:
        kind: ``update`` or ``delete``.
        case: The case.
        release: As ccmcheck names it.
        cloud: What is known around it.

    Raises:
        ValueError: It says that too little is known.
    """
    config, service = read_options(case.config, release), read_service(case.service, allocate=False)
    deletes = kind == "delete"
    found = follow_deletion(config, service, cloud) if deletes else reconcile_nodes(config, service, cloud)[0]
    if found.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        raise ValueError(f"{found.outcome.value}: {found.why}")
    is_error = found.outcome is Outcome.ERROR
    events = tuple(
        f"{one.kind} {one.reason} {one.message}" for one in found.events if one.reason.startswith("LoadBalancer")
    )
    return Foretold("error" if is_error else "ok", found.error if is_error else "", found.requests, None, events)


def _stopped(why: str) -> Foretold:
    if why.startswith(_ENDS):
        return Foretold("exit", "Config error: " + why.removeprefix(_ENDS))
    error = why.removeprefix(_NO_START)
    return Foretold("start" if error.endswith("not set in cloud provider config") else "config", error)


def _ingress(found: Prediction) -> tuple[Json, ...]:
    return tuple(
        {key: value for key, value in (("hostname", one.hostname), ("ip", one.ip), ("ipMode", one.ip_mode)) if value}
        for one in found.published
    )
