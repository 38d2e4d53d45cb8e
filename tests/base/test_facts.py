"""A fact says how much is known: a value, one of a few, an assumption, or what would tell."""

from __future__ import annotations

import pytest

from ccmcheck.base.facts import Fact, FactPlace, State

HERE = FactPlace("ccm.yaml", 12, "image tag v1.31.2")


def test_a_known_fact_has_its_value_and_its_place() -> None:
    fact = Fact.known("v1.31.2", HERE)
    assert (fact.state, fact.value, fact.places) == (State.KNOWN, "v1.31.2", (HERE,))


def test_several_values_are_no_value() -> None:
    fact = Fact.one_of(("v1.25.6", "v1.26.4"), HERE, why="the image ended with 1.26")
    assert fact.state is State.ONE_OF
    assert fact.value is None


def test_one_value_that_is_left_is_known() -> None:
    assert Fact.one_of(("v1.26.4",), HERE, why="the image ended with 1.26").state is State.KNOWN


def test_an_assumption_stands_in_and_an_unknown_fact_does_not() -> None:
    assert Fact.assumed("kubernetes", "the CCM's default").value == "kubernetes"
    unknown: Fact[str] = Fact.unknown("an image, a chart or --release would tell")
    assert unknown.value is None
    assert unknown.state is State.UNKNOWN


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (HERE, "ccm.yaml:12 (image tag v1.31.2)"),
        (FactPlace("ccm.yaml", 12), "ccm.yaml:12"),
        (FactPlace("--release"), "--release"),
    ],
)
def test_a_place_is_written_as_a_compiler_does(place: FactPlace, text: str) -> None:
    assert str(place) == text


def test_equal_facts_are_equal() -> None:
    assert Fact.known("a", HERE) == Fact.known("a", HERE)
    assert Fact.known("a", HERE) != Fact.assumed("a", "", HERE)
    assert len({Fact.known("a", HERE), Fact.known("a", HERE)}) == 1
