"""Templates with conditions: each text that they make is judged, and none that they cannot make."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from command_line import put, run

LOGIN = """\
[Global]
auth-url = https://keystone.example.com/v3
application-credential-id = ${id}
application-credential-secret = ${secret}

[LoadBalancer]
floating-network-id = ${network}
"""
FIRST = LOGIN.count("\n") + 1


def lint(folder: Path, text: str, name: str = "cloud.conf.j2", *options: str) -> list[tuple[int, str, str]]:
    """The line below the login, the severity and the rule of each finding."""
    put(folder, {name: LOGIN + text})
    findings = json.loads(run(folder, "lint", "--format=json", *options, ".").out)["findings"]
    return [(one["line"] - FIRST + 1, one["severity"], one["rule"]) for one in findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "create-monitor = true\n%{ if probes }\nmonitor-max-retries = 11\n%{ endif }\n",
            [(3, "warning", "monitor-range")],
            id="a value in a branch",
        ),
        pytest.param(
            "{% if a %}\ncreate-monitor = true\nmonitor-max-retries = 11\n{% endif %}\n",
            [(3, "warning", "monitor-range")],
            id="a value beside what it needs in one branch",
        ),
        pytest.param(
            "{% if a %}\ncreate-monitor = true\n{% endif %}\n{% if a %}\nmonitor-max-retries = 11\n{% endif %}\n",
            [(5, "warning", "monitor-range")],
            id="equal conditions go together",
        ),
        pytest.param(
            "{% if not a %}\ncreate-monitor = true\n{% endif %}\n{% if a %}\ncreate-monitor = false\nmonitor-max-retries = 11\n"
            "{% endif %}\n",
            [(5, "info", "create-monitor-recommended"), (6, "info", "monitor-timers-dead")],
            id="what excludes each other is never together",
        ),
        pytest.param(
            "{% if a %}\ncreate-monitor = true\n{% else %}\ncreate-monitor = false\n{% endif %}\n",
            [(4, "info", "create-monitor-recommended")],
            id="two parts of one condition set no key twice",
        ),
        pytest.param(
            "{% if a %}\nx-one = 1\n{% elif b %}\nx-two = 1\n{% else %}\nx-three = 1\n{% endif %}\ncreate-monitor = true\n",
            [(2, "error", "unknown-key"), (4, "error", "unknown-key"), (6, "error", "unknown-key")],
            id="each part is judged",
        ),
        pytest.param(
            "{% if a %}\ncreate-monitor = true\n{% endif %}\n", [], id="what one part has is not missing in the other"
        ),
        pytest.param(
            "{% if a %}\nmax-shared-lb = 3\n{% endif %}\n",
            [(-1, "info", "create-monitor-implicit")],
            id="what no part has is missing",
        ),
        pytest.param(
            "create-monitor = true\nmonitor-delay = 5s\n{% if slow %}\nmonitor-timeout = 9s\n{% endif %}\n",
            [(4, "warning", "monitor-timeout-ge-delay")],
            id="a branch against what is around it",
        ),
        pytest.param(
            "create-monitor = true\nlb-method = SOURCE_IP_PORT\n{% if amphora %}\nlb-provider = amphora\n"
            "{% else %}\nlb-provider = ovn\nmanage-security-groups = true\n{% endif %}\n",
            [(2, "info", "amphora-source-ip-port")],
            id="what a branch makes wrong elsewhere is information",
        ),
        pytest.param(
            "create-monitor = true\n{% for net in nets %}\nno-such-key = {{ net }}\n{% endfor %}\n",
            [(3, "error", "unknown-key")],
            id="a loop is as it stands",
        ),
        pytest.param(
            'create-monitor = true\n%{ if a ~}\n[LoadBalancerClass "b"]\nsubnet-id = ${id}\n%{ endif ~}\nmonitor-delay = 5\n',
            [(6, "info", "lbclass-foreign-key"), (6, "error", "duration-bad")],
            id="behind a class that a branch adds, a key belongs to it or not",
        ),
        pytest.param(
            "create-monitor = {% if a %}true{% else %}nonsense{% endif %}\n", [], id="a condition in a value is unknown"
        ),
    ],
)
def test_branches(tmp_path: Path, text: str, expected: list[tuple[int, str, str]]) -> None:
    assert [one for one in lint(tmp_path, text) if one[2] != "template-broken"] == expected


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("cloud.conf.j2", ("{%- if a %}", "{%- else -%}", "{%- endif %}")),
        ("cloud.conf.tftpl", ("%{ if a ~}", "%{ else }", "%{~ endif }")),
        ("cloud.conf.tpl", ("{{- if .Values.a }}", "{{ else }}", "{{- end }}")),
        ("cloud.conf.tpl", ("{{- with .Values.a }}", "{{ else }}", "{{- end -}}")),
        ("cloud.conf.erb", ("<% if p('a') -%>", "<% else %>", "<% end %>")),
    ],
)
def test_each_language(tmp_path: Path, name: str, tags: tuple[str, str, str]) -> None:
    when, other, end = tags
    text = f"{when}\nlb-provider = ovn\nlb-method = ROUND_ROBIN\n{other}\nlb-provider = amphora\n{end}\n"
    text += "create-monitor = true\nmanage-security-groups = true\n"
    assert [one for one in lint(tmp_path, text, name) if one[1] == "error"] == [(3, "error", "ovn-lb-method")]


def test_a_service_is_not_judged_by_a_branch(tmp_path: Path) -> None:
    service = (
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  type: LoadBalancer\n"
        "  externalTrafficPolicy: Local\n  ports: [{port: 80}]\n  loadBalancerSourceRanges: [10.0.0.0/8]\n"
    )
    sure = "lb-provider = ovn\ncreate-monitor = false\n"
    put(tmp_path, {"web.yaml": service})
    found = lint(tmp_path, sure)
    assert any(rule.startswith("svc-") for _, _, rule in found)
    found = lint(tmp_path, "{% if ovn %}\n" + sure + "{% endif %}\n")
    assert not any(rule.startswith("svc-") and severity != "info" for _, severity, rule in found)


def test_the_condition_is_shown(tmp_path: Path) -> None:
    text = "create-monitor = true\nlb-method = ROUND_ROBIN\n{% if ovn %}\nlb-provider = ovn\n{% endif %}\n"
    put(tmp_path, {"cloud.conf.j2": LOGIN + text})
    out = run(tmp_path, "lint", "--select=ovn-lb-method", ".").out
    assert f"cloud.conf.j2:{FIRST + 1}:13  info  ovn-lb-method" in out
    assert "{% if ovn %}" in out
    assert "only where this condition holds" in out
    assert "fixable" not in out


def test_a_fix_in_a_branch_is_made(tmp_path: Path) -> None:
    text = LOGIN + "create-monitor = true\n{% if a %}\nmonitor-delay = 5\n{% endif %}\n"
    put(tmp_path, {"cloud.conf.j2": text})
    run(tmp_path, "fix", "--write", "cloud.conf.j2")
    assert (tmp_path / "cloud.conf.j2").read_text("utf-8") == text.replace("= 5\n", "= 5s\n")


def test_a_mark_in_a_branch_that_is_not_kept_hides_nothing(tmp_path: Path) -> None:
    text = "{% if a %}{{ more }}\nmax-shared-lb = {{ n }}\n{% endif %}\n"
    assert lint(tmp_path, text.replace("{{ more }}", "")) == [(-1, "info", "create-monitor-implicit")]
    assert lint(tmp_path, text) == []  # more may be anything


def test_more_conditions_than_are_judged_are_unknown(tmp_path: Path) -> None:
    branches = "".join(f"{{% if c{number} %}}\nno-such-key = 1\n{{% endif %}}\n" for number in range(60))
    assert lint(tmp_path, f"create-monitor = true\n{branches}") == []


@pytest.mark.parametrize(
    ("conf", "is_found"),
    [
        ("[Global]\nuse-clouds = true\ncloud = {{ cloud }}\n", True),
        ("[Global]\nuse-clouds = true\n{{ more }}\n", False),
        ('[Global]\nuse-clouds = true\n[LoadBalancerClass "{{ name }}"]\nsubnet-id = b\n', False),
        ('[Global]\nuse-clouds = true\n{% if a %}\n[LoadBalancerClass "fast"]\nsubnet-id = b\n{% endif %}\n', False),
    ],
)
def test_a_class_is_missing_where_no_template_may_add_it(tmp_path: Path, conf: str, is_found: bool) -> None:
    service = (
        'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  annotations: {loadbalancer.openstack.org/class: "fast"}\n'
        "spec: {type: LoadBalancer, selector: {a: b}, ports: [{port: 80}]}\n"
    )
    put(tmp_path, {"cloud.conf.j2": conf, "web.yaml": service})
    assert ("svc-class" in run(tmp_path, "lint", ".").out) is is_found
