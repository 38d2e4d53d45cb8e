"""All cases, from ``cases.toml``.

The first two are the tests of the Sovereign Cloud Stack's draft standard on KaaS load balancers.
Its last revision requires the default Service to work and leaves Local unsupported (SovereignCloudStack/standards
3440c8f8), so a failure of a Local case is information unless the case is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ccmcheck.cluster.core import NamedTuple, errors


class CaseStep(NamedTuple):
    """One step.

    Attributes:
        action: What it does; a name of `ccmcheck.cluster.conformance.run`'s table of steps.
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


def _cases() -> Iterator[Case]:
    import tomllib

    with open(os.path.join(os.path.dirname(__file__), "cases.toml"), "rb") as file:
        for row in tomllib.load(file)["case"]:
            steps = [CaseStep(step) if isinstance(step, str) else CaseStep(*step) for step in row.pop("steps")]
            yield Case(**row, steps=tuple(steps))


CASES = tuple(_cases())
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
