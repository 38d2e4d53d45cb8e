"""What a reader gets out of a file, and the effective configuration: as data that may be shown.

Template marks stay as they are written: a value with one is unknown until something renders it, so it can neither be
typed nor be wrong, and its line is left out of what the reader judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog, gcfg
from ccmcheck.base import text
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers import find
from ccmcheck.carriers.base import Bundle
from ccmcheck.conf import reading
from ccmcheck.conf.effective import effective, written
from ccmcheck.conf.view import CloudConf
from ccmcheck.layers.stack import Stack
from ccmcheck.redact.masker import MASK, is_secret_name, mask_text
from ccmcheck.redact.report import redact_report

if TYPE_CHECKING:
    from ccmcheck.base.result import Failure
    from ccmcheck.carriers import FindOptions
    from ccmcheck.carriers.base import Carried
    from ccmcheck.conf.target_release import TargetRelease


class Readout(NamedTuple):
    """One cloud.conf as one reader reads it; every secret is masked.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        reader: ``ccm@1.31``.
        outcome: ``ok`` or ``fatal``.
        error: The reader's own words when fatal.
        values: By section and key.
        ignored: The names that go nowhere.
        note: What this reader does beyond gcfg: it takes ignored names for errors, or hides its own; may be empty.
    """

    source: str
    carrier: str
    reader: str
    outcome: str
    error: str | None
    values: dict[str, dict[str, object]]
    ignored: list[dict[str, str]]
    note: str = ""


class Row(NamedTuple):
    """One key of the effective configuration; a secret value is masked.

    Attributes:
        section: ``LoadBalancer``, ``LoadBalancerClass "gold"``.
        key: As the catalogue writes it.
        value: As cloud.conf would write it.
        default: The same for the default.
        origin: ``line 12`` of the cloud.conf, or ``default``.
        since: The first release that knows the key.
        until: The last one; empty while it lives.
    """

    section: str
    key: str
    value: str
    default: str
    origin: str
    since: str
    until: str


class Shown(NamedTuple):
    """The effective configuration of one cloud.conf at one release.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        reader: ``ccm@1.31``.
        error: What stops the reader; the rows are what would hold without the lines that it cannot read.
        rows: In the order of the catalogue.
    """

    source: str
    carrier: str
    reader: str
    error: str | None
    rows: tuple[Row, ...]


def confs(path: str, data: bytes, options: FindOptions) -> tuple[list[Carried], list[Failure]]:
    """The cloud.confs of a file, and what of it could not be read."""
    contents = find(path, text.decode(data).text, options._replace(explicit=True))
    return contents.carried, contents.broken


def read_out(path: str, carried: Carried, judged: TargetRelease) -> Readout:
    """Read one cloud.conf.

    Args:
        path: The file.
        carried: The cloud.conf.
        judged: Who reads it, at which release.
    """
    conf, hidden = _conf(carried, judged)
    found = conf.reading
    values = {
        section: {key: _value(key, value) for key, value in stored.items()} for section, stored in found.values.items()
    }
    for section, key, raw in hidden if not found.stops else ():
        values.setdefault(section, {})[key] = MASK if is_secret_name(key) else mask_text(raw)
    told = Readout(
        path,
        carried.route or carried.carrier,
        f"{judged.consumer}@{judged.release.name}",
        found.outcome,
        found.error,
        values,
        found.ignored,
        _note(found),
    )
    return redact_report(told, (carried.text,))


def _note(found: reading.Reading) -> str:
    """What becomes of ignored names, or of the error, in this reader's process."""
    if found.refusal is not None:
        return f"this reader takes ignored names for errors and ends with: {' '.join(found.refusal.split())}"
    if found.hidden_error is not None:
        return (
            "use-clouds hides this error: the process goes on with what was read before it, if it finds a clouds.yaml"
        )
    return ""


def show(path: str, carried: Carried, judged: TargetRelease) -> Shown:
    """The effective configuration of one cloud.conf; the arguments are those of `read_out`."""
    conf, hidden = _conf(carried, judged)
    raw_values = {(section, key): raw for section, key, raw in hidden}
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
            Row(
                title,
                setting.key,
                mask_text(value),
                default,
                origin,
                (known.first_tag or known.since) if known is not None else "",
                known.until if known is not None else "",
            )
        )
    reader = f"{judged.consumer}@{judged.release.name}"
    return redact_report(
        Shown(path, carried.route or carried.carrier, reader, conf.reading.error, tuple(rows)), (carried.text,)
    )


def _conf(carried: Carried, judged: TargetRelease) -> tuple[CloudConf, list[tuple[str, str, str]]]:
    """The view of a cloud.conf without the entries that a mark fills, and those as section, key and raw text."""
    schema = catalog.schema(judged.release, judged.consumer)
    inner = carried.stack.inner
    hidden: list[tuple[str, str, str]] = []
    document = gcfg.parse(inner)
    if carried.marks:
        view = CloudConf(carried, document, reading.read(document, schema), schema, judged.release, Bundle())
        for item in view.items:
            if item.opaque:
                entry = item.entry
                span = entry.value_span
                name = item.section.name
                title = name if item.section.subsection is None else f'{name} "{item.section.subsection}"'
                raw = carried.text[span.start : span.end] if span is not None else ""
                if item.spec is not None:
                    hidden.append((title, item.spec.name, raw))
                inner = inner[: entry.key_start] + " " * (entry.end - entry.key_start) + inner[entry.end :]
        document = gcfg.parse(inner)
        carried = carried._replace(stack=Stack(inner))
    return CloudConf(carried, document, reading.read(document, schema), schema, judged.release, Bundle()), hidden


def _value(key: str, value: object) -> object:
    if is_secret_name(key) and value != "":
        return MASK
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, list):
        return [_value(key, element) for element in value]
    return value
