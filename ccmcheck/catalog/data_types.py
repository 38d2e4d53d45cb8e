"""The records that the data modules are written in."""

from __future__ import annotations

from typing import Literal

from ccmcheck.base.records import NamedTuple

Value = str | bool | int | tuple[str, ...] | None
"""A Go value as plain Python; durations are texts such as ``5s``, lists are tuples."""

DefaultSource = Literal["zero", "before", "empty"]
"""Where a default comes from: Go's zero value; set before the file is read; set afterwards where the key is empty."""

Declaration = tuple[str, str, str, Value, DefaultSource]
"""What a key is on one stretch of releases: first tag, first tag after, type, default, where that comes from."""

KeySource = tuple[str, str, str, str]
"""Where a key is declared: the struct's field; the branches whose documentation names it, between spaces; the variables
that set it where the file does not, each behind its branches and ``=``; release, file and line."""

KeyRow = tuple[str, tuple[Declaration, ...], KeySource]
"""One key as one program declares it: its name, what it is by releases, and where it is declared."""

SectionRow = tuple[str, tuple[tuple[str, str, bool], ...], list[KeyRow]]
"""One section as one program declares it: its name; its forms (first tag, first tag after, whether it has subsections);
its keys."""


class Annotation(NamedTuple):
    """One annotation of a Service that the CCM reads or writes.

    Attributes:
        name: With its prefix.
        stretches: First tag that knows it, and first tag after; see `ccmcheck.catalog.stretches`.
        type: ``string``, ``bool``, ``int`` …
        overrides: What of cloud.conf it overrides, in words.
        keys: The same as keys of [LoadBalancer].
        default: What holds without it, in words.
        parse: How its value is read.
        on_unparsable: What becomes of a value that cannot be read, by releases.
        conflicts: What it does not go together with.
        notes: What else is known.
        documented_in: The releases whose documentation names it.
        ref: Branch, file and line.
    """

    name: str
    stretches: tuple[tuple[str, str], ...]
    type: str
    overrides: str = ""
    keys: tuple[str, ...] = ()
    default: str = ""
    parse: str = ""
    on_unparsable: tuple[tuple[str, str], ...] = ()
    conflicts: tuple[str, ...] = ()
    notes: str = ""
    documented_in: tuple[str, ...] = ()
    ref: str = ""


class BehaviourChange(NamedTuple):
    """What a behaviour that comes or goes means for an upgrade: a row of ``data/behaviour_changes.json``.

    Sources: kubernetes/cloud-provider-openstack at the tags named in `ccmcheck.catalog.data.behaviour`, read with
    ``git grep`` at every tag; where a row says more than those, its own source stands behind it.

    Attributes:
        behaviour: Its name in ``ccmcheck.catalog.data.behaviour.BEHAVIOURS``.
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
