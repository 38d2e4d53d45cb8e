"""What a run was asked for, and the linter of each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.cluster_facts import NO_FACTS, ClusterFacts, merge
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.collector import options_with_builds
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.workspace.discover import DiscoverOptions
from ccmcheck.workspace.read_files import SurveyedFile
from ccmcheck.workspace.release_finder import ReleaseFinder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccmcheck.base.profile import Requirement
    from ccmcheck.carriers import FindOptions
    from ccmcheck.lint.baseline import Baseline, Baselines
    from ccmcheck.lint.file_analysis import FileResult
    from ccmcheck.lint.kept_results import KeptResults


class FileOptions(NamedTuple):
    """What the configuration of a file says, with the options of the run, which win.

    Attributes:
        settings: See `ccmcheck.lint.settings.Settings`.
        requirements: Those of the profiles.
        facts: What is known of the cluster and the cloud.
        fixes: Whether the fixes of a rule are made, by its name.
    """

    settings: Settings
    requirements: tuple[Requirement, ...] = ()
    facts: ClusterFacts = NO_FACTS
    fixes: Callable[[str], bool] = bool


class RunOptions(NamedTuple):
    """What one run was asked for.

    Attributes:
        settings: See `ccmcheck.lint.settings.Settings`.
        options_of: The options of a file, where they depend on the file: the same object for the same options.
        discover: What narrows the files.
        run_context: What the options say about the cluster; the files' share is added to it.
        jobs: How many processes; None to decide.
        baseline: What is known already.
        replacements: Whether findings have what their fixes replace in the file.
        most_shown: How many findings any report shows; the others are only counted. 0 for all.
        tell_unjudged: Whether to report the rules that lack an input; all rules are loaded for it.
        stdin: The bytes of standard input, read for the path ``-``.
        stdin_name: What to call it.
        finished: Changes the result of a file before it is counted and compared with the baseline.
        kept: Opens the results of earlier runs; None to judge every file.
    """

    settings: Settings = Settings()
    options_of: Callable[[str], FileOptions] | None = None
    discover: DiscoverOptions = DiscoverOptions()
    run_context: RunContext = RunContext()
    jobs: int | None = None
    baseline: Baseline | Baselines | None = None
    replacements: bool = False
    most_shown: int = 0
    tell_unjudged: bool = True
    stdin: bytes = b""
    stdin_name: str = "<stdin>"
    finished: Callable[[FileResult], FileResult] | None = None
    kept: Callable[[], KeptResults | None] | None = None

    def settings_of(self, path: str) -> Settings:
        """The settings of a file."""
        return self.settings if self.options_of is None else self.options_of(path).settings

    def find_options(self, path: str) -> FindOptions:
        """How a file is searched."""
        return options_with_builds(self.settings_of(path).find, path, self.run_context.builds)


class Linters:
    """The linter of each file: one for each configuration.

    Args:
        options: What the run was asked for.
        run_context: What was found in the run beforehand.
        releases: Finds the releases of files for which nobody names one.
    """

    def __init__(self, options: RunOptions, run_context: RunContext, releases: ReleaseFinder | None = None) -> None:
        self.run_context = run_context
        self._releases = releases
        self._of = options.options_of
        self._replacements = options.replacements
        self._baseline = options.baseline
        # what changes results may move findings to other files, so nobody knows yet which are shown
        self._most_shown = options.most_shown if options.finished is None else 0
        self._for_all = FileOptions(options.settings, run_context.requirements)
        self._by_options: dict[int, Linter] = {}

    def of(self, path: str) -> Linter:
        """The linter of a file."""
        options = self._of(path) if self._of is not None else self._for_all
        found = self._by_options.get(id(options))
        if found is None:
            facts = merge(options.facts, self.run_context.facts)
            around = self.run_context._replace(requirements=options.requirements, facts=facts)
            # a baseline takes the first findings away
            most = 0 if self._baseline is not None and self._baseline.is_about((path,)) else self._most_shown
            settings = options.settings._replace(replacements=self._replacements, most_shown=most)
            found = self._by_options[id(options)] = Linter(settings, around, self._releases)
        return found

    def of_files(self, files: Sequence[SurveyedFile], place: str) -> list[Linter]:
        """The linters of some files, each once; without files that of a place."""
        paths = (file.target.path for file in files)
        found = {id(linter): linter for linter in map(self.of, paths)} if self._of is not None else {}
        return list(found.values()) or [self.of(place)]
