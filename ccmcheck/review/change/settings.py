"""Which keys of a cloud.conf another text of it gives other values, both read at the same release of the CCM."""

from __future__ import annotations

from collections.abc import Callable, Iterator, KeysView, Sequence

from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CarriedConf, lone_conf
from ccmcheck.catalog import Release
from ccmcheck.catalog.data.preserved_settings import PRESERVED
from ccmcheck.catalog.written_values import written
from ccmcheck.conf.effective import effective
from ccmcheck.conf.target_release import CCM
from ccmcheck.conf.view import CloudConf
from ccmcheck.redact.masker import MASK, JointMasker, Masker, is_secret_name, mask_value
from ccmcheck.review.change.records import SettingChange

_LONGEST = 120
"""Code points of a value that are shown."""

_NO_FILE = lone_conf("")


class SettingValue(NamedTuple):
    """One key's value.

    Attributes:
        compared: What decides whether it is another: typed, or the raw text where a template mark fills it.
        shown: As it may be shown.
        given: Whether the file sets it.
        is_open: Whether it is known only after rendering.
    """

    compared: object
    shown: str
    given: bool
    is_open: bool = False


def changed_settings(
    before: CarriedConf | None, after: CarriedConf | None, release: Release
) -> tuple[tuple[SettingChange, ...], bool]:
    """Compare two texts of one cloud.conf.

    Args:
        before: The text before; None for no file.
        after: The text after; None for no file.
        release: The release that reads both.

    Returns:
        The keys whose values differ, in the order of the catalogue, then those that are ignored and were not there
        before; and whether anything differs that the CCM reads.
    """
    maskers = [Masker(text.text) for text in (before, after) if text is not None]
    scrub, name_of = _scrub(maskers), _scrub(maskers, names=True)
    old, old_ignored = values_of(before, release)
    new, new_ignored = values_of(after, release)
    changes = list(_changes(old, new, scrub))
    differs = bool(changes)
    for name in new_ignored:
        if name not in old_ignored:
            section, key = name
            changes.append(SettingChange(name_of(section), name_of(key), "", "", ignored=True))
    return tuple(changes), differs


def _scrub(maskers: Sequence[Masker], *, names: bool = False) -> Callable[[str], str]:
    """What masks the secrets of several texts, wherever they turn up, or names that may be values."""
    joint = JointMasker(maskers)
    return joint.name if names else joint.scrub


_NONE = SettingValue(None, "", given=False)


def differing(
    old: dict[tuple[str, str], SettingValue], new: dict[tuple[str, str], SettingValue]
) -> Iterator[tuple[tuple[str, str], SettingValue, SettingValue]]:
    """The section and key of each value that two texts do not have in common, with the value of either.

    Args:
        old: The values of one text; see `values_of`.
        new: Those of the other.
    """
    for name in {**old, **new}:
        before, after = old.get(name, _NONE), new.get(name, _NONE)
        if (name not in old or name not in new) and not (before.given or after.given):
            continue  # a class that comes or goes: what it does not set plays no part
        if before.compared != after.compared or type(before.compared) is not type(after.compared):
            yield name, before, after


def _changes(
    old: dict[tuple[str, str], SettingValue], new: dict[tuple[str, str], SettingValue], scrub: Callable[[str], str]
) -> Iterator[SettingChange]:
    for (section, key), before, after in differing(old, new):
        kept = PRESERVED.get(key, "") if section.startswith("LoadBalancer") else ""
        effect = f"new load balancers only; those that are there keep their {kept}" if kept else ""
        yield SettingChange(
            scrub(section),
            key,
            scrub(before.shown),
            scrub(after.shown),
            from_default=not before.given,
            to_default=not after.given,
            effect=effect,
        )


def no_longer_known(carried: CarriedConf, before: Release, after: Release) -> tuple[SettingChange, ...]:
    """The names of a cloud.conf that one release knows, and another ignores.

    Args:
        carried: The cloud.conf.
        before: The release that knows them.
        after: The release that ignores them.
    """
    scrub = _scrub([Masker(carried.text)], names=True)
    known = values_of(carried, before)[1]
    names = (name for name in values_of(carried, after)[1] if name not in known)
    return tuple(SettingChange(scrub(section), scrub(key), "", "", ignored=True) for section, key in names)


def values_of(
    carried: CarriedConf | None, release: Release, consumer: str = CCM
) -> tuple[dict[tuple[str, str], SettingValue], KeysView[tuple[str, str]]]:
    """Every key's value, and the names that are ignored.

    Args:
        carried: The cloud.conf; None for no file.
        release: The release that reads it.
        consumer: Who reads it.

    Returns:
        By section and key the values, secrets masked; and the names that the release ignores, in their order.
    """
    view = CloudConf.read(carried if carried is not None else _NO_FILE, release, consumer)
    read = view.reading
    found: dict[tuple[str, str], SettingValue] = {}
    for setting in effective(view.document, read, view.schema):
        title = setting.section if setting.subsection is None else f'{setting.section} "{setting.subsection}"'
        value = setting.value
        shown = MASK if setting.spec.secret and value else _cut(mask_value(written(value, setting.spec.type)))
        found[title, setting.key] = SettingValue(value, shown, given=setting.entry is not None)
    if carried is None:
        return found, {}.keys()
    ignored: dict[tuple[str, str], None] = {}
    for item in view.items:
        section = item.section
        title = section.name if section.subsection is None else f'{section.name} "{section.subsection}"'
        if item.spec is None:
            if item.entry.key_start not in read.specs and not view.is_opaque(item.entry.key_span):
                ignored[title, item.entry.key] = None
        elif item.opaque and view.last(item.spec.section, item.spec.name, section.subsection) is item:
            span = item.entry.value_span
            raw = carried.text[span.start : span.end] if span is not None else ""
            known = item.spec.section if section.subsection is None else f'{item.spec.section} "{section.subsection}"'
            hidden = item.spec.secret or is_secret_name(item.spec.name)
            found[known, item.spec.name] = SettingValue(
                raw, MASK if hidden else _cut(mask_value(raw)), given=True, is_open=True
            )
    return found, ignored.keys()


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
