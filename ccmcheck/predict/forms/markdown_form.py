"""Predictions as Markdown: a table a Service, the drawing in a code block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable
from ccmcheck.predict.forms.text_form import TITLES, drawing, number
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.verdicts.afterwards import afterwards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.predict.forms.json_form import Report, Told

_SIGNS = {True: "yes", False: "**no**", None: "–"}


def write(report: Report) -> Iterator[str]:
    """Write everything that is told of one configuration at one release.

    Args:
        report: What there is to tell.

    Yields:
        Lines.
    """
    config = _cell(report.config) if report.config else "no cloud.conf, defaults"
    yield f"## CCM {report.release}: {config}"
    yield ""
    for note in report.notes:
        yield _cell(note)
        yield ""
    for told in report.services:
        yield from _service(told)
    if report.scripts:
        yield "### Conformance scripts"
        yield ""
        yield "| script | policy | passes | |"
        yield "|---|---|---|---|"
        for script in report.scripts:
            said = f"{script.text}: {script.why}" if script.why else script.text
            yield f"| {script.name} use case | {script.policy} | {_SIGNS[script.passes]} | {_cell(said)} |"
        yield ""


def _service(told: Told) -> Iterator[str]:
    found = told.prediction
    yield f"### Service `{_code(found.service)}` ({found.policy}): {found.outcome.value}"
    yield ""
    if found.why:
        yield _cell(found.why)
        yield ""
    if found.plans and found.outcome is not Outcome.ERROR:
        yield "```text"
        yield from (printable(line).replace("```", "'''") for line in drawing(found))
        yield "```"
        yield ""
        yield "| listener | pool | NodePort | monitor |"
        yield "|---|---|---|---|"
        for plan in found.plans:
            monitor = "none" if plan.monitor is None else f"{plan.monitor_type} {plan.http_path} :{plan.monitor_port}"
            pool, node_port = f"{plan.pool} {plan.method}", plan.node_port or "none"
            yield f"| {plan.listener}/{number(plan)} | {_cell(pool)} | {node_port} | {monitor} |"
        yield ""
    if found.answers:
        yield "| | good | | evidence |"
        yield "|---|---|---|---|"
        for one in found.answers:
            said = one.text + (f". {one.mechanism[0].upper()}{one.mechanism[1:]}" if one.mechanism else "")
            yield f"| {TITLES.get(one.name, one.name)} | {_SIGNS[one.good]} | {_cell(said)} | {_cell(one.evidence)} |"
        yield ""
    rows = list(afterwards(found))
    if rows:
        yield "| afterwards | |"
        yield "|---|---|"
        yield from (f"| {title} | {_cell(text)} |" for title, text in rows)
        yield ""
    if told.suggestion is not None:
        change, then = _cell(told.suggestion.change), _cell(told.suggestion.then)
        yield f"Suggested ({told.suggestion.row}): {change}. Then: {then}."
        yield ""
    for title, lines in (
        (
            "Findings",
            [f"{one.severity.word}: {one.text}{'. ' + one.help if one.help else ''}" for one in found.findings],
        ),
        ("Without effect", [f"{one.what}: {one.why}" for one in found.ignored]),
        ("Assumed", list(found.assumed)),
    ):
        if lines:
            yield f"{title}:"
            yield ""
            yield from (f"- {_cell(line)}" for line in lines)
            yield ""


def _cell(text: str) -> str:
    """A text that cannot end a cell, begin a tag or a link."""
    shown = printable(text)
    for sign in "\\|<>[]*_`":
        shown = shown.replace(sign, "\\" + sign)
    return shown


def _code(text: str) -> str:
    return printable(text).replace("`", "'")
