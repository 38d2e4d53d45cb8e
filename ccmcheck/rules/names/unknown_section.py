"""An unknown section in cloud.conf."""

from __future__ import annotations

from functools import cache

from ccmcheck.base.model import Edit, Problem, Problems, Span
from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.catalog.data.other_names import SECTION_ALIASES
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Section
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL, is_ccm_file, is_foreign, known_section
from ccmcheck.rules._support.renaming import raw_value


@cache
def _aliases() -> dict[str, str]:
    return {fold_name(name): section for name, section in SECTION_ALIASES.items()}


def check(conf: CloudConf) -> Problems:
    """Look at each header."""
    section_of = conf.schema.section
    for section in conf.sections:
        spec = section_of(section.name)
        if spec is None:
            if known_section(section.name):
                continue
        elif section.subsection is None or spec.is_map or spec.name == GLOBAL:
            continue
        if not section.sound or conf.is_opaque(section.span) or not is_ccm_file(conf) or is_foreign(conf):
            continue
        yield (
            _explain(conf, section)
            if spec is None
            else Problem(
                section.span,
                f"[{spec.name}] has no subsections: the CCM silently ignores this one",
                f"The keys of `[{spec.name}]` apply to every Service.",
                f'Write `[{spec.name}]`, or `[LoadBalancerClass "name"]` for settings of some Services.',
            )
        )


def _explain(conf: CloudConf, section: Section) -> Problem:
    names = [spec.name for spec in conf.schema.sections]
    near = _aliases().get(fold_name(section.name)) or nearest_name(section.name, names) or ""
    known = conf.schema.section(near) if near else None
    label = "unknown section; the CCM silently ignores every key in it"
    if known is None or known.is_map is not (section.subsection is not None):
        return Problem(
            section.name_span, label, "", f"The CCM reads {', '.join(f'`[{name}]`' for name in _plain(conf))}."
        )
    readable = all(
        conf.would_read(known.name, entry.key, raw_value(conf, entry))
        for entry in section.entries
        if entry.sound and known.key(entry.key) is not None and not conf.is_opaque(Span(entry.key_start, entry.end))
    )
    edit = Edit(section.name_span.start, section.name_span.end, known.name) if readable else None
    return Problem(
        section.name_span,
        label,
        "",
        f"Did you mean `[{known.name}]`?",
        fixes.unsafe(conf, f"write `[{known.name}]`", edit),
    )


def _plain(conf: CloudConf) -> list[str]:
    return [spec.name if not spec.is_map else f'{spec.name} "name"' for spec in conf.schema.sections]
