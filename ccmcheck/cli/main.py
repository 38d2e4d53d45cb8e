"""The ``ccmcheck`` command: loads only the subcommand it is asked for, and turns every error into words and a code."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import click

from ccmcheck import __version__
from ccmcheck.base.errors import CcmcheckError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: dict[str, str] = {
    "lint": "Say what is wrong in every cloud.conf below PATH, and where.",
    "fix": "Write, or show, the smallest change that does what was meant.",
    "set": "Set or unset keys where a cloud.conf lies, losing nothing around them.",
    "render": "Write a new cloud.conf, Secret, patch or chart values from templates.",
    "read": "Show what the CCM's reader gets out of a file.",
    "show": "Show the effective configuration of a release as a table.",
    "upgrade": "Say what a file means after an upgrade of the CCM.",
    "predict": "Say what the CCM will ask Octavia for, and whether traffic will work.",
    "review": "Say what a change does to running Services, before it is made.",
    "explain": "Explain a rule, a key, an annotation, a section or a profile.",
    "rules": "List the rules.",
    "profiles": "List the profiles that files can be judged by.",
    "completion": "Print the script that completes ccmcheck in bash, zsh or fish.",
}
"""Each command's one line; its code is the module of the same name, loaded when it is called."""

INTERRUPTED = 130


class Commands(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of ``COMMANDS``."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load one; None where there is no command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"ccmcheck.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with a suggestion for a misspelt name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            if not args or args[0] in COMMANDS or args[0].startswith("-"):
                raise
            from ccmcheck.base.errors import WrongUse
            from ccmcheck.base.suggest import hint

            raise WrongUse(f"There is no command `{args[0]}`.", hint(args[0], COMMANDS)) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """From the one-liners, so that ``--help`` loads no command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    """Say which version this is; with --verbose everything that a bug report needs."""
    if not wanted or ctx.resilient_parsing:
        return
    if ctx.params["verbose"]:
        from ccmcheck.cli.version import facts

        click.echo(facts(), nl=False)
    else:
        click.echo(f"ccmcheck {__version__}")
    ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Exit codes: 0 nothing found, 1 findings, 2 wrong use, 3 a file could not be read or an internal error.",
)
@click.option("--version", is_flag=True, expose_value=False, callback=_version, help="Show the version and exit.")
@click.option("--verbose", is_flag=True, is_eager=True, help="With --version: also what a bug report needs.")
def cli(verbose: bool) -> None:
    """Tell, before anything is deployed, what the OpenStack cloud-controller-manager will do with a cloud.conf."""
    if verbose:
        from ccmcheck.base.errors import WrongUse

        raise WrongUse("--verbose goes with --version here.", "Write it after the command: lint --verbose.")


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Args:
        args: The arguments; the process's own when None.
    """
    _open_streams()
    code = run(sys.argv[1:] if args is None else list(args))
    try:
        sys.stdout.flush()
    except OSError:
        _drop_stdout()  # a closed pipe, or what was told already
    gc.freeze()  # all of it goes with the process: looking through it for garbage first takes 10 ms
    sys.exit(code)


def run(args: Sequence[str]) -> int:
    """Run the command line and return its exit code; nothing is raised.

    A traceback may hold what a file holds, so an unforeseen error is told by its type and place alone.
    """
    try:
        result = cli.main(args=list(args), prog_name="ccmcheck", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return 0
    except CcmcheckError as error:
        _say(f"error: {error.message}")
        if error.hint:
            _say(error.hint)
        return error.exit_code
    except OSError as error:
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        _say(f"error: {place}{(error.strerror or type(error).__name__).lower()}")
        return 3
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback, no secret
        from ccmcheck.base.errors import described

        _say(f"internal error: {described(error)}")
        _say("This is a fault of ccmcheck. Please report it with the command and, if you can, a file that shows it.")
        return 3
    return result if isinstance(result, int) else 0


def _say(line: str) -> None:
    from ccmcheck.base.escape import printable

    try:
        click.echo(f"ccmcheck: {printable(line)}", err=True)
    except OSError:
        return


def _open_streams() -> None:
    """Give the process the streams that its caller closed, leading nowhere: Python has None in their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - lives as long as we do


def _drop_stdout() -> None:
    """Point stdout nowhere, so that the interpreter's own flush at exit stays silent."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
