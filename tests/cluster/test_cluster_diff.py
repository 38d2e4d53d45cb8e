"""`cluster diff`: a checkout beside what runs, by meaning; who changed what; what a sync changes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest
from api_faults import status
from api_server import BALANCER, CONF, UID, cluster, daemonset, kubeconfig, secret, service, serving
from cluster_runs import Done, failures, run

if TYPE_CHECKING:
    from pathlib import Path

    from api_server import ApiServer

CCM = "openstack-cloud-controller-manager"
SECRET = "/api/v1/namespaces/kube-system/secrets/cloud-config"
SERVICES = "/api/v1/services"
PODS = "/api/v1/namespaces/kube-system/pods"
LIVE = CONF.replace("monitor-delay = 5\n", "monitor-delay = 5s\n")
MANAGED_ELSEWHERE = "an-other-password-in-git"
TIMEOUT = "loadbalancer.openstack.org/timeout-client-data"
BALANCER_ID = "loadbalancer.openstack.org/load-balancer-id"

SAME_CONF = """\
# order, spelling and defaults that are written out
[LoadBalancer]
monitor-delay = 5000ms
create-monitor = YES
lb-method = ROUND_ROBIN
subnet-id = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
[Global]
region = RegionOne
password = hunter2-is-the-secret
username = ccm
auth-url = https://keystone.example.org:5000/v3
"""


def config(text: str = LIVE, name: str = "cloud-config") -> str:
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return (
        f"apiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: kube-system}}\n"
        f"stringData:\n  cloud.conf: |\n{body}"
    )


def ccm(*args: str, image: str = f"registry.k8s.io/provider-os/{CCM}:v1.31.2", env: str = "") -> str:
    words = "".join(f"        - {word!r}\n" for word in (f"/bin/{CCM}", *args))
    return (
        f"apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: {CCM}, namespace: kube-system}}\nspec:\n"
        "  selector: {matchLabels: {app: ccm}}\n  template:\n    metadata: {labels: {app: ccm}}\n    spec:\n"
        f"      containers:\n      - name: ccm\n        image: {image}\n        args:\n{words}{env}"
        "        volumeMounts: [{name: config, mountPath: /etc/config}]\n"
        "      volumes: [{name: config, secret: {secretName: cloud-config}}]\n"
    )


ARGS = ("--cloud-config=/etc/config/cloud.conf", "--cluster-name=prod")
WEB_ANNOTATION = "loadbalancer.openstack.org/enable-health-monitor"


def web(
    spec: str = "externalTrafficPolicy: Local, ",
    name: str = "web",
    namespace: str = "namespace: shop, ",
    annotations: str = f'{WEB_ANNOTATION}: "false"',
) -> str:
    return (
        f"apiVersion: v1\nkind: Service\nmetadata: {{name: {name}, {namespace}annotations: {{{annotations}}}}}\n"
        f"spec: {{type: LoadBalancer, {spec}ports: [{{port: 80}}], selector: {{app: web}}}}\n"
    )


def checkout(folder: Path, **files: str) -> Path:
    git = folder / "git"
    git.mkdir()
    for name, text in {"secret": config(), "ccm": ccm(*ARGS), "web": web(), **files}.items():
        if text:
            path = git / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return git


def diff(folder: Path, server: ApiServer | None = None, *arguments: str, form: str = "json", **files: str) -> Done:
    checkout(folder, **files)
    with serving(server or cluster(LIVE)) as there:
        access = kubeconfig(folder, there)
        return run(folder, "diff", "--kubeconfig", str(access), "--format", form, *arguments, "git")


def differences(done: Done) -> dict[str, tuple[str, str]]:
    return {
        one["name"]: (one["git"], one["live"])
        for compared in done.report["compared"]
        for one in compared["differences"]
    }


def compared(done: Done, kind: str) -> Any:
    (found,) = [one for one in done.report["compared"] if one["kind"] == kind]
    return found


def owner(manager: str, *path: str, operation: str = "Update", time: str = "2026-11-02T09:30:00Z") -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name in reversed(path):
        fields = {name if name.startswith("k:") else f"f:{name}": fields}
    return {"manager": manager, "operation": operation, "time": time, "fieldsV1": fields}


def live_web(*managers: dict[str, Any], annotations: dict[str, str] | None = None, **spec: Any) -> ApiServer:
    server = cluster(LIVE)
    given = {WEB_ANNOTATION: "false"} if annotations is None else annotations
    server.lists[SERVICES] = [
        service("web", annotations=given, managers=list(managers), **{"externalTrafficPolicy": "Local", **spec})
    ]
    return server


def test_the_same_is_no_drift(tmp_path: Path) -> None:
    done = diff(tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.report["verdict"] == "no drift: 3 objects compared"
    assert done.report["sync"] is None


def test_the_first_line_says_which_cluster_it_is(tmp_path: Path) -> None:
    server = cluster(LIVE)
    done = diff(tmp_path, server, form="text")
    assert done.out == (
        f"Cluster: context test, http://127.0.0.1:{server.port}, kube-system {UID}\n"
        "CCM v1.31.2: no drift: 3 objects compared\n"
    )


SAME_CCM = ccm(
    "--cluster_name",
    "prod",
    "--leader-elect",
    "--controllers=*",
    "--node-monitor-period=5000ms",
    "-v=0",
    "--cloud-config=$(FILE)",
    image=f"mirror.example.org/{CCM}:v1.31.2@sha256:{'0' * 64}",
    env="        env: [{name: FILE, value: /etc/config/cloud.conf}]\n",
)


@pytest.mark.parametrize(
    "files",
    [
        {"secret": config(SAME_CONF)},
        {"secret": config("[Global]\nunknown-key = 1\n" + LIVE)},
        {"ccm": SAME_CCM},
        {"web": web(annotations=f'{WEB_ANNOTATION}: "false", {TIMEOUT}: "50000"')},
        {"web": web(annotations=f'{WEB_ANNOTATION}: "false", team: shop, kustomize.toolkit.fluxcd.io/name: x')},
        {"web": web(annotations=f'{WEB_ANNOTATION}: "false", loadbalancer.openstack.org/keep-floatingip: "false"')},
        {"web": web("externalTrafficPolicy: Local, sessionAffinity: None, ipFamilyPolicy: SingleStack, ")},
        {"web": web(namespace="")},
    ],
)
def test_order_spelling_and_defaults_written_out_do_not_differ(files: dict[str, str], tmp_path: Path) -> None:
    done = diff(tmp_path, None, **files)
    assert differences(done) == {}
    assert done.code == 0


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"secret": config(LIVE.replace("create-monitor = true", "create-monitor = false"))},
            {"[LoadBalancer] create-monitor": ("false", "true")},
        ),
        (
            {"secret": config(LIVE.replace("create-monitor = true\n", ""))},
            {"[LoadBalancer] create-monitor": ("false", "true")},
        ),
        (
            {"secret": config(f'{LIVE}[LoadBalancerClass "gold"]\nsubnet-id = x\n')},
            {'[LoadBalancerClass "gold"] subnet-id': ("x", "")},
        ),
        ({"ccm": ccm(*ARGS, image=f"registry.k8s.io/provider-os/{CCM}:v1.33.0")}, {"image": ("v1.33.0", "v1.31.2")}),
        ({"ccm": ccm(ARGS[0])}, {"--cluster-name": ("kubernetes", "prod")}),
        ({"ccm": ccm(*ARGS, "--concurrent-service-syncs=4")}, {"--concurrent-service-syncs": ("4", "1")}),
        ({"ccm": ccm(*ARGS, "--leader-elect=false")}, {"--leader-elect": ("false", "true")}),
        ({"web": web("")}, {"spec.externalTrafficPolicy": ("Cluster", "Local")}),
        (
            {"web": web('externalTrafficPolicy: Local, loadBalancerSourceRanges: ["10.0.0.1/8"], ')},
            {"spec.loadBalancerSourceRanges": ("10.0.0.0/8", "")},
        ),
        ({"web": web(annotations="")}, {WEB_ANNOTATION: ("", "false")}),
        (
            {"web": web(annotations=f'{WEB_ANNOTATION}: "false", {TIMEOUT}: "9000"')},
            {TIMEOUT: ("9000", "")},
        ),
    ],
)
def test_each_difference_in_meaning_is_named(
    files: dict[str, str], expected: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    done = diff(tmp_path, None, **files)
    assert differences(done) == expected
    assert done.code == 1
    assert done.report["drift"] is True
    effects = {one["sync"] for compared in done.report["compared"] for one in compared["differences"]}
    assert (done.report["sync"] is None) == (effects == {""})


@pytest.mark.parametrize(
    "files",
    [
        {"secret": config(LIVE.replace("create-monitor = true", "create-monitor = ${MONITOR}"))},
        {"ccm": ccm("--cluster-name={{ .Values.name }}", "--cloud-config=/etc/config/cloud.conf")},
        {"ccm": ccm("{{ .Values.more }}", "--cloud-config=/etc/config/cloud.conf")},
        {"ccm": ccm(*ARGS, image=f"registry.k8s.io/provider-os/{CCM}:${{TAG}}")},
        {"web": web("externalTrafficPolicy: ${POLICY}, ")},
        {"web": web(annotations=f"{WEB_ANNOTATION}: ${{MONITOR}}")},
    ],
)
def test_what_only_rendering_gives_is_unknown_not_different(files: dict[str, str], tmp_path: Path) -> None:
    done = diff(tmp_path, None, **files)
    assert differences(done) == {}
    assert done.code == 0
    assert any(one["unknown"] for one in done.report["compared"])


def test_a_template_keeps_the_live_value_in_what_a_sync_changes(tmp_path: Path) -> None:
    text = LIVE.replace("floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90", "floating-network-id = ${NET}")
    done = diff(tmp_path, secret=config(text.replace("create-monitor = true", "create-monitor = false")))
    settings = done.report["sync"]["configs"][0]["settings"]
    assert [(one["key"], one["before"], one["after"]) for one in settings] == [("create-monitor", "true", "false")]


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
@pytest.mark.parametrize("verbose", ["-q", "-v", "-vv"])
def test_a_password_differs_and_is_never_shown(form: str, verbose: str, tmp_path: Path) -> None:
    text = LIVE.replace("hunter2-is-the-secret", MANAGED_ELSEWHERE)
    done = diff(tmp_path, None, verbose, form=form, secret=config(text))
    assert done.code == 1
    assert "password" in done.out
    assert "differs" in done.out or '"is_secret": true' in done.out
    encoded = [base64.b64encode(one.encode()).decode().rstrip("=") for one in (LIVE, text)]
    for canary in ("hunter2", MANAGED_ELSEWHERE, *encoded):
        assert canary not in done.said


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_secret_in_the_wrong_place_is_never_shown(form: str, tmp_path: Path) -> None:
    text = LIVE.replace("region = RegionOne", "region = hunter2-is-the-secret")
    done = diff(
        tmp_path,
        live_web(annotations={WEB_ANNOTATION: "hunter2-is-the-secret"}),
        "-vv",
        form=form,
        secret=config(text),
        ccm=ccm(*ARGS, "--user-agent=hunter2-is-the-secret", "--kubeconfig=hunter2-is-the-secret"),
    )
    assert done.code == 1
    assert "hunter2" not in done.said


def pod(started: str) -> dict[str, Any]:
    return {
        "metadata": {
            "name": "ccm-x",
            "namespace": "kube-system",
            "labels": {"app": "ccm"},
            "ownerReferences": [{"kind": "DaemonSet", "name": CCM}],
        },
        "spec": {**daemonset()["spec"]["template"]["spec"], "nodeName": "n0"},
        "status": {"containerStatuses": [{"name": "ccm", "state": {"running": {"startedAt": started}}}]},
    }


@pytest.mark.parametrize(
    ("started", "uses", "words"),
    [
        ("2026-11-01T08:00:00Z", "older", "uses an older text than the live one, changed by kubectl-edit (Update)"),
        ("2026-11-03T08:00:00Z", "live", "uses the live text, changed by kubectl-edit (Update)"),
        ("2026-11-02T09:31:00Z", "unknown", "may use an older text than the live one"),
    ],
)
def test_which_text_the_ccm_uses(started: str, uses: str, words: str, tmp_path: Path) -> None:
    server = cluster(LIVE)
    server.objects[SECRET] = {
        "apiVersion": "v1",
        "kind": "Secret",
        **secret(LIVE, managedFields=[owner("kubectl-edit", "data", "cloud.conf")]),
    }
    server.lists[PODS] = [pod(started)]
    text = LIVE.replace("create-monitor = true", "create-monitor = false")
    done = diff(tmp_path, server, secret=config(text))
    found = compared(done, "cloud.conf")
    assert (found["uses"], found["started"]) == (uses, started)
    assert found["changed"] == {
        "manager": "kubectl-edit",
        "operation": "Update",
        "time": "2026-11-02T09:30:00Z",
        "owns_more": False,
    }
    (tmp_path / "again").mkdir()
    assert words in diff(tmp_path / "again", server, form="text", secret=config(text)).out


POLICY = ("spec", "externalTrafficPolicy")


@pytest.mark.parametrize(
    ("manager", "operation", "sync", "health_check"),
    [
        ("kubectl-edit", "Update", "left", 1),
        ("kubectl-client-side-apply", "Update", "removed", 0),
        ("kustomize-controller", "Apply", "removed", 0),
        ("helm", "Update", "removed", 0),
    ],
)
def test_what_git_does_not_set_goes_only_where_an_applier_owns_it(
    manager: str, operation: str, sync: str, health_check: int, tmp_path: Path
) -> None:
    done = diff(tmp_path, live_web(owner(manager, *POLICY, operation=operation)), web=web(""))
    (difference,) = compared(done, "Service")["differences"]
    assert difference["sync"] == sync
    assert difference["changed"]["manager"] == manager
    if sync == "left":
        assert done.report["sync"] is None
    else:
        (changed,) = done.report["sync"]["services"]
        assert changed["before"]["policy"] == "Local"
        assert changed["after"]["policy"] == "Cluster"
    assert health_check == (done.report["sync"] is None)


def test_the_flag_s_owner_is_the_container_s(tmp_path: Path) -> None:
    server = cluster(LIVE)
    item = ("spec", "template", "spec", "containers", 'k:{"name":"ccm"}')
    changed = daemonset(cluster_name="dev")
    changed["metadata"]["managedFields"] = [owner("kubectl-edit", *item, "args"), owner("kubectl-set", *item, "image")]
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [changed]
    done = diff(tmp_path, server, ccm=ccm(*ARGS, image=f"x/{CCM}:v1.32.0"))
    found = {one["name"]: one["changed"]["manager"] for one in compared(done, "CCM")["differences"]}
    assert found == {"image": "kubectl-set", "--cluster-name": "kubectl-edit"}


def test_what_a_sync_changes_at_octavia(tmp_path: Path) -> None:
    done = diff(tmp_path, web=web("externalTrafficPolicy: Local, ").replace("port: 80", "port: 443"))
    (changed,) = done.report["sync"]["services"]
    assert (changed["service"], changed["fate"]) == ("shop/web", "reconciled")
    assert [one["method"] for one in changed["requests"]] == ["POST", "POST", "PUT", "DELETE", "DELETE"]


def test_the_id_that_the_ccm_wrote_is_no_drift(tmp_path: Path) -> None:
    annotations = {WEB_ANNOTATION: "false", BALANCER_ID: BALANCER}
    mine = owner(CCM, "metadata", "annotations", BALANCER_ID)
    assert diff(tmp_path, live_web(mine, annotations=annotations)).code == 0


@pytest.mark.parametrize("in_git", [True, False])
def test_the_id_that_somebody_wrote_is_drift_where_git_lacks_it(in_git: bool, tmp_path: Path) -> None:
    annotations = {WEB_ANNOTATION: "false", BALANCER_ID: BALANCER}
    theirs = owner("kubectl-client-side-apply", "metadata", "annotations", BALANCER_ID)
    given = f'{WEB_ANNOTATION}: "false"' + (f", {BALANCER_ID}: {BALANCER}" if in_git else "")
    done = diff(tmp_path, live_web(theirs, annotations=annotations), web=web(annotations=given))
    assert differences(done) == ({} if in_git else {BALANCER_ID: ("", BALANCER)})


def test_node_ports_that_kubernetes_allocated_are_no_drift(tmp_path: Path) -> None:
    ports = [{"port": 80, "protocol": "TCP", "nodePort": 31234}]
    live = live_web(ports=ports, healthCheckNodePort=32000, ipFamilies=["IPv4"])
    assert diff(tmp_path, live).code == 0
    (tmp_path / "fixed").mkdir()
    fixed = web().replace("port: 80", "port: 80, nodePort: 31235")
    done = diff(tmp_path / "fixed", live, web=fixed)
    assert differences(done) == {"spec.ports": ("80/TCP nodePort 31235", "80/TCP nodePort 31234")}


def subjects(done: Done, key: str) -> list[str]:
    return [one["subject"] for one in done.report[key]]


def test_objects_on_one_side_only(tmp_path: Path) -> None:
    server = cluster(LIVE)
    elsewhere = service("api")
    elsewhere["metadata"]["namespace"] = "other"
    inner = service("inner")
    inner["spec"]["type"] = "ClusterIP"
    server.add(SERVICES, service("old"), elsewhere, inner, service("foreign", loadBalancerClass="x/y"), kind="Service")
    done = diff(tmp_path, server, new=web("", name="new"), inner=web("", name="inner"))
    assert subjects(done, "only_git") == ["Service shop/new"]
    assert subjects(done, "only_live") == ["Service shop/old"]
    assert subjects(done, "elsewhere") == ["Service other/api"]
    assert differences(done) == {"spec.type": ("LoadBalancer", "ClusterIP")}
    assert done.code == 1
    fates = {one["service"]: one["fate"] for one in done.report["sync"]["services"]}
    assert fates == {"shop/new": "created"}


def test_without_names_nothing_live_is_called_missing_in_git(tmp_path: Path) -> None:
    server = cluster(LIVE)
    server.add(SERVICES, service("old"), kind="Service")
    done = diff(tmp_path, server, more=web("", name="${NAME}"))
    assert (done.code, subjects(done, "only_live"), subjects(done, "only_git")) == (0, [], [])
    assert "1 Services in git have names that only rendering gives" in done.report["notes"]


def test_without_a_complete_list_nothing_is_missing_in_the_cluster(tmp_path: Path) -> None:
    server = cluster(LIVE)
    server.fail(SERVICES, status(403))
    done = diff(tmp_path, server)
    assert done.code == 3
    assert subjects(done, "only_git") == []
    assert done.report["partial"] is True


def test_a_secret_that_cannot_be_read_leaves_the_rest_compared(tmp_path: Path) -> None:
    server = cluster(LIVE)
    server.fail(SECRET, status(403, "secrets is forbidden: hunter2-is-the-secret"))
    done = diff(tmp_path, server, ccm=ccm(*ARGS, "--leader-elect=false"))
    assert done.code == 3
    assert differences(done) == {"--leader-elect": ("false", "true")}
    assert failures(done) == {"Secret kube-system/cloud-config": "HTTP 403: the credentials do not allow it"}
    assert "hunter2" not in done.said


@pytest.mark.parametrize("status_code", [401, 403, 404, 409, 410, 422, 429, 500])
def test_no_body_of_an_error_is_shown(status_code: int, tmp_path: Path) -> None:
    server = cluster(LIVE)
    for path in (SECRET, SERVICES, PODS, "/api/v1/nodes"):
        fault = status(status_code, "hunter2-is-the-secret")._replace(headers=(("Retry-After", "99"),))
        server.fail(path, fault)
    done = diff(tmp_path, server, "-vv", form="text")
    assert done.code == 3
    assert "hunter2" not in done.said
    assert "Traceback" not in done.said


def test_nothing_but_get_is_sent(tmp_path: Path) -> None:
    server = cluster(LIVE)
    diff(tmp_path, server, ccm=ccm("--cluster-name=x"))
    assert {asked.method for asked in server.asked} == {"GET"}


def two_clusters(name: str) -> dict[str, str]:
    other = LIVE.replace("RegionOne", "RegionTwo")
    return {
        "secret": "",
        "ccm": "",
        "web": "",
        "a__secret": config(),
        "a__ccm": ccm(ARGS[0], "--cluster-name=prod"),
        "a__web": web(),
        "b__secret": config(other),
        "b__ccm": ccm(ARGS[0], f"--cluster-name={name}"),
        "b__web": web("", name="b"),
    }


def test_of_several_clusters_the_one_with_the_name_is_compared(tmp_path: Path) -> None:
    done = diff(tmp_path, None, **two_clusters("dev"))
    assert (done.code, done.err) == (0, "")
    assert {one["place"].partition(" ")[0].partition(":")[0] for one in done.report["compared"]} == {
        "git/a/secret.yaml",
        "git/a/ccm.yaml",
        "git/a/web.yaml",
    }


def test_several_clusters_of_one_name_are_wrong_use(tmp_path: Path) -> None:
    done = diff(tmp_path, None, **two_clusters("prod"))
    assert done.code == 2
    assert "Secret kube-system/cloud-config may be any of git/a/secret.yaml" in done.err
    assert "Name the folder of this cluster alone." in done.err


def test_a_kustomize_build_with_a_hash_in_the_name(tmp_path: Path) -> None:
    server = cluster(LIVE)
    name = "cloud-config-7h5mk2f9dd"
    server.lists["/apis/apps/v1/namespaces/kube-system/daemonsets"] = [daemonset(holder=name)]
    server.add("/api/v1/namespaces/kube-system/secrets", secret(LIVE, name=name), kind="Secret")
    git = tmp_path / "git"
    git.mkdir()
    (git / "cloud.conf").write_text(SAME_CONF.replace("YES", "no"))
    (git / "kustomization.yaml").write_text(
        "namespace: kube-system\nsecretGenerator: [{name: cloud-config, files: [cloud.conf]}]\nresources: [ccm.yaml]\n"
        f"images: [{{name: registry.k8s.io/provider-os/{CCM}, newTag: v1.32.0}}]\n"
    )
    (git / "ccm.yaml").write_text(ccm(*ARGS))
    with serving(server):
        done = run(tmp_path, "diff", "--kubeconfig", str(kubeconfig(tmp_path, server)), "--format", "json", "git")
    assert differences(done) == {"[LoadBalancer] create-monitor": ("false", "true"), "image": ("v1.32.0", "v1.31.2")}


def test_helm_values(tmp_path: Path) -> None:
    values = (
        "cloudConfig:\n  global:\n    auth-url: https://keystone.example.org:5000/v3\n    username: ccm\n"
        "    password: hunter2-is-the-secret\n    region: RegionOne\n  loadBalancer:\n    create-monitor: false\n"
        "    monitor-delay: 5s\n    floating-network-id: 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90\n"
        "    subnet-id: 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69\ncluster:\n  name: prod\n"
    )
    done = diff(tmp_path, secret="", ccm="", values=values)
    assert differences(done) == {"[LoadBalancer] create-monitor": ("false", "true")}
    assert "hunter2" not in done.said


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ingress-nginx, namespace: shop}
spec:
  targetNamespace: shop
  releaseName: ingress-nginx
  chart: {spec: {chart: ingress-nginx, version: 4.11.0, sourceRef: {kind: HelmRepository, name: x}}}
  values:
    controller:
      service:
        annotations: {loadbalancer.openstack.org/timeout-client-data: "9000"}
"""


def test_what_a_chart_s_values_do_not_set_is_unknown(tmp_path: Path) -> None:
    server = cluster(LIVE)
    ports = [{"port": 80, "protocol": "TCP"}, {"port": 443, "protocol": "TCP"}]
    annotations = {TIMEOUT: "8000", WEB_ANNOTATION: "true"}
    server.lists[SERVICES] = [
        service("ingress-nginx-controller", annotations=annotations, ports=ports, externalTrafficPolicy="Local")
    ]
    done = diff(tmp_path, server, web="", ingress=RELEASE)
    assert differences(done) == {TIMEOUT: ("9000", "8000")}
    assert compared(done, "Service")["unknown"] == ["what its chart sets without values"]


def test_where_nothing_belongs_together_it_is_not_clean(tmp_path: Path) -> None:
    server = cluster(LIVE)
    server.lists[SERVICES] = []
    done = diff(tmp_path, server, secret="", ccm="", web=web("", name="${NAME}"))
    assert done.code == 3
    assert done.report["verdict"] == "nothing could be compared"


def test_a_checkout_without_anything_to_compare(tmp_path: Path) -> None:
    (tmp_path / "git").mkdir()
    done = run(tmp_path, "diff", "git")
    assert done.code == 3
    assert "there is neither a cloud.conf, a CCM nor a Service in git" in done.err


def test_without_a_path_it_is_wrong_use(tmp_path: Path) -> None:
    assert run(tmp_path, "diff").code == 2
