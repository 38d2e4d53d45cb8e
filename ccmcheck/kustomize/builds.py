"""Which kustomizations of a run are built, and what of each file is judged as built."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure

if TYPE_CHECKING:
    from ccmcheck.kustomize.resources import Built

NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
WHOLE = -1
"""Instead of a document's number: the whole file."""
EVERY = -2
"""Beside the documents' numbers: these are all documents of the file."""
_NOTHING: frozenset[int] = frozenset()
_TOO_MANY_VALUES = "Check what `helm template` makes of them: `helm template … | ccmcheck lint -`."
_TOO_LARGE = "Check what `kustomize build` makes of it: `kustomize build FOLDER | ccmcheck lint -`."


_MOST_NAMED = 5
"""Files that a note names."""


class Bundles(Mapping[str, str]):
    """The text of each build by its kustomization, put together when it is asked for: overlays share most files.

    Args:
        files: The files of each build, by its kustomization.
        texts: The texts of the files.
        built: What some of the kustomizations are built to, so that they need not be built again.
    """

    __slots__ = ("_built", "_files", "_texts")

    def __init__(
        self, files: Mapping[str, Sequence[str]], texts: Mapping[str, str], built: Mapping[str, Built] | None = None
    ) -> None:
        self._files = files
        self._texts = texts
        self._built = built or {}

    def __getitem__(self, path: str) -> str:
        from ccmcheck.kustomize.bundle import bundled

        return bundled(path, {name: self._texts[name] for name in self._files[path]})

    def __contains__(self, path: object) -> bool:
        return path in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def files_of(self, path: str) -> Sequence[str]:
        """The files of a build, without their texts."""
        return self._files[path]

    def with_files(self, files: Mapping[str, Mapping[str, str]]) -> Bundles:
        """The same with more bundles: by their roots, the texts of their files."""
        named = {**self._files, **{root: tuple(texts) for root, texts in files.items()}}
        texts = {**self._texts, **{path: text for one in files.values() for path, text in one.items()}}
        return Bundles(named, texts, self._built)

    def built(self, path: str, text: str) -> Built | None:
        """What a kustomization is built to; None where that is not known of this text of its bundle."""
        built = self._built.get(path)
        return built if built is not None and self[path] == text else None


NO_BUNDLES = Bundles({}, {})


class Builds(NamedTuple):
    """The builds of a run.

    Attributes:
        bundles: The text of each build, by its kustomization; see `ccmcheck.kustomize.bundle`.
        documents: The documents of each file that builds judge, by their numbers; `WHOLE` for the whole file, and
            `EVERY` beside them where they are all.
        hidden: The files in which nothing is reported: they were not asked for, or are excluded.
        too_large: The kustomizations that are not built because that exceeds a limit, with the reason of each.
        lacking: Those that name a base or a file that is not there to read, and are built without it.
        patches: The documents of each file that are patches of Services which may be in what is not there.
        unlinked: The files that name values which are not there to read.
    """

    bundles: Bundles = NO_BUNDLES
    documents: Mapping[str, frozenset[int]] = {}
    hidden: frozenset[str] = frozenset()
    too_large: Mapping[str, str] = {}
    lacking: tuple[str, ...] = ()
    patches: Mapping[str, frozenset[int]] = {}
    unlinked: tuple[str, ...] = ()

    @property
    def notes(self) -> list[str]:
        """What is built without a part, in one line; what is missing may be an address with a password in it."""
        notes = []
        if self.lacking:
            notes.append(
                f"{_named(self.lacking, 'kustomization')}: a remote base or a file is not here; of "
                "the Services that patches change there only the patches' annotations are judged"
            )
        if self.unlinked:
            notes.append(
                f"{_named(self.unlinked, 'file')}: values that are named there are not here or cannot "
                "be read; what is missing in the others is not reported"
            )
        return notes

    @property
    def failures(self) -> list[Failure]:
        """What is too large to be built, said once."""
        if not self.too_large:
            return []
        path, why = next(iter(self.too_large.items()))
        others = len(self.too_large) - 1
        more = f"; {others} more kustomization{'s are' if others > 1 else ' is'} not built either" if others else ""
        return [
            Failure(
                path,
                f"{why}, so nothing of it is checked{more}",
                _TOO_LARGE if is_kustomization(path) else _TOO_MANY_VALUES,
            )
        ]

    def documents_of(self, path: str) -> frozenset[int]:
        """The documents of a file that builds judge."""
        return self.documents.get(os.path.normpath(path), _NOTHING) if self.documents else _NOTHING


def _named(paths: Sequence[str], what: str) -> str:
    """The first of some files, and how many more there are."""
    count = len(paths) - _MOST_NAMED
    more = f" and {count} more {what}{'s' if count > 1 else ''}" if count > 0 else ""
    return f"{', '.join(paths[:_MOST_NAMED])}{more}"


NO_BUILDS = Builds()


def is_kustomization(path: str) -> bool:
    """Whether a file is a kustomization by its name."""
    return path.endswith(NAMES) and os.path.basename(path) in NAMES
