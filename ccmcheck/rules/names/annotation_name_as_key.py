"""A Service annotation used as a key of cloud.conf."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Problem, Problems
from ccmcheck.catalog import fold
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import BALANCER, IgnoredKey, reported_by
from ccmcheck.rules._support.renaming import default_applies, present, rename

_BARE_NUMBER = lazy_regex(r"\d+")


def check(conf: CloudConf) -> Problems:
    """Report the ignored keys that are names of annotations."""
    for ignored in reported_by(conf, "annotation-name-as-key"):
        from ccmcheck.catalog.service_annotations import PREFIX

        name = fold(ignored.item.entry.key)
        label = "a Service annotation, not a key; the CCM ignores it in cloud.conf"
        if not ignored.meant:
            yield Problem(
                ignored.item.entry.key_span,
                label,
                "",
                f"Annotate each Service: `{PREFIX}{name}`; cloud.conf has no such key.",
            )
        elif present(conf, ignored) is not None:
            yield Problem(ignored.item.entry.key_span, label, "", f"Delete the line; `{ignored.meant}` is set already.")
        else:
            yield Problem(
                ignored.item.entry.key_span,
                f"{label}, so {default_applies(conf, ignored)}",
                "",
                f"In cloud.conf it is `{ignored.meant}`.",
                fixes.unsafe(conf, f"write `{ignored.meant}`", _rename(conf, ignored)),
            )


def _rename(conf: CloudConf, ignored: IgnoredKey) -> Edit | None:
    section = conf.schema.section(BALANCER)
    spec = section.key(ignored.meant) if section is not None else None
    if spec is None or fold(ignored.item.section.name) != fold(BALANCER):
        return None
    value = ignored.item.entry.value or ""
    if spec.type != "duration":
        return rename(conf, ignored)
    if ignored.item.opaque:
        return None
    return rename(conf, ignored, value + "s" if _BARE_NUMBER.fullmatch(value) else None)
