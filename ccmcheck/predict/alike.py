"""Services that differ in nothing but their names: what is worked out for one of them is said of all, by their names.

What the CCM does depends on a Service's name only where it writes it: into the names and descriptions of what it makes,
and into its messages. So some of those that are alike are worked out for themselves, then one with a name that nothing
else is called by; where putting a real name in its place gives what was worked out for that one, it does for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, cast

from ccmcheck.base.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from ccmcheck.predict.inputs.service import Service

Result = TypeVar("Result")

STAND_IN = "name-q7x2v9k4z8w3"
"""A name that no Service has, and that is part of no text."""
MOST_ALONE = 8
"""Services of a kind that are worked out one by one: with fewer the other name would cost more than it saves."""
_LONGEST = 64
"""Characters of a Service's title, and of a cluster's name: what is made of both is never as long as what is cut."""
_NAME = lazy_regex(r"[a-z](?:[-a-z0-9]*[a-z0-9])?\Z")

_Make: TypeAlias = Callable[[str], object]


def likeness(service: Service, cluster: str) -> Hashable | None:
    """What Services have in common that are alike; None for one that is not like any other.

    Args:
        service: The Service.
        cluster: The cluster's name.
    """
    if (
        service.faults
        or service.uid
        or len(service.title) > _LONGEST
        or len(cluster) > _LONGEST
        or not _NAME.match(service.name)
    ):
        return None
    return tuple(
        tuple(value.items()) if isinstance(value, Mapping) else value
        for field, value in zip(service._fields, service, strict=True)
        if field != "name"
    )


class AlikeServices(Generic[Result]):
    """Works out something for each Service, and for most of those that are alike from what they have in common."""

    def __init__(self) -> None:
        self._counts: dict[Hashable, int] = {}
        self._makers: dict[Hashable, Callable[[str], Result] | None] = {}

    def of(self, name: str, kind: Hashable | None, work: Callable[[str], Result]) -> Result:
        """The result for one Service.

        Args:
            name: Its name.
            kind: What it has in common with those that are like it, all that ``work`` goes by; None for nothing.
            work: Works out the result, made of records and plain data, as if the Service had a name.
        """
        if kind is None:
            return work(name)
        if kind in self._makers:
            make = self._makers[kind]
            return make(name) if make is not None else work(name)
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        result = work(name)
        if count >= MOST_ALONE and name != STAND_IN:  # that one would be what is made of any template
            make = _template(work(STAND_IN))
            self._makers[kind] = make if make is not None and make(name) == result else None
        return result


def _template(result: Result) -> Callable[[str], Result] | None:
    """Makes the same result with another name; None where anything else than records and plain data is in it."""
    try:
        make = _maker(result)
    except TypeError:
        return None
    return cast("Callable[[str], Result]", make) if make is not None else lambda _name: result


def _maker(value: object) -> _Make | None:
    """Makes a value with another name; None for one that has none in it.

    Raises:
        TypeError: It is neither a record nor plain data.
    """
    if isinstance(value, str):
        parts = value.split(STAND_IN)
        return None if len(parts) == 1 or isinstance(value, Enum) else lambda name: name.join(parts)
    if value is None or isinstance(value, int | float | Enum):
        return None
    if isinstance(value, tuple):
        return _tuple_maker(value)
    if isinstance(value, list):
        items = _tuple_maker(tuple(value))
        return None if items is None else lambda name: list(cast("tuple[object, ...]", items(name)))
    if isinstance(value, dict):
        pairs = _tuple_maker(tuple(value.items()))
        return None if pairs is None else lambda name: dict(cast("tuple[tuple[object, object], ...]", pairs(name)))
    raise TypeError


def _tuple_maker(value: tuple[object, ...]) -> _Make | None:
    makers = [(at, maker) for at, item in enumerate(value) if (maker := _maker(item)) is not None]
    if not makers:
        return None
    kind = type(value)

    def make(name: str) -> object:
        items = list(value)
        for at, maker in makers:
            items[at] = maker(name)
        return tuple.__new__(kind, items)

    return make
