"""A template tag or block that is not closed.

What it does: finds tags without their end, such as `{% if x` or `{{ .Values.region`, in templates of a cloud.conf, and conditions and
loops that are opened or closed once too often where the template is a file of its own.

Why: a bracket or an `endif` was forgotten.

What the CCM does: nothing, because the tool that renders the template ends with an error.

Releases: all

Fix: by hand: close the tag.

Source: Jinja's Template Designer Documentation; Go's text/template; Terraform's String Templates
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import marks as template_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf
    from ccmcheck.yamlio import Mark

META = Meta("template-broken", "A template tag or block that is not closed", Severity.ERROR, per_release=False)

BAD = (
    Case("[Global]\n{% if region\nregion={{ region }}\n{% endif %}\n", at=(2, 1), template=True),
    Case("[Global]\n{%- if {{ x }} %}\nregion=R\n{% endif %}\n", at=(2, 1), template=True),
    Case("[Global]\nregion={{ .Values.region\nauth-url={{ .Values.url }}\n", at=(2, 8), template=True),
    Case("[Global]\n{% if x %}\nregion=R\n", at=(2, 1), template=True),
    Case("[Global]\nregion=R\n{{- end }}\n{{ .x }}\n", at=(3, 1), template=True, shown=False),
    Case("[Global]\n%{ if x\nregion=${r}\n%{ endif }\n", at=(2, 1), template=True, shown=False),
    Case("[Global]\n{{ if .a }}\n{{ range .b }}\nregion=R\n{{ end }}\n", at=(2, 1), template=True, shown=False),
    Case("[Global]\n{% for x in y %}\nregion=R\n{% endif %}\n", at=(4, 1), template=True, shown=False),
)
GOOD = (
    Case("[Global]\n{% if x %}\nregion={{ region }}\n{% else %}\nregion=R\n{% endif %}\n", template=True),
    Case("[Global]\n{{- with .a }}\nregion={{ . }}\n{{- end }}\n", template=True),
    Case("{% if x %}\n[Global]\n{% endif %}\n", template=True, carrier="Secret", shown=False),
    Case("[Global]\n{{ end }}\n{{ if x }}\n", template=True, carrier="Secret", shown=False),
    Case("[Global]\npassword={{a{%b\n", shown=False),
    Case("[Global]\n{% set x = [\n  1,\n] %}\nregion={{ x }}\n", template=True, shown=False),
    Case("[Global]\n{{/* {{ x }}\n*/}}\nregion={{ x }}\n", template=True, shown=False),
    Case('[Global]\n{% raw %}{{ x }}{% endraw %}\nregion={{ "{{" }}\n', template=True, shown=False),
    Case("[Global]\n%{ for x in y ~}\nregion=${x}\n%{ endfor ~}\n", template=True, shown=False),
)

_WORD = lazy_regex(r"(?P<sign>\{%|\{\{|%\{)[-+~]?\s*+(?P<word>[a-z]++)")
_OPENERS = {
    "{%": {"if": "endif", "for": "endfor"},
    "%{": {"if": "endif", "for": "endfor"},
    "{{": dict.fromkeys(("if", "range", "with", "define", "block"), "end"),
}
_CLOSERS = frozenset(("endif", "endfor", "end"))


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at each tag, and count the blocks of a file."""
    if not conf.carried.marks:
        return
    found = template_marks.find(conf.text)
    broken = [mark for mark in found if mark.kind == "broken"]
    for mark in broken:
        yield Problem(
            mark.span,
            "this tag is not closed, so the template cannot be rendered",
            "What follows on the line is unknown; the lines below are read as they stand.",
            "Close the tag on its line.",
        )
    if not broken and conf.carried.carrier == "file" and not any(layer.kind != "template" for layer in conf.layers):
        yield from _blocks(conf, found)


def _blocks(conf: CloudConf, found: list[Mark]) -> Iterator[Problem]:
    """The first block that is not closed, or closed without being open."""
    waiting: list[tuple[Mark, str, str]] = []
    for mark in found:
        match = _WORD.match(conf.text, mark.span.start, mark.span.end)
        if mark.kind != "control" or match is None:
            continue
        sign, word = match["sign"], match["word"]
        if word in _OPENERS[sign]:
            waiting.append((mark, word, _OPENERS[sign][word]))
        elif word in _CLOSERS and (sign == "{{") == (word == "end"):
            if not waiting or waiting[-1][2] != word:
                yield Problem(
                    mark.span,
                    f"`{word}` closes nothing that is open here, so the template cannot be rendered",
                    "",
                    "Delete it, or open the block above.",
                )
                return
            waiting.pop()
    if waiting:
        mark, word, closer = waiting[0]
        yield Problem(
            mark.span,
            f"this `{word}` is never closed, so the template cannot be rendered",
            "",
            f"Close it with `{closer}`.",
        )
