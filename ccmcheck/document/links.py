"""Addresses in reports: what counts as one of the web, and where a piece of evidence can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_WEB = lazy_regex(r"https?://[!-~]+")
# where a piece of evidence can be read: owner/repository#number, Launchpad's bugs, Kubernetes' proposals
_SOURCE = lazy_regex(
    r"(?<![\w/.-])(?P<repository>[a-zA-Z0-9][\w.-]{0,38}/[\w.-]{1,100})#(?P<number>\d{1,7})\b"
    r"|\bLP#(?P<bug>\d{5,8})\b|(?<![\w/#])#(?P<further>\d{1,7})\b|\bKEP-(?P<proposal>\d{1,5})\b|(?P<url>https?://[!-~]*[\w/])"
)


def is_web(url: str) -> bool:
    """Whether an address is one of the web, and may become a link."""
    return _WEB.fullmatch(url) is not None


def linked(text: str) -> Iterator[tuple[str, str]]:
    """A piece of evidence in parts, each with its address; empty where it has none.

    A number alone belongs to the repository that was named last.
    """
    at, repository = 0, ""
    for match in _SOURCE.finditer(text):
        repository = match["repository"] or repository
        url = _address(match, repository)
        if url:
            yield text[at : match.start()], ""
            yield match[0], url
            at = match.end()
    yield text[at:], ""


def _address(match: re.Match[str], repository: str) -> str:
    number = match["number"] or match["further"]
    if number:
        return f"https://github.com/{repository}/issues/{number}" if repository else ""
    if match["bug"]:
        return f"https://bugs.launchpad.net/bugs/{match['bug']}"
    if match["proposal"]:
        return f"https://github.com/kubernetes/enhancements/issues/{match['proposal']}"
    return match["url"]
