"""What the verdict on a file depends on besides its bytes, as one digest: the only place that knows.

Whatever of it cannot be put into plain values, as an object of a kind that is not known here, ends the digest: then
nothing is kept, and every file is judged.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import TYPE_CHECKING, Any

from ccmcheck import __version__
from ccmcheck.base.boundary import PACKAGE
from ccmcheck.redact.run_secrets import run_secrets

if TYPE_CHECKING:
    from ccmcheck.lint.engine import Linter
    from ccmcheck.workspace.discover import Target


_PLAIN = (str, int, float, bool, type(None))  # of severities and the like their numbers


class NotPlain(Exception):
    """Something is no plain value."""


class VerdictFacts:
    """What the verdicts of one linter depend on.

    Args:
        linter: It.
        digest: Makes a code of bytes.
    """

    def __init__(self, linter: Linter, digest: Callable[[bytes], int]) -> None:
        self._linter = linter
        self._digest = digest
        self._by_file: dict[object, int] = {}
        try:
            self._of_run = _bytes_of(_of_run(linter))
        except NotPlain:
            self._of_run = b""

    def of(self, target: Target) -> int:
        """The digest for a file; 0 where its verdict depends on more.

        Args:
            target: The file.
        """
        path, explicit = target
        linter, around = self._linter, self._linter.run_context
        if not self._of_run or linter.is_built(path):
            return 0
        release = None if linter.settings.judged else linter.releases.found_around(path)
        own = (release, linter.off(path), around.confs.get(path), path in around.in_tree, explicit)
        found = self._by_file.get(own)
        if found is None:
            found = self._by_file[own] = self._digest(self._of_run + _bytes_of(own))
        return found


def _of_run(linter: Linter) -> tuple[Any, ...]:
    """What all files of a linter have in common.

    Raises:
        NotPlain: A base revision, chosen deployments or a live cluster decide as well.
    """
    settings, around = linter.settings, linter.run_context
    # charts are noted when they are asked for, and no file of a build is kept
    find = settings.find._replace(chart_templates=None, bundles=None, built=frozenset(), patches=frozenset())  # type: ignore[arg-type]
    settings = settings._replace(find=find, path_ignores=None)
    every = around.confs.get(""), "" in around.in_tree
    # those of each file are looked up for it
    around = around._replace(confs={}, in_tree=frozenset(), services=0, unconfigured=0, builds=None)  # type: ignore[arg-type]
    return (*program(), os.getcwd(), sorted(run_secrets()), settings, around, every)


@cache
def program() -> tuple[Any, ...]:
    """This installation: the version, and where it is a source tree, its files as they are."""
    is_source = os.path.exists(os.path.join(os.path.dirname(PACKAGE), "pyproject.toml"))
    return (__version__, sys.version, PACKAGE, *(_files_below(PACKAGE) if is_source else ()))


def _files_below(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.is_dir(follow_symlinks=False):
                yield from _files_below(entry.path)
            elif not entry.name.endswith(".pyc"):
                status = entry.stat()
                yield entry.name, status.st_mtime_ns, status.st_size


def _bytes_of(value: object) -> bytes:
    return repr(_plain(value)).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> object:  # noqa: ANN401 - whatever a record holds
    """A value as plain ones, equal for equal values.

    Raises:
        NotPlain: It holds something else.
    """
    if isinstance(value, _PLAIN):
        return int(value) if isinstance(value, int) else value
    if isinstance(value, tuple | list):
        return (type(value).__name__, *[_plain(one) for one in value])
    if isinstance(value, AbstractSet):
        return sorted(repr(_plain(one)) for one in value)
    if isinstance(value, Mapping):
        return sorted((repr(_plain(key)), _plain(one)) for key, one in value.items())
    raise NotPlain(type(value).__name__)
