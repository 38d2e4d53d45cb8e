"""Calls a command from Python: its options by name, files or texts in memory, its JSON as data; nothing is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextvars import copy_context
from typing import Any

import click

from ccmcheck.base.errors import CcmcheckError, InputError, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli import console
from ccmcheck.cli.resolve import texts_in_memory


class Called(NamedTuple):
    """What a command said.

    Attributes:
        data: What it prints with ``--format json``.
        notes: What it says on standard error.
        code: Its exit code.
    """

    data: dict[str, Any]
    notes: tuple[str, ...]
    code: int


def call(name: str, paths: Sequence[str], texts: Sequence[Mapping[str, str]], options: Mapping[str, object]) -> Called:
    """Run a command as ``ccmcheck NAME --format json`` does.

    Args:
        name: The command.
        paths: Its arguments.
        texts: Texts by their names, in the place of files; two of these for `review`.
        options: Its options: ``kubernetes_version="1.31"``, ``release=["1.30", "1.31"]``, ``no_config=True``.

    Raises:
        CcmcheckError: Wrong use, or files that cannot be read.
    """
    return copy_context().run(_call, name, [*_words(options), "--", *paths], tuple(texts))


def _call(name: str, words: list[str], texts: tuple[Mapping[str, str], ...]) -> Called:
    import json
    from importlib import import_module

    from ccmcheck.base.budget import OVER, ended_by, lift_limits
    from ccmcheck.redact.masker import mask_message

    command: click.Command = import_module(f"ccmcheck.cli.{name}").command
    texts_in_memory.set(texts)
    with console.captured() as printed:
        try:
            with command.make_context(name, ["--format=json", *words]) as context:
                code = command.invoke(context)
        except click.ClickException as error:
            raise WrongUse(mask_message(error.format_message())) from None
        except CcmcheckError as error:
            error.message, error.hint = mask_message(error.message), mask_message(error.hint)
            error.args = (error.message,)
            raise
        except OVER as error:
            raise InputError(*ended_by(error)) from None
        finally:
            lift_limits()  # of variables: they would go on in the program that calls
    return Called(json.loads("".join(printed.output)), tuple(printed.warnings), code)


def _words(options: Mapping[str, object]) -> Iterator[str]:
    for name, value in options.items():
        spelling = "--" + name.rstrip("_").replace("_", "-")
        if spelling in ("--format", "--output", "--output-file", "--color"):
            raise WrongUse(f"There is no output, so {name} has no meaning.", "Leave it out.")
        values = value if isinstance(value, (list, tuple)) else (value,)
        for each in values:
            if each is True:
                yield spelling
            elif each is not None and each is not False:
                yield f"{spelling}={each}"
