"""What a reader gets out of a cloud.conf, as data that may be shown.

Template marks stay as they are written: a value with one is unknown until something renders it, so it can neither be
typed nor be wrong, and its line is left out of what the reader judges.
"""

from __future__ import annotations

from ccmcheck.base import text
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.carriers import FindOptions, find
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.conf.reading import Reading
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.conf.view import CloudConf
from ccmcheck.layers.stack import Stack
from ccmcheck.redact.masker import MASK, Masker, is_secret_name, mask_value
from ccmcheck.redact.report import redact_report

UNKNOWN = "unknown"
"""The outcome that depends on a file that is not known."""


class ReadReport(NamedTuple):
    """One cloud.conf as one reader reads it; every secret is masked.

    Attributes:
        source: The file.
        carrier: The route to the text; ``file`` for a plain file.
        reader: ``ccm@1.31``.
        outcome: ``ok`` or ``fatal``; ``unknown`` where the reader hides its error behind that of a clouds.yaml.
        error: The reader's own words unless ok.
        values: By section and key.
        ignored: The names that the reader ignores.
        note: What this reader does beyond gcfg: it takes ignored names for errors, hides its own, or also needs a
            clouds.yaml; may be empty.
    """

    source: str
    carrier: str
    reader: str
    outcome: str
    error: str | None
    values: dict[str, dict[str, object]]
    ignored: list[dict[str, str]]
    note: str = ""


def cloud_confs(path: str, data: bytes, options: FindOptions) -> tuple[list[CarriedConf], list[Failure]]:
    """The cloud.confs of a file, and the parts of it that could not be read."""
    contents = find(path, text.decode(data).text, options._replace(explicit=True))
    return contents.carried, contents.broken


def read_report(path: str, carried: CarriedConf, judged: TargetRelease) -> ReadReport:
    """Read one cloud.conf, and say what the reader stores and what it ignores.

    Args:
        path: The file.
        carried: The cloud.conf.
        judged: Who reads it, at which release.
    """
    conf, templated = without_marks(carried, judged)
    found = conf.reading
    masker = Masker(carried.text)
    values = {
        masker.scrub(mask_value(section)): {key: _value(key, value) for key, value in stored.items()}
        for section, stored in found.values.items()
    }
    for section, key, raw in templated if not found.stops else ():
        values.setdefault(section, {})[key] = MASK if is_secret_name(key) else mask_value(raw)
    report = ReadReport(
        path,
        carried.route or carried.carrier,
        f"{judged.consumer}@{judged.release.name}",
        found.outcome if found.hidden_error is None else UNKNOWN,
        found.error,
        values,
        [{part: masker.name(name) for part, name in one.items()} for one in found.ignored],
        _note(found),
    )
    return redact_report(report, (carried.text,))


def _note(reading: Reading) -> str:
    """What this reader does with ignored names, or with the error."""
    if reading.refusal is not None:
        return f"this reader takes ignored names for errors and ends with: {' '.join(reading.refusal.split())}"
    if reading.hidden_error is not None:
        return (
            "use-clouds hides this error, so the outcome depends on the clouds.yaml, which is not known here: with one "
            "the process goes on with what was read before the error, without one it ends"
        )
    if reading.needs_clouds_yaml:
        return "with use-clouds the outcome also depends on the clouds.yaml, which is not known here"
    return ""


def without_marks(carried: CarriedConf, judged: TargetRelease) -> tuple[CloudConf, list[tuple[str, str, str]]]:
    """Read a cloud.conf without the entries whose value a template mark decides.

    Args:
        carried: The cloud.conf.
        judged: Who reads it, at which release.

    Returns:
        The view of what is left, and the entries left out as section, key and raw text.
    """
    templated: list[tuple[str, str, str]] = []
    conf = CloudConf.read(carried, judged.release, judged.consumer)
    if not carried.marks:
        return conf, templated
    inner = carried.stack.inner
    for item in conf.items:
        if item.opaque:
            entry = item.entry
            span = entry.value_span
            name = item.section.name
            title = name if item.section.subsection is None else f'{name} "{item.section.subsection}"'
            raw = _written(carried, span) if span is not None else ""
            if item.spec is not None:
                templated.append((title, item.spec.name, raw))
            inner = inner[: entry.key_start] + " " * (entry.end - entry.key_start) + inner[entry.end :]
    rest = carried._replace(stack=Stack(inner))
    return CloudConf.read(rest, judged.release, judged.consumer), templated


def _written(carried: CarriedConf, value: Span) -> str:
    """A value with the marks that touch it: ``{% if a %}true{% else %}false{% endif %}``."""
    low, high = value
    for mark in carried.marks:
        high = mark.end if mark.start == high else high
    for mark in reversed(carried.marks):
        low = mark.start if mark.end == low else low
    return carried.text[low:high]


def _value(key: str, value: object) -> object:
    if is_secret_name(key) and value != "":
        return MASK
    if isinstance(value, str):
        return mask_value(value)
    if isinstance(value, list):
        return [_value(key, element) for element in value]
    return value
