"""Regular expressions that are compiled at their first use.

A run uses a third of the patterns, and compiling one takes longer than most runs spend matching it.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Pattern:
    """Compiles its pattern at the first access to an attribute; from then on its methods are the compiled pattern's."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a compiled pattern has
        if name.startswith("__"):
            raise AttributeError(name)
        compiled: re.Pattern[Any] = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, but compiles at the first use: an error in the pattern raises there, so test each pattern."""
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))
