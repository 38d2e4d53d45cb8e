"""What was looked at in a cluster, and whether it is well: the first lines of ``cluster lint``."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.core import lint_results, live_records
from ccmcheck.cluster.live.restart import OLD, UNKNOWN, known
from ccmcheck.cluster.live.snapshot import Snapshot

_MOST_NAMED = 3
_RIGHTS = "`ccmcheck cluster rbac` prints the rights that show it."


def checks(snapshot: Snapshot) -> Iterator[lint_results.ClusterCheck]:
    """What was looked at, in the order in which one thing needs the other.

    Args:
        snapshot: What was read.
    """
    version = snapshot.facts.kubernetes_version
    said = f"answers, Kubernetes {version}" if version else "answers; its version is not known"
    yield lint_results.ClusterCheck("API server", True if version else None, said)
    if not snapshot.ccms:
        yield lint_results.ClusterCheck("CCM", None, "none was found in the namespaces that were searched")
    for ccm, health in zip(snapshot.ccms, snapshot.ccm_health, strict=True):
        release = ccm.pod.release or "of unknown release"
        passed, seen = _runs(health)
        yield lint_results.ClusterCheck(
            "CCM", passed, f"{ccm.file.subject} {release}: {seen}", _RIGHTS if passed is None else ""
        )
    yield from _configs(snapshot)
    yield from _nodes(snapshot)
    yield from _services(snapshot)
    if snapshot.beside:
        names = ", ".join(snapshot.beside[:_MOST_NAMED])
        more = f" and {len(snapshot.beside) - _MOST_NAMED} more" if len(snapshot.beside) > _MOST_NAMED else ""
        yield lint_results.ClusterCheck(
            "Beside", None, f"{names}{more}", "Services that both may handle need a `loadBalancerClass`."
        )


def idle(snapshot: Snapshot) -> str:
    """Why no CCM of a cluster works, in a line; empty where one does, or it is not known.

    Args:
        snapshot: What was read.
    """
    seen = [(ccm.file.subject, *_runs(health)) for ccm, health in zip(snapshot.ccms, snapshot.ccm_health, strict=True)]
    if any(passed is not False for _, passed, _ in seen):
        return ""
    return "; ".join(f"{subject}: {said}" for subject, _, said in seen)


def _runs(health: live_records.LiveCcm) -> tuple[bool | None, str]:
    of = f" of {health.wanted}" if health.wanted is not None else ""
    since = f" since {health.started}" if health.started else ""
    pods = f"{health.running}{of} pod{'' if (health.wanted or health.running) == 1 else 's'} run{since}"
    if health.is_well and health.wanted is None and not health.running:
        return None, "whether it runs is not known"
    state = health.stopped[0].state if health.stopped else health.why or health.lease
    wrong = state or (
        "no leader election" if health.alone else "its log says that it cannot work" if health.log else ""
    )
    return (True, pods) if health.is_well else (False, f"{pods}; {wrong}" if wrong else pods)


def _configs(snapshot: Snapshot) -> Iterator[lint_results.ClusterCheck]:
    """The cloud.confs, and which text each CCM uses: it reads its file once, at its start."""
    for config in snapshot.configs:
        live = known(config)
        text = f"{config.file.subject}, key {config.place.key}"
        if live.use == OLD:
            yield lint_results.ClusterCheck(
                "cloud.conf", False, f"{text}; the CCM runs with an older text", "Restart the CCM."
            )
        elif live.use == UNKNOWN or not live.started:
            yield lint_results.ClusterCheck(
                "cloud.conf", None, f"{text}; whether the CCM runs with this text is not known"
            )
        else:
            yield lint_results.ClusterCheck("cloud.conf", True, f"{text}; the CCM runs with this text")
    if snapshot.ccms and not snapshot.configs:
        yield lint_results.ClusterCheck("cloud.conf", None, "was not read")


def _nodes(snapshot: Snapshot) -> Iterator[lint_results.ClusterCheck]:
    count = snapshot.facts.nodes
    if count is None:
        yield lint_results.ClusterCheck("Nodes", None, "could not all be read")
        return
    odd = len(snapshot.odd_nodes)
    text = f"{count} of {len(snapshot.nodes)} are members of load balancers"
    yield lint_results.ClusterCheck("Nodes", bool(count) and not odd, text + (f"; {odd} with findings" if odd else ""))


def _services(snapshot: Snapshot) -> Iterator[lint_results.ClusterCheck]:
    pending = sum(service.is_pending for service in snapshot.live.values())
    text = f"{len(snapshot.live)} of type LoadBalancer" + (f", {pending} without an address" if pending else "")
    yield lint_results.ClusterCheck("Services", not pending, text)
