"""The table of what corrects a difference agrees with the prediction of the next sync, at every kind of release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from ccmcheck import catalog
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.data.behaviour import BEHAVIOURS
from ccmcheck.catalog.data.octavia_repairs import ALWAYS, NEVER, REPAIRS
from ccmcheck.catalog.octavia_repairs import NODE_CHANGE, NOTHING, SYNC, repaired_by
from ccmcheck.cluster.octavia.differences import Expected, differences
from ccmcheck.predict.inputs.cloud_state import Balancer, CloudState, Listener, Member, Node, Pool
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import Service, ServicePort
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.requests.resulting_state import state_after
from ccmcheck.review.change.steady_state import SteadyState, steady_state

if TYPE_CHECKING:
    from collections.abc import Callable

RELEASES = ("v1.19.2", "v1.21.1", "v1.23.1", "v1.24.2", "v1.25.3", "v1.26.0", "v1.26.4", "v1.27.3", "v1.28.0", "v1.28.3",
            "v1.31.2", "v1.32.1", "v1.36.0")  # fmt: skip
CONF = """\
[LoadBalancer]
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
create-monitor = true
monitor-delay = 10s
monitor-timeout = 3s
monitor-max-retries = 1
"""
SERVICE = Service("web", "shop", (ServicePort(80, node_port=30080),), uid="u")
NODES = tuple(Node(f"n{at}", (("InternalIP", f"10.0.0.{at}"),)) for at in (1, 2))


class Change(NamedTuple):
    """A change of a part in Octavia."""

    kind: str
    of: Callable[[Balancer], Balancer]


def listener(**changes: object) -> Callable[[Balancer], Balancer]:
    """Change the first listener."""
    return lambda balancer: balancer._replace(listeners=(balancer.listeners[0]._replace(**changes),))  # type: ignore[arg-type]


def pool(change: Callable[[Pool], Pool | None]) -> Callable[[Balancer], Balancer]:
    """Change the first pool."""

    def changed(balancer: Balancer) -> Balancer:
        found = balancer.listeners[0].pool
        assert found is not None
        return listener(pool=change(found))(balancer)

    return changed


def monitor(**changes: object) -> Callable[[Balancer], Balancer]:
    """Change the first monitor."""

    def changed(found: Pool) -> Pool:
        assert found.monitor is not None
        return found._replace(monitor=found.monitor._replace(**changes))  # type: ignore[arg-type]

    return pool(changed)


MORE = Listener("more", "TCP", 81, Pool("p", "TCP", "ROUND_ROBIN"))
CHANGES = (
    Change("listener", lambda balancer: balancer._replace(listeners=())),
    Change("listener-extra", lambda balancer: balancer._replace(listeners=(*balancer.listeners, MORE))),
    Change("connection-limit", listener(connection_limit=5)),
    Change("x-forwarded-for", listener(insert_headers={"X-Forwarded-For": "true"})),
    Change("tls", listener(default_tls_container_ref="https://barbican/v1/containers/x")),
    Change("timeout", listener(timeout_client_data=1)),
    Change("allowed-cidrs", listener(allowed_cidrs=("10.0.0.0/8",))),
    Change("pool", pool(lambda _: None)),
    Change("pool-protocol", pool(lambda found: found._replace(protocol="PROXY"))),
    Change("algorithm", pool(lambda found: found._replace(method="SOURCE_IP"))),
    Change("persistence", pool(lambda found: found._replace(persistence="SOURCE_IP"))),
    Change("members", pool(lambda found: found._replace(members=found.members[:1]))),
    Change("members", pool(lambda found: found._replace(members=(*found.members, Member("m", "10.9.9.9", 30080))))),
    Change(
        "monitor-port",
        pool(lambda found: found._replace(members=tuple(one._replace(monitor_port=1) for one in found.members))),
    ),
    Change(
        "member-subnet",
        pool(lambda found: found._replace(members=tuple(one._replace(subnet="other") for one in found.members))),
    ),
    Change("monitor", pool(lambda found: found._replace(monitor=None))),
    Change("monitor-type", monitor(type="PING")),
    Change("monitor-delay", monitor(delay=60)),
    Change("monitor-timeout", monitor(timeout=60)),
    Change("monitor-retries", monitor(max_retries=9)),
    Change("monitor-retries-down", monitor(max_retries_down=9)),
    Change("tags", lambda balancer: balancer._replace(tags=())),
    Change("provider", lambda balancer: balancer._replace(provider="ovn")),
    Change("vip-subnet", lambda balancer: balancer._replace(subnet="other")),
)
_UNCHANGED_RELEASES = {
    # sent by the very releases that know the field, which the comparison does not look at before
    "tags": "tags-and-shares",
}


def settled(release: str) -> tuple[SteadyState, Expected]:
    """What the CCM of a release makes."""
    options = read_options(CONF, catalog.release(release))
    state = steady_state(options, SERVICE, CloudState(nodes=NODES, balancers_known=True))
    assert state.cloud.balancer is not None
    sends_tags = repaired_by("tags", options.release) != NOTHING
    name = state.cloud.balancer.name
    return state, Expected(state.cloud.balancer, True, name, False, True, True, sends_tags)


@pytest.mark.parametrize("release", RELEASES)
def test_what_the_ccm_made_is_equal(release: str) -> None:
    state, expected = settled(release)
    assert not list(differences(expected.balancer, expected, frozenset()))
    assert not state.kept.requests or release < "v1.23"


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("change", CHANGES, ids=[f"{at}-{change.kind}" for at, change in enumerate(CHANGES)])
def test_the_next_sync_corrects_what_the_table_says(release: str, change: Change) -> None:
    options = read_options(CONF, catalog.release(release))
    state, expected = settled(release)
    live = change.of(expected.balancer)
    found = [one.kind for one in differences(live, expected, frozenset())]
    if change.kind in _UNCHANGED_RELEASES and not found:
        return
    assert found == [change.kind]
    cloud = state.cloud._replace(balancer=live)
    synced = predict(options, SERVICE, cloud)
    after = state_after(synced.requests, cloud, options.lb_provider).balancer
    assert after is not None
    left = [one.kind for one in differences(after, expected, frozenset())]
    by_table = repaired_by(change.kind, options.release)
    assert (change.kind not in left) == (by_table in (SYNC, NODE_CHANGE)), (by_table, synced.requests)


def test_every_behaviour_is_known() -> None:
    for name, repair in REPAIRS.items():
        for behaviour in (repair.sync, repair.node_change):
            assert behaviour in (ALWAYS, NEVER) or behaviour in BEHAVIOURS, name
        assert repair.source, name
        assert repair.sync == ALWAYS or repair.otherwise, name


@pytest.mark.parametrize("release", RELEASES)
def test_a_node_change_corrects_nothing_that_a_sync_does_not(release: str) -> None:
    judged = catalog.release(release)
    for name, repair in REPAIRS.items():
        if repair.node_change not in (ALWAYS, NEVER) and behaves(repair.node_change, judged):
            assert repaired_by(name, judged) == NODE_CHANGE, name


@pytest.mark.parametrize(
    ("release", "found"),
    [("v1.26.3", SYNC), ("v1.26.4", NODE_CHANGE), ("v1.27.2", SYNC), ("v1.28.0", SYNC), ("v1.28.1", NODE_CHANGE)],
)
def test_monitors_are_corrected_by_node_changes_since_2370(release: str, found: str) -> None:
    assert repaired_by("monitor", catalog.release(release)) == found
