"""The file or object whose texts are searched: which of them is a cloud.conf, which holds objects or scripts again.

Each kind of object knows where its texts are (see `ccmcheck.carriers.kinds`) and calls `Carrier.search_scalar` for each
of them. That decides whether the text is a cloud.conf, which is collected, holds further objects or heredocs, which are
searched in turn, or is neither.

The version of Kubernetes that an object gives its cluster: the in-tree provider has no other release.

The encodings of file entries, as cloud-init and Cluster API name them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from ccmcheck.base.errors import BadYaml, TooLarge
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.span_index import SpanIndex
from ccmcheck.carriers.base import FILE, IN_TREE, CarriedConf, KubernetesVersion
from ccmcheck.carriers.collector import Collector
from ccmcheck.carriers.kubernetes_object import KubernetesObject, consumers_of, read_object
from ccmcheck.catalog.behaviour import kubernetes_has
from ccmcheck.catalog.data.deployments import EXTERNAL_PROVIDER_AT, KUBERNETES_VERSION_AT, TEMPLATE_ANNOTATION
from ccmcheck.catalog.signs import forms
from ccmcheck.catalog.signs.paths import DOCUMENTS
from ccmcheck.catalog.signs.scorer import Recognition, recognise
from ccmcheck.catalog.signs.table import KnownBy
from ccmcheck.layers.encoded import UNPACKED_LIMIT, Base64, GzipBase64, base64_layer, gzip_base64_layer
from ccmcheck.yamlio import Mapping as YamlMapping
from ccmcheck.yamlio import Scalar, YamlDocument, YamlNode, documents, kubernetes_scalar
from ccmcheck.yamlio import Sequence as YamlSequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ccmcheck.carriers.embedded.chart_settings import ChartSettings
    from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
    from ccmcheck.carriers.source_text import SourceText
    from ccmcheck.layers.base import Layer

_BASE64 = frozenset({"base64", "b64"})
_GZIP_BASE64 = frozenset({"gzip+base64", "gz+base64", "gzip+b64", "gz+b64"})
_SHORTEST_BINARY = 64
"""Code points; shorter base64 that is not text is a placeholder that happens to be base64, such as ``changeme``."""

_NOT_TEXT = lazy_regex(r"[\ud800-\udfff]")

_GZIP_START = "\x1f\udc8b"
"""The first two bytes of gzip, as decoded text has them."""


def is_encoded(name: str) -> bool:
    """Whether `unpacked` can decode an encoding of this name."""
    return name in _BASE64 or name in _GZIP_BASE64


def unpacked(text: str, encoding: str, limit: int = UNPACKED_LIMIT) -> Base64 | None:
    """Decode a text.

    Args:
        text: The encoded text.
        encoding: Its encoding's name; gzip is also recognised by its first bytes.
        limit: Bytes that it may unpack to.

    Returns:
        The layer; None where the text does not have this encoding.

    Raises:
        TooLarge: It unpacks to more than the limit.
    """
    if encoding in _GZIP_BASE64:
        return gzip_base64_layer(text, limit)
    layer = base64_layer(text) if encoding in _BASE64 else None
    if layer is None or layer.text.isascii():
        return layer
    if layer.text.startswith(_GZIP_START):
        return gzip_base64_layer(text, limit)
    return None if len(text) < _SHORTEST_BINARY and _NOT_TEXT.search(layer.text) else layer


_VERSION = lazy_regex(r"v?1\.\d{1,3}(?:\.\d{1,3})?(?=[-+]|\Z)")
"""Nothing else of the text is ever shown."""


def version_of(obj: KubernetesObject, collector: Collector) -> KubernetesVersion | None:
    """What an object says; None where it says nothing, or something renders it later."""
    nodes = (obj.at(*path) for path in KUBERNETES_VERSION_AT.get(obj.kind, ()))
    node = next((node for node in nodes if node is not None), None)
    match = _VERSION.match(node.value) if isinstance(node, Scalar) else None
    if match is None or not isinstance(node, Scalar):
        return None
    return KubernetesVersion(match.group(), collector.path, collector.position(obj.source, node.content.start)[0])


def readers_of(obj: KubernetesObject, version: KubernetesVersion | None) -> tuple[str, ...]:
    """Who reads the cloud.conf of a cluster that installs the reader itself; empty where that is unknown."""
    switch = EXTERNAL_PROVIDER_AT.get(obj.kind)
    if switch is None or obj.at(*switch) is not None or version is None:
        return ()
    return () if kubernetes_has("no-in-tree-openstack", version.name) else (IN_TREE,)


SearchNode: TypeAlias = "Callable[[Carrier, YamlNode], None]"

_CLOUD_INIT = "#cloud-config"
"""The first line of cloud-init's data, which some keep under the key ``cloud-config`` too."""

_ITS_NAME = ("/cloud.conf", " cloud.conf")
"""How the place of a text ends that is the CCM's file, whatever is in it; others have the other names, too."""

_STORES = ("Secret", "ConfigMap")
"""What the CCM mounts, under any key."""
_MOST_NOT_TAKEN = 100
_MOST_SIBLINGS = 1_000
_MOST_EMBEDDED = 1_000
"""Texts of one file that are searched."""


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
        chart_version: The version of that chart; empty where it does not say.
        has_all_values: Whether it shows all values of that release.
        kubernetes: See `CarriedConf`.
        is_elsewhere: See `CarriedConf`.
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
    chart_version: str = ""
    has_all_values: bool = False
    kubernetes: KubernetesVersion | None = None
    is_elsewhere: bool = False

    def note(self, node: YamlNode | None, kind: str, name: str = "") -> None:
        """Collect a mapping that is no object as one, for the rules about such mappings.

        Args:
            node: The mapping; anything else is left alone.
            kind: What it is collected as.
            name: What it is called.
        """
        if isinstance(node, YamlMapping):
            obj = read_object(self.collector.path, self.source, node, kind, self.collector.document)
            is_partial = bool(self.chart) and not self.has_all_values
            self.collector.objects.append(obj._replace(name=name, ignores=self.ignores, is_partial=is_partial))

    def for_object(self, obj: KubernetesObject) -> Carrier:
        """An object of this carrier's text as a carrier of its own."""
        kubernetes = version_of(obj, self.collector)
        return Carrier(
            self.collector,
            self.search_node,
            obj.source,
            obj.kind,
            obj.subject,
            consumers_of(obj.name, obj.namespace) or readers_of(obj, kubernetes),
            obj.ignores,
            kubernetes=kubernetes,
            is_elsewhere=self.is_elsewhere or obj.at("metadata", "annotations", TEMPLATE_ANNOTATION) is not None,
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
        if not self.collector.may_use(self.source, node):
            return
        source = self.source
        layer = None
        text = node.value
        if encoding:
            if not (named or forms.worth_decoding(text)) or source.has_mark(node):
                return
            layer = self._unpacked(text, node.span.start, encoding)
            if layer is None:
                return
            text = layer.text
        if named and text.startswith(_CLOUD_INIT):
            named = False
        as_conf = named or forms.is_ini(text)
        recognition = None
        if named:
            if kubernetes_scalar(node) is None or (not text.strip() and not self._is_left_empty(node, where)):
                return
            recognition = recognise(text, KnownBy.OBJECT)
        elif as_conf:
            recognition = recognise(text)
            may_be_mounted = self.kind in _STORES and len(self.collector.not_taken) < _MOST_NOT_TAKEN
            if not (recognition.taken or (recognition.signs and may_be_mounted)):
                return
        elif not (forms.may_hold_objects(text) or forms.may_hold_shell_text(text)):
            return
        inner = self._replace(source=source.enter_scalar(node))
        if layer is not None:
            where = f"{where} ({layer.kind})"
            inner = inner.enter(layer, final=True)
        if as_conf:
            inner.collect(where, key, keys, recognition)
        elif inner.within_depth_limit():
            inner.search_text(where)

    def _is_left_empty(self, node: Scalar, where: str) -> bool:
        """Whether a stored text, or a file of a machine, is quotes with nothing in them, which no template fills."""
        is_stored = self.kind in _STORES or where.endswith('/cloud.conf"]')
        is_stored = is_stored and self.source.final and not self.source.marks
        return is_stored and node.style in ("single", "double") and not node.value

    def within_depth_limit(self) -> bool:
        """Whether the texts in this text may be searched in turn."""
        return self.source.depth <= self.collector.options.max_depth

    def collect(
        self, where: str = "", key: str = "", keys: Sequence[str] = (), recognition: Recognition | None = None
    ) -> None:
        """Collect the text as a cloud.conf, or as one that only looks like it.

        Args:
            where: See `search_scalar`.
            key: See `search_scalar`.
            keys: See `search_scalar`.
            recognition: Why it is taken for a cloud.conf, or is not.
        """
        is_encoded = any(isinstance(layer, Base64) for layer in self.source.stack.layers)
        # a pipeline may replace names in templates, and in what an object holds as it stands
        has_tokens = not self.source.final or not (self.kind == FILE or is_encoded)
        source = self.source.mask_references(tokens=has_tokens)
        collector = self.collector
        if collector.options.template is None and not is_encoded:
            source = source.mask_bare_variables()
        taken = recognition is None or recognition.taken
        (collector.carried if taken else collector.not_taken).append(
            CarriedConf(
                self.kind,
                self.subject,
                " › ".join(self.route_to(where)),
                source.stack,
                source.written,
                source.marks,
                source.final and not collector.options.template,
                tuple(name for name in keys[:_MOST_SIBLINGS] if name and name != key),
                self.consumers or collector.readers_of(source, self.subject),
                self.ignores,
                self.dialect,
                key,
                collector.path,
                recognition,
                collector.document,
                collector.options.explicit,
                self.kubernetes,
                self.is_elsewhere,
                self.has_all_values,
            )
        )

    def collect_regions(self, apart: Sequence[Span] = ()) -> None:
        """Collect the parts of a text that look like a cloud.conf, where the whole cannot be parsed.

        Args:
            apart: The places of texts within it that were searched for themselves.
        """
        from ccmcheck.carriers.regions import regions

        for layer in regions(self.source.text, apart):
            self.enter(layer, final=False).collect()

    def search_unparsed(self, parsed: Iterable[YamlDocument | BadYaml]) -> None:
        """Search a text that cannot be parsed: its scripts, and the other parts that look like a cloud.conf.

        Args:
            parsed: Its documents; those that can be parsed are searched for themselves.
        """
        apart = _well_formed(parsed)
        if forms.may_hold_shell_text(self.source.text):
            apart += self.search_shell_texts("", apart)
        self.collect_regions(apart)

    def search_text(self, where: str, script: SourceText | None = None) -> None:
        """Search the objects and scripts of a text that an object holds.

        Args:
            where: See `search_scalar`.
            script: The text as a script; there ``"$(cat <<EOF …)"`` is more than one unknown value.
        """
        text = self.source.text
        apart: Sequence[Span] = ()
        if forms.may_hold_shell_text(text if script is None else script.text):
            carrier = self if script is None else self._replace(source=script)
            apart = carrier.search_shell_texts(where)
        if forms.may_hold_objects(text):
            self._search_objects(where, apart)
        elif self.kind in DOCUMENTS and not forms.is_ini(text):
            self.collect_regions(apart)  # below the words of a page, or a command that nothing shows to be one

    def _search_objects(self, where: str, apart: Sequence[Span]) -> None:
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
            carrier.collect_regions([*apart, *_well_formed(parsed)])

    def search_shell_texts(self, where: str, apart: Sequence[Span] = ()) -> list[Span]:
        """Search the heredocs and quoted texts of a script.

        Args:
            where: See `search_scalar`.
            apart: The places in which none begins that is searched.

        Returns:
            Where those are that are searched.
        """
        from ccmcheck.carriers.embedded.shell import find_in_part

        elsewhere = SpanIndex(apart)
        texts: list[EmbeddedText] = []
        places: list[Span] = []
        for text in find_in_part(self.source.text, self.source.written):
            place = text.layer.outward(Span(0, len(text.layer.text)))
            if elsewhere.end_around(place.start) is None:
                texts.append(text)
                places.append(place)
        self.search_embedded(texts, where)
        return places

    def search_embedded(self, texts: Iterable[EmbeddedText], where: str = "") -> None:
        """Search the texts of a file in another language, or of a script that an object holds.

        Args:
            texts: What a scanner found in this text.
            where: The place of the script in the object, for people.
        """
        from ccmcheck.carriers.embedded.chart_settings import ChartSettings

        for text in islice(texts, _MOST_EMBEDDED):
            place = f"{where} › {text.where}" if where else text.where
            if isinstance(text.layer, ChartSettings):
                self._collect_settings(text.layer, place)
            elif text.encoding:
                self._search_encoded(text.layer, place, text.encoding)
            else:
                self._search_embedded_text(text, place)

    def _search_embedded_text(self, embedded: EmbeddedText, where: str) -> None:
        text = embedded.layer.text
        may_be_conf = "[" in text and "=" in text
        if not (embedded.named or may_be_conf or forms.may_hold_objects(text) or forms.may_hold_shell_text(text)):
            return  # nor can it show a file that is one
        from ccmcheck.carriers.embedded.as_written import as_written, with_unknown_ends

        source = as_written(self.source.enter(embedded.layer), embedded, is_shown=self.kind in DOCUMENTS)
        text = source.text
        if self._search_shown(source, where):
            return
        recognition = None
        if embedded.named:  # cloud-provider.conf is the name of systemd's files, too
            may_be_empty = embedded.where.endswith(_ITS_NAME) and self.kind not in DOCUMENTS
            is_conf = ("[" in text and forms.is_ini(text)) or (may_be_empty and _is_left_empty(embedded))
            recognition = recognise(text, KnownBy.FILE) if is_conf else None
        elif may_be_conf and forms.is_ini(text) and not forms.holds_quoted_conf(text):
            is_list = self.kind in DOCUMENTS and forms.is_outline(text)
            recognition = recognise(text) if not is_list else None
        if recognition is not None and recognition.taken:
            if embedded.partial:
                source = with_unknown_ends(source)
            readers = embedded.readers or self.consumers
            self._replace(source=source, consumers=readers).collect(where, recognition=recognition)
        elif self.within_depth_limit():
            script = self.source.enter(embedded.layer) if embedded.variables else source
            self._replace(source=source).search_text(where, script)

    def _search_shown(self, source: SourceText, where: str) -> bool:
        """Search the files that a block of a document shows; False where it shows none."""
        from ccmcheck.carriers.embedded import console

        if self.kind not in DOCUMENTS or not self.within_depth_limit():
            return False
        parts = list(console.find(source.text))
        if parts:
            self._replace(source=source).search_embedded(parts, where)
            self._replace(source=source).search_shell_texts(where)
        return bool(parts)

    def _collect_settings(self, layer: ChartSettings, where: str) -> None:
        source = self.source.enter(layer)._replace(written=layer.written, marks=tuple(layer.unknown), final=False)
        if layer.text:
            self._replace(source=source, kind=layer.kind, subject=layer.kind, consumers=layer.consumers).collect(where)

    def _search_encoded(self, layer: Layer, where: str, encoding: str) -> None:
        outer = self._replace(source=self.source.enter(layer))
        decoded = outer._unpacked(layer.text, 0, encoding)  # noqa: SLF001 - of this class
        if decoded is None:
            return
        inner = outer.enter(decoded, final=True)
        where = f"{where} ({decoded.kind})"
        recognition = recognise(decoded.text) if forms.is_ini(decoded.text) else None
        if recognition is not None and recognition.taken:
            inner.collect(where, recognition=recognition)
        elif inner.within_depth_limit():
            inner.search_text(where)

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

    def _unpacked(self, text: str, start: int, encoding: str) -> Layer | None:
        collector = self.collector
        limit = collector.options.max_unpacked
        try:
            layer = unpacked(text, encoding, max(limit - collector.unpacked, 0))
        except TooLarge as error:
            message = error.message
            if collector.unpacked:
                message = f"this gzip and those above it unpack to more than {limit} bytes"
            collector.fail(self.source, start, message, error.hint)
            return None
        if isinstance(layer, GzipBase64):
            collector.unpacked += len(layer.text)
        return layer


def _is_left_empty(embedded: EmbeddedText) -> bool:
    """Whether a text has blank lines and comments alone, and nothing is added to it elsewhere."""
    return not embedded.partial and all(
        not line or line[0] in "#;" for line in map(str.strip, embedded.layer.text.split("\n"))
    )


def _well_formed(parsed: Iterable[YamlDocument | BadYaml]) -> list[Span]:
    """Where the documents with a mapping or list are: what they hold is found there."""
    return [
        Span(document.start, document.end)
        for document in parsed
        if not isinstance(document, BadYaml) and isinstance(document.root, (YamlMapping, YamlSequence))
    ]
