"""Settings of installers and charts with another effect than they look like, or none; ``installer_traps.txt`` has them."""

from __future__ import annotations

from functools import cache

from ccmcheck.base.data_files import paragraphs, read_text, records
from ccmcheck.base.records import NamedTuple


class InstallerTrap(NamedTuple):
    """One of them.

    A condition is a path, its names, which are patterns, apart by blanks, ``*`` for any, ``?`` behind one that may not be there: it holds where something not empty is there, with
    ``= PATTERN`` where that is all of its value, with ``!= PATTERN`` where it is not, and with ``is PATTERN`` without quotes. A list has the value
    ``[a,b]``, a mapping ``{..}`` or ``{}``.

    Attributes:
        kind: The kinds of objects.
        on: What must hold; the first one is the place of the finding.
        without: What must not hold, nor be unknown.
        label: What is wrong, at the place.
        detail: What happens.
        do: What to write.
        source: Where it can be read.
        severity: That of the finding.
        since: The chart's first version with it; empty for all.
        before: The first one without it again.
        no_conf: A pattern that no cloud.conf nearest to it may have; there must be one.
    """

    kind: tuple[str, ...]
    on: tuple[str, ...]
    label: str
    detail: str
    do: str
    source: str
    without: tuple[str, ...] = ()
    severity: str = "info"
    since: str = ""
    before: str = ""
    no_conf: str = ""


@cache
def traps(kind: str = "") -> tuple[InstallerTrap, ...]:
    """Those of a kind of objects, or all: of a long table no more is read than somebody asks for."""
    whole = _paragraphs()
    asked = [part for part in whole if f"\nkind: {kind}\n" in f"\n{part}"] if kind else whole
    return records(paragraphs("\n\n".join(asked)), InstallerTrap)


@cache
def _paragraphs() -> list[str]:
    return read_text(__file__, "installer_traps.txt").split("\n\n")
