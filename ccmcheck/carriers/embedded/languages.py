"""Which files are written in another language, and may have a cloud.conf or a manifest in them."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.signs import paths
from ccmcheck.catalog.signs.forms import has_defines

_AMBIGUOUS = lazy_regex(r"\.(?:rc|env)(?:\.[A-Za-z0-9]+)?\Z", re.IGNORECASE)
_SHEBANG = lazy_regex(r"#![ \t]*+(?P<program>[^\n]*+)")
_SHELLS = lazy_regex(r"(?:\A|/|[ \t])(?:ba|z|k|da|a)?sh(?:[ \t\r]|\Z)")
_INI_LINE = r"[ \t]*+(?:(?:[#;]|\{[{%#]|%\{|<%)[^\n]*+|[A-Za-z][\w-]*+[ \t]*+(?:=[^\n]*+)?)?+\r?\n"
_INI = lazy_regex(
    rf"\ufeff?(?:{_INI_LINE})*+[ \t]*+\[[ \t]*+[A-Za-z][^\]\n,:{{}}]*+\][ \t]*+(?:[#;][^\n]*+)?\r?(?:\n|\Z)"
)
_YAML = lazy_regex(
    r"\ufeff?(?:[ \t]*+(?:[#%][^\n]*+|\{[{%#][^\n]*+|<%[^\n]*+)?+\r?\n)*+"
    r"(?:---|[{\[]|-[ \t]|[\w.\"'/-]++[ \t]*+:(?:[ \t\r]|\n|\Z))"
)
_HEREDOC = lazy_regex(r"<<-?[ \t]*+['\"\\]?[A-Za-z_]\w*+['\"]?(?:[ \t|>&;)\r][^\n]*+)?\n")


def language_of(path: str, text: str) -> str:
    """The language of a file that is searched for texts within it; empty where it is read as a whole.

    Args:
        path: The file.
        text: Its text.
    """
    if path.lower().endswith(paths.YAML_NAMES):
        return ""
    if path.lower().endswith(".go"):
        return paths.GO
    if has_defines(text):
        return paths.GO_TEMPLATE
    if paths.is_named_cloud_conf(path):
        return ""
    language = paths.language_by_name(path)
    shebang = _SHEBANG.match(text)
    if shebang is not None:
        language = paths.SHELL if _SHELLS.search(shebang["program"]) else paths.OTHER
    is_template = paths.is_named_template(path)
    if (language == paths.TEXT or _AMBIGUOUS.search(path)) and shebang is None and _INI.match(text) is not None:
        return ""  # its content says more than its name
    if not language and is_template and _HEREDOC.search(text) and not (_YAML.match(text) or _INI.match(text)):
        return paths.SHELL
    return language
