"""From one file's text to every cloud.conf in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers.kinds import visit
from ccmcheck.carriers.level import Level, substituted
from ccmcheck.carriers.names import is_template
from ccmcheck.carriers.prefilter import is_named_cloud_conf, mentions_cloud_conf, worth_reading
from ccmcheck.carriers.recognise import is_cloud_conf, is_foreign, is_ini, is_profile
from ccmcheck.carriers.search import Around, FindOptions, Holder, Search
from ccmcheck.layers.stack import Stack
from ccmcheck.yamlio import Mapping, Sequence, documents
from ccmcheck.yamlio import marks as template_marks

if TYPE_CHECKING:
    from ccmcheck.base.result import Failure
    from ccmcheck.carriers.base import BoundService, Bundle, Carried, CcmPod
    from ccmcheck.carriers.objects import Object
    from ccmcheck.yamlio import Document, Mark

FILE = Holder("file")
"""A cloud.conf that is a file of its own has no object around it."""

_DEFAULTS = FindOptions()
_WIDE = ("\udcff\udcfe", "\udcfe\udcff")
"""The byte order marks of UTF-16, as bytes that are not UTF-8 are decoded."""
_YAML_NAMES = (".yaml", ".yml", ".json")


class FileContents(NamedTuple):
    """What one file holds.

    Attributes:
        carried: Its cloud.confs, in the order in which they were met.
        pods: The CCM's workloads in it, and the charts that install it.
        broken: The parts that could not be read, where that matters.
        kinds: The kinds of all objects met, in their order.
        objects: The objects that rules of their own are about, see `ccmcheck.carriers.kinds.LINTED_KINDS`.
        told: What it tells other files' rules.
        bound: The Services that name what other Services may name too.
    """

    carried: list[Carried]
    pods: list[CcmPod]
    broken: list[Failure]
    kinds: tuple[str, ...]
    objects: list[Object]
    told: Bundle
    bound: list[BoundService]


def find(path: str, text: str, options: FindOptions = _DEFAULTS) -> FileContents:
    """Find every cloud.conf of a file, however deep it lies.

    Args:
        path: The file as the user named it; its name tells whether it is a template.
        text: Its decoded text.
        options: How it is searched.

    Returns:
        What was found. Nothing is raised for what the file holds.
    """
    search = Search(path, options, visit)
    level, marks = _first_level(path, text, options)
    if is_ini(text):
        if _is_wanted(path, text, options):
            _take_file(search, level, marks)
    elif not _search_objects(search, level, marks) and _is_wanted(path, text, options):
        _take_file(search, level, marks)
    if options.explicit and text.startswith(_WIDE) and not search.carried:
        search.fail(level, 0, "this is UTF-16, which neither Kubernetes nor the CCM reads", "Save the file as UTF-8.")
    objects, search.objects = search.objects, []  # they know the search: knowing them, it would keep all in memory
    return FileContents(
        search.carried, search.pods, search.broken, tuple(search.kinds), objects, search.told, search.bound
    )


def _first_level(path: str, text: str, options: FindOptions) -> tuple[Level, list[Mark]]:
    """The file as a level, the given variables put in, and the marks that are left in it."""
    final = not (is_template(path) if options.template is None else options.template)
    level = Level(Stack(text), text, final=final)
    if not options.variables:
        return level, template_marks.find(text)
    replaced = substituted(text, options.variables)
    if replaced is None:
        return level, template_marks.find(text)
    layer, left = replaced
    return level._replace(stack=level.stack.push(layer), written=layer.text, final=final or not left), left


def _is_wanted(path: str, text: str, options: FindOptions) -> bool:
    """Whether a text that holds no object is a cloud.conf: by what it says, or by its name and the user's word.

    What the user names is taken at the user's word, unless its name says that it is YAML.
    """
    if is_ini(text) and not is_named_cloud_conf(path) and is_profile(text):
        return False
    if is_cloud_conf(text) and (is_ini(text) or is_named_cloud_conf(path)):
        return True
    meant = options.explicit and worth_reading(path) and not path.lower().endswith(_YAML_NAMES)
    if not meant and not is_named_cloud_conf(path):
        return False
    return bool(text.strip() or options.explicit) and not is_foreign(text)


def _take_file(search: Search, level: Level, marks: list[Mark]) -> None:
    """Count the file as a cloud.conf.

    Its marks are literal values that somebody forgot to fill in, unless its name says template, the user does, there
    are conditions and loops in it, or most of its values are marks: nobody forgets them all.
    """
    template = search.options.template
    if template is None:
        template = (
            not level.final
            or any(not mark.prints for mark in marks)
            or (len(marks) > 1 and len(marks) * 2 > level.text.count("="))
        )
    if template:
        level = (level.masking(marks) if marks else level)._replace(final=False)
    Around(search, level, FILE).take()


def _search_objects(search: Search, level: Level, marks: list[Mark]) -> bool:
    """Search a file's YAML documents; False where it has no mapping or list in it, so that it is no YAML file."""
    plain, text = level, level.text
    if marks and search.options.template is not False:
        level = plain.masking(marks)
    found = list(documents(level.text))
    if marks and level is plain and any(isinstance(document, BadYaml) for document in found):
        level = plain.masking(marks)
        found = list(documents(level.text))
    structured = False
    broken: BadYaml | None = None
    for document in found:
        if isinstance(document, BadYaml):
            broken = broken or document
        elif isinstance(document.root, (Mapping, Sequence)):
            structured = True
            visit(search, level, document.root)
    if broken is not None:
        if not structured and _is_wanted(search.path, text, search.options):
            return False
        before = len(search.carried)
        Around(search, level, FILE).slices()
        structured = structured or len(search.carried) > before
        if _is_told(search, level, marks, found):
            search.fail(level, broken.offset, f"not YAML: {broken.message}")
    if structured and is_named_cloud_conf(search.path) and not search.carried and not search.kinds:
        return False  # a clouds.yaml or the like where a cloud.conf should be
    return structured


def _is_told(search: Search, level: Level, marks: list[Mark], found: list[Document | BadYaml]) -> bool:
    """Whether a document that is no YAML is worth a word.

    A template is seldom YAML before it is rendered, and a text of another kind never is.
    """
    if marks or not level.final:
        return False
    name = search.path.lower()
    if not name.endswith(_YAML_NAMES) and len(found) == 1:
        return False
    if "LoadBalancer" in level.text and any(f"kind: Service{end}" in level.text for end in "\r\n"):
        return True
    return mentions_cloud_conf(level.text.encode("utf-8", "surrogatepass"))
