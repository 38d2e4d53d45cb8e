"""Sets and unsets keys where a cloud.conf lies, losing nothing around them: what shell scripts do with ``sed``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog, gcfg
from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import find
from ccmcheck.conf import reading
from ccmcheck.conf.view import CloudConf
from ccmcheck.fix.guard import changed, check
from ccmcheck.rules._support.fixes import add_key, delete_key, neighbour, spell, write_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.model import Edit
    from ccmcheck.carriers import FindOptions
    from ccmcheck.catalog import Schema
    from ccmcheck.conf.target_release import TargetRelease


class Assignment(NamedTuple):
    """One key to set or to unset.

    Attributes:
        section: As the catalogue writes it.
        subsection: The class's name; None for a plain section.
        key: As the catalogue writes it.
        value: What the CCM shall read; None to unset it.
        was: The only values that are unset; any where empty.
    """

    section: str
    subsection: str | None
    key: str
    value: str | None
    was: tuple[str, ...] = ()


class Place(NamedTuple):
    """One cloud.conf of a file.

    Attributes:
        path: The file as the user named it.
        text: The file's text.
        number: Which of its cloud.confs, from 0.
    """

    path: str
    text: str
    number: int


class Changed(NamedTuple):
    """A file with one key set.

    Attributes:
        text: The file's text; the same where the key was set already.
        route: The way to the cloud.conf; the file's path where it is one itself.
    """

    text: str
    route: str


def assignment(text: str, schema: Schema, *, unset: bool = False) -> Assignment:
    """Read one argument, and check it by the catalogue.

    Args:
        text: ``create-monitor=true``, ``LoadBalancer.create-monitor=true``,
            ``LoadBalancerClass.gold.floating-network-id=…``; only the name when ``unset``.
        schema: Who reads the file.
        unset: Whether the key is to be removed.

    Raises:
        WrongUse: The release knows no such key (to unset one, no release ever knew it and no section is named), several
            sections have it, or the value is of another type.
    """
    name, equals, value = text.partition("=")
    if not unset and not equals:
        raise WrongUse(f"`{name}` has no value", f"Write {name}=VALUE, or --unset {name}.")
    section, subsection, key = (_named_to_unset if unset else _named)(name.strip(), schema)
    found = Assignment(section, subsection, key, None if unset else value)
    if not unset:
        _typed(found, schema)
    return found


def _named_to_unset(name: str, schema: Schema) -> tuple[str, str | None, str]:
    """Also a key that the release knows no more, and any key at all if its section is named: nothing is lost by it."""
    try:
        return _named(name, schema)
    except WrongUse:
        head, dot, key = name.rpartition(".")
        if dot:
            section, _, subsection = head.partition(".")
            return section, subsection or None, key
        wanted = catalog.fold(key)
        homes = [home for home in catalog.all_sections() if wanted in map(catalog.fold, catalog.all_keys(home))]
        if len(homes) != 1:
            raise
        return homes[0], None, key


def _named(name: str, schema: Schema) -> tuple[str, str | None, str]:
    head, dot, key = name.rpartition(".")
    section, _, subsection = head.partition(".")
    known = schema.section(section) if dot else None
    if dot and known is None:
        from ccmcheck.base.suggest import hint

        raise WrongUse(
            f"The CCM {schema.release.name} knows no section `{section}`.",
            hint(section, [one.name for one in schema.sections]),
        )
    homes = [known] if known is not None else [one for one in schema.sections if not one.is_map]
    specs = [(home, spec) for home in homes if (spec := home.key(key)) is not None]
    if not specs:
        from ccmcheck.base.suggest import hint

        raise WrongUse(
            f"The CCM {schema.release.name} knows no key `{name}`.",
            hint(key, [spec.name for home in homes for spec in home.keys]),
        )
    if len(specs) > 1:
        choices = ", ".join(f"{home.name}.{key}" for home, _ in specs)
        raise WrongUse(f"`{key}` is a key of several sections.", f"Write one of {choices}.")
    home, spec = specs[0]
    if home.is_map and not subsection:
        raise WrongUse(f"[{home.name}] needs a name.", f"Write {home.name}.NAME.{spec.name}.")
    return home.name, subsection if home.is_map else None, spec.name


def _typed(wanted: Assignment, schema: Schema) -> None:
    header = wanted.section if wanted.subsection is None else f'{wanted.section} "{wanted.subsection}"'
    document = gcfg.parse(f"[{header}]\n{wanted.key} = {spell(wanted.value or '')}\n")
    found = reading.read(document, schema)
    if found.stops:
        spec = found.spec_of(document.sections[0].entries[0]) if document.sections else None
        secret = spec is not None and spec.secret
        raise WrongUse(
            f"The CCM would not start with this value of {wanted.key}"
            + ("." if secret else f": {found.stops[0].error}"),
            f"`ccmcheck explain {wanted.section}.{wanted.key}` tells what it takes.",
        )


def assign(
    path: str, whole: str, wanted: Sequence[Assignment], judged: TargetRelease, options: FindOptions
) -> tuple[str, list[str]]:
    """Set and unset keys in every cloud.conf of a file.

    Args:
        path: The file as the user named it.
        whole: Its text.
        wanted: What to set; a key that holds its value already is left alone.
        judged: Who reads the file, at which release.
        options: How its cloud.confs are found.

    Returns:
        The text after, and the routes of the cloud.confs that changed.

    Raises:
        WrongUse: There is no cloud.conf in it.
        CannotEdit: A place that must be edited by hand; nothing is changed then.
    """
    text = whole
    routes: dict[int, str] = {}
    for one in wanted:
        number = 0
        while (changed := change_one(Place(path, text, number), one, (judged,), options)) is not None:
            if changed.text != text:
                text = changed.text
                routes[number] = changed.route
            number += 1
        if not number:
            why = find(path, text, options._replace(explicit=True)).why_none
            raise WrongUse(f"there is no cloud.conf in {path}{why}")
    return text, [routes[number] for number in sorted(routes)]


def change_one(
    place: Place, wanted: Assignment, judged: Sequence[TargetRelease], options: FindOptions, *, for_ccm: bool = False
) -> Changed | None:
    """Set or unset one key in one cloud.conf.

    Args:
        place: Which one.
        wanted: What to set.
        judged: Who reads the file, at which releases.
        options: How cloud.confs are found.
        for_ccm: Whether to leave alone what the CCM does not read.

    Returns:
        The file's text after; None where it has not that many cloud.confs.

    Raises:
        CannotEdit: It must be edited by hand.
    """
    found = find(place.path, place.text, options._replace(explicit=True)).carried
    if place.number >= len(found):
        return None
    carried = found[place.number]
    schemas = [catalog.schema(one.release, one.consumer) for one in judged]
    conf = CloudConf.read(carried, judged[0].release, judged[0].consumer)
    edits = sort(_edits_of(conf, wanted)) if conf.for_ccm or not for_ccm else []
    text = place.text
    if edits:
        change = changed(carried.stack.inner, edits)
        check(change, schemas)
        text = apply(text, carried.stack.put(edits))
        after = find(place.path, text, options._replace(explicit=True)).carried
        if len(after) != len(found) or after[place.number].stack.inner != change.after:
            raise CannotEdit("the layers around the text cannot carry the change exactly")
    return Changed(text, carried.route or place.path)


def _edits_of(conf: CloudConf, wanted: Assignment) -> list[Edit]:
    items = conf.all(wanted.section, wanted.key, wanted.subsection)
    if wanted.value is None:
        return [
            delete_key(conf, item.entry)
            for item in items
            if not wanted.was or (item.entry.value in wanted.was and not item.opaque)
        ]
    if items:
        last = items[-1]
        if last.entry.value == wanted.value and not last.opaque:
            return []
        if last.opaque:
            raise CannotEdit(f"{wanted.key} holds a template mark; edit it by hand")
        return [write_value(conf, last.entry, wanted.value)]
    edit = add_key(
        conf,
        wanted.section,
        wanted.key,
        wanted.value,
        subsection=wanted.subsection,
        after=neighbour(conf, wanted.section, wanted.key, wanted.subsection),
    )
    if edit is None:
        raise CannotEdit(f"rendering may add keys to [{wanted.section}], so nobody knows whether {wanted.key} is there")
    return [edit]
