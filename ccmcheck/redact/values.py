"""Which values may be shown under any name, and what of a public value may not."""

from __future__ import annotations

from functools import cache

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.redact import MASK
from ccmcheck.redact.names import is_secret_name

_BOOLEANS = frozenset(
    {"true", "false", "yes", "no", "on", "off", "null", "none", "~", '""', "''", "{}", "[]", "|", ">"}
)
_NUMBER = lazy_regex(r"[+-]?[0-9]{1,5}")
_DURATION = lazy_regex(r"[+-]?(?:[0-9]{1,5}(?:\.[0-9]{1,3})?(?:ns|us|µs|ms|s|m|h)){1,3}")
_CIDR = lazy_regex(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:/[0-9]{1,3})?|[0-9a-fA-F:]*:[0-9a-fA-F:.]+/[0-9]{1,3}")
# a path below one of the folders of every Linux system
_PATH = lazy_regex(r"/(?:etc|var|usr|opt|run|lib|tmp|dev|proc|sys|srv|mnt|home|root)(?:/[\w.@-]{1,64}){1,12}/?")
# a mark that names something and holds no text of its own: ${NAME}, {{ .Values.x | quote }}, @@NAME@@
# no sign is both in a word and between two, or a long run of it would be tried in every split
_WORD = r"(?:[A-Z][A-Z0-9_]{0,63}|_{0,2}[A-Za-z]{1,32}(?:[._-]{1,2}[A-Za-z]{1,32}){0,12}_?[0-9]{0,3})"
_INSIDE = (
    rf"[ \t-]{{0,4}}[.$]?{_WORD}(?:(?:[ \t]{{0,4}}[|(][ \t]{{0,4}}|[ \t]{{1,4}})[.$]?{_WORD}\)?){{0,6}}[ \t-]{{0,4}}"
)
_MARK = (
    rf"(?:%\{{~?[ \t]*(?:(?:if|for)[ \t]{_INSIDE}|else|endif|endfor)[ \t]*~?\}}"  # Terraform's
    rf"|\$\{{{_WORD}(?::?[=-])?\}}|\{{\{{{_INSIDE}\}}\}}|\{{%{_INSIDE}%\}}|@@[A-Z_]{{1,40}}@@"
    # what people also fill in, and leave the brackets: capitals alone, or words without a digit of which one says more
    r"|\$[A-Z][A-Z_]{1,63}|<[A-Z][A-Z _-]{0,40}>"
    r"|<(?=[^>]{0,40}(?i:pass|secret|token|credential|your|key))[A-Za-z][a-z]{0,15}(?:[ _-][A-Za-z]{1,16}){0,4}>)"
)
_MARK_STARTS = frozenset("${@<%")
_MARKS = lazy_regex(rf"(?:\s*{_MARK})+\s*")
FILLED_IN = lazy_regex(
    r"\{[\{%]-?\s*(?!(?:[A-Za-z_.$]+|[\w$]*[._$][\w.$]*)\s*-?[%}])(?:[^\s\"'`(|}%]|%(?!\}))+\s*-?[%}]\}"
)
"""A mark around a single word that is no name of a variable: a value, which people put between its brackets."""
_QUOTES = "\"'` \t\r,"
_AT = "@"
_SCHEME = lazy_regex(":/{1,2}")
# an authority that ends in no port, or whose "@" is encoded: a password, of an address that people took for right
_ODD_AUTHORITY = lazy_regex(
    r"://(?:[^/?#\s:@\[{$<]*:(?![0-9]{0,5}(?:[/?#,;.)\"'`]|\Z)|[{$<])([^/?#\s\"'`]+)|([^/?#\s\"'`]*%40))"
)
_REVISION = lazy_regex(r"ref=[\w./-]{1,64}")
"""The query of a kustomization's remote base."""
_QUERY, _QUERY_OR_FRAGMENT = lazy_regex(r"\?"), lazy_regex("[?#]")
# an encoded text that may hold a whole file; names of ordinary words are as long and no such text
_BLOB = lazy_regex(r"[A-Za-z0-9+/_-]{40,}+={0,2}")
_SHORTEST_BLOB = 40
_BLOB_HAS = tuple(map(lazy_regex, ("[0-9]", "[A-Z]", "[a-z]")))
_WORDS = lazy_regex(
    r"[/_-]*+(?:(?:(?:[A-Z][a-z]{3,20}){2,4}|k8s|(?:k8s)?+[A-Z]?[a-z]{1,20}|[A-Z]{1,20})[0-9]{0,4}(?:[/_-]++|\Z))*+"
)
# a word with what follows the name of a value: a separator, or blanks before another word
_NAME = lazy_regex(
    r"""(?<![\w.@$!-])([A-Za-z][\w.@$!-]{1,63}+)["'`]?(?:\[[^\]\n]{0,20}\])?"""
    r"""(?:[ \t]*+(?:[?+!:]?=+|:)[ \t]*+|[ \t]++(?=[\w"'`$<({\[/+~^*!@&.-]))(?=\S)"""
)
_LONGEST_MARK = 1_000
"""Characters behind a name that are looked at: of a longer mark all is hidden, and many names cost linear time."""
_COMPARED = lazy_regex(r"(?:\"\"|'')[\w \t.!='\"()]{0,80}?-?[%}]\}")
"""What a template compares a name with where it asks whether there is a value."""
_NAMES_A_SECRET = lazy_regex(r"\{[ \t]*\"?secretName\"?[ \t]*:")
"""What stands behind the ``secret:`` of a volume."""
_PEM = lazy_regex(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*+", 16)  # re.DOTALL


@cache
def enum_words() -> frozenset[str]:
    """Every word that the catalogue lists for a key, folded."""
    from ccmcheck.catalog.data.allowed_values import WORDS

    return frozenset(word.lower() for releases in WORDS.values() for _, words in releases for word in words)


def is_template_mark(value: str) -> bool:
    """Whether a value is nothing but template marks that hold no text of their own."""
    if value.lstrip()[:1] not in _MARK_STARTS:
        return False
    return _MARKS.fullmatch(value) is not None and FILLED_IN.search(value) is None


def is_harmless(value: str) -> bool:
    """Whether a value may be shown under an unknown name: no password is short and of one of these kinds.

    A boolean, a duration, a number of up to five digits, a CIDR, a path below a system folder, a word that the
    catalogue lists, or a template mark.
    """
    bare = value.strip(_QUOTES)
    return (
        not bare
        or bare.lower() in _BOOLEANS
        or _NUMBER.fullmatch(bare) is not None
        or _DURATION.fullmatch(bare) is not None
        or _CIDR.fullmatch(bare) is not None
        or _PATH.fullmatch(bare) is not None
        or is_template_mark(bare)
        or bare.lower() in enum_words()
    )


def holds_no_value(text: str, start: int, end: int) -> bool:
    """Whether what follows the name of a secret is none: a mark, a mask, or what a template compares the name with."""
    shown = text[start:end].strip(" \t\"'")
    return (
        is_template_mark(shown)
        or shown.startswith(MASK)
        or _COMPARED.match(text, start) is not None
        or _NAMES_A_SECRET.match(shown) is not None
    )


def hidden_parts(value: str) -> list[tuple[int, int]]:
    """What of a public value may not be shown: parts as in a sentence, and all behind the name of a secret in it.

    Args:
        value: The value. Folding joins lines, so that it may hold the next entries.

    Returns:
        Start and end of each, in order.
    """
    found = _hidden_words(value)
    named = named_secret(value)
    if named is None:
        return found
    return [*((low, min(high, named[0])) for low, high in found if low < named[0]), named]


def named_secret(value: str) -> tuple[int, int] | None:
    """Where a value has what follows the name of a secret, from there to its end; None where it has no such name."""
    if not ("=" in value or ":" in value or " " in value or "\t" in value) or is_template_mark(value):
        return None
    for match in _NAME.finditer(value):
        end = match.end()
        if is_secret_name(match[1]) and not holds_no_value(value, end, end + _LONGEST_MARK):
            return end, len(value)
    return None


def _hidden_words(value: str) -> list[tuple[int, int]]:
    """Userinfo and query of a URL, whatever its form, a private key, an encoded text: each word counts for itself."""
    found: list[tuple[int, int]] = []
    if _AT in value or "?" in value or "://" in value:
        start = 0
        for word in value.split(" "):
            end = start + len(word)
            at = word.rfind(_AT)
            # an image's digest is public, and so is a mail address without a password
            if _AT in word and not word.startswith("@@") and "@sha256:" not in word:
                scheme = _SCHEME.search(word, 0, at)
                low = scheme.end() if scheme is not None else len(word) - len(word.lstrip("\"'`<("))
                if low < at:
                    found.append((start + low, start + at))
            elif (odd := _ODD_AUTHORITY.search(word)) is not None:
                found.append((start + max(odd.start(1), odd.start(2)), start + odd.end()))
            in_url = "://" in word
            sign = (_QUERY_OR_FRAGMENT if in_url else _QUERY).search(word, max(at, 0))
            query = word[sign.end() :].strip(_QUOTES) if sign is not None else ""
            if sign is not None and query and (in_url or "=" in query) and not _REVISION.fullmatch(query):
                found.append((start + sign.end(), end))
            start = end + 1
    if "-----BEGIN" in value:
        found += [match.span() for match in _PEM.finditer(value)]
    if len(value) >= _SHORTEST_BLOB:
        found = sorted({*found, *_encoded_parts(value)})
    return found


def hidden_in_prose(text: str) -> list[tuple[int, int]]:
    """What of a sentence may not be shown: credentials of URLs, private keys, and encoded texts.

    Args:
        text: The sentence.
    """
    found = _encoded_parts(text)
    if (_AT in text and ":/" in text) or "-----BEGIN" in text:
        found += _hidden_words(text)
    return sorted(found)


def _encoded_parts(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _BLOB.finditer(text) if _is_encoded(match[0])]


def _is_encoded(text: str) -> bool:
    """Whether a long word is an encoded text: names of ordinary words, however long, are none."""
    return all(pattern.search(text) for pattern in _BLOB_HAS) and _WORDS.fullmatch(text) is None
