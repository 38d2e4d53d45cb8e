"""What options take besides texts: a severity, a size, one of a command's formats."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from click.shell_completion import CompletionItem


def completer(name: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem] | list[str]]:
    """A function of `ccmcheck.cli.completion`, which is loaded when a shell asks: every command has such options."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem] | list[str]:
        from ccmcheck.cli import completion

        answer: list[CompletionItem] | list[str] = getattr(completion, name)(ctx, param, incomplete)
        return answer

    return complete


def complete_files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders, which the shell itself lists."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def refuse_nan(context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """Refuse what click takes for a number and is none."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is not a number of probes.", context, option)
    return value


class SeverityType(click.ParamType[Severity]):
    """A severity by its word."""

    name = "severity"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Severity:
        """Turn the word into the severity."""
        if isinstance(value, Severity):
            return value
        try:
            return Severity[str(value).upper()]
        except KeyError:
            self.fail(f"`{value}` is not one of error, warning, info", param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Offer the words."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(severity.word) for severity in Severity if severity.word.startswith(incomplete)]


class SizeType(click.ParamType[int]):
    """A number of bytes, ``10MiB``."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Turn ``10MiB``, ``500kB`` or a plain number into bytes."""
        if isinstance(value, int):
            return value
        from ccmcheck.workspace.config_file import parse_size

        size = parse_size(str(value))
        if size is None:
            self.fail(f"`{value}` is not a size; write 500kB or 10MiB", param, ctx)
        return size


class FormatType(click.ParamType[str]):
    """One of a command's output formats.

    Args:
        names: The formats.
    """

    name = "format"

    def __init__(self, names: Collection[str]) -> None:
        self.names = tuple(names)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Refuse a name that is no format of the command.

        Raises:
            WrongUse: It is none.
        """
        text = str(value)
        if text not in self.names:
            from ccmcheck.base.suggest import hint

            raise WrongUse(f'There is no format "{text}"; there are {", ".join(self.names)}.', hint(text, self.names))
        return text

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Offer the names."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.names if name.startswith(incomplete)]
