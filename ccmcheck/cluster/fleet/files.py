"""Clusters of kubeconfigs: contexts of the user's own, and the files of a folder.

Each file is read for itself: where two files call different clusters by one name, kubectl's merged view has only the
first, and a fleet has both.
"""

from __future__ import annotations

import os
from collections import Counter

# pathlib takes longer to import than a kubeconfig to be read
from collections.abc import Collection, Sequence

from ccmcheck.cluster.access.kubeconfig import Kubeconfig, Trust, Unusable, chosen, parse, text_of, user_paths
from ccmcheck.cluster.core import errors, read_input
from ccmcheck.cluster.fleet.credentials import Credentials, credentials
from ccmcheck.cluster.fleet.targets import ClusterTarget

_SUFFIXES = ("", ".conf", ".config", ".json", ".kubeconfig", ".yaml", ".yml")


class Contexts:
    """Contexts of the user's kubeconfigs.

    Args:
        paths: ``--kubeconfig``, see `user_paths`.
        names: The contexts; none for all.
        trust: What the kubeconfigs may ask for.
    """

    def __init__(self, paths: str, names: Sequence[str], trust: Trust) -> None:
        self._paths = user_paths(paths)
        self._names = names
        self._trust = trust
        self._read: dict[str, Kubeconfig] = {}

    def targets(self) -> list[ClusterTarget]:
        """The contexts, in the order of the files."""
        texts = {path: text_of(path) for path in self._paths}
        found: list[tuple[str, str]] = []
        for path, own_text in texts.items():
            own = parse([own_text])
            # what a context names may be in another file
            self._read[path] = parse([own_text, *(text for other, text in texts.items() if other != path)])
            found += ((path, name) for name in own.contexts if not self._names or name in self._names)
        self._check({name for kubeconfig in self._read.values() for name in kubeconfig.contexts})
        return _unique([ClusterTarget(name, path, name) for path, name in found])

    def credentials(self, target: ClusterTarget) -> Credentials:
        """See `ccmcheck.cluster.fleet.targets.ClusterSource`."""
        return credentials(self._read[target.source], target.context, self._trust)

    def _check(self, known: Collection[str]) -> None:
        for name in self._names:
            if name not in known:
                from ccmcheck.cluster.core import hint

                raise errors.WrongUse(f"there is no context {name} in the kubeconfig", hint(name, known))


def own_credentials(paths: str, context: str, trust: Trust) -> tuple[Credentials, str]:
    """The credentials of one context of the user's kubeconfigs, merged as kubectl does, and its name.

    Args:
        paths: ``--kubeconfig``, see `user_paths`.
        context: The context; empty for the current one.
        trust: What the kubeconfigs may ask for.

    Raises:
        WrongUse: There is no kubeconfig, or no such context.
        Unusable: It cannot be used.
    """
    kubeconfig, name = chosen(user_paths(paths), context)
    return credentials(kubeconfig, name, trust), name


SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


def pod_credentials(folder: str = SERVICE_ACCOUNT) -> Credentials:
    """Those of the service account of the pod that this runs in.

    Args:
        folder: Where its token is mounted.

    Raises:
        Unusable: This is no pod with a service account.
    """
    host, port = os.environ.get("KUBERNETES_SERVICE_HOST", ""), os.environ.get("KUBERNETES_SERVICE_PORT", "")
    try:
        token = read_input(os.path.join(folder, "token")).decode("ascii").strip()
        ca = read_input(os.path.join(folder, "ca.crt"))
    except (OSError, errors.InputError, ValueError):
        token, ca = "", b""
    if not (host and port and token):
        raise Unusable(
            "this is not a pod with a service account", "Outside of a cluster, name a kubeconfig with --kubeconfig."
        )
    return Credentials(f"https://{f'[{host}]' if ':' in host else host}:{port}", ca=ca, token=token)


class KubeconfigFolder:
    """The kubeconfigs of a folder: the current context of each.

    Args:
        path: The folder.
        trust: What the kubeconfigs may ask for.
        everything: Whether to take all contexts of each file.
    """

    def __init__(self, path: str, trust: Trust, *, everything: bool = False) -> None:
        self._folder = path
        self._trust = trust
        self._everything = everything

    def targets(self) -> list[ClusterTarget]:
        """The clusters, in the order of the files; a file that cannot be read is one that fails."""
        try:
            names = sorted(os.listdir(self._folder))
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            raise errors.WrongUse(f"--kubeconfig-dir {self._folder} cannot be read: {reason}") from None
        found_targets: list[ClusterTarget] = []
        for name in names:
            path = os.path.join(self._folder, name)
            stem, suffix = os.path.splitext(name)
            if name.startswith(".") or suffix.lower() not in _SUFFIXES or not os.path.isfile(path):
                continue
            try:
                kubeconfig = parse([text_of(path)])
                contexts = list(kubeconfig.contexts) if self._everything else [kubeconfig.only_context()]
            except (errors.InputError, OSError):
                contexts = [""]  # said when its turn comes, so that it stops no other
            several = len(contexts) > 1
            found_targets += (
                ClusterTarget(f"{stem}/{context}" if several else stem, path, context) for context in contexts
            )
        return _unique(found_targets)

    def credentials(self, target: ClusterTarget) -> Credentials:
        """See `ccmcheck.cluster.fleet.targets.ClusterSource`."""
        kubeconfig = parse([text_of(target.source)])
        return credentials(kubeconfig, target.context or kubeconfig.only_context(), self._trust)


def _unique(targets: Sequence[ClusterTarget]) -> list[ClusterTarget]:
    """The same with names that tell them apart, where two files have the same."""
    counts = Counter(target.name for target in targets)
    return [
        target if counts[target.name] == 1 else target._replace(name=f"{target.name} ({target.source})")
        for target in targets
    ]
