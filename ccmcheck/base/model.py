"""The records that all rooms share: no I/O, no logic beyond their own fields.

A rule yields `Problem` records on the text of one cloud.conf; the engine turns each into a `Finding`, which has its
place in the file and no unmasked secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import TypeAlias

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple

_ENDS = lazy_regex(r"\b(?:not start|stops?)\b")
"""How a label says itself that the reader ends."""


class Span(NamedTuple):
    """Half-open range of code points in the text of one layer."""

    start: int
    end: int


class Edit(NamedTuple):
    """Replace ``[start, end)`` of one layer's text with ``text``."""

    start: int
    end: int
    text: str


class Severity(IntEnum):
    """How bad a finding is; severities are ordered."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The word in outputs and in the configuration: ``info``, ``warning`` or ``error``."""
        return self.name.lower()


class Applicability(IntEnum):
    """Whether a fix may be applied without ``--unsafe``."""

    SAFE = 1
    UNSAFE = 2

    @property
    def word(self) -> str:
        """``safe`` or ``unsafe``."""
        return self.name.lower()


class Fix(NamedTuple):
    """Edits on the text of one cloud.conf, and a title such as "write `3s`"."""

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.SAFE


class Stop(NamedTuple):
    """One error that ends the CCM's reader.

    The reader stops at its first; the linter goes on and collects all (contract 1 of the design).

    Attributes:
        kind: A stable name of the reason, such as ``illegal-character`` or ``bad-duration``; rules claim kinds.
        span: Where, in the text that was read.
        error: The CCM's own words, without the ``failed to read config`` its caller may add.
    """

    kind: str
    span: Span
    error: str


class Note(NamedTuple):
    """A further place of a problem, and what is there."""

    span: Span
    text: str


class Problem(NamedTuple):
    """What a rule yields: one problem in the text of one cloud.conf.

    Attributes:
        span: The primary place.
        label: The text under the caret: what is wrong and what the CCM does with it. One clause, no final full stop.
        detail: Why that matters; a sentence or two. May be empty.
        help: What to write instead; a sentence. May be empty.
        fix: The change that does so, where there is one.
        stop: The reader's error that this problem explains, if any.
        severity: Where it differs from the rule's own.
        notes: Further places.
    """

    span: Span
    label: str
    detail: str = ""
    help: str = ""
    fix: Fix | None = None
    stop: Stop | None = None
    severity: Severity | None = None
    notes: tuple[Note, ...] = ()


Problems: TypeAlias = Iterator[Problem]
"""What a rule says of one cloud.conf or one object."""


class Place(NamedTuple):
    """Where a finding is: lines and columns count from 1, columns in code points.

    Attributes:
        path: The file as the user named it.
        line: Line in the file; the scalar's line where the text is encoded.
        column: Column in the file.
        end_line: Line of the end in the file.
        end_column: Column after the end in the file.
        route: How to get from the file to the text, for people: ``Secret kube-system/cloud-config › data["cloud.conf"]
            (base64)``; empty for a plain file.
        inner_line: Line in the cloud.conf itself; equal to ``line`` for a plain file, 0 where the route names a field.
        inner_column: Column in the cloud.conf itself.
        exact: Whether ``line`` and ``column`` are the exact place, not just the scalar that holds it.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    route: str = ""
    inner_line: int = 0
    inner_column: int = 0
    exact: bool = True

    @property
    def way(self) -> str:
        """The route down to the line: ``Secret kube-system/cloud-config › data["cloud.conf"] (base64) › line 12``."""
        return f"{self.route} › line {self.inner_line}" if self.inner_line else self.route


class Snippet(NamedTuple):
    """One line of text with what to underline, secrets already masked.

    Attributes:
        line: The line's number, counted in the text that ``text`` is from.
        text: The line without its end.
        start: First underlined column, from 0.
        length: How many columns to underline, at least 1.
    """

    line: int
    text: str
    start: int
    length: int


class FurtherPlace(NamedTuple):
    """A `Note` with its place resolved."""

    place: Place
    text: str
    snippet: Snippet | None = None


class Replacement(NamedTuple):
    """A part of a file that a fix replaces, with lines and columns as in `Place`; its text holds no secret."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Finding(NamedTuple):
    """A problem with its place in the file; every text in it is masked already.

    Attributes:
        rule: The rule's name.
        severity: As the configuration has it.
        fatal: True where the CCM's own reader stops at this very place.
        place: Where.
        label: See `Problem`.
        detail: See `Problem`.
        help: See `Problem`.
        error: The CCM's own error text where the problem is about one, else empty.
        snippet: The line and the caret; None where there is no text to show.
        fix: The applicability of its fix, None without one.
        fix_title: What the fix does; empty without one.
        releases: The CCM releases judged that this is about, when several were judged and not all agree; else empty.
        further: More places.
        replacements: What its fix replaces in the file, where that may be shown; see `ccmcheck.lint.replacements`.
        reader: Who reads the file, where that is not the CCM; see `ccmcheck.catalog.CONSUMERS`.
        deployments: The kustomizations that have it, where it is about what they build.
        subject: What it is about, for who does not see the line: the Kubernetes object, and the key, field or section.
    """

    rule: str
    severity: Severity
    fatal: bool
    place: Place
    label: str
    detail: str = ""
    help: str = ""
    error: str = ""
    snippet: Snippet | None = None
    fix: Applicability | None = None
    fix_title: str = ""
    releases: tuple[str, ...] = ()
    further: tuple[FurtherPlace, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    reader: str = ""
    deployments: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """What is wrong with what, and whether that ends its reader, for who does not see the line and its mark."""
        if self.label.startswith("this is "):  # about the whole file, which every output names
            return self.label
        unnamed = [part for part in self.subject if not _names(self.label, part)]
        ends = f"; {self.reader or 'the CCM'} stops here" if self.fatal and not _ENDS.search(self.label) else ""
        return f"{', '.join(unnamed)}: {self.label}{ends}" if unnamed else f"{self.label}{ends}"


def _names(label: str, part: str) -> bool:
    """Whether a label has a name as a word of its own, an object's by its last part."""
    name = part.rpartition(" ")[2] if not part.startswith("`") else part
    at = label.find(name)
    while at >= 0:
        before, after = label[:at][-1:], label[at + len(name) :][:1]
        if not (before.isalnum() or before in ("-", "_")) and not (after.isalnum() or after in ("-", "_")):
            return True
        at = label.find(name, at + 1)
    return False


class HiddenWords(frozenset[str]):
    """Secrets, kept to find copies of them: a set of words that tells how many it has, and none of them."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} hidden>"

    __str__ = __repr__
