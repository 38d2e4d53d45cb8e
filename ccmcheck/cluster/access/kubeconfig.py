"""Kubeconfigs in memory: what their contexts name, merged as kubectl merges several files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccmcheck.cluster.core import NamedTuple, errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ccmcheck.cluster.core import yamlio


class Unusable(errors.InputError):
    """A kubeconfig that is broken, or asks for something that is not allowed; its texts quote none of its values.

    Args:
        message: What is wrong.
        hint: What to do next.
    """


ALLOW_ALL, DENY_ALL, ALLOWLIST = "AllowAll", "DenyAll", "Allowlist"


class Trust(NamedTuple):
    """What is allowed.

    Attributes:
        policy: ``AllowAll``: what kubectl does; ``Allowlist``: the listed exec plug-ins alone; ``DenyAll``: nothing.
        plugins: The exec plug-ins of ``Allowlist``: a name or path, then a pattern for each argument.
        seconds: How long a plug-in may take.
    """

    policy: str = DENY_ALL
    plugins: tuple[tuple[str, ...], ...] = ()
    seconds: float = 30.0

    @property
    def is_full(self) -> bool:
        """Whether everything is allowed, as for the user's own kubeconfig."""
        return self.policy == ALLOW_ALL


_DEEPEST = 20
_MOST_NAMES = 20_000


class Entry(NamedTuple):
    """A cluster, a user or a context.

    Attributes:
        values: Its fields.
        folder: The folder that its relative paths start from; empty for a text that is no file.
    """

    values: dict[str, Any]
    folder: str

    def text(self, key: str) -> str:
        """A field that is a text; empty without it."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""


class Kubeconfig(NamedTuple):
    """One or several kubeconfigs.

    Attributes:
        current: The current context; empty for none.
        contexts: By name.
        clusters: By name.
        users: By name.
    """

    current: str
    contexts: dict[str, Entry]
    clusters: dict[str, Entry]
    users: dict[str, Entry]

    def __repr__(self) -> str:
        return f"<Kubeconfig with {len(self.contexts)} contexts>"

    def only_context(self) -> str:
        """The current context, else the only one there is.

        Raises:
            Unusable: There is none, or nothing says which of several.
        """
        if self.current:
            return self.current
        if len(self.contexts) == 1:
            return next(iter(self.contexts))
        raise Unusable(
            "the kubeconfig has no current context" if self.contexts else "the kubeconfig has no context",
            "Set current-context in it.",
        )

    def of(self, context: str) -> tuple[Entry, Entry]:
        """The cluster and the user of a context.

        Raises:
            Unusable: They are not there.
        """
        entry = self.contexts.get(context)
        if entry is None:
            raise Unusable("the kubeconfig has no such context")
        cluster, user = self.clusters.get(entry.text("cluster")), self.users.get(entry.text("user"))
        if cluster is None:
            raise Unusable("the kubeconfig's context names a cluster that is not in it")
        if user is None and entry.text("user"):
            raise Unusable("the kubeconfig's context names a user that is not in it")
        return cluster, user or Entry({}, "")


def parse(texts: Iterable[tuple[str, str]]) -> Kubeconfig:
    """Read kubeconfigs; for each name and for the current context, the first file wins.

    Args:
        texts: Each text with the folder that its relative paths start from.

    Raises:
        Unusable: One is no kubeconfig.
    """
    merged = Kubeconfig("", {}, {}, {})
    for text, folder in texts:
        document = _document(text)
        current = document.get("current-context")
        if not merged.current and isinstance(current, str):
            merged = merged._replace(current=current)
        for entries, key, inner in (
            (merged.contexts, "contexts", "context"),
            (merged.clusters, "clusters", "cluster"),
            (merged.users, "users", "user"),
        ):
            named = document.get(key)
            for item in (named if isinstance(named, list) else ())[:_MOST_NAMES]:
                if isinstance(item, dict) and isinstance(item.get("name"), str):
                    values = item.get(inner)
                    entries.setdefault(item["name"], Entry(values if isinstance(values, dict) else {}, folder))
    return merged


def _document(text: str) -> dict[str, Any]:
    if text.lstrip()[:1] == "{":
        import json

        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            raise Unusable("the kubeconfig is not YAML") from None
    else:
        document = next(plain_documents(text), None)
    if not isinstance(document, dict):
        raise Unusable("the kubeconfig is not YAML" if document is None else "this is no kubeconfig")
    return document


def plain_documents(text: str) -> Iterator[object]:
    """The documents of a YAML text as plain data; None for one that is broken, or whose aliases multiply it.

    Args:
        text: The text.
    """
    from ccmcheck.cluster.core import errors, yamlio

    plain = _Plain(text)
    for document in yamlio.documents(text):
        yield None if isinstance(document, errors.BadYaml) else plain.document(document.root)


class _Plain:
    """Makes plain data of nodes, within a number of values that only aliases of aliases reach.

    Args:
        text: The text of all documents.
    """

    def __init__(self, text: str) -> None:
        from ccmcheck.cluster.core import yamlio

        self._left = yamlio.values_of(len(text))

    def document(self, root: yamlio.Node | None) -> object:
        """A whole document; None where it is too much."""
        value = self._value(root, 0)
        return value if self._left >= 0 else None

    def _value(self, node: yamlio.Node | None, depth: int) -> object:
        from ccmcheck.cluster.core import yamlio

        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return None
        if isinstance(node, yamlio.Scalar):
            return yamlio.kubernetes_scalar(node)
        if isinstance(node, yamlio.Mapping):
            return {key.value: self._value(value, depth + 1) for key, value in node.items}
        if isinstance(node, yamlio.Sequence):
            return [self._value(item, depth + 1) for item in node.items]
        return None
