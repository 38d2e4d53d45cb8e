"""Values that another tool decrypts or looks up before the text is used.

They are no template marks, because nothing else in the text has to be rendered: the rest of it is final.

Sources: getsops/sops README (``ENC[AES256_GCM,…]``, section ``[sops]`` of INI files); voxpupuli/hiera-eyaml README
(``ENC[PKCS7,…]``); ansible-vault's documentation (``$ANSIBLE_VAULT;1.1;AES256``); argocd-vault-plugin
docs/howitworks.md (``<path:…#key>``); helmfile/vals README (``ref+vault://…``); bank-vaults docs
(``vault:path#key``); jasypt-spring-boot README (``ENC(…)``); Spring Cloud Config (``{cipher}…``); Concourse docs
(``((name))``); 1Password CLI docs (``op://vault/item/field``); Azure DevOps Replace Tokens (``#{name}#``,
``__name__``, ``%name%``, ``%%name%%``, ``@@name@@``).
"""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.text import by_part, has_one_by_part
from ccmcheck.yamlio.mark import TemplateMark, disjoint

_WORDS = ("ENC", "$ANSIBLE_VAULT;", "<path:", "ref+", "vault:", "@@", "%%", "((", "}#", "{cipher}", "op://", "[sops]")
_SIGNS = by_part(_WORDS, *"$<+@%(}[")
_REFERENCE = lazy_regex(
    r"ENC\[[A-Z0-9_]++,[^\[\]\n]*+\]|ENC\([^()\n]++\)"
    r"|\$ANSIBLE_VAULT;[^\"'\n]*+"
    r"|<path:[^<>\n]++>"
    r"|ref\+[a-z0-9]++://[^\s\"']++"
    r"|vault:[\w./-]++\#[\w.-]++"
    r"|op://[^\s\"']++"
    r"|@@[A-Za-z_][\w.-]*+@@|%%[A-Za-z_][\w.-]*+%%"
    r"|\(\([^()\n\"]++\)\)"
    r"|\#\{[A-Za-z_][\w.-]*+\}\#"
    r"|\{cipher\}[^\s\"']++"
)
_TOKEN_SIGNS = by_part(("__", "%", "@", "$("), *"_%@$")
_TOKEN = lazy_regex(
    r"__[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)*+__|%[A-Z][A-Z0-9_]*+%|(?<![\w@])@[A-Z][A-Z0-9_]*+@(?![\w@])|\$\([A-Za-z_][\w.-]*+\)"
)
_METADATA = lazy_regex(r"^\[sops\][ \t]*+\r?$", re.MULTILINE)


def find(text: str, *, tokens: bool = False) -> list[TemplateMark]:
    """Find all references.

    Args:
        text: Any text, its template marks masked.
        tokens: Whether names between single signs (``__X__``, ``%X%``, ``@X@``, ``$(X)``) are some too: in a text that
            a pipeline writes from a template.

    Returns:
        The references in the order of the text; they do not overlap.
    """
    matches = list(_REFERENCE.finditer(text)) if has_one_by_part(text, _SIGNS) else []
    if tokens and has_one_by_part(text, _TOKEN_SIGNS):
        matches += _TOKEN.finditer(text)
    return disjoint(TemplateMark(Span(*match.span()), "reference") for match in matches)


def metadata(text: str) -> TemplateMark | None:
    """The section in which SOPS keeps its own data, at the end of an INI file that it encrypted."""
    match = _METADATA.search(text) if "[sops]" in text else None
    return TemplateMark(Span(match.start(), len(text)), "comment") if match is not None else None
