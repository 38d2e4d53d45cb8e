"""Answers whether create-monitor should be on, for ``explain create-monitor`` and ``review --question``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.budget import worked_off
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.cloud import remarks
from ccmcheck.cli.input_files import candidates, deployments_of, look, refuse_two_readers
from ccmcheck.cli.options import Given

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.base.result import Failure
    from ccmcheck.cli.resolve import CommandInputs
    from ccmcheck.predict.verdicts.matrix_row import Demands
    from ccmcheck.review.create_monitor.answer import Asked
    from ccmcheck.review.create_monitor.records import QuestionPage
    from ccmcheck.workspace.deployment.record import Deployment
    from ccmcheck.workspace.survey import Survey

CREATE_MONITOR = "create-monitor"

_MOST_FAULTS = 3
"""Of one Service that are named."""


class Answered(NamedTuple):
    """What there is to say.

    Attributes:
        pages: One for each release.
        failures: What could not be read.
    """

    pages: tuple[QuestionPage, ...]
    failures: tuple[Failure, ...]


def has_input(arguments: Given) -> bool:
    """Whether any option says something about a cluster.

    Args:
        arguments: The options.
    """
    return not arguments.cloud.is_empty or arguments.assumes


def answered(
    arguments: Given,
    cloud_config: str | None,
    paths: Sequence[str],
    release_names: Sequence[str],
    inputs: CommandInputs,
    names: Sequence[str] = (),
) -> Answered:
    """Answer the question for the files.

    Args:
        arguments: The options.
        cloud_config: ``--cloud-config``.
        paths: Files, folders, patterns, ``-``.
        release_names: ``--release``, each.
        inputs: How and which files are read.
        names: ``--deployment``, each.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    refuse_two_readers(cloud_config, paths)
    survey = look(paths, inputs, release_names)
    chosen = candidates(cloud_config, names, survey, inputs, release_names)
    pages = worked_off(
        (
            answered_for(deployment, survey, arguments)
            for deployment in deployments_of(survey, chosen, inputs, release_names, lambda _: arguments.cloud)
        ),
        "the question was not answered for all deployments",
    )
    return Answered(tuple(pages), tuple(survey.failures))


def answered_for(deployment: Deployment, survey: Survey, arguments: Given) -> QuestionPage:
    """Answer the question for one cloud.conf, at one release.

    Args:
        deployment: The cloud.conf and what lies around it.
        survey: What all files hold.
        arguments: The options.
    """
    from ccmcheck.redact.report import redact_report
    from ccmcheck.review.create_monitor.answer import JudgedConfig, answer

    gathered = deployment.gathered
    notes = remarks(arguments.cloud, gathered)
    if deployment.config.carried is None:
        notes.append(survey.no_config(config=deployment.config))
    asked = tuple(_asked(survey, deployment, notes))
    if not asked:
        notes.append("no Service of type LoadBalancer can be judged: a TCP Service of each policy is assumed")
    options = deployment.options()
    each = tuple(one for one in deployment.options_of_each() if one.release == options.release)
    config = JudgedConfig(options, deployment.config.title, deployment.judged.source, each)
    return redact_report(
        answer(config, asked, deployment.cloud, _demands(arguments), notes), survey.texts(deployment.config)
    )


def _asked(survey: Survey, deployment: Deployment, notes: list[str]) -> Iterator[Asked]:
    from ccmcheck.carriers.base import SERVICE_ANNOTATIONS
    from ccmcheck.review.create_monitor.answer import Asked

    paths = {id(found): path for path, found in survey.objects}
    kubernetes = deployment.cloud.facts.kubernetes_version
    listed = deployment.gathered.services
    patches: dict[str, list[str]] = {found.service.title: [] for found in listed if found.service.ports}
    for found in listed:
        if not found.service.ports and found.service.title in patches:
            patches[found.service.title].append(paths[id(found.object)])
    # patches of kustomizations whose base is not all here name no namespace
    alone = [(path, found.name) for path, found in survey.objects if found.kind == SERVICE_ANNOTATIONS]
    for title, places in patches.items():
        places += [path for path, name in alone if name == title.rpartition("/")[2]]
        if places:
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            notes.append(f"Service {title} is not judged: {places[0]}{more} patch it where nothing here can be built")
    for service_object in listed:
        service = service_object.service
        if patches.get(service.title):
            continue
        refused = next((fault for fault in service.faults if fault.refuses(kubernetes)), None)
        if refused is not None:
            notes.append(f"Kubernetes refuses Service {service.title}: {refused.text}")
            continue
        held = [fault for fault in service.faults if fault.holds(kubernetes) is not False]
        notes += [f"Service {service.title}: {fault.text}" for fault in held[:_MOST_FAULTS]]
        if len(held) > _MOST_FAULTS:
            notes.append(f"Service {service.title}: {len(held) - _MOST_FAULTS} more, which lint reports")
        yield Asked(service, paths[id(service_object.object)], service_object.line)


def _demands(given: Given) -> Demands:
    from ccmcheck.predict.verdicts.matrix_row import Demands

    is_changing = None if given.stable_node_set is None else not given.stable_node_set
    found = Demands(given.client_ip, given.strict_mtls, is_changing)
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
        from ccmcheck.report.records import dumped_lines
        from ccmcheck.review.create_monitor.json_form import VERSION, as_data, walk_data

        shown = [(as_data if whole else walk_data)(page) for page in pages]
        document = shown[0] if len(shown) == 1 else {"version": VERSION, "releases": shown}
        yield dumped_lines(document)
    elif form == "html":
        from ccmcheck.review.page.writing import question_page

        yield question_page(*pages)
    else:
        from ccmcheck.cli import console
        from ccmcheck.review.create_monitor.report import as_lines

        width = min(console.width() or console.DEFAULT_WIDTH, 120)
        for number, page in enumerate(pages):
            yield "\n" * (bool(number) and form == "text")
            above = pages[0] if number else None
            yield from (f"{line}\n" for line in as_lines(page, form, width, whole=whole, verbose=verbose, first=above))
