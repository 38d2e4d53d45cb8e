"""The records that the data modules are written in."""

from __future__ import annotations

from typing import Literal

from ccmcheck.base.records import NamedTuple

Value = str | bool | int | tuple[str, ...] | None
"""A Go value as plain Python; durations are texts such as ``5s``, lists are tuples."""

How = Literal["zero", "before", "empty"]
"""Where a default comes from: Go's zero value; set before the file is read; set afterwards where the key is empty."""


class Key(NamedTuple):
    """One key as one consumer declares it.

    Attributes:
        name: As gcfg matches it: the tag, or the Go field's name in lower case.
        releases: The branches whose tips have it.
        type: Its type in the last of them.
        default: Its value where the file says nothing, in the last of them.
        how: Where that value comes from.
        earlier_types: What it was before, by releases.
        earlier_defaults: What that was before, by releases.
        first_tag: The first tag that has it, where that is not the first of its first branch.
        missing_in_tags: Later tags that lack it, because it was brought to older branches first.
    """

    name: str
    releases: str
    type: str
    default: Value
    how: How = "zero"
    earlier_types: tuple[tuple[str, str], ...] = ()
    earlier_defaults: tuple[tuple[str, Value, How], ...] = ()
    first_tag: str = ""
    missing_in_tags: tuple[str, ...] = ()


class Section(NamedTuple):
    """One section as one consumer declares it.

    Attributes:
        name: The Go field's name.
        plain: The releases that read it as ``[Name]``; empty for none.
        subsections: The releases that read it as ``[Name "x"]``; empty for none.
        keys: What it holds.
    """

    name: str
    plain: str
    subsections: str
    keys: tuple[Key, ...]


class Source(NamedTuple):
    """Where one consumer declares a key, and what it says about it.

    Attributes:
        go_field: The struct's field.
        last_tag: The last tag that has it; empty while the key lives.
        documented_in: The releases whose documentation names it.
        environment: The variables that set it where the file does not, and in which releases.
        ref: Branch, file and line of the declaration.
    """

    go_field: str
    last_tag: str = ""
    documented_in: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    ref: str = ""


class Annotation(NamedTuple):
    """One annotation of a Service that the CCM reads or writes.

    Attributes:
        name: With its prefix.
        releases: The branches whose tips have it.
        type: ``string``, ``bool``, ``int`` …
        overrides: What of cloud.conf it overrides, in words.
        keys: The same as keys of [LoadBalancer].
        default: What holds without it, in words.
        parse: How its value is read.
        on_unparsable: What becomes of a value that cannot be read, by releases.
        conflicts: What it does not go together with.
        notes: What else is known.
        first_tag: The first tag that has it, where that is not the first of its first branch.
        missing_in_tags: Later tags that lack it.
        documented_in: The releases whose documentation names it.
        ref: Branch, file and line.
    """

    name: str
    releases: str
    type: str
    overrides: str
    keys: tuple[str, ...]
    default: str
    parse: str
    on_unparsable: tuple[tuple[str, str], ...] = ()
    conflicts: tuple[str, ...] = ()
    notes: str = ""
    first_tag: str = ""
    missing_in_tags: tuple[str, ...] = ()
    documented_in: tuple[str, ...] = ()
    ref: str = ""


class Turn(NamedTuple):
    """What a behaviour that comes or goes with a release means for whoever upgrades.

    Attributes:
        behaviour: Its name in ``ccmcheck.catalog.data.behaviour.STRETCHES``.
        concerns: Whom it concerns, as `ccmcheck.review.upgrade.conditions` names it; all of them together.
        level: ``error``, ``warning`` or ``info``, where it comes.
        begins: What it is, in a clause; empty where its coming is not worth a word.
        begins_do: What to do then; may be empty.
        ends: What holds when it is gone; empty where that is not worth a word.
        ends_do: What to do then; may be empty.
        ends_level: The level of that.
        source: Where it can be read, besides the stretches' own sources.
    """

    behaviour: str
    concerns: tuple[str, ...]
    level: str
    begins: str
    begins_do: str = ""
    ends: str = ""
    ends_do: str = ""
    ends_level: str = "info"
    source: str = ""
