"""Shows the label of a repository with the judgements of its findings, or lists labels, or writes an edited one back."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wild_labels import SETS, as_lines, file, judgements, parse, read

STATE = ("repository", "commit")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=SETS, default="open", help="the set to look into (default: open)")
    parser.add_argument(
        "--put", type=Path, metavar="FILE", help="add or replace the label in FILE, which has the form that is shown"
    )
    parser.add_argument("name", nargs="?", default="", metavar="OWNER+NAME[@COMMIT]", help="or a part of OWNER+NAME")
    options = parser.parse_args()
    if options.put:
        put(options.set, json.loads(options.put.read_text(encoding="utf-8")))
        return
    matches = find(read(options.set), options.name)
    if not matches:
        sys.exit(f"no label of {options.set}.jsonl has a name like {options.name!r}")
    if options.name and len(matches) == 1:
        print(json.dumps(shown(matches[0]), ensure_ascii=False, indent=2))
        return
    for record in matches:
        print(f"{record['repository'].replace('/', '+')}@{record['commit'][:12]}")


def find(records: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The labels of the repository with this name, else of those whose names contain it."""
    repository, _, commit = name.lower().replace("+", "/").partition("@")
    candidates = [record for record in records if record["commit"].startswith(commit)]
    exact = [record for record in candidates if record["repository"].lower() == repository]
    return exact or [record for record in candidates if repository in record["repository"].lower()]


def shown(record: Mapping[str, Any]) -> dict[str, Any]:
    """A label and, as ``judgement``, the judgements of its repository at its commit."""
    own = [judgement for judgement in read("judgements") if state(judgement) == state(record)]
    return {**record, "judgement": [{key: j[key] for key in j if key not in STATE} for j in own]}


def put(which: str, document: dict[str, Any]) -> None:
    """Writes what `shown` gave, with its edits, into the files of the set and of the judgements."""
    record = {key: document[key] for key in document if key != "judgement"}
    own = [{**{key: record[key] for key in STATE}, **judgement} for judgement in document["judgement"]]
    parse(record)  # fails where something is missing, as does the next
    judgements(own)
    changed = {which: [record], "judgements": own}
    texts = {
        name: as_lines([*(other for other in read(name) if state(other) != state(record)), *new])
        for name, new in changed.items()
    }
    for name, text in texts.items():
        file(name).write_text(text, encoding="utf-8")


def state(record: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(record[key] for key in STATE)


if __name__ == "__main__":
    main()
