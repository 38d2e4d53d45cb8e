"""Services of many kinds in whole clusters, one cluster for each release of the CCM, side by side."""

from __future__ import annotations

import collections
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cloud_play import Step
from kube_checks import Checks
from kube_reconciled import NAMESPACE, Reconciler
from kube_reconciled_ours import differences
from kube_services import cases
from kube_stack import stack

RELEASES = ("v1.36.0", "v1.31.2")
EVERY = 5  # in a sample
NODES = 3


def check_services(checks: Checks, folder: Path, *, sample: bool) -> None:
    """Compare the final states with the predictions.

    Args:
        checks: Counts.
        folder: An empty folder.
        sample: A fifth of the kinds, with the newest release.

    Raises:
        NotAvailableError: It cannot be had here.
    """
    tags = RELEASES[:1] if sample else RELEASES
    every = EVERY if sample else 1
    with ThreadPoolExecutor(len(tags)) as workers:
        played = list(workers.map(lambda tag: _played(folder / tag, tag, every), tags))
    for tag, steps in zip(tags, played, strict=True):
        counts = collections.Counter(step.act for step in steps)
        print(f"{tag}: " + ", ".join(f"{number} of {act}" for act, number in sorted(counts.items())))
        for step in steps:
            wrong = differences(step, tag)
            checks.hold(f"{tag} {step.name} {step.act} {step.answer.outcome}", not wrong, "\n  ".join(wrong))


def _played(folder: Path, tag: str, every: int) -> list[Step]:
    folder.mkdir()
    with stack(folder, ccm=tag, nodes=NODES) as cluster:
        cluster.server.request("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        reconciler = Reconciler(cluster, tag)
        return [step for case in cases()[::every] for step in reconciler.play(case)]
