"""A Service as it is written: its fields and annotations, each with its place, and what other files add to it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.service_annotations import PREFIX, is_known, meant_for
from ccmcheck.predict.inputs.annotations import Annotations
from ccmcheck.predict.inputs.behaviours import Behaviours, behaviours_of
from ccmcheck.predict.inputs.fields import Opaque, at
from ccmcheck.predict.inputs.manifests import ServiceObject, plain, selected, sharer_of, with_pods
from ccmcheck.predict.inputs.service import Service, read_service
from ccmcheck.predict.inputs.sharing import Port, Sharer, taken_ports
from ccmcheck.yamlio import Mapping, Scalar, Sequence, YamlNode

if TYPE_CHECKING:
    from ccmcheck.carriers.base import Listening, RunContext, SharingService
    from ccmcheck.carriers.live import LiveService
    from ccmcheck.catalog import Release
    from ccmcheck.rules.views.manifest import Manifest


class WrittenAnnotation(NamedTuple):
    """One annotation as it is written.

    Attributes:
        name: Its whole name.
        key: The name's place.
        node: The value.
        text: The value as Kubernetes reads it; None where it contains a template mark, or is not a string.
    """

    name: str
    key: Scalar
    node: YamlNode
    text: str | None

    @property
    def span(self) -> Span:
        """The value's place; the name's where there is no value to point at."""
        start, end = self.node.content
        return Span(start, end) if isinstance(self.node, Scalar) and end > start else self.key.span


class WrittenService:
    """One Service of a file, at one release of the CCM."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.release: Release = manifest.release
        self.run_context: RunContext = manifest.run_context

    @cached_property
    def data(self) -> object:
        """The object as plain data; texts with a template mark as `ccmcheck.predict.inputs.fields.Opaque`."""
        item = self.manifest.object
        return plain(item.node, item.source)

    @cached_property
    def service(self) -> Service:
        """The Service as the API server hands it to the CCM."""
        service = read_service(self.data)
        selector = at(self.data, "spec", "selector")
        return with_pods(service, selector, self.manifest.owners.selected(service.namespace, selector), self.nodes)

    @property
    def listening(self) -> list[Listening | None]:
        """What lets the programs behind it expect a PROXY header, None for one of which that is not known."""
        made = self.manifest.object.listening
        namespace, selector = self.service.namespace, at(self.data, "spec", "selector")
        owners = selected(namespace, selector, self.manifest.owners.selected(namespace, selector))
        return [made] if made is not None else [one.listening for one in owners]

    @property
    def nodes(self) -> int | None:
        """The number of nodes; None when unknown."""
        return self.run_context.facts.nodes

    @property
    def behaviours(self) -> Behaviours:
        """What the release does and does not do."""
        return behaviours_of(self.release)

    @cached_property
    def is_live(self) -> bool:
        """Whether it comes from the API server, with all that the CCM wrote to it."""
        return any(
            at(self.data, *way)
            for way in (("metadata", "uid"), ("metadata", "resourceVersion"), ("status", "loadBalancer", "ingress"))
        )

    @property
    def live(self) -> LiveService | None:
        """What a running cluster says of it; None for a file."""
        live = self.run_context.live
        return live.services.get(self.service.title) if live is not None else None

    @cached_property
    def is_meant_for_others(self) -> bool:
        """Whether its annotations address another implementation of load balancers, and none the CCM."""
        return bool(meant_for(self.annotations))

    def is_patched(self, name: str) -> bool:
        """Whether a patch in another file of the run sets an annotation of the Service, as a kustomization does."""
        patches = self.run_context.sharing_services.get(f"Service {self.manifest.name}", ())
        return any(name in patch.patches for patch in patches if patch.path != self.manifest.path)

    @property
    def protocols(self) -> frozenset[str]:
        """The protocols of its ports."""
        return frozenset(port.protocol for port in self.service.ports)

    @cached_property
    def is_settled(self) -> bool:
        """Whether what is not there now is not there after rendering either."""
        if any(name in ("metadata", "spec", "spec.ports", "metadata.annotations") for name in self.service.open):
            return False
        return not self.manifest.has_template_lines(self.manifest.node.content)

    @property
    def is_partial(self) -> bool:
        """Whether it may be a patch that only changes some fields of a Service elsewhere, as Kustomize has them."""
        return at(self.data, "spec", "selector") is None

    def pair_at(self, *path: str | int) -> tuple[Scalar | None, YamlNode | None]:
        """A field's name and its value; None for what is not there, and for an item's name."""
        key: Scalar | None = None
        node: YamlNode | None = self.manifest.node
        for part in path:
            if isinstance(part, str):
                mapping = node if isinstance(node, Mapping) else None
                key, node = (mapping.key(part), mapping.get(part)) if mapping is not None else (None, None)
            else:
                key, node = None, node.item(part) if isinstance(node, Sequence) else None
        return key, node

    def span_of(self, *path: str | int) -> Span:
        """The place of a field: its value's if that is a scalar, else its key's; of the nearest one above if none."""
        span, node = self.key_span_of(*path), self.pair_at(*path)[1]
        if isinstance(node, Scalar) and not node.shared and node.content.end > node.content.start:
            return node.content
        return span

    def key_span_of(self, *path: str | int) -> Span:
        """The place of a field's name; of the nearest one above where there is none."""
        span = ServiceObject(self.service, self.manifest.object).span_of(path)
        if span == self.manifest.node.content:
            key = self.manifest.node.key("kind")
            return key.span if key is not None else Span(span.start, span.start)
        return span

    @cached_property
    def annotations(self) -> dict[str, WrittenAnnotation]:
        """Its annotations by their whole names."""
        node = self.manifest.at("metadata", "annotations")
        annotations: dict[str, WrittenAnnotation] = {}
        for key, value in node.items if isinstance(node, Mapping) else ():
            if key.value == "<<" or self.manifest.has_mark(key):
                continue
            text = plain(value, self.manifest.object.source)
            known = (
                None if isinstance(text, Opaque) else "" if text is None else text if isinstance(text, str) else None
            )
            annotations[key.value] = WrittenAnnotation(key.value, key, value, known)
        return annotations

    @cached_property
    def has_alternatives(self) -> bool:
        """Whether a template's own lines decide which of the annotations are there."""
        metadata = self.manifest.at("metadata")
        key = metadata.key("annotations") if isinstance(metadata, Mapping) else None
        node = metadata.get("annotations") if isinstance(metadata, Mapping) else None
        if key is None or node is None:
            return False
        return self.manifest.has_template_lines(Span(key.span.end, max(key.span.end, node.content.end)))

    def annotation(self, name: str) -> WrittenAnnotation | None:
        """One annotation that the release knows.

        Args:
            name: Its name without the CCM's prefix, or its whole name.
        """
        whole = name if "/" in name else PREFIX + name
        return self.annotations.get(whole) if "/" in name or is_known(whole, self.release) else None

    @cached_property
    def said(self) -> Annotations:
        """Its annotations as the release reads them."""
        return Annotations(self.service.annotations, self.behaviours)

    @cached_property
    def sharers_before(self) -> list[SharingService]:
        """The other Services that name its load balancer, and go before it."""
        sharer = self._sharer
        if sharer is None or self.annotation("load-balancer-id") is None:
            return []
        return [other for other in self.others(sharer.balancer) if (other.path, other.subject) < sharer.place]

    @cached_property
    def _sharer(self) -> Sharer | None:
        return sharer_of(ServiceObject(self.service, self.manifest.object))

    @cached_property
    def taken_ports(self) -> dict[Port, SharingService]:
        """Its ports that one of these has already, each with that one."""
        sharer = self._sharer
        if sharer is None or not self.sharers_before:
            return {}
        others = {(other.path, other.subject): other for other in self.sharers_before}
        before = (
            Sharer(place, sharer.balancer, tuple((int(port), name) for port, name in other.ports if port.isdecimal()))
            for place, other in others.items()
        )
        taken = taken_ports((sharer, *before)).get(sharer.place, {})
        return {port: others[place] for port, place in taken.items()}

    def others(self, name: str) -> list[SharingService]:
        """The other Services of the run that name a load balancer, or an address."""
        manifest = self.manifest
        path, subject = manifest.path, manifest.subject
        of_run = [service for service in self.run_context.sharing_services.get(name, ()) if service.path != path]
        of_file = [service for service in manifest.sharing_services if name in (service.balancer, service.address)]
        # the same Service in another file is a copy of it, for another cluster
        return list(
            {service.subject: service for service in (*of_run, *of_file) if service.subject != subject}.values()
        )
