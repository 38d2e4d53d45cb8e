"""The effective configuration: every key that a release knows, with the value it will use and where that comes from."""

from __future__ import annotations

from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import KeySpec, Schema
from ccmcheck.conf.reading import Reading
from ccmcheck.gcfg import Document, Variable


class Setting(NamedTuple):
    """One key of one section or subsection.

    Attributes:
        section: As the catalogue writes it.
        subsection: The subsection; None for a plain section.
        key: As the catalogue writes it.
        value: What the CCM will use: durations in nanoseconds, lists as lists. None where nothing can be stored.
        default: The same where the file says nothing.
        entry: The last entry that sets it; None where the default applies.
        origin: ``file`` or ``default``.
        spec: What the catalogue knows of the key.
    """

    section: str
    subsection: str | None
    key: str
    value: object
    default: object
    entry: Variable | None
    origin: str
    spec: KeySpec


def effective(document: Document, reading: Reading, schema: Schema) -> list[Setting]:
    """Work out every key's value.

    In a file with errors this is what would hold if each entry that cannot be read were not there.

    Args:
        document: The file.
        reading: What the consumer reads in it.
        schema: What the consumer knows.

    Returns:
        Plain sections in the order of the catalogue, whether the file has them or not; each subsection of the file
        where its section has subsections.
    """
    last: dict[tuple[str, str | None, str], Variable] = {}
    subsections: dict[str, dict[str, None]] = {}
    for section in document.sections:
        spec = schema.section(section.name)
        if spec is None or (section.subsection is not None and not spec.is_map):
            continue
        subsection = (section.subsection or "") if spec.is_map else None
        if subsection is not None:
            subsections.setdefault(spec.name, {})[subsection] = None
        for entry in section.entries:
            key = reading.specs.get(entry.key_start)
            if key is not None and entry.key_start in reading.typed:
                last[spec.name, subsection, key.name] = entry
    return [
        _setting(key, subsection, last.get((spec.name, subsection, key.name)), reading)
        for spec in schema.sections
        for subsection in (subsections.get(spec.name, ()) if spec.is_map else (None,))
        for key in spec.keys
        if key.type != "reserved"
    ]


def _setting(key: KeySpec, subsection: str | None, entry: Variable | None, reading: Reading) -> Setting:
    default = key.default_value
    value = reading.typed.get(entry.key_start) if entry is not None else None
    if entry is None or (key.default_source == "empty" and not value):
        # an empty value of such a key means the default
        return Setting(key.section, subsection, key.name, default, default, entry, "default", key)
    return Setting(key.section, subsection, key.name, value, default, entry, "file", key)
