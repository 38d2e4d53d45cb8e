"""Kubeconfigs in memory: what their contexts name, merged as kubectl merges several files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ccmcheck.cluster.core import NamedTuple, errors, read_input

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

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


class Access(NamedTuple):
    """Which cluster, and as whom; what the options of kubectl say.

    Attributes:
        context: The context of the kubeconfig; empty for the current one.
        kubeconfig: Its path; empty for ``KUBECONFIG`` and ``~/.kube/config``.
        in_cluster: Whether to use the service account of the pod that this runs in.
        cluster: Another cluster of the kubeconfig than the context's.
        user: Another user of it.
        as_user: Whom to impersonate.
        as_groups: The groups to impersonate.
        seconds: How long one answer may take; None for the usual time.
    """

    context: str = ""
    kubeconfig: str = ""
    in_cluster: bool = False
    cluster: str = ""
    user: str = ""
    as_user: str = ""
    as_groups: tuple[str, ...] = ()
    seconds: float | None = None


MOST_BYTES = 10 * 1024 * 1024
_DEEPEST = 20
_MOST_NAMES = 20_000


class KubeconfigEntry(NamedTuple):
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
    contexts: dict[str, KubeconfigEntry]
    clusters: dict[str, KubeconfigEntry]
    users: dict[str, KubeconfigEntry]

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
            "Name one with --context, or set it: kubectl config use-context NAME" if self.contexts else "",
        )

    def of(
        self, context: str, other_cluster: str = "", other_user: str = ""
    ) -> tuple[KubeconfigEntry, KubeconfigEntry]:
        """The cluster and the user of a context, or those that are named instead.

        Raises:
            WrongUse: There is no cluster or user of a name.
            Unusable: The context's are not there.
        """
        entry = self.contexts.get(context)
        if entry is None:
            raise Unusable("the kubeconfig has no such context")
        for name, known, what in ((other_cluster, self.clusters, "cluster"), (other_user, self.users, "user")):
            if name and name not in known:
                raise errors.WrongUse(f"there is no {what} {name} in the kubeconfig", _near(name, known))
        cluster = self.clusters.get(other_cluster or entry.text("cluster"))
        user = self.users.get(other_user or entry.text("user"))
        if cluster is None:
            raise Unusable("the kubeconfig's context names a cluster that is not in it")
        if user is None and entry.text("user"):
            raise Unusable("the kubeconfig's context names a user that is not in it")
        return cluster, user or KubeconfigEntry({}, "")


def _near(name: str, known: Collection[str]) -> str:
    from ccmcheck.cluster.core import hint

    return hint(name, known) or f"There are {', '.join(known)}."


def user_paths(kubeconfig: str) -> list[str]:
    """The user's own kubeconfigs, as kubectl finds them.

    Args:
        kubeconfig: ``--kubeconfig``; empty without it.

    Raises:
        WrongUse: There is none.
    """
    paths = kubeconfig or os.environ.get("KUBECONFIG") or os.path.expanduser("~/.kube/config")
    found = [path for path in paths.split(os.pathsep) if os.path.exists(path)]
    if not found:
        raise errors.WrongUse(
            f"there is no kubeconfig {paths}", "Name one with --kubeconfig, or write --in-cluster in a pod."
        )
    return found


def text_of(path: str) -> tuple[str, str]:
    """A file's text, and its folder.

    Raises:
        Unusable: It cannot be read.
    """
    try:
        folder = os.path.dirname(os.path.abspath(path))
        return read_input(path, MOST_BYTES).decode("utf-8-sig", "replace"), folder
    except OSError as error:
        raise Unusable(f"the kubeconfig cannot be read: {(error.strerror or 'unknown reason').lower()}") from None
    except errors.InputError as error:
        raise Unusable(f"the kubeconfig cannot be read: {error.message}") from None


def chosen(paths: Sequence[str], context: str) -> tuple[Kubeconfig, str]:
    """The user's kubeconfigs as kubectl sees them, and the name of the context.

    Args:
        paths: The files.
        context: The context; empty for the current one.

    Raises:
        WrongUse: There is no such context.
        Unusable: They cannot be used.
    """
    kubeconfig = parse(map(text_of, paths))
    if context and context not in kubeconfig.contexts:
        raise errors.WrongUse(f"there is no context {context} in the kubeconfig", _near(context, kubeconfig.contexts))
    return kubeconfig, context or kubeconfig.only_context()


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
            for item in _named(document.get(key)):
                values = item.get(inner)
                entries.setdefault(item["name"], KubeconfigEntry(values if isinstance(values, dict) else {}, folder))
    return merged


def _named(items: object) -> list[dict[str, Any]]:
    """Those of a list that have a name, as far as it is read."""
    listed = items[:_MOST_NAMES] if isinstance(items, list) else []
    return [item for item in listed if isinstance(item, dict) and isinstance(item.get("name"), str)]


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

    def document(self, root: yamlio.YamlNode | None) -> object:
        """A whole document; None where it is too much."""
        value = self._value(root, 0)
        return value if self._left >= 0 else None

    def _value(self, node: yamlio.YamlNode | None, depth: int) -> object:
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
