"""The facts in tests/truth/catalog/catalog_facts, and that the data modules are what is generated from them."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalog_facts import generate, inputs
from catalog_facts.timeline import Timeline

TIMELINE = Timeline(("1.9", "1.23", "1.24", "1.25", "master"), {"1.23": 1, "1.24": 1, "1.25": 0})


def test_the_data_is_what_the_generator_writes() -> None:
    made = generate.modules(inputs.read())
    assert made == {name: (generate.DATA / name).read_text(encoding="utf-8") for name in made}


def test_the_facts_are_written_as_they_are_read(tmp_path: Path) -> None:
    inputs.write(inputs.read(), tmp_path)
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_text(encoding="utf-8") for path in inputs.INPUTS.glob("*.json")}


def test_every_history_is_the_shortest_that_says_it() -> None:
    """Else bringing in a known release would change it."""
    facts = inputs.read()
    releases = inputs.timeline(facts["releases"])
    for consumer in facts["consumers"]:
        if consumer["consumer"] == "legacy-in-tree":
            continue  # it begins with branches of Kubernetes that are older than the first of the list
        for section in consumer["sections"]:
            for key in section["keys"]:
                rows = [
                    (one["since"], one["before"], (one["type"], str(one["default"]), one["set"]))
                    for one in key["history"]
                ]
                assert releases.compress(releases.expand(rows)) == rows, (consumer["consumer"], key["name"])


@pytest.mark.parametrize(
    "stretches",
    [
        [],
        [("", "", "a")],
        [("", "v1.23.0", "a"), ("v1.24.0", "", "b")],
        [("v1.23.1", "v1.24.0", "a"), ("v1.24.1", "v1.25.0", "a")],
        # to the branch 1.23 after its last tag
        [("v1.23.2", "v1.24.0", "a"), ("v1.25.1", "", "a")],
        # in master alone
        [("v1.26.0", "", "a")],
    ],
)
def test_stretches_of_releases(stretches: list[tuple[str, str, str]]) -> None:
    assert TIMELINE.compress(TIMELINE.expand(stretches)) == stretches


def test_what_holds_at_each_release() -> None:
    assert TIMELINE.expand([("v1.23.2", "v1.24.0", "a"), ("v1.24.1", "", "b")]) == {
        "1.23": "a",
        "v1.24.1": "b",
        "1.24": "b",
        "v1.25.0": "b",
        "1.25": "b",
        "master": "b",
    }
