"""Colours: ANSI codes where they were asked for, nothing where they were not."""

from __future__ import annotations

from ccmcheck.base.model import Severity

RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_DIM = "\x1b[2m"
_CODE = "\x1b[36m"
_TONES = {"bad": "\x1b[1;31m", "warn": "\x1b[1;33m", "info": "\x1b[1;36m", "good": "\x1b[32m", "next": "\x1b[36m"}
_OF_SEVERITY = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: "info"}


class Style:
    """Dresses text that is already escaped.

    Args:
        color: Whether to; without it every method returns its text as it is.
    """

    def __init__(self, color: bool) -> None:
        self._color = color

    def bold(self, text: str) -> str:
        """What the eye should find first: paths and rule names."""
        return self._dressed(_BOLD, text)

    def dim(self, text: str) -> str:
        """What only frames the rest: line numbers and routes."""
        return self._dressed(_DIM, text)

    def code(self, text: str) -> str:
        """What can be typed: commands."""
        return self._dressed(_CODE, text)

    def tone(self, text: str, tone: str) -> str:
        """Anything in the colour of how good or bad it is; see `ccmcheck.report.document.blocks.Tone`."""
        return self._dressed(_TONES.get(tone, ""), text)

    def severity(self, text: str, severity: Severity) -> str:
        """Anything in the colour of a severity."""
        return self.tone(text, _OF_SEVERITY[severity])

    def _dressed(self, code: str, text: str) -> str:
        return f"{code}{text}{RESET}" if self._color and text and code else text
