"""`cluster preflight`: with each ID, name, right and quota wrong in turn, that one is named, and what to write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from api_faults import Fault, held
from cluster_runs import Done, run
from openstack_api import CLOUD_CANARIES, PROJECT, TOKENS, balancer, clouds_yaml, serving_cloud
from preflight_cloud import (
    CONF,
    CONTAINER,
    ELSEWHERE,
    FLAVOR,
    INNER,
    OTHER,
    OUTER,
    PRIVATE,
    PUBLIC,
    ROUTER,
    SERVER,
    SERVICE,
    not_passed,
    preflight,
    project,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from openstack_api import Object, OpenStack


def first(cloud: OpenStack, kind: str, **changes: object) -> None:
    """Change the first object of a kind."""
    cloud.stored[kind][0].update(changes)


def test_all_passes_and_only_get_is_sent(tmp_path: Path) -> None:
    cloud = project()
    done = preflight(tmp_path, cloud, "--yes", "--format", "json")
    assert (done.code, not_passed(done)) == (0, {})
    assert {(one.method, one.path) for one in cloud.asked if one.method != "GET"} == {("POST", TOKENS)}
    assert len(cloud.asked) < 40, "each thing is asked once"
    text = preflight(tmp_path, project()).out
    assert "✓ [LoadBalancer] flavor-id: flavor `small`" in text
    assert "Asked from here, not from the CCM's pod" in text
    assert not any(secret in text for secret in CLOUD_CANARIES)


WRONG_IN_CONF: list[tuple[str, str, str, str]] = [
    (f"floating-network-id = {PUBLIC}", f"floating-network-id = {OTHER}", "[LoadBalancer] floating-network-id",
     f"there is no network `{OTHER}` in this project External networks: `public` ({PUBLIC})."),
    (f"floating-network-id = {PUBLIC}", "floating-network-id = public", "[LoadBalancer] floating-network-id",
     f"It is the name of a network; write its ID, {PUBLIC}."),
    (f"floating-network-id = {PUBLIC}", f"floating-network-id = {PRIVATE}", "[LoadBalancer] floating-network-id",
     "network `nodes` is not external"),
    (f"network-id = {PRIVATE}", f"network-id = {OTHER}", "[LoadBalancer] network-id", "there is no network"),
    (f"network-id = {PRIVATE}", f"network-id = {INNER}", "[LoadBalancer] network-id",
     "It is the ID of a subnet, not of a network."),
    (f"network-id = {PRIVATE}", f"network-id = {PUBLIC}", "[LoadBalancer] subnet-id",
     f"Write network-id = {PRIVATE}, or another subnet-id."),
    (f"subnet-id = {INNER}\nflavor", f"subnet-id = {ELSEWHERE}\nflavor", "[LoadBalancer] subnet-id",
     f"there is no subnet `{ELSEWHERE}`"),
    (f"floating-subnet-id = {OUTER}", f"floating-subnet-id = {INNER}", "[LoadBalancer] floating-subnet-id",
     f"Write floating-network-id = {PRIVATE}, or another floating-subnet-id."),
    (f"flavor-id = {FLAVOR}", f"flavor-id = {ROUTER}", "[LoadBalancer] flavor-id", "there is no flavor"),
    ("availability-zone = nova-lb", "availability-zone = nova", "[LoadBalancer] availability-zone",
     "there is no availability zone `nova`"),
    ("lb-provider = amphora", "lb-provider = octavia", "[LoadBalancer] lb-provider",
     "Write lb-provider with one of: amphora, ovn."),
    ("floating-subnet = public-v4", "floating-subnet = public-v6", "shop/web", "the CCM would fail"),
    (f'"dmz"]\nfloating-network-id = {PUBLIC}', f'"dmz"]\nfloating-network-id = {ELSEWHERE}',
     '[LoadBalancerClass "dmz"] floating-network-id', "there is no network"),
    (f"router-id = {ROUTER}", f"router-id = {FLAVOR}", "[Route] router-id", "there is no router"),
    (f"tenant-id = {PROJECT}", "tenant-id = shop", "login",
     f"tenant-id `shop` is the name of a project, not its ID Write tenant-id = {PROJECT}, or tenant-name = shop."),
    (f"tenant-id = {PROJECT}", f"tenant-id = {OTHER}", "login", f"The user has a role in: shop ({PROJECT})."),
    ("username = ccm", "username = cmm", "login", "neither user, password nor domain is known to be right"),
    (f"tenant-id = {PROJECT}\n", "", "login", "the token is for no project"),
    ("region = RegionOne", "region = RegionTwo", "service catalogue",
     "no Nova for region RegionTwo, interface public; there is one for region RegionOne, interface public"),
    ("region = RegionOne", "region = RegionOne\nos-endpoint-type = internal", "service catalogue",
     "Correct region or os-endpoint-type."),
    ("/v3\n", "/v3/wrong\n", "login", "HTTP 404"),
]  # fmt: skip


def keystone(auth: Object) -> bool:
    """Whether user and project are right."""
    user = auth["identity"]["password"]["user"]
    scope = auth.get("scope")
    wanted = scope["project"]["id"] if isinstance(scope, dict) else PROJECT
    return user["name"] == "ccm" and wanted == PROJECT


@pytest.mark.parametrize(("right", "wrong", "about", "says"), WRONG_IN_CONF, ids=[row[1] for row in WRONG_IN_CONF])
def test_what_is_wrong_in_the_cloud_conf(right: str, wrong: str, about: str, says: str, tmp_path: Path) -> None:
    assert right in CONF
    cloud = project()
    cloud.accepts = keystone
    cloud.put("projects", {"id": PROJECT, "name": "shop"})
    if "tenant" in right and not wrong:
        cloud.token["project"] = None
    done = preflight(tmp_path, cloud, "--yes", "--format", "json", conf=CONF.replace(right, wrong, 1))
    assert done.code == 1
    assert says in not_passed(done)[about]
    assert not any(secret in done.said for secret in CLOUD_CANARIES)


def _rules(*paths: str) -> list[Object]:
    return [{"service": "load-balancer", "method": "GET", "path": path} for path in paths]


WRONG_IN_CLOUD: list[tuple[str, Callable[[OpenStack], object], str, str]] = [
    ("no Octavia", lambda c: c.catalogue.remove("load-balancer"), "service catalogue", "the cloud has no Octavia"),
    ("flavor disabled", lambda c: first(c, "flavors", enabled=False), "[LoadBalancer] flavor-id", "is disabled"),
    ("zone disabled", lambda c: first(c, "availabilityzones", enabled=False), "[LoadBalancer] availability-zone",
     "is disabled"),
    ("no gateway", lambda c: first(c, "routers", external_gateway_info=None), "[LoadBalancer] router",
     f"openstack router set --external-gateway {PUBLIC} {ROUTER}"),
    ("other gateway", lambda c: first(c, "routers", external_gateway_info={"network_id": OTHER}),
     "[LoadBalancer] router", "has its gateway in another network"),
    ("no router", lambda c: c.stored["ports"].clear(), "[LoadBalancer] router",
     f"subnet `{INNER}` is at no router: Neutron refuses the floating IP openstack router add subnet"),
    ("foreign routes", lambda c: first(c, "routers", routes=[{"nexthop": "10.9.9.9", "destination": "10.1.0.0/24"}]),
     "[Route] router-id", "Use a router of its own for each cluster."),
    ("no server", lambda c: c.stored["servers"].clear(), "Node n0", f"there is no server `{SERVER}`"),
    ("no TLS container", lambda c: c.stored["containers"].clear(), "shop/web: default-tls-container-ref",
     f"there is no TLS container `{CONTAINER}`"),
    ("generic container", lambda c: first(c, "containers", type="generic"), "shop/web: default-tls-container-ref",
     "Octavia takes certificate alone"),
    ("quota of load balancers", lambda c: c.quotas.update(load_balancer=1), "quota",
     "load balancers: 1 of 1 are used, 1 more are needed Ask for a higher quota: 2 loadbalancer."),
    ("quota of ports", lambda c: c.quotas.update(port={"limit": 9, "used": 9}), "quota", "ports: 9 of 9 are used"),
    ("nodes elsewhere", lambda c: c.stored["subnets"][1].update(cidr="10.9.0.0/24"), "[LoadBalancer] subnet-id",
     "the CCM makes members of the first InternalIP, whatever subnet is named here"),
    ("quota of members", lambda c: c.quotas.update(member=0), "quota", "members: 0 of 0 are used"),
    ("quota of floating IPs", lambda c: c.quotas.update(floatingip={"limit": 1, "used": 1}), "quota",
     "floating IPs: 1 of 1 are used"),
    ("two of a name", lambda c: c.put("loadbalancers", *(balancer("kube_service_kubernetes_shop_web", f"b{n}")
                                                          for n in (2, 3))), "shop/web", "the CCM fails with several"),
    ("access rules", lambda c: c.token.update(application_credential={
        "id": "a", "restricted": True, "access_rules": _rules("/v2/lbaas/**")}), "access rules",
     "leave out POST /v2/lbaas/loadbalancers (Octavia)"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "breaks", "about", "says"), WRONG_IN_CLOUD, ids=[row[0] for row in WRONG_IN_CLOUD])
def test_what_is_wrong_in_the_cloud(
    what: str, breaks: Callable[[OpenStack], object], about: str, says: str, tmp_path: Path
) -> None:
    cloud = project()
    breaks(cloud)
    done = preflight(tmp_path, cloud, "--yes", "--format", "json")
    assert done.code == 1, what
    assert says in not_passed(done)[about]


@pytest.mark.parametrize(
    ("path", "about"),
    [
        (f"/v2.0/networks/{PUBLIC}", "[LoadBalancer] floating-network-id"),
        (f"/v2/lbaas/flavors/{FLAVOR}", "[LoadBalancer] flavor-id"),
        ("/v2/lbaas/providers", "[LoadBalancer] lb-provider"),
        ("/v2.0/ports", "[LoadBalancer] router"),
        (f"/v2/lbaas/quotas/{PROJECT}", "quota"),
        ("/v2/lbaas/loadbalancers", "names"),
        (f"/v2.0/routers/{ROUTER}", "[Route] router-id"),
        (f"/v1/containers/{CONTAINER}", "shop/web: default-tls-container-ref"),
    ],
)
@pytest.mark.parametrize("status", [403, 500])
def test_what_cannot_be_asked_is_never_clean(path: str, about: str, status: int, tmp_path: Path) -> None:
    cloud = project()
    cloud.fail(path, Fault(status))
    done = preflight(tmp_path, cloud, "--yes", "--format", "json")
    assert done.code == 3
    assert f"HTTP {status}" in not_passed(done)[about]


def test_quotas_without_details_are_unknown(tmp_path: Path) -> None:
    cloud = project()
    cloud.fail(f"/v2.0/quotas/{PROJECT}/details.json", Fault(404))
    cloud.quotas["floatingip"] = 5
    done = preflight(tmp_path, cloud, "--yes", "--format", "json")
    assert done.code == 3
    assert "the limit or what is used of it is not known" in not_passed(done)["quota"]


@pytest.mark.parametrize(
    "breaks",
    [
        lambda c: c.token.update(application_credential={"access_rules": 5}),
        lambda c: c.token.update(roles=[5]),
        lambda c: c.token.update(catalog=None),
        lambda c: c.quotas.update(floatingip={"limit": "x", "used": {}}),
        lambda c: first(c, "subnets", tags=5),
        lambda c: first(c, "ports", fixed_ips={"a": 1}),
        lambda c: first(c, "routers", routes="x", external_gateway_info=[]),
    ],
)
def test_answers_of_another_form_are_no_internal_errors(breaks: Callable[[OpenStack], object], tmp_path: Path) -> None:
    cloud = project()
    breaks(cloud)
    done = preflight(tmp_path, cloud, "--yes")
    assert done.code in (0, 1, 3)
    assert "internal error" not in done.said


def test_a_keystone_that_does_not_answer_is_unknown(tmp_path: Path) -> None:
    cloud = project()
    cloud.fail(TOKENS, Fault(503))
    done = preflight(tmp_path, cloud, "--yes", "--format", "json")
    assert (done.code, list(not_passed(done))) == (3, ["login"])


def test_without_services_each_class_is_tried(tmp_path: Path) -> None:
    wrong = CONF.replace("floating-subnet = public-v4", "floating-subnet = public-v6")
    done = preflight(tmp_path, project(), "--yes", "--format", "json", conf=wrong, objects="")
    assert done.code == 1
    assert list(not_passed(done)) == ['a Service of class "dmz"']


def test_an_external_network_without_a_subnet_that_the_project_sees_is_not_found(tmp_path: Path) -> None:
    cloud = project()
    cloud.stored["subnets"] = [one for one in cloud.stored["subnets"] if one["id"] != OUTER]
    conf = CONF.partition("[LoadBalancerClass")[0]
    for line in (f"floating-network-id = {PUBLIC}\n", f"floating-subnet-id = {OUTER}\n"):
        conf = conf.replace(line, "")
    done = preflight(tmp_path, cloud, "--yes", "--format", "json", conf=conf, objects="")
    assert done.code == 1
    assert (
        "no external network with a subnet that this project sees"
        in not_passed(done)["[LoadBalancer] floating-network-id"]
    )


def test_services_that_share_a_load_balancer_are_judged_together(tmp_path: Path) -> None:
    shared = "loadbalancer.openstack.org/load-balancer-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"
    guest = (
        SERVICE.partition("---")[0]
        .replace("name: web", "name: guest")
        .replace("class: dmz", "class: dmz\n    " + shared)
    )
    owner = guest.replace("name: guest", "name: owner")
    both = "---\n".join((owner, guest.replace("443", "444")))
    cloud = project()
    cloud.quotas["load_balancer"] = 2
    cloud.put("loadbalancers", balancer("other", "1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11"))
    done = preflight(tmp_path, cloud, "--yes", "--format", "json", objects=both)
    assert "load balancers:" not in done.out


def test_an_old_api_refuses_what_the_ccm_sends(tmp_path: Path) -> None:
    cloud = project()
    cloud.api = "v2.0"
    ranges = SERVICE.replace("  type: Load", "  loadBalancerSourceRanges: [192.0.2.0/24]\n  type: Load")
    done = preflight(tmp_path, cloud, objects=ranges)
    assert "✓ Octavia's API: version 2.0" in done.out


def test_readers_alone_may_not_create(tmp_path: Path) -> None:
    cloud = project()
    cloud.token = {"roles": [{"id": "r", "name": "load-balancer_observer"}]}
    done = preflight(tmp_path, cloud, "--yes", "--format", "json")
    assert done.code == 3
    assert "may read, not create load balancers" in not_passed(done)["roles"]


def test_nothing_is_sent_without_a_yes(tmp_path: Path) -> None:
    cloud = project()
    done = preflight(tmp_path, cloud, ".")
    assert done.code == 2
    assert "Write --yes, or name a cloud of your clouds.yaml with --os-cloud." in done.err
    assert not cloud.asked


def test_the_region_of_a_cloud_conf_is_looked_up_with_another_login_too(tmp_path: Path) -> None:
    conf = CONF.replace("= RegionOne", "= RegionTwo")
    done = preflight(tmp_path, project(), "--format", "json", conf=conf, clouds={"region_name": "RegionOne"})
    said = "the cloud has no Octavia in region `RegionTwo`, but in RegionOne Correct region."
    assert not_passed(done)["[Global] region"] == said
    assert done.code == 1


def test_a_credential_of_clouds_yaml_never_goes_to_the_auth_url_of_a_cloud_conf(tmp_path: Path) -> None:
    checkout, home = tmp_path / "checkout", project()
    checkout.mkdir()
    foreign = project()
    with serving_cloud(foreign):
        conf = CONF.replace("PORT", str(foreign.port))
        done = preflight(checkout, home, "--format", "json", conf=conf, clouds={})
    assert not foreign.asked
    assert done.code == 3
    said = not_passed(done)
    assert list(said) == ["[Global] auth-url"]
    assert "is not the Keystone of cloud test" in said["[Global] auth-url"]


def test_a_secure_file_of_the_user_is_not_joined_to_a_clouds_yaml_of_the_checkout(tmp_path: Path) -> None:
    cloud = project()
    with serving_cloud(cloud):
        (tmp_path / "cloud.conf").write_text(CONF.replace("PORT", str(cloud.port)), encoding="utf-8")
        clouds_yaml(tmp_path, cloud)
        own = tmp_path / "own.yaml"
        own.write_text('{"clouds": {"test": {"auth": {"password": "my-own-one"}}}}', encoding="utf-8")
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "OS_CLIENT_SECURE_FILE": str(own)}
        command = [sys.executable, "-m", "ccmcheck", "cluster", "preflight", "--os-cloud", "test", "cloud.conf"]
        # the SDK takes the current folder of its first import
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "would say where the credential of OS_CLIENT_SECURE_FILE is sent" in done.stderr
    assert not cloud.asked


def asked_of_clouds_yaml(checkout: Path, home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """``preflight --os-cloud`` in a checkout, by somebody with a home folder."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), **variables}
    command = [sys.executable, "-m", "ccmcheck", "cluster", "preflight", "--os-cloud", "test", "cloud.conf"]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("linked", ["clouds.yaml", "secure.yaml"])
def test_a_checkout_that_links_to_the_users_own_files_gets_no_password(tmp_path: Path, linked: str) -> None:
    own, theirs = project(), project()
    checkout, home = tmp_path / "checkout", tmp_path / "home"
    openstack = home / ".config" / "openstack"
    checkout.mkdir()
    openstack.mkdir(parents=True)
    with serving_cloud(own), serving_cloud(theirs):
        (checkout / "cloud.conf").write_text(CONF.replace("PORT", str(own.port)), encoding="utf-8")
        clouds_yaml(openstack, own)
        name = (openstack / linked).name
        if linked == "secure.yaml":
            (openstack / linked).write_text('{"clouds": {"test": {"auth": {"password": "my-own"}}}}', encoding="utf-8")
            clouds_yaml(checkout, theirs)
        else:
            url = f"http://127.0.0.1:{theirs.port}/v3"
            secure = {"clouds": {"test": {"auth": {"auth_url": url}}}}
            (checkout / "secure.yaml").write_text(json.dumps(secure), encoding="utf-8")
        (checkout / name).symlink_to(openstack / linked)
        done = asked_of_clouds_yaml(checkout, home)
    assert done.returncode == 2
    assert f"{linked} of the current folder is a link, or no file" in done.stderr
    assert not theirs.asked


def test_a_secure_file_of_the_checkout_is_not_joined_to_a_named_clouds_yaml(tmp_path: Path) -> None:
    own, theirs = project(), project()
    checkout, home = tmp_path / "checkout", tmp_path / "home"
    checkout.mkdir()
    home.mkdir()
    with serving_cloud(own), serving_cloud(theirs):
        (checkout / "cloud.conf").write_text(CONF.replace("PORT", str(own.port)), encoding="utf-8")
        secure = {"clouds": {"test": {"auth": {"auth_url": f"http://127.0.0.1:{theirs.port}/v3"}}}}
        (checkout / "secure.yaml").write_text(json.dumps(secure), encoding="utf-8")
        done = asked_of_clouds_yaml(checkout, home, OS_CLIENT_CONFIG_FILE=str(clouds_yaml(home, own)))
    assert not theirs.asked
    assert own.asked, done.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:PORT/@keystone.good.org/v3", "http://127.0.0.1:PORT\\@good.org/v3"])
def test_a_url_whose_host_is_in_doubt_gets_no_password(tmp_path: Path, url: str) -> None:
    cloud = project()
    done = preflight(tmp_path, cloud, "--yes", "--format", "json", conf=CONF.replace("http://127.0.0.1:PORT/v3", url))
    assert done.code in (1, 3)
    assert "is no URL of Keystone" in done.out
    assert not cloud.asked


@pytest.mark.parametrize("url", ["http://[::1", "http://a\u2100b/"])
def test_a_url_that_is_none_is_a_check_that_did_not_pass(tmp_path: Path, url: str) -> None:
    done = preflight(tmp_path, project(), "--yes", conf=CONF.replace("http://127.0.0.1:PORT/v3", url))
    assert "internal error" not in done.said
    assert "is no URL of Keystone" in done.out


def test_use_clouds_is_not_followed(tmp_path: Path) -> None:
    conf = "[Global]\nuse-clouds = true\nclouds-file = /etc/x.yaml\ncloud = c\n"
    done = preflight(tmp_path, project(), "--yes", "--format", "json", conf=conf)
    assert done.code == 3
    assert "Name a cloud of your own clouds.yaml with --os-cloud." in not_passed(done)["login"]


def lint(folder: Path, cloud: OpenStack, *arguments: str) -> Done:
    """Run ``lint --os-cloud`` on the cloud.conf and its objects."""
    home = folder.parent / f"{folder.name}-home"
    home.mkdir()
    with serving_cloud(cloud):
        (folder / "cloud.conf").write_text(CONF.replace("PORT", str(cloud.port)), encoding="utf-8")
        (folder / "objects.yaml").write_text(SERVICE, encoding="utf-8")
        file = clouds_yaml(home, cloud)
        words = ("--os-cloud", "test", "--fail-on", "error", "--ignore", "auth", *arguments)
        return run(folder, *words, command="lint", OS_CLIENT_CONFIG_FILE=str(file))


def test_lint_asks_where_a_cloud_is_named(tmp_path: Path) -> None:
    done = lint(tmp_path, project(), "--format", "json")
    checks = done.report["summary"]["checks"]
    assert done.code == 0
    assert {"name": "[LoadBalancer] flavor-id", "passed": True, "text": "flavor `small`", "hint": ""} in checks


def test_lint_fails_for_what_the_cloud_lacks(tmp_path: Path) -> None:
    cloud = project()
    cloud.stored["flavors"].clear()
    done = lint(tmp_path, cloud)
    assert done.code == 1
    assert f"✗ [LoadBalancer] flavor-id: there is no flavor `{FLAVOR}` in this project" in done.out


def test_lint_is_partial_where_the_cloud_does_not_answer(tmp_path: Path) -> None:
    cloud = project()
    cloud.fail("/v2/lbaas/providers", Fault(503))
    done = lint(tmp_path, cloud)
    assert done.code == 3
    assert "OpenStack: [LoadBalancer] lb-provider" in done.said


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_no_secret_is_shown(form: str, tmp_path: Path) -> None:
    cloud = project()
    cloud.stored["networks"][0]["name"] = f"net {CLOUD_CANARIES[0]}"
    cloud.fail("/v2/lbaas/providers", Fault(500, CLOUD_CANARIES[0].encode()))
    done = preflight(tmp_path, cloud, "--yes", "-v", "--format", form)
    assert not any(secret in done.said for secret in CLOUD_CANARIES)


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_was_asked_until_the_time_is_over_is_reported(tmp_path: Path, form: str) -> None:
    cloud = project()
    gone: list[bool] = []
    for version in ("v2", "v2.0"):
        cloud.fail(f"/{version}/lbaas/flavors/{FLAVOR}", held(gone))
    done = preflight(tmp_path, cloud, "--yes", "--format", form, "--time-limit", "2")
    assert gone == [True]
    assert done.code == 3
    assert "the time limit of 2 s is over: not everything was" in done.err
    assert "gives a token for project" in done.out
    if form == "json":
        assert json.loads(done.out)["cut"]
        assert "the time limit of 2 s is over" in not_passed(done)["[LoadBalancer] flavor-id"]
    else:
        assert "Cut: the time limit of 2 s is over" in done.out
