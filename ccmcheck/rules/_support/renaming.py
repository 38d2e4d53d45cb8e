"""Shared parts of the rules about misnamed keys: whether the right name is set, the default without it, and the fix."""

from __future__ import annotations

from ccmcheck.base.model import Edit
from ccmcheck.conf.assignments import spell
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Variable
from ccmcheck.rules._support import fixes, unreadable
from ccmcheck.rules._support.ignored import IgnoredKey


def present(conf: CloudConf, ignored: IgnoredKey, subsection: str | None = None) -> Item | None:
    """The intended key where the file sets it already: renaming would change which of the two takes effect."""
    return conf.last(ignored.section, ignored.meant, subsection)


def default_applies(conf: CloudConf, ignored: IgnoredKey) -> str:
    """The default that applies while the intended key is not set: ``create-monitor stays `false```."""
    section = conf.schema.section(ignored.section)
    spec = section.key(ignored.meant) if section is not None else None
    if spec is None:
        return f"{ignored.meant} is not set"
    default = unreadable.default_of(spec)
    return f"{spec.name} stays {default}"


def rename(conf: CloudConf, ignored: IgnoredKey, value: str | None = None) -> Edit | None:
    """Write the intended name, and a new value where the other tool writes values differently.

    Returns:
        The edit; None where the release does not know that name, or could not read the value.
    """
    entry = ignored.item.entry
    section = conf.schema.section(ignored.section)
    if section is None or section.key(ignored.meant) is None or not entry.sound:
        return None
    edit = fixes.rename_key(entry, ignored.meant)
    if value is not None:
        # one edit of key and value, so that they are only applied together
        change = fixes.write_value(conf, entry, value)
        edit = edit._replace(end=change.end, text=edit.text + conf.text[edit.end : change.start] + change.text)
        return edit if conf.would_read(ignored.section, ignored.meant, spell(value)) else None
    return (
        edit if ignored.item.opaque or conf.would_read(ignored.section, ignored.meant, raw_value(conf, entry)) else None
    )


def raw_value(conf: CloudConf, entry: Variable) -> str | None:
    """A value as written; None for a key without a value."""
    return conf.text[entry.value_start : entry.value_end] if entry.value_start >= 0 else None
