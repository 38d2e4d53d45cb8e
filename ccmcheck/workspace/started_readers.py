"""Who reads a cloud.conf where neither its own file nor an object tells: the processes that the files around it start.

Where kubelet, kube-controller-manager or kube-apiserver get ``--cloud-provider=openstack``, and nothing as near speaks
of the CCM, the provider inside Kubernetes reads it, at the version of Kubernetes that the repository names.
"""

# pathlib takes longer to import than most files take to be read:
# ruff: noqa: PTH120

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import upward
from ccmcheck.carriers.base import IN_TREE, KubernetesVersion
from ccmcheck.carriers.file_readers import CCM_READER, started_reader
from ccmcheck.catalog.data.deployments import KUBERNETES_IMAGES, KUBERNETES_VARIABLES, PROVIDER_FLAGS
from ccmcheck.policy.examples import is_example
from ccmcheck.workspace.release_levels import MOST_FILES, speaks_for
from ccmcheck.workspace.release_trees import NAMING_THE_CCM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ccmcheck.workspace.release_trees import Tree

_NAMES = "|".join(KUBERNETES_VARIABLES)
_VERSION = lazy_regex(
    rf"(?:^(?![ \t]*+(?:#|//))[^\n]*?\b(?:{'|'.join(KUBERNETES_IMAGES)})(?:-amd64)?:"
    rf"|^[ \t]*+(?:-[ \t]++)?(?:export[ \t]++)?[\"']?(?:\w*?_)?(?i:{_NAMES})[\"']?[ \t]*+[:=][ \t]*+[\"']?"
    rf"|\bvariable[ \t]++\"?(?:\w*?_)?(?:{_NAMES})\"?[ \t]*+\{{[^{{}}]*?\bdefault[ \t]*+=[ \t]*+\")"
    r"(?P<version>v?1\.\d{1,2}(?:\.\d{1,3})?)(?=[^\w.]|_|\Z)",
    re.MULTILINE,
)
"""A version of Kubernetes: the tag of an image of it, or the value of a variable in YAML, a script or Terraform."""
_FOR_ALL = lazy_regex(r"(?:\A|/)(?:group_vars|host_vars|vars)/")
"""Folders whose variables are for what lies beside them, too; other folders below one may be for another cluster."""
_SAMPLE = lazy_regex(r"(?:\A|/)(?:samples?|examples?)/")
_VERSION_TEXTS = tuple(
    dict.fromkeys(
        (*(f"{image}" for image in KUBERNETES_IMAGES), *KUBERNETES_VARIABLES, *map(str.upper, KUBERNETES_VARIABLES))
    )
)


class StartedReaders:
    """The readers that the files of one tree start.

    Args:
        tree: The files.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._top = tree.top
        self._texts: dict[str, str] = {}
        self._starting: _Files | None = None
        self._versions: _Files | None = None
        self._by_folder: dict[str, str] = {}

    def reader_of(self, path: str) -> str:
        """Who reads a cloud.conf.

        Args:
            path: Its file, as an absolute path.

        Returns:
            The provider inside Kubernetes; an empty text where the CCM may read it, or nothing tells.

        Raises:
            GitUnavailable: Git cannot be used.
        """
        folder = os.path.dirname(path)
        if folder not in self._by_folder:
            self._by_folder[folder] = self._reader_around(path)
        return self._by_folder[folder]

    def _reader_around(self, path: str) -> str:
        if self._starting is None:
            self._starting = _Files(self._holding((*NAMING_THE_CCM, *PROVIDER_FLAGS)))
        for files in self._starting.around(path, self._top):
            found = {started_reader(self._text_of(file)) for file in files} - {""}
            if found:
                return IN_TREE if CCM_READER not in found else ""
        return ""

    def kubernetes_of(self, path: str, shown: Callable[[str], str]) -> KubernetesVersion | None:
        """The version of Kubernetes that is nearest to a cloud.conf; None where none is, or several are equally near.

        Args:
            path: Its file, as an absolute path.
            shown: What to call a file of an absolute path.

        Raises:
            GitUnavailable: Git cannot be used.
        """
        if self._versions is None:
            self._versions = _Files(self._holding(_VERSION_TEXTS))
        for files in self._versions.around(path, self._top, _FOR_ALL):
            found: dict[str, KubernetesVersion] = {}
            for file in files:
                text = self._text_of(file)
                for match in _VERSION.finditer(text):
                    line = text.count("\n", 0, match.start("version")) + 1
                    version = KubernetesVersion(match["version"], shown(file), line)
                    found.setdefault(version.name.lstrip("v"), version)
            if found:
                return next(iter(found.values())) if len(found) == 1 else None
        return None

    def _holding(self, texts: Sequence[str]) -> list[str]:
        """The files that hold one of some texts, without those that only show something."""
        found = self._tree.holding(texts)
        return [path for path in found if not (is_example(path) or _SAMPLE.search(path[len(self._top) :]))]

    def _text_of(self, path: str) -> str:
        if path not in self._texts:
            data = self._tree.read(path)
            self._texts[path] = data.decode("utf-8", "replace") if data is not None else ""
        return self._texts[path]


class _Files:
    """Files by the folders that they are in.

    Args:
        paths: They, as absolute paths.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._directly_in: dict[str, list[str]] = {}
        self._below: dict[str, list[str]] = {}
        for path in paths:
            folder = os.path.dirname(path)
            self._directly_in.setdefault(folder, []).append(path)
            for above in upward(folder):
                self._below.setdefault(above, []).append(path)

    def around(self, path: str, top: str, below: re.Pattern[str] | None = None) -> Iterator[list[str]]:
        """The groups of equally near files, the nearest first, until one is too large to be read.

        Args:
            path: Whose neighbours are asked for.
            top: The outermost folder to look in.
            below: The part of a path by which a file counts that lies in none of the folders around; None for any.
        """
        for folder in upward(os.path.dirname(path), top):
            deeper = self._below.get(folder, ())
            if below is not None:
                deeper = [file for file in deeper if below.search(file[len(folder) :]) is not None]
            for group in (self._directly_in.get(folder, ()), deeper):
                near = [file for file in group if file != path and speaks_for(file, path, top)]
                if len(near) > MOST_FILES:
                    return
                if near:
                    yield near
