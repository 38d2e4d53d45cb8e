"""A placeholder that was never filled in."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.carriers.base import FILE
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import placeholders, spelling


def check(conf: CloudConf) -> Problems:
    """Look at every value of a known key, and at the names of classes."""
    if not conf.final or placeholders.are_for_readers(conf.path, is_named=conf.carried.named):
        return
    signs = spelling.may_hold_placeholder(conf.text)
    if conf.carried.marks and conf.carried.carrier == FILE:
        yield from _marks(conf)
    if signs:
        yield from _names(conf)
    for item in conf.items:
        value = item[1].value
        if not value or not (signs or spelling.may_be_sample(value)) or item.spec is None:
            continue
        left = spelling.placeholder(value, secret=item.spec.secret)
        if left and not conf.is_stopped(item) and not conf.is_opaque(item.span):
            start = conf.text.find(left, item.entry.value_start, item.entry.value_end)
            place = item.span if start < 0 or item.spec.secret else Span(start, start + len(left))
            yield _problem(conf, place, left if not item.spec.secret or spelling.is_mask(left) else "")


def _marks(conf: CloudConf) -> Problems:
    """One problem with all template marks of a file whose name says no template."""
    marked = [
        item
        for item in conf.items
        if item.opaque
        and spelling.is_template_mark(conf.text[slice(*item.span)], secret=item.spec is not None and item.spec.secret)
    ]
    if marked:
        are = "this value is a template mark" if len(marked) == 1 else f"{len(marked)} values are template marks"
        yield Problem(
            marked[0].span,
            f"{are}, and the file is not named as a template",
            f"If nothing fills them in, {conf.reader} reads them literally.",
            "Fill them in; if a program does that, name the file `cloud.conf.tmpl` or pass `--template`.",
            severity=Severity.WARNING,
        )


def _names(conf: CloudConf) -> Problems:
    for section in conf.sections:
        place = section.subsection_span
        if section.subsection and place is not None and conf.schema.section(section.name) is not None:
            left = spelling.placeholder(section.subsection)
            if left and not conf.is_opaque(place):
                yield _problem(conf, place, left)


def _problem(conf: CloudConf, place: Span, left: str) -> Problem:
    label = placeholders.never_filled_in(left, conf.reader)
    severity = placeholders.severity_in(conf.path, Severity.ERROR)
    if spelling.is_mask(left):
        return Problem(
            place,
            label,
            "It stands for a value that was masked where this text was copied from.",
            "Put the value itself here; `ccmcheck render --output FILE` writes secrets unmasked.",
            severity=severity,
        )
    return Problem(place, label, "Variables and templates are not expanded.", placeholders.RENDER, severity=severity)
