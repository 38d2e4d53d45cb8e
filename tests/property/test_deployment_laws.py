"""Laws of whole deployments over a few generated ones; `deployment_laws` runs thousands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from deployment_laws import LAWS, breaches, put, said
from deployments import CARRIERS, MISTAKES, generated

SEEDS = range(int(os.environ.get("CCMCHECK_SEEDS", "12")))
"""CCMCHECK_SEEDS=1000 generates more."""


@pytest.mark.part(of=2)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_law_is_broken(law: str, seed: int, tmp_path: Path) -> None:
    assert breaches(law, seed, tmp_path) == []


@pytest.mark.parametrize("carrier", CARRIERS)
def test_each_carrier_is_found(carrier: str, tmp_path: Path) -> None:
    whole = next(one for seed in range(1000) if (one := generated(seed)).carrier == carrier)
    assert "release 1.36, assumed" not in said("list", put(tmp_path / "a", whole))[1]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_is_one(mistake: str) -> None:
    for seed in range(20):
        whole = generated(seed)
        assert MISTAKES[mistake](whole).files != whole.files


def test_a_breach_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That lint finds nothing is a breach of the law of mistakes."""
    monkeypatch.setattr("deployment_laws.said", lambda *_: (0, ""))
    assert breaches("mistake", 1, tmp_path)
