"""``ccmcheck cluster preflight``: asks OpenStack, before anything is deployed, for what the CCM will need."""

from __future__ import annotations

from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.confirmation import DECLINED
from ccmcheck.cli.input_files import refuse_two_readers
from ccmcheck.cli.output import written_as
from ccmcheck.cli.running import FOUND, UNREADABLE, CommandRun, declared
from ccmcheck.workspace.config import NO_CONFIG

FORMATS = ("text", "markdown", "json")


@declared(
    "cluster preflight",
    "paths os_cloud agrees cloud_config deployments releases CLOUD INPUTS quiet verbose OUTPUTS",
    formats=FORMATS,
    says={"os_cloud": "the credential of the cloud.conf"},
)
def command(run: CommandRun) -> int:
    """Ask OpenStack, before anything is deployed, whether it has and allows what the CCM will need.

    Logs in, then asks for each endpoint, ID and name that the cloud.conf, its classes and the Services among the files
    name, whether they fit together, and whether Octavia and the quotas take what the CCM would ask for. Says what was
    asked and what to do. Nothing is changed. Needs pip install '.[cluster,octavia]'.

    Without --os-cloud the credential of the cloud.conf is sent to its own auth-url, after a question; --yes answers it.
    A credential of your own is never sent there.

    Exit code: 0 all passed, 1 something did not pass, 2 wrong use, 3 something could not be found out.
    """
    from ccmcheck.cli.preflight_run import Declined, preflight
    from ccmcheck.cluster.preflight import report

    arguments = run.given
    refuse_two_readers(arguments.cloud_config, arguments.paths)
    resolve_cloud(arguments.cloud, NO_CONFIG)  # what is wrong with the options is said before anything is asked
    _ = run.outputs
    try:
        reports, survey = preflight(run, os_cloud=arguments.os_cloud, confirmed=arguments.agrees)
    except Declined:
        return DECLINED
    options = {"quiet": arguments.quiet, "verbose": arguments.verbose}
    run.write(lambda form: written_as(form, report, reports, **options))
    run.ended(survey.failures)
    if any(one.is_bad for one in reports):
        return FOUND
    return UNREADABLE if survey.failures or any(one.is_partial for one in reports) else 0
