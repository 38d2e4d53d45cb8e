"""``ccmcheck config``: the configuration that holds for a file, with where each value stands, and the JSON Schema."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cli.options import STDIN
from ccmcheck.cli.output import resolve_outputs
from ccmcheck.cli.resolve import configurations, known_names
from ccmcheck.cli.running import CommandRun, declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.workspace.config import Config, Origin
    from ccmcheck.workspace.configurations import Configurations

SCHEMA, SHOW = "schema", "show"
DEFAULT_EXCLUDE = "default-exclude"
FORMATS = ("text", "json")
HIDDEN = "***"
"""Stands for the value of a variable, which may be a secret."""


@declared(
    "config",
    "action paths config_file no_config config_from OUTPUTS",
    formats=FORMATS,
)
def command(run: CommandRun) -> int:
    """Show what ccmcheck's configuration says for PATH and where it says so, or print its JSON Schema.

    `config schema NAME` prints the JSON Schema of an output instead, such as lint, review or cluster-diff.

    PATH is a file or a folder; without one, the current folder. Only what is set is shown, and what is left out where
    nothing is set; values of variables are masked. What concerns the whole run comes from the configuration of the
    current folder.
    """
    given = run.given
    if given.action == SCHEMA:
        text = output_schema(given.paths) if given.paths else schema_text()
        resolve_outputs(given.but(formats=()), FORMATS, "json").write_painted(lambda _: [text])
        return 0
    paths = given.paths or (os.curdir,)
    if STDIN in paths:
        raise WrongUse("`-` has no place among the folders.", "Name the file, or its folder.")
    known = configurations(given.config_file, given.no_config, run.base)
    shown = [_shown(path, known) for path in paths]
    outputs = resolve_outputs(given, FORMATS, configured_color=known.of_run.color)
    outputs.write_painted(lambda form: _json(shown) if form == "json" else _text(shown))
    return 0


class ShownSetting(NamedTuple):
    """One value that holds.

    Attributes:
        option: The option, with the key where it is a table.
        value: As JSON has it.
        origin: Where it stands; without a path for what ccmcheck itself brings.
    """

    option: str
    value: object
    origin: Origin


class ShownConfig(NamedTuple):
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
    settings: tuple[ShownSetting, ...]


def schema_text() -> str:
    """The JSON Schema, as it is shipped."""
    import json

    from ccmcheck.workspace.config_schema import schema

    return json.dumps(schema(known_names()), indent=2) + "\n"


def output_schema(names: Sequence[str]) -> str:
    """The JSON Schema of a command's output, as it is shipped.

    Raises:
        WrongUse: Not one output is named.
    """
    from ccmcheck.base.open_input import read_text
    from ccmcheck.base.suggest import hint
    from ccmcheck.cli.guides import DOCS

    folder = os.path.join(DOCS, "schemas")
    known = sorted(name.removesuffix(".json") for name in os.listdir(folder))
    name = "-".join(names)
    if name not in known:
        raise WrongUse(f"There is no schema `{name}`; there are {', '.join(known)}.", hint(name, known))
    return read_text(os.path.join(folder, f"{name}.json"))


def _shown(path: str, found: Configurations) -> ShownConfig:
    from ccmcheck.workspace.config_options import TABLE

    own = found.of_all([path])
    settings: list[ShownSetting] = []
    for option in TABLE:
        config = found.of_run if option.whole_run else own
        settings += _settings(config, option.name)
    return ShownConfig(path, own.source, own.extends, tuple(settings))


def _settings(config: Config, name: str) -> Iterator[ShownSetting]:
    value = getattr(config, name.replace("-", "_"))
    if name == DEFAULT_EXCLUDE and value is not False:
        from ccmcheck.catalog.signs import paths
        from ccmcheck.workspace.config import Origin

        yield ShownSetting(name, list(paths.DEFAULT_EXCLUDE), config.origins.get((name,)) or Origin("", "", (name,)))
        return
    if isinstance(value, dict):
        for key, entry in value.items():
            shown = HIDDEN if name == "vars" else _plain(entry)
            yield ShownSetting(f"{name}.{key}", shown, config.origins[name, key])
    elif (name,) in config.origins:
        yield ShownSetting(name, _plain(value), config.origins[name,])


def _plain(value: object) -> object:
    """A value as JSON has it."""
    from ccmcheck.base.model import Severity
    from ccmcheck.workspace.config_options import OFF

    if value is None:
        return OFF
    if isinstance(value, Severity):
        return value.word
    return list(value) if isinstance(value, tuple) else value


def _json(shown: list[ShownConfig]) -> dict[str, object]:
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
    return {"version": 1, "files": files}


def _text(shown: list[ShownConfig]) -> Iterator[str]:
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
