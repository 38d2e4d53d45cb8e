"""Addresses in reports: what counts as one of the web, and where a piece of evidence can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex

_GITHUB = "https://github.com"
_WEB = lazy_regex(r"https?://[!-~]+")
_REPOSITORY = r"[a-zA-Z0-9][a-zA-Z0-9-]{0,38}/[\w.-]{1,100}"
_PATH = r"\w[\w.-]{0,100}(?:/\w[\w.-]{0,100}){1,12}\.[a-z]\w{0,8}(?![\w/])"
_COMMIT = r"(?=[a-f]*\d)[0-9a-f]{7,40}\b"
_TAG = r"v?\d{1,4}\.\d{1,4}\.\d{1,4}\b"
# where a piece of evidence can be read: issues, files, commits and tags of a repository, Launchpad's bugs, Kubernetes'
# proposals, pages of documentation
_SOURCE = lazy_regex(
    rf"(?<![\w/.-])(?:(?P<repository>[a-zA-Z0-9][\w.-]{{0,38}}/[\w.-]{{1,100}})#(?P<number>\d{{1,7}})\b"
    rf"|(?P<holder>{_REPOSITORY}) (?:(?P<path>{_PATH})(?:(?= \((?P<at>{_COMMIT})))?"
    rf"|(?:commit )?(?P<commit>{_COMMIT})|(?P<tag>{_TAG}))"
    r"|(?P<docs>kubernetes\.io/docs/[\w/-]+))"
    rf"|\b(?P<project>ovn-octavia-provider|[Oo]ctavia) (?P<release>{_TAG})"
    rf"|(?:\bcommit |(?<=\())(?P<own>{_COMMIT})(?=[),;]|\Z)"
    r"|\bLP#(?P<bug>\d{5,8})\b|(?<![\w/#])#(?P<further>\d{1,7})\b|\bKEP-(?P<proposal>\d{1,5})\b"
    r"|(?P<url>https?://[!-~]*[\w/])"
)


def is_web(url: str) -> bool:
    """Whether an address is one of the web, and may become a link."""
    return _WEB.fullmatch(url) is not None


def linked(text: str) -> Iterator[tuple[str, str]]:
    """A piece of evidence in parts, each with its address; empty where it has none.

    A number or a commit alone belongs to the repository that was named last.
    """
    at, repository = 0, ""
    for match in _SOURCE.finditer(text):
        repository = match["repository"] or match["holder"] or repository
        url = _address(match, repository)
        if url:
            yield text[at : match.start()], ""
            yield match[0], url
            at = match.end()
    yield text[at:], ""


def _address(match: re.Match[str], repository: str) -> str:
    number = match["number"] or match["further"]
    if number:
        return f"{_GITHUB}/{repository}/issues/{number}" if repository else ""
    if match["path"]:
        return f"{_GITHUB}/{repository}/blob/{match['at'] or 'HEAD'}/{match['path']}"
    if match["tag"]:
        return f"{_GITHUB}/{repository}/tree/{match['tag']}"
    if match["release"]:
        return f"{_GITHUB}/openstack/{match['project'].lower()}/tree/{match['release']}"
    commit = match["commit"] or match["own"]
    if commit:
        return f"{_GITHUB}/{repository}/commit/{commit}" if repository else ""
    if match["bug"]:
        return f"https://bugs.launchpad.net/bugs/{match['bug']}"
    if match["proposal"]:
        return f"{_GITHUB}/kubernetes/enhancements/issues/{match['proposal']}"
    return f"https://{match['docs']}/" if match["docs"] else match["url"]
