"""A hundred Services, each judged from the sources before ccmcheck was asked: what the CCM asks for, and what becomes of it.

Read: cloud-provider-openstack pkg/openstack/loadbalancer.go at v1.19.3, v1.26.0, v1.31.2 and v1.36.0, its IsOctaviaFeatureSupported,
octavia 19.0.0 octavia/api and octavia/common/constants.py, ovn-octavia-provider's release notes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from predict_cases import Json, nodes, prediction_of

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.records import Outcome, Prediction

OLD, MIDDLE, LATE, NEW = "v1.19.3", "v1.26.0", "v1.31.2", "v1.36.0"
ALL = (OLD, MIDDLE, LATE, NEW)
OVN = "lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n"
ON = "create-monitor=true\nmonitor-delay=5s\nmonitor-timeout=3s\nmonitor-max-retries=1\n"
INTERNAL = {"service.beta.kubernetes.io/openstack-internal-load-balancer": "true"}
FORWARDED, PROXY = {"x-forwarded-for": "true"}, {"proxy-protocol": "true"}
TLS = {"default-tls-container-ref": "https://k/v1/containers/0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"}
LOCAL: Json = {"externalTrafficPolicy": "Local"}
AFFINE: Json = {"sessionAffinity": "ClientIP"}
SIX: Json = {"ipFamilies": ["IPv6"]}
NO_PORTS: Json = {"ports": [{"port": 80, "protocol": "TCP"}], "allocateLoadBalancerNodePorts": False}
RANGES: Json = {"loadBalancerSourceRanges": ["10.0.0.0/8"]}

# release, ports, lines of cloud.conf, annotations, spec, Octavia (/ the ovn provider), what the sources say
Row = tuple[str, str, str, Json, Json, str, str]


def _rows() -> Iterator[Row]:
    for release in ALL:
        yield release, "TCP/80", "", {}, {}, "2024.1", "ok L:TCP P:TCP M:- float cidrs timeouts"
        yield release, "TCP/80", "", INTERNAL, {}, "2024.1", "ok L:TCP internal"
        yield release, "TCP/80 TCP/443", ON, {}, {}, "2024.1", "ok L:TCP,TCP M:TCP,TCP"
        yield release, "UDP/53", ON, {}, {}, "2024.1", "ok L:UDP P:UDP M:UDP-CONNECT"
        yield release, "UDP/53", ON.replace("5s", "2s"), {}, {}, "2024.1", "400 delay"
        yield release, "TCP/80", "", FORWARDED, {}, "2024.1", "ok L:HTTP P:HTTP"
        yield release, "TCP/80", "", PROXY, {}, "2024.1", "ok L:TCP P:PROXY"
        yield release, "UDP/53", "", PROXY, {}, "2024.1", "400 protocol"
        yield release, "TCP/80", "", {**FORWARDED, **PROXY}, {}, "2024.1", "error cannot be used together"
        yield release, "TCP/80", "", {"class": "gold"}, {}, "2024.1", 'error invalid loadbalancer class "gold"'
        yield release, "TCP/80", "lb-method=round_robin\n", {}, {}, "2024.1", "400 lb_algorithm"
        yield release, "TCP/80", "", {"connection-limit": "-2"}, {}, "2024.1", "400 connection_limit"
        yield release, "TCP/80", "", RANGES, RANGES, "2024.1", "ok cidrs=10.0.0.0/8"
        yield release, "TCP/80", "", {}, AFFINE, "2024.1", "ok persistence"
        yield release, "TCP/80", ON.replace("retries=1", "retries=11"), {}, {}, "2024.1", "400 max_retries"
    for release in (MIDDLE, LATE, NEW):
        yield release, "TCP/80", OVN, {}, {}, "2024.1/6.0.0", "ok L:TCP P:TCP no-cidrs no-timeouts"
        yield release, "SCTP/9", OVN + ON, {}, {}, "2024.1/6.0.0", "501 type"
        yield release, "TCP/80", ON, {}, LOCAL, "2024.1", "ok M:HTTP asks=31000"
        yield release, "UDP/53", ON, {}, LOCAL, "2024.1", "ok M:HTTP asks=31000"
        yield release, "UDP/53", ON, {}, LOCAL, "train", "ok M:UDP-CONNECT asks=30001"
        yield release, "TCP/80", OVN + ON, {}, LOCAL, "2024.1/6.0.0", "ok M:TCP asks=30001"
        yield release, "TCP/80", OVN, {}, AFFINE, "2023.1/4.0.2", "501 session_persistence"
        yield release, "TCP/80", "", {}, NO_PORTS, "2024.1", "ok L:TCP members=0"
        yield release, "TCP/80", "", TLS, {}, "2024.1", "ok L:TERMINATED_HTTPS P:HTTP"
        yield release, "TCP/80 UDP/80", "", FORWARDED, {}, "2024.1", "409 protocol_port"
    yield OLD, "TCP/80", "lb-provider=ovn\n", {}, {}, "ussuri", "501 allowed_cidrs"
    yield NEW, "TCP/80", "lb-provider=ovn\n", {}, {}, "2024.1/6.0.0", "501 lb_algorithm"
    yield NEW, "TCP/80", "flavor-id=0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n", {}, {}, "stein", "ok flavor_id"
    yield NEW, "TCP/80", "flavor-id=0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n", {}, {}, "rocky", "ok no-flavor_id"
    yield NEW, "TCP/80", "availability-zone=az1\n", {}, {}, "ussuri", "ok availability_zone"
    yield NEW, "TCP/80", "availability-zone=az1\n", {}, {}, "train", "ok no-availability_zone"
    yield NEW, "TCP/80", "", {}, {}, "queens", "ok no-timeouts no-cidrs"
    yield NEW, "TCP/80", "", {}, {}, "train", "ok cidrs timeouts"
    yield NEW, "TCP/80", "", {"proxy-protocol": "v2"}, {}, "ussuri", "400 protocol"
    yield NEW, "TCP/80", "", {"proxy-protocol": "v2"}, {}, "victoria", "ok P:PROXYV2"
    yield MIDDLE, "TCP/80", "", {"proxy-protocol": "v2"}, {}, "victoria", "ok P:TCP"
    yield NEW, "SCTP/9", "", {}, {}, "victoria", "400 protocol"
    yield NEW, "SCTP/9", ON, {}, {}, "wallaby", "ok L:SCTP P:SCTP M:SCTP"
    yield NEW, "TCP/80", ON.replace("5s", "500ms"), {}, {}, "2024.1", "fails delay"
    yield NEW, "TCP/80", "", {"lb-method": "LEAST_CONNECTIONS"}, {}, "2024.1", "ok method=LEAST_CONNECTIONS"
    yield LATE, "TCP/80", "", {"lb-method": "LEAST_CONNECTIONS"}, {}, "2024.1", "ok method=ROUND_ROBIN"
    yield NEW, "TCP/80", "", {}, SIX, "2024.1", "ok internal members=0"
    yield NEW, "TCP/80", OVN, {}, AFFINE, "2023.2/5.0.0", "ok persistence"
    yield NEW, "UDP/53", ON, FORWARDED, {}, "2024.1", "400 type"
    yield NEW, "TCP/80", "node-selector=role=none\n", {}, {}, "2024.1", "ok members=0"


def _said(found: Prediction) -> set[str]:
    """What a prediction says, in the words of the rows."""
    words = set()
    if found.outcome is Outcome.ERROR:
        return {f"error {found.error}"}
    if found.outcome is Outcome.FAILS:
        words.add(f"fails {found.refusals[0].field.rpartition('.')[2]}")
    elif found.refusals:
        words.add(f"{found.refusals[0].status} {found.refusals[0].field.rpartition('.')[2]}")
    else:
        words.add("ok")
    sent = [request.body or {} for request in found.requests]
    bodies = [_part(body, name) for body in sent for name in ("loadbalancer", "listener", "pool", "healthmonitor")]
    listeners = [body for body in bodies if "protocol_port" in body]
    for body in bodies:
        listeners += body.get("listeners", [])
    pools = [one["default_pool"] for one in listeners if "default_pool" in one] or [
        one for one in bodies if "lb_algorithm" in one
    ]
    fields = {name for one in (*bodies, *listeners) for name, value in one.items() if value not in (None, [])}
    words.add("L:" + ",".join(plan.listener for plan in found.plans))
    words.add("P:" + ",".join(plan.pool for plan in found.plans))
    words.add("M:" + (",".join(plan.monitor_type for plan in found.plans if plan.monitor) or "-"))
    words |= {f"asks={plan.monitor_port}" for plan in found.plans if plan.monitor}
    words |= {f"method={pool.get('lb_algorithm')}" for pool in pools}
    words |= {"persistence" for pool in pools if pool.get("session_persistence")}
    words.add("float" if any("floatingips" in request.path for request in found.requests) else "internal")
    words.add("timeouts" if "timeout_client_data" in fields else "no-timeouts")
    words.add("cidrs" if "allowed_cidrs" in fields else "no-cidrs")
    words |= {f"cidrs={','.join(one['allowed_cidrs'])}" for one in listeners if one.get("allowed_cidrs")}
    words |= {name if name in fields else f"no-{name}" for name in ("flavor_id", "availability_zone")}
    members = [len(pool.get("members", ())) for pool in pools]
    for body in sent:
        batch = body.get("members")
        members += [len(batch)] if isinstance(batch, list) else []
    words.add(f"members={sum(members)}")
    return words


def _part(body: Json, name: str) -> Json:
    part: Json = body.get(name) or {}
    return part


ROWS = list(_rows())


def test_there_are_a_hundred() -> None:
    assert len(ROWS) >= 100


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(str(part) for part in row[:4]).replace("\n", " "))
def test_as_the_sources_say(row: Row) -> None:
    release, listed, text, annotations, spec, octavia, expected = row
    series, _, ovn = octavia.partition("/")
    known = CloudState(nodes=nodes(3), facts=ClusterFacts(octavia_release=series, ovn_octavia_release=ovn))
    given = {name: value for name, value in annotations.items() if isinstance(value, str)}
    found = prediction_of(listed, text, given, release=release, cloud=known, **spec)
    said = _said(found)
    if expected.startswith("error "):
        (error,) = said
        assert expected.removeprefix("error ") in error
    else:
        status, _, rest = expected.partition(" ")
        wanted = set(rest.split()) if status == "ok" else set()
        assert (status if status == "ok" else expected) in said
        assert wanted <= said, wanted - said
