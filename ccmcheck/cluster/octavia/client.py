"""The only importer of openstacksdk: it reads clouds.yaml and ``OS_*`` variables; the requests are our own.

The SDK's typed objects would ask Keystone and each service for their versions, and build an object of 40 attributes for
each member; here one HTTP session sends GET, and to Keystone nothing but POST /auth/tokens.
Errors of the libraries carry bodies and URLs, so none of their texts is used.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from ccmcheck.cluster.access.errors import UNAUTHORIZED, Unintelligible, Unreachable
from ccmcheck.cluster.access.exchange import prepare, retry_seconds, server_of, timeout
from ccmcheck.cluster.access.limits import body_of, count_values
from ccmcheck.cluster.access.transport import SUCCESSES, HTTPAnswer
from ccmcheck.cluster.core import NamedTuple, budget, errors, hint, masking
from ccmcheck.cluster.octavia.requests import LOAD_BALANCER, NETWORK, TITLES
from ccmcheck.cluster.octavia.transport import CloudError

INSTALL = "Install it in ccmcheck's checkout: pip install '.[cluster,octavia]'"
TOKEN_SECONDS = 30.0
MOST_BYTES_OF_TOKEN = 4 * 1024 * 1024
"""Of Keystone's answer, which has the service catalogue in it: 4 KB a region."""
_MADE_UP = {"defaults", "envvars"}
"""Clouds of the SDK's own: where there is no file, and for ``OS_*`` variables."""
_CONNECTIONS = 16
_PASSWORD, _TOKEN, _APPLICATION_CREDENTIAL = "password", "token", "applicationcredential"
_FIELDS = {
    _PASSWORD: (
        "username", "user_id", "password", "user_domain_id", "user_domain_name", "project_id", "project_name",
        "project_domain_id", "project_domain_name", "trust_id",
    ),
    _TOKEN: ("token", "project_id", "project_name", "project_domain_id", "project_domain_name"),
    _APPLICATION_CREDENTIAL: (
        "application_credential_id", "application_credential_name", "application_credential_secret", "username",
        "user_id", "user_domain_id", "user_domain_name",
    ),
}  # fmt: skip
"""What each way to log in is made of, as keystoneauth names it."""
_SCOPE = ("project_", "trust_")
"""Fields that say for what the token is."""
_VERSIONS = ("/v2.0", "/v2.1", "/v2", "/v1", "/v3")
"""What an endpoint of the catalogue may end with."""


class OpenCloud(NamedTuple):
    """A cloud that can be asked.

    Attributes:
        session: Sends the requests.
        name: What clouds.yaml calls it; empty for ``OS_*`` variables.
        project: The project of the token.
        endpoints: The URL of each service, without its version.
    """

    session: CloudSession
    name: str
    project: str
    endpoints: Mapping[str, str]

    def connection(self, service: str) -> ServiceConnection:
        """A connection to one service."""
        return ServiceConnection(self.session, service, self.endpoints[service])


class CloudSession:
    """The token, and the HTTP session that sends nothing but GET besides it.

    Args:
        http: The HTTP session, see `_get_only`.
        keystone: keystoneauth's session, which gets tokens through it.
    """

    def __init__(self, http: Any, keystone: Any) -> None:  # noqa: ANN401 - of requests and keystoneauth, imported lazily
        self._http = http
        self._keystone = keystone

    def get(self, url: str, *, service: str, seconds: float, most_bytes: int) -> HTTPAnswer:
        """Ask once, with another token where the one that was used before has expired.

        Raises:
            ApiError: There is no answer.
        """
        answer = self._ask(url, service, seconds, most_bytes)
        if answer.status == UNAUTHORIZED and self._keystone.invalidate():
            answer = self._ask(url, service, seconds, most_bytes)
        return answer

    def _ask(self, url: str, service: str, seconds: float, most_bytes: int) -> HTTPAnswer:
        import requests
        import urllib3

        title = TITLES[service]
        headers = {"accept": "application/json", "x-auth-token": token_of(self._keystone)}
        try:
            response = self._http.get(
                url, headers=headers, timeout=timeout(seconds), stream=True, allow_redirects=False
            )
            with response:
                body = body_of(response.raw, most_bytes, title) if response.status_code in SUCCESSES else b""
        except requests.exceptions.SSLError:
            raise Unreachable(
                f"the certificate of {title} is not accepted",
                "Look at `cacert` of the cloud in clouds.yaml, or set OS_CACERT.",
            ) from None
        except (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError):
            raise Unreachable(f"{title} did not answer in time") from None
        except (requests.exceptions.RequestException, urllib3.exceptions.HTTPError, OSError):
            raise Unreachable(f"there is no connection to {title}, or it was cut") from None
        except UnicodeError:  # an ID that an answer gave
            raise Unintelligible(f"{title} gives IDs that are no text") from None
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return HTTPAnswer(response.status_code, content_type, retry_seconds(response.headers.get("retry-after")), body)


class ServiceConnection:
    """A connection to one service of a cloud; a `ccmcheck.cluster.access.transport.Connection`.

    Args:
        session: Sends the requests.
        service: Its type in the service catalogue.
        endpoint: Its URL.
    """

    def __init__(self, session: CloudSession, service: str, endpoint: str) -> None:
        self._session = session
        self._service = service
        self._endpoint = endpoint

    @property
    def server(self) -> str:
        """The service's URL without userinfo, query and fragment."""
        return server_of(self._endpoint)

    def get(self, path: str, query: Mapping[str, str], *, seconds: float, most_bytes: int) -> HTTPAnswer:
        """Ask once; see `ccmcheck.cluster.access.transport.Connection`."""
        url = f"{self._endpoint}{path}" + (f"?{urlencode(query, errors='replace')}" if query else "")
        return self._session.get(url, service=self._service, seconds=seconds, most_bytes=most_bytes)


def is_installed() -> bool:
    """Whether openstacksdk can be imported, without importing it."""
    from importlib.util import find_spec

    return find_spec("openstack") is not None and find_spec("keystoneauth1") is not None


def open_cloud(name: str) -> OpenCloud:
    """Log in to a cloud, and find its services.

    Args:
        name: See `login_of`.

    Raises:
        WrongUse: openstacksdk is not installed, or there is no such cloud.
        InputError: The cloud's credentials cannot be used.
        ApiError: Keystone does not answer, or gives no token.
    """
    logged = log_in(login_of(name))
    project = logged.said("project_id")
    if not project:
        raise errors.InputError(
            "the credentials are for no project",
            "Name the project that the load balancers are in: project_id, or project_name with project_domain_name.",
        )
    endpoints = {service: logged.endpoint(service) for service in (LOAD_BALANCER, NETWORK)}
    for service, url in endpoints.items():
        if not url:
            raise CloudError(
                f"the service catalogue has no {TITLES[service]} for this region and interface",
                "`openstack catalog list` shows what there is; region_name and interface are set in clouds.yaml.",
            )
    return OpenCloud(logged.session, logged.login.name, str(project), endpoints)


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Keep the libraries from logging, as they log what clouds.yaml holds."""
    import logging

    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(disabled)


class Login(NamedTuple):
    """How to log in, and what to look for in the service catalogue.

    Attributes:
        name: What clouds.yaml calls the cloud; empty for ``OS_*`` variables and a cloud.conf.
        auth: The credential and the URL of Keystone, as keystoneauth names them.
        auth_type: The way to log in; empty to go by the credential.
        is_named: Whether somebody named the cloud.
        verify: Whether certificates are verified, or the file of the authorities.
        certificate: The client's certificate.
        region: The region; empty for any.
        interfaces: The interface of each service that does not use the public one.
        overrides: The URL of each service that is not taken from the catalogue.
    """

    name: str
    auth: Mapping[str, str]
    auth_type: str = ""
    is_named: bool = True
    verify: bool | str = True
    certificate: Any = None
    region: str = ""
    interfaces: Mapping[str, str] = {}
    overrides: Mapping[str, str] = {}

    @property
    def keystone(self) -> str:
        """Keystone's v3 URL.

        Raises:
            InputError: It is none.
        """
        return _keystone(self.auth.get("auth_url", ""))


class LoggedIn(NamedTuple):
    """A login that Keystone accepted.

    Attributes:
        login: How.
        session: Sends the requests.
        access: What Keystone said with the token, as keystoneauth reads it.
    """

    login: Login
    session: CloudSession
    access: Any

    def said(self, name: str) -> Any:  # noqa: ANN401 - what keystoneauth gives
        """An attribute of what Keystone said.

        Raises:
            CloudError: Its answer has another form.
        """
        return _read(lambda: getattr(self.access, name))

    def endpoint(self, service: str) -> str:
        """The URL of a service without its version, from clouds.yaml or the service catalogue; empty without one."""
        from keystoneauth1 import exceptions

        try:
            url = self.login.overrides.get(service) or _read(
                lambda: self.access.service_catalog.url_for(
                    service_type=service,
                    interface=self.login.interfaces.get(service) or "public",
                    region_name=self.login.region or None,
                )
            )
        except exceptions.ClientException:
            return ""
        url = str(url or "").rstrip("/")
        for version in _VERSIONS:
            url = url.removesuffix(version)
        return url.rstrip("/")


def log_in(login: Login, *, unscoped: bool = False) -> LoggedIn:
    """Get a token.

    Args:
        login: How.
        unscoped: Whether for no project.

    Raises:
        CcmcheckError: The credential cannot be used, or Keystone gives no token.
    """
    with quiet_libraries():
        from keystoneauth1.session import Session

        plugin, token_url = _plugin(login, unscoped=unscoped)
        http = _get_only(token_url)
        http.verify, http.cert = login.verify, login.certificate
        keystone = Session(
            auth=plugin,
            session=http,
            verify=login.verify,
            cert=login.certificate,
            user_agent="ccmcheck",
            redirect=False,
        )
        token_of(keystone)
        return LoggedIn(login, CloudSession(http, keystone), _read(lambda: plugin.get_access(keystone)))


def login_of(name: str) -> Login:
    """What clouds.yaml and the variables say of a cloud.

    Args:
        name: The cloud; empty for ``OS_CLOUD``, else ``OS_*`` variables, else the only cloud.

    Raises:
        WrongUse: openstacksdk is not installed, or there is no such cloud.
        InputError: Its credentials cannot be read.
    """
    if not is_installed():
        raise errors.WrongUse("openstacksdk is not installed", INSTALL)
    with quiet_libraries():
        region = _region(name)
        verify, certificate = region.get_requests_verify_args()
        # OS_* variables stand beside `auth`, where the SDK's plug-ins would look for them
        beside = {field: region.config.get(field) for fields in _FIELDS.values() for field in ("auth_url", *fields)}
        auth = {key: value for key, value in {**beside, **(region.config.get("auth") or {})}.items() if value}
        services = tuple(TITLES)
        return Login(
            str(region.name or ""),
            auth,
            str(region.config.get("auth_type") or ""),
            str(region.name or "") not in ("", *_MADE_UP),
            verify,
            certificate,
            str(region.get_region_name(LOAD_BALANCER) or ""),
            {service: str(region.get_interface(service) or "") for service in services},
            {service: str(region.get_endpoint(service) or "") for service in services},
        )


def _region(name: str) -> Any:  # noqa: ANN401 - openstacksdk's CloudRegion
    """What clouds.yaml and the variables say of a cloud."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from openstack.config import OpenStackConfig

            _refuse_links()
            config = _own_files(OpenStackConfig())
            _refuse_unknown(config, name)
            _refuse_remote_profile(config, name)
            # its plug-ins ask Keystone for its versions first; ours does not
            region = config.get_one(cloud=name or None, validate=False)
        except errors.CcmcheckError:
            raise
        except Exception as error:  # noqa: BLE001 - of the SDK, of YAML; their texts may hold credentials
            budget.refuse_to_go_on(error)
            raise errors.InputError(
                "the credentials for OpenStack cannot be read",
                "Name a cloud of clouds.yaml with --os-cloud, or set the OS_* variables.",
            ) from None
    auth = region.config.get("auth") or {}
    masking.hide_variables({key: value for key, value in auth.items() if isinstance(value, str)})
    return region


def _refuse_links() -> None:
    """Refuse files of the SDK in the current folder that are no files of it: a checkout could point at the user's own.

    Raises:
        WrongUse: One is a link, or no file.
    """
    import os
    import stat

    from openstack.config import loader

    here = os.getcwd()
    for path in (*loader.CONFIG_FILES, *loader.SECURE_FILES, *loader.VENDOR_FILES):
        if os.path.dirname(os.path.abspath(path)) != here:
            continue
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            raise errors.WrongUse(
                f"{os.path.basename(path)} of the current folder is a link, or no file",
                "Name the file that it stands for with OS_CLIENT_CONFIG_FILE, from another folder.",
            )


def _own_files(config: Any) -> Any:  # noqa: ANN401 - openstacksdk's OpenStackConfig
    """The same, so that no file of the current folder says where a credential from elsewhere is sent, or for whom.

    The SDK looks for each of its files in the current folder first, which may be a checkout of somebody else.
    """
    import os

    from openstack.config import OpenStackConfig, loader

    if not config.config_filename:
        return config
    here = os.getcwd()
    is_here = os.path.samefile(os.path.dirname(os.path.abspath(config.config_filename)), here)
    if is_here and "OS_CLIENT_CONFIG_FILE" in os.environ:
        return config  # somebody named it
    if is_here and "OS_CLIENT_SECURE_FILE" in os.environ:
        raise errors.WrongUse(
            "clouds.yaml of the current folder would say where the credential of OS_CLIENT_SECURE_FILE is sent",
            "Name the file with OS_CLIENT_CONFIG_FILE if you trust it.",
        )
    kept = {
        name: [file for file in files if (os.path.dirname(os.path.abspath(file)) == here) == is_here]
        for name, files in (("secure_files", loader.SECURE_FILES), ("vendor_files", loader.VENDOR_FILES))
    }
    return OpenStackConfig(**kept)


def _refuse_unknown(config: Any, name: str) -> None:  # noqa: ANN401 - openstacksdk's OpenStackConfig
    known = sorted(map(str, (config.cloud_config.get("clouds") or {}).keys() - _MADE_UP))
    if name and name not in known:
        there = f"There are {', '.join(known)}." if known else "No clouds.yaml was found, or it is not valid YAML."
        raise errors.WrongUse(f"there is no cloud {name} in clouds.yaml", hint(name, known) or there)


def _refuse_remote_profile(config: Any, name: str) -> None:  # noqa: ANN401 - openstacksdk's OpenStackConfig
    """Refuse a profile that is a URL: the SDK would fetch it by its own request."""
    clouds = config.cloud_config.get("clouds") or {}
    cloud = clouds.get(name or config.default_cloud or "") or {}
    profile = cloud.get("profile") or cloud.get("cloud") or ""
    if profile and urlsplit("".join(str(profile).split())).netloc:  # as the SDK decides, which drops blanks in it
        raise errors.InputError(
            "the profile of the cloud is a URL, which is not fetched", "Write its settings to clouds.yaml."
        )


def _plugin(login: Login, *, unscoped: bool) -> tuple[Any, str]:
    """Keystone's v3 plug-in for a cloud, which asks for no version, and the URL that it sends its POST to."""
    from keystoneauth1.identity import v3

    auth = login.auth
    if not auth.get("auth_url") and not login.is_named:
        raise errors.WrongUse(
            "no cloud of OpenStack is named", "Name a cloud of clouds.yaml with --os-cloud, or set the OS_* variables."
        )
    url = login.keystone
    kind = _kind(login.auth_type, auth)
    fields: dict[str, Any] = {field: auth[field] for field in _FIELDS[kind] if field in auth}
    if unscoped:
        fields = {field: value for field, value in fields.items() if not field.startswith(_SCOPE)}
        fields["unscoped"] = True
    plugins = {_PASSWORD: v3.Password, _TOKEN: v3.Token, _APPLICATION_CREDENTIAL: v3.ApplicationCredential}
    try:
        return plugins[kind](url, **fields), f"{url}/auth/tokens"
    except Exception as error:  # noqa: BLE001 - its text may hold a value
        budget.refuse_to_go_on(error)
        raise errors.InputError("the credentials for OpenStack are incomplete", _COMPLETE) from None


_AUTH_URL = "Look at `auth_url` of the cloud in clouds.yaml."
_COMPLETE = "An application credential needs its ID and secret; a user a name, a password, a domain and a project."


def _kind(auth_type: str, auth: Mapping[str, Any]) -> str:
    """The way to log in."""
    kind = auth_type.removeprefix("v3").replace("_", "")
    if kind in ("", _PASSWORD) and "application_credential_secret" in auth and "password" not in auth:
        kind = _APPLICATION_CREDENTIAL
    kind = kind or (_TOKEN if "token" in auth and "password" not in auth else _PASSWORD)
    if kind not in _FIELDS:
        raise errors.WrongUse(
            "this auth_type is not supported here: it asks Keystone for more than a token",
            "Create an application credential: openstack application credential create --role reader "
            "--role load-balancer_observer ccmcheck",
        )
    return kind


_AMBIGUOUS = frozenset("@\\")


def _keystone(url: str) -> str:
    """Keystone's v3 URL.

    Programs differ in where the host of a URL with an at sign or a backslash ends: another one could be asked than is
    shown.
    """
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one or not _AMBIGUOUS.isdisjoint(url) or any(character <= " " for character in url):
        raise errors.InputError(
            "the auth_url of the cloud is no URL of Keystone", "Write https://keystone.example.org:5000/v3."
        )
    path = parts.path.rstrip("/")
    path = path.removesuffix("/v2.0").removesuffix("/v3")
    return urlunsplit((parts.scheme, parts.netloc, f"{path}/v3", "", ""))


def _get_only(token_url: str) -> Any:  # noqa: ANN401 - a requests.Session, imported lazily
    """An HTTP session that sends nothing but GET, and the POST that gets a token, whose answer has a limit of size."""
    import requests
    import urllib3
    from requests.adapters import HTTPAdapter

    class GetOnly(requests.Session):  # type: ignore[misc]  # without types, and imported lazily
        def send(self, request: Any, **options: Any) -> Any:  # noqa: ANN401 - of requests
            if request.method == "GET":
                return super().send(request, **options)
            if (request.method, request.url) != ("POST", token_url):
                raise AssertionError(f"{request.method} is never sent")
            options["timeout"] = timeout(TOKEN_SECONDS)
            with super().send(request, **{**options, "stream": True}) as response:
                try:
                    body = body_of(response.raw, MOST_BYTES_OF_TOKEN, "Keystone")
                except urllib3.exceptions.TimeoutError:
                    raise requests.exceptions.ReadTimeout from None
                except urllib3.exceptions.HTTPError:
                    raise requests.exceptions.ConnectionError from None
            count_values(body, "Keystone")
            response.raw = io.BytesIO(body)
            return response

    class Timed(HTTPAdapter):  # type: ignore[misc]  # see above
        def init_poolmanager(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - of requests
            super().init_poolmanager(*arguments, **options)
            prepare(self.poolmanager)

        def proxy_manager_for(self, proxy: str, **options: Any) -> Any:  # noqa: ANN401 - of requests
            is_new = proxy not in self.proxy_manager
            manager = super().proxy_manager_for(proxy, **options)
            if is_new:
                prepare(manager)
            return manager

    session = GetOnly()
    session.auth = lambda request: request  # else the password of ~/.netrc would be sent
    adapter = Timed(pool_connections=_CONNECTIONS, pool_maxsize=_CONNECTIONS, max_retries=0)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    session.headers.update({"user-agent": "ccmcheck", "accept-encoding": "identity"})
    return session


def _read(attempt: Callable[[], Any]) -> Any:  # noqa: ANN401 - what keystoneauth gives
    """Something of the answer of Keystone, whose form keystoneauth takes for granted.

    Raises:
        CloudError: It has another one.
    """
    from keystoneauth1 import exceptions

    try:
        return attempt()
    except (exceptions.ClientException, errors.CcmcheckError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever an odd answer leads to; its text may hold the answer
        budget.refuse_to_go_on(error)
        raise CloudError("the answer of Keystone cannot be read", _AUTH_URL) from None


def token_of(keystone: Any) -> str:  # noqa: ANN401 - keystoneauth's Session
    """The token.

    Raises:
        CloudError: Keystone gives none.
    """
    from keystoneauth1 import exceptions

    try:
        return str(_read(keystone.get_token))
    except exceptions.Unauthorized:
        raise CloudError(
            "HTTP 401: Keystone does not accept the credentials",
            "`openstack token issue` shows whether they work; application credentials expire.",
        ) from None
    except exceptions.HttpError as error:
        raise CloudError(f"HTTP {int(error.http_status or 0)}: Keystone gives no token") from None
    except exceptions.SSLError:
        raise CloudError(
            "the certificate of Keystone is not accepted", "Look at `cacert` of the cloud in clouds.yaml."
        ) from None
    except exceptions.ConnectTimeout:
        raise CloudError("Keystone did not answer in time") from None
    except exceptions.ConnectFailure:
        raise CloudError("there is no connection to Keystone, or it was cut", _AUTH_URL) from None
    except exceptions.ClientException:
        raise CloudError("Keystone gives no token", _AUTH_URL) from None
