"""Which names hold secrets, and which hold values that everybody may see.

Fields of Kubernetes, Cluster API and Flux objects: which hold values that everybody may see, and where.

A Secret, the values of a chart and the variables of a ClusterClass have keys that people choose. A field with a name as
general as ``key`` or ``values`` is therefore one of Kubernetes' only in the place where Kubernetes has it.

Text as people see it: letters that look like ASCII become ASCII, and invisible characters are removed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from ccmcheck import catalog
from ccmcheck.base.data_files import read_table
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.suggest import distance
from ccmcheck.catalog.schemas import SECRET_KEYS
from ccmcheck.catalog.schemas import fold as fold_case

_CONFUSABLES = str.maketrans(
    # Cyrillic, Greek and others that look like Latin letters (Unicode TR 39, confusables.txt: the ones people can type)
    "авсԁеһіјӏкмопрԛгѕтуѵԝхАВСЕНІЈКМОРԚЅТУХαβγεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧıſǃ∶։꞉˸ᴏꜱɡ",
    "abcdehijlkmonpqrstyvwxABCEHIJKMOPQSTYXaByeiKvopTuxABEZHIKMNOPTYXis!::::osg",
)
_LEET = str.maketrans("@$0135!", "asoles" + "i")
_INVISIBLE = frozenset({"Cc", "Cf", "Mn", "Me", "Cn", "Co", "Cs"})
_KEPT = frozenset("\t\n\r")


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """One character as people see it; empty where they see none."""
    if char in _KEPT:
        return char
    category = unicodedata.category(char)
    if category in _INVISIBLE:
        return ""
    if category in {"Zs", "Zl", "Zp"}:
        return " "
    plain = unicodedata.normalize("NFKD", char)
    return "".join(part for part in plain if unicodedata.category(part) not in _INVISIBLE).translate(_CONFUSABLES)


def fold(text: str) -> str:
    """A name as people read it: NFKD without marks and invisible characters, look-alikes as Latin letters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_folded, text))


def fold_digits(name: str) -> str:
    """A name with the digits and signs that people put for letters read as letters: ``p@ssw0rd`` is ``password``."""
    return name.translate(_LEET)


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """A text folded, with the offset in ``text`` that each character came from, and one for the end.

    Args:
        text: A text that is not plain ASCII.
    """
    pieces: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        seen = _folded(char)
        if seen:
            pieces.append(seen)
            offsets.extend([offset] * len(seen))
    offsets.append(len(text))
    return "".join(pieces), offsets


def is_plain(text: str) -> bool:
    """Whether folding would change nothing: ASCII without control characters but tabs and line ends."""
    return text.isascii() and not text.translate(_PRINTABLE)


_PRINTABLE = dict.fromkeys((9, 10, 13, *range(32, 127)))


_FIELDS: dict[str, str] = {}
for _kind, _names in read_table(__file__, "kubernetes_fields.tsv"):
    _FIELDS[_kind] = f"{_FIELDS.get(_kind, '')} {_names}"
_ANYWHERE = frozenset(_FIELDS.pop("anywhere").split())
"""Fields whose values name or count something wherever they stand."""
_MAPPINGS = frozenset(_FIELDS.pop("mapping").split())
"""Fields that hold mappings; each key below them counts for itself, and a text in their place is not Kubernetes'."""
GENERATORS = frozenset({"configMapGenerator", "secretGenerator"})

_REFERENCE = lazy_regex(
    r"^secrets?\Z|^secretGenerator\Z|[a-z]Secret\Z|(?:[sS]ecret|[cC]redentials?|configMap)(?:Key)?Ref\Z"
)

KUBERNETES_FIELDS = _ANYWHERE | _MAPPINGS | frozenset(_FIELDS)
"""Every field whose name is no secret, wherever it stands."""


def is_reference(name: str) -> bool:
    """Whether a field names a Secret and its keys; charts also put ``create`` and ``enabled`` there.

    Args:
        name: The field.
    """
    return _REFERENCE.search(name) is not None


def is_public_field(name: str, above: str) -> bool:
    """Whether the value of a field may be shown: it is Kubernetes', and no secret.

    Args:
        name: The field.
        above: The field that it stands below; empty at the top.
    """
    places = _FIELDS.get(name)
    if places is not None:
        return (above or "/") in places.split() or (name == "key" and is_reference(above))
    if name in _ANYWHERE:
        return True
    if "/" not in name:
        return False
    from ccmcheck.catalog.service_annotations import PREFIX, annotation

    return name.startswith(PREFIX) or annotation(name) is not None


CCM_FLAGS = frozenset([
    "cloud-config", "cluster-name", "cloud-provider", "use-service-account-credentials", "controllers",
    "bind-address", "leader-elect", "v", "kubeconfig", "node-status-update-frequency", "concurrent-service-syncs",
    "feature-gates",
])  # fmt: skip
"""Flags of the CCM that hold no secret (k8s.io/cloud-provider options/)."""


SENSITIVE = (
    r"pass(?:word|wd|phrase|code)|pswd|psswd|passw|passkey|(?<![a-z])pass(?![a-z])|(?-i:(?<=[a-z])Pass(?![a-z]))"
    r"|pwd|(?<![a-z])pw(?![a-z])|token|(?<![a-z])(?:psk|otp|pin|jwt|bearer|cookie|trust[-_]?ids?)(?![a-z])"
    r"|(?:private|api|access|auth|certificate|encryption|signing|shared|storage|master)[-_. ]?keys?(?![a-z])"
    r"|credentials?(?![-_. ]?(?:id|name|ref|type))"
    r"|secret(?![-_. ]?(?:name|namespace|ref|type|id\b))"
)
"""What is in the name of a secret, whatever its case: the source of a regular expression."""
SENSITIVE_STARTS = (
    "pass", "ps", "pw", "token", "otp", "pin", "jwt", "bearer", "cookie", "trust", "private", "api", "access", "auth",
    "certificate", "encryption", "signing", "shared", "storage", "master", "credential", "secret",
)  # fmt: skip
"""How each alternative of `SENSITIVE` begins, in lower case."""
SECRET_WORD = lazy_regex(SENSITIVE, re.IGNORECASE)
_CAMEL = lazy_regex(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = lazy_regex(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_MISSPELT = (
    ("password", 2), ("passphrase", 2), ("passwd", 1), ("token", 1), ("secret", 1), ("trusteepassword", 2),
    ("applicationcredentialsecret", 3),
)  # fmt: skip
"""Names of secrets, and how many edits away a word still means one: `server` is two from `secret`."""
_MISSPELT_LETTERS = tuple((meant, frozenset(meant), limit) for meant, limit in _MISSPELT)
_STARTS = lazy_regex("|".join(SENSITIVE_STARTS))
_OTHER_WORDS = frozenset({"taken", "broken", "secret", "secrets", "tokens"})
"""What is near such a name and is none; `secret` itself is one or not by the word after it."""
_NOT_SECRET = frozenset([
    "secretname", "secretnamespace", "secretref", "secrets", "imagepullsecrets", "secretkeyref", "serviceaccounttoken",
])  # fmt: skip
"""Kubernetes' own fields that name a Secret or a token and hold none."""


_REMEMBERED = 1 << 16
"""Names whose answer is remembered: more than a cloud.conf of 1 MB has, whose lines are looked at several times."""
_OF_OPENSTACK = frozenset({"region-name", "project-name", "project-id", "project-domain-name", "interface"})
"""What OpenStack's clients call keys of cloud.conf in variables."""
_SHORTEST_VARIABLE = 4
_LONGEST_NAME = 1_000
"""Code points of a word that may be the name of anything public."""


def is_secret_name(name: str) -> bool:
    """Whether a key, option or variable of this name holds a secret, in any spelling."""
    if name.isascii() and name.isidentifier():
        return _is_secret_name(name)
    return _is_secret_name(fold(name))


@lru_cache(maxsize=_REMEMBERED)
def _is_secret_name(name: str) -> bool:
    folded = fold_digits(name)
    both = f"{name} {folded}"
    lowered = both.lower()
    # without the start of a secret word SECRET_WORD matches nothing, and without its letters nothing is a misspelling
    has_start = _STARTS.search(lowered) is not None
    perhaps = _perhaps_meant(lowered)
    if not (has_start or perhaps) or name.lower().replace("-", "").replace("_", "") in _NOT_SECRET:
        return False
    spellings = {name, folded}
    if both != lowered:
        words = _CAMEL.sub("-", name)
        spellings |= {words, fold_digits(words), _CAMEL.sub("-", folded)}
    if has_start and any(map(SECRET_WORD.search, spellings)):
        return True
    return any(_is_misspelt(each, perhaps) for each in spellings)


def _perhaps_meant(name: str) -> list[tuple[str, frozenset[str], int]]:
    """The words whose letters a name has but for those that edits can bring: each edit brings one at most."""
    present = frozenset(name)
    return [word for word in _MISSPELT_LETTERS if len(word[1] - present) <= word[2]]


def _is_misspelt(name: str, perhaps: Sequence[tuple[str, frozenset[str], int]]) -> bool:
    """Whether a name is meant to be that of a secret: people also misspell the keys whose values must not be seen."""
    if not perhaps:
        return False
    parts = [part.lower() for part in _PART.findall(name)]
    words = {*parts, "".join(parts)}
    for meant, letters, limit in perhaps:
        shortest, longest = len(meant) - limit, len(meant) + limit
        for word in words:
            if (
                shortest <= len(word) <= longest
                and len(letters.difference(word)) <= limit
                and word not in _OTHER_WORDS
                and distance(word, meant, limit) <= limit
            ):
                return True
    return False


@cache
def _public_keys() -> frozenset[str]:
    """The keys of cloud.conf, of any consumer and release, that hold no secret, folded as gcfg does."""
    return frozenset(key for key in catalog.key_names() - SECRET_KEYS if not is_secret_name(key))


@cache
def known_sections() -> frozenset[str]:
    """The sections of cloud.conf, folded."""
    return frozenset(catalog.fold(section) for section in catalog.all_sections())


def is_conf_key(name: str) -> bool:
    """Whether everybody may see the value of a key of cloud.conf, in the chart's spelling as well."""
    return len(name) <= _LONGEST_NAME and _is_public_name(name)


@lru_cache(maxsize=_REMEMBERED)
def _is_public_name(name: str) -> bool:
    folded, public = fold_case(name), _public_keys()
    if folded in public or folded.replace("_", "-") in public:
        return True
    return folded != name and _CAMEL.sub("-", name).lower() in public


def is_public_key(name: str, above: str = "") -> bool:
    """Whether everybody may see the value of a key of a manifest: cloud.conf's, or a field of Kubernetes in its place.

    Args:
        name: The key.
        above: The key that it stands below; empty at the top.
    """
    return is_conf_key(name) or is_public_field(name, above)


_WHOLE_FILES = frozenset(("cloud-config", "kubeconfig"))
"""Flags that name a file; a variable of the name may hold the file itself."""


@lru_cache(maxsize=_REMEMBERED)
def is_public_variable(name: str) -> bool:
    """Whether everybody may see the value of a variable: it is named like a key of cloud.conf or a flag of the CCM."""
    if len(name) < _SHORTEST_VARIABLE or is_secret_name(name):
        return False
    folded = name.removeprefix("OS_").lower().replace("_", "-")
    return (folded in CCM_FLAGS and folded not in _WHOLE_FILES) or folded in _OF_OPENSTACK or is_conf_key(folded)


def is_known_name(name: str) -> bool:
    """Whether a name is one of cloud.conf's keys or of Kubernetes' fields, so that it is no secret itself."""
    return name in KUBERNETES_FIELDS or is_public_key(name)
