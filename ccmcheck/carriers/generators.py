"""The parameters that an ApplicationSet of Argo CD puts into its template, one set for each Application.

Lists, folders and files of the repository, and two of them combined are known here; clusters and pull requests are not.
Sources: argo-cd docs/operator-manual/applicationset (Generators-List.md, Generators-Git.md, Generators-Matrix.md).
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.path_proximity import folder_of, upward
from ccmcheck.layers.placed_values import Leaf, Line, List, Map, Tree, at, made, text_at

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from ccmcheck.base.model import Span
    from ccmcheck.kustomize.files import Files

_NAME = lazy_regex(r"\{\{-?[ \t]*+\.?(?P<name>[\w.\[\]-]++)[ \t]*+-?\}\}")
_ROLE_DEFAULTS = lazy_regex(r"(?P<top>|.*?/)roles/(?:[^/]++/)++(?<=/defaults/)main\.ya?ml")
_MOST = 200
"""Applications of one set."""
_MOST_PATTERNS = 10


class KnownFiles:
    """The files that there are, as far as names of folders matter.

    Args:
        paths: They.

    Attributes:
        paths: The same, in order.
    """

    def __init__(self, paths: Collection[str]) -> None:
        self.paths = sorted(paths)

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(folder_of(path), []).append(path)
        return found

    @cached_property
    def folders(self) -> list[str]:
        """All folders with files in or below them, in order."""
        return sorted({folder for below in self._by_folder for folder in upward(below) if folder})

    @cached_property
    def role_defaults(self) -> list[tuple[str, str]]:
        """The defaults of Ansible's roles, each with the folder that its roles are in."""
        found = [(_ROLE_DEFAULTS.fullmatch(path), path) for path in self.paths]
        return [(match["top"], path) for match, path in found if match is not None]

    def in_folder(self, folder: str) -> list[str]:
        """The files of a folder, in order."""
        return self._by_folder.get(folder, [])


def parameters_of(generators: Tree | None, files: Files, known: KnownFiles) -> Iterator[dict[str, Leaf]]:
    """The parameters of each Application.

    Args:
        generators: The list of generators.
        files: Reads the files that they name.
        known: The files that there are.
    """
    for generator in generators if isinstance(generators, List) else ():
        yield from islice(_of_generator(generator, files, known), _MOST)


def _of_generator(generator: Tree, files: Files, known: KnownFiles) -> Iterator[dict[str, Leaf]]:
    elements = at(generator, "list", "elements")
    for element in elements if isinstance(elements, List) else ():
        yield _flat(element, "")
    for form in ("directories", "files"):
        patterns = at(generator, "git", form)
        for pattern in patterns[:_MOST_PATTERNS] if isinstance(patterns, List) else ():
            if text_at(pattern, "exclude") != "true":
                yield from _of_paths(pattern, form, files, known)
    both = at(generator, "matrix", "generators")
    if isinstance(both, List) and len(both) == 2:
        second = list(islice(_of_generator(both[1], files, known), _MOST))
        for first in islice(_of_generator(both[0], files, known), _MOST):
            yield from ({**first, **other} for other in second)


def _of_paths(pattern: Tree, form: str, files: Files, known: KnownFiles) -> Iterator[dict[str, Leaf]]:
    """A set for each folder or file that a pattern means, named from the top of the repository."""
    wanted = text_at(pattern, "path")
    place = pattern.place
    if form == "files":
        for path in (path for path in known.paths if _is_meant(path, wanted)):
            for document in files.documents(path) or ():
                yield {**_flat(document.tree, ""), **_of_path(folder_of(_from_top(path, wanted)), place)}
        return
    for folder in (folder for folder in known.folders if _is_meant(folder, wanted)):
        yield _of_path(_from_top(folder, wanted), place)


def _is_meant(path: str, pattern: str) -> bool:
    """Whether a path is meant by a pattern, which is about the path from the top of the repository, unknown here."""
    path = _from_top(path, pattern)
    return fnmatchcase(path, pattern) and (path.count("/") == pattern.count("/") or "**" in pattern)


def _from_top(path: str, pattern: str) -> str:
    """The end of a path that begins as a pattern does."""
    first = pattern.partition("*")[0].partition("/")[0]
    parts = path.split("/")
    return "/".join(parts[parts.index(first) :]) if first in parts else path


def _of_path(path: str, place: Span) -> dict[str, Leaf]:
    parts = path.split("/")
    found = {"path": path, "path.path": path, "path.basename": parts[-1]}
    found.update((f"path[{number}]", part) for number, part in enumerate(parts))
    return {name: made(text, place) for name, text in found.items()}


def _flat(tree: Tree | None, prefix: str) -> dict[str, Leaf]:
    """The texts in a mapping by their paths."""
    found: dict[str, Leaf] = {}
    for name, value in tree.items() if isinstance(tree, Map) else ():
        if isinstance(value, Leaf):
            found[prefix + name] = value
        elif isinstance(value, Map) and prefix.count(".") < 8:
            found.update(_flat(value, f"{prefix}{name}."))
    return found


def substituted_tree(tree: Tree, parameters: Mapping[str, Leaf]) -> Tree:
    """Values with the parameters that they name; what names others stays as it is."""
    if isinstance(tree, Map):
        new = Map(tree.place)
        for name, value in tree.items():
            new.put(name, substituted_tree(value, parameters), tree.names.get(name))
        return new
    if isinstance(tree, List):
        items = List(tree.place)
        items.extend(substituted_tree(item, parameters) for item in tree)
        return items
    if "{{" not in tree.text:
        return tree
    parts: list[str] = []
    lines: list[Line] = []
    length = 0
    for text, outer in _pieces(tree, parameters):
        if outer is not None:
            lines.append(Line(length, length + len(text), outer))
        parts.append(text)
        length += len(text)
    text = "".join(parts)
    return Leaf(text, text, tree.place, lines=tuple(lines)) if text != tree.text else tree


def _pieces(leaf: Leaf, parameters: Mapping[str, Leaf]) -> Iterator[tuple[str, int | None]]:
    """The pieces of a text and the parameters in it, each with its place where it stands there as it is."""
    position = 0
    for line in (*leaf.lines, Line(len(leaf.text), len(leaf.text), 0)):
        # what is between two lines stands nowhere
        yield from _filled(leaf.text[position : line.start], None, parameters)
        yield from _filled(leaf.text[line.start : line.end], line.outer, parameters)
        position = line.end


def _filled(text: str, outer: int | None, parameters: Mapping[str, Leaf]) -> Iterator[tuple[str, int | None]]:
    """The pieces of one line."""
    position = 0
    for match in _NAME.finditer(text):
        value = parameters.get(match["name"])
        if value is None:
            continue
        yield text[position : match.start()], None if outer is None else outer + position
        stands = len(value.lines) == 1 and value.lines[0].end == len(value.text)
        yield value.text, value.lines[0].outer if stands else None
        position = match.end()
    yield text[position:], None if outer is None else outer + position
