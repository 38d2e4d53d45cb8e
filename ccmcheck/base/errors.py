"""Every error that ccmcheck raises on purpose.

::

    CcmcheckError                what is wrong, where, what to do next; an exit code
    ├── WrongUse             2   an option, an argument or a name that does not exist
    │   └── BadConfiguration 2   the same in ccmcheck.toml, pyproject.toml or a baseline
    ├── InputError           3   a file that could not be read
    │   ├── TooLarge         3   over the size limit, packed or unpacked
    │   └── BadYaml          3   a document that is not YAML; carries its offset
    ├── CannotEdit           3   a place in a file that must be edited by hand; carries the reason
    └── InternalError        3   a bug in ccmcheck

Only ``cli/`` prints them and exits.
"""

from __future__ import annotations

import os


class CcmcheckError(Exception):
    """The base of the tree.

    Args:
        message: What is wrong and where, one sentence, no secret in it.
        hint: What to do next; may be empty.
    """

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class WrongUse(CcmcheckError):
    """An option, an argument or a name that does not exist."""

    exit_code = 2


class BadConfiguration(WrongUse):
    """A configuration file or a baseline that cannot be used."""


class InputError(CcmcheckError):
    """A file that could not be read; the others are still linted."""


class TooLarge(InputError):
    """A file, or what it unpacks to, is over the size limit."""


class GitUnavailable(InputError):
    """Git cannot be used: it is missing, too old, or takes too long; the message says which."""


class BadYaml(InputError):
    """A YAML document that cannot be parsed.

    Args:
        message: The parser's words.
        offset: Where, in code points of the text that was parsed.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class CannotEdit(CcmcheckError):
    """A place that only a person can edit; ``message`` is the reason."""


class InternalError(CcmcheckError):
    """A bug in ccmcheck."""


def described(error: BaseException) -> str:
    """An unexpected error by its type and place, without its message, which may quote a file."""
    trace = error.__traceback__
    place = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if f"{os.sep}ccmcheck{os.sep}" in code.co_filename or not place:
            place = f"{code.co_filename.rpartition(os.sep)[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__} at {place}"
