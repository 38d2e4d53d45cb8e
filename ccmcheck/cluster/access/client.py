"""The only importer of the kubernetes client: its configuration and its connections, none of its typed objects.

No state of the process is changed: several clusters can be read side by side. Errors of the client carry bodies,
headers and URLs with passwords, so none of their texts is used.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ccmcheck.cluster.access.errors import UNAUTHORIZED
from ccmcheck.cluster.access.exchange import Limits, Question, exchange, prepare, server_of
from ccmcheck.cluster.core import NamedTuple, errors, masking, read_input

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.cluster.access.transport import Answer

_MOST_OF_A_CERTIFICATE = 1024 * 1024
INSTALL = "Install it with: pip install 'ccmcheck[cluster]'"


class Access(NamedTuple):
    """Which cluster, and by which credentials.

    Attributes:
        kubeconfig: Its path; empty for ``KUBECONFIG`` and ``~/.kube/config``.
        context: Its context; empty for the current one.
        in_cluster: Whether to use the service account of the pod that this runs in.
    """

    kubeconfig: str = ""
    context: str = ""
    in_cluster: bool = False


class Opened(NamedTuple):
    """A connection, and which cluster it leads to.

    Attributes:
        connection: The connection.
        context: The context's name; empty inside of a cluster.
    """

    connection: ClusterConnection
    context: str


class ClusterConnection:
    """A connection to one API server; it has no way to send anything but GET.

    Args:
        configuration: The kubernetes client's.
    """

    def __init__(self, configuration: Any) -> None:  # noqa: ANN401 - the client's Configuration, imported lazily
        from kubernetes.client.rest import RESTClientObject

        self._configuration = configuration
        self._pool = RESTClientObject(configuration).pool_manager
        prepare(self._pool)
        self._base = str(configuration.host).rstrip("/")

    @property
    def server(self) -> str:
        """The API server's URL without userinfo, query and fragment."""
        return server_of(self._base)

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> Answer:
        """Ask once; see `ccmcheck.cluster.access.transport.Connection`."""
        return self._exchange(Question("GET", path, query), seconds, most_bytes)

    def close(self) -> None:
        """Close it."""
        self._pool.clear()

    def _exchange(self, question: Question, seconds: float, most_bytes: int) -> Answer:
        answer = exchange(self._pool, self._base, self._authorization(), question, Limits(seconds, most_bytes))
        return answer._replace(expired=self._expired()) if answer.status == UNAUTHORIZED else answer

    def _expired(self) -> str:
        """Which of the credentials has expired, as they say themselves; empty where none does."""
        from ccmcheck.cluster.access.expiry import expired

        scheme, _, token = self._authorization().get("authorization", "").partition(" ")
        certificate = b""
        if self._configuration.cert_file:
            with suppress(OSError, errors.InputError):
                certificate = read_input(self._configuration.cert_file, _MOST_OF_A_CERTIFICATE)
        return expired(token if scheme.lower() == "bearer" else "", certificate)

    def _authorization(self) -> dict[str, str]:
        settings = self._configuration.auth_settings()
        headers = {
            entry["key"]: entry["value"] for entry in settings.values() if entry["in"] == "header" and entry["value"]
        }
        if not headers and self._configuration.username:
            headers["authorization"] = self._configuration.get_basic_auth_token()
        return headers


def is_installed() -> bool:
    """Whether the kubernetes client can be imported, without importing it."""
    from importlib.util import find_spec

    return find_spec("kubernetes") is not None


def open_cluster(access: Access) -> Opened:
    """Open the connection that a kubeconfig describes; its ``exec`` plug-in is run as kubectl runs it.

    Raises:
        WrongUse: The kubernetes client is not installed, or there is no such context.
        InputError: The kubeconfig cannot be read, or its credentials cannot be had.
    """
    configuration, context = load_configuration(access)
    return Opened(ClusterConnection(configuration), context)


def load_configuration(access: Access) -> tuple[Any, str]:
    """The kubernetes client's configuration, which nothing of the process shares, and the context's name.

    Raises:
        WrongUse: The kubernetes client is not installed, or there is no such context.
        InputError: The kubeconfig cannot be read, or its credentials cannot be had.
    """
    if not is_installed():
        raise errors.WrongUse("the kubernetes client is not installed", INSTALL)
    import logging

    from kubernetes import client, config

    configuration = client.Configuration()
    context = access.context
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # the client logs what a plug-in writes, tokens included
    try:
        if access.in_cluster:
            config.load_incluster_config(client_configuration=configuration)
        else:
            path = access.kubeconfig or os.environ.get("KUBECONFIG") or os.path.expanduser("~/.kube/config")  # noqa: PTH111
            _refuse_missing(path)
            contexts, current = config.list_kube_config_contexts(config_file=path)
            context = _context(access.context, contexts, current)
            config.load_kube_config(config_file=path, context=context, client_configuration=configuration)
            _refuse_silent_plugin(path, context, configuration)
        tokens = (value.removeprefix("Bearer ") for value in configuration.api_key.values())
        masking.hide((*tokens, configuration.password or ""))
    except errors.CcmcheckError:
        raise
    except Exception as error:  # noqa: BLE001 - of the client, of YAML, of TLS; their texts may hold credentials
        raise errors.InputError(_unusable(access, error), _hint(access)) from None
    finally:
        logging.disable(disabled)
    return configuration, context


def _refuse_silent_plugin(path: str, context: str, configuration: Any) -> None:  # noqa: ANN401 - see above
    """Refuse an exec plug-in that failed: the client goes on without credentials, and every request is refused."""
    if "exec" in _user(path, context) and not (configuration.api_key or configuration.cert_file):
        raise errors.InputError(
            f"the exec plug-in of context {context} gave no credentials",
            f"`kubectl --context {context} get namespaces` shows why.",
        )


def _refuse_missing(path: str) -> None:
    if not any(os.path.exists(part) for part in path.split(os.pathsep)):  # noqa: PTH110
        raise errors.WrongUse(
            f"there is no kubeconfig {path}", "Name one with --kubeconfig, or write --in-cluster in a pod."
        )


def _context(name: str, contexts: list[dict[str, Any]], current: dict[str, Any]) -> str:
    names = [str(context["name"]) for context in contexts]
    if not name:
        return str(current["name"])
    if name not in names:
        from ccmcheck.cluster.core import hint

        raise errors.WrongUse(
            f"there is no context {name} in the kubeconfig", hint(name, names) or f"There are {', '.join(names)}."
        )
    return name


def _user(path: str, context: str) -> Mapping[str, Any]:
    """The user of a context, as the kubeconfig has it."""
    from kubernetes.config.kube_config import KubeConfigMerger

    merged = KubeConfigMerger(path).config
    name = merged["contexts"].get_with_name(context)["context"].safe_get("user")
    user = merged["users"].get_with_name(name, safe=True) if name else None
    value = user["user"].value if user is not None and user.safe_get("user") is not None else {}
    return value if isinstance(value, dict) else {}


def _unusable(access: Access, error: Exception) -> str:
    if access.in_cluster:
        return "this is not a pod with a service account"
    if isinstance(error, OSError):
        return (
            f"the kubeconfig, or a file that it names, cannot be read: {(error.strerror or 'unknown reason').lower()}"
        )
    return "the kubeconfig cannot be used"


def _hint(access: Access) -> str:
    if access.in_cluster:
        return "Outside of a cluster, name a kubeconfig with --kubeconfig."
    return "`kubectl config view` shows what is in it, and `kubectl get namespaces` whether it works."
