"""The only importer of the kubernetes client: its configuration and its connections, none of its typed objects.

No state of the process is changed: several clusters can be read side by side. Errors of the client carry bodies,
headers and URLs with passwords, so none of their texts is used.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from ccmcheck.cluster.access.errors import UNAUTHORIZED
from ccmcheck.cluster.access.exchange import ExchangeLimits, Question, exchange, prepare, server_of
from ccmcheck.cluster.access.kubeconfig import ALLOW_ALL, Access, KubeconfigEntry, Trust, chosen, user_paths
from ccmcheck.cluster.access.transport import HTTPAnswer
from ccmcheck.cluster.core import NamedTuple, budget, errors, masking, read_input

_MOST_OF_A_CERTIFICATE = 1024 * 1024
_FILES_OF_A_USER = ("client-certificate", "client-key", "tokenFile")
INSTALL = "Install it in ccmcheck's checkout: pip install '.[cluster]'"


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
        impersonation: The headers that name another user.
    """

    def __init__(self, configuration: Any, impersonation: Mapping[str, str | tuple[str, ...]]) -> None:  # noqa: ANN401 - the client's Configuration, imported lazily
        from kubernetes.client.rest import RESTClientObject

        self._configuration = configuration
        self._impersonation = impersonation
        self._pool = RESTClientObject(configuration).pool_manager
        prepare(self._pool)
        self._base = str(configuration.host).rstrip("/")

    @property
    def server(self) -> str:
        """The API server's URL without userinfo, query and fragment."""
        return server_of(self._base)

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        """Ask once; see `ccmcheck.cluster.access.transport.Connection`."""
        return self._exchange(Question("GET", path, query), seconds, most_bytes)

    def close(self) -> None:
        """Close it."""
        self._pool.clear()

    def _exchange(self, question: Question, seconds: float, most_bytes: int) -> HTTPAnswer:
        headers = {**self._authorization(), **self._impersonation}
        answer = exchange(self._pool, self._base, headers, question, ExchangeLimits(seconds, most_bytes))
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
    configuration, context, impersonation = load_configuration(access)
    return Opened(ClusterConnection(configuration, impersonation), context)


def load_configuration(access: Access) -> tuple[Any, str, dict[str, str | tuple[str, ...]]]:
    """The kubernetes client's configuration, which nothing of the process shares, the context's name, whom to be.

    Raises:
        WrongUse: The kubernetes client is not installed, or there is no such context.
        InputError: The kubeconfig cannot be read, or its credentials cannot be had.
    """
    if not is_installed():
        raise errors.WrongUse("the kubernetes client is not installed", INSTALL)
    import logging

    from kubernetes import client, config

    configuration = client.Configuration()
    context = ""
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # the client logs what a plug-in writes, tokens included
    try:
        if access.in_cluster:
            config.load_incluster_config(client_configuration=configuration)
            impersonation = _impersonation(access, {})
        else:
            kubeconfig, context = chosen(user_paths(access.kubeconfig), access.context)
            cluster, user = kubeconfig.of(context, access.cluster, access.user)
            config.load_kube_config_from_dict(
                _document(context, cluster, user),
                context=context,
                client_configuration=configuration,
                persist_config=False,
            )
            impersonation = _impersonation(access, user.values)
        tokens = (value.removeprefix("Bearer ") for value in configuration.api_key.values())
        masking.hide((*tokens, configuration.password or ""))
    except errors.CcmcheckError:
        raise
    except Exception as error:  # noqa: BLE001 - of the client, of YAML, of TLS; their texts may hold credentials
        budget.refuse_to_go_on(error)
        raise errors.InputError(_unusable(access, error), _hint(access)) from None
    finally:
        logging.disable(disabled)
    return configuration, context, impersonation


def _document(context: str, cluster: KubeconfigEntry, user: KubeconfigEntry) -> dict[str, Any]:
    """A kubeconfig of one context, with whole paths, and with what its exec plug-in gave within its time."""
    values = _with_paths(user, _FILES_OF_A_USER)
    plugin = values.pop("exec", None)
    if isinstance(plugin, dict):
        from ccmcheck.cluster.access.exec_plugin import run

        issued = run(plugin, cluster.text("server"), cluster, user.folder, Trust(ALLOW_ALL))
        given = {
            "token": issued.token,
            "client-certificate-data": base64.b64encode(issued.certificate).decode(),
            "client-key-data": base64.b64encode(issued.key).decode(),
        }
        values = {key: value for key, value in values.items() if key != "tokenFile" or not issued.token}
        values |= {key: value for key, value in given.items() if value}
    names = {"cluster": context, "user": context}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": context,
        "contexts": [{"name": context, "context": names}],
        "clusters": [{"name": context, "cluster": _with_paths(cluster, ("certificate-authority",))}],
        "users": [{"name": context, "user": values}],
    }


def _with_paths(entry: KubeconfigEntry, names: Sequence[str]) -> dict[str, Any]:
    """The fields of an entry; paths are relative to its kubeconfig."""
    paths = {name: os.path.join(entry.folder, entry.text(name)) for name in names if entry.text(name)}
    return {**entry.values, **paths}


def _impersonation(access: Access, user: Mapping[str, Any]) -> dict[str, str | tuple[str, ...]]:
    """The headers that make the API server take the user for another one: of the options, else of the kubeconfig.

    Source: Kubernetes, "User impersonation"; client-go transport/round_trippers.go.

    Raises:
        WrongUse: Groups are named, and no user.
    """
    groups = user.get("as-groups")
    name = access.as_user or user.get("as") or ""
    of_file = tuple(map(str, groups)) if isinstance(groups, list) and not access.as_user else ()
    extra = user.get("as-user-extra") if not access.as_user else None
    found: dict[str, str | tuple[str, ...]] = {
        "impersonate-user": str(name),
        "impersonate-group": access.as_groups or of_file,
        "impersonate-uid": str(user.get("as-uid") or "") if not access.as_user else "",
    }
    for key, values in extra.items() if isinstance(extra, dict) else ():
        found[f"impersonate-extra-{quote(str(key).lower(), safe='')}"] = tuple(map(str, values or ()))
    found = {header: value for header, value in found.items() if value}
    if found and not name:
        raise errors.WrongUse("groups are impersonated together with a user", "Add --as USER.")
    return found


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
