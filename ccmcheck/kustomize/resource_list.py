"""The objects of a build in their order, and which of them a patch means.

Which objects the ``target`` of a patch means: those of a kind, of names that fit a pattern, of labels.

A pattern is a regular expression of Go's, which matches in linear time; Python's may take longer than anybody waits.
So only those are read that are quick in both, and what any other means is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.kustomize.limits import LONGEST_NAME, OBJECT, BuildWork
from ccmcheck.kustomize.resources import Resource, ResourceIdentity
from ccmcheck.layers.placed_values import Leaf, Map, Tree, at, text_at

_LONGEST = 500
"""Characters of a pattern."""
_MOST_CHOICES = 2
"""Repetitions and groups of an alternative: on a name of 253 characters two are tried 32,000 times at most."""
_ATOM = r"(?:[A-Za-z0-9_./-]|\\[^A-Za-z0-9]|\{(?![\d,])|\}|\[\^?[A-Za-z0-9_./-]++\])"
_GROUP = rf"\({_ATOM}*+(?:\|{_ATOM}*+)*+\)(?![*+?{{])"
_PIECE = lazy_regex(
    rf"(?P<choice>{_GROUP}|{_ATOM}[*+?](?![*+?{{]))|{_ATOM}(?![*+?])|\^(?![*+?])|\$(?=\||\Z)|(?P<or>\|(?![*+?]))"
)
_PLAIN_NAMES = lazy_regex(r"[A-Za-z0-9_/-]++(?:\|[A-Za-z0-9_/-]++)*+\Z")


class LabelRequirement(NamedTuple):
    """One requirement of a label selector.

    Attributes:
        label: The label's name.
        sign: ``in`` or ``notin``; ``!`` where it must not be there; empty where it must.
        values: The values of the former two.
    """

    label: str
    sign: str
    values: frozenset[str]


class Selector:
    """The ``target`` of a patch.

    Args:
        target: Its fields.

    Attributes:
        names: The names that it means; None for a pattern, or any.
        steps: How many steps it takes to compare an object.
        is_unknown: Whether it cannot be read.
    """

    def __init__(self, target: Map) -> None:
        self._patterns = {
            name: _anchored(text_at(target, name)) for name in ("group", "version", "kind", "name", "namespace")
        }
        labels = requirements(text_at(target, "labelSelector"))
        annotations = requirements(text_at(target, "annotationSelector"))
        unread = [value for value in target.values() if not isinstance(value, Leaf) or value.unknown]
        self.is_unknown = bool(unread) or None in self._patterns.values() or labels is None or annotations is None
        self._labels, self._annotations = labels or [], annotations or []
        self.steps = 1 + len(self._labels) + len(self._annotations)
        names = self._patterns["name"]
        self.names = tuple(names) if isinstance(names, frozenset) else None

    def selects(self, resource: Resource) -> bool:
        """Whether it means an object; one that it may mean gets unknown."""
        resource.remember()
        first, now = resource.known[0], resource.known[-1]
        group, _, version = now.group.rpartition("/")
        fits = [
            self._fits("namespace", first.namespace, now.namespace),
            self._fits("name", first.name, now.name),
            self._fits("group", group),
            self._fits("version", version),
            self._fits("kind", now.kind),
            _holds(self._labels, at(resource.tree, "metadata", "labels")),
            _holds(self._annotations, at(resource.tree, "metadata", "annotations")),
        ]
        if False in fits:
            return False
        if None in fits:
            resource.is_open = True
            return False
        return True

    def _fits(self, name: str, *texts: str) -> bool | None:
        """Whether one of several texts fits a pattern; None where they are too long to find out."""
        pattern = self._patterns[name]
        if isinstance(pattern, frozenset):
            return not pattern.isdisjoint(texts)
        if not isinstance(pattern, re.Pattern):
            return True
        if any(len(text) > LONGEST_NAME for text in texts):
            return None
        return any(pattern.match(text) for text in texts)


def _anchored(text: str) -> re.Pattern[str] | frozenset[str] | str | None:
    """What a pattern of a selector means: texts, or an expression; None where that is unknown."""
    if not text:
        return ""
    if _PLAIN_NAMES.match(text):
        return frozenset(text.split("|"))
    if len(text) > _LONGEST:
        return None
    choices, end = 0, 0
    while end < len(text):
        piece = _PIECE.match(text, end)
        if piece is None:
            return None
        choices = 0 if piece["or"] else choices + (piece["choice"] is not None)
        if choices > _MOST_CHOICES:
            return None
        end = piece.end()
    try:
        return re.compile(f"(?:{text})\\Z")
    except (re.error, RecursionError):
        return None


_REQUIREMENT = lazy_regex(
    r"\s*+(!?)\s*+([\w./-]++)(?:\s*+(==|=|!=)\s*+([\w.-]*+)|\s++(in|notin)\s*+\(([^()]*+)\))?+\s*+(,|\Z)"
)


def requirements(selector: str) -> list[LabelRequirement] | None:
    """The requirements of a label selector; None where it cannot be read."""
    found_requirements: list[LabelRequirement] = []
    place, more = 0, bool(selector.strip())
    while more:
        match = _REQUIREMENT.match(selector, place)
        if match is None:
            return None
        not_there, name, sign, value, word, values, comma = match.groups()
        if not_there:
            found_requirements.append(LabelRequirement(name, "!", frozenset()))
        elif word:
            found_requirements.append(
                LabelRequirement(name, word, frozenset(text.strip() for text in values.split(",")))
            )
        elif sign:
            found_requirements.append(LabelRequirement(name, "notin" if sign == "!=" else "in", frozenset((value,))))
        else:
            found_requirements.append(LabelRequirement(name, "", frozenset()))
        place, more = match.end(), bool(comma)
    return found_requirements


def _holds(wanted: list[LabelRequirement], labels: Tree | None) -> bool:
    there = labels if isinstance(labels, Map) else {}
    for name, sign, values in wanted:
        value = there.get(name)
        text = value.text if isinstance(value, Leaf) else None
        if sign == "in" and text not in values:
            return False
        if sign == "notin" and text is not None and text in values:
            return False
        if (sign == "!" and text is not None) or (not sign and text is None):
            return False
    return True


class Resources:
    """The objects of a build in their order, found by their names.

    Args:
        work: Counts the objects that are gone through.
    """

    def __init__(self, work: BuildWork) -> None:
        self._work = work
        self._all: dict[Resource, None] = {}
        self._by_name: dict[str, dict[Resource, None]] | None = None

    def __iter__(self) -> Iterator[Resource]:
        self._work.step(OBJECT * len(self._all))
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def work(self) -> BuildWork:
        """Counts what is done with them."""
        return self._work

    def add(self, resource: Resource) -> None:
        """Add an object at the end."""
        self._all[resource] = None
        if self._by_name is not None:
            self._index(resource, self._by_name)

    def extend(self, resources: Iterable[Resource]) -> None:
        """Add several."""
        for resource in resources:
            self.add(resource)

    def remove(self, resource: Resource) -> None:
        """Remove an object."""
        del self._all[resource]

    def note(self, resource: Resource) -> None:
        """Remember what an object is known by after a change of it."""
        before = len(resource.known)
        resource.remember()
        if self._by_name is not None and len(resource.known) > before:
            self._index(resource, self._by_name)

    def known_as(self, identity: ResourceIdentity) -> list[Resource]:
        """The objects that a patch of an identity means."""
        return [resource for resource in self._named(identity.name) if resource.is_known_as(identity)]

    def selected(self, selector: Selector) -> list[Resource]:
        """The objects that a selector means; one that it may mean gets unknown."""
        names = selector.names
        candidates = list(self) if names is None else [resource for name in names for resource in self._named(name)]
        self._work.step(len(candidates) * selector.steps)
        return [fromkey for fromkey in dict.fromkeys(candidates) if selector.selects(fromkey)]

    def make_unknown(self) -> None:
        """Note that something may have changed any object."""
        for resource in self:
            resource.is_open = True

    def _named(self, name: str) -> list[Resource]:
        """The objects of a name, now or before."""
        if self._by_name is None:
            self._by_name = {}
            for resource in self:
                self._index(resource, self._by_name)
        resources = [one for one in self._by_name.get(name, ()) if one in self._all]
        self._work.step(1 + OBJECT * len(resources))
        return resources

    @staticmethod
    def _index(resource: Resource, by_name: dict[str, dict[Resource, None]]) -> None:
        for identity in resource.known:
            by_name.setdefault(identity.name, {})[resource] = None
