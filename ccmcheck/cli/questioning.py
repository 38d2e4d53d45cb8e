"""From arguments to the answered question, for ``explain create-monitor`` and ``review --question create-monitor``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.cloud_options import CloudArguments, check_cloud, cluster_of, remarks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.base.result import Failure
    from ccmcheck.predict.inputs.manifests import Manifests
    from ccmcheck.predict.verdicts.matrix_row import Demands
    from ccmcheck.review.change.inputs import Cluster
    from ccmcheck.review.create_monitor.answer import Asked
    from ccmcheck.review.create_monitor.records import QuestionPage
    from ccmcheck.workspace.survey import Survey

Command = TypeVar("Command", bound="Callable[..., Any]")

CREATE_MONITOR = "create-monitor"


class QuestionArguments(Protocol):
    """What the options give; see `demand_options` and `ccmcheck.cli.cloud_options`."""

    @property
    def cloud(self) -> CloudArguments: ...  # noqa: D102 - named as the options are
    @property
    def client_ip(self) -> bool | None: ...  # noqa: D102
    @property
    def strict_mtls(self) -> bool | None: ...  # noqa: D102
    @property
    def stable_node_set(self) -> bool | None: ...  # noqa: D102
    @property
    def probe_budget(self) -> float | None: ...  # noqa: D102
    @property
    def variables(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def env_files(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def template(self) -> bool | None: ...  # noqa: D102
    @property
    def max_size(self) -> int | None: ...  # noqa: D102


class Answered(NamedTuple):
    """What there is to say.

    Attributes:
        pages: One for each release.
        failures: What could not be read.
    """

    pages: tuple[QuestionPage, ...]
    failures: tuple[Failure, ...]


def _no_nan(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is no number of probes.", context, option)
    return value


def demand_options(command: Command) -> Command:
    """``--client-ip`` … ``--probe-budget``: what no file says and the matrix asks for."""
    for option in reversed(
        (
            click.option(
                "--client-ip/--no-client-ip", default=None, help="Whether the pods need the client's address."
            ),
            click.option(
                "--strict-mtls/--no-strict-mtls",
                default=None,
                help="Whether the backends take a connection amiss that is no TLS.",
            ),
            click.option(
                "--stable-node-set/--no-stable-node-set",
                default=None,
                help="The CCM's feature gate StableLoadBalancerNodeSet, which 1.27 to 1.29 can switch off.",
            ),
            click.option(
                "--probe-budget",
                type=click.FloatRange(0, min_open=True),
                callback=_no_nan,
                metavar="N",
                help="Probes a second that one load balancer may send. Default: 100.",
            ),
        )
    ):
        command = option(command)
    return command


def has_demands(given: QuestionArguments) -> bool:
    """Whether any of the options above is given.

    Args:
        given: What was typed.
    """
    return any(
        one is not None for one in (given.client_ip, given.strict_mtls, given.stable_node_set, given.probe_budget)
    )


def has_input(given: QuestionArguments) -> bool:
    """Whether any option says something about a cluster.

    Args:
        given: What was typed.
    """
    return not given.cloud.is_empty or has_demands(given)


def answered(
    given: QuestionArguments, config_file: str | None, paths: Sequence[str], releases: Sequence[str]
) -> Answered:
    """Answer the question for the files.

    Args:
        given: The options.
        config_file: ``--config``.
        paths: Files, folders, patterns, ``-``.
        releases: ``--release``, each.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    from ccmcheck.carriers import FindOptions
    from ccmcheck.cli.options import variables
    from ccmcheck.cli.predicting import configs, look
    from ccmcheck.cli.predicting import releases as judged_releases
    from ccmcheck.review.change.inputs import Cluster
    from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE

    if config_file == "-" and "-" in paths:
        raise WrongUse("standard input is either the cloud.conf or the Services, not both")
    check_cloud(given.cloud)
    max_size = given.max_size or DEFAULT_MAX_SIZE
    options = FindOptions(variables=variables(given.variables, given.env_files, {}), template=given.template)
    survey = look(paths, options, None, max_size)
    gathered, cloud = cluster_of(given.cloud, [found for _, found in survey.objects], survey.workloads)
    pages = tuple(
        answered_for(Cluster(config, judged, gathered, cloud), survey, given)
        for config in configs(config_file, survey, options, max_size)
        for judged in judged_releases(config, releases, survey.workloads)
    )
    return Answered(pages, tuple(survey.failures))


def answered_for(cluster: Cluster, survey: Survey, given: QuestionArguments) -> QuestionPage:
    """Answer the question for one cloud.conf, at one release.

    Args:
        cluster: The cloud.conf and what lies around it.
        survey: What all files hold.
        given: The options.
    """
    from ccmcheck.carriers.base import Bundle
    from ccmcheck.redact.report import redact_report
    from ccmcheck.review.create_monitor.answer import JudgedConfig, answer
    from ccmcheck.workspace.survey import options_at

    gathered = cluster.gathered
    notes = remarks(given.cloud, gathered)
    if cluster.config.carried is None:
        notes.append("there is no cloud.conf: the release's defaults stand in")
    asked = tuple(_asked(survey, gathered, notes))
    if not asked:
        notes.append("there is no Service of type LoadBalancer: one TCP Service of either policy stands for any")
    options = options_at(cluster.config, cluster.judged, Bundle(facts=cluster.cloud.facts))
    config = JudgedConfig(options, cluster.config.title, cluster.judged.source)
    return redact_report(answer(config, asked, cluster.cloud, _demands(given), notes), survey.texts(cluster.config))


def _asked(survey: Survey, gathered: Manifests, notes: list[str]) -> Iterator[Asked]:
    from ccmcheck.review.create_monitor.answer import Asked

    paths = {id(found): path for path, found in survey.objects}
    for met in gathered.services:
        service = met.service
        if service.faults:
            notes.append(f"Kubernetes refuses Service {service.title}: {service.faults[0].text}")
            continue
        yield Asked(service, paths[id(met.found)], met.line)


def _demands(given: QuestionArguments) -> Demands:
    from ccmcheck.predict.verdicts.matrix_row import Demands

    found = Demands(
        given.client_ip, given.strict_mtls, None if given.stable_node_set is None else not given.stable_node_set
    )
    return found if given.probe_budget is None else found._replace(budget=given.probe_budget)


def written(pages: Sequence[QuestionPage], form: str, verbose: int, *, whole: bool) -> Iterator[str]:
    """The pages in one form, in pieces.

    Args:
        pages: The pages.
        form: ``text``, ``markdown``, ``json`` or ``html``.
        verbose: How much.
        whole: True for the whole page, False for the walk through the matrix alone.
    """
    if form == "json":
        import json

        from ccmcheck.review.create_monitor.json_form import as_data, walk_data

        shown = [(as_data if whole else walk_data)(page) for page in pages]
        document = shown[0] if len(shown) == 1 else {"version": 1, "releases": shown}
        yield json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    elif form == "html":
        from ccmcheck.review.page.writing import question_page

        yield question_page(pages[0])
    elif form == "markdown":
        from ccmcheck.review.create_monitor.report import as_markdown

        for page in pages:
            yield from (f"{line}\n" for line in as_markdown(page, whole=whole, verbose=verbose))
    else:
        from ccmcheck.cli import console
        from ccmcheck.review.create_monitor.report import as_text

        width = min(console.width() or console.DEFAULT_WIDTH, 120)
        for number, page in enumerate(pages):
            lines = as_text(page, width, whole=whole, verbose=verbose)
            yield from (f"{line}\n" for line in (lines if not number else ("", *lines)))
