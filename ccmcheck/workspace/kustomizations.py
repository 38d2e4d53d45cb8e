"""The kustomizations around the files of a run: which are built, read below the top of the repository alone.

A kustomization above a file of the run is found too, so that a patch that is named alone is not judged as an object of
its own; findings are reported in the files of the run, and in those that a kustomization of the run is made of.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from stat import S_ISREG

from ccmcheck.base import text
from ccmcheck.base.boundary import is_within, leads_out
from ccmcheck.base.errors import TooLarge
from ccmcheck.base.garbage_collection import LongLived
from ccmcheck.base.path_proximity import folder_of
from ccmcheck.base.paths import is_path
from ccmcheck.base.repository_paths import repository_top
from ccmcheck.base.result import Failure
from ccmcheck.carriers.prefilter import worth_parsing
from ccmcheck.kustomize.builds import NAMES, NO_BUILDS, WHOLE, Builds, is_kustomization
from ccmcheck.workspace import discover
from ccmcheck.workspace.discover import DiscoverOptions

_BALANCER = "LoadBalancer"
_DEEPEST = 24
"""How many folders above a file are looked into."""


def find_builds(
    paths: Sequence[str], worth: Sequence[str], options: DiscoverOptions, naming_values: Sequence[str] = ()
) -> Builds:
    """Find what is built.

    Args:
        paths: All files of the run.
        worth: Those that may hold what is judged.
        options: Which files are read.
        naming_values: Those that may say which values are laid over one another.
    """
    own = [path for path in paths if is_kustomization(path)]
    above = _above(worth, {folder_of(path) for path in own})
    if not own and not above and not naming_values:
        return NO_BUILDS
    reader = _Reader(options)
    asked = frozenset(os.path.normpath(path) for path in paths)
    builds = builds_of(own, above, reader, asked, discover.Excluded(options)) if own or above else NO_BUILDS
    return with_value_chains(builds, naming_values, reader, asked)


def with_value_chains(
    builds: Builds, roots: Sequence[str], read: Callable[[str, str], str | None], asked: frozenset[str]
) -> Builds:
    """The same with the files that several files of values make a release of.

    Args:
        builds: What kustomizations build.
        roots: The files that may name others.
        read: See `ccmcheck.kustomize.plan.plan`.
        asked: The files of the run.
    """
    from ccmcheck.carriers.generators import KnownFiles
    from ccmcheck.carriers.value_chains import releases_in
    from ccmcheck.kustomize.files import Files
    from ccmcheck.kustomize.limits import OF_RUN, BuildWork

    bundles: dict[str, dict[str, str]] = {}
    documents: dict[str, set[int]] = {path: set(numbers) for path, numbers in builds.documents.items()}
    unlinked: list[str] = []
    too_large = dict(builds.too_large)
    work, known = BuildWork(OF_RUN), KnownFiles(asked)
    for root in dict.fromkeys(map(os.path.normpath, roots)):
        if root in builds.bundles or root in builds.documents:
            continue
        files = Files(partial(read, root), bundle=root, work=BuildWork(run=work))
        try:
            releases = releases_in(root, files, known)
        except TooLarge as error:
            too_large[root] = error.message.replace("building this kustomization", "laying its values over one another")
            continue
        if not releases:
            continue
        bundles[root] = files.used
        unlinked += [root] if any(release.lacks for release in releases) else []
        for path, numbers in files.documents_used.items():
            documents.setdefault(path, set()).update(numbers if path != root else {WHOLE})
    if not bundles and not too_large:
        return builds
    return builds._replace(
        too_large=too_large,
        bundles=builds.bundles.with_files(bundles),
        documents={path: frozenset(numbers) for path, numbers in documents.items()},
        unlinked=tuple(unlinked),
    )


def builds_of(
    own: Sequence[str],
    above: Sequence[str],
    read: Callable[[str, str], str | None],
    asked: frozenset[str],
    is_excluded: Callable[[str], bool] | None = None,
) -> Builds:
    """Find what is built of kustomizations.

    Args:
        own: The kustomizations of the run.
        above: Those around its files.
        read: See `ccmcheck.kustomize.plan.plan`.
        asked: The files of the run.
        is_excluded: Whether a file is left out of the run.
    """
    from ccmcheck.kustomize.plan import plan

    with LongLived():
        builds = plan([*own, *above], read, _is_relevant, asked)
    roots = {os.path.normpath(path) for path in own}
    shown: set[str] = set()
    parts: set[str] = set()
    for path in builds.bundles:
        names = builds.bundles.files_of(path)
        parts.update(names)
        if path in roots:
            shown.update(names)
    hidden = parts - shown - asked
    if is_excluded is not None:
        hidden |= {path for path in parts - asked if is_excluded(path)}
    return builds._replace(hidden=frozenset(hidden))


def _is_relevant(path: str, content: str) -> bool:
    return _BALANCER in content or worth_parsing(text.encode(content), path)


def _above(paths: Sequence[str], known: set[str]) -> list[str]:
    """The kustomizations in the folders of files and around them, up to the top of the repository."""
    found: dict[str, None] = {}
    done: set[str] = set()
    here = os.path.abspath(os.curdir)
    for folder in dict.fromkeys(map(folder_of, paths)):
        below = folder
        whole = os.path.abspath(below or os.curdir)
        top = repository_top(whole) or (here if is_within(whole, here) else whole)
        for _ in range(_DEEPEST):
            if whole in done:
                break
            done.add(whole)
            if below not in known:
                candidates = (os.path.join(below, name) for name in NAMES)
                found.update(dict.fromkeys([one for one in candidates if os.path.exists(one)][:1]))
            if whole == top:
                break
            below = _parent(below)
            whole = os.path.dirname(whole)
    return list(found)


def _parent(folder: str) -> str:
    """The folder around a folder, as the user would name it."""
    if not folder or os.path.basename(folder) == os.pardir:
        return os.path.join(folder, os.pardir)
    return os.path.dirname(folder)


class _Reader:
    """Reads files of builds: plain files, within the limits of the run, below the top of their repository.

    Args:
        options: Which files are read.
    """

    def __init__(self, options: DiscoverOptions) -> None:
        self._options = options
        self._here = os.path.realpath(os.curdir)
        self._tops: dict[str, str] = {}
        self._missing = ""
        self._texts: dict[str, str | None] = {}

    def __call__(self, root: str, path: str) -> str | None:
        """The text of a file; None where there is none, or it is outside of the repository of a kustomization.

        Without a repository, what is below the current folder counts; else what is below the kustomization's own.

        Args:
            root: The kustomization.
            path: The file.
        """
        top = self._tops.get(root)
        if top is None:
            folder = os.path.realpath(os.path.dirname(root) or os.curdir)
            top = self._tops[root] = repository_top(folder) or (self._here if is_within(folder, self._here) else folder)
        if not is_path(path) or not self._is_file(path):  # most that is looked for is not there
            return None
        if leads_out(path, top):
            return None
        if path not in self._texts:
            self._texts[path] = self._text(path)
        return self._texts[path]

    def _is_file(self, path: str) -> bool:
        """Whether there is a regular file; in what is not there itself nothing is looked for."""
        if self._missing and path.startswith(self._missing):
            return False
        try:
            return S_ISREG(os.stat(path).st_mode)
        except (OSError, ValueError):
            self._missing = f"{path}/"
            return False

    def _text(self, path: str) -> str | None:
        data = discover.read(discover.Target(path, explicit=True), self._options.max_size_of(path))
        if data is None or isinstance(data, Failure):
            return None
        decoded = text.decode(data)
        return decoded.text if decoded.is_utf8 and not decoded.is_binary else None
