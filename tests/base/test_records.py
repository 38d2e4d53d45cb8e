"""A record equals `typing.NamedTuple`, with the private getter of `collections` and without it."""

from __future__ import annotations

import collections
import copy
import importlib.util
import pickle
import typing
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from ccmcheck.base import records

if TYPE_CHECKING:
    fallback = records
else:
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(collections, "_tuplegetter")
        _spec = importlib.util.spec_from_file_location("records_without_tuplegetter", records.__file__)
        fallback = importlib.util.module_from_spec(_spec)
        _spec.loader.exec_module(fallback)


class Ours(records.NamedTuple):
    """A record."""

    first: int
    second: str = "two"
    third: tuple[str, ...] = ()

    @property
    def doubled(self) -> int:
        return self.first * 2


class Fallback(fallback.NamedTuple):
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


class Derived(Ours):
    """A class with a record as its base."""


OURS = pytest.mark.parametrize("record", [Ours, Fallback])
SYNTHETIC = pytest.mark.parametrize("maker", [type(records.NamedTuple), type(fallback.NamedTuple)])


def test_fields_are_read_in_c_or_by_properties() -> None:
    assert type(vars(Ours)["first"]) is type(vars(Theirs)["first"])
    assert type(vars(Fallback)["first"]) is property


@OURS
def test_an_instance_is_the_same_tuple(record: Any) -> None:
    ours, theirs = record(1, third=("a",)), Theirs(1, third=("a",))
    assert [tuple(ours), tuple(theirs)] == [(1, "two", ("a",))] * 2
    assert ours == tuple(theirs)
    assert hash(ours) == hash(theirs)
    assert (ours.first, ours.second, ours.third, ours.doubled) == (1, "two", ("a",), 2)
    assert repr(ours) == repr(theirs).replace("Theirs", record.__name__)
    assert ours._asdict() == theirs._asdict()
    assert not hasattr(ours, "__dict__")


@SYNTHETIC
def test_the_first_instances_are_like_the_later_ones(maker: Any) -> None:
    fields = {"__annotations__": {"first": "int", "second": "str", "third": "tuple[str, ...]"}}
    fresh = maker("Fresh", (records.NamedTuple,), {**fields, "second": "two", "third": ()})
    calls: list[tuple[tuple[object, ...], dict[str, object]]] = [
        ((1,), {}),
        ((1, "b", ("c",)), {}),
        ((), {"third": ("c",), "first": 1}),
        ((1, "b"), {"third": ("c",)}),
    ]
    wrong: list[tuple[tuple[object, ...], dict[str, object]]] = [
        ((), {}),
        ((1,), {"first": 2}),
        ((1,), {"fourth": 4}),
        ((1, "b", ("c",)), {"third": ()}),
        ((1, "b", (), 4), {}),
    ]
    for number in range(40):
        values, named = calls[number % len(calls)]
        assert tuple(fresh(*values, **named)) == tuple(Theirs(*values, **named))  # type: ignore[arg-type]
    for number, (values, named) in enumerate(wrong):
        other = maker(f"Fresh{number}", (records.NamedTuple,), {**fields, "second": "two", "third": ()})
        with pytest.raises(TypeError) as theirs:
            Theirs(*values, **named)  # type: ignore[arg-type]
        with pytest.raises(TypeError) as ours:
            other(*values, **named)
        assert str(ours.value).partition("__new__()")[2] == str(theirs.value).partition("__new__()")[2]


@SYNTHETIC
def test_a_record_without_fields(maker: Any) -> None:
    empty = maker("Empty", (records.NamedTuple,), {})
    for _ in range(40):
        assert (empty(), empty._make(()), empty()._replace()) == ((), (), ())
    with pytest.raises(TypeError):
        empty(1)


@SYNTHETIC
def test_instances_of_subclasses_and_of_threads_are_like_the_others(maker: Any) -> None:
    fresh = maker("Fresh", (records.NamedTuple,), {"__annotations__": {"first": "int", "second": "int"}, "second": 2})

    class Below(fresh):  # type: ignore[misc,valid-type]
        def __new__(cls, first: int) -> Any:
            return super().__new__(cls, first, second=first)

    def made(number: int) -> list[object]:
        return [(type(one), *one) for one in (fresh(number), Below(number), fresh(second=number, first=0))]

    with ThreadPoolExecutor(8) as threads:
        for number, found in enumerate(threads.map(made, range(400))):
            assert found == [(fresh, number, 2), (Below, number, number), (fresh, 0, number)]


@pytest.mark.parametrize("name", ["_fields", "_field_defaults", "__match_args__", "__doc__", "__module__", "__slots__"])
@OURS
def test_class_attributes_are_the_same(record: Any, name: str) -> None:
    assert getattr(record, name) == getattr(Theirs, name)


@OURS
def test_a_changed_copy(record: Any) -> None:
    assert record(1)._replace(second="zwei") == (1, "zwei", ())
    assert type(record(1)._replace(first=2)) is record
    assert record._make([1, "a", ()]) == record(1, "a")


@pytest.mark.parametrize("record", [Ours, Fallback, Theirs])
def test_wrong_use_raises_the_same_errors(record: Any) -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'first'"):
        record()
    with pytest.raises(TypeError, match="takes from 2 to 4 positional arguments but 5 were given"):
        record(1, "a", (), 3)
    with pytest.raises(TypeError, match="Expected 3 arguments, got 1"):
        record._make([1])
    with pytest.raises(ValueError, match=r"Got unexpected field names: \['fourth'\]"):
        record(1)._replace(fourth=4)
    with pytest.raises(AttributeError):
        record(1).first = 2


@SYNTHETIC
def test_a_class_whose_first_instance_is_a_copy(maker: Any) -> None:
    fresh = maker("Fresh", (records.NamedTuple,), {"__annotations__": {"only": "int"}})
    assert fresh._make([1]) == (1,)
    assert fresh(only=3).only == 3


@OURS
def test_pickle_and_deepcopy(record: Any) -> None:
    assert pickle.loads(pickle.dumps(record(1))) == record(1)  # noqa: S301 - our own bytes
    assert copy.deepcopy(record(1)) == record(1)


def test_a_derived_class_creates_its_own_instances() -> None:
    assert type(Derived(1)) is Derived
    assert type(Ours(1)) is Ours
    assert type(Derived(1)._replace(first=2)) is Derived


@OURS
def test_a_class_pattern_matches(record: Any) -> None:
    match record(1, "a"):
        case Ours(first, second) | Fallback(first, second):
            assert (first, second) == (1, "a")
        case _:
            pytest.fail("no match")


@SYNTHETIC
def test_a_default_before_a_field_without_one_is_refused(maker: Any) -> None:
    with pytest.raises(TypeError, match="follows one that has a default"):
        maker("Odd", (records.NamedTuple,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})


def test_fields_named_like_parts_of_the_constructor() -> None:
    assert Named(1, new=2, tuple=3)._asdict() == {"cls": 1, "new": 2, "tuple": 3}


@SYNTHETIC
def test_a_field_with_an_underscore_is_refused(maker: Any) -> None:
    with pytest.raises(ValueError, match="starts with an underscore"):
        maker("Odd", (records.NamedTuple,), {"__annotations__": {"_new": "int"}})
