"""Selects the rules that can report something about one text, by their triggers; see `ccmcheck.rules.registry`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ccmcheck.rules.registry import CONDITIONS, ENTRIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.conf.view import CloudConf
    from ccmcheck.rules.registry import Entry

_IN_TREE = "legacy-in-tree"
_WORDS = tuple(
    sorted({word for entry in ENTRIES.values() if not entry.kinds for word in entry.triggers}.difference(CONDITIONS))
)


def conf_rules(names: tuple[str, ...], conf: CloudConf) -> tuple[str, ...]:
    """Those of some rules that one cloud.conf triggers, in their order."""
    return _triggered(names, triggers_in(conf))


def triggers_in(conf: CloudConf) -> tuple[str, ...]:
    """The triggers of the registry that one cloud.conf has: words of its text, then conditions."""
    text = conf.document.text
    folded = text.lower() if text.isascii() else text.casefold()
    carried = conf.carried
    layers = carried.stack.layers
    conditions = (
        bool(conf.reading.stops),
        _has_ignored_name(conf),
        not text.isascii(),
        bool(layers) and layers[-1].kind == "Helm values",
        carried.dialect == "openshift",
        bool(conf.run_context.switches),
        conf.schema.consumer == _IN_TREE or _IN_TREE in carried.consumers,
        carried.carrier == "ConfigMap" or carried.carrier.startswith("Kubeadm"),
        bool(conf.run_context.requirements),
    )
    present = [word for word in _WORDS if word in folded]
    present += [condition for condition, holds in zip(CONDITIONS, conditions, strict=True) if holds]
    return tuple(present)


def service_rules(names: Sequence[str], text: str) -> tuple[str, ...]:
    """Those of some rules that one Service's text triggers, in their order."""
    return tuple([name for name in names if service_triggers(ENTRIES[name], text)])


def service_triggers(entry: Entry, text: str) -> bool:
    """Whether one Service's text triggers a rule; it always does where a word may be escaped or come by an alias."""
    return not entry.triggers or any(word in text for word in entry.triggers) or "\\" in text or "*" in text


@lru_cache(maxsize=64)
def without(names: tuple[str, ...], excluded: frozenset[str]) -> tuple[str, ...]:
    """Some rules without others, in their order."""
    return tuple(name for name in names if name not in excluded)


@lru_cache(maxsize=256)
def _triggered(names: tuple[str, ...], present: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some rules that one of some words and conditions triggers; most files of a run have the same ones."""
    triggers = frozenset(present)
    return tuple(
        name for name in names if not ENTRIES[name].triggers or not triggers.isdisjoint(ENTRIES[name].triggers)
    )


def _has_ignored_name(conf: CloudConf) -> bool:
    """Whether the release ignores a section or a key of the file."""
    by_name = conf.schema.section
    for section in conf.sections:
        spec = by_name(section.name)
        if spec is None or (section.subsection is not None and not spec.is_map):
            return True
    return any(item.spec is None for item in conf.items)
