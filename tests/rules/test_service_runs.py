"""Services in a run: which cloud.conf applies, what other files contribute, and when nothing is reported."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from command_line import run

from ccmcheck.api import LintOptions, check_paths, check_text
from ccmcheck.base.model import Finding
from ccmcheck.catalog.service_annotations import INTERNAL
from ccmcheck.lint.run_options import RunOptions
from ccmcheck.lint.run_survey import survey_for_lint

OFF = "[LoadBalancer]\nlb-provider = amphora\ncreate-monitor = false\n"
ON = OFF.replace("false", "true")
LOCAL = """\
apiVersion: v1
kind: Service
metadata:
  name: {name}
  namespace: shop
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  selector: {{app: web}}
  ports: [{{port: 80}}]
"""
WEB = LOCAL.format(name="web")
SECRET = "kind: Secret\nmetadata: {{name: cloud-config, namespace: kube-system}}\ndata:\n  cloud.conf: {}\n"
DEPLOYMENT = """\
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 3
  template:
    metadata: {labels: {app: web}}
"""
SHARED = """\
kind: Service
metadata:
  name: {name}
  annotations:
    loadbalancer.openstack.org/load-balancer-id: 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11
spec:
  type: LoadBalancer
  ports: [{{port: 80}}]
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(folder: Path, files: dict[str, str], *paths: str, **options: object) -> list[Finding]:
    """Write files, and lint the folder, or some paths in it, with the rules about Services."""
    write(folder, files)
    given = [str(folder / path) for path in paths] or [str(folder)]
    result = check_paths(given, LintOptions(select=("services",), **options))  # type: ignore[arg-type]  # of LintOptions' own types
    assert result.failures == []
    return list(result.findings)


def names(folder: Path, findings: list[Finding]) -> list[tuple[str, str]]:
    return [(Path(one.place.path).relative_to(folder).as_posix(), one.rule) for one in findings]


def test_the_nearest_cloud_conf_applies(tmp_path: Path) -> None:
    files = {"prod/cloud.conf": ON, "dev/cloud.conf": OFF, "prod/web.yaml": WEB, "dev/web.yaml": WEB}
    assert names(tmp_path, found(tmp_path, files)) == [("dev/web.yaml", "svc-local-no-monitor")]


def test_a_cloud_conf_in_the_same_file_precedes_the_folder(tmp_path: Path) -> None:
    both = f"{WEB}---\n{SECRET.format(base64.b64encode(ON.encode()).decode())}"
    assert found(tmp_path, {"cloud.conf": OFF, "web.yaml": both}) == []


def test_the_folder_precedes_subfolders(tmp_path: Path) -> None:
    assert found(tmp_path, {"cloud.conf": ON, "old/cloud.conf": OFF, "web.yaml": WEB}) == []


def test_equally_near_ones_must_agree(tmp_path: Path) -> None:
    files = {"apps/web.yaml": WEB, "infra/a/cloud.conf": OFF, "infra/b/cloud.conf": ON}
    assert found(tmp_path, files) == []
    files["infra/b/cloud.conf"] = f"# the same\n{OFF}"
    assert names(tmp_path, found(tmp_path, files)) == [("apps/web.yaml", "svc-local-no-monitor")]


def test_too_many_equally_near_ones_are_ignored(tmp_path: Path) -> None:
    files = {"apps/web.yaml": WEB, **{f"infra/{number}/cloud.conf": OFF for number in range(17)}}
    assert found(tmp_path, files) == []


def test_what_only_looks_like_a_cloud_conf_is_ignored(tmp_path: Path) -> None:
    files = {"a/web.yaml": WEB, "a/vsphere.conf": "[Global]\nvm-uuid = x\n# cloud.conf\n", "cloud.conf": OFF}
    assert names(tmp_path, found(tmp_path, files)) == [("a/web.yaml", "svc-local-no-monitor")]


def test_a_cloud_conf_of_the_csi_driver_is_ignored(tmp_path: Path) -> None:
    files = {"web.yaml": WEB, "csi.conf": "[Global]\nauth-url = x\n[BlockStorage]\nignore-volume-az = true\n"}
    assert found(tmp_path, files) == []
    files["cloud.conf"] = OFF
    assert names(tmp_path, found(tmp_path, files)) == [("web.yaml", "svc-local-no-monitor")]


def test_files_given_separately(tmp_path: Path) -> None:
    files = {"a/web.yaml": WEB, "b/cloud.conf": OFF}
    assert found(tmp_path, files, "a/web.yaml") == []
    assert len(found(tmp_path, files, "a/web.yaml", "b/cloud.conf")) == 1


def test_a_broken_cloud_conf_is_ignored(tmp_path: Path) -> None:
    assert found(tmp_path, {"web.yaml": WEB, "cloud.conf": OFF + "monitor-delay = 5\n"}) == []


def test_a_template_provides_its_fixed_values(tmp_path: Path) -> None:
    assert found(tmp_path, {"web.yaml": WEB, "cloud.conf.tmpl": OFF.replace("false", "${MONITOR}")}) == []
    assert found(tmp_path, {"web.yaml": WEB, "cloud.conf.tmpl": "[LoadBalancer]\n${MORE}\n"}) == []
    network = OFF + "floating-network-id = ${NETWORK}\n"
    assert len(found(tmp_path, {"web.yaml": WEB, "cloud.conf.tmpl": network})) == 1


@pytest.mark.parametrize("secret", ["S3cr3tW0rd!", '"S3cr3t W0rd"', "a#b;c", '"un\\"even"', "[LoadBalancer]"])
def test_secrets_in_the_folder_have_no_effect(tmp_path: Path, secret: str) -> None:
    conf = f"[Global]\nauth-url = https://k\nusername = u\npassword = {secret}\n{OFF}"
    assert len(found(tmp_path, {"web.yaml": WEB, "cloud.conf": conf})) == 1


def test_no_secret_is_kept_or_shown(tmp_path: Path) -> None:
    secret = "Canary7Zq9xWv"
    conf = (
        f"[Global]\nauth-url = https://u:{secret}@k\npassword = {secret}\napplication_credential_secret={secret}\n"
        f'[LoadBalancer]\ncreate-monitor = false\n[LoadBalancerClass "a"]\nfloating-network-id = x\n'
    )
    service = WEB.replace("  namespace", "  annotations: {loadbalancer.openstack.org/class: b}\n  namespace")
    for text in (conf, conf.replace("application_credential_secret", "token")):
        write(tmp_path, {"cloud.conf": text, "web.yaml": service})
        survey = survey_for_lint([str(tmp_path)], RunOptions())
        assert survey.linters.run_context.confs
        assert secret not in repr(survey.linters.run_context)
        result = check_paths([str(tmp_path)], LintOptions())
        assert "svc-class" in {one.rule for one in result.findings} or "_" in text
        assert secret not in repr(result)


def test_replicas_and_nodes_give_a_share(tmp_path: Path) -> None:
    files = {"web.yaml": WEB, "deployment.yaml": DEPLOYMENT, "cloud.conf": OFF}
    (one,) = found(tmp_path, files, nodes=12)
    assert one.label.startswith("at least 9 of 12 nodes have no pod of this Service (3 replicas given): 29 % of")
    (one,) = found(tmp_path, {"web.yaml": f"{WEB}---\n{DEPLOYMENT}"}, nodes=12)
    assert "(6 replicas given)" in one.label, "those of its own file count as well"
    (tmp_path / "deployment.yaml").unlink()
    (one,) = found(tmp_path, {}, nodes=12)
    assert "(3 replicas given)" in one.label
    assert (
        found(
            tmp_path,
            {"web.yaml": WEB, "deployment.yaml": DEPLOYMENT.replace("3", "3").replace("Deployment", "DaemonSet")},
            nodes=3,
        )
        == []
    )


def test_a_pod_on_every_node_needs_no_monitor(tmp_path: Path) -> None:
    files = {"web.yaml": WEB, "cloud.conf": OFF, "daemonset.yaml": DEPLOYMENT.replace("Deployment", "DaemonSet")}
    assert found(tmp_path, files) == []
    chosen = files["daemonset.yaml"] + "    spec: {nodeSelector: {edge: ''}}\n"
    (one,) = found(tmp_path, {"daemonset.yaml": chosen}, nodes=12)
    assert one.label.startswith("unless every node runs a pod"), "how many are chosen is unknown"


def test_nodes_are_counted_in_the_files(tmp_path: Path) -> None:
    nodes = "---\n".join(f"kind: Node\nmetadata: {{name: n{number}}}\n" for number in range(4))
    files = {"web.yaml": WEB, "deployment.yaml": DEPLOYMENT, "cloud.conf": OFF, "nodes.yaml": nodes}
    (one,) = found(tmp_path, files, *files)
    assert one.label.startswith("at least 1 of 4 nodes")


def test_a_patch_in_another_file_leaves_it_unknown(tmp_path: Path) -> None:
    patch = "kind: Service\nmetadata:\n  name: web\n  annotations: {loadbalancer.openstack.org/enable-health-monitor: 'true'}\n"
    files = {"base/web.yaml": WEB, "cloud.conf": OFF, "prod/patch.yaml": patch}
    assert found(tmp_path, files) == []
    assert len(found(tmp_path, {"prod/patch.yaml": patch.replace("name: web", "name: other")})) == 1


def test_services_share_across_files(tmp_path: Path) -> None:
    files = {"a/web.yaml": SHARED.format(name="web"), "b/api.yaml": SHARED.format(name="api")}
    assert names(tmp_path, found(tmp_path, files)) == [("b/api.yaml", "svc-shared-lb")]
    files["b/api.yaml"] = SHARED.format(name="api").replace("80", "81")
    assert found(tmp_path, files) == []
    files = {"a/web.yaml": SHARED.format(name="web") + "---\n" + SHARED.format(name="api"), "b/api.yaml": ""}
    assert names(tmp_path, found(tmp_path, files)) == [("a/web.yaml", "svc-shared-lb")]


def test_a_copy_for_another_cluster_is_not_another_service(tmp_path: Path) -> None:
    files = {"a/web.yaml": SHARED.format(name="web"), "b/web.yaml": SHARED.format(name="web")}
    assert {rule for _, rule in names(tmp_path, found(tmp_path, files))} == {"svc-lbid-in-git"}


def test_lists_and_services_inside_other_objects(tmp_path: Path) -> None:
    indented = "".join(f"    {line}\n" for line in WEB.splitlines())
    inside = f"kind: ConfigMap\nmetadata: {{name: addons}}\ndata:\n  web.yaml: |\n{indented}"
    listed = "kind: List\nitems:\n- " + indented.strip().replace("\n    ", "\n  ") + "\n"
    files = {"cloud.conf": OFF, "inside.yaml": inside, "list.yaml": listed}
    assert [(path, rule) for path, rule in names(tmp_path, found(tmp_path, files))] == [
        ("inside.yaml", "svc-local-no-monitor"),
        ("list.yaml", "svc-local-no-monitor"),
    ]


def test_services_of_other_types_and_clouds_have_no_findings(tmp_path: Path) -> None:
    aws = WEB.replace(
        "  namespace", "  annotations: {service.beta.kubernetes.io/aws-load-balancer-type: nlb}\n  namespace"
    )
    files = {
        "cloud.conf": OFF,
        "a.yaml": WEB.replace("LoadBalancer", "ClusterIP"),
        "b.yaml": WEB + "  loadBalancerClass: io.cilium/l2\n",
        "c.yaml": aws,
        "d.yaml": WEB.replace("LoadBalancer", "{{ .Values.type }}"),
    }
    assert found(tmp_path, files) == []


@pytest.mark.parametrize(
    "text",
    [
        "kind: Service\n",
        "kind: Service\nspec: []\n",
        "kind: Service\nmetadata: 1\nspec: {type: LoadBalancer, ports: 3}\n",
        "kind: Service\nmetadata: {annotations: [a]}\nspec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [x, {port: a}]}\n",
        WEB.replace("shop", "{{ x }}").replace("80", "{{ port }}"),
        WEB.replace("ports:", "ports: &p").replace("type:", "x: *y\n  type:"),
        "{{- if .x }}\n" + WEB + "{{- end }}\n",
    ],
)
def test_broken_services_do_not_crash(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"cloud.conf": OFF, "web.yaml": text})
    result = check_paths([str(tmp_path)], LintOptions(select=("services",)))
    assert not any(one.internal for one in result.failures)


def test_suppressed_by_annotation_and_comment(tmp_path: Path) -> None:
    asked = WEB.replace(
        "  namespace", "  annotations: {ccmcheck.dev/ignore: svc-local-no-monitor=on purpose}\n  namespace"
    )
    comment = WEB.replace(": Local", ": Local # ccmcheck: ignore[svc-local-no-monitor] on purpose")
    assert found(tmp_path, {"cloud.conf": OFF, "a.yaml": asked, "b.yaml": comment}) == []


def test_a_suppression_is_not_unused_where_the_rule_had_no_input() -> None:
    comment = WEB.replace(": Local", ": Local # ccmcheck: ignore[svc-local-no-monitor] on purpose")
    assert check_text(comment, "web.yaml") == []
    both = f"{comment}---\n{SECRET.format(base64.b64encode(ON.encode()).decode())}"
    rules = [one.rule for one in check_text(both, "web.yaml")]
    assert "unused-suppression" in rules


def test_a_run_reports_the_rules_without_input(tmp_path: Path) -> None:
    write(tmp_path, {"web.yaml": WEB})
    unjudged = check_paths([str(tmp_path)], LintOptions()).summary.unjudged
    assert "svc-local-no-monitor" in {one.rule for one in unjudged}
    write(tmp_path, {"cloud.conf": OFF})
    unjudged = check_paths([str(tmp_path)], LintOptions()).summary.unjudged
    assert "svc-local-no-monitor" not in {one.rule for one in unjudged}


def test_other_yaml_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository of other manifests only has their bytes read, with and without Services among them."""
    from ccmcheck import carriers
    from ccmcheck.lint import engine

    parsed: list[str] = []
    true_find = carriers.find

    def find(path: str, *args: object) -> carriers.FileContents:
        parsed.append(Path(path).name)
        return true_find(path, *args)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(carriers, "find", find)
    monkeypatch.setattr(engine, "find", find)
    files = {f"{number}.yaml": WEB.replace("LoadBalancer", "ClusterIP") for number in range(5)}
    assert found(tmp_path, {**files, "deployment.yaml": DEPLOYMENT}) == []
    assert parsed == []
    found(tmp_path, {"web.yaml": WEB.replace("Local", "Cluster")})
    assert parsed == ["web.yaml"], "parsed once"
    parsed.clear()
    found(tmp_path, {"web.yaml": WEB})
    assert parsed == ["deployment.yaml", "web.yaml"], "how many pods there are matters for Local alone"


@pytest.mark.parametrize(
    ("field", "advised"),
    [
        ('port: "8080"', "Write `port: 8080`, without quotes."),
        ('port: "99999"', ""),
        ('targetPort: "8080"', "Write `targetPort: 8080`, without quotes."),
        ('targetPort: "70000"', ""),
        ("name: HTTP_2", "Write `http-2`."),
        ("name: 1.5", ""),
        ("name: VERY_" + "LONG" * 20, ""),
    ],
)
def test_no_value_is_advised_that_is_refused_again(field: str, advised: str) -> None:
    port = field if field.startswith("port:") else f"port: 80, {field}"
    text = f"kind: Service\nmetadata: {{name: web}}\nspec:\n  type: LoadBalancer\n  ports:\n  - {{{port}}}\n"
    (finding,) = check_text(text, "web.yaml", LintOptions(select=("svc-invalid",)))
    assert finding.help == advised
    assert (finding.fix is not None) == bool(advised)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("{app}", "`{app}` was never filled in; the API server reads it literally"),
        *(
            (name, "name is a mapping, not a string")
            for name in (
                "{password: '{hunter}'}",
                "{password: {hunter}}",
                "{passwords: [{hunter}]}",
                "{password: <hunter>}",
                "{a, {hunter}}",
                "{? {hunter} }",
                "{a: b, # {hunter}\n    c: d}",
                "\n    password: <hunter>",
            )
        ),
    ],
)
def test_only_a_placeholder_alone_is_shown_of_a_mapping(name: str, label: str) -> None:
    text = f"kind: Service\nmetadata:\n  name: {name}\nspec:\n  type: LoadBalancer\n  ports: [{{port: 80}}]\n"
    (finding,) = [one for one in check_text(text, "web.yaml") if one.rule == "svc-invalid"]
    assert finding.label == label


CONFIG = "[Global]\nauth-url=https://k/v3\n[LoadBalancer]\nlb-provider=amphora\nmax-shared-lb={}\n"


@pytest.mark.parametrize("port", ["80", "81", "80, protocol: UDP"])
@pytest.mark.parametrize("most", [2, 3])
@pytest.mark.parametrize("internal", ["true", "false"])
def test_lint_refuses_the_guests_that_predict_sees_fail(tmp_path: Path, port: str, most: int, internal: str) -> None:
    guest = SHARED.format(name="mail").replace("port: 80", f"port: {port}")
    guest = guest.replace("\nspec:", f"\n    {INTERNAL}: '{internal}'\nspec:")
    files = {"a.yaml": SHARED.format(name="web"), "b.yaml": SHARED.format(name="api").replace("80", "90")}
    write(tmp_path, {**files, "c.yaml": guest, "cloud.conf": CONFIG.format(most)})
    predicted = json.loads(run(tmp_path, "predict", "--nodes", "3", "--format=json", ".").out)
    fails = {one["path"] for one in predicted["services"] if one["verdict"]["outcome"] == "error"}
    linted = json.loads(run(tmp_path, "lint", "--format=json").out)["findings"]
    assert {one["path"] for one in linted if one["rule"] == "svc-shared-lb"} == fails
    assert fails == ({"c.yaml"} if most == 2 or port == "80" or internal == "true" else set())
