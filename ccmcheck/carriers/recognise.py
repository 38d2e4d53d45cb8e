"""Whether a text is an OpenStack cloud.conf, or one of the many other texts with sections in square brackets.

Names do not decide: ``cloud-config`` is cloud-init's too, Octavia has ``[networking]``, vSphere, AWS, GCE, Huawei and
CloudStack have a cloud.conf of their own with a ``[Global]`` in it, and many programs have a file of that name. So a
text counts by the names in it, see `ccmcheck.carriers.evidence`.
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.text import BOM
from ccmcheck.carriers.evidence import Evidence, evidence, misspelt_keys
from ccmcheck.catalog.data.deployments import RKE_MAP

_MAIL = lazy_regex(r"From [0-9a-f]{40} ")
"""How git begins a commit as mail."""

# These patterns begin with a newline on purpose: memchr finds it, while `^` would be tried at each character.
_LINE = r"\n[ \t]*+"

_HEADER = lazy_regex(
    _LINE + r"\[[ \t]*+(?:global|loadbalancer(?:class)?|blockstorage|networking|metadata|route|keymanager)\b",
    re.IGNORECASE,
)

_CHECK = lazy_regex(
    _LINE + r"(?:[\w-]++[ \t]*+=[ \t]*+(?:equals|option|not|duration|integer|like|one-of-tags|absent|present|usual)\("
    r"|\[\[[ \t]*+(?:reason|severity|source)[ \t]*+\]\])"
)
"""A requirement of one of ccmcheck's own profiles, which have cloud.conf's sections and keys, and checks for values."""
_SIGNS = ("(", "[[", "extends", "[cloud]", "present", "absent", "usual", "recommended", "= any", "=any")
"""One of these is in every profile, and none in most other files."""
_BARE_CHECK = lazy_regex(r"(?:present|absent|usual|recommended|any)[ \t]*+(?:#[^\n]*+)?")
_VALUE = lazy_regex(_LINE + r"[\w-]++[ \t]*+=[ \t]*+([^\n]*+)")
_EXTENDS = lazy_regex(r"\n(?:[ \t]*+(?:#[^\n]*+|(?!extends)[\w-]++[ \t]*+=[^\n]*+)?+\r?\n)*+[ \t]*+extends[ \t]*+=")

_FIRST_LINE = lazy_regex(
    r"\ufeff?(?:[ \t]*+(?:[#;][^\n]*+|\{[%#{][^\n]*+|%\{[^\n]*+|<%[^\n]*+)?+\r?\n)*+"
    r"[ \t]*+(?:\[[ \t]*+[A-Za-z][^\]\n,:{}]*+(?:\][^\n]*+)?+(?:\n|\Z)|[A-Za-z][\w-]*+[ \t]*+=)"
)


_EMPTY_LINES = lazy_regex(r"\n{3,}+")


class Recognition(NamedTuple):
    """The answer to the question whether a text is a cloud.conf, with its reason.

    Attributes:
        taken: Whether the text is read as a cloud.conf.
        reason: Why, as a clause for people. It quotes names of sections and keys that ccmcheck knows, never other parts
            of the text, so that it can be shown.
        program: Who reads the text instead, where its sections and keys say so: ``Octavia``; else empty.
        span: The place in the text that decided, empty where there is no such place.
    """

    taken: bool
    reason: str
    program: str = ""
    span: Span = Span(0, 0)


def is_difference(text: str) -> bool:
    """Whether a text is a difference, or a commit as mail: what it holds is in the files that it is of, or was."""
    return text.startswith(("diff --git ", "--- a/")) or _MAIL.match(text) is not None


def _lines(text: str) -> str:
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


def recognise_content(text: str) -> Recognition:
    """Whether a text that no name announces is an OpenStack cloud.conf.

    Args:
        text: Any text; template marks in it do no harm.

    Returns:
        Taken with a section and a key that are OpenStack's, or with two sections of which one is only OpenStack's;
        never with more of another program's names.
    """
    if _HEADER.search(_lines(text)) is None:
        return _NOTHING
    found = evidence(text)
    enough = found.own or (len(found.sections) > 1 and found.own_sections)
    if not found.sections or not enough:
        return _other(found)
    return _other(found) if found.program else Recognition(taken=True, reason=_shown(found))


def is_outline(text: str) -> bool:
    """Whether most keys of a text have no value, so that it lists their names: a cloud.conf has few such, or none."""
    bare = with_value = 0
    for match in _KEY.finditer(_lines(text)):
        if match["sign"]:
            with_value += 1
        else:
            bare += 1
    return bare > with_value


def is_cloud_conf(text: str) -> bool:
    """Whether a text is an OpenStack cloud.conf by its content; see `recognise_content`."""
    return recognise_content(text).taken


def recognise_named(text: str, *, stored: bool = False, explicit: bool = False) -> Recognition:
    """Whether a text that its name or the user calls a cloud.conf is one: something in it has to be the CCM's.

    Args:
        text: The text.
        stored: Whether an object holds it under the name of a cloud.conf; then another format is a mistake.
        explicit: Whether the user named the file.
    """
    encrypted = _encrypted(text)
    if encrypted:
        from ccmcheck.catalog.data.other_programs import ENCRYPTED_BY

        return Recognition(taken=False, reason=f"it is encrypted by {encrypted}", program=f"{ENCRYPTED_BY}{encrypted}")
    found = evidence(text)
    if found.program:
        return _other(found)
    if found.own or found.shared:
        return Recognition(taken=True, reason=_shown(found))
    program = _other_format(text)
    if program:
        return Recognition(taken=False, reason=f"it is {program}", program=program)
    if found.sections or found.misspelt:
        if found.unknown >= _STRANGE and not found.own_sections and not found.misspelt and not misspelt_keys(text):
            return Recognition(
                taken=False,
                reason=f"{_sections(found)} has none of the CCM's keys" if found.sections else _NOTHING.reason,
            )
        return Recognition(taken=True, reason=_shown(found))
    if misspelt_keys(text):
        return Recognition(taken=True, reason="it has misspelt keys of the CCM's")
    return _by_format(text, stored=stored, explicit=explicit)


_KEY = lazy_regex(_LINE + r"[A-Za-z][\w-]*+[ \t]*+(?:(?P<sign>=)|[;#][^\n]*+|(?=\r?(?:\n|\Z)))")
_BEGINNING = 200
_STRANGE = 2
"""Unknown keys alone below a section such as ``[global]`` that make it another program's; one may be a mistake."""

_NOTHING = Recognition(taken=False, reason="none of its sections and keys are the CCM's")
_MOST_NAMES = 3

_BLANK = r"(?:[ \t]*+(?:[#;][^\n]*+|---[ \t]*+)?+\r?\n)*+[ \t]*+"
_OPENSTACK = lazy_regex(
    _BLANK + r"(?:clouds|global|networking|loadBalancer|cloudConfig|auth-url)[ \t]*+:", re.IGNORECASE
)
_OPENRC = lazy_regex(_LINE + r"(?:export[ \t]++)?OS_(?:AUTH_URL|USERNAME|PASSWORD|CLOUD|APPLICATION_CREDENTIAL_ID)=")
_MANIFEST = lazy_regex(_BLANK + r"(?:apiVersion|kind|metadata|stringData)[ \t]*+:")
_OTHER_TEXT = lazy_regex(
    r"(?:\s|[#;][^\n]*+\n)*+(?:-----BEGIN |---|\{(?![%{#])|(?:apiVersion|kind|metadata|stringData)[ \t]*+:)"
)
_WIDE_SIGNS = lazy_regex("[\0\udcfe\udcff]++")
"""The zeros and the byte order mark of UTF-16, as bytes that are not UTF-8 are decoded."""
_MARKS_ONLY = lazy_regex(r"(?:\s|[#;][^\n]*+(?:\n|\Z)|\$\{[^{}\n]*+\}|\{\{[^{}\n]*+\}\}|\{%[^\n]*?%\}|<%[^\n]*?%>)*+\Z")


def _other(found: Evidence) -> Recognition:
    """What another program's names make of a text."""
    program = found.program or max(found.others, key=found.others.__getitem__, default="")
    if not program:
        return _NOTHING
    reason = f"its sections and keys are those of {program}"
    return Recognition(taken=False, reason=reason, program=program, span=found.place)


def _shown(found: Evidence) -> str:
    """The names that make a text a cloud.conf, for people."""
    names = [f"`[{name}]`" for name in found.sections[:_MOST_NAMES]]
    names += [f"`{name}`" for name in (*found.own, *found.shared)[: max(_MOST_NAMES - len(names), 1)]]
    if not names:
        return "it has misspelt sections of cloud.conf"
    return f"it has {names[0]}" if len(names) == 1 else f"it has {', '.join(names[:-1])} and {names[-1]}"


def _sections(found: Evidence) -> str:
    return f"`[{found.sections[0]}]`"


def _encrypted(text: str) -> str:
    """What a text as a whole is encrypted by; empty where it is not."""
    from ccmcheck.catalog.data.other_programs import ENCRYPTED

    beginning = text[:_BEGINNING].lstrip()
    for start, program in ENCRYPTED.items():
        if beginning.startswith(start):
            return program
    return "SOPS" if beginning.startswith("{") and '"sops"' in text and '"ENC[' in text else ""


def _other_format(text: str) -> str:
    """Whose text in JSON or YAML this is; empty where that is unknown."""
    from ccmcheck.catalog.data.other_programs import JSON_KEYS, YAML_KEYS

    if text.startswith("#cloud-config"):
        return "cloud-init's data"
    if text.lstrip().startswith("{"):
        return next((program for key, program in JSON_KEYS.items() if f'"{key}"' in text), "")
    lines = _lines(text)
    return next((program for key, program in YAML_KEYS.items() if f"\n{key}:" in lines), "")


def _by_format(text: str, *, stored: bool, explicit: bool) -> Recognition:
    """What to make of a text without a name of the CCM's: another form of its settings, or nothing of it."""
    from ccmcheck.carriers.prefilter import worth_decoding

    if _OPENSTACK.match(text) is not None:
        return Recognition(taken=True, reason="it is OpenStack's settings in YAML")
    if worth_decoding(text) or "\0" in text:
        inner = _WIDE_SIGNS.sub("", text) if "\0" in text else ""
        if not inner or evidence(inner).sections:
            return Recognition(taken=True, reason="it is an encoded cloud.conf")
    if (stored or explicit) and _OPENRC.search(_lines(text)) is not None:
        return Recognition(taken=True, reason="it has the variables of an openrc file")
    if explicit and _MANIFEST.match(text) is not None:
        return Recognition(taken=True, reason="it is a broken manifest where a cloud.conf should be")
    if stored and _OTHER_TEXT.match(text) is not None:
        return Recognition(taken=True, reason="it is stored as a cloud.conf")
    if _MARKS_ONLY.match(text) is not None:
        return Recognition(taken=True, reason="its name says so, and nothing in it speaks against it")
    return _NOTHING


def is_profile(text: str) -> bool:
    """Whether a text for which `is_ini` holds is one of ccmcheck's own profiles: it extends another, or has checks."""
    signs = [sign for sign in _SIGNS if sign in text]
    if not signs:
        return False
    lines = _lines(text)
    if _CHECK.search(lines) is not None or ("extends" in signs and _EXTENDS.match(lines) is not None):
        return True
    if "[cloud]" in signs and _HEADER.search(lines) is None:
        return True  # facts alone
    values = (match[1].strip() for match in _VALUE.finditer(lines, max(0, lines.find("\n["))))
    return _BARE_CHECK.fullmatch(next(values, "")) is not None and all(map(_BARE_CHECK.fullmatch, values))


_OBJECT_SIGNS = (
    "kind:",
    '"kind"',
    "cloudConfig",
    RKE_MAP,
    "write_files",
    "content:",
    "loadbalancer.openstack.org/",
    "openstack-internal-load-balancer",
    "externalTrafficPolicy",
    "cloud.conf:",
)


_IN_BLOCK = lazy_regex(
    r"[|>][-+0-9]*+[ \t]*+\r?\n(?:[ \t]*+(?:[#;][^\n]*+)?+\r?\n)*+"
    r"[ \t]++\[[ \t]*+(?:global|loadbalancer|blockstorage|networking)\b",
    re.IGNORECASE,
)
"""A block scalar that begins as a cloud.conf does, whatever its key is."""


def may_hold_objects(text: str) -> bool:
    """Whether a text within an object may hold objects itself: manifests, chart values, cloud-init's data."""
    return any(sign in text for sign in _OBJECT_SIGNS) or ("[" in text and _IN_BLOCK.search(text) is not None)
