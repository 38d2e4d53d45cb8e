"""Which Service of a checkout is which live one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import title_of
from ccmcheck.cluster.core import NamedTuple, Opaque, manifest_data, service_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ccmcheck.cluster.access.transport import Document
    from ccmcheck.cluster.core import carriers, service_input


class GitService(NamedTuple):
    """A Service of a checkout.

    Attributes:
        manifest: The object.
        path: Its file.
        line: Its line.
        data: It as plain data.
        service: It as the CCM reads it.
    """

    manifest: carriers.KubernetesObject
    path: str
    line: int
    data: object
    service: service_input.Service

    @property
    def place(self) -> str:
        """Its file and line."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def is_derived(self) -> bool:
        """Whether it is made of a chart's values."""
        return manifest_data.is_derived(self.manifest)


class Pairs(NamedTuple):
    """The Services of both sides.

    Attributes:
        both: Those that both sides have.
        only_git: Those of the checkout alone.
        only_live: The live ones alone.
        unnamed: How many of the checkout have a name that is known only after rendering.
        several: Names that the checkout has several different manifests for.
    """

    both: tuple[tuple[GitService, Document], ...]
    only_git: tuple[GitService, ...]
    only_live: tuple[Document, ...]
    unnamed: int
    several: tuple[str, ...]


def git_service(found: carriers.KubernetesObject, path: str, line: int) -> GitService:
    """A Service of a checkout.

    Args:
        found: The object.
        path: Its file.
        line: Its line.
    """
    data = manifest_data.plain(found.node, found.source)
    return GitService(found, path, line, data, service_input.read_service(data))


def pair_up(git: Iterable[GitService], live: Sequence[Document]) -> Pairs:
    """Pair up by namespace and name; by the name alone where a manifest leaves the namespace to what applies it.

    Args:
        git: The checkout's, patches left out.
        live: The cluster's.
    """
    by_title = {title_of(obj): obj for obj in live}
    by_name: dict[str, list[str]] = {}
    for title in by_title:
        by_name.setdefault(title.partition("/")[2], []).append(title)
    meant: dict[str, list[GitService]] = {}
    unnamed = 0
    for one in git:
        if isinstance(one.service.name, Opaque) or one.service.name.endswith("…"):
            unnamed += 1
            continue
        title = one.service.title
        alone = by_name.get(one.service.name, [])
        if not one.manifest.namespace or isinstance(one.service.namespace, Opaque):
            title = alone[0] if title not in by_title and len(alone) == 1 else title
        meant.setdefault(title, []).append(one)
    several = tuple(title for title, found in meant.items() if any(one.service != found[0].service for one in found))
    only_git = tuple(found[0] for title, found in meant.items() if title not in by_title and title not in several)
    return Pairs(
        tuple((meant[title][0], obj) for title, obj in by_title.items() if title in meant and title not in several),
        only_git,
        tuple(obj for title, obj in by_title.items() if title not in meant),
        unnamed,
        several,
    )
