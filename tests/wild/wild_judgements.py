"""Verdicts of people on single findings: true, noise (right, but of no use to the reader) or false."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from wild_labels import HERE, Repository
from wild_runs import Finding

VERDICTS = ("true", "noise", "false")
UNJUDGED = "unjudged"

Key = tuple[str, str, str, int, int, str]


def load() -> dict[Key, str]:
    """All verdicts, from ``judgements.toml`` and ``judgements-*.toml``."""
    entries: list[Mapping[str, Any]] = []
    for path in sorted(HERE.glob("judgements*.toml")):
        entries += tomllib.loads(path.read_text()).get("judgement", ())
    return index(entries)


def index(entries: Iterable[Mapping[str, Any]]) -> dict[Key, str]:
    return {
        (e["repository"], e["commit"], e["path"], e["line"], e.get("inner", 0), e["rule"]): e["verdict"]
        for e in entries
    }


def verdict(judgements: Mapping[Key, str], repository: Repository, finding: Finding) -> str:
    key = (repository.name, repository.commit, finding.path, finding.line, finding.inner, finding.rule)
    return judgements.get(key, UNJUDGED)
