"""`typing.NamedTuple`, at an eighth of the time that `typing` takes to create a class.

A run creates some eighty of these classes at start-up, and `typing` compiles every annotation and every constructor of
each: a tenth of the time that linting one file takes. Here annotations are not evaluated, the methods are shared, and a
class gets a constructor of its own once a run has made some of its instances. Type checkers see `typing.NamedTuple`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - an explicit re-export
else:
    try:
        from collections import _tuplegetter as _field_getter  # in C; private, so it may go with any Python
    except ImportError:
        from operator import itemgetter

        def _field_getter(index: int, doc: str) -> property:
            return property(itemgetter(index), doc=doc)

    _FEW = 16
    """Instances of a class that the common constructor makes; compiling its own takes as long."""

    class _Record(tuple):
        """The methods of all records."""

        __slots__ = ()
        _made = 0

        def __new__(cls, /, *values: object, **named: object) -> Self:
            """Make one of the first instances; then, or where the arguments are wrong, compile the constructor."""
            cls._made += 1
            if cls._made <= _FEW:
                rest = cls._fields[len(values) :]
                known = cls._field_defaults | named if rest else named
                if len(values) + len(rest) == len(cls._fields) and known.keys() >= set(rest) >= named.keys():
                    return tuple.__new__(cls, (*values, *[known[field] for field in rest]))
            names = "".join(f"{field}, " for field in cls._fields)
            scope = {"_new": tuple.__new__, "__builtins__": {}}
            constructor = eval(f"lambda _cls, {names}: _new(_cls, ({names}))", scope)  # noqa: S307 - our own fields' names
            constructor.__defaults__ = tuple(cls._field_defaults.values())
            constructor.__name__, constructor.__qualname__ = "__new__", f"{cls.__qualname__}.__new__"
            owner = next(base for base in cls.__mro__ if "_fields" in base.__dict__)
            owner.__new__ = staticmethod(constructor)
            return constructor(cls, *values, **named)

        @classmethod
        def _make(cls, values: Iterable[object]) -> Self:
            record = tuple.__new__(cls, values)
            if len(record) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(record)}")
            return record

        def _replace(self, /, **changes: object) -> Self:
            record = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return record

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    class _Maker(type):
        """Makes a plain class, not a `_Maker`, of each class with `NamedTuple` as its base."""

        def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if any(field.startswith("_") for field in fields):
                raise ValueError(
                    f"A field of {name} starts with an underscore, which is reserved for the record's own names"
                )
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"A field of {name} without a default follows one that has a default")
            for number, field in enumerate(fields):
                body[field] = _field_getter(number, "")
            body |= {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            return type(name, (_Record,), body)

    class NamedTuple(metaclass=_Maker):
        """The base of all records: the fields are the annotations, in their order, with their defaults."""
