"""Whether a text that a file holds can be the path of another file; the operating system's calls raise for some."""

from __future__ import annotations

import os

LONGEST_PATH = 4_096
"""Characters; Linux opens no longer path, and resolving one of a million folders takes hours."""


def is_path(text: str) -> bool:
    """Whether a text can be a path: short enough, without a NUL, of characters that the file system can encode."""
    if not text or len(text) > LONGEST_PATH or "\0" in text:
        return False
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True
