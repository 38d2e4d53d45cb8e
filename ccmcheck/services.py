"""What a rule about Services sees: one Service at one release, the configuration near it, and what both come to.

Contract 7: what a template mark hides, and what only a cloud.conf that nobody gave would tell, is ``UNKNOWN``.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.carriers.base import Bundle, Carried, ConfBeside
from ccmcheck.carriers.beside import beside, is_for_ccm
from ccmcheck.catalog import octavia
from ccmcheck.catalog.service_annotations import PREFIX, is_known, owner_of
from ccmcheck.gcfg import parse
from ccmcheck.layers.stack import Stack
from ccmcheck.model import Span
from ccmcheck.near import folder_of
from ccmcheck.predict.annotations import INTERNAL, Annotations, CcmError
from ccmcheck.predict.fields import Opaque
from ccmcheck.predict.manifests import Met, at, owners, plain, with_pods
from ccmcheck.predict.options import Options, options_of
from ccmcheck.predict.service import Service, read_service
from ccmcheck.predict.ways import Ways, ways_of
from ccmcheck.reading import read
from ccmcheck.records import NamedTuple
from ccmcheck.views import UNKNOWN, CloudConf, Unknown
from ccmcheck.yamlio import Mapping, Node, Scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ccmcheck.carriers.base import BoundService
    from ccmcheck.catalog import Release
    from ccmcheck.manifests import Manifest
    from ccmcheck.policy.records import Row
    from ccmcheck.predict.cloud import Cloud
    from ccmcheck.predict.records import Answer, Prediction

__all__ = ["INTERNAL", "Annotation", "ServiceView", "options_at"]

FIRST_RELEASE = "1.14"
"""What older releases make of a Service is not known well enough to judge it."""


_NAMES_ALONE = frozenset(
    {
        "availability-zone",
        "flavor-id",
        "floating-network-id",
        "floating-subnet",
        "floating-subnet-id",
        "floating-subnet-tags",
        "ingress-hostname-suffix",
        "member-subnet-id",
        "network-id",
        "subnet-id",
    }
)
"""Keys that name something at the cloud: a template's mark in them leaves everything else known."""
_DECIDE_THE_ROW = frozenset({"lb-provider", "provider-requires-serial-api-calls"})


class Annotation(NamedTuple):
    """One annotation as it is written.

    Attributes:
        name: Its whole name.
        key: The name's place.
        node: The value.
        text: What Kubernetes takes the value for; None where a template mark is a part of it, or it is no text.
    """

    name: str
    key: Scalar
    node: Node
    text: str | None

    @property
    def span(self) -> Span:
        """The value's place; the name's where there is no value to point at."""
        start, end = self.node.content
        return Span(start, end) if isinstance(self.node, Scalar) and end > start else self.key.span


class ServiceView:
    """One Service of a file, at one release of the CCM.

    Args:
        manifest: The object.
    """

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.release: Release = manifest.release
        self.bundle: Bundle = manifest.bundle

    # ---- the Service itself

    @cached_property
    def data(self) -> object:
        """The object as plain data; texts with a template mark as `ccmcheck.predict.fields.Opaque`."""
        found = self.manifest.found
        return plain(found.node, found.level)

    @cached_property
    def service(self) -> Service:
        """The Service as the API server hands it to the CCM."""
        near = self.bundle.owners.get(folder_of(self.manifest.path), ())
        beside = [one for one in near if one.path != self.manifest.path]
        found = (*beside, *owners(self.manifest.neighbours))
        return with_pods(read_service(self.data), at(self.data, "spec", "selector"), found, self.nodes)

    @property
    def nodes(self) -> int | None:
        """How many nodes there are: as the user says, else as the files of the run hold Nodes; None when unknown."""
        return self.bundle.nodes if self.bundle.nodes is not None else self.bundle.counted

    @property
    def ways(self) -> Ways:
        """What the release does and does not do."""
        return ways_of(self.release)

    @cached_property
    def handled(self) -> bool:
        """Whether the CCM makes a load balancer for it; False where that is not sure from the Service alone."""
        service = self.service
        if not self.release.at_least(FIRST_RELEASE) or service.type != "LoadBalancer" or service.owner:
            return False
        if not service.ports and "spec.ports" not in service.open:
            return False  # a patch of a Service that lies elsewhere
        options = self.options
        return options is None or not (options.unsupported or not options.use_octavia)

    @cached_property
    def is_live(self) -> bool:
        """Whether it comes from the API server, with all that the CCM wrote to it."""
        return any(
            at(self.data, *way)
            for way in (("metadata", "uid"), ("metadata", "resourceVersion"), ("status", "loadBalancer", "ingress"))
        )

    @cached_property
    def is_meant_for_others(self) -> bool:
        """Whether its annotations speak to another implementation of load balancers, and none to the CCM."""
        names = self.annotations
        return any(map(owner_of, names)) and not any(name.startswith(PREFIX) for name in names)

    @property
    def is_ours(self) -> bool:
        """Whether the CCM makes a load balancer for it, and nothing says that it is meant for another cloud."""
        return self.handled and not self.is_meant_for_others

    def is_patched(self, name: str) -> bool:
        """Whether a patch in another file of the run sets an annotation of the Service, as a kustomization does.

        Args:
            name: Its whole name.
        """
        found = self.bundle.bound.get(f"Service {self.manifest.name}", ())
        return any(name in one.patches for one in found if one.path != self.manifest.path)

    @property
    def protocols(self) -> frozenset[str]:
        """The protocols of its ports."""
        return frozenset(port.protocol for port in self.service.ports)

    @cached_property
    def is_settled(self) -> bool:
        """Whether what is not there now is not there after rendering either."""
        manifest = self.manifest
        if manifest.final:
            return True
        if any(name in ("metadata", "spec", "spec.ports", "metadata.annotations") for name in self.service.open):
            return False
        return not manifest.has_template_lines(manifest.node.content)

    @property
    def is_partial(self) -> bool:
        """Whether it may be a patch that only changes some fields of a Service elsewhere, as Kustomize has them."""
        return at(self.data, "spec", "selector") is None

    def pair_at(self, *path: str | int) -> tuple[Scalar | None, Node | None]:
        """A field's name and its value; None for what is not there, and for an item's name."""
        key: Scalar | None = None
        node: Node | None = self.manifest.node
        for part in path:
            if isinstance(part, str):
                found = node if isinstance(node, Mapping) else None
                key, node = (found.key(part), found.get(part)) if found is not None else (None, None)
            else:
                items: Sequence[Node] = getattr(node, "items", ())
                key, node = None, items[part] if part < len(items) else None
        return key, node

    def span_of(self, *path: str | int) -> Span:
        """The place of a field: its value's if that is a scalar, else its key's; of the nearest one above if none."""
        span, node = self.key_span_of(*path), self.pair_at(*path)[1]
        if isinstance(node, Scalar) and not node.shared and node.content.end > node.content.start:
            return node.content
        return span

    def key_span_of(self, *path: str | int) -> Span:
        """The place of a field's name; of the nearest one above where there is none."""
        span = Met(self.service, self.manifest.found).span_of(path)
        if span == self.manifest.node.content:
            key = self.manifest.node.key("kind")
            return key.span if key is not None else Span(span.start, span.start)
        return span

    # ---- annotations

    @cached_property
    def annotations(self) -> dict[str, Annotation]:
        """Its annotations by their whole names."""
        node = self.manifest.at("metadata", "annotations")
        found: dict[str, Annotation] = {}
        for key, value in node.items if isinstance(node, Mapping) else ():
            if key.value == "<<" or self.manifest.has_mark(key):
                continue
            text = plain(value, self.manifest.found.level)
            known = (
                None if isinstance(text, Opaque) else "" if text is None else text if isinstance(text, str) else None
            )
            found[key.value] = Annotation(key.value, key, value, known)
        return found

    @property
    def conf_name(self) -> str:
        """The cloud.conf that decides, for people; empty where none is known, or several agree."""
        return self.confs[0].title if len(self.confs) == 1 else ""

    @cached_property
    def _has_alternatives(self) -> bool:
        """Whether a template's own lines decide which of the annotations are there."""
        metadata = self.manifest.at("metadata")
        key = metadata.key("annotations") if isinstance(metadata, Mapping) else None
        node = metadata.get("annotations") if isinstance(metadata, Mapping) else None
        if self.manifest.final or key is None or node is None:
            return False
        return self.manifest.has_template_lines(Span(key.span.end, max(key.span.end, node.content.end)))

    def annotation(self, name: str) -> Annotation | None:
        """One annotation that the release knows.

        Args:
            name: Its name without the CCM's prefix, or its whole name.
        """
        whole = name if "/" in name else PREFIX + name
        return self.annotations.get(whole) if "/" in name or is_known(whole, self.release) else None

    @cached_property
    def said(self) -> Annotations:
        """Its annotations as the release reads them."""
        return Annotations(self.service.annotations, self.ways)

    # ---- configuration

    @cached_property
    def confs(self) -> tuple[ConfBeside, ...]:
        """The cloud.confs nearest to it: those of its own file, else of its folder, else of one around it."""
        own = [beside(one) for one in self.manifest.confs_of_file if is_for_ccm(one)]
        if own:
            return tuple(own)
        known = self.bundle.confs
        return known.get(self.manifest.path) or known.get("", ())

    @cached_property
    def options(self) -> Options | None:
        """The configuration as the release reads it.

        None where no cloud.conf is known, where several that are equally near differ, and where the CCM does not start
        with it.
        """
        found = [options_at(one, self.release) for one in self.confs]
        if not found or any(one is None or one.stop for one in found):
            return None
        return found[0] if all(_agree(one, found[0]) for one in found[1:]) else None

    def config(self, key: str) -> object:
        """What the configuration says of a key of ``[LoadBalancer]``, as `ccmcheck.predict.options.Options` has it.

        Args:
            key: As the catalogue writes it.
        """
        options = self.options
        if options is None or key in options.open:
            return UNKNOWN
        name = "serial" if key == "provider-requires-serial-api-calls" else key.replace("-", "_")
        value: object = getattr(options, name)
        return value

    # ---- what holds: annotation over configuration

    def switch(self, name: str, key: str = "") -> bool | Unknown:
        """A bool annotation, else the key that it overrides, else false.

        Args:
            name: The annotation.
            key: The key; empty where there is none.
        """
        given = self.annotation(name)
        if given is not None:
            if given.text is None or self._has_alternatives:
                return UNKNOWN
            if given.text in ("true", "false"):
                return given.text == "true"
            if self.ways["bad-bool-is-an-error"]:
                return UNKNOWN
        elif not self.is_settled or self.is_patched(name if "/" in name else PREFIX + name):
            return UNKNOWN
        value = self.config(key) if key else False
        return value if isinstance(value, bool) else UNKNOWN

    def word(self, name: str, key: str = "") -> str | Unknown:
        """A text annotation, which counts when it is empty too, else the key that it overrides, else nothing.

        Args:
            name: The annotation.
            key: The key; empty where there is none.
        """
        given = self.annotation(name)
        if given is not None:
            return UNKNOWN if given.text is None or self._has_alternatives else given.text
        if not self.is_settled or self.is_patched(name if "/" in name else PREFIX + name):
            return UNKNOWN
        value = self.config(key) if key else ""
        return value if isinstance(value, str) else UNKNOWN

    @cached_property
    def monitor(self) -> bool | Unknown:
        """Whether its pools get health monitors."""
        return self.switch("enable-health-monitor", "create-monitor")

    @property
    def monitor_annotation(self) -> Annotation | None:
        """The annotation that decides about monitors; None where the configuration does."""
        given = self.annotation("enable-health-monitor")
        return given if given is not None and given.text in ("true", "false") else None

    @cached_property
    def driver(self) -> str | Unknown:
        """The driver of its load balancer: ``amphora``, ``ovn`` or ``other``."""
        provider = self.config("lb-provider")
        return octavia.family(provider or "amphora") if isinstance(provider, str) else UNKNOWN

    @cached_property
    def proxy(self) -> str | Unknown:
        """The pool's protocol that its annotation asks for: ``PROXY``, ``PROXYV2`` or empty."""
        if self.word("proxy-protocol") is UNKNOWN:
            return UNKNOWN
        try:
            return Annotations(self.service.annotations, self.ways).proxy()
        except CcmError:
            return UNKNOWN

    @cached_property
    def tls(self) -> str | Unknown:
        """The TLS reference that every listener gets; empty for none."""
        if not self.ways["tls-references"]:
            return ""
        return self.word("default-tls-container-ref", "default-tls-container-ref")

    @cached_property
    def internal(self) -> bool | Unknown:
        """Whether it gets no floating IP."""
        if self.ways["internal-is-enforced"] and self.config("internal-lb") is True:
            return True
        return self.switch(INTERNAL, "internal-lb")

    # ---- what both come to

    @cached_property
    def cloud(self) -> Cloud:
        """What is known of the cloud and the cluster."""
        from ccmcheck.predict.cloud import told_by

        told = self.bundle
        return told_by(told.facts)._replace(
            node_count=self.nodes, octavia=told.octavia_release, kubernetes=told.kubernetes_version
        )

    @cached_property
    def prediction(self) -> Prediction | None:
        """What the CCM does with it; None where a part of it, or of the configuration, is unknown."""
        options = self.options
        if options is None or not _NAMES_ALONE.issuperset(options.open) or self.service.open or not self.is_settled:
            return None
        from ccmcheck.predict.predict import predict

        return predict(options, self.service, self.cloud)

    def answer(self, name: str) -> Answer | None:
        """One verdict of the prediction; None where it is not judged, or there is no load balancer to judge.

        Args:
            name: Its name, as `ccmcheck.predict.records.Answer` has it.
        """
        told = self.prediction
        if told is None or told.outcome.value not in ("accepted", "unknown"):
            return None
        return told.answer(name)

    @cached_property
    def row(self) -> Row | None:
        """The row of the create-monitor matrix that it falls under; None where too little is known."""
        from ccmcheck.predict.advice import row_for

        options = self.options
        if options is None or not _DECIDE_THE_ROW.isdisjoint(options.open):
            return None
        return row_for(options, self.service, self.cloud, bool(self.proxy), len(self.service.ports))

    def others(self, name: str) -> list[BoundService]:
        """The other Services of the run that name a load balancer, or an address.

        Args:
            name: The load balancer's ID, or the address.
        """
        manifest = self.manifest
        path, subject = manifest.path, manifest.subject
        of_run = [one for one in self.bundle.bound.get(name, ()) if one.path != path]
        of_file = [one for one in manifest.bound if name in (one.balancer, one.address)]
        # the same Service in another file is a copy of it, for another cluster
        return list({one.subject: one for one in (*of_run, *of_file) if one.subject != subject}.values())

    def __repr__(self) -> str:
        return f"<ServiceView {self.manifest.subject} at {self.release.name}>"


@lru_cache(maxsize=64)
def options_at(conf: ConfBeside, release: Release) -> Options | None:
    """A cloud.conf as a release reads it; None where it tells nothing.

    Args:
        conf: The cloud.conf.
        release: The release.
    """
    if conf.broken:
        return None
    schema = catalog.schema(release)
    document = parse(conf.text)
    carried = Carried("file", "", "", Stack(conf.text), conf.text, conf.marks, final=not conf.marks, path=conf.path)
    view = CloudConf(carried, document, read(document, schema), schema, release, Bundle())
    return options_of(view) if view.for_ccm else None


def _agree(one: Options | None, other: Options | None) -> bool:
    """Whether two configurations come to the same, whatever is written down of it."""
    if one is None or other is None:
        return False
    blank = frozenset[str]()
    return one._replace(given=blank) == other._replace(given=blank)
