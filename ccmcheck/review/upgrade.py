"""What a cloud.conf means after an upgrade of the CCM: keys, defaults, and the findings that come and go with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog, gcfg, reading
from ccmcheck.carriers.base import Bundle
from ccmcheck.catalog.data.releases import BRANCHES
from ccmcheck.effective import effective
from ccmcheck.gcfg.values import format_duration
from ccmcheck.patterns import lazily
from ccmcheck.records import NamedTuple
from ccmcheck.redact import MASK, Masker, mask_text
from ccmcheck.text import LineIndex
from ccmcheck.views import CloudConf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers.base import Carried
    from ccmcheck.catalog import Release
    from ccmcheck.effective import Setting
    from ccmcheck.engine import Linter
    from ccmcheck.model import Finding


ABOUT_LATER_RELEASES = frozenset({"key-too-new", "upgrade-turns-fatal"})
"""Rules about what a later release does; on the way to it the keys themselves are told."""
_RELEASE = lazily(r"CCM [\w.-]+")


class KeyChange(NamedTuple):
    """One key that means something else after the upgrade.

    Attributes:
        kind: ``vanishes``, ``comes to life``, ``default`` or ``value``.
        section: ``LoadBalancer``, ``LoadBalancerClass "gold"``.
        key: As the catalogue writes it.
        before: The value used before; empty where the key was ignored. A secret is masked.
        after: The value used after; empty where the key is ignored.
        since: The first release on the way that differs.
        line: The key's line in the cloud.conf; 0 for a key that the file does not set.
    """

    kind: str
    section: str
    key: str
    before: str
    after: str
    since: str
    line: int


class Upgrade(NamedTuple):
    """What one cloud.conf means before and after.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        error_before: What stops the CCM of the old release; None where nothing does.
        error_after: The same for the new one.
        fatal_since: The first release on the way that the CCM stops in, where it did not before.
        keys: What changes, key by key.
        appear: Findings of the new release that the old one has not.
        gone: Findings of the old release that the new one has not.
    """

    source: str
    carrier: str
    error_before: str | None
    error_after: str | None
    fatal_since: str
    keys: tuple[KeyChange, ...]
    appear: tuple[Finding, ...]
    gone: tuple[Finding, ...]

    @property
    def is_quiet(self) -> bool:
        """Whether the upgrade changes nothing for this file."""
        return not (self.keys or self.appear or self.gone) and self.error_before == self.error_after


def way(old: Release, new: Release) -> tuple[Release, ...]:
    """The releases on the way, oldest first: both ends, and the branches between.

    Args:
        old: Where the way starts.
        new: Where it ends.
    """
    between = [catalog.release(name) for name in BRANCHES]
    return (old, *(one for one in between if old < one < new), new)


def upgrade(path: str, carried: Carried, old: Release, new: Release, linters: tuple[Linter, Linter]) -> Upgrade:
    """Compare one cloud.conf under two releases.

    Args:
        path: The file.
        carried: The cloud.conf.
        old: The release before.
        new: The release after.
        linters: One that judges by the old release, and one by the new.
    """
    document = gcfg.parse(carried.stack.inner)
    masker = Masker(carried.text)
    steps = [_Step(carried, document, release) for release in way(old, new)]
    first, last = steps[0], steps[-1]
    found = [{_known_by(finding): finding for finding in _findings(linter, path, carried)} for linter in linters]
    fatal_since = ""
    if last.error and not first.error:
        fatal_since = next(step.release.name for step in steps if step.error)
    return Upgrade(
        path,
        masker.scrub(carried.route) or carried.carrier,
        masker.scrub(first.error) if first.error is not None else None,
        masker.scrub(last.error) if last.error is not None else None,
        fatal_since,
        tuple(_keys(carried, steps)),
        tuple(finding for name, finding in found[1].items() if name not in found[0]),
        tuple(
            finding
            for name, finding in found[0].items()
            if name not in found[1] and finding.rule not in ABOUT_LATER_RELEASES
        ),
    )


class _Step:
    """One release on the way."""

    def __init__(self, carried: Carried, document: gcfg.Document, release: Release) -> None:
        schema = catalog.schema(release)
        read = reading.read(document, schema)
        self.release = release
        conf = CloudConf(carried, document, read, schema, release, Bundle())
        stops = [stop for stop in read.stops if not conf.is_opaque(stop.span)]
        self.error = stops[0].error if stops else None
        self.settings: dict[tuple[str, str], Setting] = {}
        for setting in effective(document, read, schema):
            title = setting.section if setting.subsection is None else f'{setting.section} "{setting.subsection}"'
            self.settings[title, setting.key] = setting


def _keys(carried: Carried, steps: Sequence[_Step]) -> Iterator[KeyChange]:
    first, last = steps[0].settings, steps[-1].settings
    lines = LineIndex(carried.text)
    for name in {**first, **last}:
        before, after = first.get(name), last.get(name)
        set_before = before is not None and before.entry is not None
        set_after = after is not None and after.entry is not None
        if set_before and after is None:
            kind = "vanishes"
        elif set_after and before is None:
            kind = "comes to life"
        elif before is None or after is None:
            continue  # a key that the file does not set, and that one of the releases does not know
        elif _written(before) == _written(after):
            continue
        else:
            kind = "value" if set_before or set_after else "default"
        section, key = name
        entries = [one.entry for one in (after, before) if one is not None and one.entry is not None]
        since = next(
            (step.release.name for step in steps[1:] if _differs(before, step.settings.get(name))),
            steps[-1].release.name,
        )
        line = lines.position(entries[0].key_start)[0] if entries else 0
        yield KeyChange(kind, section, key, _written(before), _written(after), since, line)


def _differs(before: Setting | None, now: Setting | None) -> bool:
    if before is None or now is None:
        return (before is None) != (now is None)
    return before.value != now.value


def _written(setting: Setting | None) -> str:
    """A value as cloud.conf writes it; masked where it is a secret."""
    if setting is None:
        return ""
    value = setting.value
    if setting.spec.secret and value:
        return MASK
    if setting.spec.type == "duration" and isinstance(value, int):
        return format_duration(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return mask_text("" if value is None else str(value))


def _findings(linter: Linter, path: str, carried: Carried) -> list[Finding]:
    examined = linter.examine(path, carried.stack.text, explicit=True)
    number = next((at for at, one in enumerate(examined.carried) if one.route == carried.route), 0)
    return [complaint.finding for complaint in examined.complaints if complaint.number == number]


def _known_by(finding: Finding) -> tuple[str, int, int, str]:
    """What a finding is known by under another release; the release's own name in it does not count."""
    label = _RELEASE.sub("CCM", finding.label)
    return (finding.rule, finding.place.inner_line, finding.place.inner_column, label)
