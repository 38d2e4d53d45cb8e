r"""JSON that libyaml rejects though Kubernetes reads it.

JSON is nearly a subset of YAML. The exceptions: a tab before the first bracket, and a character outside the first plane
written as two escapes (``\ud83d\ude00``), as Python's and Java's encoders do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.yamlio.nodes import Raw

_LEADING = lazy_regex(r"[ \t\r\n]*+(?=[\[{])")
_PAIR = lazy_regex(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_STAND_IN = "\ue000\uf8ff"  # of the private use areas, so that no text means it
_STAND_IN_ESCAPED = r"\\ue000\\uf8ff"


def compose_json(chunk: str, compose: Callable[[str], list[Raw]]) -> list[Raw] | None:
    """Compose again with what libyaml rejects replaced by text of the same length.

    Args:
        chunk: A document that could not be parsed.
        compose: Composes the nodes of a text.

    Returns:
        The nodes, with the values of the original text; None where it is not JSON of that kind.

    Raises:
        yaml.YAMLError: There is something else wrong with it.
    """
    leading = _LEADING.match(chunk)
    if leading is None or _STAND_IN[0] in chunk or "\\ue000" in chunk:
        return None
    covered = leading[0].replace("\t", " ") + _PAIR.sub(_STAND_IN_ESCAPED, chunk[leading.end() :])
    if covered == chunk:
        return None
    roots = compose(covered)
    characters = iter([_character(match) for match in _PAIR.finditer(chunk)])
    for raw in _scalars(roots):
        if _STAND_IN in raw.value:
            first, *others = raw.value.split(_STAND_IN)
            raw.value = first + "".join(next(characters) + other for other in others)
    return roots


def _character(match: re.Match[str]) -> str:
    return (int(match[1], 16).to_bytes(2, "big") + int(match[2], 16).to_bytes(2, "big")).decode("utf-16-be")


def _scalars(roots: list[Raw]) -> Iterator[Raw]:
    """All keys and values in the order of the text; JSON has no aliases."""
    pending = roots[::-1]
    while pending:
        raw = pending.pop()
        if raw.id == "scalar":
            yield raw
        elif raw.id == "sequence":
            pending.extend(reversed(raw.value))
        else:
            for key, value in reversed(raw.value):
                pending += (value, key)
