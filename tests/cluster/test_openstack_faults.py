"""Every fault of Keystone, Octavia and Neutron: a clear message, nothing but GET, and nothing of what was sent or read."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import DRIPPING, Fault, cut
from api_server import TOKEN, kubeconfig, serving
from cluster_runs import Done, run
from forgotten_secrets import forgotten_secrets  # noqa: F401 - a fixture
from loopback import Asked
from octavia_project import differences, kubernetes, lint_octavia, openstack
from openstack_api import (
    CLOUD_CANARIES,
    CLOUD_TOKEN,
    PASSWORD,
    PROJECT,
    SECRET_KEY,
    TOKENS,
    OpenStack,
    clouds_yaml,
    serving_cloud,
)

from ccmcheck.base.errors import CcmcheckError, InputError, WrongUse
from ccmcheck.cluster.access import transport
from ccmcheck.cluster.access.errors import Unintelligible, Unreachable
from ccmcheck.cluster.octavia import client
from ccmcheck.cluster.octavia import requests as asked_for
from ccmcheck.cluster.octavia.transport import CloudError, CloudTransport

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "c4nary-of-an-openstack-body-31f0"
CANARIES = (*CLOUD_CANARIES, CANARY, TOKEN, "hunter2")
LISTENERS = "/v2/lbaas/listeners"
HTML = Fault(200, f"<html>{CANARY}</html>".encode(), "text/html")
CUT = cut(f'{{"listeners": [{{"x": "{CANARY}"'.encode())


def error(code: int) -> Fault:
    """An error as OpenStack answers it."""
    return Fault(code, f'{{"faultstring": "{CANARY} {PASSWORD}", "error": {{"message": "{CANARY}"}}}}'.encode())


def hidden(done: Done) -> None:
    """No credential and no body is in an output."""
    for canary in CANARIES:
        assert canary not in done.said


OCTAVIA = {
    "forbidden": (error(403), "HTTP 403: Octavia does not allow it"),
    "unauthorized": (error(401), "HTTP 401: Octavia does not accept the token"),
    "too many": (error(429), "HTTP 429: Octavia asks to wait, again and again"),
    "failed": (error(500), "HTTP 500: Octavia failed"),
    "unavailable": (error(503), "HTTP 503: Octavia is not available"),
    "redirect": (Fault(302, b"", headers=(("Location", f"http://elsewhere.invalid/{CANARY}"),)), "HTTP 302: Octavia"),
    "html": (HTML, "the answer of Octavia is not JSON; is there a proxy or a login page in front?"),
    "no object": (Fault(body=f'["{CANARY}"]'.encode()), "the answer of Octavia is not JSON"),
    "no list": (Fault(body=f'{{"listeners": "{CANARY}"}}'.encode()), "the answer of Octavia has no listeners"),
    "broken": (Fault(body=f'{{"listeners": [{CANARY}'.encode()), "the answer of Octavia is not JSON"),
    "cut": (CUT, "there is no connection to Octavia, or it was cut"),
}


@pytest.mark.parametrize("name", OCTAVIA)
@pytest.mark.parametrize("form", ["json", "text"])
def test_a_fault_of_octavia_is_a_partial_result_and_no_finding(tmp_path: Path, name: str, form: str) -> None:
    fault, words = OCTAVIA[name]
    cloud = openstack()
    cloud.stored["pools"][0]["healthmonitor_id"] = None
    cloud.fail(LISTENERS, fault)
    done = lint_octavia(tmp_path, kubernetes(), cloud, "--format", form)
    assert done.code == 3
    assert words in done.said, done.said
    hidden(done)
    if form == "json":
        assert not differences(done)


def test_members_that_cannot_be_read_are_not_missing(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.fail("/v2/lbaas/pools/900100/members", error(500))
    done = lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json")
    assert done.code == 3
    assert not differences(done)
    assert "members of pool 900100" in done.report["failures"][0]["path"]


@pytest.mark.parametrize("path", ["/v2.0/floatingips", "/v2.0/security-groups", "/v2.0/subnets", "/"])
def test_a_fault_of_one_list_hides_no_other_difference(tmp_path: Path, path: str) -> None:
    cloud = openstack()
    cloud.stored["listeners"][0]["connection_limit"] = 5
    cloud.fail(path, error(403))
    done = lint_octavia(tmp_path, kubernetes(), cloud, "--format", "json")
    assert done.code == 3
    assert ["connection limit: 5" in label for label in differences(done)] == [True]
    hidden(done)


KEYSTONE = {
    "unauthorized": (error(401), "HTTP 401: Keystone does not accept the credentials"),
    "forbidden": (error(403), "HTTP 403: Keystone gives no token"),
    "failed": (error(500), "HTTP 500: Keystone gives no token"),
    "html": (HTML, "Keystone gives no token"),
    "cut": (CUT, "there is no connection to Keystone, or it was cut"),
}


@pytest.mark.parametrize("name", KEYSTONE)
def test_a_fault_of_keystone_ends_the_run(tmp_path: Path, name: str) -> None:
    fault, words = KEYSTONE[name]
    cloud = openstack()
    cloud.fail(TOKENS, fault)
    done = lint_octavia(tmp_path, kubernetes(), cloud)
    assert done.code == 3
    assert words in done.err, done.err
    assert not done.out
    hidden(done)


def issued(headers: tuple[tuple[str, str], ...] = (("X-Subject-Token", CANARY),), **changes: Any) -> Fault:
    """A token of Keystone with other fields."""
    token = json.loads(OpenStack().answer(Asked("POST", TOKENS, {}, {})).body)["token"]
    return Fault(201, json.dumps({"token": {**token, **changes}}).encode(), headers=headers)


def catalogue(endpoint: Any) -> list[Any]:
    return [{"type": kind, "endpoints": endpoint} for kind in ("load-balancer", "network")]


ODD = {
    "no header": issued(headers=()),
    "text": Fault(201, f'{{"token": "{CANARY}"}}'.encode(), headers=(("X-Subject-Token", CANARY),)),
    "deep": Fault(201, b"[" * 200_000, headers=(("X-Subject-Token", CANARY),)),
    "time": issued(expires_at=CANARY),
    "project": issued(project=CANARY),
    "catalogue": issued(catalog=[1, CANARY]),
    "endpoints": issued(catalog=catalogue(CANARY)),
    "endpoint": issued(catalog=catalogue([5])),
    "url": issued(catalog=catalogue([{"interface": "public", "region": "RegionOne", "url": f"http://[{CANARY}"}])),
    "receipt": Fault(401, b'{"receipt": 5}', headers=(("Openstack-Auth-Receipt", CANARY),)),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_token_is_a_fault_of_keystone(tmp_path: Path, name: str) -> None:
    cloud = openstack()
    cloud.fail(TOKENS, ODD[name])
    done = lint_octavia(tmp_path, kubernetes(), cloud)
    assert done.code == 3
    assert "Keystone" in done.err, done.err
    assert "internal error" not in done.err
    hidden(done)


def test_an_expired_token_is_renewed_once(tmp_path: Path) -> None:
    cloud = openstack()
    proper = Fault(body=b'{"listeners": []}')
    cloud.fail(LISTENERS, error(401), proper)
    lint_octavia(tmp_path, kubernetes(), cloud)
    assert [asked.path for asked in cloud.asked].count(TOKENS) == 2


def test_a_catalogue_without_octavia_is_named(tmp_path: Path) -> None:
    cloud = openstack()
    cloud.catalogue.remove("load-balancer")
    done = lint_octavia(tmp_path, kubernetes(), cloud)
    assert done.code == 3
    assert "the service catalogue has no Octavia for this region and interface" in done.err


@pytest.mark.parametrize("command", [("lint", "--octavia"), ("orphans",), ("resync", "a/b")])
def test_without_the_sdk_it_says_how_to_install_it(
    tmp_path: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "is_installed", lambda: False)
    kube = kubernetes()
    with serving(kube):
        done = run(tmp_path, *command, "--kubeconfig", str(kubeconfig(tmp_path, kube)))
    assert done.code == 2
    assert "openstacksdk is not installed" in done.err
    assert "pip install '.[cluster,octavia]'" in done.err


def opened(folder: Path, cloud: OpenStack, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> client.OpenCloud:
    """The cloud of a clouds.yaml."""
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(clouds_yaml(folder, cloud, **changes)))
    monkeypatch.setenv("HOME", str(folder))
    return client.open_cloud("test")


def test_nothing_but_get_can_be_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = openstack()
    with serving_cloud(cloud):
        session = opened(tmp_path, cloud, monkeypatch).session
        url = f"http://127.0.0.1:{cloud.port}"
        before = len(cloud.asked)
        for method in ("POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
            with pytest.raises(AssertionError, match="is never sent"):
                session._http.request(method, f"{url}/v2/lbaas/loadbalancers")
        with pytest.raises(AssertionError, match="is never sent"):
            session._http.delete(f"{url}/v3/auth/tokens")
        with pytest.raises(AssertionError, match="is never sent"):
            session._keystone.post(f"{url}/v3/projects", json={})
        assert len(cloud.asked) == before
    assert {(asked.method, asked.path) for asked in cloud.asked} == {("POST", TOKENS)}


def test_the_password_of_netrc_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text(f"machine 127.0.0.1 login u password {CANARY}\n")
    cloud = openstack()
    with serving_cloud(cloud):
        connection = opened(tmp_path, cloud, monkeypatch).connection(asked_for.LOAD_BALANCER)
        connection.get("/", {}, seconds=5, most_bytes=1000)
    assert not any("authorization" in asked.headers for asked in cloud.asked)


def test_tokens_go_to_the_services_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = openstack()
    with serving_cloud(cloud):
        found = opened(tmp_path, cloud, monkeypatch)
        assert found.project == PROJECT
        found.connection(asked_for.NETWORK).get("/v2.0/ports", {}, seconds=5, most_bytes=1000)
    assert [asked.headers.get("x-auth-token") for asked in cloud.asked] == [None, CLOUD_TOKEN]


@pytest.mark.parametrize(
    ("auth", "auth_type", "method"),
    [
        ({"username": "u", "password": PASSWORD, "user_domain_name": "d", "project_name": "p"}, "password", "password"),
        (
            {"username": "u", "password": PASSWORD, "user_domain_name": "d", "project_name": "p"},
            "v3password",
            "password",
        ),
        ({"token": "t", "project_id": "p"}, "token", "token"),
        (
            {"application_credential_id": "a", "application_credential_secret": SECRET_KEY},
            "v3applicationcredential",
            "application_credential",
        ),
        (
            {"application_credential_id": "a", "application_credential_secret": SECRET_KEY},
            None,
            "application_credential",
        ),
    ],
)
@pytest.mark.parametrize("suffix", ["", "/", "/v3", "/v3/", "/identity", "/v2.0"])
def test_each_way_to_log_in_sends_one_post(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    auth: dict[str, str],
    auth_type: str | None,
    method: str,
    suffix: str,
) -> None:
    cloud = openstack()
    cloud.keystone = "/identity" if suffix == "/identity" else ""
    with serving_cloud(cloud):
        url = f"http://127.0.0.1:{cloud.port}{suffix}"
        more = {"auth_type": auth_type} if auth_type else {}
        opened(tmp_path, cloud, monkeypatch, auth={**auth, "auth_url": url}, **more)
    (asked,) = cloud.asked
    assert asked.document["auth"]["identity"]["methods"] == [method]


REFUSED: dict[str, tuple[dict[str, Any], type[CcmcheckError], str]] = {
    "federated": ({"auth_type": "v3oidcpassword"}, WrongUse, "not supported here"),
    "none": ({"auth_type": "none"}, WrongUse, "not supported here"),
    "no URL": ({"auth": {"password": PASSWORD}}, InputError, "auth_url of the cloud is no URL of Keystone"),
    "odd URL": ({"auth": {"auth_url": f"file:///{PASSWORD}"}}, InputError, "is no URL of Keystone"),
    "remote profile": ({"profile": f"https://u:{PASSWORD}@example.org/"}, InputError, "which is not fetched"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_without_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    changes, kind, words = REFUSED[name]
    cloud = openstack()
    with serving_cloud(cloud), pytest.raises(kind, match=words) as refused:
        opened(tmp_path, cloud, monkeypatch, **changes)
    assert not cloud.asked
    assert PASSWORD not in f"{refused.value.message}{refused.value.hint}"


def test_a_cloud_that_is_not_there_gets_a_suggestion(tmp_path: Path) -> None:
    cloud = openstack()
    with serving_cloud(cloud):
        file = str(clouds_yaml(tmp_path, cloud))
        done = run(tmp_path, "orphans", "--access-rules", "--os-cloud", "tset", OS_CLIENT_CONFIG_FILE=file)
    assert done.code == 2
    assert "there is no cloud tset in clouds.yaml" in done.err
    assert "Did you mean `test`?" in done.err


@pytest.fixture
def _no_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK keeps the files of the process."""
    monkeypatch.setattr("openstack.config.loader.CONFIG_FILES", [])


@pytest.mark.usefixtures("_no_other_files")
def test_no_cloud_is_wrong_use(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--octavia")
    assert done.code == 2, done.said
    assert "no cloud of OpenStack is named" in done.err


@pytest.mark.usefixtures("_no_other_files")
def test_a_clouds_yaml_that_is_no_yaml_shows_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "clouds.yaml").write_text(f"clouds: [{PASSWORD}: {{")
    file = str(tmp_path / "clouds.yaml")
    done = run(tmp_path, "orphans", "--access-rules", "--os-cloud", "test", OS_CLIENT_CONFIG_FILE=file)
    # up to some release the SDK raises, later it goes on without the file
    said = {2: "No clouds.yaml was found, or it is not valid YAML.", 3: "the credentials for OpenStack cannot be read"}
    assert said[done.code] in done.err
    hidden(done)


@pytest.mark.usefixtures("_no_other_files")
def test_variables_name_a_cloud_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = openstack()
    for name in ("OS_CLIENT_CONFIG_FILE", "OS_CLOUD"):
        monkeypatch.delenv(name, raising=False)
    with serving_cloud(cloud):
        for name, value in {
            "AUTH_URL": f"http://127.0.0.1:{cloud.port}/v3",
            "USERNAME": "u",
            "PASSWORD": PASSWORD,
            "USER_DOMAIN_NAME": "Default",
            "PROJECT_NAME": "p",
            "PROJECT_DOMAIN_NAME": "Default",
            "REGION_NAME": "RegionOne",
        }.items():
            monkeypatch.setenv(f"OS_{name}", value)
        assert client.open_cloud("").project == PROJECT


def slowly(cloud: OpenStack, folder: Path, monkeypatch: pytest.MonkeyPatch, **limits: float) -> CloudTransport:
    """A transport with limits."""
    monkeypatch.setattr(transport, "TRIES", 1)
    return CloudTransport(opened(folder, cloud, monkeypatch).connection, **limits)


@pytest.mark.parametrize("part", DRIPPING)
def test_a_slow_answer_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    cloud = openstack()
    cloud.fail("/v2/lbaas/pools", DRIPPING[part])
    with serving_cloud(cloud):
        asked = slowly(cloud, tmp_path, monkeypatch, seconds=0.3)
        with pytest.raises(Unreachable, match="Octavia did not answer in time"):
            asked.get(asked_for.POOLS)


@pytest.mark.parametrize("part", DRIPPING)
def test_a_slow_keystone_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(client, "TOKEN_SECONDS", 0.3)
    cloud = openstack()
    cloud.fail(TOKENS, DRIPPING[part])
    with serving_cloud(cloud), pytest.raises(CloudError, match="Keystone did not answer in time"):
        opened(tmp_path, cloud, monkeypatch)


def test_a_large_answer_of_keystone_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MOST_BYTES_OF_TOKEN", 50_000)
    cloud = openstack()
    cloud.fail(TOKENS, Fault(201, b'{"token": "' + b"x" * 100_000 + b'"}', headers=(("X-Subject-Token", CLOUD_TOKEN),)))
    with serving_cloud(cloud), pytest.raises(Unintelligible, match="the answer of Keystone is larger than"):
        opened(tmp_path, cloud, monkeypatch)


def test_a_large_answer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = openstack()
    cloud.fail("/v2/lbaas/pools", Fault(body=b'{"pools": "' + b"x" * 100_000 + b'"}'))
    with serving_cloud(cloud), pytest.raises(Unintelligible, match="the answer of Octavia is larger than"):
        slowly(cloud, tmp_path, monkeypatch, most_bytes=50_000).get(asked_for.POOLS)


def test_a_list_that_never_ends_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cloud = openstack()
    page = b'{"pools": [{"id": "a"}], "pools_links": [{"rel": "next", "href": "https://elsewhere.invalid/"}]}'
    cloud.fail("/v2/lbaas/pools", Fault(body=page))
    with serving_cloud(cloud), pytest.raises(Unintelligible, match="the list of pools does not end"):
        list(slowly(cloud, tmp_path, monkeypatch).items(asked_for.POOLS))
    assert len(cloud.asked) < 6


def test_the_sdk_is_imported_by_one_module_and_only_when_it_is_used() -> None:
    import subprocess

    code = (
        "import sys, ccmcheck.cli.cluster_lint, ccmcheck.cli.cluster_orphans, ccmcheck.cli.cluster_resync, "
        "ccmcheck.cluster.octavia.client, ccmcheck.cluster.octavia.live;"
        "print([name for name in ('openstack', 'keystoneauth1', 'requests') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
