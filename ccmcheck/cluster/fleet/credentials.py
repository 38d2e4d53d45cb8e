"""How one cluster is reached, out of a kubeconfig: in memory, and nothing that its trust does not allow."""

from __future__ import annotations

import base64
import binascii
import os
from urllib.parse import urlsplit

from ccmcheck.cluster.access.kubeconfig import Kubeconfig, KubeconfigEntry, Trust, Unusable
from ccmcheck.cluster.core import NamedTuple, errors, read_input

_ALLOW = "Only --exec-policy AllowAll does what such a kubeconfig asks for."
_EMBED = "`kubectl config view --raw --flatten` writes what the files hold into the kubeconfig."
_MOST_BYTES = 1024 * 1024


class Credentials(NamedTuple):
    """How a cluster is reached.

    Attributes:
        server: The API server's URL.
        ca: Its certificate authority as PEM; empty for those of the system.
        verify: Whether its certificate is checked.
        server_name: The name in it, where that is not the URL's.
        proxy: The URL of a proxy; empty for that of the environment.
        certificate: The client's certificate as PEM; empty without one.
        key: Its key as PEM.
        token: A bearer token; empty without one.
        basic: User and password, ``user:password``; empty without them.
    """

    server: str
    ca: bytes = b""
    verify: bool = True
    server_name: str = ""
    proxy: str = ""
    certificate: bytes = b""
    key: bytes = b""
    token: str = ""
    basic: str = ""

    def __repr__(self) -> str:
        return "<Credentials>"


def credentials(kubeconfig: Kubeconfig, context: str, trust: Trust) -> Credentials:
    """The credentials of a context.

    Args:
        kubeconfig: The kubeconfig.
        context: The context.
        trust: What the kubeconfig may ask for.

    Raises:
        Unusable: Something is missing or broken, or is not allowed.
    """
    cluster, user = kubeconfig.of(context)
    found_credentials = _of_user(user, _of_cluster(cluster, trust), trust)
    plugin = user.values.get("exec")
    if isinstance(plugin, dict):
        from ccmcheck.cluster.access.exec_plugin import run

        issued = run(plugin, found_credentials.server, cluster, user.folder, trust)
        found_credentials = found_credentials._replace(
            token=issued.token or found_credentials.token,
            certificate=issued.certificate or found_credentials.certificate,
            key=issued.key or found_credentials.key,
        )
    if bool(found_credentials.certificate) != bool(found_credentials.key):
        raise Unusable("the kubeconfig has a client certificate without its key, or the reverse")
    return found_credentials


def _of_cluster(cluster: KubeconfigEntry, trust: Trust) -> Credentials:
    server = cluster.text("server")
    try:
        parts = urlsplit(server)
        parts.port  # noqa: B018 - raises for a port that is none
    except ValueError:
        raise Unusable("the kubeconfig's `server` is not a URL") from None
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise Unusable("the kubeconfig's `server` is not a URL", "It has to begin with https://.")
    if parts.scheme == "http" and not trust.is_full:
        raise Unusable("the kubeconfig sends its credentials without TLS, which is not allowed", _ALLOW)
    if cluster.values.get("insecure-skip-tls-verify") is True and not trust.is_full:
        raise Unusable("the kubeconfig asks for insecure-skip-tls-verify, which is not allowed", _ALLOW)
    proxy = cluster.text("proxy-url")
    if proxy and not trust.is_full:
        raise Unusable("the kubeconfig asks for a proxy, which is not allowed", _ALLOW)
    if proxy and urlsplit(proxy).scheme not in ("http", "https"):
        raise Unusable("the kubeconfig's proxy is not an HTTP proxy", "SOCKS proxies are not supported.")
    return Credentials(
        server,
        ca=_data(cluster, "certificate-authority", trust),
        verify=cluster.values.get("insecure-skip-tls-verify") is not True,
        server_name=cluster.text("tls-server-name"),
        proxy=proxy,
    )


def _of_user(user: KubeconfigEntry, found_credentials: Credentials, trust: Trust) -> Credentials:
    if user.values.get("as") or user.values.get("as-uid") or user.values.get("as-groups"):
        raise Unusable("the kubeconfig impersonates another user, which is not supported")
    token = user.text("token")
    provider = user.values.get("auth-provider")
    if isinstance(provider, dict) and not token:
        if not trust.is_full:
            raise Unusable("the kubeconfig has an auth-provider, which is not allowed", _ALLOW)
        config = provider.get("config")
        config = config if isinstance(config, dict) else {}
        token = next((config[key] for key in ("id-token", "access-token") if isinstance(config.get(key), str)), "")
        if not token:
            raise Unusable("the kubeconfig's auth-provider holds no token", "Log in again with kubectl.")
    if user.text("tokenFile"):
        # it wins over `token`, as in kubectl
        token = _file(user, "tokenFile", trust).decode("utf-8", "replace").strip()
    name, password = user.text("username"), user.text("password")
    if any(ord(character) <= ord(" ") or ord(character) > ord("~") for character in token):
        raise Unusable("the kubeconfig's token holds characters that no token has")
    if any("\ud800" <= character <= "\udfff" for character in name + password):
        raise Unusable("the kubeconfig's user name or password is not valid Unicode")
    return found_credentials._replace(
        certificate=_data(user, "client-certificate", trust),
        key=_data(user, "client-key", trust),
        token=token,
        basic=f"{name}:{password}" if name else "",
    )


def _data(entry: KubeconfigEntry, key: str, trust: Trust) -> bytes:
    """What a field holds, or the file that it names; the embedded data win, as in kubectl."""
    embedded = entry.text(f"{key}-data")
    if embedded:
        try:
            return base64.b64decode(embedded, validate=True)
        except (binascii.Error, ValueError):
            raise Unusable(f"`{key}-data` of the kubeconfig is not base64") from None
    return _file(entry, key, trust) if entry.text(key) else b""


def _file(entry: KubeconfigEntry, key: str, trust: Trust) -> bytes:
    path = entry.text(key)
    if not trust.is_full or not entry.folder:
        raise Unusable(f"the kubeconfig names a file of this machine (`{key}`), which is not allowed", _EMBED)
    try:
        return read_input(os.path.join(entry.folder, path), _MOST_BYTES)
    except (OSError, errors.InputError):
        raise Unusable(f"the file that the kubeconfig's `{key}` names cannot be read") from None
