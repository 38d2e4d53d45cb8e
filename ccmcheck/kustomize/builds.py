"""Which kustomizations of a run are built, and what of each file is judged as built."""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH119

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
WHOLE = -1
"""Instead of a document's number: the whole file."""
_NOTHING: frozenset[int] = frozenset()


class Builds(NamedTuple):
    """The builds of a run.

    Attributes:
        bundles: The text of each build, by its kustomization; see `ccmcheck.kustomize.bundle`.
        documents: The documents of each file that builds judge, by their numbers; `WHOLE` for the whole file.
        hidden: The files in which nothing is reported: they were not asked for, or are excluded.
    """

    bundles: Mapping[str, str] = {}
    documents: Mapping[str, frozenset[int]] = {}
    hidden: frozenset[str] = frozenset()

    def documents_of(self, path: str) -> frozenset[int]:
        """The documents of a file that builds judge."""
        return self.documents.get(os.path.normpath(path), _NOTHING) if self.documents else _NOTHING


NO_BUILDS = Builds()


def is_kustomization(path: str) -> bool:
    """Whether a file is a kustomization by its name."""
    return path.endswith(NAMES) and os.path.basename(path) in NAMES
