"""Messages that others wrote into a cluster, events and log lines: what of them may be shown.

They carry the answers of Octavia and Neutron, URLs, and whatever a user wrote into a Service.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.redact import MASK
from ccmcheck.redact.masker import Masker, mask_text

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

LONGEST = 300
"""Characters of a message that are shown."""
_MOST_READ = 16 * 1024
_ANSWER = lazy_regex(
    r"Expected HTTP response code \[[\d ]{1,40}\] when accessing \[([A-Z]{1,10}) (\S{1,2000})\], "
    r"but got (\d{3}) instead:?"
)
"""What gophercloud says of an answer that it did not expect; the body follows."""
_HOST = lazy_regex(r"[a-z][a-z0-9+.-]{0,20}://[^/\s\"']{0,500}", 2)  # re.IGNORECASE
_QUERY = lazy_regex(r"\?\S{0,2000}")
_BODY = lazy_regex(r"[{<]")
_MOST_BODIES = 4
_AUTHORIZATION = lazy_regex(r"(authorization[\"']?\s?[:=]\s?[\"']?\w{1,20})\s[^\s\"',]{1,9000}", 2)
_BASE64 = lazy_regex(r"[\w+/-]{8,}+={0,2}", 256)  # re.ASCII
_URL_SAFE = {ord("-"): "+", ord("_"): "/"}
_WORDS = ("faultstring", "message", "title")
"""Where OpenStack's APIs say what is wrong."""


class Messages:
    """Says what may be shown of messages.

    Args:
        confs: The cloud.confs whose secrets may turn up in them.
    """

    def __init__(self, confs: Iterable[str]) -> None:
        self._maskers = [Masker(text) for text in confs]

    def shown(self, message: str) -> str:
        """A message on one line, without bodies, without URLs' hosts and queries, without secrets."""
        # masked before it is cut: half a secret would not be recognised
        words = _without_bodies(" ".join(message[:_MOST_READ].split()))
        for masker in self._maskers:
            words = _without_encoded(masker, masker.scrub(words))
        words = mask_text(_AUTHORIZATION.sub(rf"\1 {MASK}", words))
        return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def _without_encoded(masker: Masker, words: str) -> str:
    """A message without secrets that are written as in a URL, as in HTML or in base64."""
    from html import unescape
    from urllib.parse import unquote, unquote_plus

    for decode in (unquote, unquote_plus, unescape):
        plain = decode(words)
        if plain != words:
            hidden = masker.scrub(plain)
            words = hidden if hidden != plain else words

    def token(match: re.Match[str]) -> str:
        plain = _decoded(match[0])
        return MASK if plain and masker.scrub(plain) != plain else match[0]

    return _BASE64.sub(token, words)


def _decoded(token: str) -> str:
    """The text that a token in base64 holds; empty where it holds none."""
    import base64
    import binascii

    held = token.translate(_URL_SAFE).rstrip("=")
    try:
        return base64.b64decode(held + "=" * (-len(held) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


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
