"""ccmcheck's own reading, in the same words as the real reader's answers."""

from __future__ import annotations

from functools import lru_cache

from ccmcheck import catalog, reading
from ccmcheck.effective import Setting, effective
from ccmcheck.gcfg import Document, parse
from reader_oracle import Answer, Key, Value
from reader_releases import CCM, Buildable

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
        values[setting.section, setting.subsection, setting.key] = _value(setting, consumer)
    maps = {spec.name for spec in schema.sections if spec.is_map}
    subsections = {
        (spec.name, section.subsection or "")
        for section in document.sections
        if (spec := schema.section(section.name)) is not None and spec.name in maps
    }
    ignored = {(name["section"], name.get("subsection"), name.get("key")) for name in found.ignored}
    return Answer("ok", "", values, frozenset(subsections), frozenset(ignored), elsewhere)


def _value(setting: Setting, consumer: str) -> Value:
    value = setting.value
    if setting.origin == "default":
        value = _LATER_DEFAULTS.get((consumer, setting.key), value)
    if setting.spec.type == "duration" and isinstance(value, int):
        return {"ns": value}
    if isinstance(value, str | int):
        return value
    if isinstance(value, list):
        return [str(item) for item in value]
    raise TypeError(f"no notation for {setting.key}: {type(value).__name__}")
