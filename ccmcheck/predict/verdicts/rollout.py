"""What the checks can and cannot see while pods are replaced and when a node dies."""

from __future__ import annotations

from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.predict.records import Answer
from ccmcheck.predict.verdicts.context import VerdictContext

TERMINATING = "kubernetes/enhancements KEP-1669; kubernetes pkg/proxy/healthcheck"


def rollout(context: VerdictContext) -> Answer | None:
    """Whether connections are lost while pods move; None where that is not known, or nothing is checked or needed."""
    worst = context.worst()
    if context.ovn_blind or context.ovn_ignores:
        return None
    times = context.times(worst)
    if not times.known:
        return None
    if context.prediction.policy != "Local":
        return Answer(
            "rollout",
            None,
            "a check goes through kube-proxy to any pod: it proves that a node forwards, not that its pods serve",
            "pods that terminate get no new connections from kube-proxy, wherever they run",
            TERMINATING,
        )
    if worst.http_path and times.refused is not None and not context.asks_pods_for_health:
        return Answer(
            "rollout",
            None,
            f"a node whose last ready pod terminates fails its check at once and is out after {times.refused}: pods "
            f"must go on serving for {times.refused.most:g} s (preStop) to lose no connection",
            f"/healthz answers 503 as soon as no pod is ready{_terminating(context)}",
            TERMINATING,
            {"pre_stop": times.refused.most},
        )
    if times.silent is None:
        return None  # said by the verdict on traffic: such a check never fails
    why, lead = "this provider's check does not ask it", ""
    if context.driver.monitors is not None and "HTTP" not in context.driver.monitors:
        lead = f"{context.driver.name} has no HTTP monitors, so that the health check node port is not asked: "
    if context.asks_pods_for_health:
        why = "members that are made one by one have no monitor_port, so that the check asks the NodePort"
    return Answer(
        "rollout",
        False,
        f"{lead}the check of the NodePort cannot see that pods terminate: connections are lost for {times.silent} "
        "after a node's last pod is gone",
        f"only /healthz at the health check node port says in advance that no pod is ready, and {why}",
        TERMINATING,
        {"lost": [times.silent.least, times.silent.most]},
    )


def _terminating(context: VerdictContext) -> str:
    version = context.cloud.facts.kubernetes_version
    if version and not kubernetes_has("terminating-endpoints", version):
        return f"; kube-proxy of Kubernetes {version} drops new connections from then on, whatever preStop does"
    return ", and kube-proxy still sends connections to a pod that terminates (Kubernetes 1.26 and newer)"
