"""Events, ignored settings and assumptions of a prediction, and how the CCM writes names and texts."""

from __future__ import annotations

from ccmcheck.predict.records import Event, Ignored, Request


class Notes:
    """Events, ignored settings and assumptions, collected along a reconcile."""

    def __init__(self) -> None:
        self.ignored: list[Ignored] = []
        self.events: list[Event] = []
        self.assumed: list[str] = []
        self.requests: list[Request] = []

    def ignore(self, what: str, why: str) -> None:
        """Note that something has no effect."""
        self.ignored.append(Ignored(what, why))

    def warn(self, reason: str, message: str) -> None:
        """Note an event of the CCM's own, after the requests so far."""
        self.events.append(Event("Warning", reason, message, at=len(self.requests)))

    def assume(self, text: str) -> None:
        """Note an assumption, once."""
        if text not in self.assumed:
            self.assumed.append(text)


def cut(text: str) -> str:
    """The first 255 bytes, as the CCM cuts names; it may cut a character in two, which JSON then replaces."""
    raw = text.encode("utf-8", "replace")
    return text if len(raw) <= 255 else raw[:255].decode("utf-8", "replace")
