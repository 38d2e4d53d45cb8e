"""The page in at most ten lines, each with the numbers in it and where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.policy.create_monitor.matrix import ROWS
from ccmcheck.policy.create_monitor.others import counted
from ccmcheck.policy.create_monitor.records import Advice, Via
from ccmcheck.predict.inputs.behaviours import behaviours_of
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

_OUTCOMES = {True: "passes", False: "fails", None: "not known"}


def summary(found: Decision, figures: Iterable[Figure], scripts: Sequence[ScriptCase]) -> Iterator[Claim]:
    """What a working group can vote on: the proposal first, then what speaks for it and what it costs.

    Args:
        found: What was decided.
        figures: The numbers of the cluster; none without Services.
        scripts: The outcome of the conformance scripts.
    """
    by_name = {figure.name: figure for figure in figures}
    exceptions = sorted(row.id for row in ROWS if row.advice is Advice.OFF and row.via is Via.ANNOTATION)
    yield Claim(
        f"Proposal: create-monitor = true from CCM {PROPOSED_SINCE} on; exceptions by annotation: "
        f"{', '.join(exceptions)}.",
        {"release": PROPOSED_SINCE, "exceptions": exceptions},
        "the decision matrix",
    )
    count = counted()
    yield Claim(
        f"No reason for false is recorded; {count.on} of {count.all} projects that deploy clusters switch it on.",
        {"on": count.on, "all": count.all},
        "kubernetes/cloud-provider-openstack#986; what others set",
    )
    yield from _measured("wrong-node", "First connections of Local Services to nodes without a pod", by_name)
    if behaviours_of(found.config.release)["keeps-unready-nodes"]:
        yield from _measured("dead-node", "A dead node is out", by_name)
    if scripts:
        outcomes = [f"{script.name} {_OUTCOMES[script.now]} now, {_OUTCOMES[script.then]} then" for script in scripts]
        yield Claim(f"The draft's scripts: {'; '.join(outcomes)}.", {}, "predicted")
    yield _cost(by_name)
    yield Claim(
        "It does not bring the client's address: that takes OVN, PROXY or X-Forwarded-For.",
        {},
        "SovereignCloudStack/k8s-cluster-api-provider#351",
    )
    yield Claim(
        f"To decide: whether Local is required at all; the last draft ({DRAFT_REVISED}) does not support it.",
        {"draft": DRAFT_REVISED},
        "SovereignCloudStack/standards 3440c8f8",
    )


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
    rate = "" if probes.then == "not known" else f", probes a second {probes.now} → {probes.then}"
    return Claim(f"It costs health monitors {monitors.now} → {monitors.then}{rate}.", numbers, "predicted")


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
            "The draft's script for it "
            f"{_OUTCOMES[special.then] if special.then is not None else 'has no known outcome'} "
            f"with CCM {found.config.release.name} and {found.config.lb_provider or 'the default provider'} as "
            "recommended: "
            f"{special.then_text}.",
        )
    yield OpenQuestion(
        "Would the client's address be kept?",
        "Not by monitors: on OVN with Local it is, on amphora it takes PROXY or X-Forwarded-For.",
    )
    yield OpenQuestion(
        "Can connectivity through a load balancer be tested?",
        "Yes: the draft's two scripts do it, and the one for Local fails without monitors as soon as there are "
        "more nodes "
        "than pods.",
    )
