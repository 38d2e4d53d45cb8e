"""What of the workloads, charts and tags around a file is nearest to it.

The kustomization of its folder goes before the folder's other files; then come what the kustomization refers to, the
kustomizations that refer to the folder, and what lies below it; then the same for each folder around it, up to the top.
Equally near ones that differ leave the release unknown, unless a folder further up has one directly in it.

Which of the files around another speak for it: test data, an Ansible role's defaults and pages are for themselves.

Many files may lie around many folders, so that the files of a level are looked through once for all that ask.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import upward
from ccmcheck.catalog.signs.paths import is_apart, is_document
from ccmcheck.conf.target_release import NOTHING_FOUND, FoundRelease, agreed, known_release
from ccmcheck.kustomize.builds import is_kustomization

if TYPE_CHECKING:
    from ccmcheck.carriers.base import CcmPod
    from ccmcheck.workspace.kustomization_references import Kustomizations

_ROLE = lazy_regex(r"(?P<role>.*/roles/.*?[^/])/(?:defaults|vars)/")


class Neighbours:
    """The files around others that speak for them.

    Args:
        files_in: Gives the files directly in a folder, or, with true, all below it.
        top: The outermost folder; empty for none.
    """

    def __init__(self, files_in: Callable[[str, bool], Iterable[str]], top: str) -> None:
        self._files_in = files_in
        self._top = top
        self._grouped: dict[tuple[str, bool, bool], dict[str, list[tuple[int, str]]]] = {}

    def of(self, path: str, folder: str, *, is_deeper: bool) -> Iterator[str]:
        """The files of a level that speak for a file, in their order; the file itself is none of them.

        Args:
            path: The file.
            folder: One around it.
            is_deeper: Whether the files below the folder are meant, instead of those directly in it.
        """
        by_role = self._by_role(folder, is_document(path), is_deeper=is_deeper)
        if not by_role:
            return iter(())
        roles = ("", *upward(os.path.dirname(path), self._top))
        from heapq import merge

        found = merge(*(by_role[role] for role in roles if role in by_role))
        return (file for _, file in found if file != path)

    def _by_role(self, folder: str, is_page: bool, *, is_deeper: bool) -> dict[str, list[tuple[int, str]]]:
        """The files of a level that speak for pages or others, by the role that they are for alone, with their order.

        What a page shows is about that page and about what is none. Test data speak for what lies in the same folder of
        them, whatever the folders around that are called.
        """
        key = folder, is_page, is_deeper
        if key not in self._grouped:
            grouped = self._grouped[key] = {}
            for number, file in enumerate(self._files_in(folder, is_deeper)):
                if not (is_apart(file[len(folder) :]) or (is_page and is_document(file))):
                    role = _ROLE.match(file)
                    grouped.setdefault(role["role"] if role is not None else "", []).append((number, file))
        return self._grouped[key]


MOST_FILES = 256
"""Files that are read for one level; with more, the release stays unknown unless two of them differ before that."""

_VARIABLE_TAG = lazy_regex(r":[ \t]*+(?:\{\{-?[ \t]*+|\$\{?(?:var\.)?)(?P<name>\w++)[^\s{}]*+[ \t]*+-?\}*+\Z")
_APP_VERSION = ".chart.appversion"
"""What the templates of a chart call the release in its Chart.yaml, which its values may replace."""
_CHART_VALUE = ".values"
"""What stands here for all values of a chart, from which its templates may take the image."""
_FROM_VALUES = lazy_regex(r"\{\{[^{}]*?(?:\.Values|\$\w++)\.\w")
"""An image that they take from there, directly or by a variable."""
_VALUES = "values.yaml"
_IN, _WITH, _BELOW = "in the folder", "built with it", "below it"


class FileIndex:
    """Files that say something about the CCM's release, by the folders that they are in.

    Args:
        paths: The files, as absolute paths.
        pods_of: Gives the workloads, charts and tags in a file.
    """

    def __init__(self, paths: Iterable[str], pods_of: Callable[[str], Sequence[CcmPod]]) -> None:
        self.pods_of = pods_of
        self.files: set[str] = set()
        self.directly_in: dict[str, list[str]] = {}
        self.below: dict[str, list[str]] = {}
        for path in paths:
            folder = os.path.dirname(path)
            self.files.add(path)
            self.directly_in.setdefault(folder, []).append(path)
            for above in upward(folder):
                self.below.setdefault(above, []).append(path)


class Levels:
    """Looks for the nearest release, one level after another.

    Args:
        indexes: The files to look in.
        kustomizations: Those of the files around; None where there are none to read.
        top: The outermost folder to look in; empty for no bound.
    """

    def __init__(
        self, indexes: Sequence[FileIndex], kustomizations: Kustomizations | None = None, top: str = ""
    ) -> None:
        self._indexes = [index for index in indexes if index.files]
        self._top = top
        self._kustomizations = kustomizations
        self._neighbours = Neighbours(self._files_in, top)
        self._by_folder: dict[tuple[str, bool, frozenset[str]], FoundRelease] = {}
        self._referring: dict[str, list[str]] | None = None

    def of(self, path: str, own: Sequence[CcmPod] = ()) -> FoundRelease:
        """The nearest release to a file that has none in it.

        Args:
            path: The file, as an absolute path.
            own: The workloads, charts and tags in it. Where their release cannot be told, one further away is another's
                unless it is the value of the variable that their tag is.
        """
        if not self._indexes:
            return NOTHING_FOUND
        folder = os.path.dirname(path)
        variables = frozenset(_variables_of(own))
        is_unknown = bool(own) and not variables
        # a file is not around itself, so that what is found for it is not what the others of its folder have
        if path in self._referring_to() or (not own and any(path in index.files for index in self._indexes)):
            return self._searched(path, folder, variables, is_unknown=is_unknown)
        key = folder, is_unknown, variables
        release = self._by_folder.get(key)
        if release is None:
            release = self._by_folder[key] = self._searched(path, folder, variables, is_unknown=is_unknown)
        return release

    def passed(self, path: str) -> Iterator[CcmPod]:
        """All that is around a file, the nearest first; some several times.

        Args:
            path: The file, as an absolute path.
        """
        for level in upward(os.path.dirname(path), self._top):
            for _, files in self._stages(level, path):
                for file in files:  # one by one: who asks stops soon
                    yield from self._read((file,))

    def _searched(self, path: str, folder: str, asked: Iterable[str], *, is_unknown: bool) -> FoundRelease:
        rivals: FoundRelease | None = None
        variables = set(asked)  # whose values are the tag of an image that is nearer
        unnamed: Sequence[CcmPod] = ()
        for level in upward(folder, self._top):
            for closeness, files in self._stages(level, path):
                if (rivals is not None and closeness != _IN) or (is_unknown and closeness == _BELOW):
                    continue
                pods = self._read(files)
                is_chart = closeness == _IN and f"{folder}/".startswith(os.path.join(level, "templates", ""))
                near = [pod for pod in pods if _gives(pod, variables, is_chart=is_chart)] if variables else pods
                release = agreed(near)
                if release is None:
                    unnamed = unnamed or near
                    variables.update(_variables_of(near))
                    is_unknown = is_unknown or (bool(near) and not variables)
                elif release.release is not None:
                    return release
                else:
                    rivals = rivals or release
            if is_unknown and rivals is None:
                break
        return rivals or (FoundRelease(unnamed=tuple(unnamed)) if unnamed else NOTHING_FOUND)

    def _stages(self, folder: str, path: str) -> Iterator[tuple[str, Iterable[str]]]:
        """The groups of equally near files of one level, the nearest first, and how they belong to the folder."""
        for _, files in groupby(self._neighbours.of(path, folder, is_deeper=False), is_kustomization):
            yield _IN, files
        if self._kustomizations is not None:
            yield from ((_WITH, files) for files in self._built_with(self._kustomizations, folder, path))
        yield _BELOW, self._neighbours.of(path, folder, is_deeper=True)

    def _files_in(self, folder: str, is_deeper: bool) -> Iterable[str]:
        if is_deeper:
            return chain.from_iterable(index.below.get(folder, ()) for index in self._indexes)
        return sorted(self._at(folder), key=is_kustomization, reverse=True)

    def _built_with(self, kustomizations: Kustomizations, folder: str, path: str) -> Iterator[Iterable[str]]:
        """What the folder's kustomization refers to, its kustomizations first; then those that refer to the folder."""
        reached = kustomizations.reached_from(folder)
        if reached:
            files = [file for place in reached for file in self._at(place)]
            yield [file for file in files if is_kustomization(file)]
            yield files
        referring = self._referring_to()
        yield [*dict.fromkeys((*referring.get(path, ()), *referring.get(folder, ())))]

    def _at(self, place: str) -> Iterator[str]:
        """The files of a folder, or the file itself."""
        for index in self._indexes:
            yield from index.directly_in.get(place, ())
            if place in index.files:
                yield place

    def _read(self, files: Iterable[str]) -> Sequence[CcmPod]:
        """What files say, until they contradict each other; of too many, one of each image, without a release."""
        found_pods: list[CcmPod] = []
        branches: set[str] = set()
        for number, file in enumerate(files):
            if number >= MOST_FILES:
                return [pod._replace(release="") for pod in {pod.image: pod for pod in reversed(found_pods)}.values()]
            pods = next((index.pods_of(file) for index in self._indexes if file in index.files), ())
            found_pods += pods
            releases = (known_release(pod.release) for pod in pods)
            branches.update(release.branch for release in releases if release is not None)
            if len(branches) > 1:
                break
        return found_pods

    def _referring_to(self) -> dict[str, list[str]]:
        """By each folder and file, the kustomizations with a release that refer to it."""
        if self._referring is None:
            self._referring = {}
            if self._kustomizations is None:
                return self._referring
            names = [
                file
                for index in self._indexes
                for files in index.directly_in.values()
                for file in files
                if is_kustomization(file)
            ]
            for file in names[:MOST_FILES]:
                for place in self._kustomizations.reached_from(os.path.dirname(file)):
                    self._referring.setdefault(place, []).append(file)
        return self._referring


def _gives(pod: CcmPod, variables: set[str], *, is_chart: bool) -> bool:
    """Whether what a file says is the value of one of some variables.

    Args:
        pod: What it says.
        variables: The variables.
        is_chart: Whether it is in the folder of the chart whose template names them.
    """
    if pod.subject.lower() in variables:
        return True
    name = os.path.basename(pod.path)
    if _APP_VERSION in variables and name in ("Chart.yaml", _VALUES):
        return True
    return is_chart and _CHART_VALUE in variables and name == _VALUES


def _variables_of(pods: Sequence[CcmPod]) -> Iterator[str]:
    """The variables that the tags of images are, in lower case."""
    for pod in pods:
        if _APP_VERSION in pod.image.lower():
            yield _APP_VERSION
        elif _FROM_VALUES.search(pod.image) is not None:
            yield _CHART_VALUE
        match = _VARIABLE_TAG.search(pod.image)
        if match is not None:
            yield match["name"].lower()
