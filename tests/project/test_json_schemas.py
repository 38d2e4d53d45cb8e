"""The JSON Schemas: made from the types of the records, shipped, and what every command prints keeps to them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from command_line import RIGHT, git, put, run
from json_schemas import FOLDER, made, strict, text_of
from json_shapes import DOCUMENTS
from root import ROOT

from ccmcheck.cli.main import cli
from ccmcheck.cli.option_types import FormatType

SAMPLES = ROOT / "samples"
RUNS: dict[str, tuple[str, ...]] = {
    "lint": ("lint", "samples"),
    "ndjson": ("lint", "--format", "ndjson", "samples"),
    "list": ("list", "-v", "samples"),
    "read": ("read", "samples"),
    "show": ("show", "samples/cloud.conf", "samples/secret.yaml"),
    "predict": ("predict", "--nodes", "3", "samples"),
    "review": ("review", "samples/review", "samples"),
    "question": ("review", "--question", "create-monitor", "samples/web.yaml"),
    "walk": ("explain", "create-monitor", "--release", "1.31", "samples/web.yaml"),
    "migrations": ("upgrade", "--from", "in-tree@1.20", "--to", "1.31", "samples/in-tree"),
    "rules": ("rules",),
    "explain": ("explain", "create-monitor", "duration-bad", "profile:scs", "M13", "LoadBalancer"),
    "profiles": ("profiles",),
    "fix": ("fix", "--unsafe", "samples"),
    "set": ("set", "--check", "samples/cloud.conf", "--", "LoadBalancer.create-monitor=true"),
    "config": ("config", "show", "samples/cloud.conf"),
}
MORE: dict[str, list[tuple[str, ...]]] = {
    "lint": [
        ("lint", "--statistics", "samples"),
        ("lint", "--release", "1.25", "--release", "1.31", "broken.yaml", "samples"),
    ],
    "show": [("show", "--profile", "scs", "--profile", "kops", "samples/cloud.conf")],
    "review": [("upgrade", "--from", "1.25", "--to", "1.31", "samples/old-cloud.conf", "samples/web.yaml")],
    "fix": [("fix", "broken.yaml", "samples/old-secret.yaml")],
}
CASES = [(name, command) for name, first in RUNS.items() for command in (first, *MORE.get(name, ()))]


@cache
def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(strict(made(name)))


def complaints(name: str, document: Any) -> list[str]:
    errors = validator(name).iter_errors(document)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]


SCHEMA_OF = {
    "upgrade": ("review", "migrations"),
    "review": ("review", "question"),
    "explain": ("explain", "walk"),
    "cluster lint": ("lint",),
    "cluster report": ("lint",),
    "cluster fleet": ("cluster-fleet", "lint"),
    "cluster merge": ("cluster-fleet",),
    "lint ndjson": ("ndjson",),
    "cluster lint ndjson": ("ndjson",),
    "cluster report ndjson": ("ndjson",),
    "cluster merge ndjson": ("cluster-fleet-ndjson",),
}
"""The schemas of commands that are not called as they are."""


def published(arguments: tuple[str, ...], out: str) -> None:
    """Hold what any test's command prints as JSON to a schema of the command."""
    form = next((form for option, form in pairwise(arguments) if option == "--format"), "")
    if form not in ("json", "ndjson") or not out.startswith("{"):
        return
    command = " ".join(arguments[: 2 if arguments[0] == "cluster" else 1]) + (" ndjson" if form == "ndjson" else "")
    names = SCHEMA_OF.get(command, (command.replace(" ", "-"),))
    for document in [json.loads(out)] if form == "json" else map(json.loads, out.splitlines()):
        hold(document, names)


def hold(document: object, names: tuple[str, ...]) -> None:
    errors = [jsonschema.exceptions.best_match(validator_of(name).iter_errors(document)) for name in names]
    assert None in errors, (names, errors)


def json_commands() -> Iterator[tuple[str, str]]:
    """Every command with each of its formats that are JSON of our own."""
    for words, command in all_commands(cli, click.Context(cli)):
        for parameter in command.params:
            if isinstance(parameter.type, FormatType):
                yield from ((words, form) for form in ("json", "ndjson") if form in parameter.type.names)


def all_commands(group: click.Group, context: click.Context, before: str = "") -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from all_commands(command, click.Context(command, parent=context), f"{before}{name} ")
        else:
            yield before + name, command


@pytest.mark.parametrize(("command", "form"), [*json_commands()])
def test_no_json_output_is_without_a_schema(command: str, form: str) -> None:
    whole = command if form == "json" else f"{command} {form}"
    for name in SCHEMA_OF.get(whole, (whole.replace(" ", "-"),)):
        assert name in DOCUMENTS, f"write the shape of `{whole}` into json_shapes.py, or name its schema in SCHEMA_OF"


@cache
def validator_of(name: str) -> Any:
    return jsonschema.Draft202012Validator(made(name))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_is_shipped_is_what_the_types_say(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(made(name))
    written = (FOLDER / f"{name}.json").read_text("utf-8")
    assert written == text_of(name), "write it again: python tests/project/json_schemas.py"


def test_no_schema_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(DOCUMENTS)


@pytest.mark.parametrize(("name", "command"), CASES, ids=[f"{name}-{number}" for number, (name, _) in enumerate(CASES)])
def test_an_output_keeps_to_its_schema(name: str, command: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copytree(SAMPLES, tmp_path / "samples")
    put(
        tmp_path,
        {
            "broken.yaml": "kind: Secret\nmetadata: {name: cloud-config}\nstringData: [a\n",
            "ccmcheck.toml": "release = '1.31'\n",
        },
    )
    formats = () if "--format" in command else ("--format", "json")
    done = run(tmp_path, command[0], *formats, *command[1:])
    assert done.code in (0, 1, 3), done
    documents = [json.loads(line) for line in done.out.splitlines()] if name == "ndjson" else [json.loads(done.out)]
    assert documents
    for document in documents:
        assert complaints(name, document) == []


def test_a_review_of_a_change_keeps_to_its_schema(tmp_path: Path) -> None:
    service = (SAMPLES / "web.yaml").read_text("utf-8")
    put(tmp_path, {"cloud.conf": RIGHT, "web.yaml": service})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "before")
    put(tmp_path, {"cloud.conf": RIGHT.replace("create-monitor = true", "lb-provider = ovn\nmonitor-delay = 3")})
    git(tmp_path, "commit", "-q", "-a", "-m", "after")
    done = run(tmp_path, "review", "--git", "HEAD~1..HEAD", "--format", "json", "--question", "create-monitor")
    assert complaints("review", json.loads(done.out)) == []


@pytest.mark.parametrize("question", ["review", "explain"])
def test_several_releases_keep_to_the_schema_of_one(question: str, tmp_path: Path) -> None:
    put(tmp_path, {"web.yaml": (SAMPLES / "web.yaml").read_text("utf-8")})
    words = ("review", "--question", "create-monitor") if question == "review" else ("explain", "create-monitor")
    done = run(tmp_path, *words, "--format", "json", "--release", "1.25", "--release", "1.31", "web.yaml")
    document = json.loads(done.out)
    assert len(document["releases"]) == 2
    assert complaints("question" if question == "review" else "walk", document) == []


def test_the_command_prints_what_is_shipped(tmp_path: Path) -> None:
    for words, name in ((("lint",), "lint"), (("cluster", "diff"), "cluster-diff")):
        assert json.loads(run(tmp_path, "config", "schema", *words).out) == made(name)
    done = run(tmp_path, "config", "schema", "reviw")
    assert done.code == 2
    assert "Did you mean `review`?" in done.err


def test_a_strict_schema_finds_a_field_that_is_not_declared() -> None:
    assert complaints("set", {"version": 1, "files": [], "written": True, "more": 1})
