"""Bringing a release into the facts."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from ccmcheck.catalog.sources import inputs
from ccmcheck.catalog.sources.extract import Extract, ExtractedKey, ExtractedSection
from ccmcheck.catalog.sources.inputs import ConsumerFacts, Inputs, KeyFacts
from ccmcheck.catalog.sources.merge import Report, merge

RECORDED = Path(__file__).resolve().parents[1] / "truth" / "catalog" / "recorded" / "v1.36.0.json"


@pytest.fixture
def facts() -> Inputs:
    return inputs.read()


@pytest.fixture
def extract() -> Extract:
    found: Extract = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def load_balancer(extract: Extract) -> ExtractedSection:
    return next(section for section in extract["readers"][0]["sections"] if section["name"] == "LoadBalancer")


def extracted_key(extract: Extract, name: str) -> ExtractedKey:
    return next(key for key in load_balancer(extract)["keys"] if key["name"] == name)


def ccm(facts: Inputs) -> ConsumerFacts:
    return facts["consumers"][0]


def key_of(facts: Inputs, name: str, section: str = "LoadBalancer") -> KeyFacts:
    found = next(one for one in ccm(facts)["sections"] if one["name"] == section)
    return next(key for key in found["keys"] if key["name"] == name)


def spans(key: KeyFacts) -> list[tuple[str, str]]:
    return [(one["since"], one["before"]) for one in key["history"]]


def merged(facts: Inputs, extract: Extract, release: str) -> Report:
    report = merge(facts, extract, release)
    written = json.loads(json.dumps(facts))
    assert written == facts
    return report


def test_a_known_release_changes_nothing(facts: Inputs, extract: Extract) -> None:
    before = copy.deepcopy(facts)
    report = merged(facts, extract, "v1.36.0")
    assert (report.changes, report.undecided) == ([], [])
    assert facts == before


def test_a_new_release_like_the_last_only_moves_where_it_can_be_read(facts: Inputs, extract: Extract) -> None:
    before = copy.deepcopy(facts)
    report = merged(facts, extract, "v1.37.0")
    assert report.changes == ["v1.37.0 is new; the facts on it are those of 1.37 and master, too"]
    assert list(facts["releases"]["tips"])[-2:] == ["1.37", "master"]
    assert facts["releases"]["last_patch"]["1.37"] == 0
    assert key_of(facts, "max-shared-lb")["ref"].startswith("v1.37.0:pkg/openstack/openstack.go:")
    assert key_of(facts, "max-shared-lb").get("documented") == key_of(before, "max-shared-lb").get("documented")
    assert [spans(key) for key in _keys(facts)] == [spans(key) for key in _keys(before)]


def _keys(facts: Inputs) -> list[KeyFacts]:
    return [key for consumer in facts["consumers"] for section in consumer["sections"] for key in section["keys"]]


def test_a_key_and_a_default_that_come_with_a_release(facts: Inputs, extract: Extract) -> None:
    made_up = copy.deepcopy(extracted_key(extract, "max-shared-lb"))
    made_up |= {"name": "made-up", "field": "MadeUp", "documented": False}
    load_balancer(extract)["keys"].append(made_up)
    extracted_key(extract, "max-shared-lb")["default"] = 4
    report = merged(facts, extract, "v1.37.0")
    assert "ccm: [LoadBalancer] made-up: absent, now int, default 2 (before)" in report.changes
    assert "ccm: [LoadBalancer] max-shared-lb: int, default 2 (before), now int, default 4 (before)" in report.changes
    assert spans(key_of(facts, "made-up")) == [("v1.37.0", "")]
    assert "documented" not in key_of(facts, "made-up")
    assert [(one["since"], one["before"], one["default"]) for one in key_of(facts, "max-shared-lb")["history"]] == [
        ("v1.23.0", "v1.37.0", 2),
        ("v1.37.0", "", 4),
    ]


def test_a_key_that_goes(facts: Inputs, extract: Extract) -> None:
    section = load_balancer(extract)
    section["keys"] = [key for key in section["keys"] if key["name"] != "flavor-id"]
    merged(facts, extract, "v1.37.0")
    assert spans(key_of(facts, "flavor-id")) == [("v1.19.0", "v1.37.0")]


def test_a_key_that_is_brought_to_an_older_branch(facts: Inputs, extract: Extract) -> None:
    load_balancer(extract)["keys"].append({**extracted_key(extract, "flavor-id"), "name": "made-up"})
    report = merged(facts, extract, "v1.35.1")
    assert spans(key_of(facts, "made-up")) == [("v1.35.1", "v1.36.0")]
    assert report.changes[0] == "v1.35.1 is new; the facts on it are those of 1.35, too"
    merged(facts, extract, "v1.36.1")
    assert spans(key_of(facts, "made-up")) == [("v1.35.1", "v1.36.0"), ("v1.36.1", "")]


def test_tags_that_were_never_read(facts: Inputs, extract: Extract) -> None:
    report = merged(facts, extract, "v1.36.3")
    assert "v1.36.1, v1.36.2: never read, taken to be as v1.36.3" in report.undecided
    assert facts["releases"]["last_patch"]["1.36"] == 3


def test_the_source_wins_over_a_fact(facts: Inputs, extract: Extract) -> None:
    extracted_key(extract, "max-shared-lb")["default"] = 4
    merged(facts, extract, "v1.36.0")
    history = [(one["since"], one["before"], one["default"]) for one in key_of(facts, "max-shared-lb")["history"]]
    assert history == [("v1.23.0", "v1.36.0", 2), ("v1.36.0", "v1.36.1", 4), ("v1.36.1", "", 2)]


def test_what_a_person_has_to_look_at(facts: Inputs, extract: Extract) -> None:
    name = "loadbalancer.openstack.org/made-up"
    extract["annotations"].append({"name": name, "type": "int", "documented": True, "at": "pkg/openstack/x.go:1"})
    extract["readers"] = [one for one in extract["readers"] if one["consumer"] != "barbican-kms-plugin"]
    extract["undecided"] = ["pkg/x.go:1: the default of y, z()"]
    report = merged(facts, extract, "v1.37.0")
    assert [line.partition(": ")[0] for line in report.undecided] == [
        "pkg/x.go:1",
        "barbican-kms-plugin",
        f"annotation {name}",
    ]
    added = facts["annotations"][-1]
    assert (added["name"], added["type"], added["history"]) == (name, "int", [{"since": "v1.37.0", "before": ""}])
    assert added["documented"] == ["1.37..master"]


def test_a_branch_that_was_left_out(facts: Inputs, extract: Extract) -> None:
    with pytest.raises(ValueError, match=r"1\.8 is older"):
        merge(facts, extract, "v1.8.0")
    with pytest.raises(ValueError, match="no branch"):
        merge(facts, extract, "1.37")
