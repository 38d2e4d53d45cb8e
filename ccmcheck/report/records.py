"""Findings, failures and the summary as plain JSON values: the one description that json and ndjson share.

The names of the fields are a promise; ``VERSION`` goes up when one of them changes its meaning or goes away.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from ccmcheck.base.budget import cuts
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.result import Failure, LintResult, count_by_rule, count_by_severity
from ccmcheck.report.document.layout import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ccmcheck.base.model import Finding, Place, Snippet
    from ccmcheck.report.limit import Cut

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"

VERSION = 1

_HASHES = "#\\u0023"
"""Two of them begin a command of Azure Pipelines and of GitHub wherever they stand in a line."""

# json writes a surrogate as \udxxx; a high one followed by a low one is a whole character, and an even number of
# backslashes before it is a text that only looks like an escape
_LONE = lazy_regex(
    r"(?P<whole>\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\[^u])|\\u(?P<lone>d[89a-f][0-9a-f]{2})", re.DOTALL
)


def finding_record(finding: Finding, fingerprint: str) -> dict[str, Json]:
    """One finding: its rule, its place in the file and in the cloud.conf, all its texts, and its fix."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.word,
        "fatal": finding.fatal,
        **_place(finding.place),
        "subject": ", ".join(finding.subject),
        "label": finding.label,
        "detail": finding.detail,
        "help": finding.help,
        "error": finding.error,
        "snippet": _snippet(finding.snippet),
        "fix": None if finding.fix is None else {"applicability": finding.fix.word, "title": finding.fix_title},
        "releases": finding.releases,
        "further": [
            {**_place(further.place), "label": further.text, "snippet": _snippet(further.snippet)}
            for further in finding.further
        ],
        **({"deployments": finding.deployments} if finding.deployments else {}),
        "fingerprint": fingerprint,
    }


def failure_record(failure: Failure) -> dict[str, Json]:
    """One file that could not be read; ``line`` and ``column`` are null where they are unknown."""
    return {
        "path": failure.path,
        "line": failure.line or None,
        "column": failure.column or None,
        "message": failure.message,
        "hint": failure.hint,
        "internal": failure.internal,
    }


def summary_record(result: LintResult, cut: Sequence[Cut] = ()) -> dict[str, Json]:
    """The run in numbers, of all findings, and which of them the report leaves out."""
    summary = result.summary
    checks = {"checks": [one._asdict() for one in summary.checks]} if summary.checks else {}
    return {
        "files": summary.files,
        "files_with_cloud_conf": summary.files_with_cloud_conf,
        "cloud_confs": summary.cloud_confs,
        "cloud_confs_with_findings": summary.cloud_confs_with_findings,
        "findings": {severity.word: count for severity, count in count_by_severity(result.findings).items()},
        "rules": {rule: dict(counts) for rule, counts in count_by_rule(result.findings).items()},
        "not_shown": [{"rule": one.rule, "findings": one.number} for one in cut],
        "failures": len(result.failures),
        "suppressed": summary.suppressed,
        "baselined": summary.baselined,
        "left_out": summary.left_out,
        "fixable": {"safe": summary.fixable_safe, "unsafe": summary.fixable_unsafe},
        "releases": summary.releases,
        "release_source": summary.release_source,
        "carriers": dict(summary.carriers),
        "unjudged": [{"rule": rule, "needs": needs} for rule, needs in summary.unjudged],
        "notes": (*filter(None, [summary.header]), *summary.warnings, *summary.notes),
        "seconds": round(summary.seconds, 3),
        **checks,
    }


def plain(value: object, special: Mapping[Any, Callable[[Any], object]] | None = None) -> object:
    """Records, in whatever they are, as plain JSON values: each by its fields, an enumeration by its word or value.

    Args:
        value: A record, or anything with records in it.
        special: What makes plain values of records that are shown otherwise, by their types.
    """
    known = special.get(type(value)) if special else None
    if known is not None:
        return known(value)
    if isinstance(value, Enum):
        return getattr(value, "word", value.value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(one, special) for name, one in zip(value._fields, value, strict=True)}
    if isinstance(value, dict):
        return {plain(name): plain(one, special) for name, one in value.items()}
    return [plain(one, special) for one in value] if isinstance(value, (list, tuple)) else value


def dumped(value: Json) -> str:
    r"""JSON on one line, in ASCII, so that no terminal and no encoding can do anything with it.

    A byte of a file name that is not UTF-8 is written out as a text, ``\xff``, because half a surrogate pair is no JSON
    that others read.
    """
    from json import dumps

    text = dumps(value, separators=(", ", ": "))
    text = text.replace("\x7f", "\\u007f").replace("##", _HASHES)
    return _LONE.sub(_byte, text) if "\\ud" in text else text


def dumped_lines(value: object) -> str:
    """JSON on several lines, which people read as well: only what no terminal shows as it is becomes an escape.

    A byte that is not UTF-8 is written as in `dumped`. A report of a run whose budget ended says so.
    """
    from json import dumps

    if cuts() and isinstance(value, dict) and "version" in value:
        value = {**value, "cut": list(cuts())}
    text = dumps(value, indent=2, ensure_ascii=False).replace("##", _HASHES) + "\n"
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        character if character == "\n" or character.isprintable() else _escape(character) for character in text
    )


def _escape(character: str) -> str:
    from json import dumps

    if "\ud800" <= character <= "\udfff":
        return _half(ord(character))
    return "\\u007f" if character == "\x7f" else dumps(character)[1:-1]


def _byte(match: re.Match[str]) -> str:
    return match["whole"] if match["whole"] is not None else _half(int(match["lone"], 16))


def _half(code: int) -> str:
    """Half a surrogate pair as a text."""
    return f"\\\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\\\u{code:04x}"


def _place(place: Place) -> dict[str, Json]:
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "exact": place.exact,
        "route": place.route,
        "inner": {"line": place.inner_line, "column": place.inner_column},
    }


def _snippet(snippet: Snippet | None) -> dict[str, Json] | None:
    return None if snippet is None else excerpt(snippet)._asdict()
