"""Sets and unsets keys where a cloud.conf lies, losing nothing around them: what shell scripts do with ``sed``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from ccmcheck import catalog
from ccmcheck.base.edits import apply, sort
from ccmcheck.base.errors import CannotEdit, WrongUse
from ccmcheck.base.model import Edit
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.conf.assignments import Assignment
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.conf.view import CloudConf
from ccmcheck.fix.guard import changed, check
from ccmcheck.rules._support.fixes import add_key, delete_key, neighbour, write_value


def assign(
    path: str, whole: str, wanted: Sequence[tuple[TargetRelease, Sequence[Assignment]]], options: FindOptions
) -> tuple[str, list[str]]:
    """Set and unset keys in the cloud.confs of a file.

    Args:
        path: The file as the user named it.
        whole: Its text.
        wanted: Who reads each of its cloud.confs, at which release, and what to set in it; a key that holds its value
            already is left alone.
        options: How its cloud.confs are found.

    Returns:
        The text after, and the routes of the cloud.confs that changed.

    Raises:
        WrongUse: There is no cloud.conf in it.
        CannotEdit: A place that must be edited by hand; nothing is changed then.
    """
    if not wanted:
        why = find(path, whole, options._replace(explicit=True)).why_none
        raise WrongUse(f"there is no cloud.conf in {path}{why}")
    numbers: dict[TargetRelease, list[int]] = {}
    for number, (judged, _) in enumerate(wanted):
        numbers.setdefault(judged, []).append(number)
    routes: dict[int, str] = {}
    for judged, of_reader in numbers.items():
        file = ConfFile(path, whole, (judged,), options)
        for one in wanted[of_reader[0]][1]:
            by_halves(of_reader, partial(_set_one, file, one, routes))
        whole = file.text
    return whole, [routes[number] for number in sorted(routes)]


def _set_one(file: ConfFile, wanted: Assignment, routes: dict[int, str], numbers: Sequence[int]) -> None:
    routes.update(file.change(dict.fromkeys(numbers, wanted)))


class ConfFile:
    """A file whose cloud.confs are changed, many of them at once: the file is searched anew after each change.

    Args:
        path: The file as the user named it.
        text: Its text.
        judged: Who reads the file, at which releases.
        options: How its cloud.confs are found.

    Attributes:
        text: The text, as far as it has come.
        carried: Its cloud.confs.
    """

    def __init__(self, path: str, text: str, judged: Sequence[TargetRelease], options: FindOptions) -> None:
        self.text = text
        self._path = path
        self._judged = judged
        self._schemas = [catalog.schema(release.release, release.consumer) for release in judged]
        self._options = options._replace(explicit=True)
        self.carried = self._search(text)

    def _search(self, text: str) -> list[CarriedConf]:
        return find(self._path, text, self._options).carried

    def change_in_turn(self, wanted: Mapping[int, Sequence[Assignment]]) -> None:
        """Set and unset several keys in each of some cloud.confs, all of them or none; see `change`."""
        before = self.text, self.carried
        try:
            for turn in range(max(map(len, wanted.values()))):
                self.change({number: each[turn] for number, each in wanted.items() if turn < len(each)})
        except CannotEdit:
            self.text, self.carried = before
            raise

    def change(self, wanted: Mapping[int, Assignment]) -> dict[int, str]:
        """Set or unset a key in each of some cloud.confs, all of them or none.

        Args:
            wanted: What to set, by the cloud.conf's number from 0.

        Returns:
            The routes of the cloud.confs that changed, by number; the file's path for one that is the file itself.

        Raises:
            CannotEdit: One of them must be edited by hand, or they get in each other's way.
        """
        if max(wanted) >= len(self.carried):
            raise CannotEdit("the file would not hold the same cloud.confs any more")
        meant: dict[int, str] = {}
        outer: list[list[Edit]] = []
        for number, one in wanted.items():
            carried = self.carried[number]
            conf = CloudConf.read(carried, self._judged[0].release, self._judged[0].consumer)
            edits = sort(_edits_of(conf, one))
            if edits:
                change = changed(carried.stack.inner, edits)
                check(change, self._schemas)
                meant[number] = change.after
                outer.append(carried.stack.put(edits))
        if not meant:
            return {}
        text = apply(self.text, _apart(outer))
        after = self._search(text)
        if len(after) != len(self.carried) or any(after[number].stack.inner != now for number, now in meant.items()):
            raise CannotEdit("the layers around the text cannot carry the change exactly")
        routes = {number: self.carried[number].route or self._path for number in meant}
        self.text, self.carried = text, after
        return routes


def by_halves(numbers: Sequence[int], attempt: Callable[[Sequence[int]], None]) -> None:
    """Make a change for many numbers at once, and where that fails, for each half of them.

    Args:
        numbers: Which.
        attempt: Makes it for some of them in order, or for none and raises `CannotEdit`.

    Raises:
        CannotEdit: It fails for one alone.
    """
    waiting = [numbers]
    while waiting:
        part = waiting.pop()
        try:
            attempt(part)
        except CannotEdit:
            if len(part) == 1:
                raise
            waiting += [part[len(part) // 2 :], part[: len(part) // 2]]


def _apart(carried: list[list[Edit]]) -> list[Edit]:
    """The edits of several cloud.confs on their file.

    Raises:
        CannotEdit: Two of them have a place in common: one may be the other, by an alias.
    """
    in_order = sorted(filter(None, carried), key=lambda edits: edits[0].start)
    if any(after[0].start <= before[-1].end for before, after in pairwise(in_order)):
        raise CannotEdit("two cloud.confs of the file have a place in common")
    return [edit for edits in in_order for edit in edits]


def _edits_of(conf: CloudConf, wanted: Assignment) -> list[Edit]:
    items = conf.all(wanted.section, wanted.key, wanted.subsection)
    if wanted.value is None:
        return [
            delete_key(conf, item.entry)
            for item in items
            if not wanted.was or (item.entry.value in wanted.was and not item.opaque)
        ]
    if items:
        last = items[-1]
        if last.entry.value == wanted.value and not last.opaque:
            return []
        if last.opaque:
            raise CannotEdit(f"{wanted.key} holds a template mark; edit it by hand")
        return [write_value(conf, last.entry, wanted.value)]
    edit = add_key(
        conf,
        wanted.section,
        wanted.key,
        wanted.value,
        subsection=wanted.subsection,
        after=neighbour(conf, wanted.section, wanted.key, wanted.subsection),
    )
    if edit is None:
        raise CannotEdit(f"rendering may add keys to [{wanted.section}], so nobody knows whether {wanted.key} is there")
    return [edit]
