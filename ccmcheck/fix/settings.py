"""Sets and unsets keys where a cloud.conf lies, losing nothing around them: what shell scripts do with ``sed``."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
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
    from collections.abc import Callable, Mapping, Sequence

    from ccmcheck.base.model import Edit
    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import CarriedConf
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
    found_assignment = Assignment(section, subsection, key, None if unset else value)
    if not unset:
        _typed(found_assignment, schema)
    return found_assignment


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
    found_reading = reading.read(document, schema)
    if found_reading.stops:
        spec = found_reading.spec_of(document.sections[0].entries[0]) if document.sections else None
        secret = spec is not None and spec.secret
        raise WrongUse(
            f"The CCM would not start with this value of {wanted.key}"
            + ("." if secret else f": {found_reading.stops[0].error}"),
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
    file = ConfFile(path, whole, (judged,), options)
    if not file.carried:
        why = find(path, whole, options._replace(explicit=True)).why_none
        raise WrongUse(f"there is no cloud.conf in {path}{why}")
    routes: dict[int, str] = {}
    for one in wanted:
        by_halves(range(len(file.carried)), partial(_set_one, file, one, routes))
    return file.text, [routes[number] for number in sorted(routes)]


def _set_one(file: ConfFile, wanted: Assignment, routes: dict[int, str], numbers: Sequence[int]) -> None:
    routes.update(file.change(dict.fromkeys(numbers, wanted)))


class ConfFile:
    """A file whose cloud.confs are changed, many of them at once: the file is searched anew after each change.

    Args:
        path: The file as the user named it.
        text: Its text.
        judged: Who reads the file, at which releases.
        options: How its cloud.confs are found.

    Attributes:
        text: The text, as far as it has come.
        carried: Its cloud.confs.
    """

    def __init__(self, path: str, text: str, judged: Sequence[TargetRelease], options: FindOptions) -> None:
        self.text = text
        self._path = path
        self._judged = judged
        self._schemas = [catalog.schema(release.release, release.consumer) for release in judged]
        self._options = options._replace(explicit=True)
        self.carried = self._search(text)

    def _search(self, text: str) -> list[CarriedConf]:
        return find(self._path, text, self._options).carried

    def change_in_turn(self, wanted: Mapping[int, Sequence[Assignment]]) -> None:
        """Set and unset several keys in each of some cloud.confs, all of them or none; see `change`."""
        before = self.text, self.carried
        try:
            for turn in range(max(map(len, wanted.values()))):
                self.change({number: each[turn] for number, each in wanted.items() if turn < len(each)})
        except CannotEdit:
            self.text, self.carried = before
            raise

    def change(self, wanted: Mapping[int, Assignment]) -> dict[int, str]:
        """Set or unset a key in each of some cloud.confs, all of them or none.

        Args:
            wanted: What to set, by the cloud.conf's number from 0.

        Returns:
            The routes of the cloud.confs that changed, by number; the file's path for one that is the file itself.

        Raises:
            CannotEdit: One of them must be edited by hand, or they get in each other's way.
        """
        if max(wanted) >= len(self.carried):
            raise CannotEdit("the file would not hold the same cloud.confs any more")
        meant: dict[int, str] = {}
        outer: list[list[Edit]] = []
        for number, one in wanted.items():
            carried = self.carried[number]
            conf = CloudConf.read(carried, self._judged[0].release, self._judged[0].consumer)
            edits = sort(_edits_of(conf, one))
            if edits:
                change = changed(carried.stack.inner, edits)
                check(change, self._schemas)
                meant[number] = change.after
                outer.append(carried.stack.put(edits))
        if not meant:
            return {}
        text = apply(self.text, _apart(outer))
        after = self._search(text)
        if len(after) != len(self.carried) or any(after[number].stack.inner != now for number, now in meant.items()):
            raise CannotEdit("the layers around the text cannot carry the change exactly")
        routes = {number: self.carried[number].route or self._path for number in meant}
        self.text, self.carried = text, after
        return routes


def by_halves(numbers: Sequence[int], attempt: Callable[[Sequence[int]], None]) -> None:
    """Make a change for many numbers at once, and where that fails, for each half of them.

    Args:
        numbers: Which.
        attempt: Makes it for some of them in order, or for none and raises `CannotEdit`.

    Raises:
        CannotEdit: It fails for one alone.
    """
    waiting = [numbers]
    while waiting:
        part = waiting.pop()
        try:
            attempt(part)
        except CannotEdit:
            if len(part) == 1:
                raise
            waiting += [part[len(part) // 2 :], part[: len(part) // 2]]


def _apart(carried: list[list[Edit]]) -> list[Edit]:
    """The edits of several cloud.confs on their file.

    Raises:
        CannotEdit: Two of them have a place in common: one may be the other, by an alias.
    """
    in_order = sorted(filter(None, carried), key=lambda edits: edits[0].start)
    if any(after[0].start <= before[-1].end for before, after in pairwise(in_order)):
        raise CannotEdit("two cloud.confs of the file have a place in common")
    return [edit for edits in in_order for edit in edits]


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
