"""The view that a rule has of a Kubernetes object: the object, its place, and the rest of its file and of the run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit, Span
from ccmcheck.base.path_proximity import HasPathT, in_same_folder, nearest
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import decode
from ccmcheck.carriers import FileContents
from ccmcheck.carriers.base import CarriedConf, CcmPod, NearbyConf, RunContext
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.catalog import Release
from ccmcheck.catalog.signs.forms import is_ini
from ccmcheck.catalog.signs.paths import is_cloud_conf_key, is_named_cloud_conf
from ccmcheck.catalog.signs.scorer import is_cloud_conf
from ccmcheck.conf.nearby_conf import is_for_ccm, nearby_conf
from ccmcheck.layers.encoded import decode_base64
from ccmcheck.layers.scalar import scalar_layer
from ccmcheck.rules.views.pod_owners import PodOwners
from ccmcheck.yamlio import Scalar, YamlNode

_Answer = TypeVar("_Answer")


class DecodedBase64(NamedTuple):
    """Decoded base64.

    Attributes:
        text: The decoded text.
        strict: Whether Kubernetes accepts the base64: it has its padding, and no whitespace.
    """

    text: str
    strict: bool


class Manifest:
    """One Kubernetes object of a file, at one target release of the CCM.

    Spans are offsets in ``text``: that of the file, or the decoded text for an object inside another object.

    Args:
        item: The object as the carriers collected it.
        release: The target release.
        run_context: The rest of the run.
        contents: The rest of the file.
        owners: What makes pods in the file and beside it, where other objects of the file share it.

    Attributes:
        object: The object as the carriers collected it.
        kind: Its kind.
        name: Its name; empty where it has none.
        namespace: Its namespace; empty where it names none.
        path: The path of its file.
        is_named: Whether the user named its file; False where it was found in a folder.
        node: Its outermost mapping.
        pods: The CCM's workloads of the run.
        confs_of_file: Every cloud.conf of the same file.
        neighbours: The objects of the same file that rules are about, including this one.
        sharing_services: The Services of the same file with a load balancer ID or address that other Services may share.
        answers: What rules worked out of it, see `ccmcheck.rules._support.once`.
    """

    def __init__(
        self,
        item: KubernetesObject,
        release: Release,
        run_context: RunContext,
        contents: FileContents,
        owners: PodOwners | None = None,
    ) -> None:
        self.owners = owners or PodOwners(item.path, contents.objects, run_context)
        self.object = item
        self.kind = item.kind
        self.name = item.name
        self.namespace = item.namespace
        self.path = item.path
        self.is_named = contents.named
        self.node = item.node
        self.pods = run_context.pods
        self.confs_of_file = contents.carried
        self.neighbours = contents.objects
        self.sharing_services = contents.sharing_services
        self.release = release
        self.run_context = run_context
        self._contents = contents
        self.answers: dict[object, Any] = {}

    @property
    def text(self) -> str:
        """The text that contains it, with template marks as written."""
        return self.object.source.written

    @property
    def final(self) -> bool:
        """Whether the text is no template."""
        return self.object.source.final

    @property
    def subject(self) -> str:
        """Its kind, namespace and name: ``Secret kube-system/cloud-config``."""
        return self.object.subject

    @property
    def own_pod(self) -> CcmPod | None:
        """The object as a workload of the CCM; None where it is another object."""
        return self._contents.pods_by_subject.get(self.object.subject)

    @property
    def is_derived(self) -> bool:
        """Whether the object is made of a chart's values, so that no file holds it."""
        return self.object.is_derived

    @property
    def confs(self) -> list[CarriedConf]:
        """The cloud.confs in the object itself, not in an object inside it."""
        layers, subject = self.object.source.stack.layers, self.object.subject
        depth = len(layers)
        by_subject = self.answer_of_file(_by_subject, lambda: _by_subject(self._contents.carried))
        return [conf for conf in by_subject.get(subject, ()) if conf.stack.layers[:depth] == layers]

    @property
    def nearest_confs(self) -> tuple[NearbyConf, ...]:
        """The cloud.confs nearest to it: those of its own file, else of its folder, else of one around it."""
        of_file = self.confs_of_file
        own = self.answer_of_file(nearby_conf, lambda: tuple(nearby_conf(conf) for conf in of_file if is_for_ccm(conf)))
        return own or self.run_context.confs.get(self.path) or self.run_context.confs.get("", ())

    def answer_of_file(self, key: Hashable, work: Callable[[], _Answer]) -> _Answer:
        """What is worked out of the whole file, once for all its objects.

        Args:
            key: What is asked.
            work: Works it out.
        """
        answers = self._contents.answers
        if key not in answers:
            answers[key] = work()
        known: _Answer = answers[key]
        return known

    def contains_conf(self, item: KubernetesObject) -> bool:
        """Whether an object of the file contains a cloud.conf, at any depth, or the key of one."""
        if item.subject in self.answer_of_file(_holders, lambda: _holders(self._contents.carried)):
            return True
        return "cloud.conf" in item.source.written[slice(*item.node.content)]

    @property
    def has_conf(self) -> bool:
        """The same for this object."""
        return self.contains_conf(self.object)

    def nearest(self, records: Sequence[HasPathT]) -> list[HasPathT]:
        """Those of some records of the run whose files are nearest to this one."""
        return nearest(self.path, records)

    def nearby(self, records: Sequence[HasPathT]) -> list[HasPathT]:
        """Those of some records of the run whose files are in this one's folder."""
        return in_same_folder(self.path, records)

    def at(self, *names: str) -> YamlNode | None:
        """The node at a path from the outermost mapping."""
        return self.object.at(*names)

    def text_at(self, *names: str) -> str:
        """The string at a path, with template marks as written; empty where there is none."""
        return self.object.text_at(*names)

    def written(self, node: Scalar) -> str:
        """The string of a scalar, with template marks as written."""
        return self.object.source.value_of(node)

    def has_mark(self, node: YamlNode) -> bool:
        """Whether a node contains a template mark."""
        return self.object.source.has_mark(node)

    def is_opaque(self, span: Span) -> bool:
        """Whether a span contains a template mark."""
        return bool(self.object.source.marks_in(span))

    def has_template_lines(self, span: Span) -> bool:
        """Whether a line of a span starts with a template mark, so that rendering may add or remove lines there."""
        return self.object.source.has_lines_of_marks(span)

    def rewritten(self, node: Scalar, value: str) -> Edit | None:
        """The edit on `text` that replaces a scalar's value within its quotes; None where it must be edited by hand."""
        source = self.object.source
        try:
            edits = scalar_layer(node, source.text).put([Edit(0, len(node.value), value)])
        except CannotEdit:
            return None
        return edits[0] if len(edits) == 1 else None

    def __repr__(self) -> str:
        return f"<Manifest {self.object.subject}>"


def _by_subject(confs: Sequence[CarriedConf]) -> dict[str, list[CarriedConf]]:
    """The cloud.confs of a file by the object that holds them, in order."""
    found: dict[str, list[CarriedConf]] = {}
    for conf in confs:
        found.setdefault(conf.subject, []).append(conf)
    return found


def _holders(confs: Sequence[CarriedConf]) -> frozenset[str]:
    """The objects that hold the cloud.confs of a file, at any depth, by their subjects."""
    return frozenset(part for conf in confs for part in conf.route.split(" › "))


def decoded_base64(text: str) -> DecodedBase64 | None:
    """Decode base64 as Kubernetes does, also without padding or with whitespace; None where it is not base64."""
    decoded = decode_base64(text)
    return (
        DecodedBase64(decode(decoded.data).text, decoded.padded and not decoded.blank) if decoded is not None else None
    )


def looks_like_cloud_conf(text: str) -> bool:
    """Whether a text looks like an OpenStack cloud.conf."""
    return is_ini(text) and is_cloud_conf(text)


def names_cloud_conf(name: str, object_name: str = "") -> bool:
    """Whether a key of a Secret, or a path, is a usual name of the CCM's file."""
    return name.endswith("/cloud.conf") or is_cloud_conf_key(name, object_name) or is_named_cloud_conf(name)


def as_carried(item: KubernetesObject) -> CarriedConf:
    """An object as a carrier, by which places are resolved; its text is the whole text that contains it."""
    source = item.source
    route = " › ".join(dict.fromkeys((*source.route, item.subject)))
    return CarriedConf(
        item.kind, item.subject, route, source.stack, source.written, source.marks, source.final, ignores=item.ignores
    )
