"""A cloud of a clouds.yaml as [Global]: how to log in, and to which region.

Where clouds.yaml may say a thing twice, by an id and by a name, the id is written alone: keystoneauth takes it, and the
CCM's library wants exactly one.

Source: keystoneauth1 5.18 identity/v3; cloud-provider-openstack pkg/client/client.go; gophercloud v2 auth_options.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.errors import WrongUse
from ccmcheck.catalog import Schema
from ccmcheck.render.clouds_yaml import Cloud
from ccmcheck.render.settings import GLOBAL

_PASSWORD = frozenset({"password", "v3password"})
_TOKEN = frozenset({"token", "v3token"})
_CREDENTIAL = frozenset({"v3applicationcredential"})
_BY_DEFAULT = ("public", "")


def login(cloud: Cloud, schema: Schema) -> dict[str, str]:
    """The keys of [Global] that a cloud comes to.

    Args:
        cloud: The cloud.
        schema: Who reads them.

    Raises:
        WrongUse: Something is missing, or the release has no key for it.
    """
    needed = dict(_needed(cloud, schema))
    spec = schema.section(GLOBAL)
    lost = [key for key in needed if spec is None or spec.key(key) is None]
    if lost:
        raise WrongUse(
            f"The CCM {schema.release.name} has no key `{lost[0]}`, which the cloud {cloud.name} needs.",
            f"`ccmcheck explain Global.{lost[0]}` tells which releases have it.",
        )
    return needed


def _needed(cloud: Cloud, schema: Schema) -> Iterator[tuple[str, str]]:
    yield "auth-url", _must(cloud, "auth_url")
    kind = _kind(cloud)
    if kind in _CREDENTIAL:
        yield from _credential(cloud, schema)
    elif kind in _TOKEN:
        yield "token", _must(cloud, "token")
        yield from _project(cloud, schema)
    elif kind in _PASSWORD:
        yield from _user(cloud, schema)
        yield "password", _must(cloud, "password")
        yield from _project(cloud, schema)
    else:
        raise WrongUse(
            f"The cloud {cloud.name} logs in by auth_type `{kind}`, for which cloud.conf has no keys.",
            "An application credential works: `openstack application credential create ccm`.",
        )
    yield from _connection(cloud, schema)


def _kind(cloud: Cloud) -> str:
    """The auth_type; where none is written, by what there is, as gophercloud does it."""
    if cloud.auth_type:
        return cloud.auth_type
    if "password" not in cloud.auth and "application_credential_secret" in cloud.auth:
        return "v3applicationcredential"
    return "token" if "password" not in cloud.auth and "token" in cloud.auth else "password"


def _must(cloud: Cloud, name: str) -> str:
    value = cloud.auth.get(name)
    if not value:
        raise WrongUse(
            f"The cloud {cloud.name} in {cloud.source} has no {name}.",
            "It stands below `auth:`, in clouds.yaml or in a secure.yaml beside it.",
        )
    return value


def _credential(cloud: Cloud, schema: Schema) -> Iterator[tuple[str, str]]:
    """An application credential, which says itself for which project it is."""
    if "application_credential_id" in cloud.auth:
        yield "application-credential-id", cloud.auth["application_credential_id"]
    else:
        yield "application-credential-name", _must(cloud, "application_credential_name")
        yield from _user(cloud, schema)
    yield "application-credential-secret", _must(cloud, "application_credential_secret")


def _user(cloud: Cloud, schema: Schema) -> Iterator[tuple[str, str]]:
    if "user_id" in cloud.auth:
        yield "user-id", cloud.auth["user_id"]
        return
    yield "username", _must(cloud, "username")
    yield from _domain(cloud, schema, "user", "user")


def _project(cloud: Cloud, schema: Schema) -> Iterator[tuple[str, str]]:
    """What the token is for: a trust, a project or a domain."""
    auth = cloud.auth
    if "system_scope" in auth:
        raise WrongUse(
            f"The cloud {cloud.name} is for the whole system (`system_scope`), and load balancers need a project."
        )
    if "trust_id" in auth:
        yield "trust-id", auth["trust_id"]
    elif "project_id" in auth:
        yield "tenant-id", auth["project_id"]
    elif "project_name" in auth:
        yield "tenant-name", auth["project_name"]
        yield from _domain(cloud, schema, "project", "tenant")
    elif "domain_id" in auth:
        yield "domain-id", auth["domain_id"]
    elif "domain_name" in auth:
        yield "domain-name", auth["domain_name"]


def _domain(cloud: Cloud, schema: Schema, whose: str, prefix: str) -> Iterator[tuple[str, str]]:
    """A domain, under the key that stands for both in releases that have no other."""
    spec = schema.section(GLOBAL)
    for kind in ("id", "name"):
        value = cloud.auth.get(f"{whose}_domain_{kind}")
        if value:
            key = f"{prefix}-domain-{kind}"
            if spec is not None and spec.key(key) is None and _is_shared(cloud, kind):
                key = f"domain-{kind}"
            yield key, value
            return


def _is_shared(cloud: Cloud, kind: str) -> bool:
    return cloud.auth.get(f"user_domain_{kind}") == cloud.auth.get(f"project_domain_{kind}")


def _connection(cloud: Cloud, schema: Schema) -> Iterator[tuple[str, str]]:
    spec = schema.section(GLOBAL)
    knows = {key.name for key in spec.keys} if spec is not None else set()
    if cloud.region:
        yield "region", cloud.region
    # what is the default anyway is no loss in a release that cannot say it
    if cloud.interface and (cloud.interface not in _BY_DEFAULT or "os-endpoint-type" in knows):
        yield "os-endpoint-type", cloud.interface
    if not cloud.verify:
        yield ("tlsinsecure" if "tlsinsecure" in knows else "tls-insecure"), "true"
    elif cloud.cacert:
        yield "ca-file", cloud.cacert
    if cloud.cert and cloud.key:
        yield "cert-file", cloud.cert
        yield "key-file", cloud.key
