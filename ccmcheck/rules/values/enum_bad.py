"""An invalid value of an enumerated key."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.catalog.allowed_values import AllowedValues, allowed_values
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling, unreadable
from ccmcheck.rules.views.drivers import driver_of

CLAIMS = ("bad-word",)
"""The kinds of reader errors that this rule reports, and no other."""


_MATTERS = {
    "lb-method": "Octavia rejects it, so no Service gets a load balancer.",
    "container-store": "The CCM logs a warning and does not check that a TLS reference exists.",
    "search-order": unreadable.STOPS,
    "os-endpoint-type": "The CCM cannot create clients for the OpenStack services: no load balancers and no node addresses.",
}
_LONGEST_WORD = 40
_KEYS = (
    ("LoadBalancer", "lb-method"),
    ("LoadBalancer", "container-store"),
    ("Global", "os-endpoint-type"),
    ("Metadata", "search-order"),
)


def check(conf: CloudConf) -> Problems:
    """Report the values that stop the reader, then those that fail later."""
    for unread in unreadable.values(conf, *CLAIMS):
        known = allowed_values(unread.spec.section, unread.spec.name, conf.release)
        corrected = _meant(unread.text, known.words) if known is not None else None
        yield unreadable.problem(conf, unread, "more than one word", _one_of(known), corrected)
    for section, key in _KEYS:
        item = conf.last(section, key)
        if item is None:
            continue
        value = conf.typed(item)
        if isinstance(value, str):
            yield from _judge(conf, item, section, key, value)


def _judge(conf: CloudConf, item: Item, section: str, key: str, value: str) -> Problems:
    known = allowed_values(section, key, conf.release)
    if known is None or value in known.words:
        return
    words = [word.strip() for word in value.split(",")] if known.most > 1 else [value]
    if (len(words) <= known.most and all(word in known.words for word in words)) or (
        not value and item.spec is not None and (item.spec.default_source == "empty" or not item.spec.default)
    ):
        return
    if spelling.is_reported_as_misspelt(value):
        return
    provider = conf.value(section, "lb-provider") if key == "lb-method" else None
    if isinstance(provider, str) and driver_of(provider).is_special:
        return  # reported by ovn-lb-method
    meant = [word for word in dict.fromkeys(_meant(word, known.words) for word in words) if word is not None]
    corrected = ",".join(meant[: known.most])
    matters = unreadable.STOPS if known.fatal else _MATTERS[key]
    label = f"not a valid value of `{key}`"
    wrong = next((word for word in words if word not in known.words), "")
    if len(words) > 1 and 0 < len(wrong) <= _LONGEST_WORD:
        label = f"`{wrong}` is {label}"
    if not value:
        label, corrected = "an empty value is not valid; it does not mean the default", ""
    elif len(words) > known.most and set(words) <= set(known.words):
        label = f"more than {known.most} elements"
    elif corrected and corrected.casefold() == value.casefold():
        label = "values are case-sensitive"
    yield Problem(
        item.span,
        label,
        matters,
        f"Write `{corrected}`." if corrected else _one_of(known),
        fixes.safe(conf, f"write `{corrected}`", fixes.write_value(conf, item.entry, corrected)) if corrected else None,
        severity=Severity.WARNING if key == "container-store" else None,
    )


def _meant(word: str, words: tuple[str, ...]) -> str | None:
    bare = fold_name("".join(word.split()))
    for known in words:
        folded = fold_name(known)
        if bare in (folded, folded + "url"):
            return known
    return nearest_name(word, words, max_distance=0)


def _one_of(known: AllowedValues | None) -> str:
    if known is None:
        return "Write one word."
    listed = [f"`{word}`" for word in known.words]
    return f"Write {' or '.join((', '.join(listed[:-1]), listed[-1])) if len(listed) > 1 else listed[0]}."
