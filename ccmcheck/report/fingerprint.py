"""What makes a finding the same finding in the next run, although lines above it came and went.

Its path, its rule, the way to its cloud.conf, and the name of the key or section that it is about; equal ones are
counted. Line numbers take no part, and no value does, masked or not: a hash of a short one could be guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Finding, Snippet
from ccmcheck.report.paths import relative

_LONGEST = 1000
"""Code points of a line that count; a minified file would be searched whole for every finding."""
_KEY = lazy_regex(r"""(?:\s|- |export\s)*["'`]?([\w.@$/-]{1,128}+)["'`]?[ \t]*(?:=|:(?!/))""")
_KEY_IN_FLOW = lazy_regex(r"""(?:^|[{,\[])[\s\-{\[]*["']?([\w.@$/-]{1,128}+)["']?[ \t]*(?:=|:(?!/))""")
_SECTION = lazy_regex(r"\[[ \t]*([\w.-]{1,128}+)")


def fingerprints(findings: Iterable[Finding], root: str) -> Iterator[str]:
    """Yield the fingerprint of each finding, in order, all different.

    Args:
        findings: All findings of a run.
        root: See `ccmcheck.report.paths.relative`.

    Yields:
        64 hexadecimal digits.
    """
    seen: dict[tuple[str, ...], int] = {}
    for finding in findings:
        name = _name(finding.snippet) if finding.snippet is not None else ""
        parts = (relative(finding.place.path, root), finding.rule, finding.place.route, name)
        seen[parts] = seen.get(parts, 0) + 1
        yield digest(*parts, str(seen[parts]))


def _name(snippet: Snippet) -> str:
    """The name of the key or section that a shown line is about; empty where it has none."""
    line = snippet.text[:_LONGEST].lstrip()
    if line.startswith(("{", "- {", "- [", '["')):
        key = None
        for match in _KEY_IN_FLOW.finditer(snippet.text[: min(_LONGEST, snippet.start + snippet.length)]):
            key = match
    else:
        key = _KEY.match(line) or _SECTION.match(line)
    return key[1].lower() if key is not None else ""


def digest(*parts: str) -> str:
    """A SHA-256 over some texts, in which their borders count."""
    from hashlib import sha256

    joined = "\0".join(part.replace("\0", "\\0") for part in parts)
    return sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
