"""Lints texts that are no files: what an API server holds. Nothing is read from the disk under their names."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ccmcheck.lint.run_options import Linters
from ccmcheck.lint.run_survey import LintSurvey, contributions_of
from ccmcheck.lint.runner import lint_survey
from ccmcheck.workspace.discover import DiscoverReport, Target
from ccmcheck.workspace.related_files import RelatedFiles
from ccmcheck.workspace.release_finder import ReleaseFinder
from ccmcheck.workspace.survey import SurveyedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ccmcheck.base.result import LintResult
    from ccmcheck.lint.run_options import RunOptions


def run_texts(
    texts: Mapping[str, bytes], options: RunOptions, progress: Callable[[int, int], None] | None = None
) -> LintResult:
    """Lint some texts as if they were the files of a run.

    Args:
        texts: From what to call each to its bytes.
        options: What was asked for.
        progress: Called with the number of texts done and of all texts.
    """
    started = time.monotonic()
    related = RelatedFiles(options.find_options)
    contributions = []
    for path, data in texts.items():
        related.add(path, data)
        contributions += contributions_of(path, data, options)
    run_context = related.resolve(options.run_context.joined(contributions), texts.get)
    linters = Linters(options, run_context, ReleaseFinder(pods=run_context.pods))
    files = [SurveyedFile(Target(path, explicit=True), data) for path, data in texts.items()]
    return lint_survey(LintSurvey(linters, files, [], len(files), DiscoverReport()), options, started, progress)
