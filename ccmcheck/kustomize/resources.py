"""An object of a build: what it is called now and was called before."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ccmcheck.base.data_files import read_table
from ccmcheck.base.records import NamedTuple
from ccmcheck.kustomize.limits import BuildWork
from ccmcheck.layers.placed_values import Map, copied, text_at

CLUSTER_WIDE = frozenset(kind for (kind,) in read_table(__file__, "cluster_wide.tsv"))
DEFAULT_NAMESPACE = "default"


class ResourceIdentity(NamedTuple):
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

    def is_known_as(self, identity: ResourceIdentity) -> bool:
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


class Built(NamedTuple):
    """What a kustomization is built to.

    Attributes:
        objects: Its objects.
        used: The files that they are made of.
        work: How much may still be done with them.
    """

    objects: list[Resource]
    used: AbstractSet[str]
    work: BuildWork


def _same(identity: ResourceIdentity, other: ResourceIdentity) -> bool:
    return (
        identity.kind == other.kind
        and identity.name == other.name
        and (identity.namespace == other.namespace or identity.kind in CLUSTER_WIDE)
        and _group(identity.group) == _group(other.group)
        and identity.group.rpartition("/")[2] == other.group.rpartition("/")[2]
    )


def _group(version: str) -> str:
    return version.rpartition("/")[0]


def identity_of(tree: Map) -> ResourceIdentity:
    """What an object is known by."""
    return ResourceIdentity(
        text_at(tree, "apiVersion"),
        text_at(tree, "kind"),
        text_at(tree, "metadata", "name"),
        text_at(tree, "metadata", "namespace") or DEFAULT_NAMESPACE,
    )
