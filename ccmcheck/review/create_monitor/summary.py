"""The page in at most ten lines, each with the numbers in it and where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.policy.create_monitor.matrix import EXCEPTIONS
from ccmcheck.policy.create_monitor.others import counted
from ccmcheck.predict.inputs.behaviours import behaviours_of
from ccmcheck.predict.verdicts.detection import driver_of
from ccmcheck.review.create_monitor.records import Claim, OpenQuestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ccmcheck.predict.advice.deciding import Decision
    from ccmcheck.review.create_monitor.records import Figure, ScriptCase

MOST_LINES = 10
PROPOSED_SINCE = "1.26"
"""The first release of the CCM in which monitors work for Local Services on amphora and on OVN."""

DRAFT_REVISED = "2024-06-26"
"""The date of the draft's last revision: `ccmcheck.policy.create_monitor.history.DRAFT`."""

_OUTCOMES = {True: "passes", False: "fails", None: "has no known outcome"}


def summary(found: Decision, figures: Iterable[Figure], scripts: Sequence[ScriptCase]) -> Iterator[Claim]:
    """What a working group can vote on: the proposal first, then what speaks for it and what it costs.

    Args:
        found: What was decided.
        figures: The numbers of the cluster; none without Services.
        scripts: The outcome of the conformance scripts.
    """
    by_name = {figure.name: figure for figure in figures}
    exceptions = ", ".join(f"{what} ({row})" for row, what in EXCEPTIONS.items())
    yield Claim(
        f"Proposal: create-monitor = true from CCM {PROPOSED_SINCE} on, on OVN with a provider whose checks act on "
        f"floating IPs; off, by annotation, for {exceptions}.",
        {"release": PROPOSED_SINCE, "exceptions": list(EXCEPTIONS)},
        "the decision matrix",
    )
    count = counted()
    yield Claim(
        f"No reason for false is recorded. Of {count.all} projects that deploy clusters, {count.set_on} always switch "
        f"it on, {count.option_on} by an option's default, and {count.unset} leave it out.",
        {"all": count.all, "always": count.set_on, "option": count.option_on, "left_out": count.unset},
        "kubernetes/cloud-provider-openstack#986; what others set",
    )
    yield from _measured("wrong-node", "First connections of Local Services to nodes without a pod", by_name)
    if behaviours_of(found.config.release)["keeps-unready-nodes"]:
        yield from _measured("dead-node", "A dead node is out", by_name)
    if scripts:
        yield Claim(f"The draft's scripts, predicted: {'; '.join(map(_outcome, scripts))}.", {}, "predicted")
    yield _cost(by_name)
    is_ovn = driver_of(found.config.lb_provider) == "ovn"
    yield Claim(
        "OVN keeps the client's address with Local, with monitors and without."
        if is_ovn
        else "It does not bring the client's address: that takes OVN, PROXY or X-Forwarded-For.",
        {},
        "SovereignCloudStack/k8s-cluster-api-provider#351",
    )
    yield Claim(
        f"To decide: whether Local is required at all; the last draft ({DRAFT_REVISED}) does not support it.",
        {"draft": DRAFT_REVISED},
        "SovereignCloudStack/standards 3440c8f8",
    )


def _outcome(script: ScriptCase) -> str:
    """One script, now and then."""
    now, then = _OUTCOMES[script.now], _OUTCOMES[script.then]
    acted = ", once the checks have acted" if script.then and not script.now else ""
    said = f"{now} now and then" if now == then else f"{now} now, {then} then{acted}"
    return f"the {script.name} use case ({script.policy}) {said}"


def _reason(text: str) -> str:
    """What a script's outcome says besides ``passes`` or ``fails``."""
    first, _, more = text.partition(" ")
    if first in ("passes", "fails"):
        return f" {more}" if more else ""
    return f": {more}" if first in ("passes:", "fails:") else f": {text}"


def _measured(name: str, text: str, figures: Mapping[str, Figure]) -> Iterator[Claim]:
    """A figure before and after; nothing where the cluster has none."""
    figure = figures.get(name)
    if figure is None:
        return
    said = figure.now if figure.now == figure.then else f"{figure.now} → {figure.then}"
    yield Claim(f"{text}: {said}.", {"now": figure.now, "then": figure.then}, "predicted")


def _cost(figures: Mapping[str, Figure]) -> Claim:
    monitors, probes = figures.get("monitors"), figures.get("probes")
    if monitors is None or probes is None:
        return Claim("It costs one monitor for each port of each Service.", {}, "openstack/octavia, run")
    numbers: dict[str, object] = {"monitors": [monitors.now, monitors.then], "probes": [probes.now, probes.then]}
    rate = "" if probes.then == "not known" else f"; probes a second: {probes.now} → {probes.then}"
    return Claim(f"It costs monitors: {monitors.now} → {monitors.then}{rate}.", numbers, "predicted")


def open_questions(found: Decision, scripts: Sequence[ScriptCase]) -> Iterator[OpenQuestion]:
    """What the draft left open, answered.

    Args:
        found: What was decided.
        scripts: The outcome of the conformance scripts.
    """
    yield OpenQuestion(
        "Is there a reason of upstream's to follow?",
        "No: none is recorded, so a reference implementation that sets true does not go against a decision.",
    )
    special = next((script for script in scripts if script.policy == "Local"), None)
    if special is not None:
        yield OpenQuestion(
            "Would Local work if monitors were required?",
            f"With CCM {found.config.release.name} and {found.config.lb_provider or 'the default provider'} as "
            f"recommended the draft's script for it {_OUTCOMES[special.then]}{_reason(special.then_text)}.",
        )
    yield OpenQuestion(
        "Would the client's address be kept?",
        "Not by monitors: on OVN with Local it is, on amphora it takes PROXY or X-Forwarded-For.",
    )
    yield OpenQuestion(
        "Can connectivity through a load balancer be tested?",
        "Yes: the draft's two scripts do it, and the one for Local fails without monitors as soon as there are "
        "more nodes than pods.",
    )
