"""Which files are written in another language, and may have a cloud.conf or a manifest in them."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.embedded.signs import has_defines
from ccmcheck.carriers.prefilter import is_named_cloud_conf

SHELL = "shell script"
MAKE = "Makefile"
DOCKER = "Dockerfile"
HCL = "HCL"
MARKDOWN = "Markdown"
ASCIIDOC = "AsciiDoc"
RST = "reStructuredText"
GO_TEMPLATE = "Go template"
GO = "Go source"
TEXT = "text"
OTHER = "another program"

DOCUMENTS = frozenset({MARKDOWN, ASCIIDOC, RST, TEXT, GO})
"""What these hold is an example, or what a program makes one from; nothing applies it to a cluster as it is."""

_BY_EXTENSION = {
    **dict.fromkeys((".sh", ".bash", ".zsh", ".ksh", ".rc", ".env", ".envrc", ".bats"), SHELL),
    **dict.fromkeys((".md", ".markdown", ".mdx"), MARKDOWN),
    **dict.fromkeys((".adoc", ".asciidoc"), ASCIIDOC),
    **dict.fromkeys((".tf", ".hcl", ".tfvars", ".tofu"), HCL),
    ".go": GO,
    ".rst": RST,
    ".mk": MAKE,
    ".dockerfile": DOCKER,
    ".txt": TEXT,
}
_BY_NAME = lazy_regex(
    r"(?P<make>(?:GNU)?[Mm]akefile)|(?P<docker>(?:Docker|Container)file)|(?P<shell>openrc|env|\.(?:bash|zsh)\w*+)"
    r"|(?P<document>README|INSTALL|NOTES)"
)
YAML_NAMES = (".yaml", ".yml", ".json")
"""How the names of files end that are YAML as a whole."""
_AMBIGUOUS = lazy_regex(r"\.(?:rc|env)(?:\.[A-Za-z0-9]+)?\Z", re.IGNORECASE)
_TEMPLATE_SUFFIX = lazy_regex(r"\.(?:tmpl|tpl|tftpl|j2|jinja2?|gotmpl|erb|in|template)\Z", re.IGNORECASE)
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
    if path.lower().endswith(YAML_NAMES):
        return ""
    if path.lower().endswith(".go"):
        return GO
    if has_defines(text):
        return GO_TEMPLATE
    if is_named_cloud_conf(path):
        return ""
    language = _by_name(path)
    shebang = _SHEBANG.match(text)
    if shebang is not None:
        language = SHELL if _SHELLS.search(shebang["program"]) else OTHER
    is_template = _TEMPLATE_SUFFIX.search(path) is not None
    if (language == TEXT or _AMBIGUOUS.search(path)) and shebang is None and _INI.match(text) is not None:
        return ""  # its content says more than its name
    if not language and is_template and _HEREDOC.search(text) and not (_YAML.match(text) or _INI.match(text)):
        return SHELL
    return language


def is_document(path: str) -> bool:
    """Whether a file is a document by its name, so that what it holds is an example."""
    return not path.lower().endswith(YAML_NAMES) and _by_name(path) in DOCUMENTS  # most files are YAML: no closer look


def _by_name(path: str) -> str:
    """The language that a file's name promises; empty for none."""
    name = path.replace("\\", "/").rpartition("/")[2]
    while (suffix := _TEMPLATE_SUFFIX.search(name)) is not None:
        name = name[: suffix.start()]
    dot = name.rfind(".")
    language = _BY_EXTENSION.get(name[dot:].lower(), "") if dot >= 0 else ""
    if language:
        return language
    match = _BY_NAME.match(name)
    if match is None or (match.end() < len(name) and not (match["make"] or match["docker"])):
        return ""
    return {"make": MAKE, "docker": DOCKER, "shell": SHELL, "document": TEXT}[match.lastgroup or ""]
