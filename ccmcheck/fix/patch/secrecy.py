"""Which texts of a patch hold a secret, and the patch without them (contract 5 of the design)."""

from __future__ import annotations

from ccmcheck.base.errors import TooLarge
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.carrier import unpacked
from ccmcheck.fix.patch.objects import Plain
from ccmcheck.redact import MASK
from ccmcheck.redact.masker import Masker, mask_file_text, mask_value
from ccmcheck.redact.names import is_public_key, is_secret_name
from ccmcheck.redact.secrets import secret_spans
from ccmcheck.redact.values import is_harmless

_ENCODED = lazy_regex(r"[A-Za-z0-9+/\s]++={0,2}\s*+\Z")
_NOT_TEXT = lazy_regex("[\ud800-\udfff]")
_NAMES = frozenset({"apiVersion", "kind", "name", "namespace", "op"})
"""Keys whose values are names, of which long ones look like encoded texts."""
_POINTERS = frozenset({"path", "from"})
"""The same for an operation of a JSON patch."""
_DATA = frozenset({"data", "stringData", "binaryData"})
_ENCODED_FROM = 24
"""Characters from which a text outside of a Secret's data may be an encoded file."""


def holds_secret(data: Plain) -> bool:
    """Whether any text of a patch is not known to be harmless, so that it must be masked where it is shown."""
    return masked(data) != data


def is_secret(data: Plain, name: str) -> bool:
    """Whether a value, or any text in it, is that of a secret key, as written or encoded.

    Args:
        data: The value.
        name: The key that it stands under.
    """
    if isinstance(data, dict):
        return any(is_secret(value, key) for key, value in data.items())
    if isinstance(data, list):
        return any(is_secret(item, name) for item in data)
    if isinstance(data, str) and data:
        return is_secret_name(name) or bool(secret_spans(_decoded(data) or data))
    return is_secret_name(name) and data not in (None, True, False, "")


def masked(data: Plain, name: str = "", above: str = "", *, in_secret: bool = False) -> Plain:
    """The same patch with everything masked that is not known to be harmless.

    Args:
        data: A patch, or a part of one.
        name: What it is called: the key that it stands under, the last name of an operation's path, a variable's name.
        above: The key that ``name`` stands below.
        in_secret: Whether it is part of a Secret's or ConfigMap's data.
    """
    if isinstance(data, dict):
        return _masked_mapping(data, name, in_secret=in_secret)
    if isinstance(data, list):
        return [masked(item, name, above, in_secret=in_secret) for item in data]
    if isinstance(data, str):
        return _masked_text(data, name, above, in_secret=in_secret)
    hides = is_secret_name(name) or not is_harmless(str(data))
    return MASK if hides and data is not None and not isinstance(data, bool) else data


def _masked_mapping(data: dict[str, Plain], name: str, *, in_secret: bool) -> Plain:
    under = name if is_secret_name(name) else ""
    called, above, inside = "", name, in_secret
    names = _NAMES
    if isinstance(path := data.get("path"), str) and "op" in data:
        parts = [part for part in path.split("/") if part.strip("0123456789-")]
        above, called = ["", "", *parts][-2:]
        inside = in_secret or any(part in _DATA for part in path.split("/")[:-1])
        names = _NAMES | _POINTERS
    elif isinstance(variable := data.get("name"), str):  # of a container, where `value` stands beside it
        called = variable
    return {
        key: value
        if key in names and isinstance(value, str) and not in_secret
        else masked(
            value,
            called if key == "value" else under or key,
            above if key == "value" else name,
            in_secret=in_secret or key in _DATA or (key == "value" and inside),
        )
        for key, value in data.items()
    }


def _masked_text(text: str, name: str, above: str, *, in_secret: bool) -> str:
    if not text or text == MASK:
        return text
    if is_secret_name(name):
        return MASK
    inside = _decoded(text) if in_secret or len(text) >= _ENCODED_FROM else None
    if inside is not None:
        return MASK if Masker(inside).spans else text
    if "\n" in text:
        return mask_file_text(text)
    if is_public_key(name, above) and not in_secret:
        return mask_value(text)
    return text if is_harmless(text) else MASK


def _decoded(text: str) -> str | None:
    """What a base64 text holds, packed or not; None where it is no such text, or holds no text."""
    if not _ENCODED.match(text):
        return None
    try:
        layer = unpacked(text, "base64")
    except TooLarge:
        return None
    return None if layer is None or _NOT_TEXT.search(layer.text) else layer.text
