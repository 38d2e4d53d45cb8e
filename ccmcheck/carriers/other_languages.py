"""Searches a file of another language with the scanner for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccmcheck.carriers import service_annotations
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.collector import Collector
from ccmcheck.carriers.embedded import fences, go_source, go_templates, hcl, languages, literal_blocks, make, shell
from ccmcheck.carriers.embedded.chart_settings import in_shell
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText

_SCANNERS: dict[str, Callable[[str], Iterator[EmbeddedText]]] = {
    languages.SHELL: shell.find,
    languages.DOCKER: shell.find,
    languages.MAKE: make.find,
    languages.HCL: hcl.find,
    languages.MARKDOWN: fences.find,
    languages.ASCIIDOC: literal_blocks.find_in_asciidoc,
    languages.RST: literal_blocks.find_in_rst,
    languages.TEXT: fences.find,
    languages.GO_TEMPLATE: go_templates.find,
    languages.GO: go_source.find,
}


_WITH_COMMANDS = frozenset(_SCANNERS) - {languages.GO_TEMPLATE, languages.GO}


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
    if language in languages.DOCUMENTS:
        texts = _numbered(carrier.collector, texts)
    carrier._replace(kind=language).search_embedded(texts)
    if language == languages.HCL and "kubernetes_service" in carrier.source.text:
        _collect_services(carrier)
    if language in _WITH_COMMANDS:
        in_maps = language not in languages.DOCUMENTS
        service_annotations.find_in_commands(carrier._replace(kind=language), in_maps=in_maps)
    if language in languages.DOCUMENTS:
        carrier._replace(kind=language).search_embedded(in_shell(carrier.source.text))


def _collect_services(carrier: Carrier) -> None:
    """Collect the Services of Terraform's provider for Kubernetes."""
    from ccmcheck.carriers import written_service
    from ccmcheck.carriers.embedded import hcl_maps

    for name, tree in hcl_maps.services(carrier.source.text):
        if hcl_maps.is_complete(tree):
            written_service.collect(carrier._replace(kind=languages.HCL, subject=name), tree, name)


def _numbered(collector: Collector, texts: Iterator[EmbeddedText]) -> Iterator[EmbeddedText]:
    """The examples of a document: each is searched as a document of its own, which may name the CCM's release."""
    for number, text in enumerate(texts):
        collector.document = number
        yield text
