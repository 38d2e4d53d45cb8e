"""The objects of a build: what each is called now and was called before, and which of them a patch means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.records import NamedTuple
from ccmcheck.kustomize.limits import OBJECT
from ccmcheck.layers.placed_values import Map, copied, text_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.kustomize.limits import Work
    from ccmcheck.kustomize.selector import Selector

CLUSTER_WIDE = frozenset(
    {
        "APIService",
        "CSIDriver",
        "CSINode",
        "ClusterRole",
        "ClusterRoleBinding",
        "CustomResourceDefinition",
        "IngressClass",
        "MutatingWebhookConfiguration",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PodSecurityPolicy",
        "PriorityClass",
        "RuntimeClass",
        "StorageClass",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "VolumeAttachment",
    }
)
DEFAULT_NAMESPACE = "default"


class Identity(NamedTuple):
    """What an object is known by.

    Attributes:
        group: Its API group with its version.
        kind: Its kind.
        name: Its name.
        namespace: Its namespace; ``default`` where it names none.
    """

    group: str
    kind: str
    name: str
    namespace: str


class Resource:
    """One object of a build.

    Attributes:
        tree: Its fields.
        path: The file that it begins in.
        known: What it is known by, now last and first as it was written.
        behavior: Of a generated object: what it does to one of the same name.
        is_open: Whether something that is not built changes it in an unknown way.
        generated: Whether a generator makes it.
        is_hashed: Whether its name gets a hash of what it holds, which is not built.
    """

    __slots__ = ("behavior", "generated", "is_hashed", "is_open", "known", "path", "tree")

    def __init__(self, tree: Map, path: str, behavior: str = "", *, generated: bool = False) -> None:
        self.tree = tree
        self.path = path
        self.known = [identity_of(tree)]
        self.behavior = behavior
        self.is_open = False
        self.generated = generated
        self.is_hashed = False

    @property
    def kind(self) -> str:
        """Its kind."""
        return text_at(self.tree, "kind")

    @property
    def name(self) -> str:
        """Its name."""
        return text_at(self.tree, "metadata", "name")

    @property
    def is_cluster_wide(self) -> bool:
        """Whether its kind has no namespace."""
        return self.kind in CLUSTER_WIDE

    def remember(self) -> None:
        """Keep what it is known by now beside what it was known by."""
        now = identity_of(self.tree)
        if now != self.known[-1]:
            self.known.append(now)

    def is_known_as(self, identity: Identity) -> bool:
        """Whether a patch of this identity means it."""
        self.remember()
        return any(_same(one, identity) for one in self.known)

    def copy(self) -> Resource:
        """The same for another overlay."""
        tree = copied(self.tree)
        new = Resource(tree if isinstance(tree, Map) else self.tree, self.path, self.behavior, generated=self.generated)
        new.known = list(self.known)
        new.is_open = self.is_open
        new.is_hashed = self.is_hashed
        return new


def _same(one: Identity, other: Identity) -> bool:
    return (
        one.kind == other.kind
        and one.name == other.name
        and (one.namespace == other.namespace or one.kind in CLUSTER_WIDE)
        and _group(one.group) == _group(other.group)
        and one.group.rpartition("/")[2] == other.group.rpartition("/")[2]
    )


def _group(version: str) -> str:
    return version.rpartition("/")[0]


def identity_of(tree: Map) -> Identity:
    """What an object is known by."""
    return Identity(
        text_at(tree, "apiVersion"),
        text_at(tree, "kind"),
        text_at(tree, "metadata", "name"),
        text_at(tree, "metadata", "namespace") or DEFAULT_NAMESPACE,
    )


class Resources:
    """The objects of a build in their order, found by their names.

    Args:
        work: Counts the objects that are gone through.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._all: dict[Resource, None] = {}
        self._by_name: dict[str, dict[Resource, None]] | None = None

    def __iter__(self) -> Iterator[Resource]:
        self._work.step(OBJECT * len(self._all))
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def work(self) -> Work:
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

    def known_as(self, identity: Identity) -> list[Resource]:
        """The objects that a patch of an identity means."""
        return [one for one in self._named(identity.name) if one.is_known_as(identity)]

    def selected(self, selector: Selector) -> list[Resource]:
        """The objects that a selector means; one that it may mean gets unknown."""
        names = selector.names
        candidates = list(self) if names is None else [one for name in names for one in self._named(name)]
        self._work.step(len(candidates) * selector.steps)
        return [one for one in dict.fromkeys(candidates) if selector.selects(one)]

    def open(self) -> None:
        """Note that something may have changed any object."""
        for resource in self:
            resource.is_open = True

    def _named(self, name: str) -> list[Resource]:
        """The objects of a name, now or before."""
        if self._by_name is None:
            self._by_name = {}
            for resource in self:
                self._index(resource, self._by_name)
        found = [one for one in self._by_name.get(name, ()) if one in self._all]
        self._work.step(1 + OBJECT * len(found))
        return found

    @staticmethod
    def _index(resource: Resource, by_name: dict[str, dict[Resource, None]]) -> None:
        for identity in resource.known:
            by_name.setdefault(identity.name, {})[resource] = None
