"""Writes what ``cluster fix`` showed: confirmation, dry runs, backup, patches, restart, the way back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ccmcheck.base.result import Failure
from ccmcheck.cli import console
from ccmcheck.cluster.ccm import config_place
from ccmcheck.cluster.documents import mapping, text
from ccmcheck.cluster.errors import ApiError
from ccmcheck.cluster.fixing.rollout import Restart, Roller, Workload, workload_of
from ccmcheck.cluster.fixing.write import Written, patch, try_out, user_of
from ccmcheck.cluster.fixing.write import write as write_change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.cli.cluster_fix_arguments import ClusterFixArguments
    from ccmcheck.cluster.fixing.plan import Change
    from ccmcheck.cluster.snapshot import Snapshot
    from ccmcheck.cluster.transport import Document
    from ccmcheck.cluster.writing import Writer

DECLINED, FAILED = 1, 3


class Done:
    """A change that was written.

    Args:
        change: The change.
        after: The object as it was right after.
    """

    def __init__(self, change: Change, after: Document) -> None:
        self.change = change
        self.after = after


def write(arguments: ClusterFixArguments, writer: Writer, snapshot: Snapshot, shown: Sequence[Change]) -> int:
    """Write the changes that may be written; the exit code."""
    refused = [one for one in shown if _is_refused(arguments, one)]
    changes = [one for one in shown if not _is_refused(arguments, one)]
    code = FAILED if refused else 0
    if not changes:
        return code
    restarted = _workloads(snapshot, changes) if arguments.restart else []
    if not arguments.yes and not _confirmed(snapshot, changes, restarted):
        console.warn("Nothing was written.")
        return DECLINED
    accepted = [one for one in changes if _is_accepted(writer, one)]
    if not accepted:
        return FAILED
    if arguments.backup is not None:
        from ccmcheck.cluster.fixing.backup import backup

        console.replace_file(arguments.backup, backup(one.object for one in accepted), private=True)
    user = user_of(writer)
    done = [found for one in accepted if (found := _write(writer, one, user)) is not None]
    if len(done) < len(changes):
        code = FAILED
    written = [one.change for one in done]
    if arguments.restart:
        for workload in _workloads(snapshot, written):
            code = max(code, _restart(arguments, writer, workload, done, user))
        code = max(code, _without_workload(snapshot, written))
    return code


def _is_refused(arguments: ClusterFixArguments, change: Change) -> bool:
    return change.is_immutable or (bool(change.verdict.refused) and not arguments.take_ownership)


def _confirmed(snapshot: Snapshot, changes: Sequence[Change], restarted: Sequence[Workload]) -> bool:
    objects = ", ".join(change.subject for change in changes)
    restart = f" and restart {', '.join(one.subject for one in restarted)}" if restarted else ""
    where = f"context {snapshot.identity.context}" if snapshot.identity.context else snapshot.identity.server
    return click.confirm(f"Write {objects}{restart} ({where})?", default=False, err=True)


def _is_accepted(writer: Writer, change: Change) -> bool:
    """Whether the API server accepts a change as a dry run."""
    try:
        try_out(writer, change)
    except ApiError as error:
        _fail(Failure(change.subject, f"is not written: {error.message}", error.hint))
        return False
    return True


def _write(writer: Writer, change: Change, user: str) -> Done | None:
    try:
        written, after = write_change(writer, change, user, _now)
    except ApiError as error:
        _fail(Failure(change.subject, f"is not written: {error.message}", error.hint))
        return None
    console.warn(written.line)
    return Done(change, after)


def _fail(failure: Failure) -> None:
    console.warn(f"{failure.path} {failure.message}" + (f". {failure.hint}" if failure.hint else ""))


def _workloads(snapshot: Snapshot, changes: Sequence[Change]) -> list[Workload]:
    """The workloads of the CCMs that read an object that changes."""
    subjects = {change.subject for change in changes}
    found: dict[str, Workload] = {}
    for ccm in snapshot.ccms:
        place = config_place(ccm.pod)
        workload = workload_of(ccm)
        if workload is not None and f"{place.kind} {ccm.pod.namespace}/{place.name}" in subjects:
            found[workload.subject] = workload
    return list(found.values())


def _without_workload(snapshot: Snapshot, changes: Sequence[Change]) -> int:
    """Name the CCMs that nothing but their nodes can restart."""
    subjects = {change.subject for change in changes}
    code = 0
    for ccm in snapshot.ccms:
        place = config_place(ccm.pod)
        if workload_of(ccm) is None and f"{place.kind} {ccm.pod.namespace}/{place.name}" in subjects:
            console.warn(
                f"{ccm.file.subject} is not restarted: no DaemonSet or Deployment makes it. Restart it on its node."
            )
            code = FAILED
    return code


def _restart(
    arguments: ClusterFixArguments, writer: Writer, workload: Workload, done: Sequence[Done], user: str
) -> int:
    """Restart one workload, wait for it, and go back where it fails; the exit code."""
    fatal = [one.change.subject for one in done if one.change.still_fatal]
    if fatal:
        console.warn(f"{workload.subject} is not restarted: the CCM would stop at the text of {fatal[0]} as it is now.")
        return FAILED
    roller = Roller(writer, workload, arguments.timeout)
    try:
        restart = roller.restart()
    except ApiError as error:
        _fail(Failure(workload.subject, f"is not restarted: {error.message}", error.hint))
        return FAILED
    _log_restart(workload, restart.workload, restart.after, user)
    try:
        failure = roller.wait(restart.stamp)
    except KeyboardInterrupt:
        console.warn(f"{workload.subject} is being restarted; nobody waits for it any more.")
        _say_how_to_go_back(arguments, workload)
        raise
    if not failure:
        console.warn(f"{workload.subject} was restarted, and its new pods run.")
        return 0
    console.warn(f"{workload.subject} was restarted, and its new pods do not run: {failure}.")
    if arguments.rollback_on_failure:
        _roll_back(writer, roller, workload, restart, done, user)
    else:
        _say_how_to_go_back(arguments, workload)
    return FAILED


def _say_how_to_go_back(arguments: ClusterFixArguments, workload: Workload) -> None:
    if arguments.backup is None:
        console.warn("The text before was not kept, which --backup FILE does.")
    else:
        console.warn(f"Put the text before back: kubectl replace -f {arguments.backup}")
    console.warn(f"Put the pods back: kubectl -n {workload.request.namespace} rollout undo {workload.name}")


def _roll_back(
    writer: Writer, roller: Roller, workload: Workload, restart: Restart, done: Sequence[Done], user: str
) -> None:
    """Put the texts before back, unless somebody changed them since, then the pods' template."""
    for one in done:
        change = one.change
        back = _inverse(change.patch, change.object)
        try:
            after = patch(writer, change.request, back, _version(one.after))
        except ApiError as error:
            _fail(Failure(change.subject, f"was not put back: {error.message}", error.hint))
            continue
        fields = (*change.fields, *change.keys)
        console.warn(Written(_now(), user, change.subject, _version(one.after), _version(after), fields).line)
    try:
        after = roller.undo(restart)
    except ApiError as error:
        _fail(Failure(workload.subject, f"was not put back: {error.message}", error.hint))
        return
    _log_restart(workload, restart.after, after, user)
    failure = roller.wait(restart.before)
    if failure:
        console.warn(f"{workload.subject} was put back, and its pods do not run: {failure}.")
    else:
        console.warn(f"Everything was put back, and the pods of {workload.subject} run.")


def _inverse(patch_: Document, before: Document) -> Document:
    """The merge patch that makes of an object what it was."""
    found: Document = {}
    for key, value in patch_.items():
        was = before.get(key)
        found[key] = _inverse(value, was) if isinstance(value, dict) and isinstance(was, dict) else was
    return found


def _log_restart(workload: Workload, before: Document, after: Document, user: str) -> None:
    field = 'spec.template.metadata.annotations["kubectl.kubernetes.io/restartedAt"]'
    console.warn(Written(_now(), user, workload.subject, _version(before), _version(after), (field,)).line)


def _version(obj: Document) -> str:
    return text(mapping(obj.get("metadata")).get("resourceVersion"))


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
