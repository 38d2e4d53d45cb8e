"""A text that a scanner found in a file of another language."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.layers.base import Layer


class EmbeddedText(NamedTuple):
    """One text in a file of another language.

    Attributes:
        layer: The lens on it.
        where: What it is, for people: ``heredoc /etc/kubernetes/cloud.conf``, ``fenced block``.
        shell: The characters that a backslash escapes in it, where the shell replaces ``$NAME`` and ``$(command)``;
            empty where it does not.
        variables: Whether ``$NAME`` stands for a value that is not known here, though no shell reads it.
        literal: Whether the shell leaves ``$NAME`` in it as it is.
        named: Whether its name says that it is a cloud.conf.
        partial: Whether more text is added to it elsewhere.
        inserted: The places in it where a program puts values that are not known here.
        encoding: How it is encoded, in cloud-init's words; empty for not at all.
        readers: The programs that read it, as far as the code around it says.
    """

    layer: Layer
    where: str
    shell: str = ""
    variables: bool = False
    literal: bool = False
    named: bool = False
    partial: bool = False
    inserted: tuple[Span, ...] = ()
    encoding: str = ""
    readers: tuple[str, ...] = ()


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with its start and its line end."""
    position = 0
    while position < len(text):
        end = text.find("\n", position) + 1 or len(text)
        yield position, text[position:end]
        position = end
