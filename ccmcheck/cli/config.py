"""``ccmcheck config``: the configuration that holds for a file, with where each value stands, and the JSON Schema."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.command import Command, options
from ccmcheck.cli.option_types import complete_files
from ccmcheck.cli.options import (
    CONFIG,
    CONFIG_FROM,
    NO_CONFIG,
    STDIN,
    OutputArguments,
    output_options,
)
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import base_revision, configurations, known_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.workspace.base_revision import BaseRevision
    from ccmcheck.workspace.config import Config, Origin
    from ccmcheck.workspace.configurations import Configurations

SCHEMA, SHOW = "schema", "show"
DEFAULT_EXCLUDE = "default-exclude"
FORMATS = ("text", "json")
HIDDEN = "***"
"""Stands for the value of a variable, which may be a secret."""


@click.command(
    "config",
    cls=Command,
    short_help="Show the configuration that holds for a file, or its JSON Schema.",
    examples=(
        ("ccmcheck config show clusters/prod/cloud.conf", "What holds for a file, and which line says so"),
        ("ccmcheck config schema --output ccmcheck.schema.json", "For an editor that completes ccmcheck.toml"),
    ),
)
@click.argument("action", type=click.Choice([SHOW, SCHEMA]))
@click.argument("paths", nargs=-1, metavar="[PATH]...", shell_complete=complete_files)
@options(CONFIG, NO_CONFIG, CONFIG_FROM)
@output_options(FORMATS)
def command(**values: Any) -> int:  # noqa: ANN401 - click hands over what ConfigArguments declares
    """Show what ccmcheck's configuration says for PATH and where it says so, or print its JSON Schema.

    PATH is a file or a folder; without one, the current folder. Only what is set is shown, and what is left out where
    nothing is set; values of variables are masked. What concerns the whole run comes from the configuration of the
    current folder.
    """
    return config(ConfigArguments(**values))


class ConfigArguments(NamedTuple):
    """The arguments of ``config``; see the options above."""

    action: str
    paths: tuple[str, ...]
    config_file: str | None
    no_config: bool
    config_from: str | None
    outputs: OutputArguments


class Setting(NamedTuple):
    """One value that holds.

    Attributes:
        option: The option, with the key where it is a table.
        value: As JSON has it.
        origin: Where it stands; without a path for what ccmcheck itself brings.
    """

    option: str
    value: object
    origin: Origin


class Shown(NamedTuple):
    """The configuration of one file or folder.

    Attributes:
        path: The file or folder.
        source: The configuration; empty where there is none.
        extends: The files that it extends.
        settings: What it says.
    """

    path: str
    source: str
    extends: tuple[str, ...]
    settings: tuple[Setting, ...]


def config(arguments: ConfigArguments) -> int:
    """Print, and return the exit code.

    Raises:
        CcmcheckError: Wrong use, or a configuration that cannot be used.
    """
    if arguments.action == SCHEMA:
        if arguments.paths:
            raise WrongUse("The schema is the same for every path.", "Write ccmcheck config schema.")
        outputs = resolve_outputs(arguments.outputs._replace(formats=()), FORMATS, "json")
        outputs.write_painted(lambda _: [schema_text()])
        return 0
    paths = arguments.paths or (os.curdir,)
    if STDIN in paths:
        raise WrongUse("`-` has no place among the folders.", "Name the file, or its folder.")
    with base_revision(paths, arguments.config_from) as base:
        return _show(arguments, paths, base)


def schema_text() -> str:
    """The JSON Schema, as it is shipped."""
    import json

    from ccmcheck.workspace.config_schema import schema

    return json.dumps(schema(known_names()), indent=2) + "\n"


def _show(arguments: ConfigArguments, paths: tuple[str, ...], base: BaseRevision | None) -> int:
    found = configurations(arguments.config_file, arguments.no_config, base)
    shown = [_shown(path, found) for path in paths]
    outputs = resolve_outputs(arguments.outputs, FORMATS, configured_color=found.of_run.color)
    outputs.write_painted(lambda form: _json(shown) if form == "json" else _text(shown))
    return 0


def _shown(path: str, found: Configurations) -> Shown:
    from ccmcheck.workspace.config_options import TABLE

    own = found.of_all([path])
    settings: list[Setting] = []
    for option in TABLE:
        config = found.of_run if option.whole_run else own
        settings += _settings(config, option.name)
    return Shown(path, own.source, own.extends, tuple(settings))


def _settings(config: Config, name: str) -> Iterator[Setting]:
    value = getattr(config, name.replace("-", "_"))
    if name == DEFAULT_EXCLUDE and value is not False:
        from ccmcheck.policy import examples
        from ccmcheck.workspace.config import Origin

        yield Setting(name, list(examples.DEFAULT_EXCLUDE), config.origins.get((name,)) or Origin("", "", (name,)))
        return
    if isinstance(value, dict):
        for key, entry in value.items():
            shown = HIDDEN if name == "vars" else _plain(entry)
            yield Setting(f"{name}.{key}", shown, config.origins[name, key])
    elif (name,) in config.origins:
        yield Setting(name, _plain(value), config.origins[name,])


def _plain(value: object) -> object:
    """A value as JSON has it."""
    from ccmcheck.base.model import Severity
    from ccmcheck.workspace.config_options import OFF

    if value is None:
        return OFF
    if isinstance(value, Severity):
        return value.word
    return list(value) if isinstance(value, tuple) else value


def _json(shown: list[Shown]) -> Iterator[str]:
    from ccmcheck.report.records import dumped_lines

    files = [
        {
            "path": one.path,
            "config": one.source or None,
            "extends": list(one.extends),
            "settings": [
                {
                    "option": setting.option,
                    "value": setting.value,
                    "path": setting.origin.path or None,
                    "line": setting.origin.line or None,
                    "override": setting.origin.override or None,
                }
                for setting in one.settings
            ],
        }
        for one in shown
    ]
    yield dumped_lines({"version": 1, "files": files})


def _text(shown: list[Shown]) -> Iterator[str]:
    import json

    from ccmcheck.base.escape import printable

    for one in shown:
        yield printable(f"{one.path}  {_near(one.source) if one.source else 'no configuration'}") + "\n"
        for source in one.extends:
            yield printable(f"  extends {_near(source)}") + "\n"
        rows = [
            (setting.option, json.dumps(setting.value, ensure_ascii=False), _place(setting.origin))
            for setting in one.settings
            if setting.option != DEFAULT_EXCLUDE or not setting.value
        ]
        widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
        for option, value, place in rows:
            yield printable(f"  {option:<{widths[0]}}  {value:<{widths[1]}}  {place}") + "\n"
        for setting in one.settings:
            if setting.option == DEFAULT_EXCLUDE and isinstance(setting.value, list):
                yield f"  {DEFAULT_EXCLUDE} ({_place(setting.origin)}): {' '.join(setting.value)}\n"


def _place(origin: Origin) -> str:
    if not origin.path:
        return "built in"
    line = f":{origin.line}" if origin.line else ""
    override = f" (override {origin.override})" if origin.override else ""
    return f"{_near(origin.path)}{line}{override}"


def _near(path: str) -> str:
    """A path from the current folder on, where it lies below or above it."""
    return os.path.relpath(path)
