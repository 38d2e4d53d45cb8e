"""What the checks can and cannot see while pods are replaced and when a node dies."""

from __future__ import annotations

from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.predict.records import Answer
from ccmcheck.predict.verdicts.answers import answer
from ccmcheck.predict.verdicts.context import VerdictContext


def rollout(context: VerdictContext) -> Answer | None:
    """Whether connections are lost while pods move; None where that is not known, or nothing is checked or needed."""
    worst = context.worst()
    if context.ovn_blind or context.ovn_ignores:
        return None
    times = context.times(worst)
    if not times.known:
        return None
    if context.prediction.policy != "Local":
        return answer("rollout policy Cluster")
    if worst.http_path and times.refused is not None and not context.asks_pods_for_health:
        seconds = times.refused.most
        told = {"out": times.refused, "seconds": seconds, "terminating": _terminating(context)}
        return answer("rollout announced", {"pre_stop": seconds}, **told)
    if times.silent is None:
        return None  # said by the verdict on traffic: such a check never fails
    why, lead = "this provider's check does not ask it", ""
    if context.driver.monitors is not None and "HTTP" not in context.driver.monitors:
        lead = f"{context.driver.name} has no HTTP monitors, so that the health check node port is not asked: "
    if context.asks_pods_for_health:
        why = "members that are made one by one have no monitor_port, so that the check asks the NodePort"
    numbers = {"lost": [times.silent.least, times.silent.most]}
    return answer("rollout not announced", numbers, lead=lead, out=times.silent, why=why)


def _terminating(context: VerdictContext) -> str:
    version = context.cloud.facts.kubernetes_version
    if version and not kubernetes_has("terminating-endpoints", version):
        return f"; kube-proxy of Kubernetes {version} drops new connections from then on, whatever preStop does"
    return ", and kube-proxy still sends connections to a pod that terminates (Kubernetes 1.26 and newer)"
