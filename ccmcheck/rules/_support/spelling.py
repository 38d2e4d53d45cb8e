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
# An address of which some or all numbers are left out: xx.xx.xx.xx, 10.0.0.x.
_ADDRESS = r"(?=[\d.]{0,12}[xX])(?:\d{1,3}|[xX]{1,3})(?:\.(?:\d{1,3}|[xX]{1,3})){3}"
# Words that hide a value in a text that is published; words that may be a name only between marks, as CI systems write them.
_MASK = r"\*{3,40}+|(?i:[*\[({_-]{0,5}redacted[*\])}_-]{0,5}|(?:\*{2,5}|\[)(?:masked|hidden|censored|removed)(?:\*{2,5}|\]))"
# Placeholders of samples; in a secret only as the whole value, because a password may contain anything.
_SAMPLE = lazy_regex(
    r"(?<!\(\?P)(?<!\(\?)<[^\W\d_][^<>\n]*+>"
    # Python's str.format; a UUID may be in braces, and a class of characters in a regular expression: \p{Greek}, \x{fe}
    r"|(?<![$%{])(?<!\\[pPx])\{(?![0-9a-fA-F-]{32,36}\})[A-Za-z][\w .-]{0,60}+\}(?!\})"
    r"|\bYOUR[-_][A-Z][\w-]*+|(?<!\*)\*{3,4}(?!\*)"
    rf"|(?<![\w.-]){_ADDRESS}(?![\w.-])"
)
_NOUNS = "uuid|id|name|user|username|password|secret|key|token|url|host|ip|address|region|project|tenant|network|subnet|value"
_WHOLE = lazy_regex(
    r"<[^\W\d_][^<>\n]*+>"
    rf"|{_MASK}|{_ADDRESS}"
    r"|null|None|undefined"  # what yq, jq, Python and JavaScript write for a value that is missing
    r"|@(?:[A-Z_][A-Z_-]*+|[a-z_][a-z_-]*+)@"
    r"|%[A-Z][A-Z0-9_]*+%"
    r"|\$[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)+"
    r"|(?i:(?:please[-_ ])?(?:change|replace|fill|edit)[-_ ]?(?:me|this)(?:[-_ ]?(?:in|now|please))?!*+)"
    r"|(?i:fix[-_ ]?me|todo|tbd|x{3,40}+|y{3,40}+|\.{3}|your[-_ ][\w -]*+)"
    r"|(?i:([xy])\1{0,39}(?:[-:]\1{1,40}){2,7}+)"  # the digits of a UUID or a MAC address
    rf"|(?i:insert[-_ ](?:[^\W_]{{1,20}}+[-_ ]){{1,6}}here|(?:[a-z0-9]{{1,20}}+[-_ ]){{0,6}}(?:{_NOUNS})[-_ ]here)"
)
_STANDS_FOR_ID = lazy_regex(r"(?:[A-Z][A-Z0-9]*+[_-])*+U?U?ID")
_NAME_OF_VARIABLE = lazy_regex(r"[A-Z][A-Z0-9]*+(?:[-_ ][A-Z0-9]++)++")
_WHOLE_MASK = lazy_regex(_MASK)
_VARIABLE = lazy_regex(
    r"\$[A-Za-z_]\w*+|@[A-Za-z_][\w-]*+@"
    r"|(?i:([g-z])\1{2,39}(?:-\1{3,40}){4}+)"  # the digits of a UUID
)
# The first letters of the words in _WHOLE: other values need no closer look.
_FIRST = frozenset(("cha", "rep", "fil", "edi", "ple", "fix", "tod", "tbd", "...", "you", "red", "nul", "non", "und"))

_INVISIBLE = "\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u2007\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u2060\u2066\u2067\u2068\u2069\ufeff\u0085\u000b\u000c"
"""Characters that are invisible or look like whitespace but are not; gcfg keeps them in values."""

INVISIBLE = lazy_regex(f"[{_INVISIBLE}]++")
_CURLY = {"“": "”", "„": "“", "”": "”", "«": "»", "‘": "’", "’": "’", "‚": "‘"}


def may_hold_placeholder(text: str) -> bool:
    """Whether a text contains a character of a placeholder, so that each value has to be checked."""
    signs = "$" in text or "{" in text or "<" in text or "@" in text or "%" in text
    address = ".x" in text or "x." in text or ".X" in text or "X." in text
    return signs or address or "__" in text or "YOUR" in text or "***" in text


def may_be_sample(value: str) -> bool:
    """Whether a value starts or ends like ``changeme`` and other samples without special characters."""
    return (
        value[:3].lower() in _FIRST
        or value[0] in "xXyY*[({_-"
        or value[1:2] == value[:1]
        or value[-4:].lower() == "here"
    )


def placeholder(value: str, *, secret: bool = False) -> str:
    """Find a placeholder that was never filled in; empty where there is none.

    Secrets may contain anything, so that only certain placeholders are found in them.
    """
    if not value or not (may_hold_placeholder(value) or may_be_sample(value)):
        return ""
    match = _MARK.search(value) or _WHOLE.fullmatch(value)
    if match is None and not secret:
        match = _SAMPLE.search(value) or _VARIABLE.fullmatch(value)
    return match.group() if match is not None else ""


def is_template_mark(value: str, *, secret: bool) -> bool:
    """Whether a value has a mark of a template: ``${NAME}``, ``{{ name }}``; also ``$NAME`` where it is no secret."""
    return _MARK.search(value) is not None or (not secret and _VARIABLE.fullmatch(value.strip("\"'")) is not None)


def left_in_address(value: str) -> str:
    """The same where an address or a CIDR belongs: ``MY_CIDR`` is a placeholder there, too."""
    return placeholder(value) or (value if is_name_of_variable(value) else "")


def is_name_of_variable(value: str) -> bool:
    """Whether a value is in capitals, such as ``MY_CIDR`` or ``MY CIDR``: neither an address nor a name of OpenStack's."""
    return _NAME_OF_VARIABLE.fullmatch(value) is not None


def is_mask(left: str) -> bool:
    """Whether a placeholder stands for a value that was hidden where the text comes from: ``****``, ``[REDACTED]``."""
    return _WHOLE_MASK.fullmatch(left) is not None


def stands_for_id(value: str) -> bool:
    """Whether a value is ``SUBNET_ID``, ``ID`` or the like, in the place of which an example's readers put an ID."""
    return _STANDS_FOR_ID.fullmatch(value) is not None


def single_quoted(value: str) -> str | None:
    """The text between single quotes, or backticks, around a whole value; None where there are none."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'`":
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
