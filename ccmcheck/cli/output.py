"""Which report goes where: one format to ``--output``, further ones to ``--output-file``; ``-`` is standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from ccmcheck.base.budget import cuts
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.escape import inert_lines
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.options import STDIN, Given

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from ccmcheck.report.document.blocks import Block

STDOUT = STDIN
Report: TypeAlias = "Iterable[str] | dict[str, object]"
"""A report in pieces, or as plain data that is written as JSON."""
FOR_PEOPLE = frozenset({"text", "concise", "markdown"})
"""Formats whose lines begin with what stands in files; the others have a syntax of their own around it."""


class Forms(Protocol):
    """A module that writes one kind of report in each of its forms."""

    @property
    def as_data(self) -> Callable[..., dict[str, object]]:
        """As plain data, for JSON."""

    @property
    def as_lines(self) -> Callable[..., Iterable[str]]:
        """As lines for people, in a form that `ccmcheck.report.document.writers` knows."""


def written_as(form: str, forms: Forms, report: object, **options: object) -> Report:
    """A report in one form.

    Args:
        form: ``json``, ``text`` or ``markdown``.
        forms: What writes it.
        report: The report.
        options: What the forms for people leave out, and the like.
    """
    if form == "json":
        return forms.as_data(report)
    return (f"{line}\n" for line in forms.as_lines(report, form, **options))


class Destination(NamedTuple):
    """One report.

    Attributes:
        format: Its format.
        path: The file; ``-`` for standard output.
        color: Whether it may have colours.
        width: Columns to write for; 0 for any.
    """

    format: str
    path: str
    color: bool
    width: int


class Outputs(NamedTuple):
    """The reports of a run."""

    destinations: tuple[Destination, ...]

    @property
    def formats(self) -> frozenset[str]:
        """All formats."""
        return frozenset(destination.format for destination in self.destinations)

    @property
    def main(self) -> Destination:
        """What ``--format`` and ``--output`` say."""
        return self.destinations[0]

    def write(self, report: Callable[[Destination], Report]) -> None:
        """Write each report.

        Args:
            report: Gives one in pieces, or as plain data that is written as JSON.

        Raises:
            CcmcheckError: One cannot be written.
        """
        for destination in self.destinations:
            pieces = report(destination)
            if isinstance(pieces, dict):
                from ccmcheck.report.records import dumped_lines

                pieces = (dumped_lines(pieces),)
            elif destination.format in FOR_PEOPLE:
                pieces = inert_lines(_marked(pieces))
            if destination.path == STDOUT:
                console.write(pieces)
            else:
                console.save(destination.path, pieces)

    def write_blocks(self, blocks: Callable[[str], Iterable[Block]], data: Callable[[], dict[str, object]]) -> None:
        """Write each report: JSON from its data, text and Markdown from its blocks.

        Args:
            blocks: Gives the blocks of a form.
            data: Gives the report as plain data.

        Raises:
            CcmcheckError: One cannot be written.
        """
        from ccmcheck.report.document.writers import written

        def report(destination: Destination) -> Report:
            form = destination.format
            if form == "json":
                return data()
            lines = written(blocks(form), form, destination.width, color=destination.color)
            return (f"{line}\n" for line in lines)

        self.write(report)

    def write_painted(self, report: Callable[[str], Report]) -> None:
        """Write each report by its format's name; text is coloured by its marks.

        Args:
            report: See `write`.

        Raises:
            CcmcheckError: One cannot be written.
        """

        def painted(destination: Destination) -> Report:
            pieces = report(destination.format)
            if destination.format != "text" or isinstance(pieces, dict):
                return pieces
            if destination.width:
                pieces = _fitted(pieces, destination.width)
            return console.painted(pieces) if destination.color else pieces

        self.write(painted)


def _fitted(pieces: Iterable[str], width: int) -> Iterator[str]:
    """A text report with its longer lines broken."""
    from ccmcheck.report.document.layout import fitted

    for piece in pieces:
        if len(piece) <= width:
            yield piece
        else:
            yield "".join(f"{part}\n" for line in piece.splitlines() for part in fitted(line, width))


def _marked(pieces: Iterable[str]) -> Iterator[str]:
    """A report for people, which says where the budget of the run ended."""
    yield from pieces
    for said in cuts():
        yield f"\nCut: {said}; what is missing is unknown.\n"


def resolve_outputs(
    arguments: Given,
    formats: Collection[str],
    default: str = "text",
    *,
    configured_files: Mapping[str, str] | None = None,
    configured_color: str | None = None,
) -> Outputs:
    """What the options and the configuration say together.

    Args:
        arguments: What the command line says.
        formats: The command's formats.
        default: The main one where none is given.
        configured_files: From a further format to its file, as the configuration says.
        configured_color: ``color`` of the configuration.

    Raises:
        WrongUse: There is no such format, or two reports would go to one place.
    """
    if len(arguments.formats) > 1:
        raise WrongUse(
            "Only one format fits into one output.",
            f"Write the others to files: --output-file {arguments.formats[1]}=PATH.",
        )
    files: list[tuple[str, str]] = []
    for argument in arguments.output_files:
        name, equals, path = argument.partition("=")
        if not equals or not path:
            example = next(iter(formats))
            raise WrongUse(f"--output-file `{argument}` names no file", f"Write --output-file {example}=PATH.")
        if name not in formats:
            from ccmcheck.base.suggest import hint

            raise WrongUse(f'There is no format "{name}"; there are {", ".join(formats)}.', hint(name, formats))
        files.append((name, path))
    named = {name for name, _ in files}
    files = [*((name, path) for name, path in (configured_files or {}).items() if name not in named), *files]
    color = console.wants_color(arguments.color or configured_color or "auto")
    main = (arguments.formats[0] if arguments.formats else default, arguments.output or STDOUT)
    found = [_destination(name, path, color=color) for name, path in (main, *files)]
    paths = [destination.path for destination in found]
    for path in paths:
        if paths.count(path) > 1:
            where = "standard output" if path == STDOUT else path
            raise WrongUse(f"Two reports would go to {where}.", "Write one to a file with --output-file FORMAT=PATH.")
    return Outputs(tuple(found))


def _destination(name: str, path: str, *, color: bool) -> Destination:
    if path == STDOUT:
        return Destination(name, path, color, console.width())
    return Destination(name, path, color=False, width=0)
