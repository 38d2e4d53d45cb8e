"""An option as a record of its own: how it is written on the command line, and how a command reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar, overload

import click

from ccmcheck.cli.command import Function, SectionOption
from ccmcheck.cli.option_types import complete_files, completer

Value = TypeVar("Value")


class Values:
    """The values of a command line: those of the options that the command has; the others have their defaults."""

    def __init__(self, **values: Any) -> None:  # noqa: ANN401 - click's
        self._values = values

    def takes(self, name: str) -> bool:
        """Whether the command has an option."""
        return name in self._values

    def but(self, **changes: Any) -> Self:  # noqa: ANN401
        """The same with some values changed."""
        return type(self)(**{**self._values, **changes})


class Declared(Generic[Value]):
    """One option or argument; as an attribute of `Values` it is its value.

    Args:
        spelling: ``-q, --quiet``; an argument has none.
        default: Its value where it is not given.
        help: What it does; ``{}`` stands for what a command may say otherwise.
        says: What stands there if it does not.
        section: Its section of ``--help``.
        complete: What a shell offers: ``files``, or a function of `ccmcheck.cli.completion`.
        attributes: As click takes them.
    """

    def __init__(
        self,
        spelling: str,
        default: Value,
        help: str = "",  # noqa: A002 - click's word
        says: str = "",
        *,
        section: str | None = None,
        complete: str = "",
        **attributes: Any,  # noqa: ANN401 - click's
    ) -> None:
        self._spelling = spelling
        self._default = default
        self._help, self._says = help, says
        self._section = section
        if (spelling and default == "") or "/" in spelling:  # else click's own
            attributes["default"] = default
        if complete:
            attributes["shell_complete"] = complete_files if complete == "files" else completer(complete)
        self._attributes = attributes

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

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
        attributes = {**self._attributes, **attributes}
        if not self._spelling:
            if says:
                attributes["metavar"] = says
            return click.Argument([self._name], **attributes)
        help_text = self._help.replace("{}", says or self._says)
        return SectionOption(
            [*self._spelling.split(", "), self._name], section=self._section, help=help_text, **attributes
        )

    def __call__(self, function: Function) -> Function:
        """Declare it for a command, as a decorator."""
        return self.saying("")(function)

    def saying(self, says: str, **attributes: Any) -> Callable[[Function], Function]:  # noqa: ANN401 - click's
        """The same with what the help of a command says; see `parameter`."""

        def decorate(function: Function) -> Function:
            click.decorators._param_memo(function, self.parameter(says, **attributes))  # noqa: SLF001 - as its decorators
            return function

        return decorate


def flag(spelling: str, help_text: str, section: str | None = None) -> Declared[bool]:
    """An option without a value."""
    return Declared(spelling, default=False, help=help_text, section=section, is_flag=True)


def either(spelling: str, help_text: str, section: str | None = None) -> Declared[bool | None]:
    """An option that says yes or no, or is not given."""
    return Declared(spelling, None, help_text, section=section)


def text(spelling: str, metavar: str, help_text: str, section: str | None = None, **more: Any) -> Declared[str | None]:  # noqa: ANN401
    """An option with a text; more: ``says``, ``complete``, and what click takes."""
    return Declared(spelling, None, help_text, section=section, metavar=metavar, **more)


def word(spelling: str, metavar: str, help_text: str, section: str | None = None, **more: Any) -> Declared[str]:  # noqa: ANN401
    """The same, empty where it is not given."""
    return Declared(spelling, "", help_text, section=section, metavar=metavar, **more)


def texts(
    spelling: str,
    metavar: str,
    help_text: str,
    section: str | None = None,
    **more: Any,  # noqa: ANN401
) -> Declared[tuple[str, ...]]:
    """An option that may be given several times."""
    return Declared(spelling, (), help_text, section=section, metavar=metavar, multiple=True, **more)


def number(
    spelling: str, help_text: str, section: str | None = None, least: int = 0, most: int | None = None, says: str = ""
) -> Declared[int | None]:
    """An option with a number."""
    kind = click.IntRange(least, most)
    return Declared(spelling, None, help_text, says, section=section, metavar="N", type=kind)


def choice(
    spelling: str, words: Sequence[str], help_text: str, section: str | None = None, metavar: str | None = None
) -> Declared[str | None]:
    """An option that takes one of a few words."""
    return Declared(spelling, None, help_text, section=section, type=click.Choice(words), metavar=metavar)
