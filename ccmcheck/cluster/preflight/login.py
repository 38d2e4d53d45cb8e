"""Logs in as the CCM does, and says what is wrong with the credential where Keystone does not take it.

Sources: cloud-provider-openstack pkg/client/client.go (ToAuth3Options: domain-id stands in for the user's and the
project's domain, a password goes before an application credential), gophercloud openstack/client.go v3auth (the request
goes to the URL of Keystone with /v3, whatever version auth-url has).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccmcheck.cluster.access.documents import mappings
from ccmcheck.cluster.access.errors import ApiError
from ccmcheck.cluster.access.exchange import server_of
from ccmcheck.cluster.core import NamedTuple, catalog, errors, octavia_api
from ccmcheck.cluster.octavia import requests
from ccmcheck.cluster.octavia.client import Login, log_in
from ccmcheck.cluster.octavia.transport import CloudError
from ccmcheck.cluster.preflight.cloud import PreflightCheck, PreflightCloud

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccmcheck.cluster.core import CloudConf

LOGIN = "login"
_ASKED = "POST /v3/auth/tokens"


class OpenedCloud(NamedTuple):
    """What came of a login.

    Attributes:
        cloud: The project; None where Keystone gave no token for one.
        checks: What was seen.
    """

    cloud: PreflightCloud | None
    checks: tuple[PreflightCheck, ...]


def login_of_conf(conf: CloudConf) -> Login | PreflightCheck:
    """How the CCM logs in with a cloud.conf; a check that did not pass where that is not known.

    Args:
        conf: The cloud.conf at its release.
    """
    values = {name: _value(conf, *keys) for name, keys in octavia_api.LOGIN_KEYS.items()}
    auth = {name: value for name, value in values.items() if value}
    if conf.value("Global", "use-clouds") is True:
        return PreflightCheck(
            LOGIN, None, "use-clouds: the credential is in the clouds.yaml of the CCM's pod", _NAME_CLOUD
        )
    open_keys = [item.entry.key for item in conf.items if item.opaque and catalog.fold(item.section.name) == "global"]
    if open_keys:
        keys = ", ".join(dict.fromkeys(open_keys))
        return PreflightCheck(LOGIN, None, f"{keys}: filled in when the file is rendered", _NAME_CLOUD)
    if not auth.get("auth_url"):
        return PreflightCheck(LOGIN, False, "there is no auth-url in [Global]", "Write the URL of Keystone, with /v3.")
    if auth.get("user_domain_id"):
        auth.pop("user_domain_name", None)
    if auth.get("project_domain_id"):
        auth.pop("project_domain_name", None)
    if auth.get("project_id"):
        auth.pop("project_name", None)
    verify: bool | str = os.environ.get("OS_CACERT") or True
    if conf.value("Global", "tls-insecure") is True:
        verify = False
    interface = _value(conf, "os-endpoint-type").removesuffix("URL")
    return Login(
        "",
        auth,
        "password" if "password" in auth else "",
        verify=verify,
        region=_value(conf, "region"),
        interfaces=dict.fromkeys(requests.TITLES, interface),
    )


_NAME_CLOUD = "Name a cloud of your own clouds.yaml with --os-cloud."


def _value(conf: CloudConf, *keys: str) -> str:
    for key in keys:
        value = conf.value("Global", key)
        if isinstance(value, str) and value:
            return value
    return ""


def opened(login: Login, *, is_own: bool) -> OpenedCloud:
    """Log in, and look at what Keystone says with the token.

    Args:
        login: How.
        is_own: Whether it is the credential of the cloud.conf.
    """
    where = login.name and f"cloud {login.name}, "
    try:
        logged = log_in(login)
        project = str(logged.said("project_id") or "")
    except errors.CcmcheckError as error:
        if not isinstance(error, ApiError):
            return OpenedCloud(
                None, (PreflightCheck(LOGIN, False, error.message, _own_hint(login, is_own) or error.hint),)
            )
        is_answer = error.message.startswith(_REFUSALS)
        cause, hint = _cause(login) if is_own and error.message.startswith("HTTP 401") else ("", "")
        text = f"{error.message}{cause}"
        hint = hint or _hint(error, login, is_own=is_own)
        return OpenedCloud(None, (PreflightCheck(LOGIN, False if is_answer else None, text, hint, _ASKED),))
    if not project:
        text = "the token is for no project: tenant-id and tenant-name are missing"
        hint = "Write tenant-id, or tenant-name with tenant-domain-name."
        return OpenedCloud(None, (PreflightCheck(LOGIN, False, text, hint, _ASKED),))
    cloud = PreflightCloud(logged, project)
    text = f"{where}{server_of(login.keystone)} gives a token for project {project}"
    return OpenedCloud(
        cloud, (PreflightCheck(LOGIN, True, text, "", _ASKED), *_said_with_the_token(cloud, is_own=is_own))
    )


def _said_with_the_token(cloud: PreflightCloud, *, is_own: bool) -> Iterator[PreflightCheck]:
    try:
        if is_own:
            yield from _rights(cloud)
        yield from _catalogue(cloud)
    except CloudError as error:
        yield PreflightCheck("service catalogue", None, error.message, error.hint, _ASKED)


def _own_hint(login: Login, is_own: bool) -> str:
    if not is_own:
        return ""
    if "application_credential_secret" in login.auth:
        return "An application credential needs application-credential-id and application-credential-secret."
    return (
        "A user needs username or user-id, password, user-domain-name (for a username), and tenant-id or tenant-name."
    )


def _hint(error: ApiError, login: Login, *, is_own: bool) -> str:
    if error.message.startswith("HTTP 404"):
        where = server_of(login.keystone)
        return f"There is no Keystone v3 at {where}: look at the path of auth-url (/v3 may be missing)."
    if "certificate" in error.message:
        return "Set OS_CACERT to the file of its authority here, and ca-file in the cloud.conf for the CCM."
    return f"Look at auth-url: {server_of(login.keystone)}." if is_own else error.hint


def _cause(login: Login) -> tuple[str, str]:
    """Why Keystone refuses a credential, and what to write: found out by a token for no project."""
    auth = login.auth
    if "password" not in auth:
        return (
            " (unknown, revoked or expired application credential, or another secret)",
            "Look at `openstack application credential list` of its user; write the ID, and the secret of that ID.",
        )
    try:
        logged = log_in(login, unscoped=True)
    except ApiError:
        return (
            ": neither user, password nor domain is known to be right",
            "Compare username, password and user-domain-name (or domain-name) with what the user logs in with.",
        )
    named = auth.get("project_id") or auth.get("project_name") or "none"
    key = "tenant-id" if auth.get("project_id") else "tenant-name"
    projects = PreflightCloud(logged, "").list(requests.PROJECTS)
    by_name = [document for document in projects.documents if document.get("name") == named]
    if key == "tenant-id" and by_name:
        return (
            f": user and password are right, but tenant-id `{named}` is the name of a project, not its ID",
            f"Write tenant-id = {by_name[0].get('id')}, or tenant-name = {named}.",
        )
    there = ", ".join(f"{one.get('name')} ({one.get('id')})" for one in projects.documents[:_MOST_NAMED])
    return (
        f": user and password are right, but not for {key} `{named}`",
        f"The user has a role in: {there}." if there else "The user has a role in no project.",
    )


_MOST_NAMED = 5
_REFUSALS = ("HTTP 400", "HTTP 401", "HTTP 403", "HTTP 404")


def _rights(cloud: PreflightCloud) -> Iterator[PreflightCheck]:
    """Roles and access rules of the CCM's credential."""
    try:
        roles = sorted(map(str, cloud.logged.said("role_names") or ()))
        rules = cloud.logged.said("application_credential_access_rules")
    except CloudError as error:
        yield PreflightCheck("roles", None, error.message, error.hint, _ASKED)
        return
    named = ", ".join(roles) or "none"
    if not roles or not octavia_api.WRITING_ROLES.isdisjoint(roles):
        yield PreflightCheck("roles", bool(roles), f"{named}", "" if roles else octavia_api.NEEDED_ROLES, _ASKED)
    elif octavia_api.READING_ROLES.issuperset(roles):
        text = f"{named}: by Octavia's default policies these may read, not create load balancers"
        yield PreflightCheck("roles", None, text, octavia_api.NEEDED_ROLES, _ASKED)
    if isinstance(rules, list):
        yield from _access_rules([rule for rule in rules if isinstance(rule, dict)])


def _access_rules(rules: list[Mapping[str, object]]) -> Iterator[PreflightCheck]:
    missing = [
        f"{method} {path} ({requests.TITLES[service]})"
        for service, method, path in octavia_api.SENT
        if not octavia_api.is_allowed(rules, service, method, path)
    ]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        text = f"the application credential's {len(rules)} access rules leave out {', '.join(missing[:3])}{more}"
        hint = "Create it with these rules, or without --access-rules; rules cannot be changed afterwards."
        yield PreflightCheck("access rules", False, text, hint, _ASKED)
    else:
        yield PreflightCheck("access rules", True, f"{len(rules)} allow what the CCM sends", "", _ASKED)


def _catalogue(cloud: PreflightCloud) -> Iterator[PreflightCheck]:
    """Whether the catalogue has what the CCM needs, in its region and by its interface."""
    login = cloud.logged.login
    about = "service catalogue"
    for service in (requests.LOAD_BALANCER, requests.NETWORK, requests.COMPUTE):
        title = requests.TITLES[service]
        if url := cloud.url(service):
            yield PreflightCheck(about, True, f"{title}: {server_of(url)}", "", _ASKED)
            continue
        places = endpoints(cloud, service)
        interface = login.interfaces.get(service) or "public"
        wanted = f"region {login.region}, " * bool(login.region) + f"interface {interface}"
        if places:
            there = ", ".join(sorted(f"region {region}, interface {face}" for region, face in places)[:_MOST_NAMED])
            text, hint = f"no {title} for {wanted}; there is one for {there}", "Correct region or os-endpoint-type."
        else:
            text = f"the cloud has no {title} ({service})"
            hint = "The CCM makes load balancers with Octavia alone." if service == requests.LOAD_BALANCER else ""
        yield PreflightCheck(about, False, text, hint, _ASKED)


def endpoints(cloud: PreflightCloud, service: str) -> set[tuple[str, str]]:
    """The regions and interfaces that a service has an endpoint for."""
    catalogue = cloud.logged.said("service_catalog").catalog
    return {
        (str(point.get("region_id") or point.get("region") or ""), str(point.get("interface") or ""))
        for entry in mappings(catalogue)
        if entry.get("type") == service
        for point in mappings(entry.get("endpoints"))
    }
