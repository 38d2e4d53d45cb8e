"""What a rule about Kubernetes objects sees: one object, where it lies, and what else the run found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import Carried

if TYPE_CHECKING:
    from ccmcheck.carriers.base import Bundle, CcmPod
    from ccmcheck.carriers.objects import Object
    from ccmcheck.catalog import Release
    from ccmcheck.model import Span
    from ccmcheck.yamlio import Mapping, Node


class Manifest:
    """One Kubernetes object of a file, at one release of the CCM.

    Spans count in ``text``: the file's own for an object that lies there, the decoded one for an object inside another.

    Args:
        found: The object as the carriers met it.
        release: The release judged.
        bundle: What else was found in the same run.
    """

    def __init__(self, found: Object, release: Release, bundle: Bundle) -> None:
        self._found = found
        self.release = release
        self.bundle = bundle

    @property
    def kind(self) -> str:
        """Its kind."""
        return self._found.kind

    @property
    def name(self) -> str:
        """Its name; empty where it has none."""
        return self._found.name

    @property
    def namespace(self) -> str:
        """Its namespace; empty where it names none."""
        return self._found.namespace

    @property
    def path(self) -> str:
        """The file that it is in."""
        return self._found.search.path

    @property
    def node(self) -> Mapping:
        """Its outermost mapping."""
        return self._found.node

    @property
    def text(self) -> str:
        """The text that it is in, template marks as written."""
        return self._found.level.written

    @property
    def final(self) -> bool:
        """True where nothing renders the text any further."""
        return self._found.level.final

    @property
    def pods(self) -> tuple[CcmPod, ...]:
        """The CCM's workloads of the run."""
        return self.bundle.pods

    def at(self, *names: str) -> Node | None:
        """Walk down from the outermost mapping."""
        return self._found.at(*names)

    def said(self, *names: str) -> str:
        """The text at the end of a way, its template marks as written; empty where there is none."""
        return self._found.said(*names)

    def is_opaque(self, span: Span) -> bool:
        """Whether a template mark is a part of a place."""
        return bool(self._found.level.within(span))

    def __repr__(self) -> str:
        return f"<Manifest {self._found.subject}>"


def as_carried(found: Object) -> Carried:
    """An object in the form in which places are resolved; its text is the whole text that it is in."""
    level = found.level
    route = " › ".join(dict.fromkeys((*level.route, found.subject)))
    return Carried(
        found.kind, found.subject, route, level.stack, level.written, level.marks, level.final, ignores=found.ignores
    )
