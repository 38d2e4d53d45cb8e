"""The search through one file: what is looked into, what is taken for a cloud.conf, and what is said of the rest.

The kinds of objects each know where their texts lie (see `ccmcheck.carriers.kinds`) and hand them to `Around.value`,
which decides whether a text is a cloud.conf, holds further objects, or is nothing of interest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadYaml, TooLarge
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.result import Failure
from ccmcheck.base.text import LineIndex
from ccmcheck.carriers.base import (
    NOTHING,
    BoundService,
    Bundle,
    CapiCluster,
    Carried,
    CcmPod,
    ResourceSet,
    ScsSwitches,
)
from ccmcheck.carriers.encoding import unpacked
from ccmcheck.carriers.heredoc import heredocs, may_hold_heredoc
from ccmcheck.carriers.prefilter import worth_decoding
from ccmcheck.carriers.recognise import is_cloud_conf, is_foreign, is_ini, may_hold_objects
from ccmcheck.carriers.regions import regions
from ccmcheck.layers import UNPACKED_LIMIT
from ccmcheck.yamlio import documents, kubernetes_scalar

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from ccmcheck.carriers.level import Level
    from ccmcheck.carriers.objects import Object
    from ccmcheck.layers import Layer
    from ccmcheck.yamlio import Node, Scalar

    Visit: TypeAlias = Callable[["Search", Level, Node, "Holder | None"], None]


_CLOUD_INIT = "#cloud-config"
"""The first line of cloud-init's data, which some keep under the key ``cloud-config`` too."""


class FindOptions(NamedTuple):
    """How a file is searched.

    Attributes:
        variables: Values for template variables; with any given, ``${NAME:=default}`` counts as set too.
        explicit: True when the user named the file itself.
        max_unpacked: Bytes that a compressed text may unpack to.
        max_depth: How many texts within texts are opened.
        template: True when nothing in the file is final, False when all of it is; None to decide by name and content.
    """

    variables: Mapping[str, str] = {}
    explicit: bool = False
    max_unpacked: int = UNPACKED_LIMIT
    max_depth: int = 8
    template: bool | None = None


class Holder(NamedTuple):
    """The object that carries a text; see `Carried` for the fields.

    Attributes:
        namespace: Where what it installs will run; empty where it does not say, or installs nothing.
    """

    carrier: str
    subject: str = ""
    consumers: tuple[str, ...] = ()
    ignores: tuple[tuple[str, str], ...] = ()
    dialect: str = ""
    namespace: str = ""


class Siblings(NamedTuple):
    """The names of all texts of an object, and the one that is looked at.

    Most texts are not taken, so that the others are only told apart for those that are.
    """

    names: Sequence[str] = ()
    own: str = ""

    def others(self) -> tuple[str, ...]:
        """The names of the others."""
        return tuple(name for name in self.names[:_MOST_SIBLINGS] if name and name != self.own)


NONE = Siblings()
_MOST_SIBLINGS = 1_000


class Search:
    """Collects what one file holds.

    Args:
        path: The file as the user named it.
        options: How it is searched.
        visit: Searches one YAML node that may be an object, see `ccmcheck.carriers.kinds`.

    Attributes:
        carried: The cloud.confs, in the order in which they were met.
        pods: The CCM's workloads.
        broken: What could not be read.
        objects: The objects that rules of their own are about, in the order in which they were met.
        kinds: The kinds of all objects met, in their order.
        clusters: Cluster API's OpenStackClusters.
        resource_sets: Cluster API's ClusterResourceSets.
        switches: Settings of the Sovereign Cloud Stack's scripts.
        bound: The Services that name what other Services may name too.
    """

    __slots__ = (
        "bound",
        "broken",
        "carried",
        "clusters",
        "kinds",
        "objects",
        "options",
        "path",
        "pods",
        "resource_sets",
        "switches",
        "visit",
    )

    def __init__(self, path: str, options: FindOptions, visit: Visit) -> None:
        self.path = path
        self.options = options
        self.carried: list[Carried] = []
        self.pods: list[CcmPod] = []
        self.broken: list[Failure] = []
        self.objects: list[Object] = []
        self.clusters: list[CapiCluster] = []
        self.resource_sets: list[ResourceSet] = []
        self.switches: list[ScsSwitches] = []
        self.bound: list[BoundService] = []
        self.kinds: dict[str, None] = {}
        self.visit = visit

    @property
    def told(self) -> Bundle:
        """What the file tells other files' rules."""
        if not (self.pods or self.clusters or self.resource_sets or self.switches):
            return NOTHING
        return Bundle(
            pods=tuple(self.pods),
            clusters=tuple(self.clusters),
            resource_sets=tuple(self.resource_sets),
            switches=tuple(self.switches),
        )

    def fail(self, level: Level, offset: int, message: str, hint: str = "") -> None:
        """Record a part of the file that cannot be read.

        Args:
            level: The text that it is in.
            offset: Where in that text.
            message: What is wrong.
            hint: What to do next.
        """
        outer = level.stack.outward(Span(offset, offset)).start
        line, column = LineIndex(level.stack.text).position(outer)
        self.broken.append(Failure(self.path, message, hint, line, column))


class Around(NamedTuple):
    """What stands around a node.

    Attributes:
        search: Collects what is found.
        level: The text that the node is in.
        holder: The object that it belongs to.
    """

    search: Search
    level: Level
    holder: Holder

    def value(
        self, node: Scalar, where: str, *, encoding: str = "", named: bool = False, siblings: Siblings = NONE
    ) -> None:
        """Look at one text.

        Args:
            node: The scalar.
            where: The place in the object, for people: ``data["cloud.conf"]``.
            encoding: How the text is encoded, in cloud-init's words; empty for not at all.
            named: True where its name says that it is a cloud.conf, so that anything but another cloud's is taken.
            siblings: The texts beside it.
        """
        level = self.level
        layer = None
        text = node.value
        if encoding:
            if not (named or worth_decoding(text)) or level.has_mark(node):
                return
            layer = self._unpacked(node, encoding)
            if layer is None:
                return
            text = layer.text
        if named and text.startswith(_CLOUD_INIT):
            named = False
        taken = named or is_ini(text)
        if named:
            if not text.strip() or kubernetes_scalar(node) is None or is_foreign(text):
                return
        elif not (is_cloud_conf(text) if taken else may_hold_objects(text) or may_hold_heredoc(text)):
            return
        inner = self._replace(level=level.inside(node))
        if layer is not None:
            where = f"{where} ({layer.kind})"
            inner = inner.through(layer, final=True)
        if taken:
            inner.take(where, siblings)
        elif inner.may_go_deeper():
            inner.look_inside(where)

    def may_go_deeper(self) -> bool:
        """Whether what is in the level's text may be searched in turn."""
        return self.level.depth <= self.search.options.max_depth

    def through(self, layer: Layer, *, final: bool | None = None) -> Around:
        """The same for the text of a layer; what was encoded is only masked where the user calls it a template."""
        level = self.level.through(layer, final=final)
        if final and self.search.options.template:
            level = level.masked()
        return self._replace(level=level)

    def take(self, where: str = "", siblings: Siblings = NONE) -> None:
        """Count the level's text as a cloud.conf.

        Args:
            where: The place in the object, for people.
            siblings: The texts beside it.
        """
        level, holder = self.level, self.holder
        self.search.carried.append(
            Carried(
                holder.carrier,
                holder.subject,
                " › ".join(self._way(where)),
                level.stack,
                level.written,
                level.marks,
                level.final and not self.search.options.template,
                siblings.others(),
                holder.consumers,
                holder.ignores,
                holder.dialect,
                siblings.own,
                self.search.path,
            )
        )

    def look_inside(self, where: str) -> None:
        """Search the objects and scripts of a text that an object holds.

        Args:
            where: The place in the object, for people.
        """
        text = self.level.text
        if may_hold_heredoc(text):
            self._heredocs(where)
        if may_hold_objects(text):
            self._objects(where)

    def slices(self) -> None:
        """Take the parts of a text that look like a cloud.conf where the whole cannot be read."""
        for layer in regions(self.level.text):
            self.through(layer, final=False).take()

    def _objects(self, where: str) -> None:
        level = self.level._replace(route=tuple(self._way(where)))
        found = list(documents(level.text))
        if not level.marks and any(isinstance(document, BadYaml) for document in found):
            level = level.masked()
            found = list(documents(level.text))
        for document in found:
            if not isinstance(document, BadYaml) and document.root is not None:
                self.search.visit(self.search, level, document.root, self.holder)
        if any(isinstance(document, BadYaml) for document in found):
            self._replace(level=level).slices()

    def _heredocs(self, where: str) -> None:
        for layer, expands, path in heredocs(self.level.text, self.level.written):
            if is_ini(layer.text) and is_cloud_conf(layer.text):
                inner = self.level.through(layer)
                if expands and not inner.marks:
                    inner = inner.masked(with_shell=True)
                self._replace(level=inner).take(f"{where} › heredoc {path}".rstrip())

    def _way(self, where: str) -> list[str]:
        """The way for people; a text of no object of its own belongs to the object that holds it."""
        way = list(self.level.route)
        subject = self.holder.subject
        if subject and not (way and subject in way):
            way.append(subject)
        if where:
            way.append(where)
        return way

    def _unpacked(self, node: Scalar, encoding: str) -> Layer | None:
        try:
            return unpacked(node.value, encoding, self.search.options.max_unpacked)
        except TooLarge as error:
            self.search.fail(self.level, node.span.start, error.message, error.hint)
            return None
