"""Keeps in effect, under a new release of the CCM, what a cloud.conf has in effect under the old one.

That is what ``fix --to`` does before it makes the fixes for the new release: keys that are spelled otherwise
get their new names, defaults that change are written out, keys that were ignored stay without effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ccmcheck import gcfg
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.catalog import Release
from ccmcheck.catalog.data.upgrades import PINS, RENAMED, WITHOUT
from ccmcheck.conf.assignments import Assignment
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.settings import ConfFile, by_halves
from ccmcheck.predict.inputs.service_conditions import MetCase
from ccmcheck.review.upgrade.keys import ChangedKey, ReleaseStep, changed_keys


class PreservedSetting(NamedTuple):
    """A file with what was in effect before still in effect.

    Attributes:
        text: Its text.
        done: What was written or deleted, in words.
        left: What changes all the same, with what to do.
    """

    text: str
    done: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class _Change(NamedTuple):
    """What keeps one key as it is.

    Attributes:
        said: In words, before and after it is done.
        wanted: What to set and unset, in order.
        safe: Whether it has no other effect, and loses nothing that somebody wrote.
    """

    said: str
    wanted: tuple[Assignment, ...]
    safe: bool


class SettingKeeper:
    """Works from one release to another.

    Args:
        old: The release that runs now.
        new: The release to upgrade to.
        options: How cloud.confs are found.
        unsafe: Whether to make the changes that somebody should judge, too.
    """

    def __init__(self, old: Release, new: Release, options: FindOptions, *, unsafe: bool) -> None:
        self._old = old
        self._new = new
        self._options = options
        self._unsafe = unsafe

    def keep(self, path: str, whole: str) -> PreservedSetting:
        """Change a file so that what is in effect stays in effect.

        Args:
            path: The file as the user named it.
            whole: Its text.

        Raises:
            CcmcheckError: Something in the file cannot be opened.
        """
        changes = {
            number: list(self._changes(carried))
            for number, carried in enumerate(find(path, whole, self._options).carried)
            if not carried.consumers or "ccm" in carried.consumers
        }
        text, refused = self._made(path, whole, changes)
        done: list[str] = []
        left: list[str] = []
        for number, found_changes in changes.items():
            for position, change in enumerate(found_changes):
                if not change.wanted:
                    left.append(change.said)
                elif not self._is_made(change):
                    left.append(f"not without --unsafe: {change.said}")
                elif (number, position) in refused:
                    left.append(f"{change.said}: {refused[number, position]}")
                else:
                    done.append(change.said)
        return PreservedSetting(text, tuple(done), tuple(left))

    def _is_made(self, change: _Change) -> bool:
        return bool(change.wanted) and (change.safe or self._unsafe)

    def _made(
        self, path: str, whole: str, changes: Mapping[int, Sequence[_Change]]
    ) -> tuple[str, dict[tuple[int, int], str]]:
        """Make the changes of all cloud.confs together, and one by one where that fails.

        Args:
            path: The file as the user named it.
            whole: Its text.
            changes: The changes of each cloud.conf by its number.

        Returns:
            The text after, and why some were refused, by the cloud.conf's number and their own.
        """
        refused: dict[tuple[int, int], str] = {}
        wanted = {
            number: [(position, change.wanted) for position, change in enumerate(found) if self._is_made(change)]
            for number, found in changes.items()
        }
        numbers = [number for number, each in wanted.items() if each]
        if not numbers:
            return whole, refused
        file = ConfFile(path, whole, (TargetRelease("ccm", self._new, "--to"),), self._options)

        def attempt(part: Sequence[int]) -> None:
            if len(part) > 1:
                file.change_in_turn(
                    {number: [assignment for _, all_of in wanted[number] for assignment in all_of] for number in part}
                )
                return
            for position, all_of in wanted[part[0]]:
                try:
                    file.change_in_turn({part[0]: all_of})
                except CannotEdit as error:
                    refused[part[0], position] = error.message

        by_halves(numbers, attempt)
        return file.text, refused

    def _changes(self, carried: CarriedConf) -> Iterator[_Change]:
        document = gcfg.parse(carried.stack.inner)
        first, last = (ReleaseStep(carried, document, release) for release in (self._old, self._new))
        case = MetCase(first.options, last.options, has_login=first.has_login)
        for changed_key in changed_keys(first, last, case, {}):
            change = self._change(carried, changed_key, first, last)
            if change is not None:
                yield change

    def _change(
        self, carried: CarriedConf, changed_key: ChangedKey, first: ReleaseStep, last: ReleaseStep
    ) -> _Change | None:
        setting = changed_key.setting
        key, section = setting.key, setting.section
        delete = Assignment(section, setting.subsection, key, None)
        if _is_open(carried, changed_key):
            return _Change(f"{key} holds a template mark, and changes its meaning in {self._new.name}", (), False)
        if changed_key.kind == "vanishes":
            return self._vanished(changed_key, last, delete)
        if changed_key.kind == "comes to life":
            if any(
                newer == key and name in first.settings and first.settings[name].entry
                for name, newer in RENAMED.items()
            ):
                return None  # its old spelling, which has the effective value, is reported
            said = f"delete {key}, which the CCM {self._old.name} ignores and {self._new.name} does not"
            # a new spelling is what an earlier run of ours may have written
            return _Change(said, () if key in RENAMED.values() else (delete,), False)
        if changed_key.kind == "default":
            if (section, key) not in PINS:
                return None  # what needs the key did not work before
            value, safe = PINS[section, key]
            said = f"write `{f'{key} = {value}'.strip()}`, which is the default in the CCM {self._old.name}"
            return _Change(said, (Assignment(section, setting.subsection, key, value),), safe)
        return _Change(f"{key} is read otherwise in {self._new.name}; see `ccmcheck upgrade`", (), False)

    def _vanished(self, changed_key: ChangedKey, last: ReleaseStep, delete: Assignment) -> _Change | None:
        setting = changed_key.setting
        newer = RENAMED.get((setting.section, setting.key))
        there = last.settings.get((changed_key.name[0], newer)) if newer else None
        if newer and there is not None and there.value != setting.value:
            write = Assignment(setting.section, setting.subsection, newer, str(setting.value))
            if there.entry is None:
                return _Change(f"write {newer} for {setting.key}", (write, delete), True)
            return _Change(f"give {newer} the value of {setting.key}", (write, delete), False)
        without = WITHOUT.get((setting.section, setting.key), setting.default)
        if setting.value != without and not newer and setting.section != "BlockStorage":
            return _Change(f"{setting.key} has no effect in {self._new.name}, and nothing takes its place", (), False)
        return None  # the rule key-removed deletes the line


def _is_open(carried: CarriedConf, changed_key: ChangedKey) -> bool:
    """Whether the value is known after rendering only."""
    entries = [
        setting.entry
        for setting in (changed_key.before, changed_key.after)
        if setting is not None and setting.entry is not None
    ]
    return any(mark.start < entry.end and mark.end > entry.key_start for entry in entries for mark in carried.marks)
