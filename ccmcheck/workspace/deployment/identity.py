"""Which deployment before a change is which one after it: names and places may change, and copies are alike."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from ccmcheck.workspace.survey import SurveyedConf

Thing = TypeVar("Thing")


def pairs_of_configs(
    old: Sequence[SurveyedConf], new: Sequence[SurveyedConf]
) -> list[tuple[SurveyedConf | None, SurveyedConf | None]]:
    """Which cloud.conf before is which one after: by place, by the object that holds it, by its text, by its file."""
    lone = "the only one" if len(old) == len(new) == 1 else None
    return pairs(
        old,
        new,
        (lambda conf: (conf.path, conf.carried.route if conf.carried else conf.subject), False),
        (lambda one: (file_name(one.path), _object(one)), True),
        (_object, True),
        (lambda one: one.carried.text if one.carried else None, True),
        (lambda one: one.path, True),
        (lambda _: lone, True),
    )


def pairs(
    old: Sequence[Thing], new: Sequence[Thing], *stages: tuple[Callable[[Thing], Hashable | None], bool]
) -> list[tuple[Thing | None, Thing | None]]:
    """Pair things up in stages.

    Args:
        old: What is there before.
        new: What is there after.
        stages: What equal things have in common, and whether no other may have it too.

    Returns:
        The pairs in the order of what is new, then what is gone.
    """
    partner: dict[int, int] = {}
    left = dict(enumerate(old))
    for key, alone in stages:
        by_key = _by_key(key, left.items())
        for name, places in _by_key(key, ((at, one) for at, one in enumerate(new) if at not in partner)).items():
            theirs = by_key.get(name, [])
            if alone and (len(places) > 1 or len(theirs) > 1):
                continue
            for mine, their in zip(places, theirs, strict=False):
                partner[mine] = their
                del left[their]
    found: list[tuple[Thing | None, Thing | None]] = [
        (old[partner[at]] if at in partner else None, one) for at, one in enumerate(new)
    ]
    return found + [(one, None) for one in left.values()]


def file_name(path: str) -> str:
    """A file's name without its folder."""
    return path.rpartition("/")[2]


def _object(config: SurveyedConf) -> Hashable | None:
    return (config.subject, config.carried.key if config.carried is not None else "") if config.subject else None


def _by_key(key: Callable[[Thing], Hashable | None], things: Iterable[tuple[int, Thing]]) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = {}
    for at, one in things:
        name = key(one)
        if name is not None:
            found.setdefault(name, []).append(at)
    return found
