"""The file or object whose texts are searched: which of them is a cloud.conf, which holds objects or scripts again.

Each kind of object knows where its texts are (see `ccmcheck.carriers.kinds`) and calls `Carrier.search_scalar` for each
of them. That decides whether the text is a cloud.conf, which is collected, holds further objects or heredocs, which are
searched in turn, or is neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadYaml, TooLarge
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.carriers.encoding import unpacked
from ccmcheck.carriers.heredoc import heredocs, may_hold_heredoc
from ccmcheck.carriers.kubernetes_object import consumers_of
from ccmcheck.carriers.prefilter import worth_decoding
from ccmcheck.carriers.recognise import is_cloud_conf, is_foreign, is_ini, may_hold_objects
from ccmcheck.carriers.regions import regions
from ccmcheck.layers import GzipBase64
from ccmcheck.yamlio import documents, kubernetes_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from ccmcheck.carriers.collector import Collector
    from ccmcheck.carriers.kubernetes_object import KubernetesObject
    from ccmcheck.carriers.source_text import SourceText
    from ccmcheck.layers import Layer
    from ccmcheck.yamlio import Node, Scalar

    SearchNode: TypeAlias = Callable[["Carrier", Node], None]

_CLOUD_INIT = "#cloud-config"
"""The first line of cloud-init's data, which some keep under the key ``cloud-config`` too."""

_MOST_SIBLINGS = 1_000


class Carrier(NamedTuple):
    """A file, or an object in it, and the text of it that is being searched.

    Attributes:
        collector: Collects the results.
        search_node: Searches a YAML node that may be an object, see `ccmcheck.carriers.kinds.search_node`.
        source: The text that is being searched; another one for each text within a text.
        kind: ``file``, the object's kind, or ``Helm values`` …; empty before the document's kind is known.
        subject: The object with its name, ``Secret kube-system/cloud-config``; empty for a file.
        consumers: Who reads its cloud.conf, see `CarriedConf`.
        ignores: Rules that its annotation suppresses, each with the reason.
        dialect: See `CarriedConf`.
        namespace: Where what it installs will run; empty where it does not say, or installs nothing.
        chart: The name of the chart that it installs; empty where it does not say, or installs none.
        release: What the chart's release is called; empty where it does not say.
    """

    collector: Collector
    search_node: SearchNode
    source: SourceText
    kind: str = ""
    subject: str = ""
    consumers: tuple[str, ...] = ()
    ignores: tuple[tuple[str, str], ...] = ()
    dialect: str = ""
    namespace: str = ""
    chart: str = ""
    release: str = ""

    def for_object(self, obj: KubernetesObject) -> Carrier:
        """An object of this carrier's text as a carrier of its own."""
        return Carrier(
            self.collector, self.search_node, obj.source, obj.kind, obj.subject, consumers_of(obj.name), obj.ignores
        )

    def search_scalar(
        self,
        node: Scalar,
        where: str,
        *,
        encoding: str = "",
        named: bool = False,
        key: str = "",
        keys: Sequence[str] = (),
    ) -> None:
        """Search one text of the object.

        Args:
            node: The scalar that holds it.
            where: The place in the object, for people: ``data["cloud.conf"]``.
            encoding: How the text is encoded, in cloud-init's words; empty for not at all.
            named: True where its name says that it is a cloud.conf: then it is one, unless it is another cloud's.
            key: The name under which the object holds it.
            keys: The names of all texts of the object.
        """
        source = self.source
        layer = None
        text = node.value
        if encoding:
            if not (named or worth_decoding(text)) or source.has_mark(node):
                return
            layer = self._unpacked(node, encoding)
            if layer is None:
                return
            text = layer.text
        if named and text.startswith(_CLOUD_INIT):
            named = False
        as_conf = named or is_ini(text)
        if named:
            if not text.strip() or kubernetes_scalar(node) is None or is_foreign(text):
                return
        elif not (is_cloud_conf(text) if as_conf else may_hold_objects(text) or may_hold_heredoc(text)):
            return
        inner = self._replace(source=source.enter_scalar(node))
        if layer is not None:
            where = f"{where} ({layer.kind})"
            inner = inner.enter(layer, final=True)
        if as_conf:
            inner.collect(where, key, keys)
        elif inner.within_depth_limit():
            inner.search_text(where)

    def within_depth_limit(self) -> bool:
        """Whether the texts in this text may be searched in turn."""
        return self.source.depth <= self.collector.options.max_depth

    def collect(self, where: str = "", key: str = "", keys: Sequence[str] = ()) -> None:
        """Collect the text as a cloud.conf; the arguments are those of `search_scalar`."""
        source = self.source
        self.collector.carried.append(
            CarriedConf(
                self.kind,
                self.subject,
                " › ".join(self.route_to(where)),
                source.stack,
                source.written,
                source.marks,
                source.final and not self.collector.options.template,
                tuple(name for name in keys[:_MOST_SIBLINGS] if name and name != key),
                self.consumers,
                self.ignores,
                self.dialect,
                key,
                self.collector.path,
            )
        )

    def collect_regions(self) -> None:
        """Collect the parts of a text that look like a cloud.conf, where the whole cannot be parsed."""
        for layer in regions(self.source.text):
            self.enter(layer, final=False).collect()

    def search_text(self, where: str) -> None:
        """Search the objects and scripts of a text that an object holds."""
        text = self.source.text
        if may_hold_heredoc(text):
            self._search_heredocs(where)
        if may_hold_objects(text):
            self._search_objects(where)

    def _search_objects(self, where: str) -> None:
        source = self.source._replace(route=tuple(self.route_to(where)))
        parsed = list(documents(source.text))
        if not source.marks and any(isinstance(document, BadYaml) for document in parsed):
            source = source.find_and_mask_marks()
            parsed = list(documents(source.text))
        carrier = self._replace(source=source)
        for document in parsed:
            if not isinstance(document, BadYaml) and document.root is not None:
                self.search_node(carrier, document.root)
        if any(isinstance(document, BadYaml) for document in parsed):
            carrier.collect_regions()

    def _search_heredocs(self, where: str) -> None:
        for layer, expands, path in heredocs(self.source.text, self.source.written):
            if is_ini(layer.text) and is_cloud_conf(layer.text):
                body = self.source.enter(layer)
                if expands and not body.marks:
                    body = body.find_and_mask_marks(with_shell=True)
                self._replace(source=body).collect(f"{where} › heredoc {path}".rstrip())

    def enter(self, layer: Layer, *, final: bool) -> Carrier:
        """The same for the text inside a layer; decoded text is only masked where the user calls it a template."""
        source = self.source.enter(layer, final=final)
        if final and self.collector.options.template:
            source = source.find_and_mask_marks()
        return self._replace(source=source)

    def route_to(self, where: str) -> list[str]:
        """The route for people; a text of no object of its own belongs to the object that holds it."""
        route = list(self.source.route)
        if self.subject and not (route and self.subject in route):
            route.append(self.subject)
        if where:
            route.append(where)
        return route

    def _unpacked(self, node: Scalar, encoding: str) -> Layer | None:
        collector = self.collector
        limit = collector.options.max_unpacked
        try:
            layer = unpacked(node.value, encoding, max(limit - collector.unpacked, 0))
        except TooLarge as error:
            message = error.message
            if collector.unpacked:
                message = f"this gzip and those above it unpack to more than {limit} bytes"
            collector.fail(self.source, node.span.start, message, error.hint)
            return None
        if isinstance(layer, GzipBase64):
            collector.unpacked += len(layer.text)
        return layer
