"""Compares what the real code, Octavia and Neutron did in one act with what ccmcheck predicts for it."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

from acts_play import API, Step
from cloud_ours import OCTAVIA, OVN, PROVIDERS, Predicted, error_differences, request_differences, service_differences
from loadbalancer_facts import facts
from loadbalancer_ids import identify, readable
from loadbalancer_left import left_differences
from loadbalancer_oracle import Case
from loadbalancer_ours import Names, said
from loadbalancer_words import LOAD_BALANCER_ID
from reader_releases import buildable

from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service import read_service
from ccmcheck.predict.pipeline import predict, predict_node_update
from ccmcheck.predict.records import Outcome, Prediction
from ccmcheck.predict.requests.deletion import follow_deletion
from ccmcheck.predict.requests.reconcile import follow

Json = dict[str, Any]

_NO_START = ("config", "start", "unsupported", "exit")
KNOWN = (
    ("which subnets of an external network have IPv4 addresses", re.compile("InvalidIpForSubnet")),
    ("which addresses an external network has", re.compile("InvalidIpForNetwork")),
    (
        "flavors and zones are the amphora provider's",
        re.compile("not compatible with provider|Provider .* is not enabled"),
    ),
)
"""What only the cloud knows, by Octavia's words."""


class NotPredictedError(Exception):
    """It says that too little is known; the message says what."""


def gets_one(case: Case, service: Json, tag: str) -> bool:
    """Whether a Service is said to get a load balancer, as the only one of a cluster."""
    alone = copy.deepcopy(service)
    alone["metadata"].get("annotations", {}).pop(LOAD_BALANCER_ID, None)
    release = buildable(tag).release
    options = read_options(case.config, release)
    cloud = facts(case._replace(service=alone, octavia=API), release, (), identify("net-ext"))
    cloud = cloud.with_facts(octavia_release=OCTAVIA, ovn_octavia_release=OVN, providers=PROVIDERS)
    found = predict(options, read_service(alone, allocate=False), cloud._replace(vip="", vip_subnet=""))
    return found.outcome is Outcome.ACCEPTED and not found.refusals


def step_differences(step: Step) -> list[str]:
    """What differs for one act, a line each.

    Raises:
        NotPredictedError: Nothing is predicted for it.
    """
    release = buildable(step.tag).release
    options = read_options(step.case.config, release)
    if options.stop or options.unsupported or step.answer.outcome in _NO_START:
        started = step.answer.outcome not in _NO_START
        return (
            [f"outcome: predicted {options.stop}, real {step.answer.outcome}"] if started is bool(options.stop) else []
        )
    found = _predicted(step, release, identify("net-ext"))
    network = found.prediction.floating.network
    if network not in ("", identify("net-ext")):
        found = _predicted(step, release, network)
    if found.prediction.outcome in (Outcome.NOTHING, Outcome.UNKNOWN):
        raise NotPredictedError(found.prediction.why)
    lines = list(_differences(step, found))
    if not lines and step.answer.outcome == "ok":
        sent = found.prediction.sent
        taken = [one for one, status in zip(sent, step.statuses, strict=False) if status < 300]
        lines = list(left_differences(step.case, step.answer, release, found.cloud, taken, kept_subnets=True))
    return [readable(line) for line in lines]


def _differences(step: Step, found: Predicted) -> Iterator[str]:
    prediction, answer = found.prediction, step.answer
    fails = prediction.outcome is not Outcome.ACCEPTED
    failed = answer.outcome in ("error", "panic")
    if fails is not failed:
        mine = f"{prediction.outcome.value} ({prediction.error or prediction.why})"
        yield f"outcome: predicted {mine}, real {answer.outcome} ({said(answer.error)})"
        return
    names = Names(step.case)
    yield from request_differences(names, prediction.sent, answer)
    yield from error_differences(names, step, prediction)
    if answer.outcome == "panic":
        return
    ours = [f"{one.kind} {one.reason}" for one in prediction.events if one.reason.startswith("LoadBalancer")]
    theirs = [" ".join(one.split(" ")[:2]) for one in answer.events]
    if ours != theirs:
        yield f"events: predicted {ours}, real {theirs}"
    if step.act not in ("update", "delete"):
        yield from service_differences(names, step, prediction)


def _predicted(step: Step, release: str, network: str) -> Predicted:
    """The prediction; what OpenStack chooses itself, as addresses, comes from the answer."""
    cloud = _cloud(step, release, network)
    options, service = read_options(step.case.config, release), read_service(step.case.service, allocate=False)
    prediction: Prediction
    if step.act == "delete":
        prediction = follow_deletion(options, service, cloud)
    elif step.act == "update":
        prediction = predict_node_update(options, service, cloud)
    else:
        prediction = predict(options, service, cloud)
    if prediction.outcome is Outcome.FAILS:
        prediction = follow(options, service, cloud)  # without a worker nothing ends in ERROR
    return Predicted(prediction, cloud)


def _cloud(step: Step, release: str, network: str) -> CloudState:
    case = step.case
    cloud = facts(case, release, (), network).with_facts(
        octavia_release=OCTAVIA, ovn_octavia_release=OVN, providers=PROVIDERS
    )
    after = step.answer.cloud or {}
    there_before = {one["id"] for one in case.cloud["loadbalancers"]}
    made = [one for one in after.get("loadbalancers", []) if one["id"] not in there_before]
    vip, subnet = (made[0]["vip_address"], made[0]["vip_subnet_id"]) if made and cloud.balancer is None else ("", "")
    vip = vip or _of_port(step)
    before = {one["id"] for one in case.cloud["floatingips"]}
    new = [one for one in after.get("floatingips", []) if one["id"] not in before]
    there = cloud.balancer
    if there is not None:
        provider = next(one["provider"] for one in case.cloud["loadbalancers"] if one["id"] == there.id)
        there = there._replace(provider=provider)
    return cloud._replace(
        vip=vip, vip_subnet=subnet, balancer=there, new_address=new[0]["floating_ip_address"] if new else ""
    )


def _of_port(step: Step) -> str:
    """The address of the port that a refused load balancer was to have."""
    bodies = [one.body or {} for one in step.answer.changes if one.path.endswith("/lbaas/loadbalancers")]
    port = next((body["loadbalancer"].get("vip_port_id") for body in bodies if "loadbalancer" in body), None)
    ports = {one["id"]: one["fixed_ips"] for one in step.case.cloud["ports"]}
    return str(ports[port][0]["ip_address"]) if port in ports else ""


def known_causes(step: Step, lines: list[str]) -> str:
    """Which knowledge of the cloud explains a difference; empty for none."""
    text = " ".join((step.answer.error, *lines))
    return next((cause for cause, words in KNOWN if words.search(text)), "")
