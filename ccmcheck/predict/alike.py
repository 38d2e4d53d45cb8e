"""Services that differ in nothing but names and NodePorts: what is worked out for one of them is said of all.

What the CCM does depends on a Service's name and NodePorts only where it writes them: into names, descriptions, bodies
and messages. So some of those that are alike are worked out for themselves, then one with a name and NodePorts that
nothing else has; where putting real ones in their place gives what was worked out for that one, it does for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import Enum
from operator import itemgetter
from typing import Generic, TypeAlias, TypeVar, cast

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.predict.inputs.service import FIRST_NODE_PORT, Service

Result = TypeVar("Result")

STAND_IN = f"name-q7x2v9k4z8w3-{'x' * 45}"
"""A name that no Service has, and that is part of no text; longer than theirs, so that what it fits in they do, too."""
NODE_PORTS = range(FIRST_NODE_PORT + 11, 32768, 41)
"""NodePorts in place of real ones, in their order; a Service with more is like no other."""
MOST_ALONE = 8
"""Services of a kind that are worked out one by one: with fewer the stand-in would cost more than it saves."""
_LONGEST = 64
"""Characters of a Service's title, and of a cluster's name: what is made of both is never as long as what is cut."""
_NAME = lazy_regex(r"[a-z](?:[-a-z0-9]*[a-z0-9])?\Z")
_NUMBER = lazy_regex(r"\d+")

_Values: TypeAlias = Sequence[str | int]
_Make: TypeAlias = Callable[[_Values], object]
_STAND_INS: _Values = (STAND_IN, *NODE_PORTS)
_AT = {value: at for at, value in enumerate(_STAND_INS)}
_TEXT = lazy_regex(rf"({STAND_IN}|(?<!\d)3[0-2]\d\d\d(?!\d))")


class Likeness(NamedTuple):
    """What a Service, or one before and after a change, has in common with those that are like it.

    Attributes:
        kind: The same for all.
        values: Its own name and NodePorts.
        stand_ins: The Service with others.
    """

    kind: Hashable
    values: _Values
    stand_ins: tuple[Service, ...]


def likeness(cluster: str, *services: Service) -> Likeness | None:
    """What Services of one name have in common with others; None for what is not like any other.

    Args:
        cluster: The cluster's name.
        services: The Service, before and after a change where there is one.
    """
    numbers = sorted(
        {number for one in services for number in (one.check_port, *(port.node_port for port in one.ports))}
    )
    ports = [number for number in numbers if FIRST_NODE_PORT <= number < NODE_PORTS.stop]
    if len(cluster) > _LONGEST or len(ports) > len(NODE_PORTS) or any(map(_is_alone, services)):
        return None
    instead = dict(zip(ports, NODE_PORTS, strict=False))
    stand_ins = tuple(_stand_in(one, instead) for one in services)
    return Likeness(tuple(map(_hashable, stand_ins)), (services[0].name, *ports), stand_ins)


def _is_alone(service: Service) -> bool:
    named = any(fault.about != "old" for fault in service.faults)  # that one says the same of every Service
    return bool(named or service.uid or len(service.title) > _LONGEST or not _NAME.match(service.name))


def _stand_in(service: Service, instead: Mapping[int, int]) -> Service:
    def number(found: re.Match[str]) -> str:
        return str(instead.get(int(found[0]), found[0]))

    return service._replace(
        name=STAND_IN,
        ports=tuple(port._replace(node_port=instead.get(port.node_port, port.node_port)) for port in service.ports),
        check_port=instead.get(service.check_port, service.check_port),
        allocated=tuple(instead.get(port, port) for port in service.allocated),
        assumed=tuple(_NUMBER.sub(number, text) for text in service.assumed),
    )


def _hashable(service: Service) -> Hashable:
    return tuple(tuple(value.items()) if isinstance(value, Mapping) else value for value in service)


class AlikeServices(Generic[Result]):
    """Works out something for each Service, and for most of those that are alike from what they have in common."""

    def __init__(self) -> None:
        self._counts: dict[Hashable, int] = {}
        self._makers: dict[Hashable, Callable[[_Values], Result] | None] = {}

    def of(
        self,
        services: tuple[Service, ...],
        alike: Likeness | None,
        context: Hashable,
        work: Callable[[tuple[Service, ...]], Result],
    ) -> Result:
        """The result for one Service.

        Args:
            services: The Service, before and after a change where there is one.
            alike: What it has in common with those that are like it; None for nothing.
            context: All else that ``work`` goes by.
            work: Works out the result, made of records and plain data.
        """
        if alike is None:
            return work(services)
        kind = alike.kind, context
        if kind in self._makers:
            make = self._makers[kind]
            return make(alike.values) if make is not None else work(services)
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        result = work(services)
        if count >= MOST_ALONE and _AT.keys().isdisjoint(alike.values):  # else any template would make it
            make = _template(work(alike.stand_ins))
            self._makers[kind] = make if make is not None and make(alike.values) == result else None
        return result


def _template(result: Result) -> Callable[[_Values], Result] | None:
    """Makes the same result with other values; None where anything else than records and plain data is in it."""
    try:
        make = _maker(result)
    except TypeError:
        return None
    return cast("Callable[[_Values], Result]", make) if make is not None else lambda _values: result


def _maker(value: object) -> _Make | None:
    """Makes a value with others in place of stand-ins; None for one that has none in it.

    Raises:
        TypeError: It is neither a record nor plain data.
    """
    if isinstance(value, str):
        return None if isinstance(value, Enum) else _text_maker(value)
    if type(value) is int and value in _AT:
        return itemgetter(_AT[value])
    if value is None or isinstance(value, int | float | Enum):
        return None
    if isinstance(value, tuple):
        return _tuple_maker(value)
    if isinstance(value, list):
        items = _tuple_maker(tuple(value))
        return None if items is None else lambda values: list(cast("tuple[object, ...]", items(values)))
    if isinstance(value, dict):
        return _dict_maker(value)
    raise TypeError


def _text_maker(text: str) -> _Make | None:
    parts = _TEXT.split(text)
    at = [_AT.get(int(part) if part.isdigit() else part) for part in parts[1::2]]
    known = [one for one in at if one is not None]
    if not known:
        return None
    pieces = [part.replace("%", "%%") for part in parts]
    pieces[1::2] = [part if one is None else "%s" for part, one in zip(parts[1::2], at, strict=True)]
    pattern, chosen = "".join(pieces), itemgetter(*known)
    return lambda values: pattern % chosen(values)


def _dict_maker(value: dict[object, object]) -> _Make | None:
    makers = {key: maker for key, item in value.items() if (maker := _maker(item)) is not None}
    if any(_maker(key) is not None for key in value):
        pairs = _tuple_maker(tuple(value.items()))
        return None if pairs is None else lambda values: dict(cast("tuple[tuple[object, object], ...]", pairs(values)))
    if not makers:
        return None
    return lambda values: value | {key: make(values) for key, make in makers.items()}


def _tuple_maker(value: tuple[object, ...]) -> _Make | None:
    makers = [(at, maker) for at, item in enumerate(value) if (maker := _maker(item)) is not None]
    if not makers:
        return None
    kind = type(value)

    def make(values: _Values) -> object:
        items = list(value)
        for at, maker in makers:
            items[at] = maker(values)
        return tuple.__new__(kind, items)

    return make
