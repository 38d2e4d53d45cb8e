"""``ccmcheck cluster report``: the findings of ``cluster lint`` as Report objects, printed or written to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.cli import console
from ccmcheck.cli.cluster_access import PLACE, judging, opened_for_writing
from ccmcheck.cli.cluster_lint import lint
from ccmcheck.cli.confirmation import WritingArguments, check_writing
from ccmcheck.cli.confirmation import audit_log as audited
from ccmcheck.cli.lint import FOUND, UNREADABLE
from ccmcheck.cli.resolve import resolve_inputs
from ccmcheck.cli.running import declared_with
from ccmcheck.report import REPORTERS

if TYPE_CHECKING:
    from ccmcheck.base.result import LintResult
    from ccmcheck.cluster.access.audit import AuditLog

_SWITCHED = "Was the kubeconfig changed meanwhile? Run this again."


@declared_with(
    WritingArguments,
    "cluster report",
    "ACCESS write audit_log NAMESPACES select ignore baseline no_suppress JUDGING CONFIG fail_on jobs quiet "
    "verbose OUTPUTS",
    formats=REPORTERS,
    says={
        **judging(),
        "write": "Write the Reports to the cluster, and remove those without findings.",
        "formats": "openreports, with --write text",
    },
)
def command(arguments: WritingArguments) -> int:
    """Print the findings of cluster lint as Report objects of openreports.io, one in each namespace with findings.

    With --write they are written to the cluster by server-side apply; this alone changes anything. Reports that say
    the same already are not sent, those of ccmcheck without findings are removed, and those of others are left alone.
    Findings at or above --fail-on (default: warning) are `fail`, others `warn`. `cluster rbac --for report` prints
    the rights.

    Exit code: 0, also where there are findings, 2 wrong use, 3 something could not be read or written.
    """
    check_writing({"--audit-log": arguments.audit_log is not None}, write=arguments.write)
    formats = arguments.formats or ("text" if arguments.write else "openreports",)
    results: list[LintResult] = []
    code = lint(arguments.but(formats=formats), look=results.append)
    if code == FOUND:
        code = 0
    if arguments.write:
        with audited("cluster report", arguments.audit_log) as audit:
            code = max(code, _write(arguments, results[0], audit))
            code = max(code, UNREADABLE) if audit.failed else code
    return code


def _write(arguments: WritingArguments, result: LintResult, audit: AuditLog) -> int:
    """Write the reports, say what was done, and return the exit code.

    Raises:
        CcmcheckError: The cluster cannot be opened, or its reports cannot be listed.
    """
    from ccmcheck.cluster.access.errors import ApiError
    from ccmcheck.cluster.live.reports import write_reports
    from ccmcheck.cluster.live.snapshot import ClusterReader
    from ccmcheck.report.reports import reports

    fail_on = arguments.fail_on or resolve_inputs(arguments.inputs, (PLACE,)).run.fail_on or Severity.WARNING
    # the context that was read: the kubeconfig's current one may be another by now
    with opened_for_writing(arguments.access._replace(context=result.summary.context), audit) as opened:
        writer, context = opened
        identity = ClusterReader(writer, context).identity()
        if identity.line != result.summary.header:
            raise ApiError("this is another cluster than the one that was read: no Report is written", _SWITCHED)
        audit.cluster = identity.uid
        wanted = reports(result, fail_on=fail_on, root="")
        written = write_reports(writer, wanted, is_partial=bool(result.failures))
    for failure in written.failures:
        console.warn(" ".join(filter(None, (f"{failure.path}: {failure.message}.", failure.hint))))
    if not arguments.quiet:
        console.warn(written.line)
    return UNREADABLE if written.failures else 0
