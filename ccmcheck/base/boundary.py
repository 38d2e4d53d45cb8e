"""The one boundary for paths: whether a path leads out of the checkout.

The checkout is the work tree of git that a folder is in, else the folder that the command line names. What the command
line spells out may lie anywhere; refused is a link inside of the checkout that leads out of it, on any component, and
what a file of the checkout names outside of it. ``--trust-checkout`` lifts this for a run. ccmcheck's own files are no
part of a checkout, wherever they are installed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextvars import ContextVar

from ccmcheck.base.errors import InputError
from ccmcheck.base.paths import UNNAMED

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HINT = "Give --trust-checkout to follow it all the same."


class LeadsOut(InputError):
    """A path leads out of the checkout."""


class _Run:
    """What a run knows of its boundary.

    Attributes:
        trusted: Whether there is none.
        named: The folders that the command line names, without links.
        judged: The checkout that each folder leads out of.
    """

    def __init__(self, named: Iterable[str] = (), *, trusted: bool = False) -> None:
        self.trusted = trusted
        self.named = tuple(named)
        self.judged: dict[str, str] = {}


_run: ContextVar[_Run | None] = ContextVar("boundary", default=None)


def trust() -> None:
    """Lift the boundary for this run, as the command line says."""
    _run.set(_Run(trusted=True))


def name_folders(paths: Iterable[str]) -> None:
    """Say what the command line names; folders among it are checkouts where they are in no repository."""
    _run.set(_Run((os.path.realpath(path) for path in paths if os.path.isdir(path)), trusted=is_trusted()))


def is_trusted() -> bool:
    """Whether the command line lifts the boundary."""
    run = _run.get()
    return run is not None and run.trusted


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or below it; both are absolute and without links."""
    return path == folder or path.startswith(os.path.join(folder, ""))


def work_tree(folder: str) -> str:
    """The nearest folder with a ``.git``, from a folder without links upward; empty where there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return folder


def leads_out(path: str, checkout: str = "") -> str:
    """The checkout that a path leads out of; empty where it leads out of none.

    Args:
        path: The path, which need not be there.
        checkout: The checkout whose files name the path, without links in its own path; empty for a path that the
            command line spells out, or that was found by listing.
    """
    run = _run.get()
    if run is not None and run.trusted:
        return ""
    if checkout:
        return "" if is_within(os.path.realpath(path), checkout) else checkout
    judged = run.judged if run is not None else {}
    waiting: list[str] = []
    while path and path not in judged:
        waiting.append(path)
        above = os.path.dirname(path)
        path = "" if above == path else above
    found = judged.get(path, "")
    for path in reversed(waiting):
        found = found or _led_out_of(path, run)
        judged[path] = found
    if found and waiting and is_within(os.path.abspath(waiting[0]), PACKAGE):
        return ""
    return found


def refuse(path: str, checkout: str = "") -> None:
    """Refuse a path that leads out of the checkout; see `leads_out`.

    Raises:
        LeadsOut: It does; the message does not name the path.
    """
    top = leads_out(path, checkout)
    if top:
        raise LeadsOut(f"it leads out of {top}", HINT)


def _led_out_of(path: str, run: _Run | None) -> str:
    """The checkout that the last component of a path leads out of, where it is a link."""
    folder, name = os.path.split(path)
    if name in UNNAMED or not os.path.islink(path):
        return ""
    folder, target = os.path.realpath(folder), os.path.realpath(path)
    named = run.named if run is not None else ()
    around = work_tree(folder) or min((one for one in named if is_within(folder, one)), key=len, default="")
    return around if around and not is_within(target, around) else ""
