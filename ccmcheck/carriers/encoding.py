"""The encodings of file entries, as cloud-init and Cluster API name them."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.layers.encoded import UNPACKED_LIMIT, Base64, base64_layer, gzip_base64_layer

_BASE64 = frozenset({"base64", "b64"})
_GZIP_BASE64 = frozenset({"gzip+base64", "gz+base64", "gzip+b64", "gz+b64"})
_SHORTEST_BINARY = 64
"""Code points; shorter base64 that is not text is a placeholder that happens to be base64, such as ``changeme``."""

_NOT_TEXT = lazy_regex(r"[\ud800-\udfff]")

_GZIP_START = "\x1f\udc8b"
"""The first two bytes of gzip, as decoded text has them."""


def is_encoded(name: str) -> bool:
    """Whether `unpacked` can decode an encoding of this name."""
    return name in _BASE64 or name in _GZIP_BASE64


def unpacked(text: str, encoding: str, limit: int = UNPACKED_LIMIT) -> Base64 | None:
    """Decode a text.

    Args:
        text: The encoded text.
        encoding: Its encoding's name; gzip is also recognised by its first bytes.
        limit: Bytes that it may unpack to.

    Returns:
        The layer; None where the text does not have this encoding.

    Raises:
        TooLarge: It unpacks to more than the limit.
    """
    if encoding in _GZIP_BASE64:
        return gzip_base64_layer(text, limit)
    layer = base64_layer(text) if encoding in _BASE64 else None
    if layer is None or layer.text.isascii():
        return layer
    if layer.text.startswith(_GZIP_START):
        return gzip_base64_layer(text, limit)
    return None if len(text) < _SHORTEST_BINARY and _NOT_TEXT.search(layer.text) else layer
