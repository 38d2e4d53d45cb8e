"""What a rule about Kubernetes objects sees: one object, where it lies, and what else its file and the run hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit
from ccmcheck.base.path_proximity import in_same_folder, nearest
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import decode
from ccmcheck.carriers.base import Carried
from ccmcheck.carriers.names import is_cloud_conf_key
from ccmcheck.carriers.prefilter import is_named_cloud_conf
from ccmcheck.carriers.recognise import is_cloud_conf, is_ini
from ccmcheck.layers import scalar_layer
from ccmcheck.layers.encoded import decode_base64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.base.model import Span
    from ccmcheck.base.path_proximity import HasPathT
    from ccmcheck.carriers import FileContents
    from ccmcheck.carriers.base import BoundService, Bundle, CcmPod
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.catalog import Release
    from ccmcheck.yamlio import Mapping, Node, Scalar


class Decoded(NamedTuple):
    """What base64 holds.

    Attributes:
        text: The text.
        strict: Whether Kubernetes takes the base64: it has its padding, and no blanks in it.
    """

    text: str
    strict: bool


class Manifest:
    """One Kubernetes object of a file, at one release of the CCM.

    Spans count in ``text``: the file's own for an object that lies there, the decoded one for an object inside another.

    Args:
        found: The object as the carriers met it.
        release: The release judged.
        bundle: What else was found in the same run.
        contents: What else is in the same file.
    """

    def __init__(self, found: KubernetesObject, release: Release, bundle: Bundle, contents: FileContents) -> None:
        self._found = found
        self.release = release
        self.bundle = bundle
        self._contents = contents

    @property
    def found(self) -> KubernetesObject:
        """The object as the carriers met it."""
        return self._found

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
        return self._found.path

    @property
    def node(self) -> Mapping:
        """Its outermost mapping."""
        return self._found.node

    @property
    def text(self) -> str:
        """The text that it is in, template marks as written."""
        return self._found.source.written

    @property
    def final(self) -> bool:
        """True where nothing renders the text any further."""
        return self._found.source.final

    @property
    def subject(self) -> str:
        """What people call it: ``Secret kube-system/cloud-config``."""
        return self._found.subject

    @property
    def pods(self) -> tuple[CcmPod, ...]:
        """The CCM's workloads of the run."""
        return self.bundle.pods

    @property
    def own_pod(self) -> CcmPod | None:
        """The object as a workload of the CCM; None where it is none."""
        subject = self._found.subject
        return next((pod for pod in self._contents.pods if pod.subject == subject), None)

    @property
    def confs(self) -> list[Carried]:
        """The cloud.confs that the object holds itself, not in an object inside it."""
        layers, subject = self._found.source.stack.layers, self._found.subject
        depth = len(layers)
        return [one for one in self._contents.carried if one.subject == subject and one.stack.layers[:depth] == layers]

    @property
    def confs_of_file(self) -> list[Carried]:
        """Every cloud.conf of the same file."""
        return self._contents.carried

    def holds_conf(self, one: KubernetesObject) -> bool:
        """Whether an object of the file has a cloud.conf in it, however deep it lies, or the key of one."""
        if any(one.subject in conf.route.split(" › ") for conf in self._contents.carried):
            return True
        return "cloud.conf" in one.source.written[slice(*one.node.content)]

    @property
    def holds_any_conf(self) -> bool:
        """The same of this object."""
        return self.holds_conf(self._found)

    @property
    def neighbours(self) -> list[KubernetesObject]:
        """The objects of the same file that rules are about, this one among them."""
        return self._contents.objects

    @property
    def bound(self) -> list[BoundService]:
        """The Services of the same file that name what other Services may name too."""
        return self._contents.bound

    def nearest(self, found: Sequence[HasPathT]) -> list[HasPathT]:
        """Those of some records of the run whose files are nearest to this one."""
        return nearest(self.path, found)

    def beside(self, found: Sequence[HasPathT]) -> list[HasPathT]:
        """Those of some records of the run whose files are in this one's folder."""
        return in_same_folder(self.path, found)

    def at(self, *names: str) -> Node | None:
        """Walk down from the outermost mapping."""
        return self._found.at(*names)

    def said(self, *names: str) -> str:
        """The text at the end of a way, its template marks as written; empty where there is none."""
        return self._found.text_at(*names)

    def said_by(self, node: Scalar) -> str:
        """The text of a scalar, its template marks as written."""
        return self._found.source.value_of(node)

    def has_mark(self, node: Node) -> bool:
        """Whether a template mark is a part of a node."""
        return self._found.source.has_mark(node)

    def is_opaque(self, span: Span) -> bool:
        """Whether a template mark is a part of a place."""
        return bool(self._found.source.marks_in(span))

    def has_template_lines(self, span: Span) -> bool:
        """Whether a template mark stands first on a line of a place, so that rendering may add and drop lines there."""
        text, marks = self.text, self._found.source.marks_in(span)
        return any(not text[text.rfind("\n", 0, mark.start) + 1 : mark.start].strip() for mark in marks)

    def rewritten(self, node: Scalar, value: str) -> Edit | None:
        """The edit that makes a scalar say something else, in the quotes that it has.

        Args:
            node: A scalar of the object.
            value: What it shall say.

        Returns:
            The edit on `text`; None where the scalar must be edited by hand.
        """
        source = self._found.source
        try:
            edits = scalar_layer(node, source.text).put([Edit(0, len(node.value), value)])
        except CannotEdit:
            return None
        return edits[0] if len(edits) == 1 else None

    def __repr__(self) -> str:
        return f"<Manifest {self._found.subject}>"


def base64_in(text: str) -> Decoded | None:
    """Decode base64 as Kubernetes does, and what it would refuse for its padding or blanks alone.

    Args:
        text: The encoded text.

    Returns:
        What it holds; None where it is not base64.
    """
    found = decode_base64(text)
    return Decoded(decode(found.data).text, found.padded and not found.blank) if found is not None else None


def looks_like_cloud_conf(text: str) -> bool:
    """Whether a text is an OpenStack cloud.conf by what it says."""
    return is_ini(text) and is_cloud_conf(text)


def names_cloud_conf(name: str, object_name: str = "") -> bool:
    """Whether a key of a Secret, or a file's path, is one under which the CCM's file is kept."""
    return name.endswith("/cloud.conf") or is_cloud_conf_key(name, object_name) or is_named_cloud_conf(name)


def as_carried(found: KubernetesObject) -> Carried:
    """An object in the form in which places are resolved; its text is the whole text that it is in."""
    source = found.source
    route = " › ".join(dict.fromkeys((*source.route, found.subject)))
    return Carried(
        found.kind,
        found.subject,
        route,
        source.stack,
        source.written,
        source.marks,
        source.final,
        ignores=found.ignores,
    )
