"""What ``fix --profile scs-capi-provider|scs-ovn`` does to the files of SCS's k8s-cluster-api-provider, and what tools make of it later."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from ccmcheck import catalog
from ccmcheck.base.profile import SOFT
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import RunContext
from ccmcheck.cli.main import run
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.passes import FixResult, fix_text
from ccmcheck.fix.profile import left_alone
from ccmcheck.fix.step import PROFILE
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.policy.profiles.loading import load

TEMPLATE = """\
[Global]
auth-url=${clouds.auth.auth_url}
region="${clouds.region_name}"
application-credential-id=${appcredid}
application-credential-secret="${appcredsecret}"

[LoadBalancer]
manage-security-groups=true
enable-ingress-hostname=true
"""
RENDERED = re.sub(r"\$\{[^}]*\}", "x", TEMPLATE)
OVN = {"lb-provider": "ovn", "lb-method": "SOURCE_IP_PORT", "create-monitor": "true"}


def linter(profile: str, release: str = "1.36") -> Linter:
    return Linter(
        Settings(judged=(TargetRelease("ccm", catalog.release(release), "--release"),), find=FindOptions()),
        RunContext(requirements=load(profile).requirements),
    )


def settle(path: str, text: str, profile: str, release: str = "1.36") -> tuple[FixResult, list[str]]:
    """What a profile makes of a text, and what it leaves."""
    looks = linter(profile, release)
    result = fix_text(path, text, looks, wanted=lambda _: False, asked=(PROFILE,))
    return result, left_alone(result.last, looks.run_context)


def settled(text: str, profile: str, path: str = "cloud.conf", release: str = "1.36") -> str:
    result, left = settle(path, text, profile, release)
    assert left == []
    assert result.dropped == ()
    return result.after


def lines(text: str) -> dict[str, str]:
    """The keys that a script finds by ``grep '^key='``."""
    return dict(re.findall(r"^([a-z-]+)=(.*)$", text, re.MULTILINE))


@pytest.mark.parametrize(("text", "path"), [(TEMPLATE, "cloud.conf.tmpl"), (RENDERED, "cloud.conf")])
def test_there_and_back(text: str, path: str) -> None:
    ovn = settled(text, "scs-ovn", path)
    assert lines(ovn) == {**lines(text), **OVN}
    assert settled(ovn, "scs-ovn", path) == ovn
    back = settled(ovn, "scs-capi-provider", path)
    assert lines(back) == {**lines(text), "create-monitor": "true"}  # as handle_ovn_lb.sh leaves it
    assert settled(back, "scs-capi-provider", path) == back
    assert settled(text, "scs-capi-provider", path) == text
    assert lines(settled(text, "scs", path)) == lines(back)
    # nothing but whole lines came, in [LoadBalancer]
    added = [line for line in ovn.splitlines() if line not in text.splitlines()]
    assert sorted(added) == sorted(f"{key}={value}" for key, value in OVN.items())
    assert ovn.startswith(text[: text.index("manage")])


def test_values_that_are_there_are_replaced() -> None:
    text = RENDERED + "lb-provider=amphora\ncreate-monitor=false\nlb-method=ROUND_ROBIN\n"
    assert settled(text, "scs-ovn") == RENDERED + "lb-provider=ovn\ncreate-monitor=true\nlb-method=SOURCE_IP_PORT\n"


def test_back_leaves_what_it_did_not_set() -> None:
    text = RENDERED + "lb-provider=amphora\nlb-method=LEAST_CONNECTIONS\ncreate-monitor=true\n"
    assert settled(text, "scs-capi-provider") == text


def test_every_line_that_ovn_has_set_goes() -> None:
    text = RENDERED + "lb-provider=ovn\nlb-provider=ovn\n"
    assert "lb-provider" not in settled(text, "scs-capi-provider")


@pytest.mark.parametrize(
    ("before", "added"),
    [
        ("[LoadBalancer]\n  enabled = true\n", "  lb-provider = ovn\n  create-monitor = true\n  lb-method = SOURCE_IP_PORT\n"),
        ("[LoadBalancer]\nenabled=true # why", "\nlb-provider=ovn\ncreate-monitor=true\nlb-method=SOURCE_IP_PORT"),
        ("[LoadBalancer]\r\nenabled=true\r\n", "lb-provider=ovn\r\ncreate-monitor=true\r\nlb-method=SOURCE_IP_PORT\r\n"),
        ('[LoadBalancer]\nenabled = "true"\n', 'lb-provider = "ovn"\ncreate-monitor = "true"\nlb-method = "SOURCE_IP_PORT"\n'),
        ("[LoadBalancer]", "\nlb-provider = ovn\ncreate-monitor = true\nlb-method = SOURCE_IP_PORT"),
        ("[Global]\nregion=x\n", "\n[LoadBalancer]\nlb-provider=ovn\ncreate-monitor=true\nlb-method=SOURCE_IP_PORT\n"),
    ],
)  # fmt: skip
def test_in_the_files_own_style(before: str, added: str) -> None:
    assert settled(before, "scs-ovn") == before + added


def test_below_the_keys_of_its_section() -> None:
    before = "[LoadBalancer]\nenabled=true\n\n# next\n[Networking]\nipv6-support-disabled=true\n"
    added = "lb-provider=ovn\ncreate-monitor=true\nlb-method=SOURCE_IP_PORT\n"
    assert settled(before, "scs-ovn") == before.replace("enabled=true\n\n", f"enabled=true\n{added}\n")


def test_one_new_section_for_all_keys() -> None:
    text = settled("[Global]\nauth-url = https://k/v3\n", "scs-ovn")
    assert text.count("[LoadBalancer]") == 1


def test_marks_in_another_section_do_not_matter() -> None:
    text = "[Global]\n{% if x %}\ntoken={{ y }}\n{% endif %}\n[LoadBalancer]\nenabled=true\n"
    assert lines(settled(text, "scs-ovn", "cloud.conf.j2")) == {"token": "{{ y }}", "enabled": "true", **OVN}


def test_marks_in_its_own_section_do() -> None:
    text = "[Global]\nauth-url=x\n[LoadBalancer]\n{% if x %}\nlb-provider=ovn\n{% endif %}\nlb-method={{ y }}\n"
    result, left = settle("cloud.conf.j2", text, "scs-ovn")
    assert result.after == text
    assert result.done == ()
    assert len(left) == 3
    assert "lb-provider holds a template mark; edit it by hand" in left[0]
    assert "lb-method holds a template mark; edit it by hand" in left[1]
    assert "rendering may add keys to [LoadBalancer]" in left[2]


def test_before_1_26_create_monitor_is_left_alone() -> None:
    result, left = settle("cloud.conf", RENDERED, "scs-ovn", "1.25")
    assert "create-monitor" not in result.after
    assert left == ["create-monitor is left as it is: the profile scs-ovn requires it from the CCM 1.26 on"]


def test_what_the_ccm_does_not_read_is_left_alone() -> None:
    text = "[Global]\nauth-url = https://k/v3\n[BlockStorage]\nbs-version = v3\n"
    assert settled(text, "scs-ovn") == text


B64 = "OPENSTACK_CLOUD_PROVIDER_CONF_B64"


@pytest.mark.parametrize("quote", ["", '"'])
def test_the_line_of_clusterctl_yaml(quote: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As clusterctl_template.sh writes it: base64 without line ends."""
    monkeypatch.chdir(tmp_path)
    before = f"# hint: base64 -w0 < cloud.conf\nOPENSTACK_CLOUD: x\n{B64}: {quote}{b64(RENDERED)}{quote}\nUSE_OVN_LB_PROVIDER: true\n"
    path = tmp_path / "clusterctl.yaml"
    path.write_text(before, encoding="utf-8")
    assert run(["fix", "--no-config", "--profile=scs-ovn", "--write", "--select=duration-bad", "clusterctl.yaml"]) == 0
    conf = settled(RENDERED, "scs-ovn")
    assert path.read_text(encoding="utf-8") == before.replace(b64(RENDERED), b64(conf))
    assert run(["set", "clusterctl.yaml", "create-monitor=false"]) == 0
    assert path.read_text(encoding="utf-8") == before.replace(
        b64(RENDERED), b64(conf.replace("create-monitor=true", "create-monitor=false"))
    )


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_the_command_says_what_it_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "cloud.conf"
    path.write_text(RENDERED + "use-octavia=true\n", encoding="utf-8")
    assert run(["fix", "--no-config", "--release=1.36", "--profile=scs-ovn", "--check", "-q", "cloud.conf"]) == 1
    assert run(["fix", "--no-config", "--release=1.36", "--profile=scs-ovn", "--write", "cloud.conf"]) == 0
    printed = capsys.readouterr()
    assert " profile fixed: set lb-provider = ovn\n" in printed.err
    assert "4 findings fixed in 1 file." in printed.err
    assert printed.out == ""
    assert lines(path.read_text(encoding="utf-8")) == {**lines(RENDERED), **OVN}
    assert run(["fix", "--no-config", "--release=1.36", "--profile=scs-ovn", "--check", "-q", "cloud.conf"]) == 0
    assert run(["fix", "--profile=nope", "cloud.conf"]) == 2


def test_each_setting_is_one_that_the_catalogue_knows() -> None:
    schema = catalog.schema(catalog.newest())
    settings = {
        "scs-capi-provider": {"lb-provider", "lb-method"},
        "scs-ovn": set(OVN),
        "scs": {"create-monitor", "lb-method"},
    }
    for name, keys in settings.items():
        hard = [requirement for requirement in load(name).requirements if requirement.check not in SOFT]
        assert {requirement.key for requirement in hard} == keys
        for requirement in hard:
            section = schema.section(requirement.section)
            assert section is not None
            assert section.key(requirement.key) is not None
            assert requirement.reason
            assert requirement.source
