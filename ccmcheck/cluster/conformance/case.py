"""A case: the Service that it needs, and the steps that it takes, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.cluster.core import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Step(NamedTuple):
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
    steps: tuple[Step, ...]
    spec: Mapping[str, Any] = {}
    annotations: Mapping[str, str] = {}
    target_port: int = 8080
    udp: bool = False
    replicas: int = 1
    nodes: int = 1
    local: bool = False
