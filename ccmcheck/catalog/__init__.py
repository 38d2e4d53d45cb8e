"""What the CCM, and the other programs that read the same cloud.conf, know in each release.

The unit is the release tag, because keys are brought to older branches. Reading one release loads one small module;
histories and annotations load when they are asked for.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ccmcheck.catalog.data.releases import CONSUMERS as _CONSUMERS
from ccmcheck.catalog.releases import Release, minors, newest, oldest, reader, release
from ccmcheck.catalog.schemas import KeySpec, Schema, SectionSpec, fold, schema

if TYPE_CHECKING:
    from ccmcheck.catalog.data.saved_states import SavedState
    from ccmcheck.catalog.histories import ConsumerHistory, KeyHistory

CONSUMERS: tuple[str, ...] = tuple(_CONSUMERS)
"""The programs that read cloud.conf; the CCM is the first."""

__all__ = [
    "CONSUMERS", "ConsumerHistory", "KeyHistory", "KeySpec", "Release", "SavedState", "Schema", "SectionSpec",
    "all_keys", "all_sections", "fold", "history", "key_names", "minors", "newest", "oldest", "reader", "release",
    "saved_states", "schema",
]  # fmt: skip


def history(section: str, key: str) -> KeyHistory | None:
    """Look up a key over all releases and consumers; see `ccmcheck.catalog.histories.history`."""
    from ccmcheck.catalog.histories import history as look_up

    return look_up(section, key)


@cache
def key_names() -> frozenset[str]:
    """Every key of any section that any consumer of any release knows, folded."""
    from ccmcheck.catalog.histories import key_names as look_up

    return look_up()


@cache
def all_sections() -> tuple[str, ...]:
    """Every section that any consumer of any release knows."""
    from ccmcheck.catalog.histories import all_sections as look_up

    return look_up()


@lru_cache(maxsize=64)
def all_keys(section: str) -> tuple[str, ...]:
    """Every key that any consumer of any release knows in a section."""
    from ccmcheck.catalog.histories import all_keys as look_up

    return look_up(section)


def saved_states() -> tuple[SavedState, ...]:
    """What the states of OpenStack's objects mean; see `ccmcheck.catalog.data.saved_states`."""
    from ccmcheck.catalog.data.saved_states import saved_states as look_up

    return look_up()
