"""Values of template variables from a file: clusterctl's ``clusterctl.yaml``, or shell assignments as in an ``env.rc``.

Nothing is executed: a value that a shell would compute is omitted, so that its variable stays unknown.
"""

from __future__ import annotations

import re

from ccmcheck.base.errors import BadYaml, WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.signs.paths import YAML_NAMES
from ccmcheck.yamlio import Mapping, Scalar, documents, kubernetes_scalar

_ASSIGNMENT = lazy_regex(r"^[ \t]*+(?:export[ \t]++)?(?P<name>[A-Za-z_]\w*+)=", re.MULTILINE)
_PIECE = lazy_regex(
    r"""'(?P<single>[^']*+)'"""
    r'''|"(?P<double>(?:[^"\\]|\\.)*+)"'''
    r"""|\\(?P<escaped>.)"""
    r"""|(?P<plain>[^\s'"\\;&|<>()]++)""",
    re.DOTALL,
)
_IN_DOUBLE = lazy_regex(r"\\(?:([$`\"\\])|\n)")
_REFERENCE = lazy_regex(r"\\.|\$(?:\{(\w+)\}|(\w+))")
_COMPUTED = lazy_regex(r"(?:[^\\]|\A)(?:\$\(|`|\$\{\w*[^\w}])")


def read_variables(text: str, path: str) -> dict[str, str]:
    """Read the variables that a file sets.

    Args:
        text: The file's text.
        path: Its name, for messages; ``.yaml``, ``.yml`` and ``.json`` are read as YAML, anything else by its
            content.

    Returns:
        The values by name. A later assignment wins; numbers and booleans are the text that stands there.

    Raises:
        WrongUse: The file is neither; or it is YAML that cannot be parsed, or not a mapping.
    """
    text = text.removeprefix("\ufeff")
    if path.lower().endswith(YAML_NAMES):
        return _from_yaml(text, path)
    if _ASSIGNMENT.search(text) is not None:
        return _from_shell(text)
    return _from_yaml(text, path) if text.strip() else {}


def _from_yaml(text: str, path: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for document in documents(text):
        if isinstance(document, BadYaml):
            line = text.count("\n", 0, document.offset) + 1
            raise WrongUse(f"{path}:{line} is not YAML: {document.message}")
        if document.root is None:
            continue
        if not isinstance(document.root, Mapping):
            raise WrongUse(f"{path} sets no variables", "Write NAME: value in YAML, or NAME=value in a shell's file.")
        for key, value in document.root.items:
            if isinstance(value, Scalar):
                values[key.value] = "" if kubernetes_scalar(value) is None else value.value
    return values


def _from_shell(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    position = 0
    while match := _ASSIGNMENT.search(text, position):
        position = match.end()
        pieces: list[str] = []
        known = True
        while (piece := _PIECE.match(text, position)) and piece.end() > position:
            position = piece.end()
            expanded = _expanded(piece, values)
            known = known and expanded is not None
            pieces.append(expanded or "")
        if position < len(text) and text[position] not in " \t\r\n;":
            known = False  # an unclosed quote, or shell syntax
        if known:
            values[match["name"]] = "".join(pieces)
        else:
            values.pop(match["name"], None)
    return values


def _expanded(piece: re.Match[str], values: dict[str, str]) -> str | None:
    """The value of a piece of a word; None where only a shell could compute it."""
    if piece["single"] is not None:
        return piece["single"]
    if piece["escaped"] is not None:
        return "" if piece["escaped"] == "\n" else piece["escaped"]
    text = piece["double"] if piece["double"] is not None else piece["plain"]
    if "`" not in text and "$" not in text:
        return _IN_DOUBLE.sub(r"\1", text) if piece["double"] is not None else text
    if _COMPUTED.search(text):
        return None
    parts: list[str] = []
    position = 0
    for reference in _REFERENCE.finditer(text):
        name = reference[1] or reference[2]
        if name is not None and name not in values:
            return None
        parts += (
            text[position : reference.start()],
            _IN_DOUBLE.sub(r"\1", reference[0]) if name is None else values[name],
        )
        position = reference.end()
    parts.append(text[position:])
    return "".join(parts)
