"""Groups of commands: each command is loaded when it is called, and a misspelt name gets a suggestion."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module

import click

from ccmcheck.base.errors import WrongUse


class CommandGroup(click.Group):
    """A group that imports a command's module only when that command is called.

    Attributes:
        called: How a user calls the group: ``ccmcheck cluster``.
        sections: Each command's line in ``--help``, by the heading above them.
        modules: What comes before a command's name in the name of its module.
    """

    called = "ccmcheck"
    sections: Mapping[str, Mapping[str, str]] = {}
    modules = "ccmcheck.cli."

    @property
    def names(self) -> tuple[str, ...]:
        """The commands, in the order of ``--help``."""
        return tuple(name for commands in self.sections.values() for name in commands)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order of ``--help``."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Load one; None where there is no command of that name."""
        if cmd_name not in self.names:
            return None
        command: click.Command = import_module(f"{self.modules}{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a suggestion for a misspelt name, or for a path."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            name = args[0] if args else ""
            if not name or name in self.names or (name.startswith("-") and name != "-"):
                raise
            from ccmcheck.base.suggest import hint

            if name == "-" or os.path.exists(name):
                raise WrongUse(f"`{name}` is a path, not a command.", f"Write ccmcheck lint {name}.") from None
            raise WrongUse(
                f"There is no command `{name}`.", hint(name, self.names) or f"See {self.called} --help."
            ) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """From the one-liners, so that ``--help`` loads no command."""
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


def all_commands(root: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Every command with its name; those of a group, such as ``cluster lint``, instead of the group.

    Args:
        root: The command of the whole program.
    """
    waiting: list[tuple[str, click.Command]] = [("", root)]
    while waiting:
        name, command = waiting.pop(0)
        if not isinstance(command, click.Group):
            yield name, command
            continue
        with click.Context(command, info_name=name or "ccmcheck") as ctx:
            inner = [(f"{name} {each}".strip(), command.get_command(ctx, each)) for each in command.list_commands(ctx)]
        waiting[:0] = [(each, below) for each, below in inner if below is not None]
