"""Writes what ``cluster fix`` showed: confirmation, dry runs, backup, patches, restart, the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.result import Failure
from ccmcheck.cli import console
from ccmcheck.cli.confirmation import DECLINED, confirmed
from ccmcheck.cluster.access.audit import About
from ccmcheck.cluster.access.documents import version_of
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.fixing.rollout import Altered, Restart, RestartedWorkload, Roller, patch, try_out, workload_of
from ccmcheck.cluster.fixing.rollout import write as write_change
from ccmcheck.cluster.live.ccm import Ccm, config_place
from ccmcheck.cluster.live.restart import OLD, known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.cli.cluster_fix_arguments import ClusterFixArguments
    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.access.writing import Writer
    from ccmcheck.cluster.fixing.plan import FixedObject, FixPlan

FAILED = 3


class FixWriter:
    """Writes changes, restarts what reads them, and goes back where that fails.

    Args:
        arguments: The options.
        writer: Asks the API server.
        plan: What would be written.

    Attributes:
        failures: What went wrong, each said on stderr as it happened.
        written: The changes that the cluster holds by their objects, and each object as it was right after.
        restarted: The workloads whose new pods run.
    """

    def __init__(self, arguments: ClusterFixArguments, writer: Writer, plan: FixPlan) -> None:
        self.failures: list[Failure] = []
        self.written: dict[str, tuple[FixedObject, Document]] = {}
        self.restarted: list[str] = []
        self._given = arguments
        self._writer = writer
        self._plan = plan

    def write(self) -> int:
        """Write the changes that may be written, and restart the CCM where that is asked for; the exit code."""
        arguments, plan = self._given, self._plan
        changes = [change for change in plan.changes if not _is_refused(arguments, change)]
        restarted = _workloads(plan, changes) if arguments.restart else []
        if not changes and not restarted:
            return FAILED if plan.changes or (arguments.restart and self._not_restarted(())) else 0
        if not arguments.yes and not confirmed(_question(changes, restarted), plan.snapshot.identity):
            return DECLINED
        accepted = [change for change in changes if self._tried(try_out, change) is not None]
        if arguments.backup is not None and accepted:
            from ccmcheck.cluster.fixing.backup import backup

            console.replace_file(arguments.backup, backup(one.object for one in accepted), private=True)
        for change in accepted:
            if (after := self._tried(write_change, change)) is not None:
                self.written[change.subject] = change, after
        wanted = len(plan.changes)
        if not arguments.quiet and wanted:
            console.warn(f"{len(self.written)} of {wanted} object{'' if wanted == 1 else 's'} written.")
        code = FAILED if len(self.written) < wanted else 0
        if arguments.restart:
            written = [change for change, _ in self.written.values()]
            code = max(code, self._not_restarted(written))
            for workload in _workloads(plan, written):
                if self._restart(workload):
                    return FAILED  # what the others read may have been put back
        return code

    def _fail(self, subject: str, message: str, hint: str = "") -> None:
        self.failures.append(Failure(subject, message, hint))
        console.warn(f"{subject} {message}." + (f" {hint}" if hint else ""))

    def _tried(self, act: Callable[[Writer, FixedObject], Document], change: FixedObject) -> Document | None:
        """What the API server made of a change, as a dry run or for good; None where it did not."""
        try:
            return act(self._writer, change)
        except ApiError as error:
            done = "" if isinstance(error, Altered) else "is not written: "
            self._fail(change.subject, f"{done}{error.message}", error.hint)
            return None

    def _not_restarted(self, written: Sequence[FixedObject]) -> int:
        """Name the CCMs that stay as they are, and why; the exit code."""
        code = 0
        for ccm in _concerned(self._plan, written):
            config, why, hint = _config_of(ccm), "", ""
            if config in self._plan.fatal:
                why = f"the CCM would stop at the text of {config} as it is now"
            elif workload_of(ccm) is None:
                why, hint = "no DaemonSet or Deployment makes it", "Restart it on its node."
            if why:
                self._fail(ccm.file.subject, f"is not restarted: {why}", hint)
                code = FAILED
        return code

    def _restart(self, workload: RestartedWorkload) -> int:
        """Restart one workload, wait for it, and go back where it fails; the exit code."""
        roller = Roller(self._writer, workload, self._given.restart_timeout)
        try:
            restart = roller.restart()
        except ApiError as error:
            self._fail(workload.subject, f"is not restarted: {error.message}", error.hint)
            return FAILED
        try:
            failure = roller.wait(restart.stamp)
        except KeyboardInterrupt:
            console.warn(f"{workload.subject} is being restarted; nobody waits for it any more.")
            _say_how_to_go_back(self._given, workload)
            raise
        if not failure:
            console.warn(f"{workload.subject} was restarted, and its new pods run.")
            self.restarted.append(workload.subject)
            return 0
        self._fail(workload.subject, f"was restarted, and its new pods do not run: {failure}")
        self._roll_back(roller, workload, restart)
        return FAILED

    def _roll_back(self, roller: Roller, workload: RestartedWorkload, restart: Restart) -> None:
        """Put the texts before back, unless somebody changed them since, then the pods' template."""
        for change, after in [*self.written.values()]:
            back = _inverse(change.patch, change.object)
            try:
                patch(self._writer, change.request, back, version_of(after), About(keys=change.keys))
            except ApiError as error:
                self._fail(change.subject, f"was not put back: {error.message}", error.hint)
            else:
                del self.written[change.subject]
        try:
            roller.undo(restart)
        except ApiError as error:
            self._fail(workload.subject, f"was not put back: {error.message}", error.hint)
            return
        failure = roller.wait(restart.before)
        if failure:
            self._fail(workload.subject, f"was put back, and its pods do not run: {failure}")
        else:
            console.warn(f"Everything was put back, and the pods of {workload.subject} run.")


def _is_refused(arguments: ClusterFixArguments, change: FixedObject) -> bool:
    return change.is_immutable or (bool(change.verdict.refused) and not arguments.take_ownership)


def _question(changes: Sequence[FixedObject], restarted: Sequence[RestartedWorkload]) -> str:
    objects = ", ".join(change.subject for change in changes)
    workloads = ", ".join(workload.subject for workload in restarted)
    wanted = " and ".join([f"write {objects}"] * bool(objects) + [f"restart {workloads}"] * bool(workloads))
    return f"{wanted[0].upper()}{wanted[1:]}"


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


def _say_how_to_go_back(arguments: ClusterFixArguments, workload: RestartedWorkload) -> None:
    console.warn(f"Put the text before back: kubectl replace -f {arguments.backup}")
    console.warn(f"Put the pods back: kubectl -n {workload.request.namespace} rollout undo {workload.name}")


def _inverse(patch_: Document, before: Document) -> Document:
    """The merge patch that makes of an object what it was."""
    found: Document = {}
    for key, value in patch_.items():
        was = before.get(key)
        found[key] = _inverse(value, was) if isinstance(value, dict) and isinstance(was, dict) else was
    return found
