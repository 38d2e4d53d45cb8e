"""From a name that somebody types to its page.

Pages of cloud.conf's sections and keys, from the catalogue's histories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.key_effects import CHANGED_LATER, key_effect
from ccmcheck.catalog.stretches import Lifetime
from ccmcheck.explain.page import Page
from ccmcheck.policy.profiles.standards import BUILT_IN
from ccmcheck.report.document.blocks import Table
from ccmcheck.rules import RULE_NAMES

if TYPE_CHECKING:
    from ccmcheck.catalog import ConsumerHistory, KeyHistory

CCM = "ccm"


def key_page(history: KeyHistory) -> Page:
    """The page of one key: type, defaults, since and until, what it becomes in Octavia, who else reads it."""
    section, key = history.section, history.key
    main = history.consumers.get(CCM)
    facts: list[tuple[str, str]] = []
    if main is None:
        facts.append(("read by", ", ".join(history.consumers)))
        main = next(iter(history.consumers.values()))
    facts += _facts(main)
    unit, becomes = key_effect(section, key)
    if unit:
        facts.append(("unit", unit))
    if becomes:
        facts.append(("becomes", becomes))
    if section.startswith("LoadBalancer") and key in CHANGED_LATER:
        facts.append(("changed later", f"{CHANGED_LATER[key]}; the CCM reads cloud.conf at its start"))
    others = [f"{consumer} ({_span(one.lifetime)})" for consumer, one in history.consumers.items() if consumer != CCM]
    if CCM in history.consumers and others:
        facts.append(("also read by", ", ".join(others)))
    facts.append(("source", main.ref or "the facts of this release"))
    paragraphs = [("Notes", _sentence(history.notes))] if history.notes else []
    title = f"Key `{key}` of [{section}]"
    return Page("key", f"{section}.{key}", title, tuple(facts), tuple(paragraphs), see=_see(key), tables=_tables(key))


def section_page(name: str) -> Page:
    """The page of one section: its keys with type, default, and the releases that know them."""
    keys = [history for key in catalog.all_keys(name) if (history := catalog.history(name, key)) is not None]
    spec = catalog.schema(catalog.newest()).section(name)
    consumers = dict.fromkeys(consumer for history in keys for consumer in history.consumers)
    facts = [("read by", ", ".join(consumers))]
    if spec is not None and spec.is_map:
        facts.append(("written as", f'[{name} "name"], once for each name'))
    facts += [(history.key, _short(history)) for history in keys]
    see = (f"{name}.{keys[0].key}",) if keys else ()
    return Page("section", name, f"Section [{name}] of cloud.conf", tuple(facts), see=see)


def _tables(key: str) -> tuple[Table, ...]:
    if key != "create-monitor":
        return ()
    from ccmcheck.explain.matrix import table

    return (table(),)


def _facts(history: ConsumerHistory) -> Iterator[tuple[str, str]]:
    yield "type", _history((releases, kind) for releases, kind in history.types)
    yield "default", _history((releases, _value(value)) for releases, value, _ in history.defaults)
    yield "releases", _span(history.lifetime)
    if history.lifetime.missing_in_tags:
        yield "not in", ", ".join(history.lifetime.missing_in_tags)
    if not history.documented:
        yield "documented", "in no release"


def _history(changes: Iterable[tuple[str, str]]) -> str:
    """One value where it never changed, else each with its releases, newest first."""
    found = list(changes)
    if len({value for _, value in found}) == 1:
        return found[0][1]
    return "; ".join(f"{value} ({releases})" for releases, value in reversed(found))


def _span(span: Lifetime) -> str:
    since = span.first_tag if span.first_tag and not span.first_tag.startswith("<") else span.since
    return f"{since} to {span.last_tag or span.until}" if span.until else f"{since} and newer"


def _short(history: KeyHistory) -> str:
    one = history.consumers.get(CCM) or next(iter(history.consumers.values()))
    owner = "" if CCM in history.consumers else f", only {', '.join(history.consumers)}"
    return f"{one.types[-1][1]}, default {_value(one.defaults[-1][1])}, {_span(one.lifetime)}{owner}"


def _value(value: object) -> str:
    if value in ("", None, ()):
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _see(key: str) -> tuple[str, ...]:
    from ccmcheck.catalog.service_annotations import all_annotations

    return tuple(annotation.name for annotation in all_annotations() if key in annotation.keys)


_KEY = lazy_regex(r"\[?[ \t]*+([\w-]++)[ \t]*+\]?[ \t.]*+([\w-]++)")
"""``Section.key``, also as it stands in messages: ``[Section] key``."""

_ROW = lazy_regex(r"(?:row:)?[Mm]\d\d")
"""A row of the create-monitor matrix."""


_RELEASE = lazy_regex(r"v?\d{1,4}\.\d{1,4}(?:\.\d{1,4})?")
"""A release."""


def is_name(name: str) -> bool:
    """Whether there is a page by a name.

    Args:
        name: As for `explain`.
    """
    return next(_found(name), None) is not None


PROFILE = "profile:"
"""What stands before the name of a profile, or its file."""


def explain(name: str) -> list[Page]:
    """Find what there is to say about a name.

    Args:
        name: A rule, ``Section.key``, a key alone, a section with or without its brackets, or an annotation with or
            without its prefix; ``profile:`` and a profile's name or file; a row of the matrix; a release.

    Returns:
        One page; several where a key stands in several sections.

    Raises:
        WrongUse: Nothing has that name; with the nearest one that exists.
    """
    wanted = name.strip().strip("`\"'")
    pages = list(_found(wanted))
    if pages:
        return pages
    from ccmcheck.base.suggest import hint

    raise WrongUse(
        f"There is nothing to explain by the name `{wanted}`.",
        hint(wanted, list(names()))
        or "Name a rule, a key, a section, an annotation, a profile or a row (M13); `ccmcheck rules` lists the rules.",
    )


def _found(wanted: str) -> Iterator[Page]:
    if wanted.startswith(PROFILE) or wanted in BUILT_IN:
        from ccmcheck.explain.profiles import profile_page

        yield profile_page(wanted.removeprefix(PROFILE))
        return
    if wanted in RULE_NAMES:
        from ccmcheck.explain.rules import rule_page

        yield rule_page(wanted)
        return
    if _ROW.fullmatch(wanted):
        from ccmcheck.explain.matrix import row_named, row_page

        row = row_named(wanted)
        if row is not None:
            yield row_page(row)
        return
    if _RELEASE.fullmatch(wanted):
        from ccmcheck.explain.release import release_page

        release = release_page(wanted)
        if release is not None:
            yield release
        return
    named = _KEY.fullmatch(wanted)
    history = catalog.history(named[1], named[2]) if named else None
    if history is not None:
        yield key_page(history)
        return
    section = _section(wanted.removeprefix("[").removesuffix("]").strip())
    if section is not None:
        yield section_page(section)
        return
    from ccmcheck.catalog.service_annotations import PREFIX, annotation
    from ccmcheck.explain.annotations import annotation_page

    found_annotation = annotation(wanted) or annotation(PREFIX + wanted)
    histories = [history for one in catalog.all_sections() if (history := catalog.history(one, wanted)) is not None]
    if found_annotation is not None and not (histories and "/" not in wanted):
        yield annotation_page(found_annotation)
    yield from map(key_page, histories)


def _section(name: str) -> str | None:
    folded = catalog.fold(name)
    return next((section for section in catalog.all_sections() if catalog.fold(section) == folded), None)


def names() -> Iterator[str]:
    """Every name that there is a page for."""
    from ccmcheck.catalog.service_annotations import PREFIX, all_annotations
    from ccmcheck.policy.create_monitor.matrix import BY_ID

    yield from RULE_NAMES
    yield from BY_ID
    for profile in BUILT_IN:
        yield f"{PROFILE}{profile}"
    for section in catalog.all_sections():
        yield section
        for key in catalog.all_keys(section):
            yield key
            yield f"{section}.{key}"
    for annotation in all_annotations():
        yield annotation.name
        yield annotation.name.removeprefix(PREFIX)
