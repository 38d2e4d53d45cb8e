"""Base64, and gzip in base64: the text of a Secret's ``data``, of cloud-init's ``encoding: b64`` and ``gz+b64``."""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64

from ccmcheck.base.edits import apply
from ccmcheck.base.errors import CannotEdit, TooLarge
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import decode, encode
from ccmcheck.layers.base import Lens

UNPACKED_LIMIT = 10 * 1024 * 1024
"""Bytes that a gzip may unpack to; a cloud.conf has a few thousand, and a decompression bomb gigabytes."""

_LINE_END = lazy_regex(r"\s++")
_GZIP = 31  # zlib's window bits for a gzip header with the largest window
_GZIP_MAGIC = b"\x1f\x8b"
_PIECE = 4096


class Base64Bytes(NamedTuple):
    """The bytes of a base64 text, and what Go's decoder would reject.

    Attributes:
        data: The decoded bytes.
        padded: False where ``=`` is missing at the end.
        blank: True where a blank or a tab is between the characters, which Kubernetes rejects; line ends
            are allowed.
    """

    data: bytes
    padded: bool
    blank: bool


def decode_base64(text: str) -> Base64Bytes | None:
    """Decode base64 of the standard alphabet.

    Args:
        text: Line ends anywhere, blanks and missing padding are accepted.

    Returns:
        The bytes, None where it is not base64.
    """
    try:
        return Base64Bytes(a2b_base64(text, strict_mode=True), padded=True, blank=False)
    except ValueError:
        pass
    compact = "".join(text.split())
    missing = -len(compact) % 4
    if missing and compact.endswith("="):
        return None
    try:
        data = a2b_base64(compact + "=" * missing, strict_mode=True)
    except ValueError:
        return None
    middle = text.strip()
    return Base64Bytes(data, padded=not missing, blank=" " in middle or "\t" in middle)


class Base64(Lens):
    """Text in base64; created by `base64_layer`.

    Attributes:
        padded: See `Base64Bytes`.
        blank: See `Base64Bytes`.
    """

    __slots__ = ("_outer", "blank", "padded", "text")
    kind = "base64"
    exact = False

    def __init__(self, outer: str, decoded: Base64Bytes, text: str) -> None:
        self._outer = outer
        self.text = text
        self.padded = decoded.padded
        self.blank = decoded.blank

    def outward(self, _span: Span) -> Span:
        """The whole encoded text without the blanks around it; see `Layer.outward`."""
        outer = self._outer
        return Span(len(outer) - len(outer.lstrip()), max(len(outer.rstrip()), 0))

    def carried(self, ordered: list[Edit]) -> list[Edit]:
        """Encode the changed text, in lines of the same width; see `Lens.carried`."""
        outer = self._outer
        stripped = outer.strip()
        start = outer.index(stripped)
        changed = apply(self.text, ordered)
        data = encode(changed)
        if decode(data).text != changed:
            raise CannotEdit("the text holds bytes that are not UTF-8, and the change would join them")
        encoded = b2a_base64(self._pack(data), newline=False).decode("ascii")
        if line_end := _LINE_END.search(stripped):
            width = line_end.start()
            encoded = line_end[0].join(encoded[at : at + width] for at in range(0, len(encoded), width))
        return [Edit(start, start + len(stripped), encoded)]

    def _pack(self, data: bytes) -> bytes:
        return data


class GzipBase64(Base64):
    """Text in gzip in base64; created by `gzip_base64_layer`."""

    __slots__ = ()
    kind = "gzip+base64"

    def _pack(self, data: bytes) -> bytes:
        """Compress reproducibly: zlib's gzip header has neither a time nor a name."""
        import zlib

        packer = zlib.compressobj(9, zlib.DEFLATED, _GZIP)
        return packer.compress(data) + packer.flush()


def base64_layer(text: str) -> Base64 | None:
    """The layer of a base64 text.

    Args:
        text: The encoded text, all of it.

    Returns:
        The layer, None where the text is not base64.
    """
    decoded = decode_base64(text)
    return Base64(text, decoded, decode(decoded.data).text) if decoded else None


def gzip_base64_layer(text: str, limit: int = UNPACKED_LIMIT) -> GzipBase64 | None:
    """The layer of a text in gzip in base64.

    Args:
        text: The encoded text, all of it.
        limit: Bytes it may unpack to.

    Returns:
        The layer, None where the text is not base64 or the bytes are not gzip.

    Raises:
        TooLarge: It unpacks to more than ``limit`` bytes.
    """
    decoded = decode_base64(text)
    if not decoded or not decoded.data.startswith(_GZIP_MAGIC):
        return None
    data = _unpack(decoded.data, limit)
    return GzipBase64(text, decoded, decode(data).text) if data is not None else None


def _unpack(packed: bytes, limit: int) -> bytes | None:
    """Unpack all members of a gzip file, None where one is broken; trailing data is refused too."""
    import zlib

    unpacked: list[bytes] = []
    left = limit
    at = 0
    while at < len(packed):
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            if at >= len(packed):
                return None
            piece = packed[at : at + _PIECE]  # what follows a member is copied each time, so it must be short
            at += len(piece)
            try:
                unpacked.append(member.decompress(piece, left + 1))
            except zlib.error:
                return None
            left -= len(unpacked[-1])
            if left < 0:
                raise TooLarge(f"the gzip unpacks to more than {limit} bytes")
        at -= len(member.unused_data)
    return b"".join(unpacked)
