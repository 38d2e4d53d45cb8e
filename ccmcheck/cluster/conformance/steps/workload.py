"""The pods: created, scaled, replaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccmcheck.cluster.access.documents import mapping, mappings, text
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.conformance import objects
from ccmcheck.cluster.conformance.records import Reply
from ccmcheck.cluster.conformance.session import NotApplicable, StepFailed
from ccmcheck.cluster.conformance.stage import SeenByStep, Stage
from ccmcheck.cluster.conformance.steps.traffic import one_request, summary

_RESTARTED = "ccmcheck.dev/restarted"
_FINGER = 0.1
"""Seconds between two requests while pods are replaced."""


def create(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Create the Deployment, and wait for its pods."""
    session, case = stage.session, stage.case
    session.create(session.place.path("deployments"), objects.deployment(session.place, case, stage.image, stage.user))
    pods = session.until(lambda: _ready(stage, case.replicas), lambda: _late(stage))
    nodes = set(pods.values())
    if len(nodes) < case.nodes:
        raise NotApplicable(f"needs pods on {case.nodes} nodes, and all of them are on {len(nodes)}")
    return SeenByStep(f"{_pods(len(pods))} on {len(nodes)} node{'' if len(nodes) == 1 else 's'}")


def scale(stage: Stage, values: Mapping[str, Any]) -> SeenByStep:
    """Change the number of pods, and wait until it is that."""
    replicas = int(values["replicas"])
    stage.session.patch(stage.deployment_path, {"spec": {"replicas": replicas}})
    pods = stage.session.until(lambda: _ready(stage, replicas), lambda: _late(stage))
    return SeenByStep(f"{_pods(len(pods))} left")


def rollout(stage: Stage, _: Mapping[str, Any]) -> SeenByStep:
    """Replace the pods as `kubectl rollout restart` does, and send requests meanwhile; none may be lost."""
    session = stage.session
    before = set(stage.see_pods())
    template = {"metadata": {"annotations": {_RESTARTED: session.place.run_id}}}
    session.patch(stage.deployment_path, {"spec": {"template": template}})
    replies: list[Reply] = []
    look_at = session.clock()

    def replaced() -> bool | None:
        nonlocal look_at
        replies.append(one_request(stage))
        if session.clock() < look_at:
            return None
        look_at = session.clock() + 1.0
        pods = _ready(stage, stage.case.replicas)
        return True if pods is not None and not before & set(pods) else None

    late = f"the pods were not replaced within {session.limits.wait:g} s"
    session.until(replaced, lambda: late, pause=_FINGER, replies=replies)
    replies += (one_request(stage) for _ in range(10))
    lost = sum(reply.problem is not None for reply in replies)
    if lost:
        raise StepFailed(f"while the pods were replaced: {summary(replies)}", replies)
    return SeenByStep(f"{summary(replies)} while {_pods(len(before))} were replaced", tuple(replies))


def _ready(stage: Stage, replicas: int) -> dict[str, str] | None:
    """The ready pods; None until they are as many as the Deployment's newest template asks for."""
    deployment = stage.session.get(stage.deployment_path)
    if deployment is None:
        raise StepFailed("the Deployment is gone: somebody else deleted it")
    status, metadata = mapping(deployment.get("status")), mapping(deployment.get("metadata"))
    counts = [status.get(name) or 0 for name in ("replicas", "updatedReplicas", "readyReplicas")]
    if (status.get("observedGeneration") or 0) < (metadata.get("generation") or 0) or counts != [replicas] * 3:
        return None
    pods = stage.see_pods()
    return pods if len(pods) == replicas else None


def _late(stage: Stage) -> str:
    """Why pods are not ready, as far as they say."""
    limit = f"the pods were not ready within {stage.session.limits.wait:g} s"
    query = {"labelSelector": f"{objects.CASE_LABEL}={stage.case.name}"}
    pods = stage.session.list(stage.session.place.path("pods"), query)
    reasons = dict.fromkeys(reason for pod in pods for reason in _reasons(pod))
    if not pods:
        return f"{limit}: there are none; a quota or an admission webhook may refuse them"
    return f"{limit}: {', '.join(reasons)}" if reasons else limit


def _reasons(pod: Document) -> list[str]:
    """Words of Kubernetes' own: ``ImagePullBackOff``, ``Unschedulable``; never a message, which may quote anything."""
    status = mapping(pod.get("status"))
    waiting = [mapping(mapping(one.get("state")).get("waiting")) for one in mappings(status.get("containerStatuses"))]
    conditions = [one for one in mappings(status.get("conditions")) if one.get("status") == "False"]
    found = [text(one.get("reason")) for one in (*waiting, *conditions)]
    return [reason for reason in found if reason.isalpha() and len(reason) <= 64]


def _pods(count: int) -> str:
    return f"{count} pod{'' if count == 1 else 's'}"
