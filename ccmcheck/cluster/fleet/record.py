"""What is kept of one cluster: one JSON object without secrets, the line of `results` files and of ``ndjson``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ccmcheck.cluster.access.documents import mapping, moment_text, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import carriers, lazy_regex, lint_results, model
from ccmcheck.cluster.fleet.service_state import ServiceState
from ccmcheck.cluster.fleet.targets import ClusterTarget
from ccmcheck.cluster.live.ownership import latest, owners
from ccmcheck.cluster.live.snapshot import ClusterIdentity, Snapshot

Record = dict[str, Any]

READ, PARTIAL, FAILED = "read", "partial", "failed"
"""``state`` of a cluster."""
MOST_PLACES = 3
"""Places that are named of findings that are the same."""
MOST_SERVICES = 20
"""Services that are named, of those that do not work; all are counted."""
MOST_FAILURES = 20
_RESTART = "ccm-restart-needed"


def failed(target: ClusterTarget, message: str, hint: str, server: str = "") -> Record:
    """The record of a cluster that was not read."""
    return {**_head(target, server), "state": FAILED, "error": {"message": message, "hint": hint}}


def made(
    target: ClusterTarget,
    snapshot: Snapshot,
    findings: Sequence[model.Finding],
    failures: Sequence[lint_results.Failure],
    states: Sequence[ServiceState],
    producers: dict[str, str],
    confs: Sequence[carriers.CarriedConf | None],
) -> Record:
    """The record of a cluster that was read.

    Args:
        target: Which it is.
        snapshot: What was read.
        findings: What the rules say.
        failures: What could not be read.
        states: Its Services.
        producers: From the name of an object to what made it.
        confs: The cloud.confs of its CCMs.
    """
    identity: ClusterIdentity = snapshot.identity
    broken = [state for state in states if state.why]
    compared = [state for state in states if state.differs != ""]
    differing = [state for state in compared if state.differs]
    record: Record = {
        **_head(target, identity.server),
        "state": PARTIAL if failures else READ,
        "uid": identity.uid,
        "kubernetes": snapshot.facts.kubernetes_version,
        "nodes": snapshot.facts.nodes,
        "ccms": [
            {"workload": ccm.file.subject, "release": ccm.pod.release, "cluster_name": ccm.pod.cluster_name}
            for ccm in snapshot.ccms
        ],
        "configs": [config.file.subject for config in snapshot.configs],
        "restart": _restart(findings),
        "counts": {
            severity.word: sum(one.severity is severity for one in findings) for severity in reversed(model.Severity)
        },
        "fatal": sum(finding.fatal for finding in findings),
        "findings": list(_grouped(findings, producers)),
        "services": {"all": len(states), "broken": len(broken)},
        "broken": [{"service": state.name, "why": state.why, "basis": state.basis} for state in broken[:MOST_SERVICES]],
        "prediction": {"compared": len(compared), "differ": len(differing)},
        "differing": [{"service": state.name, "how": state.differs} for state in differing[:MOST_SERVICES]],
        "balancers": [[state.name, state.balancer] for state in states if state.balancer],
        "addresses": [[state.name, address] for state in states for address in state.addresses],
        "balancer_names": [[state.name, state.predicted_name] for state in states if state.predicted_name],
        "project": _project(confs),
        "failures": [
            {"path": failure.path, "message": failure.message, "hint": failure.hint}
            for failure in failures[:MOST_FAILURES]
        ],
    }
    return record


def _head(target: ClusterTarget, server: str) -> Record:
    return {
        "name": target.name,
        "source": target.source,
        "context": target.context,
        "key": target.key,
        "server": server,
        "read_at": moment_text(),
    }


def _restart(findings: Iterable[model.Finding]) -> str:
    """``yes``, ``possible`` or ``no``."""
    severities = [finding.severity for finding in findings if finding.rule == _RESTART]
    if not severities:
        return "no"
    return "yes" if max(severities) > model.Severity.INFO else "possible"


def _grouped(findings: Iterable[model.Finding], producers: dict[str, str]) -> Iterable[Record]:
    """The findings, those that are the same at several places once."""
    groups: dict[tuple[str, model.Severity, bool, str, str], Record] = {}
    for finding in findings:
        place = finding.place
        made_by = producers.get(place.path, "")
        key = (finding.rule, finding.severity, finding.fatal, finding.label, made_by)
        group = groups.get(key)
        if group is None:
            group = groups[key] = {
                "rule": finding.rule,
                "severity": finding.severity.word,
                "fatal": finding.fatal,
                "label": finding.label,
                "help": finding.help,
                "made_by": made_by,
                "count": 0,
                "places": [],
            }
        group["count"] += 1
        if len(group["places"]) < MOST_PLACES:
            group["places"].append(place.way or place.path)
    return groups.values()


def _project(confs: Sequence[carriers.CarriedConf | None]) -> str:
    """What tells the OpenStack project from others, as a digest; empty where that is unknown."""
    from hashlib import sha256

    from ccmcheck.cluster.core import nearby_conf

    projects = set()
    for carried in confs:
        near = nearby_conf.nearby_conf(carried) if carried is not None else None
        if near is not None and near.project and not near.broken:
            projects.add(sha256("\0".join(near.project).encode("utf-8", "replace")).hexdigest()[:16])
    return projects.pop() if len(projects) == 1 else ""


_LABELS = (
    ("helm.toolkit.fluxcd.io/name", "Flux HelmRelease"),
    ("kustomize.toolkit.fluxcd.io/name", "Flux Kustomization"),
    ("argocd.argoproj.io/instance", "Argo CD application"),
    ("gardener.cloud/managed-by", "Gardener"),
    ("resources.gardener.cloud/managed-by", "Gardener"),
)
_ANNOTATIONS = (
    ("argocd.argoproj.io/tracking-id", "Argo CD application"),
    ("meta.helm.sh/release-name", "Helm release"),
    ("resources.gardener.cloud/origin", "Gardener"),
    ("projectsveltos.io/owner-name", "Sveltos"),
)
"""What writes which label or annotation; its value is a name, up to the first colon."""
_NAME = lazy_regex(r"[\w./@-]{1,128}", re.ASCII)


def producer(obj: Document, *path: str) -> str:
    """What made an object, or the last owner of a field of it; empty where nothing says so.

    Args:
        obj: The object.
        path: The field.
    """
    metadata = mapping(obj.get("metadata"))
    for values, known in ((metadata.get("labels"), _LABELS), (metadata.get("annotations"), _ANNOTATIONS)):
        for key, what in known:
            name = text(mapping(values).get(key)).partition(":")[0]
            if _NAME.fullmatch(name):
                return f"{what} {name}"
    owner = latest(owners(obj, *path)) if path else None
    return f"field manager {owner.manager}" if owner is not None and _NAME.fullmatch(owner.manager) else ""
