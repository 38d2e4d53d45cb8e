"""When a token or a certificate ends, read from itself and without checking any signature: it explains a refusal."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime

_SEQUENCE, _UTC_TIME, _GENERALIZED_TIME, _VERSION = 0x30, 0x17, 0x18, 0xA0
_LONG_LENGTH = 0x80
_PEM = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
_CENTURY = 50
_PARTS_OF_A_JWT = 3


def expired(token: str, certificate: bytes, now: datetime | None = None) -> str:
    """What of the credentials has expired, in words; empty where nothing has, or nothing says so.

    Args:
        token: A bearer token.
        certificate: A client certificate as PEM.
        now: The time.
    """
    now = now or datetime.now(UTC)
    for name, end in (("token", token_end(token)), ("client certificate", certificate_end(certificate))):
        if end is not None and end < now:
            return f"the {name} expired at {end.strftime('%Y-%m-%dT%H:%M:%SZ')}"
    return ""


def token_end(token: str) -> datetime | None:
    """``exp`` of a JSON web token; None for another token, or one without."""
    import json

    parts = token.split(".")
    if len(parts) != _PARTS_OF_A_JWT:
        return None
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        end = claims["exp"]
        return datetime.fromtimestamp(end, UTC) if isinstance(end, int | float) else None
    except (ValueError, KeyError, TypeError, OverflowError, OSError, RecursionError):
        return None


def certificate_end(pem: bytes) -> datetime | None:
    """``notAfter`` of the first certificate of a PEM text; None where there is none that can be read."""
    begin, end = _PEM
    body = pem.decode("ascii", "replace").partition(begin)[2].partition(end)[0]
    if not body:
        return None
    try:
        der = base64.b64decode("".join(body.split()), validate=True)
        # Certificate ▶ TBSCertificate ▶ [version], serial, signature, issuer, validity ▶ notBefore, notAfter
        fields, stop = _inside(der, 0, _SEQUENCE)
        fields, stop = _inside(der, fields, _SEQUENCE)
        if der[fields] == _VERSION:
            fields = _after(der, fields)
        for _ in range(3):
            fields = _after(der, fields)
        times, stop = _inside(der, fields, _SEQUENCE)
        times = _after(der, times)
        if times >= stop:
            return None
        start, stop = _inside(der, times, der[times])
        return _time(der[times], der[start:stop].decode("ascii"))
    except (ValueError, IndexError, binascii.Error):
        return None


def _header(der: bytes, at: int) -> tuple[int, int]:
    """Where the contents of an element begin and end."""
    length = der[at + 1]
    start = at + 2
    if length >= _LONG_LENGTH:
        count = length - _LONG_LENGTH
        length = int.from_bytes(der[start : start + count], "big")
        start += count
    if start + length > len(der):
        raise ValueError
    return start, start + length


def _inside(der: bytes, at: int, tag: int) -> tuple[int, int]:
    if der[at] != tag:
        raise ValueError
    return _header(der, at)


def _after(der: bytes, at: int) -> int:
    return _header(der, at)[1]


def _time(tag: int, text: str) -> datetime | None:
    if tag == _UTC_TIME:
        century = "19" if int(text[:2]) >= _CENTURY else "20"
        text = century + text
    elif tag != _GENERALIZED_TIME:
        return None
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
