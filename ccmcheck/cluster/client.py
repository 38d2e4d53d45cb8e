"""The only importer of the kubernetes client: its configuration and its connections, none of its typed objects.

No state of the process is changed: several clusters can be read side by side. Errors of the client carry bodies,
headers and URLs with passwords, so none of their texts is used.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from ccmcheck.base.errors import CcmcheckError, InputError, WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.cluster.errors import GONE, ApiError, Unintelligible, Unreachable
from ccmcheck.cluster.transport import OK, Answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INSTALL = "Install it with: pip install 'ccmcheck[cluster]'"
CONNECT_SECONDS = 10.0
_CHUNK = 256 * 1024
_KEPT_ERRORS = frozenset({GONE})
"""Statuses whose bodies are read: that of 410 holds the token by which a list goes on."""
_MOST_OF_AN_ERROR = 64 * 1024


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
        self._base = str(configuration.host).rstrip("/")

    @property
    def server(self) -> str:
        """The API server's URL without userinfo, query and fragment."""
        parts = urlsplit(self._base)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> Answer:
        """Ask once; see `ccmcheck.cluster.transport.Connection`."""
        import time
        import warnings

        import urllib3

        ends = time.monotonic() + seconds
        url = f"{self._base}{path}" + (f"?{urlencode(query)}" if query else "")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of unverified TLS, which the kubeconfig asks for
                response = self._pool.request(
                    "GET",
                    url,
                    headers={"accept": "application/json", "user-agent": "ccmcheck", **self._authorization()},
                    timeout=urllib3.Timeout(connect=min(CONNECT_SECONDS, seconds), read=seconds),
                    preload_content=False,
                    retries=False,
                    redirect=False,
                )
            try:
                body = _body(response, ends, most_bytes)
            except BaseException:
                response.close()
                raise
            response.release_conn()
        except ApiError:
            raise
        except urllib3.exceptions.SSLError:
            raise Unreachable(
                "the certificate of the API server is not accepted",
                "Look at `certificate-authority` of the kubeconfig.",
            ) from None
        except urllib3.exceptions.NewConnectionError:  # which is a timeout to urllib3
            raise Unreachable("there is no connection to the API server: nobody answers there") from None
        except urllib3.exceptions.TimeoutError:
            raise Unreachable("the API server did not answer in time") from None
        except (urllib3.exceptions.HTTPError, OSError):
            raise Unreachable("the connection to the API server failed or was cut") from None
        except Exception:  # noqa: BLE001 - its text may hold a header or a URL with a password
            raise Unreachable("the request could not be sent") from None
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return Answer(response.status, content_type, _seconds(response.headers.get("retry-after")), body)

    def close(self) -> None:
        """Close it."""
        self._pool.clear()

    def _authorization(self) -> dict[str, str]:
        settings = self._configuration.auth_settings()
        headers = {
            entry["key"]: entry["value"] for entry in settings.values() if entry["in"] == "header" and entry["value"]
        }
        if not headers and self._configuration.username:
            headers["authorization"] = self._configuration.get_basic_auth_token()
        return headers


def _body(response: Any, ends: float, most_bytes: int) -> bytes:  # noqa: ANN401 - urllib3's
    """The body, within the limits; of an error nothing but what continues a list."""
    import time

    if response.status != OK and response.status not in _KEPT_ERRORS:
        response.close()
        return b""
    limit = most_bytes if response.status == OK else _MOST_OF_AN_ERROR
    pieces = []
    size = 0
    for piece in _pieces(response):
        size += len(piece)
        if size > limit:
            raise Unintelligible(f"the answer is larger than {limit // (1024 * 1024) or 1} MiB")
        if time.monotonic() > ends:
            raise Unreachable("the API server did not answer in time")
        pieces.append(piece)
    return b"".join(pieces)


def _pieces(response: Any) -> Iterator[bytes]:  # noqa: ANN401 - urllib3's
    while piece := response.read1(_CHUNK, decode_content=True):
        yield piece


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After in seconds; a date, which API servers do not send, counts as none."""
    if retry_after is None or not retry_after.strip().isdecimal() or len(retry_after) > 9:
        return None
    return float(retry_after)


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
    if not is_installed():
        raise WrongUse("the kubernetes client is not installed", INSTALL)
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
        return Opened(ClusterConnection(configuration), context)
    except CcmcheckError:
        raise
    except Exception as error:  # noqa: BLE001 - of the client, of YAML, of TLS; their texts may hold credentials
        raise InputError(_unusable(access, error), _hint(access)) from None
    finally:
        logging.disable(disabled)


def _refuse_silent_plugin(path: str, context: str, configuration: Any) -> None:  # noqa: ANN401 - see above
    """Refuse an exec plug-in that failed: the client goes on without credentials, and every request is refused."""
    if "exec" in _user(path, context) and not (configuration.api_key or configuration.cert_file):
        raise InputError(
            f"the exec plug-in of context {context} gave no credentials",
            f"`kubectl --context {context} get namespaces` shows why.",
        )


def _refuse_missing(path: str) -> None:
    if not any(os.path.exists(part) for part in path.split(os.pathsep)):  # noqa: PTH110
        raise WrongUse(f"there is no kubeconfig {path}", "Name one with --kubeconfig, or write --in-cluster in a pod.")


def _context(name: str, contexts: list[dict[str, Any]], current: dict[str, Any]) -> str:
    names = [str(context["name"]) for context in contexts]
    if not name:
        return str(current["name"])
    if name not in names:
        from ccmcheck.base.suggest import hint

        raise WrongUse(
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
