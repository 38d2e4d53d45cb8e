"""The effective configuration as data that may be shown: every key with its value, its default and its origin.

Template marks stay as they are written, as in `ccmcheck.conf.read_report`.
"""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.catalog.written_values import written
from ccmcheck.conf.effective import effective
from ccmcheck.conf.read_report import without_marks
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.redact.masker import MASK, mask_value
from ccmcheck.redact.report import redact_report


class EffectiveValue(NamedTuple):
    """One key of the effective configuration; a secret value is masked.

    Attributes:
        section: ``LoadBalancer``, ``LoadBalancerClass "gold"``.
        key: As the catalogue writes it.
        value: As cloud.conf would write it.
        default: The same for the default.
        origin: ``line 12`` of the cloud.conf, or ``default``.
        since: The first release that knows the key.
        until: The last one; empty where the newest release knows it.
    """

    section: str
    key: str
    value: str
    default: str
    origin: str
    since: str
    until: str


class EffectiveReport(NamedTuple):
    """The effective configuration of one cloud.conf at one release.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        reader: ``ccm@1.31``.
        error: What stops the reader; the rows show the values without the lines that it cannot read.
        rows: In the order of the catalogue.
    """

    source: str
    carrier: str
    reader: str
    error: str | None
    rows: tuple[EffectiveValue, ...]


def effective_report(path: str, carried: CarriedConf, judged: TargetRelease) -> EffectiveReport:
    """The effective configuration of a cloud.conf; the arguments are those of `conf.read_report.read_report`."""
    conf, templated = without_marks(carried, judged)
    raw_values = {(section, key): raw for section, key, raw in templated}
    lines = LineIndex(carried.text)
    rows = []
    for setting in effective(conf.document, conf.reading, conf.schema):
        history = catalog.history(setting.section, setting.key)
        known = history.consumers.get(judged.consumer) if history is not None else None
        title = setting.section if setting.subsection is None else f'{setting.section} "{setting.subsection}"'
        default = written(setting.default, setting.spec.type)
        raw = raw_values.get((title, setting.key))
        if raw is not None:
            value, origin = raw, "template"
        else:
            value = written(setting.value, setting.spec.type)
            origin = f"line {lines.position(setting.entry.key_start)[0]}" if setting.entry is not None else "default"
        if setting.spec.secret and value:
            value = MASK
        rows.append(
            EffectiveValue(
                mask_value(title),
                setting.key,
                mask_value(value),
                default,
                origin,
                (known.lifetime.first_tag or known.lifetime.since) if known is not None else "",
                known.lifetime.until if known is not None else "",
            )
        )
    reader = f"{judged.consumer}@{judged.release.name}"
    report = EffectiveReport(path, carried.route or carried.carrier, reader, conf.reading.error, tuple(rows))
    return redact_report(report, (carried.text,))
