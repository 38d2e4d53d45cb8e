"""What decides where something is left open: a row of ``choices.txt`` or ``node_choices.txt``."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple


class OpenChoice(NamedTuple):
    """One choice.

    Attributes:
        topic: What it is about, in one or two words.
        says: What decides, and the outcome.
        change: What changes it.
        source: Where that can be read.
        when: Conditions that must hold, see ``holds`` where they are asked for.
        quiet: Whether it is seldom a surprise, so that only ``-v`` lists it.
        lint: The annotation at which lint tells of it; empty where only a prediction does.
    """

    topic: str
    says: str
    change: str
    source: str
    when: tuple[str, ...] = ()
    quiet: bool = False
    lint: str = ""
