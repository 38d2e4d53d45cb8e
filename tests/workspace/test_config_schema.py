"""The JSON Schema and the reader accept the same configurations."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from trusting import trusted

from ccmcheck.base.errors import BadConfiguration
from ccmcheck.cli.config import schema_text
from ccmcheck.cli.guides import guide
from ccmcheck.cli.resolve import known_names
from ccmcheck.workspace.config import Config
from ccmcheck.workspace.config_options import EXTEND, IN_OVERRIDE, OPTIONS, OVERRIDE, PATHS, TABLE, WRITABLE
from ccmcheck.workspace.find_config import load

SCHEMA = json.loads(schema_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

GOOD = """\
release = ["1.30", "1.31"]
octavia-release = "2024.1"
kubernetes-version = "1.31"
nodes = 12
profile = "scs"
format = "json"
fail-on = "error"
color = "never"
select = ["values", "unknown-key"]
ignore = ["bool-bad"]
exclude = ["vendor/", "*.bak"]
default-exclude = false
baseline = "ci/baseline.json"
max-file-size = "2 MiB"
env-file = ["a.env"]
[output-file]
sarif = "out/ccmcheck.sarif"
[severity]
duration-bad = "warning"
unknown-key = "off"
[per-path-ignores]
"dev/" = ["bool-bad"]
"*.tmpl" = "unknown-key"
[vars]
PASSWORD = "hunter2"
[[override]]
paths = "old/"
release = "1.29"
profile = ["scs"]
[override.severity]
bool-bad = "info"
"""


def is_read(text: str, folder: Path) -> bool:
    (folder / "ccmcheck.toml").write_text(text, "utf-8")
    try:
        trusted(load, folder, known_names())
    except BadConfiguration:
        return False
    return True


def test_the_schema_is_one() -> None:
    validator = jsonschema.Draft202012Validator
    assert list(validator(validator.META_SCHEMA).iter_errors(SCHEMA)) == []


def test_the_table_the_record_and_the_schema_name_the_same_options() -> None:
    fields = [name.replace("_", "-") for name in Config._fields]
    assert [name for name in fields if name in OPTIONS] == list(OPTIONS)
    assert set(fields) - set(OPTIONS) == {"source", "root", "overrides", "extends", "origins"}
    assert set(SCHEMA["properties"]) == set(WRITABLE) == {*OPTIONS, EXTEND, OVERRIDE}
    assert set(SCHEMA["properties"][OVERRIDE]["items"]["properties"]) == {PATHS, *IN_OVERRIDE}


def test_the_sample_names_every_option() -> None:
    assert set(tomllib.loads(GOOD)) == {*OPTIONS, OVERRIDE}


def test_the_sample_is_valid_for_both(tmp_path: Path) -> None:
    assert is_read(GOOD, tmp_path)
    VALIDATOR.validate(tomllib.loads(GOOD))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nodes = 1",
        "max-file-size = 5",
        "max-file-size = '10MiB'",
        "release = []",
        "severity = {}",
        "override = []",
        "override = [{paths = ['a']}]",
        "vars = {A = ''}",
        *(f"ignore = '{name}'" for name in ("values", "unused-suppression")),
    ],
)
def test_what_both_accept(text: str, tmp_path: Path) -> None:
    assert is_read(text, tmp_path)
    assert VALIDATOR.is_valid(tomllib.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "relaese = '1.31'",
        "nodes = 0",
        "nodes = true",
        "nodes = '3'",
        "release = 1.31",
        "release = ''",
        "release = ['1.31', 3]",
        "format = ['json']",
        "format = 'jsn'",
        "color = true",
        "color = 'sometimes'",
        "fail-on = 'warn'",
        "max-file-size = 0",
        "max-file-size = '0'",
        "max-file-size = '2 miles'",
        "ignore = 'bool-bda'",
        "severity = 'error'",
        "severity = {bool-bad = 'of'}",
        "severity = {bool-bda = 'off'}",
        "severity = {values = 'off'}",
        "per-path-ignores = {'*.x' = 'bool'}",
        "per-path-ignores = {'*.x' = 3}",
        "output-file = {xml = 'a'}",
        "output-file = 'a'",
        "vars = {A = 3}",
        "consumers = 'ccm'",
        "extend = ['a']",
        "override = {paths = ['a']}",
        "override = [{release = '1.31'}]",
        "override = [{paths = []}]",
        "override = [{paths = ['a'], nodes = 3}]",
        "override = [{paths = ['a'], severity = {bool-bda = 'off'}}]",
        *(f"{option.name} = 1979-05-27" for option in TABLE),
    ],
)
def test_what_both_refuse(text: str, tmp_path: Path) -> None:
    assert not is_read(text, tmp_path)
    assert not VALIDATOR.is_valid(tomllib.loads(text))


def test_the_examples_of_the_guide_are_valid(tmp_path: Path) -> None:
    examples = [part.partition("```")[0] for part in guide("configuration").split("```toml\n")[1:]]
    assert examples
    (tmp_path / ".git").mkdir()
    for example in examples:
        VALIDATOR.validate(tomllib.loads(example))
        without = "".join(line for line in example.splitlines(keepends=True) if not line.startswith(EXTEND))
        assert is_read(without, tmp_path), example


def test_the_guide_names_every_option() -> None:
    text = guide("configuration")
    assert [name for name in WRITABLE if f"`{name}`" not in text and f"| `[[{name}]]` |" not in text] == []
