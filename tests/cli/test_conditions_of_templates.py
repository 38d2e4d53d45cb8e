"""What a template's conditions decide: predicted for every text that they make, and never reviewed as known."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import put, run

ARMS = """\
[Global]
auth-url=https://k/v3
application-credential-id=a
application-credential-secret=b
[LoadBalancer]
floating-network-id=5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
{% if ovn %}
create-monitor=true
lb-provider=ovn
lb-method=SOURCE_IP_PORT
{% else %}
create-monitor=true
{% endif %}
"""
LOCAL = (
    "kind: Service\nmetadata: {name: web}\n"
    "spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80, nodePort: 30080}]}\n"
)


def verdicts(folder: Path) -> dict[str, bool | None]:
    printed = json.loads(run(folder, "predict", "--format", "json", "--release", "v1.31.2").out)
    return {name: one["good"] for name, one in printed["services"][0]["verdict"]["answers"].items()}


def test_what_every_text_of_a_template_says_is_a_verdict_and_the_rest_is_unknown(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf.j2": ARMS, "svc.yaml": LOCAL})
    found = verdicts(tmp_path)
    assert (found["traffic-local"], found["dead-node"], found["client-address"]) == (True, True, None)
    put(tmp_path, {"cloud.conf.j2": ARMS.replace("{% else %}\ncreate-monitor=true\n", "")})
    found = verdicts(tmp_path)
    assert (found["traffic-local"], found["dead-node"]) == (None, None)


def test_what_a_template_decides_on_one_side_alone_is_not_reviewed_as_known(tmp_path: Path) -> None:
    without = ARMS.replace("{% else %}\ncreate-monitor=true\n", "").replace("create-monitor=true\n", "")
    put(tmp_path, {"a/cloud.conf.j2": ARMS, "a/svc.yaml": LOCAL, "b/cloud.conf.j2": without, "b/svc.yaml": LOCAL})
    done = run(tmp_path, "review", "a", "b", "--release", "v1.31.2")
    assert "a template decides create-monitor on one side alone" in done.out


def test_what_a_condition_may_take_from_a_service_is_unknown(tmp_path: Path) -> None:
    service = (
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n    {{- if .Values.udp }}\n"
        '    service.beta.kubernetes.io/openstack-internal-load-balancer: "true"\n    {{- else }}\n'
        '    loadbalancer.openstack.org/proxy-protocol: "true"\n    {{- end }}\nspec:\n  type: LoadBalancer\n  ports:\n'
        "  - {name: h, port: 80}\n  {{- if .Values.udp }}\n  - {name: u, port: 53, protocol: UDP}\n  {{- end }}\n"
    )
    put(tmp_path, {"cloud.conf": ARMS.partition("{% if")[0], "web.yaml": service})
    done = run(tmp_path, "predict", "--release", "v1.31.2", ".", "-v")
    assert "✗ Octavia" not in done.out
    assert "client ─▶ VIP" not in done.out
    assert "loadbalancer.openstack.org/proxy-protocol is filled in later; it is left out" in done.out
