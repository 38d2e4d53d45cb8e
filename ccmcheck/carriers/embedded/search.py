"""Searches the texts that the scanners find in a file of another language."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded import fences, go_templates, hcl, languages, literal_blocks, make, shell
from ccmcheck.carriers.embedded.embedded_text import MOST
from ccmcheck.carriers.embedded.signs import may_hold_heredoc
from ccmcheck.carriers.recognise import is_cloud_conf, is_foreign, is_ini, may_hold_objects
from ccmcheck.layers import Unescaped
from ccmcheck.yamlio import marks as template_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ccmcheck.carriers.carrier import Carrier
    from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
    from ccmcheck.carriers.source_text import SourceText

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
}
_BEFORE_HEADER = lazy_regex(r"\n(?=(?:[ \t\r]*+\n)*+[ \t]*+\[)")


def search_file(carrier: Carrier, language: str) -> None:
    """Search a file of another language.

    Args:
        carrier: The file.
        language: See `ccmcheck.carriers.embedded.languages`.
    """
    scanner = _SCANNERS.get(language)
    if scanner is None:
        return
    collector = carrier.collector
    shared = (
        collector.pods,
        collector.clusters,
        collector.resource_sets,
        collector.switches,
        collector.sharing_services,
    )
    search_texts(carrier._replace(kind=language), scanner(carrier.source.text))
    if language in languages.DOCUMENTS:
        if not collector.carried and not collector.objects:
            carrier._replace(kind=language).collect_regions()
        for contributions in shared:
            contributions.clear()  # an example says nothing about the files beside it


def search_texts(carrier: Carrier, texts: Iterable[EmbeddedText], where: str = "") -> None:
    """Search the texts of a file, or of a script that an object holds.

    Args:
        carrier: The file or object, with the text that they are in.
        texts: What a scanner found in it.
        where: The place of the script in the object, for people.
    """
    for text in islice(texts, MOST):
        place = f"{where} › {text.where}" if where else text.where
        _search_text(carrier, text, place)


def _search_text(carrier: Carrier, embedded: EmbeddedText, where: str) -> None:
    text = embedded.layer.text
    if embedded.encoding:
        carrier.search_encoded(embedded.layer, where, embedded.encoding)
        return
    may_be_conf = "[" in text and "=" in text
    if not may_be_conf and not may_hold_objects(text) and not may_hold_heredoc(text):
        return
    source = _as_written(carrier.source.enter(embedded.layer), embedded)
    inner = carrier._replace(source=source)
    text = source.text
    if may_be_conf and is_ini(text) and (is_cloud_conf(text) or (embedded.named and not is_foreign(text))):
        if embedded.partial:
            inner = inner._replace(source=_with_unknown_ends(source))
        inner.collect(where)
    elif carrier.within_depth_limit():
        inner.search_text(where)


def _as_written(source: SourceText, embedded: EmbeddedText) -> SourceText:
    """The text as the shell or template writes it, with what they replace masked."""
    if embedded.shell or embedded.variables:
        from ccmcheck.carriers.embedded.shell_expansions import find

        marks = find(source.text)
    else:
        marks = template_marks.find(source.text)
    if marks:
        source = source.mask_marks(marks)._replace(final=False)
    if embedded.shell and "\\" in source.text:
        source = source.enter(Unescaped(source.text, embedded.shell))
    return source


def _with_unknown_ends(source: SourceText) -> SourceText:
    """The text of a file that more text is appended to: its sections may have more keys."""
    text = source.text
    ends = [match.start() for match in _BEFORE_HEADER.finditer(text)]
    ends.append(len(text.rstrip()))
    marks = sorted({*source.marks, *(Span(end, end) for end in ends)})
    return source._replace(marks=tuple(marks), final=False)
