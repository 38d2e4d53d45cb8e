"""``ccmcheck predict`` on malformed Services: clear messages, an exit code, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

CONF = """\
[Global]
auth-url=https://keystone.example.org/v3
username=u
password=canary-b7d1
[LoadBalancer]
create-monitor=true
subnet-id=5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
"""
HEAD = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop%s}\nspec:\n  type: LoadBalancer\n"
PORT = "  ports: [{port: 80}]\n"
LB = "loadbalancer.openstack.org"


def annotated(text: str) -> str:
    return HEAD % f", annotations: {{{text}}}" + PORT


def spec(text: str, head: str = HEAD % "") -> str:
    return f"{head}  {text}\n"


REFUSED = {
    "an unquoted bool": (annotated(f"{LB}/enable-health-monitor: true"), "Quote it: `loadbalancer.openstack.org/enable"),
    "an unquoted number": (annotated(f"{LB}/health-monitor-delay: 10"), "is the number 10; only strings are valid"),
    "annotations that are a list": (HEAD % ", annotations: [a, b]" + PORT, "annotations are a list, not a mapping"),
    "a port in quotes": (spec('ports: [{port: "80"}]'), "Write `port: 80`, without quotes."),
    "port 0": (spec("ports: [{port: 0}]"), "port 0 is not between 1 and 65535"),
    "half a port": (spec("ports: [{port: 80.5}]"), "port is the number 80.5, not an integer"),
    "no ports": (HEAD % "", "needs at least one port"),
    "ports that are none": (spec("ports: {port: 80}"), "ports are a mapping, not a list"),
    "one port twice": (spec("ports: [{name: a, port: 80}, {name: b, port: 80}]"), "port 80/TCP is listed twice"),
    "one name twice": (spec("ports: [{name: a, port: 80}, {name: a, port: 81}]"), "two ports are named `a`"),
    "another protocol": (spec("ports: [{port: 80, protocol: HTTP}]"), "`HTTP` is not one of TCP, UDP, SCTP"),
    "a policy in small letters": (spec("externalTrafficPolicy: local", HEAD % "" + PORT), "Write `Local`."),
    "no range": (spec("loadBalancerSourceRanges: [10.0.0.0/33]", HEAD % "" + PORT), "`10.0.0.0/33` is not a CIDR"),
    "a family twice": (spec("ipFamilies: [IPv4, IPv4]", HEAD % "" + PORT), "IPv4 is listed twice"),
    "a bool that is a text": (
        spec('allocateLoadBalancerNodePorts: "no"', HEAD % "" + PORT),
        "allocateLoadBalancerNodePorts is the string `no`, not a boolean",
    ),
    "a name that is too long": (
        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {'w' * 64}}}\nspec: {{type: LoadBalancer, ports: [{{port: 80}}]}}\n",
        "is not a DNS label of at most 63 characters",
    ),
    "no name": (
        "apiVersion: v1\nkind: Service\nmetadata: {}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n",
        "a Service needs a name",
    ),
}  # fmt: skip
ENDS = {
    "options that contradict": (
        annotated(f'{LB}/proxy-protocol: "true", {LB}/x-forwarded-for: "true"'),
        "x-forwarded-for cannot be used together",
    ),
    "a class that is not there": (
        annotated(f'{LB}/class: "\\u001b[31m\\n"'),
        r'invalid loadbalancer class "\x1b[31m\n"',
    ),
    "a timer below zero": (annotated(f'{LB}/health-monitor-delay: "-5"'), "refuses it with 400: delay: -5 is below 0"),
}


def predicted(folder: Path, text: str, *more: str) -> tuple[int, str]:
    (folder / "cloud.conf").write_text(CONF, encoding="utf-8")
    (folder / "web.yaml").write_text(text, encoding="utf-8")
    done = run(folder, "predict", "web.yaml", "cloud.conf", "--nodes", "3", *more)
    assert "canary" not in done.out + done.err
    return done.code, done.out + done.err


@pytest.mark.parametrize("what", REFUSED)
def test_what_kubernetes_refuses(what: str, tmp_path: Path) -> None:
    text, words = REFUSED[what]
    code, out = predicted(tmp_path, text)
    assert code == 1
    assert "✗ Kubernetes refuses this Service" in out
    assert words in out
    for form in ("json", "markdown"):
        code, out = predicted(tmp_path, text, "--format", form, "--release", "1.18", "--release", "1.36")
        assert code == 1
        assert form != "json" or {one["verdict"]["outcome"] for one in json.loads(out)["services"]} == {"nothing"}


@pytest.mark.parametrize("what", ENDS)
def test_what_makes_no_load_balancer(what: str, tmp_path: Path) -> None:
    text, words = ENDS[what]
    code, out = predicted(tmp_path, text)
    assert code == 1
    assert words in out


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ name }}\nspec:\n  type: LoadBalancer\n  ports:\n  - port: {{ p }}\n",
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: ${NAME}\nspec:\n  type: LoadBalancer\n  ports:\n  - port: ${PORT}\n",
    ],
)
def test_what_is_filled_in_later_is_reported(text: str, tmp_path: Path) -> None:
    code, out = predicted(tmp_path, text, "-v")
    assert code == 0
    assert "spec.ports[0].port is filled in later" in out
    assert "listener TCP/? " in out
    assert "pool TCP/? " in out


@pytest.mark.parametrize("spec", ["{{ toYaml .Values.spec }}", "${SPEC}"])
def test_a_service_that_is_all_filled_in_later_is_not_one_of_another_type(spec: str, tmp_path: Path) -> None:
    text = f"apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec: {spec}\n"
    code, out = predicted(tmp_path, text)
    assert code == 0
    assert "? spec is filled in later: render the template first" in out


@pytest.mark.parametrize("spec", ["2020-01-01", "[]", "{type: []}", "{type: LB, ports: [{port: 80}]}"])
def test_a_service_of_a_broken_type_is_refused(spec: str, tmp_path: Path) -> None:
    code, out = predicted(tmp_path, f"apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec: {spec}\n")
    assert code == 1
    assert "✗ Kubernetes refuses this Service: " in out


def test_a_service_that_is_no_yaml_is_reported_with_its_line(tmp_path: Path) -> None:
    code, out = predicted(tmp_path, HEAD % "" + "  ports:\n  - port: 80\n   bad: indent\n")
    assert code == 3
    assert "web.yaml:8:" in out
    assert "not YAML" in out


def test_thousands_of_ports_are_counted(tmp_path: Path) -> None:
    ports = "".join(f"  - {{name: p{port}, port: {port}}}\n" for port in range(1, 3001))
    code, out = predicted(tmp_path, HEAD % "" + "  ports:\n" + ports)
    assert code == 0
    assert "… and 2988 more ports" in out
    assert len(out.splitlines()) < 40


def test_a_service_of_the_longest_names(tmp_path: Path) -> None:
    text = HEAD.replace("web", "w" * 63).replace("shop", "n" * 63) % "" + PORT
    code, out = predicted(tmp_path, text, "--format", "json", "--cluster-name", "c" * 200)
    assert code == 1
    (found,) = json.loads(out)["services"]
    assert len(found["request"]["loadbalancer"]["name"]) == 255
    assert found["verdict"]["field"] == "description"


@pytest.mark.parametrize("text", ["", "7\n", "a: [\n", "\ufeff", "- 1\n- null\n", "kind: Service\n", "x: &a {b: *a}\n"])
def test_what_holds_no_service(text: str, tmp_path: Path) -> None:
    code, out = predicted(tmp_path, text)
    assert code == 0
    assert "there is no Service of type LoadBalancer" in out


def test_a_file_that_is_not_there_has_no_line(tmp_path: Path) -> None:
    result = run(tmp_path, "predict", "none.yaml")
    assert result.code == 3
    assert result.err == "ccmcheck: none.yaml: there is no such file or folder\n"


def test_a_ccm_that_does_not_start_is_found_without_a_service(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a/cloud.conf").write_text(CONF + "monitor-delay=5\n")
    result = run(tmp_path, "predict", ".")
    assert result.code == 1
    assert 'a/cloud.conf: the CCM does not start: time: missing unit in duration "5"' in result.out
    (tmp_path / "b/cloud.conf").write_text(CONF)
    idle = json.loads(run(tmp_path, "predict", "--format=json", ".").out)
    assert [one["config"] for one in idle["conformance"]] == ["b/cloud.conf", "b/cloud.conf"]
    assert "" not in idle["notes"]
    (tmp_path / "b/web.yaml").write_text(HEAD % "" + PORT)
    both = run(tmp_path, "predict", ".")
    assert both.code == 1
    assert "the CCM does not start" in both.out


def test_what_a_template_adds_to_a_service_is_not_called_missing(tmp_path: Path) -> None:
    """Lines of a template may set what decides, and a mark in place of an address is none that Neutron refuses."""
    (tmp_path / "cloud.conf").write_text("[LoadBalancer]\nlb-provider=amphora\n")
    head = HEAD % ", annotations: {%s}"
    for name, said, is_told in (
        ("plain", head % "", True),
        ("lines", HEAD.replace(" {name: web, namespace: shop%s}", "\n  name: web\n  {{ annotations }}"), False),
        ("mark", head % f'{LB}/subnet-id: "{{{{ subnet }}}}"', False),
        ("address", (head % "") + '  loadBalancerIP: "{{ address }}"\n', False),
    ):
        (tmp_path / "web.yaml.j2").write_text(said + PORT)
        output = run(tmp_path, "predict", "--format", "json", ".").out
        (service,) = json.loads(output)["services"]
        assert bool(service["choices"]) is is_told, name
        assert "is not an IP address" not in output, name


def test_what_a_cloud_conf_elsewhere_may_set_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(annotated(f'{LB}/hostname: "a.example.com"'))
    output = run(tmp_path, "predict", "--format", "json", "-v", ".").out
    (service,) = json.loads(output)["services"]
    assert {one["topic"] for one in service["choices"]} >= {"hostname"}
    assert not any(" is set" in one["says"] or "amphora" in one["says"] for one in service["choices"])


def test_the_scripts_are_not_predicted_in_a_cluster_with_a_ccm_of_its_own(tmp_path: Path) -> None:
    for annotation, is_predicted in ((f"{LB}/keep-floatingip", True), ("loadbalancer.ovhcloud.com/class", False)):
        text = annotated(f'{annotation}: "true"')
        (tmp_path / "web.yaml").write_text(text)
        assert ("use case" in run(tmp_path, "predict", "web.yaml").out) is is_predicted
