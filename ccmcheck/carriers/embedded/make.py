"""Makefiles: the variables of several lines between ``define`` and ``endef``, and the heredocs of recipes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded import shell
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.layers.slice import Slice

_DEFINE = lazy_regex(r"^(?:(?:export|override)[ \t]++)*+define[ \t]++(?P<name>\S++)[^\n]*+\n", re.MULTILINE)
_END = lazy_regex(r"^endef\b", re.MULTILINE)


def find(text: str) -> Iterator[EmbeddedText]:
    """Find the texts of a Makefile.

    Args:
        text: The file.

    Yields:
        The variables of several lines, then what is found in any script.
    """
    position = 0
    while (start := _DEFINE.search(text, position)) and (end := _END.search(text, start.end())):
        layer = Slice(text, Span(start.end(), end.start()), "define")
        yield EmbeddedText(layer, f"define {start['name']}", variables=True)
        position = end.end()
    for embedded_text in shell.find(text):
        yield embedded_text._replace(variables=not embedded_text.shell)  # make replaces them whatever the shell quotes
