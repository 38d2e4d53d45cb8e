"""A CCM that does not run."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.carriers.live import LiveCcm
from ccmcheck.rules._support.log_lines import advice
from ccmcheck.rules.views.manifest import Manifest

_ADVICE: dict[str, str] = dict(read_table(__file__, "pod_reasons.tsv"))
_MOST_PODS = 3


def check(manifest: Manifest) -> Problems:
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
        return advice([ccm.log], "Correct what the log names; Kubernetes starts the CCM again by itself.")
    return "`kubectl describe` of the workload and of its pods says more."


def _pods(count: int) -> str:
    return f"{count} pod{'' if count == 1 else 's'}"
