"""Restarts the CCM as `kubectl rollout restart` does, and waits until the new pods run and stay.

Writes a change: first as a dry run, then with the version that was read as precondition.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ccmcheck.cluster.access.audit import SAYS_ALL, About
from ccmcheck.cluster.access.documents import is_ready, mapping, mappings, moment_text, number, text, version_of
from ccmcheck.cluster.access.errors import CONFLICT, FORBIDDEN, UNPROCESSABLE, ApiError, Refused, Unreachable
from ccmcheck.cluster.access.requests import APPS, CORE, GET, LIST, MERGE_PATCH, RequestKind
from ccmcheck.cluster.access.transport import Document, items
from ccmcheck.cluster.access.writing import FIELD_MANAGER, Writer
from ccmcheck.cluster.core import NamedTuple
from ccmcheck.cluster.fixing.plan import FixedObject, holds
from ccmcheck.cluster.live.ccm import Ccm

_BAD_REQUEST = 400


class Altered(ApiError):
    """Another text was written than the one that was sent."""

    def __init__(self) -> None:
        super().__init__(
            "was changed while it was written, by an admission webhook or somebody else", "Run this again."
        )


def try_out(writer: Writer, change: FixedObject) -> Document:
    """Let the API server check a change without making it.

    Returns:
        The object as it would be.

    Raises:
        ApiError: It would refuse it, or change it.
    """
    found = _sent(writer, change.request, _body(change), dry_run=True)
    if not holds(found, change.patch):
        raise ApiError("the API server would write another text than the fixed one: an admission webhook changes it")
    return found


def write(writer: Writer, change: FixedObject) -> Document:
    """Write a change.

    Returns:
        The object as it is now.

    Raises:
        Altered: Something else was written.
        ApiError: It was not written, or nobody knows.
    """
    about = About(keys=change.keys)
    try:
        found = _sent(writer, change.request, _body(change), about=about)
    except Unreachable as error:
        found = _after_silence(writer, change, error)
    if not holds(found, change.patch):
        raise Altered
    return found


def patch(writer: Writer, request: RequestKind, body: dict[str, Any], before: str, about: About = SAYS_ALL) -> Document:
    """Change an object with a merge patch.

    Args:
        writer: Sends it.
        request: The object.
        body: The patch.
        before: The resourceVersion that it must have; empty for any.
        about: What the audit log says beside the patch.

    Raises:
        ApiError: It was not changed, or nobody knows.
    """
    metadata = {**mapping(body.get("metadata")), **({"resourceVersion": before} if before else {})}
    return _sent(writer, request, {**body, **({"metadata": metadata} if metadata else {})}, about=about)


def _body(change: FixedObject) -> dict[str, Any]:
    metadata = {**mapping(change.patch.get("metadata")), "resourceVersion": version_of(change.object)}
    return {**change.patch, "metadata": metadata}


def _sent(
    writer: Writer, request: RequestKind, body: dict[str, Any], *, dry_run: bool = False, about: About = SAYS_ALL
) -> Document:
    query = {"fieldManager": FIELD_MANAGER, **({"dryRun": "All"} if dry_run else {})}
    try:
        return writer.send("PATCH", request.path, body, query=query, content_type=MERGE_PATCH, about=about)
    except Refused as error:
        raise _explained(error) from None


def _explained(error: Refused) -> ApiError:
    """A refusal with what it means for a write."""
    fields = ", ".join(dict.fromkeys(cause.field for cause in error.causes if cause.field))
    about = f" ({fields})" if fields else ""
    hints = {
        _BAD_REQUEST: "A webhook that does not support dry runs refuses them like this.",
        CONFLICT: "Run this again: what is there now is read, shown and fixed.",
        FORBIDDEN: (
            "`ccmcheck cluster rbac --for fix` prints the roles that are needed; or an admission policy refuses it."
        ),
        UNPROCESSABLE: "An admission policy or the object's type does not allow it.",
    }
    return ApiError(f"{error.message}{about}", hints.get(error.status, error.hint))


def _after_silence(writer: Writer, change: FixedObject, error: Unreachable) -> Document:
    """Whether a write without an answer was made.

    Raises:
        ApiError: It was not, or nobody knows.
    """
    try:
        found = writer.get(change.request.path)
    except ApiError:
        raise ApiError(f"{error.message}; nobody knows whether it was written", "Run this again.") from None
    if version_of(found) == version_of(change.object):
        raise ApiError(f"{error.message}; it was not written", "Run this again.")
    writer.found_written(change.request.path, _body(change), found, MERGE_PATCH, About(keys=change.keys))
    return found


RESTARTED_AT = "kubectl.kubernetes.io/restartedAt"
_RESOURCES = {"DaemonSet": "daemonsets", "Deployment": "deployments"}
STEADY_SECONDS = 10.0
"""How long the new containers must run: without a probe a pod counts as ready the moment it starts, and a CCM that
stops at its cloud.conf does so after a second."""
_PAUSE = 2.0
_FAILING = frozenset({
    "CrashLoopBackOff", "CreateContainerConfigError", "CreateContainerError", "ErrImageNeverPull",
    "ImagePullBackOff", "InvalidImageName", "RunContainerError",
})  # fmt: skip


class RestartedWorkload(NamedTuple):
    """What is restarted.

    Attributes:
        subject: ``DaemonSet kube-system/openstack-cloud-controller-manager``.
        request: How it is read.
        pods: How the pods of its namespace are read.
    """

    subject: str
    request: RequestKind
    pods: RequestKind

    @property
    def name(self) -> str:
        """Its name for kubectl: ``daemonset/openstack-cloud-controller-manager``."""
        return f"{self.request.resource.removesuffix('s')}/{self.request.name}"


class Restart(NamedTuple):
    """A restart that was started.

    Attributes:
        stamp: The annotation that the new pods have.
        before: The one that the old pods have; empty without one.
        after: The workload as it was right after.
    """

    stamp: str
    before: str
    after: Document


def workload_of(ccm: Ccm) -> RestartedWorkload | None:
    """The workload of a CCM; None for a pod that no workload makes, such as a static one."""
    kind, _, rest = ccm.file.subject.partition(" ")
    namespace, _, name = rest.rpartition("/")
    if kind not in _RESOURCES:
        return None
    request = RequestKind(APPS, "v1", _RESOURCES[kind], GET, namespace, name)
    return RestartedWorkload(ccm.file.subject, request, RequestKind(CORE, "v1", "pods", LIST, namespace))


class Roller:
    """Restarts one workload, and waits for it.

    Args:
        writer: Asks the API server.
        workload: The workload.
        seconds: How long to wait for the new pods.
    """

    def __init__(self, writer: Writer, workload: RestartedWorkload, seconds: float) -> None:
        self._writer = writer
        self._workload = workload
        self._seconds = seconds

    def restart(self) -> Restart:
        """Change the annotation of the pods' template.

        Raises:
            ApiError: It cannot be restarted like that.
        """
        workload = self._writer.get(self._workload.request.path)
        spec = mapping(workload.get("spec"))
        if mapping(spec.get("updateStrategy")).get("type") == "OnDelete":
            raise ApiError(
                f"{self._workload.subject} has the update strategy OnDelete, so a restart replaces no pod",
                "Delete its pods one after another.",
            )
        if spec.get("paused") is True:
            raise ApiError(f"{self._workload.subject} is paused", f"kubectl rollout resume {self._workload.name}")
        stamp = moment_text()
        return Restart(stamp, _stamp_of(spec.get("template")), self._set(stamp, workload))

    def undo(self, restart: Restart) -> Document:
        """Set the pods' template back to what it was, as `kubectl rollout undo` does.

        Raises:
            ApiError: It was not changed.
        """
        return self._set(restart.before or None, restart.after)

    def wait(self, stamp: str) -> str:
        """Wait for the pods with an annotation, or without one where it is empty.

        Returns:
            Why they are not ready; empty where they are.
        """
        ends = time.monotonic() + self._seconds
        since: dict[tuple[str, int], float] = {}
        state = "the API server did not say"
        while True:
            try:
                workload = self._writer.get(self._workload.request.path)
                pods = [pod for pod in self._pods(workload) if _is_of(pod, stamp)]
            except ApiError as error:
                state = error.message
            else:
                failure = next((found for pod in pods for found in _failures(pod)), "") or _deadline(workload)
                if failure:
                    return failure
                state = self._lacking(workload, pods, since)
                if not state:
                    return ""
            if time.monotonic() >= ends:
                return f"not ready after {self._seconds:.0f} s: {state}"
            time.sleep(_PAUSE)

    def _lacking(self, workload: Document, pods: list[Document], since: dict[tuple[str, int], float]) -> str:
        """What is not yet as it should be; empty where nothing is."""
        wanted, updated, available = _counts(workload)
        if wanted is None:
            return "its controller has not seen the change"
        now = time.monotonic()
        running = {key for pod in pods if (key := _ready(pod)) is not None}
        for key in list(since):
            if key not in running:
                del since[key]
        steady = sum(now - since.setdefault(key, now) >= STEADY_SECONDS for key in sorted(running))
        if steady >= wanted and updated >= wanted and available >= wanted:
            return ""
        return f"{len(running)} of {wanted} new pods are ready"

    def _pods(self, workload: Document) -> Iterator[Document]:
        labels = mapping(mapping(mapping(workload.get("spec")).get("selector")).get("matchLabels"))
        selector = ",".join(f"{key}={value}" for key, value in labels.items())
        query = {"labelSelector": selector} if selector else {}
        yield from items(self._writer, self._workload.pods.path, query)

    def _set(self, stamp: str | None, present: Document) -> Document:
        """Change the annotation, whatever else has changed in the workload meanwhile."""
        body = {"spec": {"template": {"metadata": {"annotations": {RESTARTED_AT: stamp}}}}}
        return patch(self._writer, self._workload.request, body, "", About(version_of(present)))


def _stamp_of(template: object) -> str:
    metadata = mapping(mapping(template).get("metadata"))
    return text(mapping(metadata.get("annotations")).get(RESTARTED_AT))


def _is_of(pod: Document, stamp: str) -> bool:
    metadata = mapping(pod.get("metadata"))
    ended = mapping(pod.get("status")).get("phase") in ("Succeeded", "Failed")
    return _stamp_of(pod) == stamp and not metadata.get("deletionTimestamp") and not ended


def _counts(workload: Document) -> tuple[int | None, int, int]:
    """How many pods there should be, how many have the present template, and how many are available."""
    status = mapping(workload.get("status"))
    generation = mapping(workload.get("metadata")).get("generation")
    if number(status.get("observedGeneration")) < number(generation):
        return None, 0, 0
    if workload.get("kind") == "DaemonSet":
        return (
            number(status.get("desiredNumberScheduled")),
            number(status.get("updatedNumberScheduled")),
            number(status.get("numberAvailable")),
        )
    updated = number(status.get("updatedReplicas"))
    if number(status.get("replicas")) > updated:
        updated = 0  # old pods are still there
    wanted = mapping(workload.get("spec")).get("replicas", 1)
    return number(wanted), updated, number(status.get("availableReplicas"))


def _ready(pod: Document) -> tuple[str, int] | None:
    """What the present run of a pod that is ready is known by; None for others."""
    if not is_ready(pod):
        return None
    containers = mappings(mapping(pod.get("status")).get("containerStatuses"))
    if not all(mapping(container.get("state")).get("running") is not None for container in containers):
        return None
    uid = text(mapping(pod.get("metadata")).get("uid")) or text(mapping(pod.get("metadata")).get("name"))
    return uid, sum(number(one.get("restartCount")) for one in containers)


def _failures(pod: Document) -> Iterator[str]:
    """The containers that fail to start, without their messages, which may quote the cloud.conf."""
    status = mapping(pod.get("status"))
    name = text(mapping(pod.get("metadata")).get("name"))
    for one in (*mappings(status.get("initContainerStatuses")), *mappings(status.get("containerStatuses"))):
        reason = text(mapping(mapping(one.get("state")).get("waiting")).get("reason"))
        if reason in _FAILING:
            ended = mapping(mapping(one.get("lastState")).get("terminated")).get("exitCode")
            how = f", ended with exit code {ended}" if isinstance(ended, int) else ""
            yield f"pod {name}: container {text(one.get('name'))} is in {reason}{how}"


def _deadline(workload: Document) -> str:
    conditions = mappings(mapping(workload.get("status")).get("conditions"))
    exceeded = any(condition.get("reason") == "ProgressDeadlineExceeded" for condition in conditions)
    return "the progress deadline of the Deployment is exceeded" if exceeded else ""
