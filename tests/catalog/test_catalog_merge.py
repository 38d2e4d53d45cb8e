"""Bringing a release into the facts."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from catalog_facts import inputs
from catalog_facts.extract import Extract, ExtractedKey, ExtractedSection
from catalog_facts.inputs import CatalogInputs, ConsumerFacts, KeyFacts
from catalog_facts.merge import MergeReport, merge

(RECORDED,) = (Path(__file__).resolve().parents[1] / "truth" / "catalog" / "recorded").glob("*.json")
NEWEST = RECORDED.stem
"""The newest tag that the catalog knows; `make catalog` records what it extracts from it."""
MINOR, PATCH = map(int, NEWEST.split(".")[1:])
BRANCH = f"1.{MINOR}"
NEXT_BRANCH = f"1.{MINOR + 1}"
NEXT = f"v{NEXT_BRANCH}.0"


@pytest.fixture
def facts() -> CatalogInputs:
    return inputs.read()


@pytest.fixture
def extract() -> Extract:
    found: Extract = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def load_balancer(extract: Extract) -> ExtractedSection:
    return next(section for section in extract["readers"][0]["sections"] if section["name"] == "LoadBalancer")


def extracted_key(extract: Extract, name: str) -> ExtractedKey:
    return next(key for key in load_balancer(extract)["keys"] if key["name"] == name)


def ccm(facts: CatalogInputs) -> ConsumerFacts:
    return facts["consumers"][0]


def key_of(facts: CatalogInputs, name: str, section: str = "LoadBalancer") -> KeyFacts:
    found = next(one for one in ccm(facts)["sections"] if one["name"] == section)
    return next(key for key in found["keys"] if key["name"] == name)


def spans(key: KeyFacts) -> list[tuple[str, str]]:
    return [(one["since"], one["before"]) for one in key["history"]]


def merged(facts: CatalogInputs, extract: Extract, release: str) -> MergeReport:
    report = merge(facts, extract, release)
    written = json.loads(json.dumps(facts))
    assert written == facts
    return report


def test_a_known_release_changes_nothing(facts: CatalogInputs, extract: Extract) -> None:
    before = copy.deepcopy(facts)
    report = merged(facts, extract, NEWEST)
    assert (report.changes, report.undecided) == ([], [])
    assert facts == before


def test_a_new_release_like_the_last_changes_the_list_of_releases_alone(facts: CatalogInputs, extract: Extract) -> None:
    before = copy.deepcopy(facts)
    report = merged(facts, extract, NEXT)
    assert report.changes == [f"{NEXT} is new; the facts on it are those of {NEXT_BRANCH} and master, too"]
    assert list(facts["releases"]["tips"])[-2:] == [NEXT_BRANCH, "master"]
    assert facts["releases"]["last_patch"][NEXT_BRANCH] == 0
    assert [key.get("ref") for key in _keys(facts)] == [key.get("ref") for key in _keys(before)]
    assert [one["ref"] for one in facts["annotations"]] == [one["ref"] for one in before["annotations"]]
    assert key_of(facts, "max-shared-lb").get("documented") == key_of(before, "max-shared-lb").get("documented")
    assert [spans(key) for key in _keys(facts)] == [spans(key) for key in _keys(before)]


def _keys(facts: CatalogInputs) -> list[KeyFacts]:
    return [key for consumer in facts["consumers"] for section in consumer["sections"] for key in section["keys"]]


def test_a_key_and_a_default_that_come_with_a_release(facts: CatalogInputs, extract: Extract) -> None:
    made_up = copy.deepcopy(extracted_key(extract, "max-shared-lb"))
    made_up |= {"name": "made-up", "field": "MadeUp", "documented": False}
    load_balancer(extract)["keys"].append(made_up)
    extracted_key(extract, "max-shared-lb")["default"] = 9
    (*_, last) = key_of(facts, "max-shared-lb")["history"]
    now = last["default"]
    report = merged(facts, extract, NEXT)
    assert f"ccm: [LoadBalancer] made-up: absent, now int, default {now} (before)" in report.changes
    changed = f"ccm: [LoadBalancer] max-shared-lb: int, default {now} (before), now int, default 9 (before)"
    assert changed in report.changes
    assert spans(key_of(facts, "made-up")) == [(NEXT, "")]
    assert "documented" not in key_of(facts, "made-up")
    for name in ("made-up", "max-shared-lb"):
        assert key_of(facts, name)["ref"].startswith(f"{NEXT}:pkg/openstack/openstack.go:")
    history = [(one["since"], one["before"], one["default"]) for one in key_of(facts, "max-shared-lb")["history"]]
    assert history[-2:] == [(last["since"], NEXT, now), (NEXT, "", 9)]


def test_a_key_that_goes(facts: CatalogInputs, extract: Extract) -> None:
    section = load_balancer(extract)
    section["keys"] = [key for key in section["keys"] if key["name"] != "flavor-id"]
    merged(facts, extract, NEXT)
    assert spans(key_of(facts, "flavor-id")) == [("v1.19.0", NEXT)]


def test_a_key_that_is_brought_to_an_older_branch(facts: CatalogInputs, extract: Extract) -> None:
    load_balancer(extract)["keys"].append({**extracted_key(extract, "flavor-id"), "name": "made-up"})
    older_branch, newer = f"1.{MINOR - 1}", f"v{BRANCH}.{PATCH + 1}"
    older = f"v{older_branch}.{facts['releases']['last_patch'][older_branch] + 1}"
    report = merged(facts, extract, older)
    assert spans(key_of(facts, "made-up")) == [(older, f"v{BRANCH}.0")]
    assert report.changes[0] == f"{older} is new; the facts on it are those of {older_branch}, too"
    merged(facts, extract, newer)
    assert spans(key_of(facts, "made-up")) == [(older, f"v{BRANCH}.0"), (newer, "")]


def test_tags_that_were_never_read(facts: CatalogInputs, extract: Extract) -> None:
    report = merged(facts, extract, f"v{BRANCH}.{PATCH + 3}")
    first, second, third = (f"v{BRANCH}.{PATCH + more}" for more in (1, 2, 3))
    assert f"{first}, {second}: never read, taken to be as {third}" in report.undecided
    assert facts["releases"]["last_patch"][BRANCH] == PATCH + 3


def test_the_source_wins_over_a_fact(facts: CatalogInputs, extract: Extract) -> None:
    extracted_key(extract, "monitor-delay")["default"] = 9
    before = spans(key_of(facts, "monitor-delay"))
    report = merged(facts, extract, NEWEST)
    assert [change.partition(",")[0] for change in report.changes] == ["ccm: [LoadBalancer] monitor-delay: duration"]
    after = f"v{BRANCH}.{PATCH + 1}"
    assert spans(key_of(facts, "monitor-delay")) == [
        *before[:-1],
        (before[-1][0], NEWEST),
        (NEWEST, after),
        (after, ""),
    ]


def test_what_a_person_has_to_look_at(facts: CatalogInputs, extract: Extract) -> None:
    name = "loadbalancer.openstack.org/made-up"
    extract["annotations"].append({"name": name, "type": "int", "documented": True, "at": "pkg/openstack/x.go:1"})
    extract["readers"] = [one for one in extract["readers"] if one["consumer"] != "barbican-kms-plugin"]
    extract["undecided"] = ["pkg/x.go:1: the default of y, z()"]
    report = merged(facts, extract, NEXT)
    assert [line.partition(": ")[0] for line in report.undecided] == [
        "pkg/x.go:1",
        "barbican-kms-plugin",
        f"annotation {name}",
    ]
    added = facts["annotations"][-1]
    assert (added["name"], added["type"], added["history"]) == (name, "int", [{"since": NEXT, "before": ""}])
    assert added["documented"] == [f"{NEXT_BRANCH}..master"]


def test_a_branch_that_was_left_out(facts: CatalogInputs, extract: Extract) -> None:
    with pytest.raises(ValueError, match=r"1\.8 is older"):
        merge(facts, extract, "v1.8.0")
    with pytest.raises(ValueError, match="no branch"):
        merge(facts, extract, NEXT_BRANCH)
