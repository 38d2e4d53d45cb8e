"""What people read in public repositories: carriers, releases, mistakes, look-alikes, and verdicts on findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SETS = ("open", "held")
VERDICTS = ("true", "noise", "false", "unjudged")

# forms that the README promises nothing about: variables of Kubespray, a text that a script gives to echo, or that a variable of
# Ansible holds
UNPROMISED = frozenset({"kubespray-variables", "shell-string", "ansible-variable"})
SERVICES = frozenset({"service", "service-values", "fence-service", "heredoc-service"})

# all keys of labels and judgements, in the order in which they are written
KEYS = (
    *("repository", "commit", "chosen", "look_alike", "near_copy_of", "note"),
    *("path", "first_line", "last_line", "line", "inner", "rule", "carrier", "consumer", "left_out"),
    *("release", "release_source"),
    *("mistake", "what", "severity", "verdict", "reason", "round", "not"),
)
ORDER = {key: place for place, key in enumerate(KEYS)}

# repository, commit, path, line, line in the cloud.conf or 0, rule
Key = tuple[str, str, str, int, int, str]


@dataclass(frozen=True)
class Mistake:
    line: int
    what: str
    severity: str  # fatal, wrong or risk


@dataclass(frozen=True)
class Carrier:
    """The lines of one cloud.conf, or of the map or Service that stands for one."""

    path: str
    first_line: int
    last_line: int
    carrier: str
    release: str  # or "unknown"
    release_source: str = ""
    mistakes: tuple[Mistake, ...] = ()
    consumer: str = "ccm"
    left_out: str = ""  # why a folder's run does not judge it


@dataclass(frozen=True)
class Repository:
    name: str
    commit: str
    look_alike: bool
    carriers: tuple[Carrier, ...] = ()
    look_alikes: tuple[str, ...] = ()  # paths

    @property
    def folder(self) -> str:
        return self.name.replace("/", "+")


def file(name: str) -> Path:
    """The JSON lines of a set, or of the judgements."""
    return HERE / f"{name}.jsonl"


def read(name: str) -> list[dict[str, Any]]:
    with file(name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def as_lines(records: Iterable[Mapping[str, Any]]) -> str:
    """A line for each record, its keys in the order of ``KEYS``, the lines sorted as ``LC_ALL=C sort`` does."""
    return "".join(sorted(json.dumps(_ordered(record), ensure_ascii=False) + "\n" for record in records))


def _ordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value, key=ORDER.__getitem__)}
    return [_ordered(entry) for entry in value] if isinstance(value, list) else value


def load(which: str) -> list[Repository]:
    return [parse(record) for record in read(which)]


def parse(document: Mapping[str, Any]) -> Repository:
    look_alikes = tuple(entry["path"] for entry in document.get("not", ()))
    carriers = tuple(_carrier(entry) for entry in document.get("carrier", ()))
    return Repository(document["repository"], document["commit"], document["look_alike"], carriers, look_alikes)


def _carrier(entry: Mapping[str, Any]) -> Carrier:
    known = {field.name: entry[field.name] for field in fields(Carrier) if field.name in entry}
    mistakes = tuple(Mistake(m["line"], m["what"], m["severity"]) for m in entry.get("mistake", ()))
    return Carrier(**known, mistakes=mistakes)


def load_judgements() -> dict[Key, str]:
    return judgements(read("judgements"))


def judgements(entries: Iterable[Mapping[str, Any]]) -> dict[Key, str]:
    return {
        (e["repository"], e["commit"], e["path"], e["line"], e.get("inner", 0), e["rule"]): e["verdict"]
        for e in entries
    }
