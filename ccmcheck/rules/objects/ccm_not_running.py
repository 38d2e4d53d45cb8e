"""A CCM that does not run.

What it does: looks in a running cluster at the pods of the CCM: containers that cannot start, end again and again, or whose
image cannot be pulled; fewer pods than there should be; several pods without leader election; a lease that nobody renews;
and a log that says why a running CCM cannot work.

Why: nothing else in the cluster says so. Load balancers keep working as they are, so that it shows weeks later: Services
without an address, Nodes that stay uninitialized, members that no longer exist.

What the CCM does: it ends at a cloud.conf or credentials that it cannot use, and Kubernetes starts it again. With several
pods only the one that holds the lease works; without leader election all of them do, against each other.

Releases: all

Fix: none; it depends on the reason.

Source: k8s.io/cloud-provider app/controllermanager.go; Kubernetes, Pod lifecycle (container states)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCcm, LiveCluster, StoppedPod
from ccmcheck.rules._support.workload import KINDS
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "ccm-not-running",
    "A CCM that does not run",
    Severity.ERROR,
    per_release=False,
    kinds=KINDS,
)

_WORKLOAD = """\
kind: Deployment
metadata:
  name: ccm
  namespace: kube-system
spec: {}
"""
_RUNS = LiveCcm("Deployment kube-system/ccm", 1, 1)
_CRASHES = StoppedPod("ccm-x", "CrashLoopBackOff", 57, "exit code 1 (Error) at 2026-11-02T09:30:00Z")


def _run(ccm: LiveCcm) -> RunContext:
    return RunContext(live=LiveCluster(ccms={ccm.subject: ccm}))


BAD = (
    Case(_WORKLOAD, at=(3, 9), run_context=_run(_RUNS._replace(running=0, stopped=(_CRASHES,), log="F1102 x509: bad"))),
    Case(_WORKLOAD, at=(3, 9), run_context=_run(_RUNS._replace(running=0, why="it is scaled to 0", wanted=0))),
    Case(
        _WORKLOAD,
        at=(3, 9),
        run_context=_run(_RUNS._replace(wanted=2, stopped=(StoppedPod("ccm-y", "ImagePullBackOff"),), waits="x:v2")),
        severity=Severity.WARNING,
    ),
    Case(_WORKLOAD, at=(3, 9), run_context=_run(_RUNS._replace(wanted=2, running=2, alone=True)), shown=False),
    Case(_WORKLOAD, at=(3, 9), run_context=_run(_RUNS._replace(lease="lease a/b was last renewed at x")), shown=False),
    Case(_WORKLOAD, at=(3, 9), run_context=_run(_RUNS._replace(log="E1102 nodes is forbidden: x")), shown=False),
    Case(
        _WORKLOAD,
        at=(3, 9),
        run_context=_run(
            _RUNS._replace(stopped=(StoppedPod("ccm-x", "OOMKilled", 812, "exit code 137 (OOMKilled)", runs=True),))
        ),
        shown=False,
    ),
)
GOOD = (
    Case(_WORKLOAD, run_context=_run(_RUNS)),
    Case(_WORKLOAD, run_context=_run(_RUNS._replace(wanted=None, running=0))),
    Case(_WORKLOAD),
    Case(_WORKLOAD, run_context=_run(_RUNS._replace(subject="Deployment kube-system/other", running=0)), shown=False),
)

_ADVICE = {
    "ImagePullBackOff": "Correct the image, or what the registry asks for.",
    "ErrImagePull": "Correct the image, or what the registry asks for.",
    "InvalidImageName": "Correct the image.",
    "CreateContainerConfigError": "A Secret or ConfigMap that the container names, or a key in it, is missing.",
    "Unschedulable": "Give the pod the tolerations and the node selector of a node that is there.",
    "OOMKilled": "Raise the container's memory limit.",
}
_MOST_PODS = 3


def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at what the cluster says of the workload."""
    live = manifest.run_context.live
    ccm = live.ccms.get(manifest.subject) if live is not None else None
    name = manifest.at("metadata", "name")
    if ccm is None or ccm.is_well or name is None:
        return
    for label, severity in _labels(ccm):
        yield Problem(name.content, label, " ".join(_detail(ccm)), _help(ccm), severity=severity)


def _labels(ccm: LiveCcm) -> Iterator[tuple[str, Severity]]:
    """What is wrong, the worst alone: the rest follows from it."""
    pods = _pods(ccm.wanted if ccm.wanted is not None else len(ccm.stopped))
    again = [pod for pod in ccm.stopped if pod.runs]
    if not ccm.running:
        state = f": {ccm.stopped[0].state}" if ccm.stopped else f": {ccm.why}" if ccm.why else ""
        yield f"the CCM does not run, 0 of {pods}{state}", Severity.ERROR
    elif ccm.alone:
        yield f"{ccm.running} pods run without leader election, and work against each other", Severity.ERROR
    elif ccm.lease:
        yield f"no CCM works: {ccm.lease}", Severity.ERROR
    elif again:
        yield f"the CCM ends again and again: {again[0].state}, {again[0].restarts} restarts", Severity.ERROR
    elif ccm.log:
        yield "the CCM runs, and its log says that it cannot work", Severity.ERROR
    elif ccm.stopped:
        yield (
            f"{_pods(len(ccm.stopped))} of the CCM {'does' if len(ccm.stopped) == 1 else 'do'} not run",
            Severity.WARNING,
        )
    elif ccm.wanted is not None and ccm.running < ccm.wanted:
        yield f"{ccm.running} of {pods} of the CCM run", Severity.WARNING
    elif ccm.waits:
        yield f"the CCM runs another image than its template has: {ccm.waits}", Severity.WARNING


def _detail(ccm: LiveCcm) -> Iterator[str]:
    for pod in ccm.stopped[:_MOST_PODS]:
        often = f", {pod.restarts} restarts" if pod.restarts else ""
        ended = f"; it ended the last time with {pod.ended}" if pod.ended else ""
        yield f"Pod {pod.name}: {pod.state}{often}{ended}."
    if len(ccm.stopped) > _MOST_PODS:
        yield f"And {len(ccm.stopped) - _MOST_PODS} more."
    if ccm.waits and ccm.running:
        yield f"What runs has an older image, by which this cluster is judged; no pod runs {ccm.waits}."
    if ccm.log:
        yield f"The CCM's log: {ccm.log if ccm.log.endswith(('.', '…')) else ccm.log + '.'}"
    elif ccm.unread:
        yield f"Its log could not be read ({ccm.unread})."


def _help(ccm: LiveCcm) -> str:
    for pod in ccm.stopped:
        reason = "OOMKilled" if "OOMKilled" in pod.ended else pod.state
        if reason in _ADVICE:
            return _ADVICE[reason]
    if ccm.alone:
        return "Write --leader-elect=true, or run one pod."
    if ccm.lease:
        return "Look at the log of the pods: one that cannot reach the API server, or may not write the lease, cannot work."
    if ccm.log:
        return "Correct what the log names; Kubernetes starts the CCM again by itself."
    return "`kubectl describe` of the workload and of its pods says more."


def _pods(count: int) -> str:
    return f"{count} pod{'' if count == 1 else 's'}"
