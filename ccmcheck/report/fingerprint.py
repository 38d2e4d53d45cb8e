"""What makes a finding the same finding in the next run, although lines above it came and went.

Its path, its rule, the way to its cloud.conf, and the line it is about, masked as it is shown; equal ones are counted.
Line numbers take no part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.report.paths import relative

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.base.model import Finding


_LONGEST = 1000
"""Code points of a line that count; a minified file would be hashed whole for every finding."""


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
        line = finding.snippet.text[:_LONGEST].strip() if finding.snippet is not None else finding.label
        parts = (relative(finding.place.path, root), finding.rule, finding.place.route, line)
        seen[parts] = seen.get(parts, 0) + 1
        yield digest(*parts, str(seen[parts]))


def digest(*parts: str) -> str:
    """A SHA-256 over some texts, in which their borders count."""
    from hashlib import sha256

    joined = "\0".join(part.replace("\0", "\\0") for part in parts)
    return sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
