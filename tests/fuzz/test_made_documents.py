"""A small part of `tests/truth/documents`, without the CCM's own reader."""

from __future__ import annotations

import os
from collections import Counter

import documents_judge
import documents_read
import pytest
from documents_generate import document

SEEDS = range(int(os.environ.get("CCMCHECK_FUZZ", "1")))
EACH = 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_but_the_cloud_conf_changes_and_patches_apply(seed: int) -> None:
    judged = documents_judge.judge(seed, range(EACH))
    assert judged.faults == []
    assert judged.tally["changed"] > EACH // 4
    assert judged.tally["json patches"] > EACH // 8
    assert len(judged.confs) > EACH // 2


def broken(number: int, change: str, to: str) -> list[str]:
    """What the judge says where a fix changes something else, too."""
    fixed = documents_judge._fixed(number, document(0, number))
    assert change in fixed.result.after
    result = fixed.result._replace(after=fixed.result.after.replace(change, to, 1))
    return list(documents_judge._faults(fixed._replace(result=result), Counter()))


def changed_secret() -> int:
    """The number of a document whose fix changes a Secret of its own."""
    for number in range(EACH):
        one = document(0, number)
        fixed = documents_judge._fixed(number, one)
        if one.path == "objects.yaml" and "\nkind: Secret" in one.text and fixed.result.after != fixed.result.before:
            return number
    raise AssertionError


def test_the_judge_finds_what_is_wrong() -> None:
    number = changed_secret()
    assert any("beside its cloud.conf" in fault for fault in broken(number, "kind: Secret", "kind: Other"))
    assert any("around its cloud.conf" in fault for fault in broken(number, "kind: Secret", "kind: Secret # new"))


def test_the_generator_makes_every_kind() -> None:
    made = [document(0, number) for number in range(400)]
    assert {one.path for one in made} >= {
        "cloud.conf",
        "objects.yaml",
        "objects.json",
        "values.yaml",
        "set.yaml",
        "user-data.yaml",
    }
    whole = "".join(one.text for one in made)
    for part in (
        "\ufeff",
        "\r\n",
        "&conf",
        "*conf",
        "|+",
        "|2",
        ">\n",
        "gzip+base64",
        "%YAML",
        "# by hand",
        "kind: ClusterClass",
    ):
        assert part in whole, part
    assert made[:20] == [document(0, number) for number in range(20)]
    assert all(documents_read.texts(one.path, one.text, one.targets) for one in made)
