"""A line that is no key: a character that no key may hold, a colon, or a missing equals sign.

What it does: finds keys with `_`, `.` or `/`, keys that begin with a digit or a hyphen, `key: value`, `key value`, comments and template
lines in another language's style, and the one field that no text can be stored in.

Why: a key is a letter, then letters, digits and hyphens. `auth_url`, as clouds.yaml spells it, is the commonest mistake in the wild; the
CCM's own documentation had `create_monitor` for four releases.

What the CCM does: it stops with `illegal character U+005F '_'`, `illegal character U+003A ':'` or `expected '='`. The name is never
compared with anything, so this is no unknown key.

Releases: all

Fix: writes hyphens where that makes a known key, and `=` for the colon after one; takes out a blank that is none.

Fix safety: safe because the file cannot be read as it is and there is one reading of it

Source: gcfg v1.2.3 scanner/scanner.go, run; kubernetes/cloud-provider-openstack#2489
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ccmcheck.model import Edit, Problem, Severity, Span
from ccmcheck.rules import fixes, spelling, unreadable
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.model import Fix, Stop
    from ccmcheck.views import CloudConf

META = Meta(
    "gcfg-illegal-key-char",
    "A line that is no key",
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
        "[Global]\nAuth.URL=x\n-region=R\n", at=(2, 5), fixed="[Global]\nauth-url=x\nregion=R\n", count=2, shown=False
    ),
    Case("[LoadBalancer]\nmonitor/delay=5s\r\n", at=(2, 8), fixed="[LoadBalancer]\nmonitor-delay=5s\r\n", shown=False),
    Case("[Global]\n1x=\n", at=(2, 1), shown=False),
)
GOOD = (
    Case("[Global]\nauth-url = https://k\n# auth_url\n"),
    Case("[Global]\n{% if x %}\nregion = R\n{% endif %}\n", template=True),
    Case("[LoadBalancer]\n{{ y }}_id = x\n[Global]\nmönitor=x\n", template=True, shown=False),
    Case("[LoadBalancer]\nlbclasses = x\n", release="1.14", shown=False),
)

_WORDS = re.compile(r"[ \t]*+([^\s=:#;\"'\[\]][^=:#;\"'\[\]\n]*?)[ \t]*+(?:[=:]|$)")
_TEMPLATE = re.compile(r"[ \t]*+(?:\{[%{#]|\$\{|%\{|<%)")
_COMMENT = re.compile(r"[ \t]*+(?://|--|/\*|\*|!|%|<!--|(?:REM|rem)\b|')")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Explain each of the four errors."""
    for stop in conf.stops(*META.claims):
        if stop.kind == "reserved-key":
            yield Problem(
                stop.span,
                "no key but a field of the CCM's own, which no text can be stored in",
                unreadable.STOPS,
                'Delete the line; a class is a section of its own: `[LoadBalancerClass "name"]`.',
                stop=stop,
            )
        else:
            yield _explain(conf, stop)


class _Advice(NamedTuple):
    """What is said about one line."""

    label: str
    instead: str
    fix: Fix | None = None


def _explain(conf: CloudConf, stop: Stop) -> Problem:
    line = conf.line_at(stop.span.start)
    text = conf.text[line.start : line.end]
    char = conf.text[stop.span.start : stop.span.start + 1]
    if conf.final and _TEMPLATE.match(text):
        advice = _Advice(
            "a line of a template, which nobody rendered", "Render the file, or tell ccmcheck that it is a template."
        )
    elif spelling.UNSEEN.match(char):
        unseen = spelling.UNSEEN.match(conf.text, stop.span.start)
        span = Span(*unseen.span()) if unseen is not None else stop.span
        blank = "" if char in "\ufeff\u200b\u200c\u200d\u2060\u00ad" else " "
        fix = fixes.safe(conf, "remove it", Edit(span.start, span.end, blank))
        advice = _Advice(
            f"U+{ord(char):04X} looks like a blank or like nothing, and is a character of its own", "Remove it.", fix
        )
    elif _COMMENT.match(text) and char not in "_.:":
        advice = _Advice("no comment to the CCM", "A comment begins with `#` or `;`.")
    else:
        advice = _key(conf, stop, line, text, char)
    return Problem(stop.span, advice.label, unreadable.STOPS, advice.instead, advice.fix, stop)


def _key(conf: CloudConf, stop: Stop, line: Span, text: str, char: str) -> _Advice:
    words = _WORDS.match(text)
    section = conf.section_at(line.start)
    spec = conf.schema.section(section.name) if section is not None else None
    known = None
    if words is not None and spec is not None:
        known = spec.key(re.sub(r"[^A-Za-z0-9]++", "-", words[1]).strip("-"))
    if stop.kind == "expected-key":
        return _Advice("a line begins with a name", "Write `key = value` on one line.")
    if char == ":" and words is not None:
        fix = fixes.safe(conf, "write `=`", Edit(stop.span.start, stop.span.end, "=")) if known is not None else None
        return _Advice("`=` stands between a key and its value, no colon", "Write `=`.", fix)
    if known is not None and words is not None and "=" in text[words.end(1) :]:
        start = line.start + words.start(1)
        fix = fixes.safe(conf, f"write `{known.name}`", Edit(start, start + len(words[1]), known.name))
        what = "a blank" if stop.kind == "expected-equals" else f"`{char}`"
        return _Advice(f"{what} cannot stand in a key", f"Write `{known.name}`.", fix)
    if stop.kind == "expected-equals":
        return _Advice("`=` is missing before this", "Write `key = value`, or a hyphen between the words of a key.")
    return _Advice(
        f"`{char}` cannot stand in a key"
        if char.isprintable() and char.strip()
        else "this character cannot stand in a key",
        "A key is a letter, then letters, digits and hyphens.",
    )
