"""Plain data as block YAML; every scalar is written so that all readers agree on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ccmcheck.base.yaml_string import yaml_string

_SURROGATES = "\ud800", "\udfff"
_DEEPEST = 64


def yaml(value: Mapping[str, Any]) -> str:
    """A mapping as block YAML."""
    return "\n".join(_mapping(value, 0, 0)) + "\n"


def _mapping(value: Mapping[str, Any], indent: int, depth: int) -> Iterator[str]:
    blanks = " " * indent
    for key, child in value.items():
        name = yaml_string(_clean(str(key)))
        if isinstance(child, dict) and child and depth < _DEEPEST:
            yield f"{blanks}{name}:"
            yield from _mapping(child, indent + 2, depth + 1)
        elif isinstance(child, list) and child and depth < _DEEPEST:
            yield f"{blanks}{name}:"
            yield from _sequence(child, indent, depth + 1)
        else:
            yield f"{blanks}{name}: {_scalar(child, indent + 2)}"


def _sequence(value: list[Any], indent: int, depth: int) -> Iterator[str]:
    blanks = " " * indent
    for child in value:
        if isinstance(child, dict) and child and depth < _DEEPEST:
            first, *others = _mapping(child, indent + 2, depth + 1)
            yield f"{blanks}- {first[indent + 2 :]}"
            yield from others
        elif isinstance(child, list) and child and depth < _DEEPEST:
            first, *others = _sequence(child, indent + 2, depth + 1)
            yield f"{blanks}- {first[indent + 2 :]}"
            yield from others
        else:
            yield f"{blanks}- {_scalar(child, indent + 2)}"


def _scalar(value: object, indent: int) -> str:
    if isinstance(value, str):
        return yaml_string(_clean(value), indent)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return "[]" if isinstance(value, list) else "{}"


def _clean(value: str) -> str:
    """A text without lone surrogates, which JSON can hold and YAML cannot."""
    low, high = _SURROGATES
    return "".join("\ufffd" if low <= char <= high else char for char in value) if not value.isascii() else value
