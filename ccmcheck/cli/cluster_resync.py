"""``ccmcheck cluster resync``: shows or triggers the sync of Services whose load balancers differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.cli import confirmation, console
from ccmcheck.cli.cluster_access import opened_for_writing
from ccmcheck.cli.cluster_octavia import OS_CLOUD, open_both
from ccmcheck.cli.given import Declared, flag
from ccmcheck.cli.output import resolve_outputs, written_as
from ccmcheck.cli.running import declared_with

if TYPE_CHECKING:
    from ccmcheck.cluster.access.audit import AuditLog
    from ccmcheck.cluster.live.snapshot import Snapshot
    from ccmcheck.cluster.octavia.resync import ResyncReport

LEFT, FAILED = 1, 3
FORMATS = ("text", "markdown", "json")


class ResyncArguments(confirmation.WritingArguments):
    """The arguments of ``resync``."""

    services: Declared[tuple[str, ...]] = Declared((), nargs=-1)
    is_all = flag()


@declared_with(
    ResyncArguments,
    "cluster resync",
    "services is_all write check yes audit_log ACCESS NAMESPACES os_cloud releases quiet OUTPUTS",
    formats=FORMATS,
    says={
        "write": "Trigger the syncs, after a confirmation.",
        "os_cloud": OS_CLOUD,
        "releases": "the release of the CCM's image",
    },
)
def command(arguments: ResyncArguments) -> int:
    """Show or trigger the sync of Services whose load balancers differ from what the CCM would make.

    The CCM has no periodic sync. This shows for each Service what the next sync corrects and what it does not. With
    --write it asks, and then writes the annotation ccmcheck.dev/resync with the time: any change of annotations
    triggers a sync. What no sync corrects is listed with what does. Needs pip install '.[cluster,octavia]'.

    Exit code: 0, also where a sync would correct something; 1 something is left that no sync corrects, with --check
    if a sync would correct anything, or nobody confirmed; 2 wrong use; 3 something could not be read or written.
    """
    from ccmcheck.cli.resolve import target_releases
    from ccmcheck.cluster.octavia import resync as forms
    from ccmcheck.cluster.octavia.resync import ResyncReport, plans
    from ccmcheck.redact.report import redact_report

    _check_use(arguments)
    outputs = resolve_outputs(arguments, FORMATS)
    judged = target_releases(arguments.releases, None, ()) if arguments.releases else ()
    with confirmation.audit_log("cluster resync", arguments.audit_log, tell=True) as audit:
        both = open_both(arguments.access, arguments.namespaces, arguments.os_cloud)
        octavia = both.compare(judged, both.snapshot.facts)
        titles = {service.title: service.uid for _, service in both.reader.services}
        found_plans = tuple(plans(arguments.services, octavia.balancers, titles))
        failures = (*both.snapshot.failures, *octavia.failures)
        report = redact_report(
            ResyncReport(both.snapshot.identity, octavia.line, found_plans, failures), both.snapshot.conf_texts
        )
        outputs.write_painted(lambda form: written_as(form, forms, report, closing=_closing(arguments, report)))
        _warn(arguments, report, both.snapshot)
        code = FAILED if failures else LEFT if report.is_left or (arguments.check and report.triggered) else 0
        if not (arguments.write and report.triggered):
            return code
        if not arguments.yes and not confirmation.confirmed(f"Trigger a sync of {_services(report)}", report.identity):
            return max(code, confirmation.DECLINED)
        audit.cluster = report.identity.uid
        return max(code, _write(arguments, audit, report, titles))


def _check_use(arguments: ResyncArguments) -> None:
    """Refuse options that contradict each other.

    Raises:
        WrongUse: They do.
    """
    if bool(arguments.services) == arguments.is_all:
        raise WrongUse("name Services as NAMESPACE/NAME, or write --all")
    with_write = {"--yes": arguments.yes, "--audit-log": arguments.audit_log is not None}
    confirmation.check_writing(with_write, write=arguments.write, check=arguments.check)
    if arguments.write and not arguments.yes:
        confirmation.refuse_if_nobody_can_confirm()


def _closing(arguments: ResyncArguments, report: ResyncReport) -> str:
    """The summary line; empty where none is wanted."""
    if arguments.quiet:
        return ""
    if not report.triggered:
        return "No sync corrects anything here." if report.is_left else "There is nothing to correct."
    hint = "" if arguments.write else "  Trigger it with --write."
    order = (
        " The CCM syncs them one after the other, in no fixed order, and waits for each load balancer to be ACTIVE."
        if len(report.triggered) > 1
        else ""
    )
    return f"A sync of {_services(report)} corrects this.{order}{hint}"


def _warn(arguments: ResyncArguments, report: ResyncReport, snapshot: Snapshot) -> None:
    """Say what could not be read, and which text a sync follows."""
    from ccmcheck.cluster.live.restart import OLD, known

    for failure in report.failures:
        console.warn(f"{failure.path}: {failure.message}")
    if not arguments.quiet and any(known(config).use == OLD for config in snapshot.configs):
        console.warn(
            "the CCM runs on an older cloud.conf, which a sync follows; a restart syncs every Service by the new one"
        )


def _write(arguments: ResyncArguments, audit: AuditLog, report: ResyncReport, uids: dict[str, str]) -> int:
    """Trigger the syncs, and return the exit code."""
    from ccmcheck.cluster.access.errors import ApiError
    from ccmcheck.cluster.octavia.resync import trigger

    failed = False
    # the context that was read: the kubeconfig's current one may be another by now
    access = arguments.access._replace(context=report.identity.context)
    with opened_for_writing(access, audit) as (writer, _):
        for plan in report.triggered:
            try:
                trigger(writer, plan.title, uids[plan.title])
            except ApiError as error:
                failed = True
                console.warn(f"Service {plan.title}: no sync was triggered: {error.message}")
    if not arguments.quiet:
        console.warn("`ccmcheck cluster lint --octavia` shows what the CCM made of it.")
    return FAILED if failed or audit.failed else 0


def _services(report: ResyncReport) -> str:
    plans = report.triggered
    return f"Service {plans[0].title}" if len(plans) == 1 else f"{len(plans)} Services"
