"""The keys around a line of YAML, and what else of the lines before it counts for what it hides."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.redact.names import is_secret_name
from ccmcheck.redact.parts import is_flow, open_brackets

SECRET_DATA = frozenset({"data", "stringData", "binaryData", "binary_data", "data_wo"})
"""The fields of a Secret, and of a ConfigMap, under which all is hidden."""
_BLOCK = lazy_regex(r"[|>][+-]?[1-9]?[+-]?[ \t]*(?:#.*)?")
_CLOUD_CONF = lazy_regex(
    r"cloud[-_.]?(?:provider)?[-_.]?conf|cloud-config|\.ya?ml\Z|\.json\Z|\.conf\Z|content|values|\Adata\Z"
)


class Parent(NamedTuple):
    """A YAML key that what follows with a deeper indent stands under.

    Attributes:
        indent: The column of the key.
        key: The key.
        hides: Whether all scalars below are hidden: a Secret's data, or a mapping under a secret name.
        in_data: Whether it is part of a Secret's data.
    """

    indent: int
    key: str
    hides: bool
    in_data: bool


class PatchedField(NamedTuple):
    """What the ``value`` of a JSON patch is.

    Attributes:
        key: The field; ``args`` for an item of it.
        above: The field that it stands below.
        hides: Whether the way there leads through a Secret's data or a secret's name.
    """

    key: str
    above: str
    hides: bool


def patched_field(pointer: str) -> PatchedField:
    """The field that the ``path`` of a JSON patch names."""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.strip("\"' ").split("/")]
    names = ["", *(step for step in steps if step and step != "-" and not step.isdigit())]
    is_escaped = "\\" in pointer  # which spells another name between double quotes
    hides = is_escaped or not SECRET_DATA.isdisjoint(names) or any(map(is_secret_name, names))
    return PatchedField(names[-1], names[-2] if len(names) > 1 else "", hides)


class _Block(NamedTuple):
    """A block scalar whose lines follow.

    Attributes:
        indent: The column of its key; it ends at a line that is not deeper.
        hides: Whether all of it is hidden.
    """

    indent: int
    hides: bool


class Nesting:
    """Where a line stands, line after line.

    Attributes:
        name: The column and the value of the last ``name:`` in a list.
        operation: The column of the last ``op:``: a JSON patch has ``path`` and ``from`` beside it.
        pointer: The ``path:`` beside it, which says what ``value`` is.
        argument: The last item of ``args`` or ``command``.
    """

    def __init__(self) -> None:
        self.name = (0, "")
        self.operation = -1
        self.pointer = ""
        self.argument = ""
        self._parents: list[Parent] = []
        self._blocks: list[_Block] = []
        self._open = 0
        """Open brackets of a flow collection over several lines that is hidden."""

    @property
    def counts(self) -> bool:
        """Whether what a line hides depends on the lines before it."""
        return bool(self._parents or self._blocks or self._open or self.name[1] or self.operation >= 0 or self.argument)

    def is_in_open_collection(self, line: str) -> bool:
        """Whether the next line belongs to a flow collection over several lines that is hidden."""
        if self._open > 0 and not line.startswith("---"):
            self._open += open_brackets(line)
            return True
        self._open = 0
        return False

    def is_in_hidden_block(self, line: str, indent: int) -> bool:
        """Whether the next line is one of a block scalar that is hidden; if not, what it ends is left."""
        while self._blocks and indent <= self._blocks[-1].indent:
            self._blocks.pop()
        if self._blocks and self._blocks[-1].hides:
            return True
        self._leave_item(line, indent)
        if line.startswith("---"):
            self._parents.clear()
        while self._parents and indent < self._parents[-1].indent:
            self._parents.pop()
        return False

    def _leave_item(self, line: str, indent: int) -> None:
        """Forget what stands beside a field where a line ends the mapping, as the next item of a list does."""
        first = line[indent : indent + 1]
        if not first or first == "#":
            return
        is_new = line.startswith("---")
        column = indent + (first in "\"'")
        if is_new or column < self.operation:
            self.operation, self.pointer = -1, ""
        if is_new or column < self.name[0]:
            self.name = (0, "")

    def hides(self, column: int) -> bool:
        """Whether all below the key around a column is hidden."""
        parent = self.parent(column)
        return parent is not None and parent.hides

    def above(self, parent: Parent) -> str:
        """The key that a parent stands below; empty at the top."""
        above = self.parent(parent.indent)
        return above.key if above is not None else ""

    def parent(self, column: int) -> Parent | None:
        """The key around a column; None at the top."""
        return next((parent for parent in reversed(self._parents) if parent.indent < column), None)

    def enter(self, key: str, value: str, column: int, above: str, *, hides: bool) -> None:
        """Note a YAML key, with the one above it, that others may stand under."""
        while self._parents and self._parents[-1].indent >= column:
            self._parents.pop()
        is_open = is_flow(value) and (left := open_brackets(value)) > 0
        if is_open and (hides or key in SECRET_DATA):
            self._open = left
        elif not value or value[:1] in "&!#" or is_open:
            in_data = key in SECRET_DATA or (bool(self._parents) and self._parents[-1].in_data)
            self._parents.append(Parent(column, key, hides or key in SECRET_DATA, in_data))
        elif is_block(value):
            hides = is_secret_name(key) or (hides and not (above in SECRET_DATA and _CLOUD_CONF.search(key)))
            self._blocks.append(_Block(column, hides))


def is_block(value: str) -> bool:
    """Whether a value begins a block scalar."""
    return _BLOCK.fullmatch(value) is not None
