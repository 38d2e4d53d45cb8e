"""``ccmcheck review``: what a change does to running Services, before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.cloud import resolve_cloud
from ccmcheck.cli.cloud_arguments import AssumptionArguments, CloudArguments
from ccmcheck.cli.cloud_options import cloud_options
from ccmcheck.cli.command import Command, option, options
from ccmcheck.cli.create_monitor import (
    CREATE_MONITOR,
    answered,
    answered_for,
    assumption_options,
)
from ccmcheck.cli.create_monitor import written as question_written
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    CLOUD_CONFIG,
    CONFIG_FROM,
    DEPLOYMENT,
    FAIL_ON,
    FROM,
    QUIET,
    RELEASE,
    TO,
    VERBOSE,
    InputArguments,
    OutputArguments,
    input_options,
    output_options,
)
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import base_revision, resolve_inputs
from ccmcheck.cli.review_sides import sides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.cli.output import Outputs
    from ccmcheck.cli.resolve import Inputs
    from ccmcheck.review.change.records import Review
    from ccmcheck.review.create_monitor.records import QuestionPage

FOUND, UNREADABLE = 1, 3
FORMATS = ("text", "markdown", "json", "html")


@click.command(
    "review",
    cls=Command,
    short_help="Report what a change does to running Services, before it is made.",
    examples=(
        ("ccmcheck review old/ new/", "Two folders"),
        ("ccmcheck review --git main...HEAD --format markdown", "A branch, as a comment"),
        ("ccmcheck review --from 1.30 --to 1.36 clusters/ clusters/", "A new release of the CCM"),
        ("ccmcheck review --question create-monitor clusters/", "Whether create-monitor should be on"),
    ),
)
@click.argument("paths", nargs=-1, metavar="[BASE HEAD | PATH...]", shell_complete=complete_files)
@options(
    option(
        "--git",
        "revisions",
        metavar="REV..REV",
        help="Compare two revisions, below PATH; one revision alone is compared with the work tree.",
    ),
    option(
        "--services",
        "service_paths",
        multiple=True,
        metavar="PATH",
        shell_complete=complete_files,
        help="Manifests of Services, Nodes and workloads that are the same on both sides; a cloud.conf, too, where the "
        "sides have none.",
    ),
    option(
        "--question",
        type=click.Choice([CREATE_MONITOR]),
        help="Answer for PATH... whether create-monitor should be on there; with BASE HEAD or --git for HEAD, besides.",
    ),
    CLOUD_CONFIG,
    CONFIG_FROM,
    DEPLOYMENT,
    RELEASE,
    FROM,
    TO,
)
@assumption_options
@cloud_options
@input_options
@options(FAIL_ON, QUIET, VERBOSE)
@output_options(FORMATS)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what ReviewArguments declares
    """Report what a change does to running Services, before it is made.

    BASE and HEAD are two files or two folders with a cloud.conf, in any carrier, and Services; or --git names two
    revisions of a repository. --question create-monitor answers for PATH... whether monitors should be on there, and
    why they are off by default; --cloud-config is for it.

    Exit code: 0 nothing at or above --fail-on (default: error, something stops working; warning: gets worse; info: any
    change), 1 something, 2 wrong use, 3 a file could not be read.
    """
    return review(ReviewArguments(**values))


class ReviewArguments(NamedTuple):
    """The arguments of ``review``; see the options above."""

    paths: tuple[str, ...]
    revisions: str | None
    service_paths: tuple[str, ...]
    question: str | None
    cloud_config: str | None
    config_from: str | None
    deployments: tuple[str, ...]
    releases: tuple[str, ...]
    old: str | None
    new: str | None
    assumptions: AssumptionArguments
    cloud: CloudArguments
    inputs: InputArguments
    outputs: OutputArguments
    fail_on: Severity | None
    quiet: bool
    verbose: int


def review(arguments: ReviewArguments) -> int:
    """Compare, print, and return the exit code.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    with base_revision(arguments.paths, arguments.config_from) as base:
        return _review(arguments, resolve_inputs(arguments.inputs, arguments.paths, base))


def _review(arguments: ReviewArguments, inputs: Inputs) -> int:
    from ccmcheck.review.change.compare import left_out
    from ccmcheck.review.change.compare import review as compare

    outputs = resolve_outputs(arguments.outputs, FORMATS, configured_color=inputs.run.color)
    arguments = arguments._replace(cloud=resolve_cloud(arguments.cloud, inputs.shared))
    if arguments.question is None and not (arguments.cloud_config is None and arguments.assumptions.is_silent):
        raise WrongUse(
            "--cloud-config and what the matrix asks for go with --question", f"Add --question {CREATE_MONITOR}."
        )
    if arguments.question is not None and not _is_change(arguments, inputs):
        return _answer(arguments, outputs, inputs)
    before, after = sides(arguments, inputs)
    comparison = compare(before, after)
    pages: tuple[QuestionPage, ...] = ()
    if arguments.question is not None:
        if "html" in outputs.formats:
            raise WrongUse("a page shows the review or the answer, not both", "Leave out --question, or BASE.")
        pages = tuple(answered_for(one, after.survey, arguments) for one in after.deployments)
    outputs.write_painted(
        lambda form: written(comparison, form, "review", pages, verbose=arguments.verbose, quiet=arguments.quiet)
    )
    for note in left_out(before, after):  # "nothing changes" alone would pass for a verdict on it
        console.warn(note)
    for side in (before, after):
        for failure in side.survey.failures:
            console.warn(f"{side.name}: {failure.place}: {failure.message}")
    if after.survey.failures:
        return UNREADABLE
    fail_on = arguments.fail_on or Severity.ERROR
    return FOUND if comparison.worst is not None and comparison.worst >= fail_on else 0


def _is_change(arguments: ReviewArguments, inputs: Inputs) -> bool:
    """Whether the paths are BASE and HEAD: each of the two holds a cloud.conf, and no other is named."""
    if arguments.revisions is not None:
        return True
    if len(arguments.paths) != 2 or arguments.cloud_config is not None:
        return False
    from ccmcheck.workspace.gathering import survey_path

    return all(survey_path(path, inputs.find, inputs.discover).ccm_confs for path in arguments.paths)


def _answer(arguments: ReviewArguments, outputs: Outputs, inputs: Inputs) -> int:
    """Answer the question for the files as they are."""
    paths = (*arguments.paths, *arguments.service_paths)
    releases = (arguments.new,) if arguments.new is not None else arguments.releases
    answer = answered(arguments, arguments.cloud_config, paths, releases, inputs, arguments.deployments)
    outputs.write_painted(lambda form: question_written(answer.pages, form, arguments.verbose, whole=True))
    for failure in answer.failures:
        console.warn(f"{failure.place}: {failure.message}")
    return UNREADABLE if answer.failures else 0


def written(
    found: Review,
    form: str,
    command: str,
    pages: tuple[QuestionPage, ...] = (),
    *,
    verbose: int,
    quiet: bool,
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
    for page in pages:
        yield "\n"
        yield from question_written((page,), form, verbose, whole=True)
