"""Makes cases with an existing load balancer: the state that the CCM left behind for one case, and then a change."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

import loadbalancer_generate as generate
import loadbalancer_words as words
from loadbalancer_ids import identified
from loadbalancer_oracle import Answer, Case

Json = dict[str, Any]
Change = Callable[[random.Random, Case], Case]


def has_one(left: Answer) -> bool:
    """Whether the CCM left a load balancer behind that Octavia would have made, too: no two listeners on one port."""
    if left.outcome != "ok" or left.cloud is None:
        return False
    for balancer in left.cloud["loadbalancers"]:
        ports = [(one["protocol"], one["protocol_port"]) for one in balancer["listeners"]]
        if len(set(ports)) < len(ports):
            return False
    return bool(left.cloud["loadbalancers"])


def later(seed: int, number: int, case: Case, left: Answer, *, waits: bool, changes: Sequence[Change] = ()) -> Case:
    """The case that comes after another.

    Args:
        seed: What it depends on.
        number: Which case this is.
        case: What came before.
        left: What the CCM made of that, with what exists afterwards.
        waits: Whether the release waits for what is busy, a minute or two.
        changes: Those that there may be; all by default.
    """
    chance = random.Random(f"{seed}-later-{number}")  # noqa: S311 - nothing secret
    after = copy.deepcopy(case.service)
    # annotations of the Service's author stay, and the CCM's own come with it
    after["metadata"]["annotations"] = dict(left.annotations)
    found = case._replace(service=after, cloud=copy.deepcopy(left.cloud or case.cloud))
    chosen = [change for change, share in CHANGES if chance.random() < share and not (waits and change is not_active)]
    for change in chosen:
        if not changes or change in changes:
            found = change(chance, found)
    return identified(found)


def other_config(chance: random.Random, case: Case) -> Case:
    """The cloud.conf says something else."""
    return case._replace(config=generate.config(chance))


def monitor_switched(_chance: random.Random, case: Case) -> Case:
    """create-monitor is the other way round."""
    on, off = "create-monitor = true\n", "create-monitor = false\n"
    if on in case.config:
        return case._replace(config=case.config.replace(on, off))
    plain = case.config.replace(off, "")
    return case._replace(config=plain.replace("use-octavia = true\n", "use-octavia = true\n" + on))


def other_annotations(chance: random.Random, case: Case) -> Case:
    """Some annotations come, change or go."""
    known = case.service["metadata"]["annotations"]
    for name in list(known):
        if chance.random() < 0.3 and name != words.LOAD_BALANCER_ID:
            del known[name]
    fresh = dict(generate.some(chance, words.ANNOTATIONS, 0.05))
    fresh.pop(words.LOAD_BALANCER_ID, None)
    known.update(fresh)
    return case


def other_ports(chance: random.Random, case: Case) -> Case:
    """A port comes or goes, or another takes its place."""
    ports = case.service["spec"]["ports"]
    if len(ports) > 1 and chance.random() < 0.6:
        del ports[chance.randrange(len(ports))]
    for port in generate.ports(chance)[: chance.randrange(3)]:
        if (port["protocol"], port["port"]) not in {(one["protocol"], one["port"]) for one in ports}:
            ports.append({**port, "name": f"{port['protocol'].lower()}-{port['port']}"})
    return case


def other_policy(_chance: random.Random, case: Case) -> Case:
    """Local becomes Cluster, or the other way round."""
    spec = case.service["spec"]
    if spec["externalTrafficPolicy"] == "Local":
        spec["externalTrafficPolicy"] = "Cluster"
        spec.pop("healthCheckNodePort", None)
    else:
        spec["externalTrafficPolicy"], spec["healthCheckNodePort"] = "Local", 31999
    return case


def other_node_ports(chance: random.Random, case: Case) -> Case:
    """The Service was recreated under the same name."""
    for port in case.service["spec"]["ports"]:
        if port.get("nodePort") and chance.random() < 0.7:
            port["nodePort"] += 100
    return case


def other_nodes(chance: random.Random, case: Case) -> Case:
    """A node is gone, or its labels are others."""
    nodes = copy.deepcopy(list(case.nodes))
    if len(nodes) > 1 and chance.random() < 0.6:
        del nodes[chance.randrange(len(nodes))]
    for node in nodes:
        if chance.random() < 0.3:
            node["metadata"]["labels"] = {"role": "control"}
    return case._replace(nodes=tuple(nodes))


def found_by_name(_chance: random.Random, case: Case) -> Case:
    """The annotation with the ID is gone."""
    case.service["metadata"]["annotations"].pop(words.LOAD_BALANCER_ID, None)
    return case


def named_wrong(chance: random.Random, case: Case) -> Case:
    """The annotation has the ID of nothing; the load balancer would be found by its name."""
    wrong = chance.choice(("0b0b0b0b-0000-4000-8000-000000000001", "kube_service_kubernetes_shop_web"))
    case.service["metadata"]["annotations"][words.LOAD_BALANCER_ID] = wrong
    return case


def renamed_cluster(chance: random.Random, case: Case) -> Case:
    """The CCM has another --cluster-name."""
    return case._replace(cluster=chance.choice(("other", "prod", "kubernetes", "a_b")))


def older_octavia(chance: random.Random, case: Case) -> Case:
    """Octavia is another."""
    return case._replace(octavia=chance.choice(words.OCTAVIA))


def not_active(chance: random.Random, case: Case) -> Case:
    """The load balancer is busy or broken."""
    for balancer in case.cloud["loadbalancers"]:
        if not balancer["name"].startswith(f"kube_service_{case.cluster}_"):
            continue  # it would be renamed first, and each part waited for
        balancer["provisioning_status"] = chance.choice(("ERROR", "PENDING_UPDATE", "PENDING_DELETE", "DELETED"))
    return case


def touched(chance: random.Random, case: Case) -> Case:
    """Somebody changed the load balancer by hand."""
    for balancer in case.cloud["loadbalancers"]:
        for listener in balancer["listeners"]:
            if chance.random() < 0.3:
                listener[chance.choice(("connection_limit", "timeout_client_data", "timeout_tcp_inspect"))] = 7
            if chance.random() < 0.2:
                listener["tags"] = chance.choice(
                    ([], ["kube_service_other"], ["by-hand"], [*listener["tags"], "by-hand"])
                )
            if chance.random() < 0.2:
                listener["allowed_cidrs"] = chance.choice((None, ["192.0.2.0/24"]))
            if chance.random() < 0.2:
                listener["insert_headers"] = chance.choice(
                    ({}, {"X-Forwarded-For": "true"}, {"X-Forwarded-Port": "true"})
                )
            pool = listener.get("default_pool")
            if pool is None:
                continue
            if chance.random() < 0.1:
                del listener["default_pool"]
            if chance.random() < 0.1:
                pool["protocol"] = chance.choice(("TCP", "HTTP", "PROXY"))
            if chance.random() < 0.1:
                pool["lb_algorithm"] = "LEAST_CONNECTIONS"
            if pool["members"] and chance.random() < 0.2:
                pool["members"][0].update(
                    chance.choice(({"name": "by-hand"}, {"monitor_port": 7}, {"address": "10.0.0.99"}))
                )
            monitor = pool.get("healthmonitor")
            if monitor is not None and chance.random() < 0.4:
                monitor.update(
                    chance.choice(({"delay": 60}, {"type": "PING"}, {"name": "by-hand"}, {"max_retries_down": 5}))
                )
            if monitor is not None and chance.random() < 0.15:
                del pool["healthmonitor"]
    return case


def somebody_elses(chance: random.Random, case: Case) -> Case:
    """The load balancer belongs to another Service, or to none in the cluster."""
    mine = "kube_service_"
    for balancer in case.cloud["loadbalancers"]:
        theirs = chance.choice((f"{mine}kubernetes_shop_other", "by-hand", f"{mine}prod_shop_other"))
        balancer["name"] = theirs
        balancer["tags"] = chance.choice(
            ([], [theirs], [f"{mine}kubernetes_a_b", theirs], [*balancer["tags"], theirs], ["by-hand"])
        )
        for listener in balancer["listeners"]:
            if chance.random() < 0.7:
                listener["tags"] = chance.choice(([], [theirs]))
            if chance.random() < 0.5:
                listener["protocol_port"] += 1000
        case.service["metadata"]["annotations"][words.LOAD_BALANCER_ID] = balancer["id"]
    return case


def without_address(chance: random.Random, case: Case) -> Case:
    """The floating IP is gone, or was made by hand."""
    for address in case.cloud["floatingips"]:
        if chance.random() < 0.5:
            address["port_id"] = None
        else:
            address["description"] = "by hand"
    return case


def turned_inward(_chance: random.Random, case: Case) -> Case:
    """The Service is internal now, or external."""
    known = case.service["metadata"]["annotations"]
    known[words.INTERNAL] = "false" if known.get(words.INTERNAL) == "true" else "true"
    return case


def other_group(chance: random.Random, case: Case) -> Case:
    """Somebody changed the security group, or whether there is to be one."""
    rules = case.cloud["security_group_rules"]
    if rules and chance.random() < 0.5:
        del rules[chance.randrange(len(rules))]
    on = "manage-security-groups = true\n"
    if on in case.config:
        return case._replace(config=case.config.replace(on, ""))
    return case


CHANGES: tuple[tuple[Change, float], ...] = (
    (other_config, 0.15),
    (monitor_switched, 0.25),
    (other_annotations, 0.2),
    (other_ports, 0.2),
    (other_policy, 0.12),
    (other_node_ports, 0.05),
    (other_nodes, 0.1),
    (touched, 0.2),
    (found_by_name, 0.12),
    (somebody_elses, 0.1),
    (named_wrong, 0.02),
    (renamed_cluster, 0.08),
    (older_octavia, 0.05),
    (not_active, 0.03),
    (without_address, 0.08),
    (turned_inward, 0.06),
    (other_group, 0.1),
)
