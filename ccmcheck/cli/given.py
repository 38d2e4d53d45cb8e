"""An option as a record of its own: how it is written on the command line, and how a command reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Self, TypeVar, overload

import click

from ccmcheck.base.data_files import read_text
from ccmcheck.cli.command import SectionOption
from ccmcheck.cli.option_types import complete_files, completer

Value = TypeVar("Value")
_TABLE = read_text(__file__, "options.tsv")


class Values:
    """The values of a command line: those of the options that the command has; the others have their defaults."""

    def __init_subclass__(cls) -> None:
        for name, attribute in vars(cls).items():
            if attribute.__class__ is Declared:
                attribute._name = name  # noqa: SLF001 - its own kind

    def __init__(self, **values: Any) -> None:  # noqa: ANN401 - click's
        self._values = values

    def takes(self, name: str) -> bool:
        """Whether the command has an option."""
        return name in self._values

    def but(self, **changes: Any) -> Self:  # noqa: ANN401
        """The same with some values changed."""
        return type(self)(**{**self._values, **changes})


class Declared(Generic[Value]):
    """One option or argument; as an attribute of `Values` it is its value. ``options.tsv`` has its words.

    Args:
        default: Its value where it is not given.
        attributes: As click takes them.
    """

    def __init__(self, default: Value, **attributes: Any) -> None:  # noqa: ANN401 - click's
        self._default = default
        self._attributes = attributes
        self._name = ""

    @overload
    def __get__(self, values: None, owner: type) -> Declared[Value]: ...
    @overload
    def __get__(self, values: Values, owner: type) -> Value: ...
    def __get__(self, values: Values | None, owner: type) -> Declared[Value] | Value:
        if values is None:
            return self
        value: Value | None = values._values.get(self._name)  # noqa: SLF001 - its own kind
        return self._default if value is None else value

    def parameter(self, says: str = "", **attributes: Any) -> click.Parameter:  # noqa: ANN401 - click's
        """What click takes.

        Args:
            says: What the help of a command says in the place of ``{}``.
            attributes: Those that depend on the command.
        """
        row = _TABLE.partition(f"\n{self._name}\t")[2].partition("\n")[0]  # few of them are asked for
        spelling, section, metavar, complete, usual, help_text = row.split("\t")
        attributes = {**self._attributes, **attributes}
        if metavar:
            attributes["metavar"] = metavar
        if (spelling and self._default == "") or "/" in spelling:  # else click's own
            attributes["default"] = self._default
        if complete:
            attributes["shell_complete"] = complete_files if complete == "files" else completer(complete)
        if not spelling:
            if says:
                attributes["metavar"] = says
            return click.Argument([self._name], **attributes)
        if "{}" in help_text:
            help_text = help_text.replace("{}", says or usual)
        return SectionOption([*spelling.split(", "), self._name], section=section or None, help=help_text, **attributes)


def flag() -> Declared[bool]:
    """An option without a value."""
    return Declared(default=False, is_flag=True)


def either() -> Declared[bool | None]:
    """An option that says yes or no, or is not given."""
    return Declared(None)


def text() -> Declared[str | None]:
    """An option with a text."""
    return Declared(None)


def word() -> Declared[str]:
    """The same, empty where it is not given."""
    return Declared("")


def texts() -> Declared[tuple[str, ...]]:
    """An option that may be given several times."""
    return Declared((), multiple=True)


def number(least: int = 0, most: int | None = None) -> Declared[int | None]:
    """An option with a number."""
    return Declared(None, type=click.IntRange(least, most))


def choice(words: Sequence[str]) -> Declared[str | None]:
    """An option that takes one of a few words."""
    return Declared(None, type=click.Choice(words))
