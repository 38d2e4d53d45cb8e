"""Requests as they are shown: bodies as JSON, long lists in them cut, so that a page stays one that people read."""

from __future__ import annotations

from collections.abc import Iterable

from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.records import Request

_MOST_ALIKE = 2
"""How many entries of a list of members are shown."""

_MOST_REQUESTS = 24
_LONGEST = 20_000
"""Characters of one body that are shown."""


class ShownRequest(NamedTuple):
    """One request.

    Attributes:
        method: Its method.
        path: Its path.
        api: ``octavia`` or ``neutron``.
        text: Its body; empty without one.
    """

    method: str
    path: str
    api: str
    text: str


class BodyBudget:
    """How many characters of bodies are left for the rest of a page.

    Args:
        left: How many there are.
    """

    def __init__(self, left: int) -> None:
        self.left = left

    def requests(self, sent: Iterable[Request]) -> tuple[tuple[ShownRequest, ...], int]:
        """Some requests to show, and how many are left out."""
        every = list(sent)
        shown: list[ShownRequest] = []
        for request in every[:_MOST_REQUESTS]:
            text = "" if request.body is None else body(request.body)
            if len(text) > self.left:
                break
            self.left -= len(text)
            shown.append(ShownRequest(request.method, request.path, request.api, text))
        return tuple(shown), len(every) - len(shown)


def body(of: object) -> str:
    """A body as JSON, with lists of objects cut after the first few; a comment counts the others."""
    import json

    text = json.dumps(_cut(of), indent=2, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "\n…"


def _cut(value: object) -> object:
    if isinstance(value, dict):
        return {name: _members(one) if name == "members" else _cut(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_cut(one) for one in value]
    return value


def _members(value: object) -> object:
    if not isinstance(value, list) or len(value) <= _MOST_ALIKE + 1:
        return _cut(value)
    return [*map(_cut, value[:_MOST_ALIKE]), f"… and {len(value) - _MOST_ALIKE} more members"]
