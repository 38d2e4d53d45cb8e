"""A line that is not a valid key: an illegal character, a colon, or a missing equals sign.

What it does: finds keys with `_`, `.` or `/`, keys that start with a digit or a hyphen, `key: value`, `key value`, comments and template
lines in another language's syntax, and the one internal field that cannot be set.

Why: a key is a letter, followed by letters, digits and hyphens. `auth_url`, as clouds.yaml spells it, is the most common mistake; the
CCM's own documentation had `create_monitor` for four releases.

What the CCM does: it stops with `illegal character U+005F '_'`, `illegal character U+003A ':'` or `expected '='`. The name is never
looked up, so this is not an unknown key.

Releases: all

Fix: writes hyphens where that makes a known key, and `=` for the colon after one; removes invisible characters.

Fix safety: safe because the file cannot be read as it is, and only one correction is possible

Source: gcfg v1.2.3 scanner/scanner.go, run; kubernetes/cloud-provider-openstack#2489
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Edit, Problem, Severity, Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.rules._support import fixes, spelling, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Fix, Stop
    from ccmcheck.conf.view import CloudConf

META = Meta(
    "gcfg-illegal-key-char",
    "A line that is not a valid key",
    Severity.ERROR,
    claims=("illegal-character", "expected-key", "expected-equals", "reserved-key"),
)

BAD = (
    Case("[Global]\nauth_url = https://k\n", at=(2, 5), fixed="[Global]\nauth-url = https://k\n"),
    Case("[LoadBalancer]\nsubnet-id: x\n", at=(2, 10), fixed="[LoadBalancer]\nsubnet-id= x\n"),
    Case("[LoadBalancer]\ncreate monitor = true\n", at=(2, 8), fixed="[LoadBalancer]\ncreate-monitor = true\n"),
    Case("[Global]\n// the cloud\nregion = R\n", at=(2, 1)),
    Case("[Global]\nmy_key = x\n", at=(2, 3)),
    Case("[LoadBalancer]\nlbclasses = x\n", at=(2, 13), shown=False),
    Case("[Global]\nregion R\n", at=(2, 8), shown=False),
    Case("[Global]\nregion\n= R\n", at=(3, 1), shown=False),
    Case("[Global]\n\u00a0region = R\n", at=(2, 1), fixed="[Global]\n region = R\n", shown=False),
    Case("[Global]\n{% if x %}\nregion = R\n", at=(2, 1), shown=False),
    Case(
        "[Global]\nAuth.URL=x\n-region=R\ntenant-id=t\n",
        at=(2, 5),
        fixed="[Global]\nauth-url=x\nregion=R\ntenant-id=t\n",
        times=2,
        shown=False,
    ),
    Case("[LoadBalancer]\nmonitor/delay=5s\r\n", at=(2, 8), fixed="[LoadBalancer]\nmonitor-delay=5s\r\n", shown=False),
    Case("[Global]\n1x=\n", at=(2, 1), shown=False),
    Case('[Global]\n"auth-url" = x\n', at=(2, 1), fixed="[Global]\nauth-url = x\n", shown=False),
    Case("[Global]\n'auth-url' = x\nREM x = y\n", at=(2, 1), times=2, shown=False),
    Case(
        "[LoadBalancer]\nenable_ingress_hostname=true\n",
        at=(2, 7),
        fixed="[LoadBalancer]\nenable-ingress-hostname=true\n",
        release="1.19",
        shown=False,
    ),
    Case("[Global]\nusername += u\n", at=(2, 10), fixed="[Global]\nusername= u\n", shown=False),
    Case("[Global]\nuse\u0301r=x\n", at=(2, 4), shown=False),
)
GOOD = (
    Case("[Global]\nauth-url = https://k\n# auth_url\n"),
    Case("[Global]\n{% if x %}\nregion = R\n{% endif %}\n", template=True),
    Case("[LoadBalancer]\n{{ y }}_id = x\n[Global]\nmönitor=x\n", template=True, shown=False),
    Case("[LoadBalancer]\nlbclasses = x\n", release="1.14", shown=False),
)

_WORDS = lazy_regex(r"""[ \t]*+("?)([^\s=:#;"'\[\]][^=:#;"'\[\]\n]*+)""")
_TEMPLATE = lazy_regex(r"[ \t]*+(?:\{[%{#]|\$\{|%\{|<%)")
_LONGEST_KEY = 64
_NO_WIDTH = "\ufeff\u200b\u200c\u200d\u2060\u00ad"
_COMMENT = lazy_regex(r"[ \t]*+(?://|--|/\*|\*|!|%|<!--|(?:REM|rem)\b|')")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report each of the four errors."""
    for stop in conf.stops(*META.claims):
        if stop.kind == "reserved-key":
            yield Problem(
                stop.span,
                "not a key: an internal field of the CCM, which cannot be set",
                unreadable.stops(conf),
                'Delete the line; classes are sections of their own: `[LoadBalancerClass "name"]`.',
                stop=stop,
            )
        else:
            yield _explain(conf, stop)


class _Advice(NamedTuple):
    """The message about one line."""

    label: str
    instead: str
    fix: Fix | None = None


def _explain(conf: CloudConf, stop: Stop) -> Problem:
    line = conf.line_at(stop.span.start)
    text = conf.text[line.start : line.end]
    char = conf.text[stop.span.start : stop.span.start + 1]
    place = stop.span
    whole = Span(line.start + len(text) - len(text.lstrip(" \t")), max(line.end, stop.span.end))
    unseen = spelling.INVISIBLE.match(conf.text, stop.span.start)
    if conf.final and _TEMPLATE.match(text):
        place = whole
        advice = _Advice(
            "an unrendered template line",
            "Render the file before it is used; lint a template with `--template`.",
        )
    elif unseen is not None:
        edit = Edit(unseen.start(), unseen.end(), "" if char in _NO_WIDTH else " ")
        label = f"U+{ord(char):04X} is invisible or looks like whitespace but is not"
        advice = _Advice(label, "Remove it.", fixes.safe(conf, "remove it", edit))
    elif _COMMENT.match(text) and char not in "_.:":
        place = whole
        advice = _Advice("not a comment in cloud.conf", "Start a comment with `#` or `;`.")
    else:
        advice = _key(conf, stop, line, text, char)
    return Problem(place, advice.label, unreadable.stops(conf), advice.instead, advice.fix, stop)


def _key(conf: CloudConf, stop: Stop, line: Span, text: str, char: str) -> _Advice:
    words = _WORDS.match(text)
    section = conf.section_at(line.start)
    if words is None or section is None:
        return _Advice("a line must start with a key", "Write `key = value` on one line.")
    written = words[2].rstrip()
    known = _known(conf, section.name, re.sub(r"[^A-Za-z0-9]++", "-", written).strip("-"))
    start, end = line.start + words.start(), line.start + words.start(2) + len(written)
    rest = conf.text[end : line.end].lstrip(" \t")
    start += len(words[0]) - len(words[0].lstrip(" \t"))
    if words[1]:
        if not known or not rest.startswith('"') or not rest[1:].lstrip().startswith("="):
            known = ""
        edit = Edit(start, end + 1, known)
        return _Advice("a key must not be quoted", "Remove the quotes.", _renamed(conf, known, edit))
    if char == ":":
        edit = Edit(stop.span.start, stop.span.end, "=")
        fix = fixes.safe(conf, "write `=`", edit) if known else None
        return _Advice("a key and its value are separated by `=`, not by a colon", "Write `=`.", fix)
    name = f"`{char}`" if char.isascii() and char.isprintable() else f"U+{ord(char):04X}"
    label = "`=` is missing before this" if stop.kind == "expected-equals" else f"{name} is not allowed in a key"
    if known and rest.startswith("="):
        blank = "a space is not allowed in a key" if stop.kind == "expected-equals" else label
        return _Advice(blank, f"Write `{known}`.", _renamed(conf, known, Edit(start, end, known)))
    if stop.kind == "expected-equals":
        return _Advice(label, "Write `key = value`, with hyphens between the words of the key.")
    return _Advice(label, "A key is a letter, followed by letters, digits and hyphens.")


def _renamed(conf: CloudConf, known: str, edit: Edit) -> Fix | None:
    return fixes.safe(conf, f"write `{known}`", edit) if known else None


def _known(conf: CloudConf, section: str, key: str) -> str:
    """The key of a section with this case-folded name, in this release or in another; empty where there is none."""
    spec = conf.schema.section(section)
    found = spec.key(key) if spec is not None else None
    if found is not None:
        return found.name
    history = catalog.history(section, key) if len(key) <= _LONGEST_KEY else None
    return history.key if history is not None else ""
