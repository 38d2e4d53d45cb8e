"""The files of kustomizations: what a fix changes in a build is changed in the files that set it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ccmcheck.fix.passes import FixOutcome, FixResult
from ccmcheck.kustomize.builds import Builds, is_kustomization
from ccmcheck.kustomize.bundle import Bundle, bundled
from ccmcheck.lint.file_analysis import LocatedProblem
from ccmcheck.lint.run_options import Linters


class BuiltFiles:
    """The files that several kustomizations may have in common, as they are after the fixes so far.

    Args:
        builds: The builds of the run.
    """

    def __init__(self, builds: Builds) -> None:
        self._builds = builds
        self._now: dict[str, str] = {}
        self._roots: dict[str, list[str]] | None = None
        self._findings: dict[str, frozenset[tuple[str, str, int]]] = {}
        self._refused: set[object] = set()

    def paths_of(self, paths: Iterable[str]) -> list[str]:
        """The files of a run with those that builds are made of."""
        found: dict[str, None] = {}
        for path in paths:
            bundle = self._builds.bundles.get(path)
            found.update(dict.fromkeys([path] if bundle is None else Bundle(bundle).files()))
        return [path for path in found if path not in self._builds.hidden]

    def is_build(self, path: str) -> bool:
        """Whether a file of the run stands for a build."""
        return path in self._builds.bundles

    def note(self, path: str, text: str, *, changed: bool) -> None:
        """Note what a file is after its fixes."""
        if changed:
            self._now[os.path.normpath(path)] = text

    def as_now(self, path: str) -> str:
        """The text of a build, with what was fixed in its files."""
        files = Bundle(self._builds.bundles[path]).files()
        return bundled(path, {one: self._now.get(one, before) for one, before in files.items()})

    def objection(self, root: str, linters: Linters, located: LocatedProblem) -> str:
        """Why a fix is not made in a file of values that other releases read, too, where it is no mistake for them.

        Args:
            root: The file that names the release.
            linters: Look through the others.
            located: The finding.
        """
        path, line = located.place.path, located.place.line
        if path == root or is_kustomization(root):
            return ""
        others = (one for one in self._roots_of(path) if one != root and not is_kustomization(one))
        other = next((one for one in others if (located.rule, path, line) not in self._findings_of(one, linters)), None)
        return f"{other} reads this file, too, and there it is no mistake" if other is not None else ""

    def _roots_of(self, path: str) -> Sequence[str]:
        """What is built of a file."""
        if self._roots is None:
            self._roots = {}
            for root in self._builds.bundles:
                for one in self._builds.bundles.files_of(root):
                    self._roots.setdefault(one, []).append(root)
        return self._roots.get(path, ())

    def _findings_of(self, root: str, linters: Linters) -> frozenset[tuple[str, str, int]]:
        """The findings of a build as it was, with their places; looked for once."""
        if root not in self._findings:
            examined = linters.of(root).examine(root, self._builds.bundles[root], explicit=False)
            self._findings[root] = frozenset((one.rule, one.place.path, one.place.line) for one in examined.problems)
        return self._findings[root]

    def split(self, result: FixResult) -> Iterator[FixResult]:
        """The result of each file; what was done to a build belongs to the files that the findings are in."""
        if result.path not in self._builds.bundles:
            yield result
            return
        before, after = Bundle(result.before).files(), Bundle(result.after).files()
        changed = [path for path, text in after.items() if text != before[path]]
        dropped = list(self._not_yet_refused(result.dropped))
        places = [outcome.place.path for outcome in (*result.done, *dropped)]
        for number, path in enumerate(dict.fromkeys([*changed, *places]) or [result.path]):
            yield result._replace(
                path=path,
                before=before[path],
                after=after[path],
                done=tuple(one for one in result.done if one.place.path == path),
                dropped=tuple(one for one in dropped if one.place.path == path),
                last=result.last if not number else result.last._replace(failures=()),
                carried=None,
            )

    def _not_yet_refused(self, outcomes: Iterable[FixOutcome]) -> Iterator[FixOutcome]:
        """The fixes that no earlier build was refused at the same place: what builds share is left to do once."""
        seen = Counter[object]()
        for outcome in outcomes:
            place = outcome.rule, outcome.place[:5]
            seen[place] += 1
            if (counted := (place, seen[place])) not in self._refused:
                self._refused.add(counted)
                yield outcome
