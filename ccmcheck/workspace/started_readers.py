"""Who reads a cloud.conf where neither its own file nor an object tells: the processes that the files around it start.

Where kubelet, kube-controller-manager or kube-apiserver get ``--cloud-provider=openstack``, and nothing as near speaks
of the CCM, the provider inside Kubernetes reads it, at the version of Kubernetes that the repository names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Generic, TypeVar

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import upward
from ccmcheck.carriers.base import KubernetesVersion
from ccmcheck.catalog.signs.forms import is_difference
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.catalog.signs.readers import STARTING_TEXTS, reader_started_by
from ccmcheck.catalog.signs.release_texts import NAMING_KUBERNETES, kubernetes_versions_in
from ccmcheck.catalog.signs.texts import Weighed
from ccmcheck.workspace.release_levels import MOST_FILES, Neighbours
from ccmcheck.workspace.release_trees import Tree

_FOR_ALL = lazy_regex(r"(?:\A|/)(?:group_vars|host_vars|vars|tasks)/")
"""Ansible's folders whose variables and tasks are for what lies beside them, too; others may be for another cluster."""


class StartedReaders:
    """The readers that the files of one tree start.

    Args:
        tree: The files.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._starting: _Files[Weighed] | None = None
        self._versions: _Files[list[tuple[str, int]]] | None = None

    def nearest(self, path: str) -> dict[str, Weighed]:
        """The files nearest to a cloud.conf that start a reader of it, each with that and its signs.

        Args:
            path: Its file, as an absolute path.

        Raises:
            GitUnavailable: Git cannot be used.
        """
        if self._starting is None:
            self._starting = _Files(self._tree, STARTING_TEXTS, _started_by)
        return self._starting.nearest(path)

    def kubernetes_of(self, path: str, shown: Callable[[str], str]) -> list[KubernetesVersion]:
        """The versions of Kubernetes that a cloud.conf's file names, else the nearest, each with its first place.

        Args:
            path: Its file, as an absolute path.
            shown: What to call a file of an absolute path.

        Returns:
            More than one where several are equally near; a branch without patch release is the same as one of its own.

        Raises:
            GitUnavailable: Git cannot be used.
        """
        if self._versions is None:
            self._versions = _Files(self._tree, NAMING_KUBERNETES, kubernetes_versions_in, _FOR_ALL)
        places: dict[str, KubernetesVersion] = {}
        told = self._versions.of_itself(path) or self._versions.nearest(path)
        if not told and self._starting is not None:  # what starts the reader may be further down, and names its image
            told = {file: self._versions.told_by(file) or [] for file in self._starting.nearest(path)}
        for file, versions in told.items():
            for name, line in versions:
                if name.lstrip("v") not in places:
                    places[name.lstrip("v")] = KubernetesVersion(name, shown(file), line)
        branches = {name.rpartition(".")[0] for name in places}
        return [version for name, version in places.items() if name not in branches]


def _started_by(text: str) -> Weighed | None:
    answer = reader_started_by(text)
    return answer if answer.value else None


_Told = TypeVar("_Told")


class _Files(Generic[_Told]):
    """Files that tell something, by the folders that they are in; documents only show it.

    Args:
        tree: Where they are.
        texts: What they hold.
        told: What a file's text tells; None or empty where that is nothing.
        below: The part of a path by which a file counts that lies in none of the folders around; None for any.

    Raises:
        GitUnavailable: Git cannot be used.
    """

    def __init__(
        self,
        tree: Tree,
        texts: Sequence[str],
        told: Callable[[str], _Told | None],
        below: re.Pattern[str] | None = None,
    ) -> None:
        self._tree = tree
        self._top = tree.top
        self._told = told
        self._pattern = below
        self._directly_in: dict[str, list[str]] = {}
        self._below: dict[str, list[str]] = {}
        self._neighbours = Neighbours(self._files_in, self._top)
        self._by_file: dict[str, _Told | None] = {}
        self._nearest: dict[str, dict[str, _Told]] = {}
        self._paths = frozenset(path for path in tree.holding(texts) if not is_document(path))
        for path in sorted(self._paths):
            folder = os.path.dirname(path)
            self._directly_in.setdefault(folder, []).append(path)
            for above in upward(folder, self._top):
                self._below.setdefault(above, []).append(path)

    def of_itself(self, path: str) -> dict[str, _Told]:
        """What a file tells itself, as one that installs a cluster with its cloud.conf."""
        told = self.told_by(path) if path in self._paths else None
        return {path: told} if told else {}

    def nearest(self, path: str) -> dict[str, _Told]:
        """What the nearest files tell, of those that tell anything; empty where too many are equally near.

        Args:
            path: Whose neighbours are asked for.
        """
        if path in self._paths:  # which does not tell of itself, but of the others of its folder
            return self._searched(path)
        folder = os.path.dirname(path)
        if folder not in self._nearest:
            self._nearest[folder] = self._searched(path)
        return self._nearest[folder]

    def _searched(self, path: str) -> dict[str, _Told]:
        for folder in upward(os.path.dirname(path), self._top):
            for is_deeper in (False, True):
                around = self._neighbours.of(path, folder, is_deeper=is_deeper)
                near = list(islice(around, MOST_FILES + 1))
                if len(near) > MOST_FILES:
                    return {}
                found = {file: told for file in near if (told := self.told_by(file))}
                if found:
                    return found
        return {}

    def _files_in(self, folder: str, is_deeper: bool) -> Iterable[str]:
        if not is_deeper:
            return self._directly_in.get(folder, ())
        below, pattern = self._below.get(folder, ()), self._pattern
        return [file for file in below if pattern is None or pattern.search(file[len(folder) :]) is not None]

    def told_by(self, file: str) -> _Told | None:
        """What one file tells."""
        if file not in self._by_file:
            text = (self._tree.read(file) or b"").decode("utf-8", "replace")
            self._by_file[file] = self._told("" if is_difference(text) else text)
        return self._by_file[file]
