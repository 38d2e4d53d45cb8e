"""Regular expressions that are compiled at their first use.

A run uses a third of the patterns, and compiling one takes longer than most runs spend matching it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, AnyStr, cast

_COMPILE = re.compile
_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Pattern:
    """Compiles its pattern at the first access to an attribute; from then on its methods are the compiled pattern's."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a compiled pattern has
        if name.startswith("__"):
            raise AttributeError(name)
        compiled: re.Pattern[Any] = _COMPILE(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but compiles at the first use: an error in the pattern raises there, so test each pattern."""
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))


@contextmanager
def late_patterns() -> Iterator[None]:
    """Let the patterns of a library that is imported meanwhile compile at their first use, too.

    PyYAML's take 7 ms, half of its import and a fifteenth of the time that linting one file takes, and of those the
    parser in C uses none.
    """
    vars(re)["compile"] = lazy_regex
    try:
        yield
    finally:
        vars(re)["compile"] = _COMPILE
