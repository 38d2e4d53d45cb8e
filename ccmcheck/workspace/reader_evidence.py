"""Who reads a cloud.conf as a fact: what says so, and what was not heeded and why.

Nothing of this is asked for by an ordinary run, which needs the reader alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ccmcheck.base.facts import Fact, FactPlace
from ccmcheck.carriers.base import IN_TREE, CarriedConf
from ccmcheck.carriers.collector import FileReaders
from ccmcheck.carriers.mounted import mounting
from ccmcheck.catalog.signs.readers import NAMED, reader_by_object
from ccmcheck.catalog.signs.texts import UNKNOWN, TextSign, Weighed
from ccmcheck.conf.target_release import CCM
from ccmcheck.workspace.release_evidence import MOST_REJECTED, Evidence, Rejected
from ccmcheck.workspace.survey import Survey


def reader_evidence(survey: Survey, path: str, carried: CarriedConf) -> Evidence:
    """Who reads a cloud.conf.

    Args:
        survey: Knows the other files, and what is around them.
        path: The file, as the user named it.
        carried: The cloud.conf.
    """
    is_told_around = path in survey.told_around
    if carried.consumers and not is_told_around:
        return _of_own_file(path, carried)
    pod = mounting(carried, survey.workloads)
    if pod is not None:
        return Evidence(Fact.known(CCM, FactPlace(pod.path, sign=f"{pod.subject} mounts it")))
    started = {} if carried.subject else survey.releases.starting_around(path)
    places = {
        reader: [FactPlace(file, sign=answer.sign) for file, answer in started.items() if answer.value == reader]
        for reader in (CCM, IN_TREE)
    }
    if is_told_around:
        version = carried.kubernetes
        because = places[IN_TREE] or ([FactPlace(version.path, version.line, _old(version.name))] if version else [])
        return Evidence(Fact.known(carried.consumers[0], *because))
    why = "a CCM is started as near" if places[CCM] else "no version of Kubernetes near it has this provider"
    rejected = tuple(Rejected(place, why) for place in places[IN_TREE][:MOST_REJECTED])
    if places[CCM]:
        return Evidence(Fact.known(CCM, *places[CCM][:1]), rejected)
    own = _of_text(carried.stack.text, path)
    if own.value == CCM and own.signs[0].weight >= NAMED:
        return Evidence(Fact.known(CCM, *_places(path, own.signs)), (*rejected, *_lighter(path, own)))
    return Evidence(Fact.assumed(CCM, "nothing names another program that reads it"), rejected)


@lru_cache(maxsize=1)  # a file may hold many
def _of_text(text: str, path: str) -> Weighed:
    return FileReaders(text, path).of_file


def _of_own_file(path: str, carried: CarriedConf) -> Evidence:
    """What its file tells of who reads a cloud.conf: each sign once, the heaviest first, and those that are lighter."""
    kind, _, name = carried.subject.partition(" ")
    namespace, _, name = name.rpartition("/")
    weighed = UNKNOWN
    if reader_by_object(name, namespace).value == carried.consumers[0]:
        sign = f"the name of the {kind}"
    else:
        weighed = FileReaders(carried.stack.text, path).reader_of(carried.subject, carried.stack)
        version = carried.kubernetes
        sign = f"{version.name} of Kubernetes" if version is not None else carried.carrier
    places = _places(path, weighed.signs) or [FactPlace(path, sign=sign)]
    return Evidence(Fact.known(carried.consumers[0], *places), _lighter(path, weighed))


def _places(path: str, signs: Sequence[TextSign]) -> list[FactPlace]:
    return [FactPlace(path, sign=sign) for sign in dict.fromkeys(sign.says for sign in signs)]


def _lighter(path: str, weighed: Weighed) -> tuple[Rejected, ...]:
    return tuple(Rejected(place, "weighs less than what decides") for place in _places(path, weighed.against))


def _old(version: str) -> str:
    return f"Kubernetes {version.lstrip('v')} has no other provider"
