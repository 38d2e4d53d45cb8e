"""The report for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ccmcheck.cluster.conformance.records import CaseResult, CaseVerdict, DelayComparison, Remains, RunResult
from ccmcheck.cluster.core import printable

_MARKS = {CaseVerdict.PASS: "✓", CaseVerdict.FAIL: "✗", CaseVerdict.ABORT: "-"}
_INDENT = "    "
_WIDTH = 112
_AGREES = {True: "as predicted", False: "not as predicted", None: ""}


def as_text(result: RunResult) -> Iterator[str]:
    """The lines of the report."""
    for line in _lines(result):
        yield from (f"{wrapped}\n" for wrapped in _wrapped(printable(line)))


def _wrapped(line: str) -> list[str]:
    """A line, broken where it is too long, unless it is to be copied."""
    if len(line) <= _WIDTH or "ccmcheck cluster" in line:
        return [line]
    from textwrap import wrap

    return wrap(line, _WIDTH, subsequent_indent=" " * 18, break_long_words=False, break_on_hyphens=False)


def _lines(result: RunResult) -> Iterator[str]:
    yield result.cluster
    yield f"Run {result.run_id}, {result.image}"
    if result.source:
        yield f"Predictions by {result.source}"
    for failure in result.failures:
        yield f"Not read for predictions: {failure.path}: {failure.message}"
    yield ""
    for case in result.cases:
        yield from _case(case)
        yield ""
    if result.stopped:
        yield f"The run ended early: {result.stopped}"
    yield _totals(result)
    if result.remains is not None:
        yield from removal(result.remains)
    elif any(case.steps for case in result.cases):
        yield "Everything that was created is removed"


def _case(case: CaseResult) -> Iterator[str]:
    if not case.steps:
        yield f"- {case.name}: not tried"
        return
    word = {CaseVerdict.FAIL: "fails", CaseVerdict.ABORT: "not tried to its end"}.get(case.verdict, "")
    what = f": {word}" if word else ""
    information = "; information, not counted" if case.verdict is CaseVerdict.FAIL and not case.required else ""
    yield f"{_MARKS[case.verdict]} {case.name}{what}{information} ({case.seconds:.0f} s)"
    yield f"{_INDENT}{case.title}"
    for step in case.steps:
        mark = "" if step.ok else "  ← fails" if step.ok is False else "  ← ends"
        yield f"{_INDENT}{step.name:<13} {step.seconds:6.1f} s  {step.text}{mark}"
    pods = Counter(reply.pod for step in case.steps if step.name == "requests" for reply in step.replies if reply.pod)
    if pods:
        yield f"{_INDENT}answered by   {', '.join(f'{name} ({count})' for name, count in pods.most_common())}"
    clients = _clients(case)
    if clients:
        yield f"{_INDENT}clients seen  {', '.join(clients)}" + (f"; predicted: {case.client}" if case.client else "")
    if case.predicted:
        yield f"{_INDENT}predicted     {case.predicted}"
    if case.comparison is not None:
        yield from _comparison(case.comparison)
    for number, cause in enumerate(case.causes):
        yield f"{_INDENT}{'likely cause' if not number else '':<13} {cause}"


def _comparison(comparison: DelayComparison) -> Iterator[str]:
    if comparison.predicted:
        agrees = _AGREES[comparison.agrees]
        yield f"{_INDENT}delays        predicted: {comparison.predicted}"
        yield f"{_INDENT}              measured: {comparison.measured}{f': {agrees}' if agrees else ''}"
    else:
        yield f"{_INDENT}delays        {comparison.measured}"


def _clients(case: CaseResult) -> list[str]:
    """The addresses that the pods saw, with those of X-Forwarded-For or a PROXY header."""
    seen = Counter(
        f"{reply.client} for {reply.forwarded}" if reply.forwarded else reply.client
        for step in case.steps
        for reply in step.replies
        if reply.client
    )
    return [address for address, _ in seen.most_common()]


def _totals(result: RunResult) -> str:
    counts = Counter(case.verdict for case in result.cases)
    parts = [f"{counts[CaseVerdict.PASS]} passed", f"{counts[CaseVerdict.FAIL]} failed"]
    information = sum(case.verdict is CaseVerdict.FAIL and not case.required for case in result.cases)
    if information:
        parts[1] += f" ({information} of them as information)"
    if counts[CaseVerdict.ABORT]:
        parts.append(f"{counts[CaseVerdict.ABORT]} not tried to the end")
    return f"{', '.join(parts)}, in {result.seconds:.0f} s"


def removal(remains: Remains) -> Iterator[str]:
    """What is left in the cluster, and what removes it."""
    yield f"✗ left in the cluster: {remains.why}"
    for line in remains.objects:
        yield f"{_INDENT}{line}"
    yield f"{_INDENT}Load balancers cost money until they are deleted. Remove it with: {remains.command}"
