"""A key in the wrong section."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import reported_by
from ccmcheck.rules._support.renaming import default_applies, present, raw_value


def check(conf: CloudConf) -> Problems:
    """Report the ignored keys that belong to another section."""
    for ignored in reported_by(conf, "key-in-wrong-section"):
        item = ignored.item
        label = f"ignored here: the key belongs to [{ignored.section}]"
        if conf.schema.section(ignored.section) is None:
            yield Problem(
                item.entry.key_span,
                f"ignored here: the key belongs to [{ignored.section}], which other programs read",
                "Neither the CCM nor those programs find it here.",
                f"Move the line to `[{ignored.section}]` where one of them reads this file, else delete it.",
            )
            continue
        if present(conf, ignored) is not None:
            yield Problem(
                item.entry.key_span,
                label,
                "",
                f"Delete the line; `{ignored.meant}` is set in [{ignored.section}] already.",
            )
            continue
        value = item.entry.value
        fix = None
        if (
            value is not None
            and not item.opaque
            and conf.would_read(ignored.section, ignored.meant, raw_value(conf, item.entry))
        ):
            fix = fixes.unsafe(
                conf,
                f"move it to [{ignored.section}]",
                fixes.delete_key(conf, item.entry),
                fixes.add_key(conf, ignored.section, ignored.meant, value),
            )
        yield Problem(
            item.entry.key_span,
            f"{label}, so {default_applies(conf, ignored)}",
            "",
            f"Move the line to `[{ignored.section}]`.",
            fix,
        )
