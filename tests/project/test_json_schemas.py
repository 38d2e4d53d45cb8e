"""The JSON Schemas: made from the types of the records, shipped, and what every command prints keeps to them."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command_line import RIGHT, git, put, run
from json_schemas import FOLDER, made, strict, text_of
from json_shapes import DOCUMENTS
from root import ROOT

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


def published(arguments: tuple[str, ...], out: str) -> None:
    """Hold an output of any test to the schema of its command, where the command has one."""
    document = json.loads(out)
    name = {"upgrade": "review", "cluster": "-".join(arguments[:2])}.get(arguments[0], arguments[0])
    for field, other in (("migrations", "migrations"), ("timeline", "question"), ("findings", name)):
        name = other if field in document else name
    if name == "explain" and "pages" not in document:
        name = "walk"
    if name == "cluster-lint" or "releases" in document:
        return  # of lint, and of several releases, whose parts are held above
    if name in DOCUMENTS:
        jsonschema.Draft202012Validator(made_once(name)).validate(document)


@cache
def made_once(name: str) -> Any:
    return made(name)


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


def test_the_command_prints_what_is_shipped(tmp_path: Path) -> None:
    for words, name in ((("lint",), "lint"), (("cluster", "diff"), "cluster-diff")):
        assert json.loads(run(tmp_path, "config", "schema", *words).out) == made(name)
    done = run(tmp_path, "config", "schema", "reviw")
    assert done.code == 2
    assert "Did you mean `review`?" in done.err


def test_a_strict_schema_finds_a_field_that_is_not_declared() -> None:
    assert complaints("set", {"version": 1, "files": [], "written": True, "more": 1})
