"""The cloud.conf of a checkout beside the live one: the values that the CCM uses, read at one release."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.core import CloudConf, carriers, catalog, masking, review_settings
from ccmcheck.cluster.drift.records import DriftedValue


def compare(
    git: carriers.CarriedConf, live: carriers.CarriedConf, release: catalog.Release
) -> tuple[tuple[DriftedValue, ...], tuple[str, ...]]:
    """Compare two texts of one cloud.conf.

    Args:
        git: The checkout's; values with template marks are unknown.
        live: The cluster's.
        release: The release that reads both.

    Returns:
        What differs, in the order of the catalogue; and the keys that git says only after rendering.
    """
    ours, theirs = review_settings.values_of(git, release)[0], review_settings.values_of(live, release)[0]
    unknown = tuple(_name(*key) for key, value in ours.items() if value.is_open)
    return tuple(_differences(ours, theirs)), unknown


def _differences(
    ours: dict[tuple[str, str], review_settings.SettingValue],
    theirs: dict[tuple[str, str], review_settings.SettingValue],
) -> Iterator[DriftedValue]:
    for key, live, git in review_settings.differing(theirs, ours):
        if git.is_open:
            continue
        hidden = masking.MASK in (git.shown, live.shown) or git.shown == live.shown
        shown = ("", "") if hidden else (git.shown, live.shown)
        yield DriftedValue(_name(*key), *shown, git.given, live.given, is_secret=hidden)


def _name(section: str, key: str) -> str:
    return f"[{section}] {key}"


def rendered(git: carriers.CarriedConf, live: carriers.CarriedConf, release: catalog.Release) -> carriers.CarriedConf:
    """The checkout's text with the live values where it has template marks, so that a prediction knows them.

    Args:
        git: The checkout's.
        live: The cluster's.
        release: The release that reads both.
    """
    view, other = CloudConf.read(git, release), CloudConf.read(live, release)
    if not git.marks:
        return git
    text = git.stack.inner
    for item in reversed(view.items):
        span = item.entry.value_span
        if not item.opaque or item.spec is None or span is None:
            continue
        known = other.last(item.spec.section, item.spec.name, item.section.subsection)
        place = known.entry.value_span if known is not None else None
        if place is not None:
            text = text[: span.start] + live.stack.inner[place.start : place.end] + text[span.end :]
        else:  # the default holds in the cluster
            text = text[: item.entry.key_start] + "#" + text[item.entry.key_start :]
    return carriers.lone_conf(text, git.path)
