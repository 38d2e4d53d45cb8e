"""The guides of ``ccmcheck/docs/``."""

from __future__ import annotations

import os

DOCS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "docs")
OPTIONS = "options"
ORDER = (
    "lint", "promises", "fix", "predict", "review", "upgrade", "cluster", "cluster-diff", "cluster-fix",
    "cluster-octavia", "conformance", "fleet", "reports", "admission", "profiles", "configuration", "formats",
    "ci", "python",
)  # fmt: skip
"""The order of the list; a guide that is not named here follows."""


def guides() -> list[str]:
    """The names of the guides."""
    names = {name.removesuffix(".md") for name in os.listdir(DOCS) if name.endswith(".md")}
    return [*(name for name in ORDER if name in names), *sorted(names.difference(ORDER))]


def guide(name: str) -> str:
    """The text of one guide."""
    from ccmcheck.base.open_input import read_text

    return read_text(os.path.join(DOCS, f"{name}.md"))
