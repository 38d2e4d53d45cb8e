"""How a command is declared and run: the options it takes, its inputs and outputs, its exit code."""

from __future__ import annotations

from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from ccmcheck.base.budget import lift_memory_limit
from ccmcheck.cli import console
from ccmcheck.cli.command import Command
from ccmcheck.cli.option_types import FormatType
from ccmcheck.cli.options import GROUPS, Given, listed
from ccmcheck.cli.output import Outputs, Report, resolve_outputs
from ccmcheck.cli.resolve import CommandInputs, base_revision, or_current_folder, resolve_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    import click

    from ccmcheck.base.result import Failure
    from ccmcheck.workspace.base_revision import BaseRevision

_Values = TypeVar("_Values")

FOUND, UNREADABLE = 1, 3
"""Exit codes."""


class CommandRun:
    """One run of a command.

    Args:
        given: What the command line says.
        formats: The formats of its reports.

    Attributes:
        given: What the command line says.
        base: The revision of ``--config-from``.
    """

    def __init__(self, arguments: Given, formats: Collection[str]) -> None:
        self.given = arguments
        self.base: BaseRevision | None = None
        self._formats = formats

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """What is read; without any, the current folder."""
        return or_current_folder(self.given.paths)

    @cached_property
    def inputs(self) -> CommandInputs:
        """How files are read.

        Raises:
            CcmcheckError: A configuration, or a file of variables, cannot be used.
        """
        return resolve_inputs(self.given, self.paths, self.base)

    @cached_property
    def outputs(self) -> Outputs:
        """Where reports go.

        Raises:
            WrongUse: There is no such format, or two reports would go to one place.
        """
        color = self.inputs.run.color if self.given.takes("config_file") else None
        return resolve_outputs(self.given, self._formats, configured_color=color)

    def note(self, line: str) -> None:
        """Say what ``--quiet`` leaves out."""
        if not self.given.quiet:
            console.warn(line)

    def write(self, report: Callable[[str], Report]) -> None:
        """Write the reports; see `ccmcheck.cli.output.Outputs.write_painted`."""
        self.outputs.write_painted(report)

    def ended(self, failures: Sequence[Failure], *, found: bool = False) -> int:
        """Say what could not be read, and give the exit code.

        Args:
            failures: What could not be read.
            found: Whether there is something that fails the run.
        """
        for failure in failures:
            console.warn(f"{failure.place}: {failure.message}")
        return UNREADABLE if failures else FOUND if found else 0


def declared(
    name: str,
    takes: str,
    *,
    formats: Collection[str] = (),
    says: Mapping[str, str] | None = None,
    cls: type[Command] = Command,
) -> Callable[[Callable[[CommandRun], int]], Command]:
    """Declare a command; its docstring is its help.

    Args:
        name: The words that call it.
        takes: The names of its options, and of `GROUPS` of them, in the order of ``--help``.
        formats: The formats of its reports.
        says: What the help of an option says for this command alone; of ``formats``, the default in words.
        cls: Its class.
    """

    def decorate(function: Callable[[CommandRun], int]) -> Command:
        @wraps(function)
        def call(given: Given) -> int:
            run = CommandRun(given, formats)
            if given.config_from is None:
                return function(run)
            with base_revision(run.paths, given.config_from) as run.base:
                return function(run)

        return declared_with(Given, name, takes, formats=formats, says=says, cls=cls)(call)

    return decorate


def declared_with(
    values: Callable[..., _Values],
    name: str,
    takes: str,
    *,
    formats: Collection[str] = (),
    says: Mapping[str, str] | None = None,
    cls: type[Command] = Command,
) -> Callable[[Callable[[_Values], int]], Command]:
    """Declare a command that reads no files: it gets the values of its own options; see `declared`.

    Args:
        values: Their class.
        name: See `declared`.
        takes: See `declared`.
        formats: See `declared`.
        says: See `declared`.
        cls: See `declared`.
    """

    def decorate(function: Callable[[_Values], int]) -> Command:
        def call(**given: Any) -> int:  # noqa: ANN401 - click hands over what the table declares
            try:
                return function(values(**given))
            except MemoryError:
                lift_memory_limit()
                raise

        parameters = _parameters(values, takes, formats, says or {})
        return cls(name, callback=call, params=parameters, help=function.__doc__)

    return decorate


def _parameters(values: object, takes: str, formats: Collection[str], says: Mapping[str, str]) -> list[click.Parameter]:
    parameters: list[click.Parameter] = []
    for word in takes.split():
        for option in GROUPS.get(word, word).split():
            words = says.get(option, "")
            if option == "formats":
                parameters.append(Given.formats.parameter(listed(formats, words or "text"), type=FormatType(formats)))
            else:
                parameters.append(getattr(values, option).parameter(words))
    return parameters
