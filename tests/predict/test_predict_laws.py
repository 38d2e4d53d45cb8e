"""Laws: nothing raises, whatever comes in; the same comes out each time; a report is plain data."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from predict_cases import NEWEST, PREFIX, RELEASES, Json, nodes

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.catalog.service_annotations import all_annotations
from ccmcheck.predict.advice.suggestion import suggest
from ccmcheck.predict.conformance import conformance
from ccmcheck.predict.forms.json_form import PredictionReport, ServiceReport, as_data
from ccmcheck.predict.forms.report import as_markdown, as_text
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.fields import Opaque
from ccmcheck.predict.inputs.options import Options, read_options
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Outcome

PLAIN: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)
NAMES = [one.name.removeprefix(PREFIX) for one in all_annotations()]
VALUES = st.sampled_from(
    [
        "true",
        "false",
        "v1",
        "v2",
        "0",
        "-1",
        "5",
        "10s",
        "99999999999999999999",
        "",
        " ",
        "ROUND_ROBIN",
        "https://k/v1/containers/x",
    ]
) | st.text(max_size=30)
WORDS = st.text(max_size=12) | st.sampled_from(
    ["Local", "Cluster", "TCP", "UDP", "SCTP", "LoadBalancer", "IPv6", "10.0.0.0/8"]
)


SOUND = st.builds(
    lambda listed, spec, annotations: {
        "metadata": {"name": "web", "namespace": "shop", "annotations": annotations},
        "spec": {
            "type": "LoadBalancer",
            "ports": [
                {"name": f"p{index}", "protocol": protocol, "port": port, "nodePort": 30000 + index}
                for index, (protocol, port) in enumerate(listed)
            ],
            **spec,
        },
    },
    st.lists(
        st.tuples(st.sampled_from(["TCP", "UDP", "SCTP"]), st.integers(1, 65535)), min_size=1, max_size=4, unique=True
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "externalTrafficPolicy": st.sampled_from(["Local", "Cluster"]),
            "loadBalancerIP": st.sampled_from(["192.0.2.1", "2001:db8::1"]),
            "loadBalancerSourceRanges": st.lists(st.sampled_from(["10.0.0.0/8", "2001:db8::/32"]), max_size=2),
            "sessionAffinity": st.sampled_from(["None", "ClientIP"]),
            "ipFamilies": st.sampled_from([["IPv4"], ["IPv6"], ["IPv4", "IPv6"], ["IPv6", "IPv4"]]),
        },
    ),
    st.dictionaries(st.sampled_from(NAMES).map(lambda name: PREFIX + name), VALUES, max_size=5),
)


@st.composite
def _broken(draw_one: st.DrawFn) -> object:
    """A sound Service with something else in some places."""
    body: Any = deepcopy(draw_one(SOUND))  # the lists to choose from stay as they are
    for _ in range(draw_one(st.integers(1, 3))):
        at: Any = body
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = draw_one(st.sampled_from(keys))
            if isinstance(at[key], dict | list) and draw_one(st.booleans()):
                at = at[key]
                continue
            at[key] = draw_one(PLAIN | st.builds(Opaque, st.text(max_size=9)) | WORDS | st.integers(-1, 70000))
            break
    return body


_KEYS = (
    "create-monitor", "monitor-delay", "monitor-timeout", "monitor-max-retries", "lb-provider", "lb-method", "internal-lb",
    "manage-security-groups", "floating-network-id", "floating-subnet", "floating-subnet-tags", "subnet-id", "network-id",
    "member-subnet-id", "enable-ingress-hostname", "max-shared-lb", "node-selector", "flavor-id", "availability-zone",
    "provider-requires-serial-api-calls", "use-octavia", "enabled", "default-tls-container-ref", "container-store",
)  # fmt: skip
CONFIGS = st.builds(
    lambda keys, release: read_options(
        "[LoadBalancer]\n" + "".join(f'{key}="{value}"\n' for key, value in keys), release
    ),
    st.lists(
        st.tuples(
            st.sampled_from(_KEYS),
            st.sampled_from(
                [
                    "true",
                    "false",
                    "5",
                    "0",
                    "5s",
                    "0s",
                    "1h",
                    "ovn",
                    "f5",
                    "SOURCE_IP_PORT",
                    "a=b",
                    "~(",
                    "!public-*",
                    "",
                ]
            ),
        ),
        max_size=6,
    ),
    st.sampled_from([*RELEASES, "1.13", "v1.23.0", "v1.25.0", "v1.28.1", "master"]),
)
FACTS = st.builds(
    ClusterFacts,
    cluster_name=st.sampled_from(["kubernetes", "", "c" * 300, "a/b"]),
    nodes=st.none() | st.integers(0, 10_000),
    octavia_release=st.sampled_from(["", "queens", "2024.1", "14.0.0"]),
    ovn_octavia_release=st.sampled_from(["", "1.0.0", "7.0.1", "2024.2"]),
    kubernetes_version=st.sampled_from(["", "1.28", "v1.31.2", "x"]),
    topology=st.sampled_from(["", "SINGLE", "ACTIVE_STANDBY"]),
    monitor_quota=st.none() | st.integers(-1, 3),
)


def _cloud(known: dict[str, Any]) -> CloudState:
    return CloudState(**known)


CLOUDS = st.fixed_dictionaries(  # what is not named has its default: st.builds would make up the rest
    {
        "facts": FACTS,
        "nodes": st.none() | st.sampled_from([(), nodes(1), nodes(5)]),
        "api": st.none() | st.tuples(st.just(2), st.integers(0, 30)),
        "external_network": st.sampled_from(["", None, "net"]),
        "floating_subnets": st.none() | st.just(()),
        "floating_ips": st.none() | st.just({}),
        "key_manager": st.none() | st.booleans(),
    }
).map(_cloud)


@settings(max_examples=400)
@given(SOUND | _broken() | PLAIN, CONFIGS, CLOUDS, st.booleans(), st.none() | st.integers(0, 20))
def test_any_service_any_configuration_any_cloud(
    data: object, config: Options, cloud: CloudState, allocate: bool, replicas: int | None
) -> None:
    service = read_service(data, allocate=allocate)._replace(replicas=replicas)
    found = predict(config, service, cloud)
    assert predict(config, service, cloud) == found
    suggestion = suggest(config, service, cloud, found)
    reported = ServiceReport(found, "a.yaml", 1, suggestion)
    report = PredictionReport("cloud.conf", found.release, "x", (reported,), conformance(config, cloud))
    text = "\n".join(as_text(report, verbose=2))
    assert text.isprintable() or "\n" in text
    assert list(as_markdown(report))
    told_again: Json = json.loads(json.dumps(as_data((report,)), allow_nan=False))
    assert told_again["services"][0]["verdict"]["outcome"] == found.outcome.value
    _holds_together(found, service, cloud.facts.kubernetes_version)


def _holds_together(found: Any, service: Service, kubernetes: str) -> None:
    if found.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        assert found.requests == ()
        assert found.published == ()
        assert found.why
    if found.outcome is Outcome.REFUSED:
        assert found.refusals
        assert found.published == ()
        assert found.sent
    if found.outcome is Outcome.ERROR:
        assert found.error
    if found.outcome is Outcome.ACCEPTED:
        assert all(fault.holds(kubernetes) is False for fault in service.faults)
        assert len(found.plans) == len(service.ports)
        assert found.request is not None
    assert len(found.name) <= 255
    assert len({answer.name for answer in found.answers}) == len(found.answers)
    for answer in found.answers:
        assert answer.text
        assert "\n" not in answer.text


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_any_cloud_conf(text: str) -> None:
    found = predict(read_options(text, NEWEST), read_service({}), CloudState())
    assert found.outcome is Outcome.NOTHING
