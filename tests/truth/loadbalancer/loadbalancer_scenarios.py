"""Makes scenarios: Services of one cluster in one cloud, some of which share a load balancer, over several acts.

A scenario begins with creations; then come second reconciles, changes of nodes, of Services and of the configuration, restarts
and deletions, in any order.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import loadbalancer_cloud
import loadbalancer_existing as existing
import loadbalancer_generate as generate
import loadbalancer_words as words
from loadbalancer_ids import identify
from loadbalancer_oracle import Answer, Case, case_of

Json = dict[str, Any]
FIRST = identify("loadbalancer-1")
"""The ID of the first load balancer that is made in a cloud without any."""
MINE = "0d1e2f30-4152-4364-8758-69a7b8c9dae0"
"""The ID of one that somebody made by hand."""
_UIDS = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c{:02}"
_INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"


class Act(NamedTuple):
    """One call: ``ensure``, ``update`` (of the nodes), ``delete``, or ``restart``, which ensures in a new process."""

    kind: str
    service: Json
    nodes: tuple[Json, ...]
    config: str = ""


class Scenario(NamedTuple):
    """Acts in one cloud; ``case`` has the configuration and the cloud before."""

    name: str
    case: Case
    acts: tuple[Act, ...]


class Step(NamedTuple):
    """One act with what was before, and what the real code did."""

    name: str
    kind: str
    case: Case
    answer: Answer


def scenarios(seed: int, count: int) -> list[Scenario]:
    """Scenarios, every second with a shared load balancer.

    Args:
        seed: What they depend on.
        count: How many.
    """
    return [scenario(seed, number) for number in range(count)]


def scenario(seed: int, number: int) -> Scenario:
    """One scenario.

    Args:
        seed: What it depends on.
        number: Its number; odd ones have a shared load balancer.
    """
    chance = random.Random(f"{seed}-scenario-{number}")  # noqa: S311 - nothing secret
    nodes = tuple(generate.nodes(chance)) or tuple(generate.node(chance, one, 0) for one in range(2))
    case = Case(_config(chance), {}, nodes, "kubernetes", "2.27", loadbalancer_cloud.cloud(nodes))
    is_shared = number % 2 == 1
    if is_shared and chance.random() < 0.2:
        case.cloud["loadbalancers"].append(_made_by_hand(chance))
    acts = tuple(_shared(chance, case) if is_shared else _single(chance, case))
    return identified(Scenario(f"{'shared' if is_shared else 'single'} {number}", case, acts))


def identified(scenario: Scenario) -> Scenario:
    """A scenario with IDs for all names."""
    from loadbalancer_ids import identified as with_ids

    case = with_ids(scenario.case)
    whole = with_ids(scenario.case._replace(service={"acts": scenario.acts}))
    acts = tuple(Act(kind, service, tuple(nodes), config) for kind, service, nodes, config in whole.service["acts"])
    return scenario._replace(case=case, acts=acts)


def _config(chance: random.Random) -> str:
    text = generate.config(chance)
    extra = [f"max-shared-lb = {chance.choice((1, 3, 4))}"] if chance.random() < 0.3 else []
    if chance.random() < 0.25:
        extra.append("manage-security-groups = true")
    if chance.random() < 0.3:
        extra.append("create-monitor = true")
    kept = [line for line in text.split("\n") if not any(line.startswith(one.split(" =")[0] + " ") for one in extra)]
    return "\n".join(kept).replace(
        "use-octavia = true\n", "use-octavia = true\n" + "".join(f"{one}\n" for one in extra)
    )


def _made_by_hand(chance: random.Random) -> Json:
    listeners: list[Json] = []
    if chance.random() < 0.5:
        pool: Json = {"id": "11111111-0000-4000-8000-000000000002", "protocol": "TCP", "lb_algorithm": "ROUND_ROBIN",
                "name": "by-hand", "members": [], "session_persistence": None}  # fmt: skip
        listeners.append({
            "id": "11111111-0000-4000-8000-000000000001", "name": "by-hand", "protocol": "TCP", "default_pool": pool,
            "protocol_port": chance.choice((80, 9999)), "tags": [], "connection_limit": -1, "timeout_client_data": 50000,
            "timeout_member_connect": 5000, "timeout_member_data": 50000, "timeout_tcp_inspect": 0, "insert_headers": {},
            "default_tls_container_ref": None, "allowed_cidrs": None,
        })  # fmt: skip
    return {
        "id": MINE, "name": "mine", "vip_subnet_id": "subnet-nodes", "vip_network_id": "net-nodes", "listeners": listeners,
        "vip_address": "10.0.0.222", "vip_port_id": "11111111-0000-4000-8000-000000000003",
        "provisioning_status": "ACTIVE", "tags": chance.choice(([], ["by-hand"], ["kube_service_other_a_b"])),
    }  # fmt: skip


def _service(chance: random.Random, number: int, *, simple: bool) -> Json:
    service = generate.service(chance)
    service["metadata"] |= {"name": f"web{number or ''}", "namespace": "shop", "uid": _UIDS.format(number)}
    if simple:
        known = service["metadata"].get("annotations", {})
        for name in list(known):
            if name in (words.LOAD_BALANCER_ID, f"{words.LOAD_BALANCER_ID.rpartition('/')[0]}/port-id"):
                del known[name]
        service["spec"].pop("loadBalancerIP", None)
    return service


def _annotated(service: Json, **names: str | None) -> Json:
    changed = copy.deepcopy(service)
    annotations = changed["metadata"].setdefault("annotations", {})
    for name, value in names.items():
        key = _INTERNAL if name == "internal" else f"loadbalancer.openstack.org/{name.replace('_', '-')}"
        annotations.pop(key, None)
        if value is not None:
            annotations[key] = value
    return changed


def _single(chance: random.Random, case: Case) -> Iterator[Act]:
    service, nodes = _service(chance, 0, simple=chance.random() < 0.6), case.nodes
    service["metadata"].get("annotations", {}).pop(words.LOAD_BALANCER_ID, None)
    yield Act("ensure", service, nodes)
    yield Act("ensure", service, nodes)
    for _ in range(chance.randrange(2, 6)):
        kind = chance.choice(("update", "update", "restart", "change", "config", "ensure"))
        if kind == "update":
            nodes = _other_nodes(chance, case.nodes)
            yield Act("update", service, nodes)
        elif kind == "change":
            service = _changed(chance, service)
            yield Act("ensure", service, nodes)
            yield Act("ensure", service, nodes)
        else:
            yield Act(
                "restart" if kind == "config" else kind, service, nodes, _config(chance) if kind == "config" else ""
            )
    if chance.random() < 0.7:
        yield Act("delete", service, nodes)


def _shared(chance: random.Random, case: Case) -> Iterator[Act]:
    nodes = case.nodes
    by_hand = bool(case.cloud["loadbalancers"])
    count = chance.choice((2, 2, 3, 3, 4))
    services = [_sharer(chance, number, by_hand=by_hand) for number in range(count)]
    for service in services:
        yield Act("ensure", service, nodes)
        if chance.random() < 0.6:
            yield Act("ensure", service, nodes)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(count)
        kind = chance.choice(("update", "restart", "change", "ensure"))
        if kind == "update":
            nodes = _other_nodes(chance, case.nodes)
        elif kind == "change":
            services[at] = _changed(chance, services[at])
        yield Act("ensure" if kind == "change" else kind, services[at], nodes)
    for service in chance.sample(services, count):
        if chance.random() < 0.7:
            yield Act("delete", service, nodes)


def _sharer(chance: random.Random, number: int, *, by_hand: bool) -> Json:
    service = _service(chance, number, simple=True)
    if chance.random() < 0.6:  # ports of its own, mostly
        for at, port in enumerate(service["spec"]["ports"]):
            port["port"] = 1000 * (number + 1) + at
    if number or by_hand:
        service = _annotated(service, load_balancer_id=MINE if by_hand else FIRST)
    return _annotated(service, internal="true") if chance.random() < 0.15 else service


def _other_nodes(chance: random.Random, nodes: tuple[Json, ...]) -> tuple[Json, ...]:
    if chance.random() < 0.05:
        return ()
    kept = [node for node in nodes if chance.random() < 0.7] or list(nodes[:1])
    return tuple(chance.sample(kept, len(kept)))


def _changed(chance: random.Random, service: Json) -> Json:
    case = Case("", copy.deepcopy(service), (), "", "", {})
    case.service["metadata"].setdefault("annotations", {})
    balancer = case.service["metadata"]["annotations"].get(words.LOAD_BALANCER_ID)
    change = chance.choice(
        (existing.other_ports, existing.other_policy, existing.other_node_ports, existing.other_annotations)
    )
    changed = change(chance, case).service
    if balancer:
        changed["metadata"]["annotations"][words.LOAD_BALANCER_ID] = balancer
    return changed


def steps(scenario: Scenario, answers: list[Answer]) -> Iterator[Step]:
    """Each act with what was before.

    Args:
        scenario: The scenario.
        answers: What the real code did, act by act.
    """
    cloud, config = scenario.case.cloud, scenario.case.config
    written: dict[str, Json] = {}
    crashed = False
    for number, (act, answer) in enumerate(zip(scenario.acts, answers, strict=True)):
        service = json.loads(json.dumps(act.service))
        metadata = service["metadata"]
        mine = written.setdefault(metadata["name"], {})
        own = dict(metadata.get("annotations", {}))
        metadata["annotations"] = {**own, **mine}
        if act.kind == "restart" or crashed:
            config = act.config or scenario.case.config
        case = case_of([config, service, act.nodes, scenario.case.cluster, scenario.case.octavia, cloud, ()])
        yield Step(f"{scenario.name} {number}", act.kind, case, answer)
        mine.update({name: value for name, value in answer.annotations.items() if name not in own or name in mine})
        cloud, crashed = answer.cloud or cloud, answer.outcome in ("panic", "config", "start", "unsupported")
