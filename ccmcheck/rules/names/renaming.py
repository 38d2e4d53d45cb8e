"""What the rules about misnamed keys do alike: is the right name there already, what holds without it, and the renaming itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.rules import fixes, unreadable

if TYPE_CHECKING:
    from ccmcheck.model import Edit
    from ccmcheck.rules.ignored import Ignored
    from ccmcheck.views import CloudConf, Item


def present(conf: CloudConf, found: Ignored, subsection: str | None = None) -> Item | None:
    """The key that is meant, where the file has it already; renaming would then change which of the two counts."""
    return conf.last(found.section, found.meant, subsection)


def default_applies(conf: CloudConf, found: Ignored) -> str:
    """What holds while the key that is meant is not read: ``create-monitor stays `false```."""
    section = conf.schema.section(found.section)
    spec = section.key(found.meant) if section is not None else None
    if spec is None:
        return f"{found.meant} is not set"
    default = unreadable.default_of(spec)
    return f"{spec.name} stays {default}"


def rename(conf: CloudConf, found: Ignored, value: str | None = None) -> Edit | None:
    """Write the name that is meant; None where the release does not know it.

    Args:
        conf: The text.
        found: The key.
        value: Its new value, where the other vocabulary writes values differently.
    """
    section = conf.schema.section(found.section)
    if section is None or section.key(found.meant) is None:
        return None
    edit = fixes.rename_key(found.item.entry, found.meant)
    if value is None:
        return edit
    # one edit over the whole of key and value, so that nobody applies a half
    change = fixes.write_value(conf, found.item.entry, value)
    between = conf.text[edit.end : change.start]
    return edit._replace(end=change.end, text=edit.text + between + change.text)
