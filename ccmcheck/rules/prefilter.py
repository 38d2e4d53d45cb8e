"""Selects the rules that can report something about one text, by their triggers; see `ccmcheck.rules.registry`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog import Release, Schema, fold
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules.registry import CONDITIONS, ENTRIES, RUN_CONDITIONS, Entry, behaviour_of

_IN_TREE = "legacy-in-tree"
_SECTION = "LoadBalancer"
_TRIGGERS = {trigger for entry in ENTRIES.values() if not entry.kinds for trigger in entry.triggers}
_BEHAVIOURS = tuple(sorted(trigger for trigger in _TRIGGERS if behaviour_of(trigger)))
_WORDS = tuple(sorted(_TRIGGERS.difference(CONDITIONS, RUN_CONDITIONS, _BEHAVIOURS)))


def conf_rules(names: tuple[str, ...], conf: CloudConf) -> tuple[str, ...]:
    """Those of some rules that one cloud.conf triggers, in their order."""
    return _triggered(names, triggers_in(conf))


def triggers_in(conf: CloudConf) -> tuple[str, ...]:
    """The triggers of the registry that one cloud.conf has: words of its text or its values, then conditions."""
    text = conf.document.text
    is_ascii = text.isascii()
    if '"' in text or "\\" in text:  # which may split a word
        text = "\n".join((text, *[item[1].value or "" for item in conf.items]))
    folded = text.lower() if is_ascii else text.casefold()
    carried = conf.carried
    monitor = conf.last(_SECTION, "create-monitor")
    layers = carried.stack.layers
    conditions = (
        bool(conf.reading.stops),
        conf.reading.ignores_names or conf.reading.document is not conf.document,
        not is_ascii,
        bool(layers) and layers[-1].kind == "Helm values",
        carried.dialect == "openshift",
        bool(conf.run_context.switches),
        conf.schema.consumer == _IN_TREE or _IN_TREE in carried.consumers,
        carried.carrier == "ConfigMap" or carried.carrier.startswith("Kubeadm"),
        bool(carried.marks),
        None in [item[1].value for item in conf.items],
        _has_repeated_name(conf),
        monitor is None,
        monitor is None or conf.typed(monitor) is not True,
        not _has_timers(conf.schema),
    )
    present = [word for word in _WORDS if word in folded]
    present += [condition for condition, holds in zip(CONDITIONS, conditions, strict=True) if holds]
    return (*present, *_behaviours(conf.release), *run_conditions(conf.run_context))


def object_rules(names: Sequence[str], text: str, run_context: RunContext) -> tuple[str, ...]:
    """Those of some rules that one object triggers, in their order.

    Args:
        names: Rules about its kind.
        text: The object as it is written.
        run_context: The rest of the run.
    """
    present = run_conditions(run_context)
    return tuple(
        [name for name in names if not (entry := ENTRIES[name]).triggers or object_triggers(entry, text, present)]
    )


def object_triggers(entry: Entry, text: str, present: Sequence[str] = ()) -> bool:
    """Whether one object triggers a rule.

    Args:
        entry: The rule's line.
        text: The object as it is written. Where a word in it may be escaped or come by an alias, it has every word.
        present: The conditions that hold for the run.
    """
    if not entry.triggers or any(one in present if one[0] == "\0" else one in text for one in entry.triggers):
        return True
    return ("\\" in text or "*" in text) and any(one[0] != "\0" for one in entry.triggers)


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


def _has_repeated_name(conf: CloudConf) -> bool:
    """Whether a known key or a section comes more than once; names are compared as the reader folds them."""
    sections = conf.sections
    return bool(conf.repeated) or len({(fold(section.name), section.subsection) for section in sections}) != len(
        sections
    )


@cache
def _has_timers(schema: Schema) -> bool:
    """Whether a release has defaults for the timers of health monitors."""
    section = schema.section(_SECTION)
    spec = section.key("monitor-delay") if section is not None else None
    return spec is not None and bool(spec.default_value)


@cache
def _behaviours(release: Release) -> tuple[str, ...]:
    """The triggers about behaviours that a release has."""
    return tuple(trigger for trigger in _BEHAVIOURS if behaves(behaviour_of(trigger), release))


def run_conditions(run_context: RunContext) -> tuple[str, ...]:
    """The conditions that hold for a run."""
    holds = (
        bool(run_context.requirements),
        run_context.live is not None,
        bool(run_context.pods or run_context.drivers),
        bool(run_context.resource_sets),
    )
    return tuple([one for one, held in zip(RUN_CONDITIONS, holds, strict=True) if held])
