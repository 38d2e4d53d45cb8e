"""Searches a file of another language with the scanner for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccmcheck.base.model import Span
from ccmcheck.base.span_index import SpanIndex
from ccmcheck.base.text import has_one
from ccmcheck.carriers import service_annotations
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.collector import Collector
from ccmcheck.carriers.embedded import fences, go_source, go_templates, hcl, hcl_maps, literal_blocks, make, shell
from ccmcheck.carriers.embedded.chart_settings import in_shell
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.catalog.signs import paths

_SCANNERS: dict[str, Callable[[str], Iterator[EmbeddedText]]] = {
    paths.SHELL: shell.find,
    paths.DOCKER: shell.find,
    paths.MAKE: make.find,
    paths.HCL: hcl.find,
    paths.MARKDOWN: fences.find,
    paths.ASCIIDOC: literal_blocks.find_in_asciidoc,
    paths.RST: literal_blocks.find_in_rst,
    paths.TEXT: fences.find,
    paths.GO_TEMPLATE: go_templates.find,
    paths.GO: go_source.find,
}


_WITH_COMMANDS = frozenset(_SCANNERS) - {paths.GO_TEMPLATE, paths.GO}


def search_file(carrier: Carrier, language: str) -> None:
    """Search a file of another language.

    Args:
        carrier: The file.
        language: See `ccmcheck.carriers.embedded.languages`.
    """
    scanner = _SCANNERS.get(language)
    if scanner is None:
        return
    texts = scanner(carrier.source.text)
    if language in paths.DOCUMENTS:
        texts = _numbered(carrier.collector, texts)
    if language == paths.HCL and "helm_release" in carrier.source.text:
        from ccmcheck.carriers import helm_releases

        apart = SpanIndex(helm_releases.search(carrier))
        texts = (one for one in texts if apart.end_around(one.layer.outward(Span(0, 0)).start) is None)
    carrier._replace(kind=language).search_embedded(texts)
    if language == paths.HCL and has_one(carrier.source.text, hcl_maps.RESOURCES):
        _collect_resources(carrier)
    if language in _WITH_COMMANDS:
        in_maps = language not in paths.DOCUMENTS
        service_annotations.find_in_commands(carrier._replace(kind=language), in_maps=in_maps)
    if language in paths.DOCUMENTS:
        carrier._replace(kind=language).search_embedded(in_shell(carrier.source.text))


def _collect_resources(carrier: Carrier) -> None:
    """Collect the Services of Terraform's provider for Kubernetes, and other resources that rules are about."""
    from ccmcheck.carriers import written_service

    for name, tree in hcl_maps.resources(carrier.source.text):
        named = carrier._replace(kind=paths.HCL, subject=name)
        if name.startswith("kubernetes_service"):
            if hcl_maps.is_complete(tree):
                written_service.collect(named, tree, name)
        elif (obj := written_service.made_object(named, tree, name, name.partition(" ")[0])) is not None:
            carrier.collector.objects.append(obj)


def _numbered(collector: Collector, texts: Iterator[EmbeddedText]) -> Iterator[EmbeddedText]:
    """The examples of a document: each is searched as a document of its own, which may name the CCM's release."""
    for number, text in enumerate(texts):
        collector.document = number
        yield text
