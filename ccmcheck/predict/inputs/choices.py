"""What decides where a Service or its cloud.conf leaves something open, or does more than its name says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ccmcheck.base.data_files import read_paragraphs, records
from ccmcheck.base.suggest import first_of
from ccmcheck.catalog.data import __file__ as data
from ccmcheck.catalog.open_choice import OpenChoice
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.inputs.service_conditions import MetCase, holds

_MOST_CLASSES = 3
_LONGEST = 60
_NAMES = frozenset({"metadata.name", "metadata.namespace"})
_CONFIGURED = ("behaves ", "from ", "key ", "written ", "ovn provider", "amphora provider", "other floating", "serial ")
"""How conditions begin that no Service decides."""


@cache
def _all() -> tuple[OpenChoice, ...]:
    return records(read_paragraphs(data, "choices.txt"), OpenChoice)


def open_choices(each: Sequence[Options]) -> tuple[OpenChoice, ...]:
    """The choices that some configurations leave open, with what is left to ask of a Service in ``when``.

    Args:
        each: The configuration as each of the releases reads it that may be the one, and as each text of a template
            says it: what is not so in all of them is not told.
    """
    cases, nobody, found = [MetCase(options, options) for options in each], Service(""), []
    for choice in _all():
        asked = tuple([one for one in choice.when if not one.removeprefix("not ").startswith(_CONFIGURED)])
        known = [one for one in choice.when if one not in asked]
        if all(holds(one, case, nobody) for one in known for case in cases):
            found.append(_filled(choice, each[0])._replace(when=asked))
    return tuple(found)


def choices_of(
    rows: Sequence[OpenChoice], each: Sequence[Options], service: Service, nodes: int | None = None
) -> Iterator[OpenChoice]:
    """The choices that are made for a Service which gets a load balancer, the most surprising first.

    Args:
        rows: Those that the configurations leave open, of `open_choices`.
        each: The configurations.
        service: The Service; of one with open fields nothing is told.
        nodes: How many nodes there are; None when unknown.
    """
    if not _NAMES.issuperset(service.open):
        return
    cases = [MetCase(options, options, nodes) for options in each]
    for choice in rows:
        if all(holds(condition, case, service) for condition in choice.when for case in cases):
            yield choice


def _filled(choice: OpenChoice, options: Options) -> OpenChoice:
    if "{" not in choice.says + choice.change:
        return choice
    names = [f'"{_whole(name)}"' for name, one in options.classes.items() if one.floating_network_id]
    values = {name: _whole(str(value)) for name, value in options._asdict().items()}
    values["classes"] = f"class {first_of(names, _MOST_CLASSES)}"
    return choice._replace(says=choice.says.format_map(values), change=choice.change.format_map(values))


def _whole(value: str) -> str:
    """A value, or a sign in place of a long one: a part of what is a secret elsewhere would not be masked."""
    return value if len(value) <= _LONGEST else "…"
