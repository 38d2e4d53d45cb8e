"""``ccmcheck cluster fix``: show or write the smallest change of live objects that corrects what lint reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import PLACE, judging, opened, opened_for_writing, read_named
from ccmcheck.cli.cluster_fix_arguments import ClusterFixArguments, check_use
from ccmcheck.cli.confirmation import audit_log
from ccmcheck.cli.resolve import CommandInputs, resolve_inputs
from ccmcheck.cli.run_options import ConfiguredOptions, Live, run_options
from ccmcheck.cli.running import declared_with

if TYPE_CHECKING:
    from ccmcheck.cli.cluster_fix_output import ClusterFixOutput
    from ccmcheck.cluster.access.transport import Transport
    from ccmcheck.cluster.fixing.plan import FixPlan, WantedFixes
    from ccmcheck.cluster.live.snapshot import Snapshot

WOULD_CHANGE, FAILED = 1, 3
FORMATS = ("text", "json")


@declared_with(
    ClusterFixArguments,
    "cluster fix",
    "ACCESS NAMESPACES write check yes unsafe take_ownership backup restart restart_timeout audit_log select ignore "
    "JUDGING CONFIG formats color quiet",
    formats=FORMATS,
    says={
        **judging(profile="Also set what this profile requires; repeatable."),
        "write": "Change the objects, after a confirmation.",
    },
)
def command(arguments: ClusterFixArguments) -> int:
    """Show or write the smallest change of live objects that corrects what cluster lint reports.

    Changes the Secret or ConfigMap with the cloud.conf, and Services. Without --write nothing but GET is sent, and a
    diff is shown, decoded and with secrets masked. What Helm, a GitOps program or server-side apply owns is not
    written, as it would come back: the owner is named, and where to fix it.

    Exit code: 0, also where something would change; 1 with --check if anything would, or nobody confirmed; 2 wrong
    use; 3 something could not be read or written, or the new pods do not run.
    """
    check_use(arguments)
    inputs = resolve_inputs(arguments.inputs, (PLACE,))
    ConfiguredOptions(arguments, inputs, only_fixes=True)(PLACE)  # wrong options are named before anything is asked
    access = arguments.access
    if not arguments.write:
        with opened(access) as (transport, context):
            output, _, code = _show(arguments, inputs, transport, context)
            output.close()
            return code
    from ccmcheck.cli.cluster_fix_write import FixWriter

    with (
        audit_log("cluster fix", arguments.audit_log, tell=True) as audit,
        opened_for_writing(access, audit) as (writer, context),
    ):
        output, plan, code = _show(arguments, inputs, writer, context)
        audit.cluster = plan.snapshot.identity.uid
        fix_writer = FixWriter(arguments, writer, plan)
        try:
            code = max(code, fix_writer.write())
        finally:  # whoever stops the wait for a restart learns what is written by then
            output.close(fix_writer)
        return max(code, FAILED) if audit.failed else code


def _show(
    arguments: ClusterFixArguments, inputs: CommandInputs, transport: Transport, context: str
) -> tuple[ClusterFixOutput, FixPlan, int]:
    """Show the differences of all objects, what else is to know of them, and the summary; with the exit code."""
    from ccmcheck.cli.cluster_fix_output import ClusterFixOutput
    from ccmcheck.cluster.fixing.plan import FixPlan, plan
    from ccmcheck.cluster.live.snapshot import ClusterReader

    snapshot = read_named(ClusterReader(transport, context, arguments.namespaces, keep=True))
    color = console.wants_color(arguments.color or inputs.run.color or "auto")
    output = ClusterFixOutput(arguments, snapshot, color=color)
    for planned in plan(snapshot, _wanted(arguments, inputs, snapshot)):
        output.add(planned)
    output.sum_up()
    code = FAILED if output.failures else WOULD_CHANGE if arguments.check and output.changes else 0
    return output, FixPlan(snapshot, tuple(output.changes), frozenset(output.fatal)), code


def _wanted(arguments: ClusterFixArguments, inputs: CommandInputs, snapshot: Snapshot) -> WantedFixes:
    """Which fixes are made, and what looks through the objects."""
    from ccmcheck.cluster.fixing.plan import WantedFixes
    from ccmcheck.cluster.live.lint import live_options
    from ccmcheck.fix.step import PROFILE
    from ccmcheck.lint.texts import survey_texts
    from ccmcheck.policy.profiles.contradictions import refuse_contradictions
    from ccmcheck.rules import GROUP_OF

    options_of = ConfiguredOptions(arguments, inputs, only_fixes=True, live=Live(snapshot.facts, snapshot.judged))
    of_place = options_of(PLACE)
    run = run_options(arguments, inputs, options_of)._replace(options_of=lambda _: of_place)
    texts = {file.path: file.text.encode() for file in snapshot.files}
    survey = survey_texts(texts, live_options(snapshot, run), snapshot.pod_owners)
    if arguments.profiles or arguments.unsafe:
        refuse_contradictions(of_place.requirements)

    def is_made(rule: str) -> bool:
        # a guess about the login would take a CCM down that works
        return of_place.fixes(rule) and not (arguments.unsafe and GROUP_OF.get(rule) == "auth")

    return WantedFixes(survey.linters, is_made, (PROFILE,) if arguments.profiles else (), arguments.unsafe)
