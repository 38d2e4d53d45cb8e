"""Why a text is taken for a cloud.conf, or why it is not."""

from __future__ import annotations

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple


class Recognition(NamedTuple):
    """The answer to the question whether a text is a cloud.conf, with its reason.

    Attributes:
        taken: Whether the text is read as a cloud.conf.
        reason: Why, as a clause for people. It quotes names of sections and keys that ccmcheck knows, never other parts
            of the text, so that it can be shown.
        program: Who reads the text instead, where its sections and keys say so: ``Octavia``; else empty.
        span: The place in the text that decided, empty where there is no such place.
    """

    taken: bool
    reason: str
    program: str = ""
    span: Span = Span(0, 0)
