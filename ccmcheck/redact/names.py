"""Which names hold secrets, and which hold values that everybody may see."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.suggest import distance
from ccmcheck.catalog.case_folding import fold as fold_case
from ccmcheck.catalog.secrets import SECRET_KEYS
from ccmcheck.redact.folding import fold, fold_digits
from ccmcheck.redact.kubernetes_fields import KUBERNETES_FIELDS, is_public_field

SENSITIVE = (
    r"pass(?:word|wd|phrase|code)|pswd|psswd|passw|passkey|(?<![a-z])pass(?![a-z])|(?-i:(?<=[a-z])Pass(?![a-z]))"
    r"|pwd|(?<![a-z])pw(?![a-z])|token|(?<![a-z])(?:psk|otp|pin|jwt|bearer|cookie|trust[-_]?ids?)(?![a-z])"
    r"|(?:private|api|access|auth|certificate|encryption|signing|shared|storage|master)[-_. ]?keys?(?![a-z])"
    r"|credentials?(?![-_. ]?(?:id|name|ref|type))"
    r"|secret(?![-_. ]?(?:name|namespace|ref|type|id\b))"
)
"""What is in the name of a secret, whatever its case: the source of a regular expression."""
SENSITIVE_STARTS = (
    *(
        "pass",
        "ps",
        "pw",
        "token",
        "otp",
        "pin",
        "jwt",
        "bearer",
        "cookie",
        "trust",
        "private",
        "api",
        "access",
        "auth",
    ),
    *("certificate", "encryption", "signing", "shared", "storage", "master", "credential", "secret"),
)
"""How each alternative of `SENSITIVE` begins, in lower case."""
SECRET_WORD = lazy_regex(SENSITIVE, re.IGNORECASE)
_CAMEL = lazy_regex(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = lazy_regex(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_MISSPELT = (
    ("password", 2),
    ("passphrase", 2),
    ("passwd", 1),
    ("token", 1),
    ("secret", 1),
    ("trusteepassword", 2),
    ("applicationcredentialsecret", 3),
)
"""Names of secrets, and how many edits away a word still means one: `server` is two from `secret`."""
_MISSPELT_LETTERS = tuple((meant, frozenset(meant), limit) for meant, limit in _MISSPELT)
_OF_SIZE = {
    size: [one for one in _MISSPELT_LETTERS if abs(len(one[0]) - size) <= one[2]]
    for size in range(1, 1 + max(len(meant) + limit for meant, limit in _MISSPELT))
}
"""Those that a word of a size can mean: an edit changes its size by one at most."""
_STARTS = lazy_regex("|".join(SENSITIVE_STARTS))
_OTHER_WORDS = frozenset({"taken", "broken", "secret", "secrets", "tokens"})
"""What is near such a name and is none; `secret` itself is one or not by the word after it."""
_NOT_SECRET = frozenset({"secretname", "secretnamespace", "secretref", "secrets", "imagepullsecrets", "secretkeyref"})
"""Kubernetes' own fields that name a Secret and hold none."""


_REMEMBERED = 1 << 16
"""Names whose answer is remembered: more than a cloud.conf of 1 MB has, whose lines are looked at several times."""
_LONGEST_NAME = 1_000
"""Code points of a word that may be the name of anything public."""


def is_secret_name(name: str) -> bool:
    """Whether a key, option or variable of this name holds a secret, in any spelling."""
    if name.isascii() and name.isidentifier():
        return _is_secret_name(name)
    return _is_secret_name(fold(name))


@lru_cache(maxsize=_REMEMBERED)
def _is_secret_name(name: str) -> bool:
    if not may_be_secret(name):
        return False
    if name.replace("-", "").replace("_", "").lower() in _NOT_SECRET:
        return False
    words = _CAMEL.sub("-", name)
    spellings = {name, words, fold_digits(name), fold_digits(words)}
    if _STARTS.search(" ".join(spellings).lower()) is not None and any(map(SECRET_WORD.search, spellings)):
        return True
    return any(map(is_misspelt, spellings))


def may_be_secret(name: str) -> bool:
    """Whether a name can be a secret's in any spelling: the quick answer for most names is no.

    Without the start of a secret word `SECRET_WORD` matches nothing, and without its letters nothing is a misspelling.
    """
    if not name.isascii():
        return True
    spellings = f"{name} {fold_digits(name)}".lower()
    if _STARTS.search(spellings) is not None:
        return True
    present = frozenset(spellings)
    return any(len(letters - present) <= limit for _, letters, limit in _MISSPELT_LETTERS)


def is_misspelt(name: str) -> bool:
    """Whether a name is meant to be that of a secret: people also misspell the keys whose values must not be seen."""
    parts = [part.lower() for part in _PART.findall(name)]
    return any(map(_is_misspelt_word, {*parts, "".join(parts)}))


@lru_cache(maxsize=_REMEMBERED)
def _is_misspelt_word(word: str) -> bool:
    """The same for a part of a name: the names of one text have most of them in common."""
    if word in _OTHER_WORDS:
        return False
    return any(
        len(letters.difference(word)) <= limit and distance(word, meant, limit) <= limit
        for meant, letters, limit in _OF_SIZE.get(len(word), ())
    )


@cache
def _public_keys() -> frozenset[str]:
    """The keys of cloud.conf, of any consumer and release, that hold no secret, folded as gcfg does."""
    from ccmcheck import catalog

    return frozenset(key for key in catalog.key_names() - SECRET_KEYS if not is_secret_name(key))


@cache
def known_sections() -> frozenset[str]:
    """The sections of cloud.conf, folded."""
    from ccmcheck import catalog

    return frozenset(catalog.fold(section) for section in catalog.all_sections())


def is_conf_key(name: str) -> bool:
    """Whether everybody may see the value of a key of cloud.conf, in the chart's spelling as well."""
    return len(name) <= _LONGEST_NAME and _is_public_name(name)


@lru_cache(maxsize=_REMEMBERED)
def _is_public_name(name: str) -> bool:
    folded, public = fold_case(name), _public_keys()
    return folded in public or folded.replace("_", "-") in public or _CAMEL.sub("-", name).lower() in public


def is_public_key(name: str, above: str = "") -> bool:
    """Whether everybody may see the value of a key of a manifest: cloud.conf's, or a field of Kubernetes in its place.

    Args:
        name: The key.
        above: The key that it stands below; empty at the top.
    """
    return is_conf_key(name) or is_public_field(name, above)


def is_known_name(name: str) -> bool:
    """Whether a name is one of cloud.conf's keys or of Kubernetes' fields, so that it is no secret itself."""
    return name in KUBERNETES_FIELDS or is_public_key(name)
