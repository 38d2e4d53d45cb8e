"""``ccmcheck cluster conformance``: tries load balancers on a running cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import confirmation, console
from ccmcheck.cli.cluster_access import opened_for_writing
from ccmcheck.cli.given import Declared, choice, flag, text, texts
from ccmcheck.cli.running import declared_with
from ccmcheck.cluster.conformance.cases import NAMES, USE_CASES, ChosenCase, choose
from ccmcheck.cluster.conformance.echo import IMAGE
from ccmcheck.cluster.conformance.forms import FORMATS, written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.cli.output import Outputs
    from ccmcheck.cluster.access.audit import AuditLog
    from ccmcheck.cluster.access.writing import Writer
    from ccmcheck.cluster.conformance.interrupts import Interrupted
    from ccmcheck.cluster.conformance.records import RunResult
    from ccmcheck.cluster.conformance.session import WaitLimits
    from ccmcheck.cluster.live.snapshot import ClusterIdentity

FAILED, INCOMPLETE = 1, 3
_MOST_PORT = 65_534


class ConformanceArguments(confirmation.WritingArguments):
    """The arguments of ``cluster conformance``."""

    use_case = choice(list(USE_CASES))
    case_names = texts()
    image = Declared(IMAGE)
    port = Declared(80, type=click.IntRange(1, _MOST_PORT))
    wait: Declared[float] = Declared(600, type=click.FloatRange(1))
    time_limit: Declared[float] = Declared(3600, type=click.FloatRange(1))
    cleanup = flag()
    run_id = text()


@declared_with(
    ConformanceArguments,
    "cluster conformance",
    "ACCESS use_case case_names image port wait time_limit cleanup run_id yes audit_log NAMESPACES quiet OUTPUTS",
    formats=FORMATS,
    says={"case_names": ", ".join(NAMES), "image": IMAGE},
)
def command(arguments: ConformanceArguments) -> int:
    """Try load balancers on a running cluster: creates Services, whose load balancers cost money, and removes them.

    Each case gets a workload and a Service of its own, in a namespace of the run: the Service must get an address, and
    requests from here must be answered. A failure names the step and what ccmcheck predicts for the Service by the
    live cloud.conf. Local cases fail as information unless they are asked for by --use-case local or --case.
    Everything is removed at the end, also after Ctrl-C.

    Exit code: 0 every case passed, 1 one failed or nobody confirmed, 2 wrong use, 3 it could not run, or something
    could not be removed; with --format scs 0 unless it could not run.
    """
    from ccmcheck.cluster.conformance.interrupts import Interrupted

    with confirmation.audit_log("cluster conformance", arguments.audit_log) as audit:
        try:
            code = clean(arguments, audit) if arguments.cleanup else conformance(arguments, audit)
        except Interrupted as error:  # after the removal
            code = error.exit_code
        return max(code, INCOMPLETE) if audit.failed else code


def conformance(arguments: ConformanceArguments, audit: AuditLog) -> int:
    """Run the cases, report, and return the exit code.

    Args:
        arguments: What is asked for.
        audit: Gets every change.

    Raises:
        CcmcheckError: Wrong use, or an API server that does not answer.
    """
    from ccmcheck.cli.output import resolve_outputs
    from ccmcheck.cluster.access.errors import name_cluster
    from ccmcheck.cluster.conformance import prediction
    from ccmcheck.cluster.conformance.interrupts import Interrupts
    from ccmcheck.cluster.conformance.objects import RunPlace
    from ccmcheck.cluster.conformance.run import ConformanceRun, RunPlan
    from ccmcheck.cluster.conformance.session import Session, WaitLimits
    from ccmcheck.cluster.live.snapshot import ClusterReader

    if arguments.run_id is not None:
        raise WrongUse("--run-id goes with --cleanup", "Each run makes an ID of its own.")
    cases = choose(arguments.use_case or ("" if arguments.case_names else "both"), arguments.case_names)
    outputs = resolve_outputs(arguments, FORMATS)
    with opened_for_writing(arguments.access, audit) as (writer, context):
        reader = ClusterReader(writer, context, arguments.namespaces)
        with name_cluster(context, reader.server):
            identity = reader.identity()
        audit.cluster = identity.uid
        if not _confirmed(arguments, _question(cases), identity):
            return confirmation.DECLINED
        place = RunPlace(_new_id())
        say = _say(outputs, quiet=arguments.quiet)
        say(f"run {place.run_id}, namespace {place.namespace}")
        known = prediction.read(reader, writer, identity)
        plan = RunPlan(
            identity.line, cases, arguments.image, arguments.port, _command(arguments, context, place.run_id)
        )
        with Interrupts(say) as interrupts:
            session = Session(writer, place, WaitLimits(arguments.wait, arguments.time_limit))
            run = ConformanceRun(session, plan, known, interrupts, say)
            result = run.run()
    return _reported(outputs, result, run.interrupted)


def clean(arguments: ConformanceArguments, audit: AuditLog) -> int:
    """Remove what earlier runs left, and return the exit code.

    Args:
        arguments: What is asked for.
        audit: Gets every change.

    Raises:
        CcmcheckError: Wrong use, or an API server that does not answer.
    """
    from ccmcheck.base.escape import printable
    from ccmcheck.cluster.access.errors import name_cluster
    from ccmcheck.cluster.access.transport import items
    from ccmcheck.cluster.conformance import objects
    from ccmcheck.cluster.conformance.cleanup import leftovers
    from ccmcheck.cluster.conformance.interrupts import Interrupts
    from ccmcheck.cluster.conformance.session import WaitLimits
    from ccmcheck.cluster.live.snapshot import ClusterReader

    if arguments.case_names or arguments.use_case:
        raise WrongUse("--cleanup tries no case", "Leave out --case and --use-case.")
    with opened_for_writing(arguments.access, audit) as (writer, context):
        selector = objects.RUN_LABEL + (f"={arguments.run_id}" if arguments.run_id else "")
        with name_cluster(context, writer.server):
            identity = ClusterReader(writer, context).identity()
            runs = leftovers(items(writer, objects.NAMESPACES, {"labelSelector": selector}))
        audit.cluster = identity.uid
        if arguments.run_id:
            runs = [run for run in runs if run.run_id == arguments.run_id]
        console.write([f"{identity.line}\n"])
        if not runs:
            console.write(["There is nothing to remove\n"])
            return 0
        console.write(
            printable(f"Run {run.run_id} of {run.created}, namespace {objects.RunPlace(run.run_id).namespace}") + "\n"
            for run in runs
        )
        what = "This removes them with their load balancers; a run that is still going fails."
        if not _confirmed(arguments, what, identity):
            return confirmation.DECLINED
        with Interrupts(console.warn) as interrupts:
            interrupts.removing()
            limits = WaitLimits(arguments.wait, 2 * arguments.wait)
            left = [_removed(arguments, writer, context, run.run_id, limits) for run in runs]
    return INCOMPLETE if not all(left) else 0


def _removed(arguments: ConformanceArguments, writer: Writer, context: str, run_id: str, limits: WaitLimits) -> bool:
    """Remove one run, and say so."""
    from ccmcheck.base.escape import printable
    from ccmcheck.cluster.conformance.cleanup import remove
    from ccmcheck.cluster.conformance.forms.text import removal
    from ccmcheck.cluster.conformance.objects import RunPlace
    from ccmcheck.cluster.conformance.session import Session

    remains = remove(Session(writer, RunPlace(run_id), limits), _command(arguments, context, run_id))
    lines = removal(remains) if remains is not None else (f"Run {run_id} is removed",)
    console.write(f"{printable(line)}\n" for line in lines)
    return remains is None


def _question(cases: Sequence[ChosenCase]) -> str:
    names = ", ".join(chosen.case.name for chosen in cases)
    count = len(cases)
    what = "a load balancer" if count == 1 else f"{count} load balancers, one after another,"
    return f"This creates {what} and removes {'it' if count == 1 else 'them'} again ({names}). They cost money."


def _confirmed(arguments: ConformanceArguments, what: str, identity: ClusterIdentity) -> bool:
    """Whether ``--yes`` is given, or the answer to the question is yes.

    Raises:
        WrongUse: There is nobody to ask.
    """
    if arguments.yes:
        return True
    confirmation.refuse_if_nobody_can_confirm(f"{what} Write --yes.")
    click.echo(f"{identity.line}\n{what}", err=True)
    return confirmation.confirmed("Go on", identity)


def _new_id() -> str:
    """An ID that no other run has; it is no secret."""
    import secrets

    return secrets.token_hex(4)


def _command(arguments: ConformanceArguments, context: str, run_id: str) -> str:
    """What removes a run."""
    import shlex

    words = ["ccmcheck", "cluster", "conformance", "--cleanup", "--run-id", run_id]
    if arguments.access.in_cluster:
        words.append("--in-cluster")
    if arguments.access.kubeconfig:
        words += ["--kubeconfig", arguments.access.kubeconfig]
    if context:
        words += ["--context", context]
    return shlex.join(words)


def _say(outputs: Outputs, *, quiet: bool) -> Callable[[str], None]:
    """What tells the user how far it is, on stderr; a closed terminal must not keep anything from being removed."""
    from ccmcheck.base.escape import printable

    prefix = "INFO" if outputs.main.format == "scs" else "ccmcheck"

    def say(line: str) -> None:
        if not quiet:
            try:
                click.echo(f"{prefix}: {printable(line)}", err=True)
            except OSError:
                return

    return say


def _reported(outputs: Outputs, result: RunResult, interrupted: Interrupted | None) -> int:
    """Write the reports, and return the exit code."""
    from ccmcheck.cluster.conformance.forms.scs import log_lines
    from ccmcheck.cluster.conformance.records import CaseVerdict

    is_scs = outputs.main.format == "scs"
    if is_scs:
        for line in log_lines(result):
            click.echo(line, err=True)
    outputs.write_painted(lambda form: written(result, form))
    if interrupted is not None:
        return interrupted.exit_code
    if result.stopped or all(case.verdict is CaseVerdict.ABORT for case in result.cases):
        return INCOMPLETE
    if is_scs:
        return 0
    if result.remains is not None:
        return INCOMPLETE
    return FAILED if any(case.counts for case in result.cases) else 0
