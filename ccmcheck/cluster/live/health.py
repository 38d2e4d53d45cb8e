"""Whether the CCM runs: the state of its pods, what ended them, the lease of its leader, the last words of its log.

What the pods say is read already; the lease and the log are further rights, without which they stay unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import mapping, mappings, moment, moment_text, number, text
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.access.messages import Messages
from ccmcheck.cluster.access.transport import Document, Transport, items
from ccmcheck.cluster.core import ccm_flags, lazy_regex, live_records
from ccmcheck.cluster.live.arguments import command_line
from ccmcheck.cluster.live.ccm import Ccm, name_of

_RECENT = timedelta(hours=1)
_MANY = 3
"""Restarts after which a container that ended lately counts as one that does not stay."""
_STALE = timedelta(minutes=5)
"""A lease is renewed every few seconds; clocks may differ by some."""
_MOST_PODS = 3
_TAIL = {"tailLines": "200", "limitBytes": str(128 * 1024)}
_MOST_BYTES = 256 * 1024
_WORD = lazy_regex(r"[A-Za-z]{1,64}")
_SAYS_WRONG = lazy_regex(r"^(?!.{0,99} FLAG: --).*?(?:[EF]\d{4} |panic:|rror|ailed|fatal)")
_STOPS_WORK = lazy_regex(
    r"^(?!I\d{4} ).*?(?:is forbidden: User|x509:|nauthorized|no such host|error retrieving resource lock)"
)
"""What a CCM that runs says where it cannot do its work; what it says at its start of its flags is none of it."""
_LEASES = "leases"
_NOT_MADE = "FailedCreate"


def of_pods(ccm: Ccm, now: datetime) -> live_records.LiveCcm:
    """What a workload and its pods say.

    Args:
        ccm: The workload.
        now: The time.
    """
    status = mapping(ccm.object.get("status"))
    alive = [pod for pod in ccm.own if not mapping(pod.get("metadata")).get("deletionTimestamp")]
    states = [(pod, _stopped(pod, ccm.container, now)) for pod in alive if not _is_left_over(pod, alive)]
    running = sum(state is None or state.runs for _, state in states)
    if not ccm.own:  # as where pods may not be read
        running = number(status.get("numberAvailable")) or number(status.get("availableReplicas"))
    flags = command_line(ccm.object)
    elects = flags is None or ccm_flags.effective("leader-elect", flags.flags.get("leader-elect")) is not False
    return live_records.LiveCcm(
        ccm.file.subject,
        _wanted(ccm, len(states)),
        running,
        moment_text(min(ccm.starts)) if ccm.starts else "",
        tuple(state for _, state in states if state is not None),
        _why(ccm.object) if not running else "",
        ccm.waits,
        running > 1 and not elects,
    )


class Looker:
    """Asks for what the pods do not say.

    Args:
        transport: Asks the API server.
        messages: Says what may be shown of a log.
        now: The time.
    """

    def __init__(self, transport: Transport, messages: Messages, now: datetime | None = None) -> None:
        self._transport = transport
        self._messages = messages
        self._now = now or datetime.now(UTC)

    def look(self, ccm: Ccm, *, closely: bool) -> live_records.LiveCcm:
        """How a workload is.

        Args:
            ccm: The workload.
            closely: Whether to read the log of one that runs, too.
        """
        health = of_pods(ccm, self._now)
        if health.running and not health.alone:
            health = health._replace(lease=self._lease(ccm))
        if not (health.running or health.stopped or health.why) and health.wanted:
            health = health._replace(why=self._not_made(ccm))
        if health.stopped or closely:
            log, unread = self._log(ccm, health)
            health = health._replace(log=log, unread=unread)
        return health

    def _not_made(self, ccm: Ccm) -> str:
        """Why no pod of a workload is made, as its last event says; a DaemonSet has no condition about it."""
        kind, title = ccm.file.subject.split(" ", 1)
        about = ",".join(
            f"involvedObject.{field}={value}"
            for field, value in zip(("kind", "namespace", "name"), (kind, *title.split("/", 1)), strict=True)
        )
        try:
            events = list(items(self._transport, requests.EVENTS.path, {"fieldSelector": about}))
        except ApiError:
            return ""
        failed = [event for event in events if event.get("reason") == _NOT_MADE]
        last = max(failed, key=lambda event: text(event.get("lastTimestamp")), default={})
        return f"no pod can be made: {self._messages.shown(text(last.get('message')))}" if last else ""

    def _lease(self, ccm: Ccm) -> str:
        flags = command_line(ccm.object)
        given = flags.flags if flags is not None else {}
        if ccm_flags.shown("leader-elect-resource-lock", given.get("leader-elect-resource-lock")) not in ("", _LEASES):
            return ""
        name = given.get("leader-elect-resource-name", requests.LEASE.name)
        namespace = given.get("leader-elect-resource-namespace", requests.LEASE.namespace)
        try:
            lease = self._transport.get(requests.LEASE._replace(namespace=namespace, name=name).path)
        except ApiError:
            return ""
        spec = mapping(lease.get("spec"))
        renewed, holder = moment(spec.get("renewTime")), text(spec.get("holderIdentity"))
        if renewed is None or self._now - renewed < _STALE:
            return ""
        who = f" by {self._messages.shown(holder)}" if holder else ""
        return f"lease {namespace}/{name} was last renewed at {moment_text(renewed)}{who}"

    def _log(self, ccm: Ccm, health: live_records.LiveCcm) -> tuple[str, str]:
        """The last line that says what is wrong, and why there is none."""
        stopped = {pod.name: pod for pod in health.stopped}
        unread = ""
        for name in sorted(ccm.pods, key=lambda name: name not in stopped)[:_MOST_PODS]:
            pod = stopped.get(name)
            if pod is not None and not (pod.ended or pod.runs):
                continue  # it never ran
            query = {"container": ccm.container, **_TAIL}
            query |= {"previous": "true"} if pod is not None else {"sinceSeconds": str(int(_RECENT.total_seconds()))}
            request = requests.LOGS._replace(namespace=ccm.pod.namespace, name=name)
            try:
                lines = self._transport.text(request.path, query, most_bytes=_MOST_BYTES).splitlines()
            except ApiError as error:
                unread = error.message
                continue
            wrong = _SAYS_WRONG if pod is not None else _STOPS_WORK
            found = next((line for line in reversed(lines) if wrong.search(line)), "")
            if not found and pod is not None:
                found = next((line for line in reversed(lines) if line.strip()), "")
            if found:
                return self._messages.shown(found), ""
        return "", unread


def _stopped(pod: Document, container: str, now: datetime) -> live_records.StoppedPod | None:
    """How a pod fails; None for one that runs."""
    status = mapping(pod.get("status"))
    name = name_of(pod)
    one = next((one for one in mappings(status.get("containerStatuses")) if one.get("name") == container), None)
    if one is None:
        reason = _unscheduled(status)
        return live_records.StoppedPod(name, reason) if reason else None
    state, last = mapping(one.get("state")), mapping(mapping(one.get("lastState")).get("terminated"))
    restarts = number(one.get("restartCount"))
    for kind in ("waiting", "terminated"):
        if isinstance(state.get(kind), dict):
            ended = state[kind] if kind == "terminated" else last
            reason = _word(state[kind].get("reason")) or kind.capitalize()
            if reason == "ContainerCreating" and not restarts and not _is_old(pod, now):
                return None
            return live_records.StoppedPod(name, reason, restarts, _ended(ended))
    finished = moment(last.get("finishedAt"))
    if restarts >= _MANY and finished is not None and now - finished < _RECENT:
        return live_records.StoppedPod(name, _word(last.get("reason")) or "Error", restarts, _ended(last), runs=True)
    return None


def _is_old(pod: Document, now: datetime) -> bool:
    created = moment(mapping(pod.get("metadata")).get("creationTimestamp"))
    return created is not None and now - created > _STALE


def _unscheduled(status: Mapping[str, object]) -> str:
    """Why no container of a pod was made yet; empty where that is not known to be wrong."""
    for condition in mappings(status.get("conditions")):
        if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
            return _word(condition.get("reason")) or "Unschedulable"
    return _word(status.get("reason")) or "Failed" if status.get("phase") == "Failed" else ""


def _is_left_over(pod: Document, pods: list[Document]) -> bool:
    """Whether a pod was evicted or ended, and another one took its place."""
    return mapping(pod.get("status")).get("phase") in ("Failed", "Succeeded") and len(pods) > 1


def _ended(terminated: Mapping[str, object]) -> str:
    code, finished = terminated.get("exitCode"), moment(terminated.get("finishedAt"))
    if not isinstance(code, int):
        return ""
    reason = _word(terminated.get("reason"))
    return (
        f"exit code {code}" + (f" ({reason})" if reason else "") + (f" at {moment_text(finished)}" if finished else "")
    )


def _wanted(ccm: Ccm, pods: int) -> int | None:
    """How many pods there should be."""
    spec, status = mapping(ccm.object.get("spec")), mapping(ccm.object.get("status"))
    kind = ccm.object.get("kind")
    if kind == "Pod":
        return pods
    wanted = status.get("desiredNumberScheduled") if kind == "DaemonSet" else spec.get("replicas", 1)
    if wanted is None:
        return pods or None
    return number(wanted) if status or ccm.own or wanted == 0 else None


def _why(workload: Document) -> str:
    """Why a workload has no pods, in words of Kubernetes' conditions."""
    status = mapping(workload.get("status"))
    if mapping(workload.get("spec")).get("replicas") == 0:
        return "it is scaled to 0"
    if workload.get("kind") == "DaemonSet" and status.get("desiredNumberScheduled") == 0:
        return "no node has its labels, or it tolerates no node's taints"
    for condition in mappings(status.get("conditions")):
        if condition.get("type") == "ReplicaFailure" and condition.get("status") == "True":
            return f"no pod can be made ({_word(condition.get('reason')) or 'ReplicaFailure'})"
    return ""


def _word(value: object) -> str:
    word = text(value)
    return word if _WORD.fullmatch(word) else ""
