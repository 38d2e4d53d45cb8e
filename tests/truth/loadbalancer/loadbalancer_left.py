"""Compares the state after the real code with that of `ccmcheck.predict.requests.resulting_state` for the predicted requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loadbalancer_facts import facts
from loadbalancer_oracle import Answer, Case

from ccmcheck.predict.inputs.cloud_state import CloudState, Listener, Pool
from ccmcheck.predict.records import Request
from ccmcheck.predict.requests.resulting_state import state_after


def left_differences(
    case: Case,
    answer: Answer,
    release: str,
    before: CloudState,
    requests: Sequence[Request],
    *,
    kept_subnets: bool = False,
) -> Iterator[str]:
    """What differs in what is left behind, a line each.

    Args:
        case: The case.
        answer: What the real code did, with what exists afterwards.
        release: As ccmcheck names it.
        before: What is known around the case.
        requests: What is predicted, which is what was sent.
        kept_subnets: Whether members keep their subnets, as in the real Octavia; the fake one changes them.
    """
    if answer.outcome != "ok" or answer.cloud is None:
        return
    metadata = {**case.service["metadata"], "annotations": answer.annotations}
    later = case._replace(cloud=answer.cloud, service={**case.service, "metadata": metadata})
    real, ours = facts(later, release, (), ""), state_after(requests, before, "")
    for name, mine, theirs in (
        ("listeners", _listeners(ours, kept_subnets), _listeners(real, kept_subnets)),
        ("balancer", _balancer(ours), _balancer(real)),
        ("floating IP", ours.floating_ip is not None, real.floating_ip is not None),
        ("rules", _rules(ours), _rules(real)),
        ("group's ports", _ports(ours), _ports(real)),
    ):
        if mine != theirs:
            yield f"{name} left behind: predicted {mine}, real {theirs}"


def _balancer(cloud: CloudState) -> object:
    there = cloud.balancer
    return None if there is None else (there.name, sorted(there.tags))


def _listeners(cloud: CloudState, subnets: bool) -> list[object]:
    return [_listener(one, subnets) for one in (cloud.balancer.listeners if cloud.balancer is not None else ())]


def _listener(one: Listener, subnets: bool) -> object:
    plain = one._replace(id="", pool=None, allowed_cidrs=tuple(sorted(one.allowed_cidrs)))
    return plain._replace(insert_headers=dict(one.insert_headers)), one.pool and _pool(one.pool, subnets)


def _pool(one: Pool, subnets: bool) -> Pool:
    monitor = one.monitor
    return one._replace(
        id="",
        members=tuple(
            sorted(member._replace(id="", subnet=member.subnet if subnets else "") for member in one.members)
        ),
        monitor=None if monitor is None else monitor._replace(id=""),
    )


def _rules(cloud: CloudState) -> list[object]:
    rules = cloud.group.rules if cloud.group is not None else ()
    return sorted((one._replace(id="", protocol=one.protocol.lower()) for one in rules), key=repr)


def _ports(cloud: CloudState) -> list[str]:
    return sorted(port for port, _, _ in (cloud.group.ports if cloud.group is not None else ()))
