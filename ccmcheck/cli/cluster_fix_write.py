"""Writes what ``cluster fix`` showed: confirmation, dry runs, backup, patches, restart, the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.result import Failure
from ccmcheck.cli import console
from ccmcheck.cli.confirmation import DECLINED, confirmed
from ccmcheck.cluster.access.audit import About
from ccmcheck.cluster.access.documents import version_of
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.fixing.rollout import Restart, RestartedWorkload, Roller, workload_of
from ccmcheck.cluster.fixing.write import Altered, patch, try_out
from ccmcheck.cluster.fixing.write import write as write_change
from ccmcheck.cluster.live.ccm import Ccm, config_place
from ccmcheck.cluster.live.restart import OLD, known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.cli.cluster_fix_arguments import ClusterFixArguments
    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.access.writing import Writer
    from ccmcheck.cluster.fixing.plan import FixedObject, FixPlan

FAILED = 3


class Done:
    """A change that was written.

    Args:
        change: The change.
        after: The object as it was right after.
    """

    def __init__(self, change: FixedObject, after: Document) -> None:
        self.change = change
        self.after = after


def write(arguments: ClusterFixArguments, writer: Writer, plan: FixPlan) -> int:
    """Write the changes that may be written, and restart the CCM where that is asked for; the exit code."""
    changes = [change for change in plan.changes if not _is_refused(arguments, change)]
    restarted = _workloads(plan, changes) if arguments.restart else []
    if not changes and not restarted:
        return FAILED if plan.changes or (arguments.restart and _not_restarted(plan, ())) else 0
    if not arguments.yes and not confirmed(_question(changes, restarted), plan.snapshot.identity):
        return DECLINED
    accepted = [fixed_object for fixed_object in changes if _is_accepted(writer, fixed_object)]
    if arguments.backup is not None and accepted:
        from ccmcheck.cluster.fixing.backup import backup

        console.replace_file(arguments.backup, backup(one.object for one in accepted), private=True)
    done = [found for one in accepted if (found := _write(writer, one)) is not None]
    wanted = len(plan.changes)
    if not arguments.quiet and wanted:
        console.warn(f"{len(done)} of {wanted} object{'' if wanted == 1 else 's'} written.")
    code = FAILED if len(done) < wanted else 0
    if arguments.restart:
        written = [one.change for one in done]
        code = max(code, _not_restarted(plan, written))
        for workload in _workloads(plan, written):
            if _restart(arguments, writer, workload, done):
                return FAILED  # what the others read may have been put back
    return code


def _is_refused(arguments: ClusterFixArguments, change: FixedObject) -> bool:
    return change.is_immutable or (bool(change.verdict.refused) and not arguments.take_ownership)


def _question(changes: Sequence[FixedObject], restarted: Sequence[RestartedWorkload]) -> str:
    objects = ", ".join(change.subject for change in changes)
    workloads = ", ".join(workload.subject for workload in restarted)
    wanted = " and ".join([f"write {objects}"] * bool(objects) + [f"restart {workloads}"] * bool(workloads))
    return f"{wanted[0].upper()}{wanted[1:]}"


def _is_accepted(writer: Writer, change: FixedObject) -> bool:
    """Whether the API server accepts a change as a dry run."""
    try:
        try_out(writer, change)
    except ApiError as error:
        _fail(Failure(change.subject, f"is not written: {error.message}", error.hint))
        return False
    return True


def _write(writer: Writer, change: FixedObject) -> Done | None:
    try:
        return Done(change, write_change(writer, change))
    except Altered as error:
        _fail(Failure(change.subject, error.message, error.hint))
    except ApiError as error:
        _fail(Failure(change.subject, f"is not written: {error.message}", error.hint))
    return None


def _fail(failure: Failure) -> None:
    console.warn(f"{failure.path} {failure.message}" + (f". {failure.hint}" if failure.hint else ""))


def _workloads(plan: FixPlan, written: Sequence[FixedObject]) -> list[RestartedWorkload]:
    """The workloads of the CCMs that read what is written, or that use an older text than the object holds.

    A CCM is not restarted into a text at which it stops, nor into one whose fix is not written.
    """
    found: dict[str, RestartedWorkload] = {}
    for ccm in _concerned(plan, written):
        workload = workload_of(ccm)
        if workload is not None and _config_of(ccm) not in plan.fatal:
            found[workload.subject] = workload
    return list(found.values())


def _concerned(plan: FixPlan, written: Sequence[FixedObject]) -> Iterator[Ccm]:
    changed, all_changes = ({change.subject for change in some} for some in (written, plan.changes))
    old = {config.file.subject for config in plan.snapshot.configs if known(config).use == OLD}
    for ccm in plan.snapshot.ccms:
        if _config_of(ccm) in changed | (old - all_changes):
            yield ccm


def _config_of(ccm: Ccm) -> str:
    """The object that a CCM reads its cloud.conf from, as people call it."""
    place = config_place(ccm.pod)
    return f"{place.kind} {ccm.pod.namespace}/{place.name}"


def _not_restarted(plan: FixPlan, written: Sequence[FixedObject]) -> int:
    """Name the CCMs that stay as they are, and why; the exit code."""
    code = 0
    for ccm in _concerned(plan, written):
        subject, config = ccm.file.subject, _config_of(ccm)
        if config in plan.fatal:
            console.warn(f"{subject} is not restarted: the CCM would stop at the text of {config} as it is now.")
            code = FAILED
        elif workload_of(ccm) is None:
            console.warn(f"{subject} is not restarted: no DaemonSet or Deployment makes it. Restart it on its node.")
            code = FAILED
    return code


def _restart(arguments: ClusterFixArguments, writer: Writer, workload: RestartedWorkload, done: Sequence[Done]) -> int:
    """Restart one workload, wait for it, and go back where it fails; the exit code."""
    roller = Roller(writer, workload, arguments.restart_timeout)
    try:
        restart = roller.restart()
    except ApiError as error:
        _fail(Failure(workload.subject, f"is not restarted: {error.message}", error.hint))
        return FAILED
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
    _roll_back(writer, roller, workload, restart, done)
    return FAILED


def _say_how_to_go_back(arguments: ClusterFixArguments, workload: RestartedWorkload) -> None:
    console.warn(f"Put the text before back: kubectl replace -f {arguments.backup}")
    console.warn(f"Put the pods back: kubectl -n {workload.request.namespace} rollout undo {workload.name}")


def _roll_back(
    writer: Writer, roller: Roller, workload: RestartedWorkload, restart: Restart, done: Sequence[Done]
) -> None:
    """Put the texts before back, unless somebody changed them since, then the pods' template."""
    for one in done:
        change = one.change
        back = _inverse(change.patch, change.object)
        try:
            patch(writer, change.request, back, version_of(one.after), About(keys=change.keys))
        except ApiError as error:
            _fail(Failure(change.subject, f"was not put back: {error.message}", error.hint))
    try:
        roller.undo(restart)
    except ApiError as error:
        _fail(Failure(workload.subject, f"was not put back: {error.message}", error.hint))
        return
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
