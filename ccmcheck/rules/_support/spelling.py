"""Values that are wrong whatever their key: placeholders, single quotes, invisible characters.

Rules about a key's type use it so that such a value is reported once, by the rule about the mistake.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex

# Template expressions, anywhere in a value.
_MARK = lazy_regex(
    r"\$\{[A-Za-z_][^{}\n]*+\}"  # shell, envsubst, Terraform
    r"|\{\{[^{}\n]*+\}\}|\{%[^{}\n]*+(?<=%)\}"  # Jinja2, Go, Helm
    r"|<%[^<>\n]*+(?<=%)>"  # ERB
    r"|\$\([A-Za-z_][\w.-]*+\)"  # make, Kubernetes
    r"|__[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)*__"
)
# Placeholders of samples; in a secret only as the whole value, because a password may contain anything.
_SAMPLE = lazy_regex(r"<[A-Za-z][^<>\n]*+>|\bYOUR[-_][A-Z][\w-]*+|(?<!\*)\*{3,4}(?!\*)")
_WHOLE = lazy_regex(
    r"<[A-Za-z][^<>\n]*+>"
    r"|\*{3,40}+"  # how ccmcheck and CI systems mask secrets
    r"|@[A-Za-z_][\w-]*+@"
    r"|%[A-Z][A-Z0-9_]*+%"
    r"|\$[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)+"
    r"|(?i:(?:please[-_ ])?(?:change|replace|fill|edit)[-_ ]?(?:me|this)(?:[-_ ]?(?:in|now|please))?!*+)"
    r"|(?i:fix[-_ ]?me|todo|tbd|x{3,40}+|\.{3}|your[-_ ][\w -]*+|insert[-_ ](?:\w{1,20}[-_ ]){1,6}here)"
)
_VARIABLE = lazy_regex(r"\$[A-Za-z_]\w*+")
# The first letters of the words in _WHOLE: other values need no closer look.
_FIRST = frozenset(("***", "cha", "rep", "fil", "edi", "ple", "fix", "tod", "tbd", "xxx", "...", "you", "ins"))

_INVISIBLE = "\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2007\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u2060\u2066\u2067\u2068\u2069\ufeff\u0085\u000b\u000c"
"""Characters that are invisible or look like whitespace but are not; gcfg keeps them in values."""

INVISIBLE = lazy_regex(f"[{_INVISIBLE}]++")
_CURLY = {"“": "”", "„": "“", "”": "”", "«": "»", "‘": "’", "’": "’", "‚": "‘"}


def may_hold_placeholder(text: str) -> bool:
    """Whether a text contains a character of a placeholder, so that each value has to be checked."""
    signs = "$" in text or "{" in text or "<" in text or "@" in text or "%" in text
    return signs or "__" in text or "YOUR" in text or "***" in text


def may_be_sample(value: str) -> bool:
    """Whether a value starts like ``changeme`` and other samples without special characters."""
    return value[:3].lower() in _FIRST


def placeholder(value: str, *, secret: bool = False) -> str:
    """Find a placeholder that was never filled in; empty where there is none.

    Secrets may contain anything, so that only certain placeholders are found in them.
    """
    match = _MARK.search(value) or _WHOLE.fullmatch(value)
    if match is None and not secret:
        match = _SAMPLE.search(value) or _VARIABLE.fullmatch(value)
    return match.group() if match is not None else ""


def single_quoted(value: str) -> str | None:
    """The text between single quotes around a whole value; None where there are none."""
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1]
    return None


def curly_quoted(value: str) -> str | None:
    """The text between typographic quotes around a whole value; None where there are none."""
    if len(value) > 1 and _CURLY.get(value[0]) == value[-1]:
        return value[1:-1]
    return None


def plain(value: str) -> str:
    """A value without single and typographic quotes, invisible characters, and surrounding whitespace."""
    value = INVISIBLE.sub(" ", value).strip()
    for inner in (single_quoted(value), curly_quoted(value)):
        if inner is not None:
            return inner.strip()
    return value


def is_reported_as_misspelt(value: str, *, secret: bool = False) -> bool:
    """Whether another rule reports a value as a placeholder, single-quoted, or with invisible characters."""
    return bool(value) and (
        bool(placeholder(value, secret=secret))
        or single_quoted(value) is not None
        or (not value.isascii() and plain(value) != value)
    )
