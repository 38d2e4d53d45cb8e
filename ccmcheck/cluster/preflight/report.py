"""The list of `cluster preflight`, as text, Markdown and plain data."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.core import NamedTuple, written
from ccmcheck.cluster.core import blocks as b
from ccmcheck.cluster.preflight.cloud import PreflightCheck

VERSION = 1
_FROM_HERE = (
    "Asked from here, not from the CCM's pod: what it reaches, and by which certificates, may differ. "
    "Nothing was changed; nothing but GET was sent, besides the POST that gets a token."
)


class PreflightReport(NamedTuple):
    """The checks of one deployment.

    Attributes:
        name: The deployment.
        cloud: Whose credential was used.
        checks: What was seen, in order.
    """

    name: str
    cloud: str
    checks: tuple[PreflightCheck, ...]

    @property
    def is_partial(self) -> bool:
        """Whether something could not be found out."""
        return any(check.passed is None for check in self.checks)

    @property
    def is_bad(self) -> bool:
        """Whether something did not pass."""
        return any(check.passed is False for check in self.checks)


def as_lines(
    reports: tuple[PreflightReport, ...], form: str, *, quiet: bool = False, verbose: int = 0
) -> Iterator[str]:
    """The list for people.

    Args:
        reports: One for each deployment.
        form: ``text`` or ``markdown``.
        quiet: Whether to leave out what passed, and the summary.
        verbose: Whether to name each request.
    """
    return written(_blocks(reports, quiet=quiet, verbose=verbose), form)


def as_data(reports: tuple[PreflightReport, ...]) -> dict[str, object]:
    """The list as plain data, for JSON."""
    return {
        "version": VERSION,
        "deployments": [
            {
                "name": report.name,
                "credential": report.cloud,
                "checks": [check._asdict() for check in report.checks],
                "partial": report.is_partial,
            }
            for report in reports
        ],
    }


def _blocks(reports: tuple[PreflightReport, ...], *, quiet: bool, verbose: int) -> Iterator[b.Block]:
    for report in reports:
        checks = [check for check in report.checks if not (quiet and check.passed)]
        if not checks:
            continue
        yield b.Heading(report.name or "No cloud.conf", about=report.cloud)
        yield b.ItemList(tuple(_item(check, verbose) for check in checks))
    if not quiet:
        yield b.Paragraph(_total(reports))
        yield b.Paragraph(_FROM_HERE)


def _item(check: PreflightCheck, verbose: int) -> b.ListItem:
    details: tuple[str, ...] = (check.hint,) if check.hint else ()
    if check.asked and (verbose or check.passed is not True):
        details += (f"asked: {check.asked}",)
    tone: b.Tone = "unknown" if check.passed is None else "good" if check.passed else "bad"
    return b.ListItem(f"{check.about}: {check.text}", tone, details=details)


def _total(reports: tuple[PreflightReport, ...]) -> str:
    checks = [check for report in reports for check in report.checks]
    bad, unknown = (sum(check.passed is state for check in checks) for state in (False, None))
    text = f"{len(checks)} checks: {bad} did not pass" if bad else f"{len(checks)} checks: none failed"
    return f"{text}, {unknown} could not be made: the result is partial." if unknown else f"{text}."
