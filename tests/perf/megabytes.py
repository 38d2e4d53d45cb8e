"""A megabyte of the worst input of each kind, and what each command takes for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from growing import COMPLETE, GROWING, Growing, service
from growing_builds import BREAK, BUILDS

BYTES = 1_000_000


class Files(NamedTuple):
    """Files of about a size.

    Attributes:
        files: Their texts by their names.
        path: What a command is given.
    """

    files: dict[str, str]
    path: str


def _of(row: Growing) -> Callable[[int], Files]:
    """What makes files of a size of what grows by number."""

    def make(size: int) -> Files:
        one, many = (len(row.make(count)) for count in (0, 1_000))
        text = row.make(1_000 * (size - one) // (many - one))
        if BREAK in text:
            kustomization, _, objects = text.partition(BREAK)
            return Files({row.path: kustomization, "objects.yaml": objects}, ".")
        return Files({row.path: text}, row.path)

    return make


INPUTS: dict[str, Callable[[int], Files]] = {
    "passwords": _of(GROWING["passwords, lint"]),
    "unknown keys": _of(GROWING["unknown keys, lint"]),
    "keys with odd values": _of(GROWING["keys with odd values, lint"]),
    "misspelt keys": _of(GROWING["misspelt keys, fix"]),
    "repeated key": _of(GROWING["repeated key, fix"]),
    "bad durations with comments": _of(GROWING["bad durations with comments, fix"]),
    "bad booleans": _of(GROWING["bad booleans, fix"]),
    "sections": _of(GROWING["sections, lint"]),
    "class sections": _of(GROWING["class sections, lint"]),
    "short lines": _of(GROWING["short lines, read"]),
    "misspelt annotations": _of(GROWING["misspelt annotations, lint"]),
    "source ranges and ports": _of(GROWING["source ranges and ports, predict"]),
    "Services": _of(GROWING["Services, lint"]),
    "quotes without an end": _of(GROWING["quotes without an end, lint"]),
}
"""Each kind's name, and what makes files of a size in bytes."""

BUILT: dict[str, Callable[[int], Files]] = {
    "prefixed objects": _of(BUILDS["prefixed objects"]),
    "images and objects": _of(BUILDS["images and objects"]),
}
"""The same of kustomizations."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "lint": ("lint",),
    "fix": ("fix", "--unsafe", "--write"),
    "diff": ("fix", "--unsafe", "--diff"),
    "patch": ("fix", "--unsafe", "--patch", "git"),
    "predict": ("predict", "--nodes", "20"),
    "review": ("review",),
}
"""Each command with its options."""
FOR_BUILT = ("lint", "review")
"""Those that are measured with what is built, which takes most of the others' time, too."""


def arguments(name: str, made: Files, folder: Path) -> tuple[str, ...]:
    """Write files for a command into an empty folder, and how it is called there.

    Args:
        name: The command, one of `COMMANDS`.
        made: The files, which get a cloud.conf or a Service beside them where they hold none.
        folder: The folder.
    """
    files = {"cloud.conf": COMPLETE, "service.yaml": service(1), **made.files}
    sides = ("a", "b") if name == "review" else (".",)
    for side in sides:
        (folder / side).mkdir(exist_ok=True)
        for path, text in files.items():
            changed = text.replace("TCP", "UDP").replace("RegionOne", "RegionTwo") if side == "b" else text
            (folder / side / path).write_text(changed)
    if name == "review":
        return *COMMANDS[name], *sides
    if name == "predict":
        beside = "service.yaml" if made.path == "cloud.conf" else made.path
        return *COMMANDS[name], "--cloud-config", "cloud.conf", beside
    return *COMMANDS[name], made.path
