"""Messages that others wrote into a cluster, events and log lines: what of them may be shown.

They carry the answers of Octavia and Neutron, URLs, and whatever a user wrote into a Service.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from ccmcheck.cluster.core import lazy_regex, masking

LONGEST = 450
"""Characters of a message that are shown."""
_END = LONGEST // 2
_MOST_READ = 16 * 1024
_ANSWER = lazy_regex(
    r"Expected HTTP response code \[[\d ]{1,40}\] when accessing \[([A-Z]{1,10}) (\S{1,2000})\], "
    r"but got (\d{3}) instead:?"
)
"""What gophercloud says of an answer that it did not expect; the body follows."""
_HOST = lazy_regex(r"[a-z][a-z0-9+.-]{0,20}://[^/\s\"']{0,500}", 2)  # re.IGNORECASE
_REQUEST = lazy_regex(r"\b((?:Get|Head|Post|Put|Patch|Delete) \"[^\s\"]{0,2000}\")(?=: )")
"""What Go says of a request that got no answer; why follows."""
_QUERY = lazy_regex(r"\?\S{0,2000}")
_BODY = lazy_regex(r"[{<]")
_MOST_BODIES = 4
_AUTHORIZATION = lazy_regex(r"(authorization[\"']?\s?[:=]\s?[\"']?\w{1,20})\s[^\s\"',]{1,9000}", 2)
_BASE64 = lazy_regex(r"[\w+/-]{8,}+={0,2}", 256)  # re.ASCII
_HEX = lazy_regex(r"(?:0x)?[0-9a-f]{2}(?:[ :,-]{0,2}(?:0x)?[0-9a-f]{2}){3,}", 2)
_NO_DIGIT = lazy_regex(r"0x|[^0-9a-f]", 2)
_ESCAPED = lazy_regex(r"(?:\\{1,4}(?:x[0-9a-f]{2}|u[0-9a-f]{4}|[0-3][0-7]{2}))+", 2)
_BYTE = 0xFF
_MOST_LAYERS = 3
"""How often a text may be encoded again."""
_URL_SAFE = {ord("-"): "+", ord("_"): "/"}
_WORDS = ("faultstring", "message", "title")
"""Where OpenStack's APIs say what is wrong."""


class Messages:
    """Says what may be shown of messages.

    Args:
        confs: The cloud.confs whose secrets may turn up in them.
    """

    def __init__(self, confs: Iterable[str]) -> None:
        self._masker = masking.JointMasker([masking.Masker(text) for text in confs])

    def shown(self, message: str) -> str:
        """A message on one line, without bodies, without URLs' hosts and queries, without secrets."""
        # masked before it is cut: half a secret would not be recognised
        words = _without_bodies(" ".join(message[:_MOST_READ].split()))
        words = _without_encoded(self._masker, self._masker.scrub(words))
        words = _AUTHORIZATION.sub(rf"\1 {masking.MASK}", words)
        # what failed is no value of a path's last word, such as `tokens`
        words = "".join(map(masking.mask_text, _REQUEST.split(words)))
        # what failed is at the begin, and why at the end
        return words if len(words) <= LONGEST else f"{words[: LONGEST - _END - 3]} … {words[-_END:]}"


def _without_encoded(masker: masking.JointMasker, words: str) -> str:
    """A message without secrets that are written as in URLs, HTML, strings, base64 or hexadecimal."""
    from html import unescape
    from urllib.parse import unquote, unquote_plus

    for from_url in (unquote, unquote_plus):
        plain = words
        for decode in (from_url, unescape, _without_backslashes) * _MOST_LAYERS:
            layer, plain = plain, decode(plain)
            hidden = plain if plain == layer else masker.scrub(plain)
            if hidden != plain:
                words = plain = " ".join(hidden.split())

    def token(match: re.Match[str]) -> str:
        is_secret = any(masker.scrub(plain) != plain for plain in _decoded(match[0]))
        return masking.MASK if is_secret else match[0]

    return _BASE64.sub(token, _HEX.sub(token, words))


def _without_backslashes(words: str) -> str:
    r"""A text with the characters that ``\x70``, ``\u0070`` and ``\160`` stand for."""

    def characters(match: re.Match[str]) -> str:
        codes = [(code[1:], 16) if code[0] in "xXuU" else (code, 8) for code in match[0].split("\\") if code]
        numbers = [int(*code) for code in codes]
        if max(numbers) > _BYTE:
            return "".join(map(chr, numbers)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return bytes(numbers).decode("utf-8", "replace")

    return _ESCAPED.sub(characters, words)


def _decoded(token: str) -> Iterator[str]:
    """The texts that a token in base64 or in hexadecimal may hold."""
    import base64
    import binascii

    digits = _NO_DIGIT.sub("", token)
    for held in (digits, digits[1:]):
        with suppress(ValueError):
            yield _text(bytes.fromhex(held[: len(held) // 2 * 2]))
    held = token.translate(_URL_SAFE).rstrip("=")
    with suppress(binascii.Error, ValueError):
        yield _text(base64.b64decode(held + "=" * (-len(held) % 4), validate=True))


def _text(raw: bytes) -> str:
    """Bytes as text, those of UTF-16 too."""
    return raw.replace(b"\0", b"").decode("utf-8", "replace")


def _without_bodies(message: str) -> str:
    """A message with what an API said instead of its whole answer, and without what was sent to it."""
    rest = _HOST.sub("", _ANSWER.sub(_answer, message)).replace('\\"', '"')
    pieces = []
    for _ in range(_MOST_BODIES):
        start = _BODY.search(rest)
        if start is None:
            break
        pieces.append(rest[: start.start()].strip())
        said, rest = _said(rest[start.start() :])
        pieces.append(said or "…")
    else:
        rest = ""
    return " ".join(filter(None, (*pieces, rest.strip())))


def _answer(match: re.Match[str]) -> str:
    path = _QUERY.sub("", _HOST.sub("", match[2]))
    return f"{match[1]} {path} was answered {match[3]}:"


def _said(text: str) -> tuple[str, str]:
    """What the body at the begin of a text says in words, and the text after it; a body that does not end is all."""
    import json

    try:
        found, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return "", ""
    for _ in range(3):
        if not isinstance(found, dict):
            break
        said = next((found[name] for name in _WORDS if isinstance(found.get(name), str)), "")
        if said:
            return " ".join(str(said).split()), text[end:]
        found = next((value for value in found.values() if isinstance(value, dict)), None)
    return "", text[end:]
