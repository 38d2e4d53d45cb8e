"""The files that builds read: below the top of the repository alone, within limits, each once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.paths import LONGEST_PATH, is_path
from ccmcheck.kustomize.builds import NAMES, WHOLE
from ccmcheck.kustomize.bundle import Offsets, fits
from ccmcheck.kustomize.limits import MOST_FILES, BuildTooLarge, BuildWork
from ccmcheck.layers.placed_values import Leaf, List, Map, PlacedReader, Tree, text_at
from ccmcheck.yamlio import Mapping, Sequence, YamlNode, documents

_DEFINITION = "kind: CustomResourceDefinition"
_KIND = lazy_regex(r"^kind:", re.MULTILINE)


class ResourceDocument:
    """One document of a file.

    Attributes:
        number: Which one, from 0.
        tree: What it holds; None where it cannot be read.
    """

    __slots__ = ("number", "tree")

    def __init__(self, number: int, tree: Tree | None) -> None:
        self.number = number
        self.tree = tree


class Files:
    """Reads the files of builds.

    Args:
        read: The text of a file by its path; None where there is none, or it must not be read.
        base: Where the text of a file lies in the text that places count in; its own offsets where that is unknown.
        bundle: Instead of that, the kustomization of the bundle that the files make up, in which places count.
        known: The documents of files that other builds read, at the same places; it is added to.
        work: Counts what is read; None for a build of its own.

    Attributes:
        work: The same.
        used: The texts that were read, by their paths.
        documents_used: The documents of each file that builds use; -1 for the whole file.
    """

    def __init__(
        self,
        read: Callable[[str], str | None],
        base: Callable[[str], int] | None = None,
        *,
        bundle: str = "",
        known: dict[str, list[ResourceDocument] | None] | None = None,
        work: BuildWork | None = None,
    ) -> None:
        self._read = read
        self._offsets = Offsets(bundle) if bundle else None
        self._base = base if base is not None else self._offsets
        self.used: dict[str, str] = {}
        self.documents_used: dict[str, set[int]] = {}
        self._missing: set[str] = set()
        self._parsed: dict[str, list[ResourceDocument] | None] = known if known is not None else {}
        self.work = work if work is not None else BuildWork()

    def text(self, path: str) -> str | None:
        """The text of a file; None where it cannot be had.

        Raises:
            BuildTooLarge: That is too much for one build.
        """
        if path in self.used:
            return self.used[path]
        if path in self._missing:
            return None
        text = self._read(path) if is_path(path) else None
        if text is None or not fits(path, text):
            self._missing.add(path)
            return None
        self.work.text(len(text))
        if len(self.used) >= MOST_FILES:
            raise BuildTooLarge("this kustomization reads too many files")
        self.used[path] = text
        if self._offsets is not None:
            self._offsets.add(path, len(text))
        return text

    def base(self, path: str) -> int:
        """Where the text of a file lies in the text that places count in."""
        return self._base(path) if self._base is not None else 0

    def kustomization(self, folder: str) -> str | None:
        """The kustomization of a folder; None without one, and for a file."""
        if self.text(folder) is not None:
            return None
        inside = joined(folder, NAMES[0]).removesuffix(NAMES[0])
        return next((path for name in NAMES if self.text(path := inside + name) is not None), None)

    def documents(self, path: str) -> list[ResourceDocument] | None:
        """The documents of a YAML file; None where there is no such file, and where it is a template.

        Raises:
            BuildTooLarge: See `text`.
        """
        text = self.text(path)
        if text is None:
            return None
        if path not in self._parsed:
            self._parsed[path] = parsed(text, self.base(path))
        return self._parsed[path]

    def contents(self, path: str) -> list[bool]:
        """Which of the documents of a file that was read hold anything."""
        return [document.tree is not None for document in self._parsed.get(path) or ()]

    def use(self, path: str, number: int = WHOLE) -> None:
        """Note that a document of a file is part of a build; the whole file without a number."""
        self.documents_used.setdefault(path, set()).add(number)


def parsed(text: str, base: int) -> list[ResourceDocument] | None:
    """The documents of a YAML text; None where one cannot be read, as a template cannot before it is rendered."""
    found_documents: list[ResourceDocument] = []
    if _DEFINITION in text and len(_KIND.findall(text)) == 1:
        return found_documents  # a definition of a kind is long, and nothing in it is judged
    may_be_template = "{{" in text
    for number, document in enumerate(documents(text)):
        if isinstance(document, BadYaml):
            return None
        root = document.root
        tree: Tree | None = None
        if isinstance(root, (Mapping, Sequence)):
            tree = PlacedReader(text, base).try_read(root)
            if tree is None:
                return None
            if may_be_template and _has_other_keys(root):
                return None
        found_documents.append(ResourceDocument(number, tree))
    return found_documents


def _has_other_keys(root: YamlNode) -> bool:
    """Whether a key is no scalar, as in ``name: {{ value }}``, which is a mark of a template that is not quoted."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            if node.has_other_keys:
                return True
            pending += [value for _, value in node.items]
        elif isinstance(node, Sequence):
            pending += node.items
    return False


def flattened(tree: Tree) -> list[Map]:
    """The objects of a document: those of a List one by one."""
    if not isinstance(tree, Map):
        return []
    kind = tree.get("kind")
    items = tree.get("items")
    if isinstance(kind, Leaf) and kind.text.endswith("List") and isinstance(items, List):
        return [one for item in items for one in flattened(item)]
    return [tree] if isinstance(kind, Leaf) else []


def joined(folder: str, name: str) -> str:
    """A path below a folder, or beside it, without dots in it, named from the current folder where it is below that."""
    if len(name) > LONGEST_PATH:
        return name  # no file is called so
    path = os.path.normpath(os.path.join(folder, name))
    return (os.path.relpath(path) if path.startswith(os.pardir) else path).replace(os.sep, "/")


def is_kustomization_tree(tree: Map) -> bool:
    """Whether a file of that name is a kustomization, not an object of the same kind that Flux reads."""
    version, kind = text_at(tree, "apiVersion"), text_at(tree, "kind")
    return (not version or version.startswith("kustomize.config.k8s.io/")) and kind in (
        "",
        "Kustomization",
        "Component",
    )


def is_local(path: str) -> bool:
    """Whether a resource is a path, not an address to fetch from."""
    return (
        is_path(path)
        and "://" not in path
        and "\n" not in path
        and not path.startswith(("git@", "github.com/", "/"))
        and "?ref=" not in path
    )
