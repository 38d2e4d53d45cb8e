"""How values are written wrongly whatever their key: placeholders, single quotes, characters that nobody sees.

Several rules meet such values. They ask here, so that a value is blamed for it once, by the rule that is about it.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex

# What tools put values into, anywhere in a value.
_MARK = lazy_regex(
    r"\$\{[A-Za-z_][^{}\n]*+\}"  # shell, envsubst, Terraform
    r"|\{\{[^{}\n]*+\}\}|\{%[^{}\n]*+(?<=%)\}"  # Jinja2, Go, Helm
    r"|<%[^<>\n]*+(?<=%)>"  # ERB
    r"|\$\([A-Za-z_][\w.-]*+\)"  # make, Kubernetes
    r"|__[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)*__"
)
# What people write in samples; in a secret only as the whole value, because a password may hold anything.
_SAMPLE = lazy_regex(r"<[A-Za-z][^<>\n]*+>|\bYOUR[-_][A-Z][\w-]*+")
_WHOLE = lazy_regex(
    r"<[A-Za-z][^<>\n]*+>"
    r"|@[A-Za-z_][\w-]*+@"
    r"|%[A-Z][A-Z0-9_]*+%"
    r"|\$[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)+"
    r"|(?i:(?:please[-_ ])?(?:change|replace|fill|edit)[-_ ]?(?:me|this)(?:[-_ ]?(?:in|now|please))?!*+)"
    r"|(?i:fix[-_ ]?me|todo|tbd|x{3,40}+|\.{3}|your[-_ ][\w -]*+|insert[-_ ](?:\w{1,20}[-_ ]){1,6}here)"
)
_VARIABLE = lazy_regex(r"\$[A-Za-z_]\w*+")
# What begins a word of _WHOLE, and what any of the others holds: a text or a value without them needs no closer look.
_FIRST = frozenset(("cha", "rep", "fil", "edi", "ple", "fix", "tod", "tbd", "xxx", "...", "you", "ins"))

_UNSEEN = "\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2007\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u2060\u2066\u2067\u2068\u2069\ufeff\u0085\u000b\u000c"
"""Characters that look like a blank or like nothing; gcfg keeps them in values."""

UNSEEN = lazy_regex(f"[{_UNSEEN}]++")
_CURLY = {"“": "”", "„": "“", "”": "”", "«": "»", "‘": "’", "’": "’", "‚": "‘"}


def may_hold_placeholder(text: str) -> bool:
    """Whether signs of a placeholder stand anywhere in a text, so that a closer look at each value is worth its time."""
    return "$" in text or "{" in text or "<" in text or "@" in text or "%" in text or "__" in text or "YOUR" in text


def may_be_sample(value: str) -> bool:
    """Whether a value begins as samples like ``changeme`` do, which hold no sign of their own."""
    return value[:3].lower() in _FIRST


def placeholder(value: str, *, secret: bool = False) -> str:
    """Find the placeholder in a value that should have been filled in.

    Args:
        value: The value as the CCM reads it.
        secret: True for passwords and their like, which may hold anything, so that only sure signs count.

    Returns:
        The placeholder; empty where there is none.
    """
    found = _MARK.search(value) or _WHOLE.fullmatch(value)
    if found is None and not secret:
        found = _SAMPLE.search(value) or _VARIABLE.fullmatch(value)
    return found.group() if found is not None else ""


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
    """A value without quotes that the CCM does not know, unseen characters, and blanks around it."""
    value = UNSEEN.sub(" ", value).strip()
    for inner in (single_quoted(value), curly_quoted(value)):
        if inner is not None:
            return inner.strip()
    return value


def is_blamed(value: str, *, secret: bool = False) -> bool:
    """Whether another rule says already what is wrong with a value: whatever it was meant to be, it is not that yet."""
    return bool(value) and (
        bool(placeholder(value, secret=secret))
        or single_quoted(value) is not None
        or (not value.isascii() and plain(value) != value)
    )
