"""Services that differ in nothing but their names are worked out once: what is said is the same as of each alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from test_predict_laws import CONFIGS, SOUND

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.predict.advice.suggestion import Suggestion, suggest
from ccmcheck.predict.alike import MOST_ALONE, STAND_IN, AlikeServices, likeness
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.nodes import placeholder_nodes
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.records import Prediction

CLOUD = CloudState(facts=ClusterFacts(nodes=3), nodes=placeholder_nodes(3))
NAMES = [*"abcdefghijk", "web", "monitor", "listener", "kube-service", "a-0", "x" * 40]
WEB = {
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"type": "LoadBalancer", "ports": [{"port": 80, "nodePort": 30080}]},
}


def web(**fields: Any) -> Service:
    return read_service(WEB)._replace(**fields)


@settings(max_examples=60, deadline=None)
@given(CONFIGS, SOUND)
def test_the_same_is_predicted_as_for_each_alone(config: Options, body: dict[str, Any]) -> None:
    alike: AlikeServices[tuple[Prediction, Suggestion | None]] = AlikeServices()
    for name in NAMES:
        service = read_service({**body, "metadata": {**body["metadata"], "name": name}})

        def work(name: str, service: Service = service) -> tuple[Prediction, Suggestion | None]:
            named = service._replace(name=name)
            found = predict(config, named, CLOUD)
            return found, suggest(config, named, CLOUD, found)

        assert alike.of(name, likeness(service, "kubernetes"), work) == work(name)


def counted(work: Callable[[str], object]) -> int:
    """How often a result is worked out for thirty Services; it must be right for each."""
    calls = 0

    def count(name: str) -> object:
        nonlocal calls
        calls += 1
        return work(name)

    alike: AlikeServices[object] = AlikeServices()
    for number in range(30):
        name = f"web-{number}"
        assert alike.of(name, "kind", count) == work(name)
    return calls


@pytest.mark.parametrize(
    "work",
    [
        lambda name: f"a {name} and {name}",
        lambda name: ("a", [name, {"b": (name, 1, None)}], {name: 2.0}),
        lambda _: ("the same", True),
    ],
)
def test_it_is_worked_out_for_a_few_and_one_other_name(work: Callable[[str], object]) -> None:
    assert counted(work) == MOST_ALONE + 1


@pytest.mark.parametrize("work", [len, lambda name: name[:4], lambda name: name.upper(), lambda name: {name}])
def test_what_goes_by_a_name_otherwise_is_worked_out_for_each(work: Callable[[str], object]) -> None:
    assert counted(work) == 30 + 1


def test_a_service_of_the_other_name_is_no_proof_of_what_it_gives() -> None:
    alike: AlikeServices[str] = AlikeServices()
    for name in [*NAMES[: MOST_ALONE - 1], STAND_IN, *NAMES[MOST_ALONE:]]:
        said = f"{name} at {STAND_IN}.example.org"
        assert alike.of(name, "kind", lambda name: f"{name} at {STAND_IN}.example.org") == said


def test_nothing_in_common_is_worked_out_for_each() -> None:
    alike: AlikeServices[str] = AlikeServices()
    names: list[str] = []

    def work(name: str) -> str:
        names.append(name)
        return name

    for _ in range(20):
        alike.of("a", None, work)
    assert names == ["a"] * 20


@pytest.mark.parametrize(
    "fields",
    [
        {"namespace": "other"},
        {"annotations": {"a": "b"}},
        {"policy": "Local"},
        {"check_port": 1},
        {"replicas": 2},
        {"assumed": ("a",)},
    ],
)
def test_what_is_not_alike(fields: dict[str, Any]) -> None:
    assert likeness(web(), "c") == likeness(web(name="other"), "c")
    assert likeness(web(), "c") != likeness(web(**fields), "c")


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
    assert likeness(service, cluster) is None


def test_ports_that_are_given_are_not_those_that_are_allocated() -> None:
    ports = [{"port": number, "name": f"p{number}"} for number in range(1, 7)]
    first, second = (
        read_service({**WEB, "spec": {"type": "LoadBalancer", "ports": [*ports[:at], given, *ports[at + 1 :]]}})
        for at, given in ((at, {**ports[at], "nodePort": 30000 + at}) for at in (3, 4))
    )
    assert (first.ports, first.assumed) == (second.ports, second.assumed)
    assert first.assumed[0].endswith("and 2 more: 30000 to 30005 are assumed")
    assert likeness(first, "c") != likeness(second, "c")
