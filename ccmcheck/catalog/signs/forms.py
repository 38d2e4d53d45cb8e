"""What form a text has: whether it begins as an INI file, lists names alone, may hold objects, or other texts."""

from __future__ import annotations

import re
from binascii import b2a_base64

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.text import BOM, has_one
from ccmcheck.catalog.data.deployments import RKE_MAP

_MAIL = lazy_regex(r"From [0-9a-f]{40} ")
"""How git begins a commit as mail."""

# These patterns begin with a newline on purpose: memchr finds it, while `^` would be tried at each character.
LINE = r"\n[ \t]*+"

HEADER = lazy_regex(
    LINE + r"\[[ \t]*+(?:global|loadbalancer(?:class)?|blockstorage|networking|metadata|route|keymanager)\b",
    re.IGNORECASE,
)

_CHECK = lazy_regex(
    LINE + r"(?:[\w-]++[ \t]*+=[ \t]*+(?:equals|option|not|duration|integer|like|one-of-tags|absent|present|usual)\("
    r"|\[\[[ \t]*+(?:reason|severity|source)[ \t]*+\]\])"
)
"""A requirement of one of ccmcheck's own profiles, which have cloud.conf's sections and keys, and checks for values."""
_SIGNS = ("(", "[[", "extends", "[cloud]", "present", "absent", "usual", "recommended", "= any", "=any")
"""One of these is in every profile, and none in most other files."""
_BARE_CHECK = lazy_regex(r"(?:present|absent|usual|recommended|any)[ \t]*+(?:#[^\n]*+)?")
_VALUE = lazy_regex(LINE + r"[\w-]++[ \t]*+=[ \t]*+([^\n]*+)")
_EXTENDS = lazy_regex(r"\n(?:[ \t]*+(?:#[^\n]*+|(?!extends)[\w-]++[ \t]*+=[^\n]*+)?+\r?\n)*+[ \t]*+extends[ \t]*+=")

_FIRST_LINE = lazy_regex(
    r"\ufeff?(?:[ \t]*+(?:[#;][^\n]*+|\{[%#{][^\n]*+|%\{[^\n]*+|<%[^\n]*+)?+\r?\n)*+"
    r"[ \t]*+(?:\[[ \t]*+[A-Za-z][^\]\n,:{}]*+(?:\][^\n]*+)?+(?:\n|\Z)|[A-Za-z][\w-]*+[ \t]*+=)"
)
_EMPTY_LINES = lazy_regex(r"\n{3,}+")
_KEY = lazy_regex(LINE + r"[A-Za-z][\w-]*+[ \t]*+(?:(?P<sign>=)|[;#][^\n]*+|(?=\r?(?:\n|\Z)))")

_OBJECT_SIGNS = (
    "kind:", '"kind"', "cloudConfig", RKE_MAP, "write_files", "content:", "loadbalancer.openstack.org/",
    "openstack-internal-load-balancer", "externalTrafficPolicy", "type: LoadBalancer", "cloud.conf:", "clouds:",
)  # fmt: skip
_IN_BLOCK = lazy_regex(
    r"[|>][-+0-9]*+[ \t]*+\r?\n(?:[ \t]*+(?:[#;][^\n]*+)?+\r?\n)*+"
    r"[ \t]++\[[ \t]*+(?:global|loadbalancer|blockstorage|networking)\b",
    re.IGNORECASE,
)
"""A block scalar that begins as a cloud.conf does, whatever its key is."""


def _cores(text: bytes) -> tuple[bytes, ...]:
    """The part of a text's base64 that does not depend on the text around it, for each of the three alignments."""
    cores = []
    for before in range(3):
        encoded = b2a_base64(b"\0" * before + text + b"\0" * 2, newline=False)
        first = -(-before * 8 // 6)
        cores.append(encoded[first : (before + len(text)) * 8 // 6])
    return tuple(cores)


ENCODED: tuple[bytes, ...] = (
    *(core for text in (b"[Global]", b"[LoadBalancer", b"cloud") for core in _cores(text)),
    b"H4sI",
)
"""What to search for in base64: parts of a cloud.conf or of a manifest that wraps one, and how gzip begins."""
_ENCODED_TEXT = tuple(core.decode() for core in ENCODED)


def worth_decoding(value: str) -> bool:
    """Whether a base64 text may be a cloud.conf, a manifest that wraps one, or either of them compressed by gzip."""
    return has_one(value, _ENCODED_TEXT)


def is_difference(text: str) -> bool:
    """Whether a text is a difference, or a commit as mail: what it holds is in the files that it is of, or was."""
    return text.startswith(("diff --git ", "--- a/")) or (text.startswith("From ") and _MAIL.match(text) is not None)


def lines_of(text: str) -> str:
    """The text with a newline before each line, most empty lines left out: every newline is a possible match."""
    lines = "\n" + text.removeprefix(BOM)
    return _EMPTY_LINES.sub("\n\n", lines) if "\n\n\n" in lines else lines


def is_ini(text: str) -> bool:
    """Whether a text begins as INI files do: with a header, closed or not, or ``key =``, after comments and marks.

    A YAML document that has a whole cloud.conf in it does not, which is why this is asked first.
    """
    first = text[: text.find("\n") + 1]
    if first[:1].isalpha() and "=" not in first:
        return False  # as nearly all YAML begins
    return _FIRST_LINE.match(text) is not None


def is_outline(text: str) -> bool:
    """Whether most keys of a text have no value, so that it lists their names: a cloud.conf has few such, or none."""
    signs = [match["sign"] for match in _KEY.finditer(lines_of(text))]
    return signs.count(None) * 2 > len(signs)


def is_profile(text: str) -> bool:
    """Whether a text for which `is_ini` holds is one of ccmcheck's own profiles: it extends another, or has checks."""
    signs = [sign for sign in _SIGNS if sign in text]
    if not signs:
        return False
    lines = lines_of(text)
    if _CHECK.search(lines) is not None or ("extends" in signs and _EXTENDS.match(lines) is not None):
        return True
    if "[cloud]" in signs and HEADER.search(lines) is None:
        return True  # facts alone
    values = (match[1].strip() for match in _VALUE.finditer(lines, max(0, lines.find("\n["))))
    return _BARE_CHECK.fullmatch(next(values, "")) is not None and all(map(_BARE_CHECK.fullmatch, values))


def may_hold_objects(text: str) -> bool:
    """Whether a text within an object may hold objects itself: manifests, chart values, cloud-init's data."""
    return has_one(text, _OBJECT_SIGNS) or ("[" in text and _IN_BLOCK.search(text) is not None)


_DEFINE = lazy_regex(r"\{\{-?\s*+define\b")


def has_defines(text: str) -> bool:
    """Whether a text defines Go templates."""
    return "{" in text and "{{" in text and _DEFINE.search(text) is not None


_SECTION = r"(?<![^\s=(,])[\"'](?:\\?\r?\n)?[ \t]*+\[[A-Za-z]++\][ \t]*+\r?\n"
_QUOTED = lazy_regex(_SECTION)
"""A quote, which no letter stands before, and a section on a line of its own."""
_OPENED = lazy_regex(rf"^(?![ \t]*+[#;])(?:[^\"'\n#]++|(?<![ \t])#|\"[^\"\n]*+\"|'[^'\n]*+')*{_SECTION}", re.MULTILINE)
"""The same where the line does not close a quote by it, as one of ``"c2VjcmV0="`` above the next section does."""


_HEREDOC_WORDS = ("kind", "loudConfig", "openstack.org/", "/cloud.conf")
"""What a script has that writes a manifest, chart values, or a cloud.conf with nothing in it."""


def may_hold_shell_text(text: str) -> bool:
    """Whether a text may be a script with a cloud.conf or a manifest in a heredoc, or a cloud.conf between quotes."""
    has_section = "[" in text and "=" in text
    if "<<" in text and (has_section or has_one(text, _HEREDOC_WORDS)):
        return True
    return has_section and _QUOTED.search(text) is not None


def holds_quoted_conf(text: str) -> bool:
    """Whether a line opens a quote before a section that is alone on its line, as a cloud.conf begins in a script."""
    return _OPENED.search(text) is not None


def is_quoted_conf(text: str, start: int) -> bool:
    """Whether a text between quotes begins like that.

    Args:
        text: The script.
        start: Where the opening quote is.
    """
    return _QUOTED.match(text, start) is not None


GATES_IN = ("eatureGates", "eature-gates", "eature_gates")
"""What a file with feature gates of Kubernetes' programs holds: one of these."""
_PROVIDERS = ("-provider=", "cloud-provider:", "name: cloud-provider")
"""Flags for the provider, of which kubeadm's arguments have rules of their own."""
_FLAGS, _FLAGS_BESIDE = ("cloud-config=", "cloud-volume-plugin"), ("cloud-config", "node-ip")
"""Other flags, and what shows them beside one for the provider."""
_PROGRAMS = (
    "ubelet", "UBELET", "ontroller-manager", "ontrollerManager", "piserver", "piServer", "kube_", "kube-",
)  # fmt: skip


def sets_kubernetes(text: str) -> bool:
    """Whether a text may set flags or feature gates of Kubernetes' own programs."""
    has_flags = has_one(text, GATES_IN) or has_one(text, _FLAGS)
    if not has_flags and has_one(text, _PROVIDERS):
        has_flags = "xtraArgs" not in text or has_one(text, _FLAGS_BESIDE)
    return has_flags and has_one(text, _PROGRAMS)
