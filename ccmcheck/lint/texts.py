"""Lints texts that are no files: what an API server holds. Nothing is read from the disk under their names."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from ccmcheck.base.path_proximity import folder_of
from ccmcheck.base.result import LintResult
from ccmcheck.carriers.base import PodOwner, RunContext
from ccmcheck.lint.file_analysis import FileResult
from ccmcheck.lint.run_options import Linters, RunOptions
from ccmcheck.lint.run_survey import LintSurvey, contributions_of
from ccmcheck.lint.runner import lint_survey
from ccmcheck.workspace.discover import DiscoverReport, Target
from ccmcheck.workspace.read_files import SurveyedFile
from ccmcheck.workspace.related_files import RelatedFiles, hints_of
from ccmcheck.workspace.release_finder import ReleaseFinder

__all__ = ["FileResult", "prepare", "run_texts"]


def run_texts(
    texts: Mapping[str, bytes],
    options: RunOptions,
    progress: Callable[[int, int], None] | None = None,
    owners: Sequence[PodOwner] = (),
) -> LintResult:
    """Lint some texts as if they were the files of a run.

    Args:
        texts: From what to call each to its bytes.
        options: What was asked for.
        progress: Called with the number of texts done and of all texts.
        owners: What makes pods, beside the workloads among the texts.
    """
    started = time.monotonic()
    return lint_survey(survey_texts(texts, options, owners), options, started, progress)


def survey_texts(texts: Mapping[str, bytes], options: RunOptions, owners: Sequence[PodOwner] = ()) -> LintSurvey:
    """Read some texts as if they were the files of a run, before they are linted; see `run_texts`."""
    related = RelatedFiles(options.find_options)
    contributions: list[RunContext] = []
    for path, data in texts.items():
        related.add(path, hints_of(data))
        contributions += contributions_of(path, data, options)
    run_context = related.resolve(options.run_context.joined(contributions), texts.get)
    by_folder = dict(run_context.owners)
    for owner in owners:
        folder = folder_of(owner.path)
        by_folder[folder] = (*by_folder.get(folder, ()), owner)
    run_context = run_context._replace(owners=by_folder)
    linters = Linters(options, run_context, ReleaseFinder(pods=run_context.pods))
    files = [SurveyedFile(Target(path, explicit=True), data) for path, data in texts.items()]
    return LintSurvey(linters, files, [], len(files), DiscoverReport())


def prepare() -> None:
    """Load everything that judges a text: processes that are forked afterwards have it in common."""
    from importlib import import_module

    from ccmcheck.rules import GROUP_OF, rule
    from ccmcheck.yamlio import documents

    import_module("ccmcheck.predict.pipeline")
    for name in GROUP_OF:
        rule(name)
    list(documents("{}"))  # makes what reads YAML
