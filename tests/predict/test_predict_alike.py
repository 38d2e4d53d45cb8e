"""Services that differ in nothing but names and NodePorts are worked out once: the same is said as of each alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from test_predict_laws import CONFIGS, SOUND

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.advice.suggestion import Suggestion, suggest
from ccmcheck.predict.alike import MOST_ALONE, NODE_PORTS, STAND_IN, AlikeServices, Likeness, likeness
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.nodes import placeholder_nodes
from ccmcheck.predict.inputs.options import Options, read_options
from ccmcheck.predict.inputs.service import Service, ServicePort, read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Prediction

CLOUD = CloudState(facts=ClusterFacts(nodes=3), nodes=placeholder_nodes(3))
NAMES = [*"abcdefghijk", "web", "monitor", "listener", "kube-service", "a-0", "x" * 40]
WEB: dict[str, Any] = {
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"type": "LoadBalancer", "ports": [{"port": 80, "nodePort": 30080}]},
}


def web(**fields: Any) -> Service:
    return read_service(WEB)._replace(**fields)


@settings(max_examples=60)
@given(CONFIGS, SOUND)
def test_the_same_is_predicted_as_for_each_alone(config: Options, body: dict[str, Any]) -> None:
    alike: AlikeServices[tuple[Prediction, Suggestion | None]] = AlikeServices()

    def work(services: tuple[Service, ...]) -> tuple[Prediction, Suggestion | None]:
        found = predict(config, services[0], CLOUD)
        return found, suggest(config, services[0], CLOUD, found)

    for number, name in enumerate(NAMES):
        listed = body["spec"].get("ports")
        ports = [
            {**port, "nodePort": port["nodePort"] + 7 * number}
            if isinstance(port, dict) and isinstance(port.get("nodePort"), int) and port["nodePort"] > 30000
            else port
            for port in (listed if isinstance(listed, list) else ())
        ]
        spec = {**body["spec"], "ports": ports} if ports else body["spec"]
        service = read_service({**body, "metadata": {**body["metadata"], "name": name}, "spec": spec})
        assert alike.of((service,), likeness("kubernetes", service), "", work) == work((service,))


Work = Callable[[str, int], object]


def counted(work: Work) -> int:
    """How often a result is worked out for thirty Services; it must be right for each."""
    calls = 0

    def count(services: tuple[Service, ...]) -> object:
        nonlocal calls
        calls += 1
        return work(services[0].name, services[0].ports[0].node_port)

    alike: AlikeServices[object] = AlikeServices()
    for number in range(30):
        service = web(name=f"web-{number}", ports=(ServicePort(80, node_port=30500 + number),))
        assert alike.of((service,), likeness("c", service), "", count) == work(service.name, 30500 + number)
    return calls


@pytest.mark.parametrize(
    "work",
    [
        lambda name, port: f"a {name} and {name} at {port}/tcp, 100 %",
        lambda name, port: ("a", [name, {"b": (name, 1, None), "c": [port, -port, {"d": port}][::2]}], {name: 2.0}),
        lambda name, port: (f"{port}:{name}", port, {f"port-{port}": True}, f"1{NODE_PORTS[0]} and {NODE_PORTS[1]}0"),
        lambda _, __: ("the same", True),
    ],
)
def test_it_is_worked_out_for_a_few_and_one_stand_in(work: Work) -> None:
    assert counted(work) == MOST_ALONE + 1


@pytest.mark.parametrize(
    "work",
    [
        lambda name, _: len(name),
        lambda name, _: name[:4],
        lambda name, _: name.upper(),
        lambda name, _: {name},
        lambda _, port: port + 1,
        lambda _, port: f"{port}0",
        lambda _, port: (port, NODE_PORTS[0]),
        lambda name, _: f"{name} at {STAND_IN}.example.org",
    ],
)
def test_what_goes_by_them_otherwise_is_worked_out_for_each(work: Work) -> None:
    assert counted(work) == 30 + 1


@pytest.mark.parametrize("own", [{"name": STAND_IN}, {"ports": (ServicePort(80, node_port=NODE_PORTS[0]),)}])
def test_a_service_like_the_stand_in_is_no_proof_of_what_it_gives(own: dict[str, Any]) -> None:
    alike: AlikeServices[str] = AlikeServices()

    def work(services: tuple[Service, ...]) -> str:
        (service,) = services
        return f"{service.name} at {STAND_IN}.example.org, {service.ports[0].node_port} and {NODE_PORTS[0]}"

    usual = [web(name=name) for name in NAMES]
    for service in [*usual[: MOST_ALONE - 1], web(**own), *usual[MOST_ALONE:]]:
        assert alike.of((service,), likeness("c", service), "", work) == work((service,))


def test_a_longer_name_may_make_a_request_too_large() -> None:
    """Those before it are as long as a stand-in might be, and just below the limit."""
    alike: AlikeServices[str] = AlikeServices()
    ports = tuple(ServicePort(1000 + at, node_port=30001 + 40 * at, name=f"p{at}") for at in range(50))
    cloud = CloudState(facts=ClusterFacts(nodes=14, octavia_release="2025.1"), nodes=placeholder_nodes(14))
    config = read_options(
        "[LoadBalancer]\nsubnet-id=11111111-2222-4333-8444-555555555555\ncreate-monitor=true\n", "v1.31.2"
    )

    def work(services: tuple[Service, ...]) -> str:
        return predict(config, services[0], cloud).why

    names = [*(f"{'a' * 15}{number}" for number in range(10, 10 + MOST_ALONE)), "b" * 54]
    said = []
    for name in names:
        service = web(name=name, ports=ports)
        said.append(alike.of((service,), likeness("kubernetes", service), "", work))
    assert "114688" not in said[0]
    assert "114688" in said[-1]


def test_nothing_in_common_is_worked_out_for_each() -> None:
    alike: AlikeServices[str] = AlikeServices()
    names: list[str] = []

    def work(services: tuple[Service, ...]) -> str:
        names.append(services[0].name)
        return services[0].name

    for _ in range(20):
        alike.of((web(name="a"),), None, "", work)
    assert names == ["a"] * 20


def kind_of(*services: Service) -> object:
    alike = likeness("c", *services)
    assert isinstance(alike, Likeness)
    return alike.kind


def ported(*node_ports: int, check_port: int = 0) -> Service:
    ports = tuple(ServicePort(80 + at, node_port=port, name=f"p{at}") for at, port in enumerate(node_ports))
    return web(ports=ports, check_port=check_port)


def test_node_ports_count_by_their_order_alone() -> None:
    assert kind_of(ported(30001, 30002)) == kind_of(ported(31000, 32767))
    assert kind_of(ported(30001, 30002)) != kind_of(ported(30002, 30001))
    assert kind_of(ported(30001, check_port=30000)) != kind_of(ported(30001, check_port=30002))
    assert kind_of(ported(30001), ported(30001)) != kind_of(ported(30001), ported(30002))
    assert kind_of(ported(30001)) != kind_of(ported(80))
    assert kind_of(ported(30001)) != kind_of(ported(0))
    assert likeness("c", ported(*range(30000, 30000 + len(NODE_PORTS)))) is not None
    assert likeness("c", ported(*range(30000, 30001 + len(NODE_PORTS)))) is None


def test_what_is_assumed_of_them_is_said_of_each() -> None:
    local = {"metadata": {"name": "web"}, "spec": {**WEB["spec"], "externalTrafficPolicy": "Local"}}
    first, second = (
        read_service({**local, "spec": {**local["spec"], "ports": [{"port": 80, "nodePort": port}]}})
        for port in (30080, 31500)
    )
    assert first.assumed != second.assumed
    assert kind_of(first) == kind_of(second)


@pytest.mark.parametrize(
    "fields",
    [
        {"namespace": "other"},
        {"annotations": {"a": "b"}},
        {"policy": "Local"},
        {"check_port": 1},
        {"check_port": 30081},
        {"replicas": 2},
        {"assumed": ("a",)},
    ],
)
def test_what_is_not_alike(fields: dict[str, Any]) -> None:
    assert kind_of(web()) == kind_of(web(name="other"))
    assert kind_of(web()) != kind_of(web(**fields))


@pytest.mark.parametrize(
    ("service", "cluster"),
    [
        (web(name="x" * 63), "c"),
        (web(name="Web"), "c"),
        (web(name="web…"), "c"),
        (web(uid="u"), "c"),
        (read_service({**WEB, "spec": {"type": "LoadBalancer"}}), "c"),
        (web(), "c" * 200),
    ],
)
def test_what_is_like_no_other(service: Service, cluster: str) -> None:
    assert likeness(cluster, service) is None


def test_ports_that_are_given_are_not_those_that_are_allocated() -> None:
    ports = [{"port": number, "name": f"p{number}"} for number in range(1, 8)]
    first, second = (
        read_service({**WEB, "spec": {"type": "LoadBalancer", "ports": [*ports[:at], given, *ports[at + 1 :]]}})
        for at, given in ((at, {**ports[at], "nodePort": 30000 + at}) for at in (4, 5))
    )
    assert (first.ports, first.assumed) == (second.ports, second.assumed)
    assert first.assumed[0].endswith("and 2 more: 30000 to 30006 are assumed")
    assert kind_of(first) != kind_of(second)
