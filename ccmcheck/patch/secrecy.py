"""Which texts of a patch hold a secret, and the patch without them (contract 5 of the design)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.encoding import unpacked
from ccmcheck.redact.masker import MASK, Masker, is_secret_name, mask_text

if TYPE_CHECKING:
    from ccmcheck.patch.objects import Plain

_ENCODED = lazy_regex(r"[A-Za-z0-9+/\s]++={0,2}\s*+\Z")
_NOT_TEXT = lazy_regex("[\ud800-\udfff]")
_NAMES = frozenset({"apiVersion", "from", "kind", "name", "namespace", "op", "path"})
"""Keys whose values are names, of which long ones look like encoded texts."""


def holds_secret(data: Plain) -> bool:
    """Whether any text of a patch may hold a secret."""
    return masked(data) != data


def masked(data: Plain, name: str = "") -> Plain:
    """The same patch with every secret masked.

    Args:
        data: A patch, or a part of one.
        name: What it is called: the key that it stands under, the last name of an operation's path, a variable's name.
    """
    if isinstance(data, dict):
        return _masked_mapping(data, name)
    if isinstance(data, list):
        return [masked(item, name) for item in data]
    if isinstance(data, str):
        return _masked_text(data, name)
    return MASK if is_secret_name(name) and data is not None and not isinstance(data, bool) else data


def _masked_mapping(data: dict[str, Plain], name: str) -> Plain:
    under = name if is_secret_name(name) else ""
    called = ""
    if isinstance(path := data.get("path"), str) and "op" in data:
        called = path.rpartition("/")[2]
    elif isinstance(variable := data.get("name"), str):  # of a container, where `value` stands beside it
        called = variable
    return {
        key: value
        if key in _NAMES and isinstance(value, str)
        else masked(value, called if key == "value" else under or key)
        for key, value in data.items()
    }


def _masked_text(text: str, name: str) -> str:
    if not text or text == MASK:
        return text
    if is_secret_name(name):
        return MASK
    inside = _decoded(text)
    if inside is None:
        return mask_text(text)
    return MASK if Masker(inside).spans else text


def _decoded(text: str) -> str | None:
    """What a base64 text holds, packed or not; None where it is no such text, or holds no text."""
    if not _ENCODED.match(text):
        return None
    try:
        layer = unpacked(text, "base64")
    except TooLarge:
        return None
    return None if layer is None or _NOT_TEXT.search(layer.text) else layer.text
