"""A record is what `typing.NamedTuple` makes, whatever it costs to make it."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest

from ccmcheck.base import records


class Ours(records.NamedTuple):
    """A record."""

    first: int
    second: str = "two"
    third: tuple[str, ...] = ()

    @property
    def doubled(self) -> int:
        return self.first * 2


class Named(records.NamedTuple):
    """Fields named like what a constructor is made of."""

    cls: int
    new: int
    tuple: int


class Theirs(typing.NamedTuple):
    """A record."""

    first: int
    second: str = "two"
    third: tuple[str, ...] = ()

    @property
    def doubled(self) -> int:
        return self.first * 2


class Heir(Ours):
    """A class with a record as its base."""


def test_an_instance_is_the_same_tuple() -> None:
    ours, theirs = Ours(1, third=("a",)), Theirs(1, third=("a",))
    assert [tuple(ours), tuple(theirs)] == [(1, "two", ("a",))] * 2
    assert ours == tuple(theirs)
    assert hash(ours) == hash(theirs)
    assert (ours.first, ours.second, ours.third, ours.doubled) == (1, "two", ("a",), 2)
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._asdict() == theirs._asdict()
    assert not hasattr(ours, "__dict__")


@pytest.mark.parametrize("name", ["_fields", "_field_defaults", "__match_args__", "__doc__", "__module__", "__slots__"])
def test_a_class_says_the_same_of_itself(name: str) -> None:
    assert getattr(Ours, name) == getattr(Theirs, name)


def test_a_changed_copy() -> None:
    assert Ours(1)._replace(second="zwei") == (1, "zwei", ())
    assert type(Ours(1)._replace(first=2)) is Ours
    assert Ours._make([1, "a", ()]) == Ours(1, "a")


@pytest.mark.parametrize("made", [Ours, Theirs])
def test_wrong_use_is_told(made: Any) -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'first'"):
        made()
    with pytest.raises(TypeError, match="takes from 2 to 4 positional arguments but 5 were given"):
        made(1, "a", (), 3)
    with pytest.raises(TypeError, match="Expected 3 arguments, got 1"):
        made._make([1])
    with pytest.raises(ValueError, match=r"Got unexpected field names: \['fourth'\]"):
        made(1)._replace(fourth=4)
    with pytest.raises(AttributeError):
        made(1).first = 2


def test_a_class_whose_first_instance_is_a_copy() -> None:
    class Fresh(records.NamedTuple):
        only: int

    assert Fresh._make([1]) == (1,)
    assert pickle.loads(pickle.dumps(Ours(1))) == Ours(1)  # noqa: S301 - our own bytes
    assert copy.deepcopy(Ours(1)) == Ours(1)
    assert Fresh(only=3).only == 3


def test_an_heir_makes_its_own_kind() -> None:
    assert type(Heir(1)) is Heir
    assert type(Ours(1)) is Ours
    assert type(Heir(1)._replace(first=2)) is Heir


def test_a_pattern_takes_it_apart() -> None:
    match Ours(1, "a"):
        case Ours(first, second):
            assert (first, second) == (1, "a")
        case _:
            pytest.fail("no match")


def test_a_default_before_a_field_without_one_is_refused() -> None:
    maker: Any = type(records.NamedTuple)
    with pytest.raises(TypeError, match="follows one that has a default"):
        maker("Odd", (records.NamedTuple,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})


def test_fields_named_like_parts_of_the_constructor() -> None:
    assert Named(1, new=2, tuple=3)._asdict() == {"cls": 1, "new": 2, "tuple": 3}


def test_a_field_with_an_underscore_is_refused() -> None:
    maker: Any = type(records.NamedTuple)
    with pytest.raises(ValueError, match="starts with an underscore"):
        maker("Odd", (records.NamedTuple,), {"__annotations__": {"_new": "int"}})
