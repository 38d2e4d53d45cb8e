"""The objects of a build in their order, and which of them a patch means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccmcheck.kustomize.limits import OBJECT, BuildWork
from ccmcheck.kustomize.resources import Resource, ResourceIdentity
from ccmcheck.kustomize.selector import Selector


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
