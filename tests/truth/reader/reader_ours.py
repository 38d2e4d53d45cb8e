"""ccmcheck's own reading, in the same words as the real reader's answers, and how the two differ."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from reader_oracle import Answer, Key, Value
from reader_releases import CCM, Buildable

from ccmcheck import catalog
from ccmcheck.conf import reading
from ccmcheck.conf.effective import Setting, effective
from ccmcheck.gcfg import Document, parse
from ccmcheck.gcfg.errors import quote

HALF_READ = "half-read"
"""The outcome of a file with an error that the program never sees: it goes on with what it read before."""

_REFUSED: tuple[dict[Key, Value], frozenset[tuple[str, str]], frozenset[tuple[str, str | None, str | None]]]
_REFUSED = ({}, frozenset(), frozenset())

# Defaults that the programs put in after the function that is compared here: NewOpenStack and CreateOpenStackProvider of
# cloud-provider-openstack. Their struct still holds nothing when it is looked at.
_LATER_DEFAULTS = {
    ("ccm", "request-timeout"): 0,
    ("cinder-csi-plugin", "request-timeout"): 0,
    ("legacy-in-tree", "request-timeout"): 0,
    ("cinder-csi-plugin", "search-order"): "",
}


@lru_cache(maxsize=1 << 16)
def _document(data: bytes) -> Document:
    return parse(data.decode("utf-8", "surrogateescape"))


def read(data: bytes, consumer: str, release: Buildable, *, elsewhere: bool) -> Answer:
    """Read a file as ccmcheck does.

    Args:
        data: The file.
        consumer: Who reads it.
        release: In which release.
        elsewhere: Whether the real reader's step after the cloud.conf was left out, see `Answer`.
    """
    document = _document(data)
    schema = catalog.schema(catalog.release(release.release, consumer), consumer)
    found = reading.read(document, schema)
    error = found.error
    if error is None and not (elsewhere and consumer == CCM):
        error = found.refusal  # of the CCM's function, which was not called where elsewhere is true
    if error is not None:
        outcome = "fatal" if elsewhere or found.hidden_error is None else HALF_READ
        return Answer(outcome, error, *_REFUSED, elsewhere)
    values: dict[Key, Value] = {}
    for setting in effective(document, found, schema):
        values[setting.section, setting.subsection, setting.key] = _value(setting, consumer, found)
    maps = {spec.name for spec in schema.sections if spec.is_map}
    subsections = {
        (spec.name, section.subsection or "")
        for section in document.sections
        if (spec := schema.section(section.name)) is not None and spec.name in maps
    }
    ignored = {(name["section"], name.get("subsection"), name.get("key")) for name in found.ignored}
    return Answer("ok", "", values, frozenset(subsections), frozenset(ignored), elsewhere)


def differences(data: bytes, consumer: str, release: Buildable, real: Answer) -> Iterator[str]:
    """Yield a line for each thing that ccmcheck reads differently.

    Args:
        data: The input.
        consumer: Who reads it.
        release: In which release.
        real: The real reader's answer.
    """
    ours = read(data, consumer, release, elsewhere=real.elsewhere)
    if ours.outcome == HALF_READ and real.outcome == "ok":
        return  # ccmcheck shows such a file as if the error was fixed; where the program stopped is not recorded there
    if ours.outcome != real.outcome:
        yield f"outcome: real {real.outcome} ({real.error!r}), ours {ours.outcome} ({ours.error!r})"
        return
    if ours.error != real.error:
        yield f"error: real {real.error!r}, ours {ours.error!r}"
    if real.outcome != "ok":
        return
    if ours.subsections != real.subsections:
        yield f"subsections: real {sorted(real.subsections)}, ours {sorted(ours.subsections)}"
    for key in sorted({*real.values, *ours.values}, key=repr):
        theirs, mine = real.values.get(key, "no such key"), ours.values.get(key, "no such key")
        if theirs != mine or type(theirs) is not type(mine):
            yield f"value of {key}: real {theirs!r}, ours {mine!r}"
    if ours.ignored != real.ignored:
        yield f"ignored: only real {sorted(map(repr, real.ignored - ours.ignored))}, only ours {sorted(map(repr, ours.ignored - real.ignored))}"


def _value(setting: Setting, consumer: str, found: reading.Reading) -> Value:
    """The value in the oracle's notation, after a look whether the two places that tell values tell the same."""
    value = setting.value
    if setting.origin == "default":
        value = _LATER_DEFAULTS.get((consumer, setting.key), value)
    else:
        title = setting.section if setting.subsection is None else f"{setting.section} {quote(setting.subsection)}"
        read_value = found.values[title][setting.key]
        as_read = read_value["ns"] if isinstance(read_value, dict) else read_value
        if as_read != value:
            raise ValueError(f"{title}, {setting.key}: read as {as_read!r}, effective as {value!r}")
    if setting.spec.type == "duration" and isinstance(value, int):
        return {"ns": value}
    if isinstance(value, str | int):
        return value
    if isinstance(value, list):
        return [str(item) for item in value]
    raise TypeError(f"no notation for {setting.key}: {type(value).__name__}")
