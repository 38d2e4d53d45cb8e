"""Files that are a cloud.conf themselves, templates of one, and files that only look like one."""

from __future__ import annotations

from pathlib import Path

import pytest
from carrying import CONF, b64, only, place

from ccmcheck.base.model import Span
from ccmcheck.carriers import FindOptions, find
from ccmcheck.catalog.signs.forms import is_profile
from ccmcheck.policy.profiles.checks import CHECKS

TEMPLATE = """\
[Global]
auth-url=${clouds.auth.auth_url}
application-credential-id=${appcredid}
application-credential-secret="${appcredsecret}"

[LoadBalancer]
use-octavia=true
"""


def test_a_file_by_its_content() -> None:
    carried = only("anything", CONF)
    assert carried.carrier == "file"
    assert carried.subject == carried.route == ""
    assert carried.stack.layers == ()
    assert carried.text == carried.stack.inner == CONF
    assert carried.final
    assert place(carried, "monitor-delay") == (9, 1, "monitor-delay")


@pytest.mark.parametrize(
    "text",
    [
        "; comment\n\n# another\n\n [ global ]\n auth-url = x\n",
        "\ufeff[Global]\nauth-url=x\n",
        "[Global]\r\nauth-url=x\r\n",
        "[LoadBalancer]\ncreate-montior=true\n[Networking]\n",
        '[LoadBalancerClass "a"]\nfloating-network-id=x\n',
        "[Global]\nauth_url=x\n",
        "[Global\nauth-url=x\n[LoadBalancer]\n",
        "[Global] auth-url=https://x\n[LoadBalancer]\nuse-octavia=true\n",
        "[Load Balancer]\nx=y\n[Global]\nauth-url=x\n",
        "[BlockStorage]\nbs-version=v3\n",
        '[Global]\nauth-url=x\nregion=R\ninsecure-flag = "1"\n',
        "{# jinja #}\n{% if x %}\n[Global]\n{% endif %}\nuse-clouds=true\n",
    ],
)
def test_confs_by_their_keys(text: str) -> None:
    assert find("anything", text).carried[0].text == text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("setup.cfg", "[metadata]\nname = x\n[options]\nzip_safe = no\n"),
        (".gitconfig", "[user]\n\tname = x\n[core]\n\teditor = vi\n"),
        ("my.cnf", "[client]\nuser = x\n[Global]\npassword = y\n"),
        ("smb.conf", "[global]\nworkgroup = X\nnetbios name = y\n"),
        (
            "web.service",
            "[Unit]\nDescription=x\n[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n",
        ),
        ("tox.ini", "[tox]\nenvlist = py\n[testenv]\ncommands = pytest\n"),
        ("neutron.conf", "[DEFAULT]\nauth_strategy = keystone\n[keystone_authtoken]\nauth_url = x\n"),
        ("kuryr.conf", "[kubernetes]\napi_root = x\n[neutron]\nauth_url = http://x\nproject_name = y\n"),
        ("octavia.conf", "[networking]\nlb_network_name = x\n[controller_worker]\nloadbalancer_topology = SINGLE\n"),
        ("10-net.network", "[Match]\nName=eth0\n[Network]\nDHCP=yes\n[Route]\nGateway=10.0.0.1\n"),
        (
            "vsphere.conf",
            '[Global]\nuser = "x"\n[VirtualCenter "1.2.3.4"]\nport = "443"\n[Network]\npublic-network = "VM"\n',
        ),
        ("requirements.txt", "click>=8\nPyYAML==6.0\n"),
        (".env", "auth-url\nOS_AUTH_URL=https://x\n"),
        ("empty", ""),
    ],
)
def test_other_files_are_not_confs(path: str, text: str) -> None:
    contents = find(path, text)
    assert contents.carried == []
    assert contents.broken == []


class TestByName:
    @pytest.mark.parametrize(
        "name", ["cloud.conf", "etc/cloud.conf", "my-cloud.conf", "cloud.conf.example", "cloudprovider.conf"]
    )
    @pytest.mark.parametrize("text", ["auth-url: https://x\n", "clouds:\n  x: {}\n", b64(CONF), "---\n[Global]\n"])
    def test_a_name_that_promises_a_cloud_conf_is_judged(self, name: str, text: str) -> None:
        assert only(name, text).text == text

    @pytest.mark.parametrize("header", ["[=Global]", "[[Global]", "Global]", "[", "<<<<<<< HEAD", "{{"])
    def test_a_broken_beginning_is_a_part_of_it(self, header: str) -> None:
        text = CONF.replace("[Global]", header)
        carried = only("cloud.conf", text)
        assert carried.text == text
        assert carried.final

    def test_an_empty_one_is_judged_where_its_name_or_the_user_says_so(self) -> None:
        assert len(find("prod/cloud.conf", "\n").carried) == 1
        assert find("prod/my-cloud.conf.tmpl", "\n").carried == []
        assert len(find("prod/x.conf", "\n", FindOptions(explicit=True)).carried) == 1

    def test_a_manifest_of_that_name_is_a_manifest(self) -> None:
        text = f"kind: Secret\nmetadata: {{name: x}}\ndata:\n  cloud.conf: {b64(CONF)}\n"
        assert [one.carrier for one in find("cloud.conf", text).carried] == ["Secret"]
        assert find("cloud.conf", "kind: Deployment\nmetadata: {name: x}\n").carried == []

    def test_a_file_that_the_user_names_is_judged_too(self) -> None:
        asked = FindOptions(explicit=True)
        assert only("/tmp/x", "[Globl]\nauth_url: x\n", asked).text == "[Globl]\nauth_url: x\n"
        assert only("x.conf", b64(CONF), asked).text == b64(CONF)
        assert find("values.yaml", "a: b\n", asked).carried == []
        assert find("main.py", "print('[Global]')\n", asked).carried == []


class TestTemplates:
    def test_marks_are_masked_and_keep_their_places(self) -> None:
        carried = only("terraform/files/template/cloud.conf.tmpl", TEMPLATE)
        assert carried.text == TEMPLATE
        assert not carried.final
        assert len(carried.stack.inner) == len(TEMPLATE)
        assert [carried.text[mark.start : mark.end] for mark in carried.marks] == [
            "${clouds.auth.auth_url}",
            "${appcredid}",
            "${appcredsecret}",
        ]
        assert all(carried.stack.inner[mark.start : mark.end].isalnum() for mark in carried.marks)
        assert place(carried, "${appcredid}") == (3, 27, "${appcredid}")
        assert place(carried, "use-octavia") == (7, 1, "use-octavia")
        assert carried.stack.put([]) == []

    @pytest.mark.parametrize(
        "path",
        ["cloud.conf.tpl", "cloud.conf.j2", "openstack.jinja", "cloud.conf.tftpl", "x.erb", "chart/templates/conf"],
    )
    def test_names_of_templates(self, path: str) -> None:
        assert not only(path, TEMPLATE).final

    def test_marks_in_a_file_of_another_name_are_unknown_and_literal_where_it_is_named(self) -> None:
        text = CONF.replace("[Global]", "[Global]\nregion=${REGION}")
        carried = only("cloud.conf", text)
        assert carried.final
        assert [carried.text[slice(*mark)] for mark in carried.marks] == ["${REGION}"]
        named = only("cloud.conf", text, FindOptions(explicit=True))
        assert named.final
        assert named.marks == ()
        assert named.stack.inner == text

    def test_how_many_marks_there_are_changes_nothing(self) -> None:
        carried = only("cloud.conf", TEMPLATE)
        assert carried.final
        assert len(carried.marks) == 3
        assert only("cloud.conf", TEMPLATE, FindOptions(explicit=True)).marks == ()

    @pytest.mark.parametrize("quote", ["", '"'])
    def test_variables_without_braces_are_marks(self, quote: str) -> None:
        text = "[Global]\nauth-url={q}$URL{q}\nusername = {q}$user{q}\nregion=one\n".replace("{q}", quote)
        carried = only("cloud.conf", text)
        assert [carried.stack.text[start:end] for start, end in carried.marks] == ["$URL", "$user"]
        assert only("cloud.conf", text.replace("$user", "user")).marks == carried.marks[:1]
        assert only("cloud.conf", text, FindOptions(template=False)).marks == ()
        assert only("cloud.conf", text, FindOptions(explicit=True)).marks == ()

    def test_part_of_a_value_is_literal_without_braces(self) -> None:
        assert only("cloud.conf", "[Global]\nauth-url=https://$HOST\nusername=a$USER\n").marks == ()

    @pytest.mark.parametrize("line", ["{% if x %}", "%{ if x }", "{{- if .x }}", "<% if x %>"])
    def test_or_there_are_conditions_in_it(self, line: str) -> None:
        carried = only("cloud.conf", f"[Global]\n{line}\nauth-url=${{url}}\n")
        assert not carried.final
        assert carried.marks[0] == Span(9, 9 + len(line))

    def test_the_user_s_word_wins(self) -> None:
        assert only("cloud.conf.tmpl", TEMPLATE, FindOptions(template=False)).final
        assert only("cloud.conf.tmpl", TEMPLATE, FindOptions(template=False)).stack.inner == TEMPLATE
        carried = only("cloud.conf", TEMPLATE, FindOptions(template=True))
        assert not carried.final
        assert len(carried.marks) == 3
        assert not only("cloud.conf", CONF, FindOptions(template=True)).final


class TestVariables:
    def test_values_take_the_place_of_the_marks(self) -> None:
        values = {"clouds.auth.auth_url": "https://x", "appcredid": "id", "appcredsecret": "made-up"}
        carried = only("cloud.conf.tmpl", TEMPLATE, FindOptions(variables=values))
        assert carried.text.splitlines()[1:4] == [
            "auth-url=https://x",
            "application-credential-id=id",
            'application-credential-secret="made-up"',
        ]
        assert carried.final
        assert carried.marks == ()
        assert place(carried, "https://x") == (2, 10, "${clouds.auth.auth_url}")
        assert place(carried, "use-octavia") == (7, 1, "use-octavia")

    def test_what_has_no_value_stays_a_mark(self) -> None:
        carried = only(
            "cloud.conf.tmpl", TEMPLATE, FindOptions(variables={"appcredid": "a-rather-long-identifier-to-shift"})
        )
        assert not carried.final
        assert [carried.text[mark.start : mark.end] for mark in carried.marks] == [
            "${clouds.auth.auth_url}",
            "${appcredsecret}",
        ]
        assert place(carried, "${appcredsecret}") == (4, 32, "${appcredsecret}")

    def test_a_default_counts_once_any_value_is_given(self) -> None:
        text = "[LoadBalancer]\nlb-provider=${PROVIDER:=amphora}\nlb-method=${METHOD:-ROUND_ROBIN}\nuse-octavia=${O}\n"
        given = only("x.tmpl", text, FindOptions(variables={"O": "true"}))
        assert given.text == "[LoadBalancer]\nlb-provider=amphora\nlb-method=ROUND_ROBIN\nuse-octavia=true\n"
        assert given.final
        assert len(only("x.tmpl", text).marks) == 3

    def test_a_sign_within_a_value_is_no_mark(self) -> None:
        text = "[Global]\nauth-url=x\npassword=${P}\n"
        carried = only("cloud.conf.tmpl", text, FindOptions(variables={"P": "a${b}{{c}}"}))
        assert carried.text.endswith("password=a${b}{{c}}\n")
        assert carried.final
        assert carried.marks == ()


PROFILES = sorted((Path(__file__).resolve().parents[2] / "ccmcheck" / "policy" / "profiles" / "data").glob("*.ini"))
assert PROFILES


@pytest.mark.parametrize("path", PROFILES, ids=[path.stem for path in PROFILES])
def test_our_profiles_are_not_confs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for explicit in (False, True):
        assert not find("profiles/site.ini", text, FindOptions(explicit=explicit)).carried


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_is_recognised(name: str) -> None:
    alone = name in ("present", "absent", "usual", "recommended", "any")
    text = f"title = x\n[LoadBalancer]\ncreate-monitor = {name if alone else f'{name}(true, ovn)'}  # why\n"
    assert is_profile(text)
    assert not find("site.ini", text).carried


@pytest.mark.parametrize(
    "text",
    [
        "[LoadBalancer]\ncreate-monitor = true\n[Global]\nregion = any\n",
        "[LoadBalancer]\nlb-provider = absent\ncreate-monitor = true\n",
        "[Global]\nauth-url = x\npassword = f(x)\n",
        "[Global]\nauth-url = x\npassword = equal(x)\nextends = y\n",
    ],
)
def test_unusual_values_make_no_profile(text: str) -> None:
    assert find("x.conf", text).carried


@pytest.mark.parametrize("head", ["diff --git a/x b/x\n", "--- a/x\n+++ b/x\n", f"From {'0' * 40} Mon Sep 17\n"])
def test_a_difference_is_no_file_of_a_cluster(head: str) -> None:
    text = (
        f"{head}@@ -1,4 +1,4 @@\n---\n-kind: Secret\n+kind: [\n cloud.conf: |\n   [Global]\n   auth-url=x\n---\na: b\n"
    )
    contents = find("difffile", text, FindOptions(explicit=False))
    assert (contents.carried, contents.broken, contents.not_taken) == ([], [], [])


def test_raw_strings_in_a_difference_are_not_read() -> None:
    text = "{{ $conf := `[Global]\nauth-url=https://k/v3\nusername=u\n` }}\n"
    assert find("x", text, FindOptions(explicit=False)).carried
    assert not find("x", f"diff --git a/x b/x\n{text}", FindOptions(explicit=False)).carried


def test_a_difference_says_nothing_about_the_files_around_it() -> None:
    image = " image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.30.0\n"
    assert find("install", image).run_context.image_tags
    assert not find("install", f"diff --git a/x b/x\n{image}").run_context.image_tags
