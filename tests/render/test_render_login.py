"""A cloud as [Global], release by release: the CCM logs in as the SDK would, or ccmcheck says why it cannot."""

from __future__ import annotations

import pytest
from rendering_aids import SECRET, Folder, carried

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.render.login import login

_URL = "https://k/v3"
PASSWORD = {"auth-url": _URL, "username": "u", "password": SECRET}


def found(folder: Folder, cloud: str, release: str = "1.36") -> dict[str, str]:
    from ccmcheck.render.clouds_yaml import load

    folder.write("clouds.yaml", f"clouds:\n  one:\n{cloud}")
    return login(load(name="one"), catalog.schema(catalog.release(release)))


def auth(*lines: str, beside: str = "") -> str:
    inside = "".join(f"      {line}\n" for line in (f"auth_url: {_URL}", *lines))
    return f"    auth:\n{inside}{beside}"


def by_password(*lines: str, beside: str = "") -> str:
    return auth("username: u", f"password: {SECRET}", *lines, beside=beside)


@pytest.mark.parametrize(
    ("lines", "keys"),
    [
        (("user_domain_name: D", "project_id: p"), {"user-domain-name": "D", "tenant-id": "p"}),
        (("user_domain_name: D", "user_domain_id: d"), {"user-domain-id": "d"}),
        (
            ("domain_name: D", "project_name: p"),
            {"user-domain-name": "D", "tenant-name": "p", "tenant-domain-name": "D"},
        ),
        (
            ("project_name: p", "project_id: q", "project_domain_name: D", "user_domain_id: d"),
            {"tenant-id": "q", "user-domain-id": "d"},
        ),
        (
            ("default_domain_id: d", "tenant_name: t"),
            {"user-domain-id": "d", "tenant-name": "t", "tenant-domain-id": "d"},
        ),
        (("user_domain_name: D", "domain_id: d"), {"user-domain-name": "D", "domain-id": "d"}),
        (("user_domain_name: D", "project_id: p", "trust_id: t"), {"user-domain-name": "D", "trust-id": "t"}),
    ],
)
def test_by_password(lines: tuple[str, ...], keys: dict[str, str], bare: Folder) -> None:
    assert found(bare, by_password(*lines)) == PASSWORD | keys


def test_a_user_by_its_id_has_no_domain(bare: Folder) -> None:
    cloud = by_password("user_id: i", "user_domain_name: D", "project_id: p")
    assert found(bare, cloud) == {"auth-url": _URL, "user-id": "i", "password": SECRET, "tenant-id": "p"}


@pytest.mark.parametrize("auth_type", ["", "    auth_type: v3applicationcredential\n"])
def test_an_application_credential_says_its_project_itself(auth_type: str, bare: Folder) -> None:
    secret = f"application_credential_secret: {SECRET}"
    credential = auth(
        "application_credential_id: i", secret, "project_id: p", "project_domain_name: D", beside=auth_type
    )
    keys = {"auth-url": _URL, "application-credential-id": "i", "application-credential-secret": SECRET}
    assert found(bare, credential) == keys
    named = auth("application_credential_name: n", secret, "username: u", "user_domain_name: D", beside=auth_type)
    assert found(bare, named) == {
        "auth-url": _URL,
        "application-credential-name": "n",
        "username": "u",
        "user-domain-name": "D",
        "application-credential-secret": SECRET,
    }


def test_a_token(bare: Folder) -> None:
    cloud = auth(f"token: {SECRET}", "project_id: p", beside="    auth_type: v3token\n")
    assert found(bare, cloud) == {"auth-url": _URL, "token": SECRET, "tenant-id": "p"}
    with pytest.raises(WrongUse, match=r"1\.34 has no key `token`, which the cloud one needs"):
        found(bare, cloud, "1.34")


@pytest.mark.parametrize(
    ("beside", "release", "keys"),
    [
        ("    region_name: R\n", "1.36", {"region": "R"}),
        ("    interface: internalURL\n", "1.36", {"os-endpoint-type": "internal"}),
        ("    interface: public\n", "1.20", {}),
        ("    cacert: /ca\n", "1.36", {"ca-file": "/ca"}),
        ("    cacert: /ca\n    verify: false\n", "1.36", {"tls-insecure": "true"}),
        ("    verify: no\n", "1.19", {"tlsinsecure": "true"}),
        ("    insecure: true\n", "1.20", {"tls-insecure": "true"}),
        ("    verify: true\n", "1.20", {}),
        ("    cert: /c\n    key: /k\n", "1.36", {"cert-file": "/c", "key-file": "/k"}),
        ("    cert: /c\n", "1.36", {}),
    ],
)
def test_the_connection(beside: str, release: str, keys: dict[str, str], bare: Folder) -> None:
    cloud = by_password("user_domain_name: D", "project_id: p", beside=beside)
    assert found(bare, cloud, release) == PASSWORD | {"user-domain-name": "D", "tenant-id": "p"} | keys


def test_old_releases_have_one_domain_for_both(bare: Folder) -> None:
    cloud = by_password("domain_name: D", "project_name: p")
    assert found(bare, cloud, "1.14") == PASSWORD | {"tenant-name": "p", "domain-name": "D"}
    cloud = by_password("user_domain_name: D", "project_domain_name: E", "project_name: p")
    with pytest.raises(WrongUse, match=r"The CCM 1.14 has no key `user-domain-name`"):
        found(bare, cloud, "1.14")


@pytest.mark.parametrize(
    ("cloud", "release", "message"),
    [
        ("    auth: {username: u, password: x}\n", "1.36", "The cloud one in clouds.yaml has no auth_url."),
        ("    region_name: x\n", "1.36", "The cloud one in clouds.yaml has no auth_url."),
        (auth("username: u"), "1.36", "The cloud one in clouds.yaml has no password."),
        (auth("password: x"), "1.36", "The cloud one in clouds.yaml has no username."),
        (auth("application_credential_id: x", beside="    auth_type: v3applicationcredential\n"), "1.36", "has no application_credential_secret."),
        (auth("application_credential_secret: x"), "1.36", "has no application_credential_name."),
        (by_password("system_scope: all"), "1.36", "The cloud one is for the whole system"),
        (by_password(beside="    auth_type: v3oidcpassword\n"), "1.36", "logs in by auth_type `v3oidcpassword`, for which"),
        (by_password(beside="    auth_type: v2password\n"), "1.36", "logs in by auth_type `v2password`, for which"),
        (by_password("user_domain_name: D", beside="    interface: admin\n"), "1.20", "The CCM 1.20 has no key `os-endpoint-type`"),
        (by_password("user_domain_name: D", beside="    verify: maybe\n"), "1.36", "clouds.yaml:8:13: this must be true or false."),
    ],
)  # fmt: skip
def test_what_cannot_be_said(cloud: str, release: str, message: str, bare: Folder) -> None:
    with pytest.raises(WrongUse) as refused:
        found(bare, cloud, release)
    assert message in refused.value.message
    assert SECRET not in refused.value.message + refused.value.hint


def test_the_commands_words_about_it(folder: Folder) -> None:
    ran = folder.render("cloud.conf", "--cloud=user", "--with-secrets")
    (values,) = carried("cloud.conf", ran.out)
    assert values["Global"]["tls-insecure"] == "true"
    assert values["Global"]["os-endpoint-type"] == "internal"
    assert ran.code == 1
    assert "warning tls-insecure-on, line 10: tls-insecure: the CCM accepts any certificate" in ran.err
