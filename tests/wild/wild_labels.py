"""What people read in public repositories: the carriers of a cloud.conf, their releases and mistakes, and what only looks like one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SETS = ("open", "held")
UNKNOWN = "unknown"

# forms that the README promises nothing about: variables of Kubespray, a text that a script gives to echo
UNPROMISED = frozenset({"kubespray-variables", "shell-string"})
SERVICES = frozenset({"service", "service-values", "fence-service", "heredoc-service"})


@dataclass(frozen=True)
class Mistake:
    """What is wrong in a line, judged from the file and the CCM's behaviour."""

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
    release: str
    release_source: str
    mistakes: tuple[Mistake, ...] = ()
    consumer: str = "ccm"

    @property
    def promised(self) -> bool:
        return self.carrier not in UNPROMISED and self.carrier not in SERVICES


@dataclass(frozen=True)
class Repository:
    """A public repository at one commit."""

    name: str
    commit: str
    chosen: str
    look_alike: bool
    carriers: tuple[Carrier, ...]
    look_alikes: Mapping[str, str]  # path: why it is none

    @property
    def folder(self) -> str:
        """The name of the repository as a folder or file: owner+name."""
        return self.name.replace("/", "+")


def parse(document: Mapping[str, Any]) -> Repository:
    return Repository(
        name=document["repository"],
        commit=document["commit"],
        chosen=document["chosen"],
        look_alike=document["look_alike"],
        carriers=tuple(_carrier(entry) for entry in document.get("carrier", ())),
        look_alikes={entry["path"]: entry["reason"] for entry in document.get("not", ())},
    )


def _carrier(entry: Mapping[str, Any]) -> Carrier:
    mistakes = tuple(Mistake(m["line"], m["what"], m["severity"]) for m in entry.get("mistake", ()))
    return Carrier(
        path=entry["path"],
        first_line=entry["first_line"],
        last_line=entry["last_line"],
        carrier=entry["carrier"],
        release=entry["release"],
        release_source=entry["release_source"],
        mistakes=mistakes,
        consumer=entry.get("consumer", "ccm"),
    )


def load(which: str) -> list[Repository]:
    """The labelled repositories of a set, in the order of their names."""
    return [parse(tomllib.loads(path.read_text())) for path in sorted((HERE / which).glob("*.toml"))]
