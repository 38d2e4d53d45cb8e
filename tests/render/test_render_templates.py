"""What is rendered: the CCM reads the very values that were meant, and the linter has nothing to say about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from rendering_aids import SECRET, Folder, carried

from ccmcheck import catalog
from ccmcheck.api import LintOptions, check_text
from ccmcheck.base.errors import WrongUse
from ccmcheck.render import TEMPLATES, Rendered, RenderRequest, render

RELEASES = ("1.18", "1.22", "v1.23.3", "1.25", "1.26", "v1.28.3", "1.31", "1.36", "master")
VARIATIONS: dict[str, tuple[str | None, tuple[str, ...]]] = {
    "default": (None, ()),
    "ovn": (None, ("lb-provider=ovn",)),
    "scs": ("scs", ()),
    "scs-ovn": ("scs-ovn", ()),
    "classes": (None, ("LoadBalancerClass.gold.floating-network-id=0123abcd-0123-4abc-8def-0123456789ab",)),
    "lists": (None, ("public-network-name=one", "public-network-name=two")),
}
WITHOUT_LOGIN = {"configmap"}
OF_THE_RELEASE = {"ccm-release-bug"}
"""What no file can mend."""


@pytest.mark.part(of=4)
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("template", TEMPLATES)
def test_the_linter_has_nothing_to_say(template: str, release: str, folder: Folder) -> None:  # noqa: ARG001 - its files
    for name, (profile, assignments) in VARIATIONS.items():
        request = RenderRequest(template, release, cloud="app", profile=profile, assignments=assignments)
        if template in WITHOUT_LOGIN:
            request = request._replace(cloud=None)
        rendered = render(request)
        of_text = check_text(rendered.text, TEMPLATES[template].makes, LintOptions(releases=(release,)))
        rules = {finding.rule for finding in (*rendered.findings, *of_text)}
        assert rules <= OF_THE_RELEASE, (name, rules)
        (values,) = carried(TEMPLATES[template].makes, rendered.text, release)
        assert ("Global" in values) is (template not in WITHOUT_LOGIN)
        assert isinstance(values["LoadBalancer"]["create-monitor"], bool)


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_login_is_the_clouds(template: str, folder: Folder) -> None:  # noqa: ARG001 - its files
    (values,) = carried(TEMPLATES[template].makes, render(RenderRequest(template, cloud="app")).text)
    assert values.get("Global", {}) == (
        {}
        if template in WITHOUT_LOGIN
        else {
            "auth-url": "https://keystone.example.com:5000/v3",
            "application-credential-id": "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            "application-credential-secret": f"{SECRET}#;",
            "region": "RegionOne",
            "os-endpoint-type": "public",
        }
    )


TRAPS = ("yes", "0x10", "1e3", "~", "", ": ", "a: b", "\t", "a\tb", " a ", "#", "a#b", "ü\u2028", '"', "\\", "\\n", "a\nb", "a\\\nb", "---", "${X}", "{{ x }}")  # fmt: skip
values_of_keys = st.one_of(
    st.sampled_from(TRAPS),
    st.text(st.sampled_from(" \t\n#;:-'\"\\|>{}[],&*!%@`~=0x1eaü\x85\u2028\xa0\x07"), max_size=10),
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20),
)


def _render(template: str, password: str, tags: str, subsection: str) -> Rendered:
    assignments = [
        "Global.auth-url=https://k/v3",
        f"Global.password={password}",
        f"LoadBalancer.floating-subnet-tags={tags}",
    ]
    if subsection:
        assignments.append(f"LoadBalancerClass.{subsection}.floating-subnet={tags}")
    return render(RenderRequest(template, assignments=assignments))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values_of_keys, values_of_keys, st.sampled_from(["", "gold"]))
@example("1e3", " : #\t", "")
@example("\x85\xa0\x07", "ü", "gold")
def test_the_ccm_reads_the_very_text(bare: Folder, password: str, tags: str, subsection: str) -> None:
    assert bare.path.is_dir()
    for template, what in TEMPLATES.items():
        rendered = _render(template, password, tags, subsection)
        (values,) = carried(what.makes, rendered.text)
        assert values["LoadBalancer"]["floating-subnet-tags"] == tags
        if subsection:
            assert values['LoadBalancerClass "gold"'] == {"floating-subnet": tags}
        if template not in WITHOUT_LOGIN:
            assert values["Global"]["password"] == password


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8"), min_size=12, max_size=20))
def test_what_is_shown_holds_no_secret(bare: Folder, password: str) -> None:
    assert bare.path.is_dir()
    assume(len(password.strip()) > 8 and not set("\0\r") & set(password))
    for template in TEMPLATES:
        assume(password not in _render(template, SECRET, "", "").shown)  # it is no secret, as `create-monit` is none
        rendered = _render(template, password, "", "")
        assert password not in rendered.shown
        assert rendered.shown != rendered.text or template in WITHOUT_LOGIN


@pytest.mark.parametrize("bad", ["a\0b", "a\rb", "a\udcffb"])
def test_a_value_that_no_cloud_conf_can_hold_is_refused(bad: str, bare: Folder) -> None:  # noqa: ARG001 - a bare folder
    with pytest.raises(WrongUse) as refused:
        _render("secret", f"{SECRET}{bad}", "", "")
    assert SECRET not in refused.value.message


def test_lists_may_be_given_in_several_lines_and_others_take_the_last(folder: Folder) -> None:
    ran = folder.render(
        "cloud.conf", "--cloud=app", "--set=public-network-name=a", "--set=public-network-name=b",
        "--set=max-shared-lb=1", "--set=LoadBalancer.max-shared-lb=3", "--with-secrets",
    )  # fmt: skip
    (values,) = carried("cloud.conf", ran.out)
    assert values["Networking"] == {"public-network-name": ["a", "b"]}
    assert values["LoadBalancer"]["max-shared-lb"] == 3


@pytest.mark.parametrize("release", ["1.17", "1.20", "1.23", "1.27", "1.36"])
@pytest.mark.parametrize("provider", ["amphora", "ovn"])
def test_upstream_sets_what_should_not_be_left_to_a_default(release: str, provider: str, bare: Folder) -> None:
    ran = bare.render("configmap", f"--release={release}", f"--set=lb-provider={provider}")
    (values,) = carried("configmap.yaml", ran.out, release)
    found = values["LoadBalancer"]
    newer = catalog.release(release).at_least("1.26")
    monitor = newer or (release != "1.17" and provider == "amphora")
    assert found["create-monitor"] is monitor
    assert ("monitor-delay" in found) is monitor
    if monitor:
        delay = found["monitor-delay"]
        assert isinstance(delay, dict)
        assert delay["text"] == "10s"
        assert found["monitor-max-retries"] == 2
        assert found.get("monitor-max-retries-down") == (3 if newer else None)
    assert found.get("lb-method") == ("SOURCE_IP_PORT" if provider == "ovn" else None)
    assert found.get("manage-security-groups") == (True if provider == "ovn" and release == "1.36" else None)
    assert found.get("use-octavia") == (True if release == "1.17" else None)


def test_a_setting_wins_over_a_profile(bare: Folder) -> None:
    ran = bare.render(
        "configmap", "--profile=scs-ovn", "--set=create-monitor=false", "--set=lb-method=ROUND_ROBIN", "-q"
    )
    (values,) = carried("configmap.yaml", ran.out)
    assert values["LoadBalancer"] == {
        "lb-provider": "ovn",
        "lb-method": "ROUND_ROBIN",
        "manage-security-groups": True,
        "create-monitor": False,
    }
    assert ran.code == 1
    assert "ovn-lb-method" in ran.err
    assert "create-monitor-recommended" in ran.err
    assert "monitor-timers-dead" not in ran.err


def test_a_template_of_the_same_name_wins_everywhere(folder: Folder) -> None:
    folder.write("mine/cloud.conf.j2", "# mine\n{% include 'ccmcheck/cloud.conf.j2' %}")
    folder.write("mine/unnamed.txt", "no template")
    ours = folder.render("secret", "--cloud=app", "-q").out
    mine = folder.render("secret", "--cloud=app", "-q", "--template-dir=mine").out
    assert mine == ours.replace("  cloud.conf: |\n", "  cloud.conf: |\n    # mine\n")
    assert folder.render("cloud.conf", "--cloud=app", "--with-secrets", "--template-dir=mine").out.startswith(
        "# mine\n[Global]\n"
    )
    assert folder.render("unnamed", "--template-dir=mine").code == 2


def test_a_template_without_login_asks_for_no_cloud(bare: Folder) -> None:
    bare.write("mine/lb.conf.j2", "{% for s in sections(login=false) %}{{ s.header }} {{ s.name }};{% endfor %}")
    ran = bare.render("lb.conf", "--template-dir=mine")
    assert (ran.code, ran.out, ran.err) == (0, "LoadBalancer LoadBalancer;", "")
    assert bare.render("configmap").code == 0
    assert bare.render("cloud.conf", "--set=Global.use-clouds=true").code == 0
    assert bare.render("cloud.conf").code == 2


def test_shipped_templates_are_all_listed(project_templates: set[str]) -> None:
    assert {template.file for template in TEMPLATES.values()} <= project_templates


@pytest.fixture
def project_templates() -> set[str]:
    return {path.name for path in (Path(__file__).resolve().parents[2] / "templates").iterdir()}
