"""The ``ccmcheck`` command: loads only the subcommand it is asked for, and turns every error into words and a code."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn, TextIO, cast

import click

from ccmcheck import __version__
from ccmcheck.base.data_files import read_table
from ccmcheck.base.errors import CcmcheckError, InputError, WrongUse, described
from ccmcheck.cli.command_group import CommandGroup, all_commands
from ccmcheck.cli.console import drop_stdout, warn

COMMANDS: dict[str, dict[str, str]] = {}
for _group, _name, _line in read_table(__file__, "commands.tsv"):
    COMMANDS.setdefault(_group, {})[_name] = _line
"""Each command's line in ``--help``; its code is the module of the same name, loaded when it is called."""
NAMES = tuple(name for group in COMMANDS.values() for name in group)
EXAMPLES = """\
  ccmcheck lint                       check everything below this folder
  ccmcheck fix --write secret.yaml    correct one file
  ccmcheck help lint                  read the guide of a command
"""

INTERRUPTED = 130


_MOST_COMMANDS = 4
"""Commands that are named as having an option."""


class Commands(CommandGroup):
    """All commands."""

    sections = COMMANDS

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, then the examples."""
        super().format_commands(ctx, formatter)
        with formatter.section("Examples"):
            formatter.write(EXAMPLES)


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
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Exit codes: 0 nothing found, 1 findings, 2 wrong use, 3 a file could not be read or an internal error.",
)
@click.option("--verbose", is_flag=True, is_eager=True, help="With --version: also what a bug report needs.")
@click.option("--version", is_flag=True, expose_value=False, callback=_version, help="Show the version and exit.")
def cli(verbose: bool) -> None:
    """Check what the OpenStack cloud-controller-manager will do with a cloud.conf, before anything is deployed."""
    if verbose:
        raise WrongUse("--verbose goes with --version here.", "Write it after the command: lint --verbose.")


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Args:
        args: The arguments; the process's own when None.
    """
    from ccmcheck.base.interrupts import end_on_interrupt, raise_on_interrupt

    _open_streams()
    try:
        raise_on_interrupt()
        code = run(sys.argv[1:] if args is None else list(args))
    except KeyboardInterrupt:  # once more, while the first was reported
        code = INTERRUPTED
    finally:
        end_on_interrupt()
    try:
        sys.stdout.flush()
    except OSError:
        drop_stdout()  # a closed pipe, or what was reported already
    gc.freeze()  # all of it goes with the process: looking through it for garbage first takes 10 ms
    sys.exit(code)


def program() -> NoReturn:
    """The installed command: `main`, after which the process ends at once.

    Python would take every module and object apart first: 4 of the 100 ms that linting a file takes. What libraries
    do at the end is still done, such as the kubernetes client's removal of the files that hold a kubeconfig's key:
    what is registered first is called last, and the commands load those libraries. ``python -m ccmcheck`` does not end
    at once, for profilers, which are loaded before.
    """
    codes: list[int] = []
    atexit.register(_end_with, codes)
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, int):
            codes.append(end.code)
        raise


def _end_with(codes: Sequence[int]) -> None:
    """End the process with an exit code; without one, leave that to Python."""
    if not codes:
        return
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it
            stream.flush()
    os._exit(codes[0])


def run(args: Sequence[str]) -> int:
    """Run the command line and return its exit code; nothing is raised, and what it hides is hidden in this run alone.

    A traceback may hold what a file holds, so an unforeseen error is reported by its type and place alone.
    """
    from contextvars import copy_context

    from ccmcheck.base.budget import lift_limits

    try:
        return copy_context().run(_run, args)
    finally:
        lift_limits()


def _name_its_commands(error: click.NoSuchOption) -> None:
    """Say which commands have an option that this one does not, in the place of what is only spelt like it."""
    commands = [
        name for name, command in all_commands(cli) if any(error.option_name in known.opts for known in command.params)
    ]
    if commands:
        more = f" and {len(commands) - _MOST_COMMANDS} more" if len(commands) > _MOST_COMMANDS else ""
        vars(error)["possibilities"] = None
        vars(error)["message"] += f" This is an option of {', '.join(commands[:_MOST_COMMANDS])}{more}."


def _called(args: Sequence[str]) -> object:
    """What a command gives; whatever else it raises than the end of its budget, what is said of that has no limits."""
    from ccmcheck.base.budget import OVER, lift_limits, refuse_to_go_on

    try:
        return cli.main(args=list(args), prog_name="ccmcheck", standalone_mode=False)
    except OVER:
        raise
    except BaseException as error:
        refuse_to_go_on(error)
        lift_limits()
        raise


def _run(args: Sequence[str]) -> int:
    from ccmcheck.base.budget import OVER, ended_by, lift_limits

    try:
        result = _called(args)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        vars(error)["message"] = _masked(error.message)  # click declares it final
        if isinstance(error, click.NoSuchOption):
            _name_its_commands(error)
        _say(f"error: {error.format_message()}")
        context = getattr(error, "ctx", None)
        if context is not None:
            _say(f"See {context.command_path} --help.")
        return 2
    except (click.Abort, KeyboardInterrupt):
        lift_limits()
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        drop_stdout()
        return 0
    except OVER as error:
        error.__traceback__ = error.__context__ = None  # what its frames hold may be all the memory that there is
        message, hint = ended_by(error)
        lift_limits()
        _say(f"error: {message}")
        _say(hint)
        return 3
    except CcmcheckError as error:
        _say(f"error: {_masked(error.message)}")
        if error.hint:
            _say(_masked(error.hint))
        return error.exit_code
    except OSError as error:
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        _say(f"error: {place}{(error.strerror or type(error).__name__).lower()}")
        return 3
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback, no secret
        _say(f"internal error: {described(error)}")
        _say("This is a fault of ccmcheck. Please report it with the command and, if you can, a file that shows it.")
        return 3
    return result if isinstance(result, int) else 0


def _masked(message: str) -> str:
    """A message without secrets: it may quote an argument, a file's name or a line."""
    from ccmcheck.redact.masker import hide_variables, mask_message

    hide_variables(os.environ)  # an argument may be one of them: click quotes it before anything is read
    return mask_message(message)


def _say(line: str) -> None:
    with suppress(OSError):
        warn(line)


def _open_streams() -> None:
    """Give the process the streams that its caller closed: Python has None in their place. What is written is lost."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as we do
    if sys.stdin is None:
        sys.stdin = cast("TextIO", _ClosedInput())


class _ClosedInput:
    """In the place of a standard input that the caller closed: who asks for data is told so."""

    @property
    def buffer(self) -> NoReturn:
        """Where others have their bytes."""
        raise InputError("standard input is closed", "Pipe a file into it, or name the file.")
