"""`NamedTuple` as `typing` has it, at an eighth of what a class costs there.

A run makes some eighty of these classes before it does anything, and `typing` compiles every annotation and every
constructor of each: a tenth of what linting one file takes. Here annotations are left alone, the methods are shared,
and a class gets its constructor with its first instance. Type checkers are shown the real one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - said twice to pass it on
else:
    from collections import _tuplegetter

    class _Record(tuple):
        """What all records share."""

        __slots__ = ()

        def __new__(cls, /, *values: object, **named: object) -> Self:
            """Give the class its own constructor, and use it."""
            names = ", ".join(cls._fields)
            scope = {"_new": tuple.__new__, "__builtins__": {}}
            made = eval(f"lambda _cls, {names}: _new(_cls, ({names},))", scope)  # noqa: S307 - our own fields' names
            made.__defaults__ = tuple(cls._field_defaults.values())
            made.__name__, made.__qualname__ = "__new__", f"{cls.__qualname__}.__new__"
            owner = next(one for one in cls.__mro__ if "_fields" in one.__dict__)
            owner.__new__ = staticmethod(made)
            return made(cls, *values, **named)

        @classmethod
        def _make(cls, values: Iterable[object]) -> Self:
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: object) -> Self:
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, object]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[object, ...]:
            return tuple(self)

    class _Maker(type):
        """Makes a record of a class that names `NamedTuple` as its base; the record is a plain class again."""

        def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if any(field.startswith("_") for field in fields):
                raise ValueError(f"A field of {name} starts with an underscore, which is for the record's own names")
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"A field of {name} without a default follows one that has a default")
            for number, field in enumerate(fields):
                body[field] = _tuplegetter(number, "")
            body |= {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            return type(name, (_Record,), body)

    class NamedTuple(metaclass=_Maker):
        """The base of all records: fields are its annotations, in their order, with defaults where given."""
