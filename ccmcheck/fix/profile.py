"""Brings every cloud.conf of a file that the CCM reads to what a profile sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.errors import CannotEdit
from ccmcheck.fix.settings import Assignment, Place, change_one
from ccmcheck.policy.scs import PROFILES
from ccmcheck.records import NamedTuple
from ccmcheck.releases import judged_by

if TYPE_CHECKING:
    from ccmcheck.engine import Linter


class Settled(NamedTuple):
    """A file after its profile.

    Attributes:
        text: Its text.
        done: What was set or unset, in words.
        left: What could not be, with the reason.
    """

    text: str
    done: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def settle(path: str, whole: str, profile: str, linter: Linter) -> Settled:
    """Set what a profile sets, key by key, so that one that cannot be set keeps no other from it.

    Args:
        path: The file as the user named it.
        whole: Its text.
        profile: One of `PROFILES`.
        linter: Knows the releases that are judged, and how cloud.confs are found.
    """
    judged = judged_by(path, linter.settings.judged, linter.bundle.pods)
    options = linter.settings.find._replace(explicit=True)
    text = whole
    done: list[str] = []
    left: list[str] = []
    for setting in PROFILES[profile]:
        if setting.since and not all(one.release.at_least(setting.since) for one in judged):
            left.append(f"{setting.key} is left as it is: the profile sets it from the CCM {setting.since} on")
            continue
        wanted = Assignment(setting.section, None, setting.key, setting.value, setting.was)
        number = 0
        while True:
            try:
                changed = change_one(Place(path, text, number), wanted, judged, options, for_ccm=True)
            except CannotEdit as error:
                left.append(f"{setting.key}: {error.message}")
            else:
                if changed is None:
                    break
                if changed.text != text:
                    text = changed.text
                    what = f"unset {setting.key}" if setting.value is None else f"set {setting.key} = {setting.value}"
                    done.append(f"{what}: {setting.why}")
            number += 1
    return Settled(text, tuple(done), tuple(left))
