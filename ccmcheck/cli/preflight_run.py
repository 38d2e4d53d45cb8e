"""Logs in for ``cluster preflight`` and ``lint --os-cloud``, and asks OpenStack what the deployments of a run need."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from ccmcheck.base import result as lint_results
from ccmcheck.base.budget import worked_off
from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.escape import printable
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.cli import console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.confirmation import refuse_if_nobody_can_confirm
from ccmcheck.cli.input_files import candidates, configuration_of, deployments_of, look, no_cloud_conf
from ccmcheck.cluster.access.exchange import server_of
from ccmcheck.cluster.octavia.client import INSTALL, Login, is_installed, login_of
from ccmcheck.cluster.preflight.cloud import PreflightCheck, SavedCloud

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.base.result import LintResult
    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.cli.options import CloudArguments
    from ccmcheck.cli.running import CommandRun
    from ccmcheck.cluster.preflight.login import OpenedCloud
    from ccmcheck.cluster.preflight.report import PreflightReport
    from ccmcheck.cluster.preflight.run import PreflightNeeds
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.predict.records import Prediction
    from ccmcheck.workspace.deployment.build import Candidates
    from ccmcheck.workspace.deployment.record import Deployment
    from ccmcheck.workspace.survey import Survey, SurveyedConf

_NOBODY = "Write --yes, or name a cloud of your clouds.yaml with --os-cloud."


class Declined(Exception):
    """The answer to the question whether to log in is no."""


def preflight(run: CommandRun, *, os_cloud: str, confirmed: bool) -> tuple[tuple[PreflightReport, ...], Survey]:
    """Ask OpenStack for what each deployment among the files needs.

    Args:
        run: The command's run.
        os_cloud: ``--os-cloud``; empty for the credential of each cloud.conf.
        confirmed: Whether the user agrees to log in with that.

    Raises:
        CcmcheckError: Wrong use, no cloud.conf, or a clouds.yaml that cannot be used.
        Declined: The user does not agree.
    """
    from ccmcheck.redact.report import redact_report
    from ccmcheck.redact.run_secrets import hide_those_of

    if not is_installed():
        raise WrongUse("openstacksdk is not installed", INSTALL)
    survey = look(run.paths, run.inputs, run.given.releases)
    chosen = candidates(run.given.cloud_config, run.given.deployments, survey, run.inputs, run.given.releases)
    carried = [config.carried for config in chosen.selected if config.carried is not None]
    if not carried:
        raise no_cloud_conf(run.paths, survey, run.inputs)
    hide_those_of(conf.text for conf in carried)
    asked = _all_asked(run, survey, chosen)
    each = _Logins(os_cloud, confirmed=confirmed).reports(asked)
    reports = tuple(worked_off(each, "OpenStack was not asked for all deployments"))
    return redact_report(reports, survey.texts(*chosen.selected)), survey


def with_saved(run: CommandRun, result: LintResult) -> LintResult:
    """A result of lint, with what is wrong by files with answers of OpenStack; nothing is asked.

    Args:
        run: The command's run.
        result: What lint found.
    """
    from ccmcheck.cluster.preflight.report import PreflightReport
    from ccmcheck.redact.report import redact_report

    in_tree = run.given.consumer == IN_TREE
    asked = () if in_tree else run.given.releases  # those of the CCM
    survey = look(run.paths, run.inputs, asked)
    chosen = candidates(run.given.cloud_config, run.given.deployments, survey, run.inputs, asked)
    found = _deployments(run, survey, chosen, asked)
    each = (PreflightReport(one.name, "", tuple(checks_of_saved(one, in_tree=in_tree))) for one in found)
    reports = tuple(worked_off(each, "what OpenStack answered was not compared with all deployments"))
    return _with(result, redact_report(reports, survey.texts(*chosen.selected)))


def checks_of_saved(deployment: Deployment, *, in_tree: bool = False) -> Iterator[PreflightCheck]:
    """What is wrong with a deployment by the saved answers of its cloud.

    Args:
        deployment: The deployment.
        in_tree: Whether the provider inside Kubernetes reads the cloud.conf: then only what is named is looked for.
    """
    from ccmcheck.cluster.preflight.run import saved_checks

    carried = deployment.config.carried
    if carried is not None:
        yield from saved_checks(_asked(deployment, carried), SavedCloud(deployment.answers), only_named=in_tree)


def _with(result: LintResult, reports: Sequence[PreflightReport]) -> LintResult:
    """A result with the checks of all deployments, each with its name."""
    checks = tuple(
        lint_results.ClusterCheck(f"{report.name}: {check.about}" if len(reports) > 1 else check.about, *check[1:4])
        for report in reports
        for check in report.checks
    )
    return result._replace(summary=result.summary._replace(checks=checks))


def with_checks(run: CommandRun, result: LintResult) -> LintResult:
    """A result of lint, with what OpenStack says of the deployments; what could not be asked is a failure.

    Args:
        run: The command's run.
        result: What lint found.
    """
    reports, _ = preflight(run, os_cloud=run.given.os_cloud, confirmed=False)
    result = _with(result, reports)
    failures = [
        lint_results.Failure(f"OpenStack: {check.name}", check.text, check.hint)
        for check in result.summary.checks
        if check.passed is None
    ]
    return result._replace(failures=[*result.failures, *failures])


def _deployments(run: CommandRun, survey: Survey, chosen: Candidates, asked: Sequence[str]) -> list[Deployment]:
    def cloud_of(config: SurveyedConf) -> CloudArguments:
        return resolve_cloud(run.given.cloud, configuration_of(config, run.inputs))

    return deployments_of(survey, chosen, run.inputs, asked, cloud_of)


def _all_asked(run: CommandRun, survey: Survey, chosen: Candidates) -> list[PreflightNeeds]:
    return [
        _asked(deployment, deployment.config.carried)
        for deployment in _deployments(run, survey, chosen, run.given.releases)
        if deployment.config.carried is not None
    ]


def _asked(deployment: Deployment, carried: CarriedConf) -> PreflightNeeds:
    from ccmcheck.cluster.preflight.run import PreflightNeeds
    from ccmcheck.conf.view import CloudConf

    conf = CloudConf.read(carried, deployment.judged.release)
    services = tuple(service.service for service in deployment.gathered.services)
    options = deployment.options()
    makes_routes = any(pod.makes_routes for pod in deployment.workloads)
    predicted = partial(_predicted, options)
    return PreflightNeeds(deployment.name, conf, options, services, deployment.cloud, predicted, makes_routes)


def _predicted(
    options: Options, services: Sequence[Service], cloud: CloudState
) -> Iterator[tuple[Service, Prediction]]:
    """The predictions of Services one after the other, in a cloud that each changes for the next."""
    from ccmcheck.predict.pipeline import predict
    from ccmcheck.predict.project import Project

    project = Project(options, services, cloud)
    for service in services:
        yield service, project.take(service, predict(options, service, project.before(service)))


def _asked_at(login: Login) -> str:
    """The very URL that the credential goes to; empty where it goes nowhere, as the one that is named is none."""
    try:
        return login.keystone
    except InputError:
        return ""


class _Logins:
    """Logs in once for each credential.

    Args:
        os_cloud: ``--os-cloud``.
        confirmed: Whether the user agrees to log in with the credential of a cloud.conf.
    """

    def __init__(self, os_cloud: str, *, confirmed: bool) -> None:
        self._os_cloud = os_cloud
        self._confirmed = confirmed
        self._opened: list[tuple[Login, OpenedCloud]] = []

    def reports(self, asked: Sequence[PreflightNeeds]) -> Iterator[PreflightReport]:
        """One for each deployment."""
        from ccmcheck.cluster.preflight.login import login_of_conf

        own = login_of(self._os_cloud) if self._os_cloud else None
        logins = [own or login_of_conf(one.conf) for one in asked]
        if own is None:
            self._confirm([login for login in logins if not isinstance(login, PreflightCheck)])
        for needs, login in zip(asked, logins, strict=True):
            yield self._report(needs, login)

    def _report(self, needs: PreflightNeeds, login: Login | PreflightCheck) -> PreflightReport:
        from ccmcheck.cluster.preflight.report import PreflightReport
        from ccmcheck.cluster.preflight.run import checks

        name = needs.name
        if isinstance(login, PreflightCheck):
            return PreflightReport(name, "", (login,))
        opened = self._open(login)
        credential = (
            f"with cloud {login.name} of clouds.yaml" if login.name else "with the credential of the cloud.conf"
        )
        asked = checks(needs, opened.cloud) if opened.cloud is not None else ()
        found = [*opened.checks, *worked_off(asked, f"not everything was asked for {name}")]
        return PreflightReport(name, credential, tuple(found))

    def _open(self, login: Login) -> OpenedCloud:
        from ccmcheck.cluster.preflight.login import opened

        for known, there in self._opened:
            if known == login:
                return there
        self._opened.append((login, opened(login, is_own=not login.name)))
        return self._opened[-1][1]

    def _confirm(self, logins: Sequence[Login]) -> None:
        """Ask before the credential of a cloud.conf goes to the URL that the same cloud.conf names.

        Raises:
            WrongUse: Nobody can be asked.
            Declined: The answer is no.
        """
        servers = sorted({server_of(url) for login in logins if (url := _asked_at(login))})
        if self._confirmed or not servers:
            return
        refuse_if_nobody_can_confirm(_NOBODY)
        question = f"Log in to {', '.join(servers)} with the credential of the cloud.conf?"
        if not click.confirm(printable(question), default=False, err=True):
            console.warn("Nothing was asked.")
            raise Declined
