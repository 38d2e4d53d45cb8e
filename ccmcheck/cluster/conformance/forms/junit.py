"""JUnit XML: a test case each; a failure that does not count is skipped, with its reason."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.conformance.records import CaseResult, CaseVerdict, RunResult
from ccmcheck.cluster.core import markup

_SUITE = "ccmcheck cluster conformance"


def as_junit(result: RunResult) -> Iterator[str]:
    """The document in pieces."""
    failed = sum(case.counts for case in result.cases)
    stopped = int(result.remains is not None or not result.cases)
    aborted = sum(case.verdict is CaseVerdict.ABORT for case in result.cases)
    skipped = sum(case.verdict is CaseVerdict.FAIL and not case.required for case in result.cases) + aborted
    counts: dict[str, str | int] = {
        "name": _SUITE,
        "tests": len(result.cases) + stopped,
        "failures": failed,
        "errors": stopped,
        "skipped": skipped,
        "time": f"{result.seconds:.3f}",
    }
    suite = {**counts, "timestamp": result.started}
    yield f"{markup.HEADER}{markup.start('testsuites', counts)}>\n{markup.start('testsuite', suite)}>\n"
    yield f"<properties>{markup.start('property', {'name': 'cluster', 'value': result.cluster})}/></properties>\n"
    yield from map(_case, result.cases)
    if stopped:
        yield _error(result)
    yield "</testsuite>\n</testsuites>\n"


def _case(case: CaseResult) -> str:
    attributes: dict[str, str | int] = {"classname": _SUITE, "name": case.name, "time": f"{case.seconds:.3f}"}
    opening = f"{markup.start('testcase', attributes)}>"
    steps = "\n".join(f"{step.name}: {step.text}" for step in case.steps)
    said = f"<system-out>{markup.body(steps)}</system-out>"
    failing = case.failing
    if failing is None:
        return f"{opening}{said}</testcase>\n"
    message = f"{failing.name}: {failing.text}"
    if case.counts:
        failure = markup.start("failure", {"type": failing.name, "message": message})
        return f"{opening}{failure}>{markup.body(chr(10).join(case.causes))}</failure>{said}</testcase>\n"
    return f"{opening}{markup.start('skipped', {'message': message})}/>{said}</testcase>\n"


def _error(result: RunResult) -> str:
    remains = result.remains
    why = f"{remains.why}: {', '.join(remains.objects)}" if remains is not None else result.stopped
    name = "removal" if remains is not None else "creation"
    error = markup.start("error", {"type": name, "message": why})
    more = remains.command if remains is not None else ""
    case = markup.start("testcase", {"classname": _SUITE, "name": name})
    return f"{case}>{error}>{markup.body(more)}</error></testcase>\n"
