"""Keys that mean something else under another release: ignored, read, or with another default.

One cloud.conf as one release on the way reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.catalog import Release
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.catalog.data.upgrades import CONCERNS, KEYS, SAME_EFFECT
from ccmcheck.catalog.upgrade_path import release_ranges
from ccmcheck.catalog.written_values import written
from ccmcheck.conf.effective import Setting, effective
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Document
from ccmcheck.predict.inputs.options import options_of
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.inputs.service_conditions import MetCase
from ccmcheck.redact.masker import MASK, mask_value
from ccmcheck.review.upgrade.conditions import applies_to

_LOGIN = (("Global", "auth-url"), ("Global", "cloud"))


class ReleaseStep:
    """What a release makes of a cloud.conf.

    Args:
        carried: The cloud.conf.
        document: Its text, parsed.
        release: The release.

    Attributes:
        release: The release.
        error: What ends the CCM; None where nothing does.
        options: Its settings for load balancers.
        settings: Every key's value, by section with subsection, and key.
    """

    def __init__(self, carried: CarriedConf, document: Document, release: Release) -> None:
        conf = CloudConf.read(carried, release, document=document)
        read = conf.reading
        self.release = release
        self.options = options_of(conf)
        self.settings: dict[tuple[str, str], Setting] = {}
        for setting in effective(document, read, conf.schema):
            title = setting.section if setting.subsection is None else f'{setting.section} "{setting.subsection}"'
            self.settings[title, setting.key] = setting
        stops = [stop for stop in read.stops if not conf.is_opaque(stop.span)]
        error = stops[0].error if stops else None
        if error is None:
            error = next(self._words_that_end(conf), None) or self.options.stop or None
        # an error hidden by use-clouds is never raised
        self.error = None if read.hidden_error is not None else error

    def _words_that_end(self, conf: CloudConf) -> Iterator[str]:
        """Words that gcfg takes, and the CCM ends at later."""
        for (section, key), setting in self.settings.items():
            if setting.entry is None or setting.spec.secret or not isinstance(setting.value, str):
                continue
            known = allowed_values(section, key, self.release)
            words = [word.strip() for word in setting.value.split(",")] if setting.value else []
            if known is None or not known.fatal or not words or (known.most == 1 and setting.value in known.words):
                continue
            if conf.is_opaque(Span(setting.entry.key_start, setting.entry.end)) or (
                known.most > 1 and set(words) <= set(known.words)
            ):
                continue
            yield f"{key} = {setting.value}: only {', '.join(known.words)} will do"

    @property
    def has_login(self) -> bool:
        """Whether the file says where to log in."""
        return any(name in self.settings and self.settings[name].value for name in _LOGIN)


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
        but_not: Later releases on the way that do not differ; may be empty.
        do: What to do; may be empty.
    """

    kind: str
    section: str
    key: str
    before: str
    after: str
    since: str
    line: int
    but_not: str = ""
    do: str = ""


class ChangedKey(NamedTuple):
    """One key under the first and under the last release, where it differs.

    Attributes:
        kind: See `KeyChange`.
        name: Its section with its subsection, and the key.
        before: What it was; None where the first release does not know it.
        after: What it is; None where the last release does not know it.
    """

    kind: str
    name: tuple[str, str]
    before: Setting | None
    after: Setting | None

    @property
    def setting(self) -> Setting:
        """The side that knows the key; what the file sets comes first."""
        sides = [one for one in (self.after, self.before) if one is not None]
        return next((side for side in sides if side.entry is not None), sides[0])


def changed_keys(
    first: ReleaseStep, last: ReleaseStep, case: MetCase, services: Mapping[str, Service]
) -> Iterator[ChangedKey]:
    """Compare every key under two releases.

    Args:
        first: The first release's.
        last: The last release's.
        case: The configuration before and after.
        services: The Services by what to call them; empty when none are known.
    """
    for name in {**first.settings, **last.settings}:
        before, after = first.settings.get(name), last.settings.get(name)
        kind = _kind(before, after)
        unseen = kind == "default" and (
            name in SAME_EFFECT or not applies_to(CONCERNS.get(name, ("always",)), case, services)[0]
        )
        if kind and not unseen:
            yield ChangedKey(kind, name, before, after)


def key_changes(
    carried: CarriedConf, steps: Sequence[ReleaseStep], case: MetCase, services: Mapping[str, Service]
) -> Iterator[KeyChange]:
    """Say what becomes of every key that changes on the way.

    Args:
        carried: The cloud.conf.
        steps: The releases, oldest first.
        case: The configuration before and after.
        services: The Services by what to call them; empty when none are known.
    """
    lines = LineIndex(carried.text)
    on_the_way = [step.release for step in steps]
    for kind, name, before, after in changed_keys(steps[0], steps[-1], case, services):
        section, key = name
        entries = [setting.entry for setting in (after, before) if setting is not None and setting.entry is not None]
        line = lines.position(entries[0].key_start)[0] if entries else 0
        same = [_written(step.settings.get(name)) == _written(before) for step in steps]
        at = same.index(False)
        back = [release for release, is_same in zip(on_the_way[at:], same[at:], strict=True) if is_same]
        yield KeyChange(
            kind,
            section,
            key,
            _written(before),
            _written(after),
            on_the_way[at].name,
            line,
            release_ranges(back, on_the_way),
            _advice(kind, section, key),
        )


def _kind(before: Setting | None, after: Setting | None) -> str:
    """What becomes of a key; empty where nothing does, or nothing that is seen."""
    set_before = before is not None and before.entry is not None
    set_after = after is not None and after.entry is not None
    if set_before and after is None:
        return "vanishes"
    if after is not None and set_after and before is None:
        return "comes to life" if after.value != after.default else ""
    if before is None or after is None or _written(before) == _written(after):
        return ""
    return "value" if set_before or set_after else "default"


def _advice(kind: str, section: str, key: str) -> str:
    plain = section.partition(" ")[0]
    return KEYS.get((kind, plain, key)) or KEYS.get((kind, plain, "")) or KEYS.get((kind, "", "")) or ""


def _written(setting: Setting | None) -> str:
    """A value as cloud.conf writes it; masked where it is a secret."""
    if setting is None:
        return ""
    return MASK if setting.spec.secret and setting.value else mask_value(written(setting.value, setting.spec.type))
