"""``ccmcheck review``: what a change does to running Services, before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import completion, console
from ccmcheck.cli.cloud_options import CloudArguments, check_cloud, cloud_options
from ccmcheck.cli.options import STDIN, SeverityType, variable_options
from ccmcheck.cli.questioning import CREATE_MONITOR, answered, answered_for, demand_options, has_demands
from ccmcheck.cli.questioning import written as question_written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ccmcheck.carriers import FindOptions
    from ccmcheck.review.change.records import Review
    from ccmcheck.review.create_monitor.records import QuestionPage

FOUND, UNREADABLE = 1, 3
FORMS = ("text", "markdown", "json", "html")


@click.command("review", short_help="Say what a change does to running Services, before it is made.")
@click.argument("paths", nargs=-1, metavar="[BASE HEAD | PATH...]", shell_complete=completion.files)
@click.option(
    "--git",
    "revisions",
    metavar="REV..REV",
    help="Compare two revisions, below PATH; one revision alone is compared with the work tree.",
)
@click.option(
    "--services",
    "service_paths",
    multiple=True,
    metavar="PATH",
    shell_complete=completion.files,
    help="Manifests of Services, Nodes and workloads that stay the same on both sides; a cloud.conf, too, where the "
    "sides have none.",
)
@click.option(
    "--release", metavar="R", shell_complete=completion.releases, help="CCM release on both sides, 1.31 or v1.31.2."
)
@click.option("--base-release", metavar="R", shell_complete=completion.releases, help="CCM release before the change.")
@click.option("--head-release", metavar="R", shell_complete=completion.releases, help="CCM release after the change.")
@click.option(
    "--question",
    type=click.Choice([CREATE_MONITOR]),
    help="Answer for PATH... whether create-monitor should be on there; with BASE HEAD or --git for HEAD, besides.",
)
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="With --question: the cloud.conf. Default: the one among the files.",
)
@demand_options
@cloud_options
@variable_options
@click.option("--format", "form", type=click.Choice(FORMS), default="text", help="Default: text.")
@click.option("-o", "--output", metavar="FILE", help="Write the review to FILE instead of standard output.")
@click.option(
    "--output-file", "output_files", multiple=True, metavar="FORMAT=PATH", help="Also write the review to a file."
)
@click.option(
    "--fail-on",
    type=SeverityType(),
    default="error",
    help="Exit with 1 from this severity on: error for what stops working, warning for what gets worse, info for "
    "any change. Default: error.",
)
@click.option("-q", "--quiet", is_flag=True, help="The summary alone, as text or Markdown.")
@click.option("-v", "--verbose", count=True, help="Everything, also what stays as it is; twice: the requests' bodies.")
def command(**options: Any) -> int:  # noqa: ANN401 - click hands over what ReviewArguments declares
    """Say what a change does to running Services, before it is made.

    BASE and HEAD are two files or two folders with a cloud.conf, in any carrier, and Services; or --git names two
    revisions of a repository. --question create-monitor answers for PATH... whether monitors should be on there, and
    why they are off by default.

    Exit code: 0 nothing stops working, 1 something does, 2 wrong use, 3 a file could not be read.
    """
    return review(ReviewArguments(**options))


class ReviewArguments(NamedTuple):
    """What was typed; see the options above."""

    paths: tuple[str, ...]
    revisions: str | None
    service_paths: tuple[str, ...]
    release: str | None
    base_release: str | None
    head_release: str | None
    question: str | None
    config_file: str | None
    client_ip: bool | None
    strict_mtls: bool | None
    stable_node_set: bool | None
    probe_budget: float | None
    cloud: CloudArguments
    variables: tuple[str, ...]
    env_files: tuple[str, ...]
    template: bool | None
    form: str
    output: str | None
    output_files: tuple[str, ...]
    fail_on: Severity
    max_size: int | None
    quiet: bool
    verbose: int


def review(given: ReviewArguments) -> int:
    """Compare, print, and tell the exit code.

    Raises:
        CcmcheckError: Wrong use, or a file that cannot be read.
    """
    from ccmcheck.carriers import FindOptions
    from ccmcheck.cli.options import variables
    from ccmcheck.cli.reviewing import sides
    from ccmcheck.review.change.compare import review as compare
    from ccmcheck.workspace.discover import DEFAULT_MAX_SIZE

    check_cloud(given.cloud)
    files = _files(given)
    max_size = given.max_size or DEFAULT_MAX_SIZE
    options = FindOptions(variables=variables(given.variables, given.env_files, {}), template=given.template)
    if given.question is None and (given.config_file is not None or has_demands(given)):
        raise WrongUse("--config and what the matrix asks for go with --question", f"Add --question {CREATE_MONITOR}.")
    if given.question is not None and not _is_change(given, options, max_size):
        return _answer(given, files)
    before, after = sides(given, options, max_size)
    found = compare(before, after)
    pages: tuple[QuestionPage, ...] = ()
    if given.question is not None:
        if "html" in (given.form, *(form for form, _ in files)):
            raise WrongUse("a page shows the review or the answer, not both", "Leave out --question, or BASE.")
        pages = tuple(answered_for(cluster, after.survey, given) for cluster in after.clusters)
    _save(given, files, lambda form: written(found, form, given, pages))
    for side in (before, after):
        for failure in side.survey.failures:
            console.warn(f"{side.name}: {failure.place}: {failure.message}")
    if after.survey.failures:
        return UNREADABLE
    return FOUND if found.worst is not None and found.worst >= given.fail_on else 0


def _is_change(given: ReviewArguments, options: FindOptions, max_size: int) -> bool:
    """Whether the paths are BASE and HEAD: each of the two holds a cloud.conf, and no other is named."""
    if given.revisions is not None:
        return True
    if len(given.paths) != 2 or given.config_file is not None:
        return False
    from ccmcheck.workspace.survey import survey_path

    return all(survey_path(path, options, max_size).ccm_confs for path in given.paths)


def _answer(given: ReviewArguments, files: list[tuple[str, str]]) -> int:
    """Answer the question for the files as they are."""
    paths = (*given.paths, *given.service_paths)
    found = answered(given, given.config_file, paths, _releases(given))
    _save(given, files, lambda form: question_written(found.pages, form, given.verbose, whole=True))
    for failure in found.failures:
        console.warn(f"{failure.place}: {failure.message}")
    return UNREADABLE if found.failures else 0


def _releases(given: ReviewArguments) -> list[str]:
    name = given.head_release or given.release
    return [name] if name else []


def _save(given: ReviewArguments, files: list[tuple[str, str]], in_form: Callable[[str], Iterator[str]]) -> None:
    if given.output is None or given.output == STDIN:
        console.write(in_form(given.form))
    else:
        console.save(given.output, in_form(given.form))
    for form, path in files:
        console.save(path, in_form(form))


def _files(given: ReviewArguments) -> list[tuple[str, str]]:
    files: list[tuple[str, str]] = []
    for argument in given.output_files:
        form, equals, path = argument.partition("=")
        if not equals or not path:
            raise WrongUse(f"--output-file `{argument}` names no file", "Write --output-file markdown=review.md.")
        if form not in FORMS:
            from ccmcheck.base.suggest import hint

            raise WrongUse(f'There is no format "{form}"; there are {", ".join(FORMS)}.', hint(form, FORMS))
        files.append((form, path))
    return files


def written(found: Review, form: str, given: ReviewArguments, pages: tuple[QuestionPage, ...] = ()) -> Iterator[str]:
    """A review in one form, in pieces.

    Args:
        found: The review.
        form: Its name.
        given: What was typed, which says how much.
        pages: The answers to a question that was asked, too.
    """
    if form == "json":
        import json

        from ccmcheck.review.change.json_form import as_data

        document = as_data(found)
        if pages:
            from ccmcheck.review.create_monitor.json_form import as_data as question_data

            document["questions"] = [question_data(page) for page in pages]
        yield json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        return
    if form == "html":
        from ccmcheck.review.page.writing import review_page

        yield review_page(found)
        return
    if form == "markdown":
        from ccmcheck.review.change.report import as_markdown

        yield from (f"{line}\n" for line in as_markdown(found, verbose=given.verbose, quiet=given.quiet))
    else:
        from ccmcheck.review.change.report import as_text

        yield from (f"{line}\n" for line in as_text(found, verbose=given.verbose, quiet=given.quiet))
    for page in pages:
        yield "\n"
        yield from question_written((page,), form, given.verbose, whole=True)
