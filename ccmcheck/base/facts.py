"""Facts of a deployment: what is known, with its places; what is left open, and what would tell."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Generic, TypeVar

from ccmcheck.base.records import NamedTuple

ValueT = TypeVar("ValueT")


class State(Enum):
    """How much is known."""

    KNOWN = "known"
    ONE_OF = "one of a few"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"


class FactPlace(NamedTuple):
    """Where something is said.

    Attributes:
        path: The file, or an option such as ``--release``.
        line: From 1; 0 where there is none.
        sign: What is said there, as far as it may be shown: ``image tag v1.31.2``.
    """

    path: str
    line: int = 0
    sign: str = ""

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.path}:{self.line}" if self.line else self.path

    def __str__(self) -> str:
        return f"{self.where} ({self.sign})" if self.sign else self.where


class Fact(NamedTuple, Generic[ValueT]):
    """One fact.

    Attributes:
        state: How much is known.
        values: The value; of one of a few, those that are left; none where it is unknown.
        places: What says so, the decisive one first; where it is assumed or unknown, what was looked at.
        why: Why a value is assumed, or several are left; for an unknown one, what would tell.
    """

    state: State
    values: tuple[ValueT, ...] = ()
    places: tuple[FactPlace, ...] = ()
    why: str = ""

    @classmethod
    def known(cls, value: ValueT, *places: FactPlace, why: str = "") -> Fact[ValueT]:
        """A value that something says."""
        return cls(State.KNOWN, (value,), places, why)

    @classmethod
    def one_of(cls, values: Sequence[ValueT], *places: FactPlace, why: str) -> Fact[ValueT]:
        """The values that the evidence leaves; known where it leaves one."""
        return cls(State.KNOWN if len(values) == 1 else State.ONE_OF, tuple(values), places, why)

    @classmethod
    def assumed(cls, value: ValueT, why: str, *places: FactPlace) -> Fact[ValueT]:
        """A value that stands in for what nothing says."""
        return cls(State.ASSUMED, (value,), places, why)

    @classmethod
    def unknown(cls, why: str, *places: FactPlace) -> Fact[ValueT]:
        """Nothing is known.

        Args:
            why: What would tell.
            places: What was looked at.
        """
        return cls(State.UNKNOWN, (), places, why)

    @property
    def value(self) -> ValueT | None:
        """The value that is known or assumed; None where several are left, or none."""
        return self.values[0] if len(self.values) == 1 else None
