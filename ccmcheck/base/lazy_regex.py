"""Regular expressions that are compiled when they are first used.

A run needs a third of the patterns there are, and compiling one takes longer than most runs take to use it.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Pattern:
    """Stands for a pattern until it is asked for something; from then on its methods are the compiled one's."""

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
    """A pattern as `re.compile` makes it, made at its first use.

    Args:
        pattern: As for `re.compile`; a fault in it shows at the first use, so each needs a test that uses it.
        flags: As for `re.compile`.
    """
    return cast("re.Pattern[AnyStr]", _Pattern(pattern, flags))
