"""A key or section that this release no longer reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.base.suggest import fold_name
from ccmcheck.catalog import fold
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.data.notations import OWN_KEYS
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import CCM, IgnoredKey, by_release, lost_sections, reported_by
from ccmcheck.rules._support.once import once
from ccmcheck.rules._support.renaming import rename

if TYPE_CHECKING:
    from ccmcheck.catalog import KeyHistory
    from ccmcheck.conf.view import CloudConf


def check(conf: CloudConf) -> Problems:
    """Report the names that the catalogue has for earlier releases only."""
    for section, history in lost_sections(conf):
        is_dead = conf.carried.consumers == (CCM,) and section.span not in _for_driver(conf)
        if is_dead and by_release(conf.schema, history) == "key-removed":
            yield Problem(
                section.span,
                f"the CCM no longer reads this section since {_removed_in(conf, history)}",
                "",
                _advice(conf, "section", history),
                (fixes.unsafe if conf.is_assumed else fixes.safe)(
                    conf, "delete the section", *fixes.delete_section(conf, section)
                ),
            )
    own = OWN_KEYS.get(conf.carried.carrier, frozenset())
    for ignored in reported_by(conf, "key-removed"):
        is_opaque = conf.is_assumed and conf.is_opaque(ignored.item.span)
        if ignored.history is not None and not is_opaque and ignored.meant not in own:
            yield _explain(conf, ignored, ignored.history)


@once
def _for_driver(conf: CloudConf) -> frozenset[Span]:
    """The places of the sections with a key that the Cinder CSI driver reads, which may share the file."""
    schema = catalog.schema(catalog.newest(CINDER_CSI), CINDER_CSI)
    found = set()
    for item in conf.items:
        section = schema.section(item.section.name) if item.spec is None else None
        if section is not None and section.key(fold(item.entry.key)) is not None:
            found.add(item.section.span)
    return frozenset(found)


def _explain(conf: CloudConf, ignored: IgnoredKey, history: KeyHistory) -> Problem:
    entry = ignored.item.entry
    section = conf.schema.section(ignored.section)
    newer = [spec.name for spec in section.keys if fold_name(spec.name) == fold_name(ignored.meant)] if section else []
    label = f"ignored since CCM {_removed_in(conf, history)}"
    if newer and conf.last(ignored.section, newer[0]) is None:
        return Problem(
            entry.key_span,
            f"{label}: renamed to {newer[0]}",
            "",
            f"Write `{newer[0]}`.",
            fixes.unsafe(conf, f"write `{newer[0]}`", rename(conf, ignored._replace(meant=newer[0]))),
            severity=Severity.WARNING,
        )
    delete = fixes.delete_key(conf, entry)
    if not conf.is_assumed or _is_default(conf, ignored, history):
        return Problem(entry.key_span, label, "", "Delete the line.", fixes.safe(conf, "delete the line", delete))
    return Problem(
        entry.key_span, label, "", _advice(conf, "line", history), fixes.unsafe(conf, "delete the line", delete)
    )


def _advice(conf: CloudConf, what: str, history: KeyHistory) -> str:
    if not conf.is_assumed:
        return f"Delete the {what}."
    return (
        f"Delete the {what} if the CCM is {_removed_in(conf, history)} or newer; --release tells ccmcheck which it is."
    )


def _is_default(conf: CloudConf, ignored: IgnoredKey, history: KeyHistory) -> bool:
    """Whether the last release that read the key does the same without it."""
    last = catalog.release(history.consumers[conf.schema.consumer].lifetime.until)
    section = catalog.schema(last, conf.schema.consumer).section(history.section)
    spec = section.key(history.key) if section is not None else None
    return spec is not None and conf.read_at(last).typed.get(ignored.item.entry.key_start) == spec.default_value


def _removed_in(conf: CloudConf, history: KeyHistory) -> str:
    """The first branch that does not read it."""
    major, minor = history.consumers[conf.schema.consumer].lifetime.until.split(".")
    return f"{major}.{int(minor) + 1}"
