"""The signs in the names of files, folders and keys: what is a cloud.conf, an example, a template, a document.

Sources: files that users copy and fill in (GNU and Debian packages' ``.example``, ``.sample`` and ``.dist``);
``testdata``, which the go command ignores (``go help packages``); ``fixtures`` and ``golden`` files of tests;
``tests`` and ``e2e`` of Go, Python, Ansible and Helm; snapshots of Jest and helm-unittest (``__snapshot__/*.snap``);
the endings that envsubst, Go, Terraform, Jinja2, Ruby, Mustache and autoconf (``.in``) give their templates; keys of
Secrets in kubernetes/cloud-provider-openstack charts/ and manifests/, OpenShift's, CAPO's and Gardener's.
``test`` alone is no such name: many repositories have clusters called dev, test and prod.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ccmcheck.base.lazy_regex import lazy_regex

EXAMPLE_FOLDERS: Final = (
    *("e2e", "fixtures", "golden", "goldens", "test-data", "testdata", "tests"),
    *("__snapshot__", "__snapshots__"),
)
EXAMPLE_ENDINGS: Final = ("dist", "example", "golden", "sample", "snap")
"""Of a file's name, also where another one follows: ``cloud.conf.example.j2``."""
SHOWN_FOLDERS: Final = ("example", "examples", "sample", "samples")
"""Folders of what may be used as it is, and is judged, but says nothing about the files outside of them."""
NO_CLUSTERS = frozenset((*SHOWN_FOLDERS[:2], "base", "template", "templates", "old", "new", "backup", "test", "tests"))
"""Folders beside those of clusters that hold none."""
TEMPLATE_ENDINGS: Final = (*("tmpl", "tpl", "template", "tftpl", "j2", "jinja", "jinja2", "gotmpl", "erb", "mustache"),)
TEMPLATE_FOLDERS: Final = frozenset(("template", "templates"))

DEFAULT_EXCLUDE: Final = (
    *(f"{name}/" for name in EXAMPLE_FOLDERS),
    *(f"*.{ending}{more}" for ending in EXAMPLE_ENDINGS for more in ("", ".*")),
)
"""The examples as patterns of `ccmcheck.base.globs`."""

# one search for each of the files of a folder, of which there may be many thousands
_EXAMPLE = lazy_regex(
    rf"(?:\A|[/\\])(?:{'|'.join(EXAMPLE_FOLDERS)})[/\\]|\.(?:{'|'.join(EXAMPLE_ENDINGS)})(?:\.[^/\\]*+)?+\Z"
)
_SHOWN = lazy_regex(rf"(?:\A|[/\\])(?:{'|'.join(SHOWN_FOLDERS)})[/\\]")
_ANY_TEMPLATE = "|".join((*TEMPLATE_ENDINGS, "in"))
_CLOUD_CONF = lazy_regex(
    rf"(?i:(?:\A|[/\\._-])cloud(?:[-_]?provider)?\.conf(?:\.(?:{_ANY_TEMPLATE}|{'|'.join(EXAMPLE_ENDINGS)}))*\Z)"
)
_CLOUD_CONF_KEYS = frozenset({"cloud.conf", "cloudprovider.conf", "cloud-provider.conf"})
_OTHER_KEYS = frozenset({"cloud-config", "cloud-config.conf", "cloudconfig"})
WORD_FOR_CCM = r"c(?:cm\b(?:(?<=\bccm)|(?<=\boccm))|loud[ _-]controller)"
"""A pattern of what people call a CCM, in lower case; its first letter is found at once."""
_CCM_OBJECT = lazy_regex(rf"(?ai)openstack|{WORD_FOR_CCM}")


def is_example(path: str) -> bool:
    """Whether a file is an example or test data.

    Args:
        path: The file, from a folder that its name and those of the folders around it do not count for.
    """
    return _EXAMPLE.search(path) is not None


def is_apart(path: str) -> bool:
    """Whether a file says nothing about others: an example, test data, or in a folder of what is shown."""
    return is_example(path) or _SHOWN.search(path) is not None


def is_named_cloud_conf(path: str) -> bool:
    """Whether a file's name alone says that it is a cloud.conf, as ``cloud.conf`` and ``my-cloud.conf.tmpl`` do."""
    return _CLOUD_CONF.search(path) is not None


def is_cloud_conf_key(key: str, object_name: str = "") -> bool:
    """Whether a key of a Secret or ConfigMap is one under which the CCM's file is kept.

    The object's name decides on keys that others use too.
    """
    return key in _CLOUD_CONF_KEYS or (key in _OTHER_KEYS and _CCM_OBJECT.search(object_name) is not None)


def is_template(path: str, named: Sequence[str] = ()) -> bool:
    """Whether a file is a template by its name or its folder: ``cloud.conf.tmpl``, ``templates/secret.yaml``.

    Args:
        path: The file.
        named: What the user named; of the path of a file below it, only the rest counts.
    """
    *folders, name = path.replace("\\", "/").lower().split("/")
    if not TEMPLATE_FOLDERS.isdisjoint(folders):
        top = next((one for one in named if path.startswith(f"{one.rstrip('/')}/")), "")
        folders = folders[top.rstrip("/").count("/") + 1 :] if top else folders
    *_, inner, last = ["", "", *name.split(".")[1:]]
    return (
        name in TEMPLATE_FOLDERS
        or last in TEMPLATE_ENDINGS
        or (inner in TEMPLATE_ENDINGS and last.isascii() and last.isalpha())
        or not TEMPLATE_FOLDERS.isdisjoint(folders)
    )


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
_TEMPLATE_ENDING = lazy_regex(rf"(?i:\.(?:{_ANY_TEMPLATE})\Z)")


def is_document(path: str) -> bool:
    """Whether a file is a document by its name, so that what it holds is an example."""
    is_yaml = path.lower().endswith(YAML_NAMES)  # as most files are: no closer look
    return not is_yaml and language_by_name(path) in DOCUMENTS


def language_by_name(path: str) -> str:
    """The language that a file's name promises; empty for none."""
    name = path.replace("\\", "/").rpartition("/")[2]
    while (suffix := _TEMPLATE_ENDING.search(name)) is not None:
        name = name[: suffix.start()]
    dot = name.rfind(".")
    language = _BY_EXTENSION.get(name[dot:].lower(), "") if dot >= 0 else ""
    if language:
        return language
    match = _BY_NAME.match(name)
    if match is None or (match.end() < len(name) and not (match["make"] or match["docker"])):
        return ""
    return {"make": MAKE, "docker": DOCKER, "shell": SHELL, "document": TEXT}[match.lastgroup or ""]


def is_named_template(path: str) -> bool:
    """Whether the last ending of a file's name is a template's, or ``.in``."""
    return _TEMPLATE_ENDING.search(path) is not None
