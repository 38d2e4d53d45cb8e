"""Builds of generated trees next to the recorded answers of the real kustomize.

``make truth`` runs the real one itself, and ``python tests/truth/kustomize/kustomize_compare.py --record`` writes the
answers.
"""

from __future__ import annotations

import json
import random

import pytest
from kustomize_compare import RECORDED_SEED, RECORDS, differences
from kustomize_generate import tree
from kustomize_ours import built

ANSWERS = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]


def test_many_trees_are_recorded() -> None:
    assert len(ANSWERS) >= 50
    assert sum(len(one["objects"]) for one in ANSWERS) >= 200


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda one: str(one["number"]))
def test_a_tree_is_built_as_kustomize_builds_it(answer: dict[str, object]) -> None:
    files = tree(random.Random(f"{RECORDED_SEED} {answer['number']}"))  # noqa: S311 - generated trees
    ours, unknown = built(files, "top/kustomization.yaml")
    objects = answer["objects"]
    assert isinstance(objects, dict)
    assert differences(objects, ours, unknown) == []
    assert not unknown
