"""``ccmcheck review``: what a change does to running Services, before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.cli import console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.create_monitor import CREATE_MONITOR, answered, answered_for
from ccmcheck.cli.create_monitor import written as question_written
from ccmcheck.cli.review_sides import sides
from ccmcheck.cli.running import FOUND, UNREADABLE, CommandRun, declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cli.options import Given
    from ccmcheck.cli.resolve import CommandInputs
    from ccmcheck.review.change.records import Review
    from ccmcheck.review.create_monitor.records import QuestionPage

FORMATS = ("text", "markdown", "json", "html")


@declared(
    "review",
    "paths revisions service_paths question cloud_config config_from deployments releases old new ASSUMPTIONS CLOUD "
    "INPUTS fail_on quiet verbose OUTPUTS",
    formats=FORMATS,
    says={"paths": "[BASE HEAD | PATH...]"},
)
def command(run: CommandRun) -> int:
    """Report what a change does to running Services, before it is made.

    BASE and HEAD are two files or two folders with a cloud.conf, in any carrier, and Services; or --git names two
    revisions of a repository. --question create-monitor answers for PATH... whether monitors should be on there, and
    why they are off by default; --cloud-config is for it.

    Exit code: 0 nothing at or above --fail-on (default: error, something stops working; warning: gets worse; info: any
    change), 1 something, 2 wrong use, 3 a file could not be read.
    """
    from ccmcheck.review.change.compare import left_out
    from ccmcheck.review.change.compare import review as compare

    run.paths = run.given.paths
    inputs, outputs = run.inputs, run.outputs
    given = run.given.but(cloud=resolve_cloud(run.given.cloud, inputs.shared))
    if given.question is None and (given.cloud_config is not None or given.assumes):
        raise WrongUse(
            "--cloud-config and what the matrix asks for go with --question", f"Add --question {CREATE_MONITOR}."
        )
    if given.question is not None and not _is_change(given, inputs):
        return _answer(run, given)
    before, after = sides(given, inputs)
    comparison = compare(before, after)
    pages: tuple[QuestionPage, ...] = ()
    if given.question is not None:
        if "html" in outputs.formats:
            raise WrongUse("a page shows the review or the answer, not both", "Leave out --question, or BASE.")
        pages = tuple(answered_for(deployment, after.survey, given) for deployment in after.deployments)
    run.write(lambda form: written(comparison, form, "review", pages, verbose=given.verbose, quiet=given.quiet))
    for note in left_out(before, after):  # "nothing changes" alone would pass for a verdict on it
        console.warn(note)
    for side in (before, after):
        for failure in side.survey.failures:
            console.warn(f"{side.name}: {failure.place}: {failure.message}")
    if after.survey.failures:
        return UNREADABLE
    fail_on = given.fail_on or Severity.ERROR
    return FOUND if comparison.worst is not None and comparison.worst >= fail_on else 0


def _is_change(arguments: Given, inputs: CommandInputs) -> bool:
    """Whether the paths are BASE and HEAD: each of the two holds a cloud.conf, and no other is named."""
    if arguments.revisions is not None:
        return True
    if len(arguments.paths) != 2 or arguments.cloud_config is not None:
        return False
    from ccmcheck.workspace.gathering import survey_path

    return all(survey_path(path, inputs.find, inputs.discover).ccm_confs for path in arguments.paths)


def _answer(run: CommandRun, arguments: Given) -> int:
    """Answer the question for the files as they are."""
    paths = (*arguments.paths, *arguments.service_paths)
    releases = (arguments.new,) if arguments.new is not None else arguments.releases
    answer = answered(arguments, arguments.cloud_config, paths, releases, run.inputs, arguments.deployments)
    run.write(lambda form: question_written(answer.pages, form, arguments.verbose, whole=True))
    return run.ended(answer.failures)


def written(
    found: Review, form: str, command: str, pages: tuple[QuestionPage, ...] = (), *, verbose: int, quiet: bool
) -> Iterator[str]:
    """A review in one form, in pieces.

    Args:
        found: The review.
        form: Its name.
        command: ``review`` or ``upgrade``, for the title.
        pages: The answers to a question that was asked, too.
        verbose: How much.
        quiet: Whether the summary, the errors and the warnings are all.
    """
    if form == "json":
        from ccmcheck.report.records import dumped_lines
        from ccmcheck.review.change.json_form import as_data

        document = as_data(found)
        if pages:
            from ccmcheck.review.create_monitor.json_form import as_data as question_data

            document["questions"] = [question_data(page) for page in pages]
        yield dumped_lines(document)
        return
    if form == "html":
        from ccmcheck.review.page.writing import review_page

        yield review_page(found, command)
        return
    from ccmcheck.review.change.report import as_markdown, as_text

    lines = (
        as_markdown(found, command, verbose=verbose, quiet=quiet)
        if form == "markdown"
        else as_text(found, verbose=verbose, quiet=quiet)
    )
    yield from (f"{line}\n" for line in lines)
    if pages:
        yield "\n"
        yield from question_written(pages, form, verbose, whole=True)
