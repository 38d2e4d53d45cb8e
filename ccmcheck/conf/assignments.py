"""Keys that are set or unset by an argument, checked by what the catalogue knows of them."""

from __future__ import annotations

from ccmcheck import catalog, gcfg
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Schema
from ccmcheck.catalog.readers import reader_name
from ccmcheck.conf import reading

_NEEDS_QUOTES = lazy_regex(r"""[#;"\\\n\r]|^[ \t]|[ \t]$""")


def spell(value: str, *, quoted: bool = False) -> str:
    """A value as cloud.conf text, in double quotes where ``#``, ``;``, quotes, backslashes or outer spaces need it."""
    if not quoted and _NEEDS_QUOTES.search(value) is None:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class UnknownKey(WrongUse):
    """The reader of a cloud.conf knows no such key."""


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
        UnknownKey: The release knows no such key (to unset one, no release ever knew it and no section is named).
        WrongUse: Several sections have it, or the value is of another type.
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

        raise UnknownKey(
            f"{_reader(schema)} knows no section `{section}`.", hint(section, [one.name for one in schema.sections])
        )
    homes = [known] if known is not None else [one for one in schema.sections if not one.needs_name]
    specs = [(home, spec) for home in homes if (spec := home.key(key)) is not None]
    if not specs:
        from ccmcheck.base.suggest import hint

        raise UnknownKey(
            f"{_reader(schema)} knows no key `{name}`.", hint(key, [spec.name for home in homes for spec in home.keys])
        )
    if len(specs) > 1:
        choices = ", ".join(f"{home.name}.{key}" for home, _ in specs)
        raise WrongUse(f"`{key}` is a key of several sections.", f"Write one of {choices}.")
    home, spec = specs[0]
    if home.needs_name and not subsection:
        raise WrongUse(f"[{home.name}] needs a name.", f"Write {home.name}.NAME.{spec.name}.")
    if subsection and not home.is_map:
        raise UnknownKey(f"{_reader(schema)} ignores a [{home.name}] with a name.", f"Write {home.name}.{spec.name}.")
    return home.name, (subsection or None) if home.is_map else None, spec.name


def _reader(schema: Schema) -> str:
    name = reader_name(schema.consumer)
    return f"{name[0].upper()}{name[1:]} {schema.release.name}"


def _typed(wanted: Assignment, schema: Schema) -> None:
    header = wanted.section if wanted.subsection is None else f'{wanted.section} "{wanted.subsection}"'
    document = gcfg.parse(f"[{header}]\n{wanted.key} = {spell(wanted.value or '')}\n")
    found_reading = reading.read(document, schema)
    if found_reading.stops:
        spec = found_reading.specs.get(document.sections[0].entries[0].key_start) if document.sections else None
        secret = spec is not None and spec.secret
        raise WrongUse(
            f"{_reader(schema)} would not start with this value of {wanted.key}"
            + ("." if secret else f": {found_reading.stops[0].error}"),
            f"`ccmcheck explain {wanted.section}.{wanted.key}` tells what it takes.",
        )
