"""Whether a text is an OpenStack cloud.conf, or one of the many other texts with sections in square brackets.

Names do not decide: ``cloud-config`` is cloud-init's too, and vSphere, AWS, GCE, Azure and CloudStack have a cloud.conf
of their own with a ``[Global]`` in it. So a text counts by what only OpenStack's says, and one that somebody named like
a cloud.conf counts unless it is plainly another cloud's.
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.text import BOM

# These patterns begin with a newline on purpose: memchr finds it, while `^` would be tried at each character.
_LINE = r"\n[ \t]*+"

_HEADER = lazy_regex(
    _LINE + r"\[[ \t]*+(?:global|loadbalancer(?:class)?|blockstorage|networking|metadata|route|keymanager)\b",
    re.IGNORECASE,
)
_OWN_HEADER = lazy_regex(_LINE + r"\[[ \t]*+(?:loadbalancer(?:class)?|blockstorage)[ \t]*+[\]\"]", re.IGNORECASE)
_ANY_HEADER = lazy_regex(_LINE + r"\[[ \t]*+([A-Za-z][\w .-]*+)")

_OWN_KEY = lazy_regex(
    _LINE + r"(?:auth[-_]url|use-clouds|clouds-file|application-credential-(?:id|name|secret)"
    r"|tenant-(?:id|name|domain-(?:id|name))|trust-id|trustee-(?:id|password)|user-domain-(?:id|name)|os-endpoint-type|tls-insecure"
    r"|floating-(?:network|subnet)(?:-id|-tags)?|lb-(?:provider|method|version)|use-octavia|create[-_]monitor"
    r"|monitor-(?:delay|timeout|max-retries(?:-down)?)|manage-security-groups|node-security-group|cascade-delete"
    r"|max-shared-lb|enable-ingress-hostname|member-subnet-id|default-tls-container-ref|internal-lb"
    r"|bs-version|trust-device-path|ignore-volume-az|rescan-on-resize|node-volume-attach-limit"
    r"|public-network-name|internal-network-name|ipv6-support-disabled|address-sort-order|router-id|search-order)"
    r"[ \t]*+=",
    re.IGNORECASE,
)
"""Keys that no other cloud's file has, at the start of a line; two of them with their usual misspelling too."""

_FOREIGN = lazy_regex(
    _LINE + r"(?:\[[ \t]*+(?:workspace|virtualcenter|disk|labels|serviceoverride|kubernetes|provider|vpc|connection)\b"
    r"|(?:insecure-flag|datacenters?|server-port|vm-uuid|vm-name|scsicontrollertype|default-datastore|resourcepool-path"
    r"|vcenter-ip|kubernetescluster(?:tag|id)|disablesecuritygroupingress|disablestrictzonecheck|rolearn|elbsecuritygroup"
    r"|node-instance-prefix|node-tags|multizone|token-url|token-body|local-zone|network-project-id|subnetwork-name"
    r"|api-url|api-key|ssl-no-verify|aadclientid|aadtenantid)[ \t]*+=)",
    re.IGNORECASE,
)
_FOREIGN_JSON = lazy_regex(
    r'\s*+\{.*?"(?:aadClientId|aadClientSecret|tenantId|subscriptionId|resourceGroup|useManagedIdentityExtension'
    r'|AzurePublicCloud|prismCentral|kubernetesVersion)"',
    re.DOTALL,
)
_FOREIGN_YAML = lazy_regex(_LINE + r"(?:vcenter|instances|tenantId|subscriptionId|aadClientId)[ \t]*+:(?:\s|\Z)")


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


def _lines(text: str) -> str:
    """The text with a newline before each line, most empty lines left out: every newline is a possible match."""
    lines = "\n" + text.removeprefix(BOM)
    return _EMPTY_LINES.sub("\n\n", lines) if "\n\n\n" in lines else lines


def is_ini(text: str) -> bool:
    """Whether a text begins as INI files do: with a header, closed or not, or ``key =``, after comments and marks.

    A YAML document that has a whole cloud.conf in it does not, which is why this is asked first.
    """
    return _FIRST_LINE.match(text) is not None


def is_cloud_conf(text: str) -> bool:
    """Whether a text is an OpenStack cloud.conf by what it says.

    Args:
        text: Any text; template marks in it do no harm.

    Returns:
        True with a section and a key that are OpenStack's, or with two sections of which one is only OpenStack's; never
        for a text with another cloud's settings.
    """
    lines = _lines(text)
    if _HEADER.search(lines) is None:
        return False
    if _OWN_KEY.search(lines) is None:
        own = _OWN_HEADER.search(lines)
        if own is None or len({match[1].strip().lower() for match in _ANY_HEADER.finditer(lines)}) < 2:
            return False
    return "auth-url" in text or _FOREIGN.search(lines) is None


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


def is_foreign(text: str) -> bool:
    """Whether a text is another cloud's cloud.conf: vSphere's, AWS's, GCE's, CloudStack's, Azure's, Nutanix's."""
    lines = _lines(text)
    if _FOREIGN.search(lines) is not None:
        return "auth-url" not in text and _OWN_HEADER.search(lines) is None
    if _FOREIGN_JSON.match(text) is not None:
        return True
    return _FOREIGN_YAML.search(lines) is not None and _OWN_KEY.search(lines) is None


_OBJECT_SIGNS = (
    "kind:",
    '"kind"',
    "cloudConfig",
    "write_files",
    "content:",
    "loadbalancer.openstack.org/",
    "externalTrafficPolicy",
)


def may_hold_objects(text: str) -> bool:
    """Whether a text within an object may hold objects itself: manifests, chart values, cloud-init's data."""
    return any(sign in text for sign in _OBJECT_SIGNS)
