"""All cases, as data. The first two are the tests of the Sovereign Cloud Stack's draft standard on KaaS load balancers.

Its last revision requires the default Service to work and leaves Local unsupported (SovereignCloudStack/standards
3440c8f8), so a failure of a Local case is information unless the case is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ccmcheck.cluster.conformance.echo import PROXY_PORT, UDP_PORT
from ccmcheck.cluster.core import NamedTuple, errors, service_annotations


class CaseStep(NamedTuple):
    """One step.

    Attributes:
        action: What it does; a name of `ccmcheck.cluster.conformance.steps.ACTIONS`.
        values: Its arguments.
    """

    action: str
    values: Mapping[str, Any] = {}


class Case(NamedTuple):
    """One case, which creates a workload and a Service of its own.

    Attributes:
        name: Its name, which is that of its objects, too.
        title: What it holds, in a line.
        steps: What is done.
        spec: The fields of the Service's spec that differ from the usual ones.
        annotations: The Service's annotations.
        target_port: The pod's port.
        udp: Whether the Service's port is a UDP port.
        replicas: How many pods it has.
        nodes: The least number of nodes that it needs.
        local: Whether it needs externalTrafficPolicy Local, so that its failure is information unless it is asked for.
    """

    name: str
    title: str
    steps: tuple[CaseStep, ...]
    spec: Mapping[str, Any] = {}
    annotations: Mapping[str, str] = {}
    target_port: int = 8080
    udp: bool = False
    replicas: int = 1
    nodes: int = 1
    local: bool = False


REQUESTS = 50
REQUEST_SECONDS = 2.0
FIRST_TRIES = 30
FIRST_SECONDS = 5.0
"""The numbers of the draft's scripts: up to 30 requests until the first answer, then 50 that must all be answered."""

_PROXY = f"{service_annotations.PREFIX}proxy-protocol"
_NOBODY = "192.0.2.0/24"
"""A network of documentation (RFC 5737), in which no client is."""

_UP = (CaseStep("workload"), CaseStep("service"), CaseStep("address"))
_START = (*_UP, CaseStep("first-answer"))
_LOCAL = {"externalTrafficPolicy": "Local"}
_REQUESTS = CaseStep("requests")

CASES: tuple[Case, ...] = (
    Case("default", "externalTrafficPolicy Cluster: every request is answered", (*_START, _REQUESTS)),
    Case("local", "externalTrafficPolicy Local: every request is answered", (*_START, _REQUESTS), _LOCAL, local=True),
    Case(
        "port-change",
        "a changed port is served, and the old one no longer",
        (
            *_START,
            _REQUESTS,
            CaseStep("change-port"),
            CaseStep("answers"),
            _REQUESTS,
            CaseStep("silent", {"old": True}),
        ),
    ),
    Case(
        "internal",
        "an internal load balancer gets an address that is not public",
        (*_UP, CaseStep("not-public"), CaseStep("reachable")),
        annotations={service_annotations.INTERNAL: "true"},
    ),
    Case(
        "shared",
        "a second Service shares the load balancer by load-balancer-id, and leaves it again",
        (*_START, CaseStep("share"), _REQUESTS, CaseStep("requests", {"second": True}), CaseStep("unshare"), _REQUESTS),
    ),
    Case(
        "source-ranges",
        "loadBalancerSourceRanges keep clients out, and let them in again",
        (
            *_START,
            _REQUESTS,
            CaseStep("patch", {"spec": {"loadBalancerSourceRanges": [_NOBODY]}}),
            CaseStep("silent"),
            CaseStep("patch", {"spec": {"loadBalancerSourceRanges": ["0.0.0.0/0"]}}),
            CaseStep("answers"),
            _REQUESTS,
        ),
        {"loadBalancerSourceRanges": ["0.0.0.0/0"]},
    ),
    Case(
        "affinity",
        "sessionAffinity ClientIP: one pod of three answers a client",
        (*_START, CaseStep("requests", {"pods": 1})),
        {"sessionAffinity": "ClientIP"},
        replicas=3,
    ),
    Case("udp", "a UDP port: every datagram is answered", (*_START, _REQUESTS), target_port=UDP_PORT, udp=True),
    Case(
        "proxy",
        "PROXY protocol: the pods get the client's address in the header",
        (*_START, CaseStep("requests", {"forwarded": True})),
        annotations={_PROXY: "true"},
        target_port=PROXY_PORT,
    ),
    Case(
        "local-nodes",
        "Local: only nodes with a pod get requests, also after a pod is gone",
        (*_START, CaseStep("settle"), _REQUESTS, CaseStep("scale", {"replicas": 1}), CaseStep("settle"), _REQUESTS),
        _LOCAL,
        replicas=2,
        nodes=2,
        local=True,
    ),
    Case(
        "policy-switch",
        "Cluster to Local and back: requests are answered after each change",
        (
            *_START,
            _REQUESTS,
            CaseStep("patch", {"spec": _LOCAL}),
            CaseStep("settle"),
            _REQUESTS,
            CaseStep("patch", {"spec": {"externalTrafficPolicy": "Cluster"}}),
            CaseStep("settle"),
            _REQUESTS,
        ),
        local=True,
    ),
    Case(
        "rolling-update",
        "no request is lost while the pods are replaced",
        (*_START, _REQUESTS, CaseStep("rollout")),
        replicas=2,
    ),
    Case(
        "deletion",
        "deleting the Service leaves nothing that answers",
        (*_START, CaseStep("requests", {"count": 5}), CaseStep("delete"), CaseStep("silent")),
    ),
)
NAMES = tuple(case.name for case in CASES)
USE_CASES = {"default": ("default",), "local": ("local",), "both": ("default", "local"), "all": NAMES}
"""The words of ``--use-case``."""


class ChosenCase(NamedTuple):
    """A case of a run.

    Attributes:
        case: The case.
        required: Whether its failure counts.
    """

    case: Case
    required: bool


def choose(use_case: str, names: Sequence[str]) -> tuple[ChosenCase, ...]:
    """The cases of a run, in the order of the table.

    Args:
        use_case: A word of `USE_CASES`; empty where only named cases run.
        names: Further cases by name.

    Raises:
        WrongUse: There is no such case.
    """
    for name in names:
        if name not in NAMES:
            from ccmcheck.cluster.core import hint

            raise errors.WrongUse(f"there is no case {name}", hint(name, NAMES) or f"There are {', '.join(NAMES)}.")
    asked = {*names, *(USE_CASES[use_case] if use_case == "local" else ())}
    wanted = {*names, *USE_CASES.get(use_case, ())}
    return tuple(ChosenCase(case, not case.local or case.name in asked) for case in CASES if case.name in wanted)
