"""An unknown key in cloud.conf."""

from __future__ import annotations

from functools import lru_cache

from ccmcheck.base.model import Problem, Problems
from ccmcheck.base.suggest import distance, fold_name
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import reported_by
from ccmcheck.rules._support.renaming import default_applies, present, rename


@lru_cache(maxsize=64)
def _label(section: str) -> str:
    """The same text for any number of keys."""
    return f"unknown key in [{section}]; the CCM silently ignores it"


def _is_doubtful(key: str, meant: str) -> bool:
    """Whether a key is so far from the one nearest to it that the file, which has that one, may mean another."""
    return distance(fold_name(key), fold_name(meant), 2) == 2


def check(conf: CloudConf) -> Problems:
    """Report the ignored keys that no other rule explains."""
    section, label = None, ""
    for ignored in reported_by(conf, "unknown-key"):
        item = ignored.item
        if ignored.history is not None:
            yield Problem(
                item.entry.key_span,
                "ignored by the CCM: only OpenShift's operator and the in-tree provider read it",
                "The credentials must be in this file, or in a clouds.yaml with `use-clouds = true`.",
                "Delete the line.",
            )
            continue
        if item.section is not section:
            section = item.section
            label = _label(section.name)
        if not ignored.meant:
            yield Problem(item.entry.key_span, label, "", "Delete the line, or write the intended key.")
            continue
        other = present(conf, ignored, item.section.subsection)
        takes_more = other is not None and other.spec is not None and other.spec.type == "list"
        spec = conf.schema.section(ignored.section)
        if other is not None and not takes_more and _is_doubtful(item.entry.key, ignored.meant):
            yield Problem(item.entry.key_span, label, "", "Delete the line, or write the intended key.")
            continue
        if spec is not None and spec.key(ignored.meant) is None:
            yield Problem(item.entry.key_span, label, "", f"Did you mean `{ignored.meant}`?")
            continue
        yield Problem(
            item.entry.key_span,
            f"{label}, so {default_applies(conf, ignored)}" if other is None else label,
            "",
            f"Did you mean `{ignored.meant}`?"
            if other is None or takes_more
            else f"Delete the line; `{ignored.meant}` is set already.",
            fixes.unsafe(conf, f"write `{ignored.meant}`", rename(conf, ignored))
            if other is None or takes_more
            else None,
        )
