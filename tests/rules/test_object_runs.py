"""Rules about several files of one run."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths, check_text

CONF = "[Global]\nauth-url = https://keystone\nuse-clouds = true\n"
BALANCER = "[LoadBalancer]\nfloating-network-id = 1c0d8b6e-6f0a-4f0e-9f57-0f5d5f3c2a11\n"
CCM = """\
kind: DaemonSet
metadata:
  name: ccm
  namespace: kube-system
spec:
  template:
    spec:
      tolerations:
      - operator: Exists
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.33.0
        args:
        - --cloud-config=/etc/config/cloud.conf
        - --cluster-name={name}
        volumeMounts:
        - {{name: conf, mountPath: /etc/config}}
      volumes:
      - {{name: conf, secret: {{secretName: cloud-config}}}}
"""
SECRET = """\
kind: Secret
metadata:
  name: cloud-config
  namespace: {namespace}
data:
  {key}: {value}
"""


def secret(key: str = "cloud.conf", namespace: str = "kube-system") -> str:
    return SECRET.format(key=key, namespace=namespace, value=base64.b64encode(CONF.encode()).decode())


def findings_of(folder: Path, /, **files: str) -> list[tuple[str, str]]:
    """Write files, lint the folder, and return the files with their rules; underscores in names are dots and slashes."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    result = check_paths([str(folder)], LintOptions(select=("objects", "clusterapi", "ovn-no-security-group")))
    assert result.failures == []
    return [(str(Path(one.place.path).relative_to(folder)), one.rule) for one in result.findings]


def test_correct_files_have_no_findings(tmp_path: Path) -> None:
    assert findings_of(tmp_path, ccm_yaml=CCM.format(name="prod"), secret_yaml=secret()) == []


def test_the_workload_in_the_folder_decides_the_key(tmp_path: Path) -> None:
    found = findings_of(tmp_path, a__ccm_yaml=CCM.format(name="a"), a__secret_yaml=secret("cloud-config"))
    assert found == [("a/secret.yaml", "secret-key-name")]


def test_the_nearest_workload_decides(tmp_path: Path) -> None:
    other = CCM.format(name="b").replace("/etc/config/cloud.conf", "/etc/config/cloud-config")
    files = {"a__ccm_yaml": CCM.format(name="a"), "b__ccm_yaml": other, "b__secret_yaml": secret("cloud-config")}
    assert findings_of(tmp_path, **files) == []


def test_the_workload_in_the_folder_decides_the_namespace(tmp_path: Path) -> None:
    found = findings_of(tmp_path, ccm_yaml=CCM.format(name="a"), secret_yaml=secret(namespace="openstack"))
    assert found == [("secret.yaml", "secret-wrong-place")]


def test_a_correct_secret_in_the_folder_does_not_hide_a_wrong_one(tmp_path: Path) -> None:
    files = {"ccm_yaml": CCM.format(name="a"), "one_yaml": secret(), "two_yaml": secret(namespace="openstack")}
    assert findings_of(tmp_path, **files) == [("two.yaml", "secret-wrong-place")]


def test_clusters_with_the_same_name(tmp_path: Path) -> None:
    files = {
        "a__ccm_yaml": CCM.format(name="x"),
        "b__ccm_yaml": CCM.format(name="x"),
        "c__ccm_yaml": CCM.format(name="y"),
    }
    assert findings_of(tmp_path, **files) == [(f"{one}/ccm.yaml", "cluster-name-default") for one in ("a", "b")]


OVN = CONF + BALANCER + "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
CLUSTER = "kind: OpenStackCluster\nmetadata: {name: prod}\nspec: {managedSecurityGroups: {GROUPS}}\n"
OPENED = "{workerNodesSecurityGroupRules: [{direction: ingress, portRangeMin: 30000, portRangeMax: 32767}]}"


@pytest.mark.parametrize(
    ("groups", "rule"), [("{}", "capi-sg-nodeports"), ("true", "ovn-no-security-group"), (OPENED, None)]
)
def test_closed_node_ports_are_one_finding(tmp_path: Path, groups: str, rule: str | None) -> None:
    found = findings_of(tmp_path, cloud_conf=OVN, cluster_yaml=CLUSTER.replace("{GROUPS}", groups))
    assert found == ([] if rule is None else [("cloud.conf", rule)])


def test_settings_of_the_scripts_apply_to_their_folder_only(tmp_path: Path) -> None:
    switches = "USE_OVN_LB_PROVIDER: true\n"
    conf = CONF + BALANCER + "lb-provider = amphora\nmanage-security-groups = true\n"
    found = findings_of(tmp_path, a__clusterctl_yaml=switches, a__cloud_conf=conf, b__cloud_conf=conf)
    assert found == [("a/cloud.conf", "scs-ovn-flags")]


def test_a_resource_set_in_another_file(tmp_path: Path) -> None:
    resources = "{strategy: Reconcile, resources: [{kind: Secret, name: addon}]}"
    outer = SECRET.replace("cloud-config", "addon").format(
        namespace="clusters", key="secret.yaml", value=base64.b64encode(secret().encode()).decode()
    )
    found = findings_of(
        tmp_path,
        crs_yaml=f"kind: ClusterResourceSet\nmetadata: {{name: ccm, namespace: clusters}}\nspec: {resources}\n",
        secret_yaml=outer,
    )
    assert found == [("secret.yaml", "secret-type")]


MACHINES = """\
kind: KubeadmConfigTemplate
metadata: {name: worker}
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration:
          name: x
"""


def test_machines_in_the_folder_of_an_openstack_cluster(tmp_path: Path) -> None:
    cluster = CLUSTER.replace("{GROUPS}", "true")
    files = {
        "a__cluster_yaml": cluster,
        "a__worker_yaml": MACHINES,
        "ccm_yaml": CCM.format(name="a"),
    }
    assert findings_of(tmp_path, **files) == [("a/worker.yaml", "capi-kubelet-external")]
    (tmp_path / "a/cluster.yaml").unlink()
    assert findings_of(tmp_path) == []


def test_the_version_of_the_control_plane_applies_to_its_workers() -> None:
    worker = MACHINES.replace("name: x", "kubeletExtraArgs: {cloud-provider: openstack}")
    plane = "---\nkind: KubeadmControlPlane\nmetadata: {name: prod}\nspec: {version: VERSION, kubeadmConfigSpec: {}}\n"
    options = LintOptions(select=("capi-intree",))
    assert check_text(worker + plane.replace("VERSION", "v1.25.3"), "x.yaml", options) == []
    (found,) = check_text(worker + plane.replace("VERSION", "v1.26.0"), "x.yaml", options)
    assert (found.rule, found.place.line) == ("capi-intree", 8)
    assert check_text(worker, "x.yaml", options) == []
    assert len(check_text(worker, "x.yaml", options._replace(kubernetes_version="1.30"))) == 1


def test_base64_in_a_secret_is_reported_once() -> None:
    text = secret().replace("data:", "stringData:")
    found = check_text(text, "secret.yaml")
    assert [(one.rule, one.place.line) for one in found] == [("secret-base64", 6)]


def test_base64_in_a_machines_file_is_reported_once() -> None:
    files = MACHINES.replace(
        "      joinConfiguration:\n        nodeRegistration:\n          name: x\n",
        f'      files:\n      - path: /etc/kubernetes/cloud.conf\n        permissions: "0600"\n'
        f"        content: {base64.b64encode(CONF.encode()).decode()}\n# openstack\n",
    )
    assert [one.rule for one in check_text(files, "worker.yaml")] == ["capi-cloudconf-file"]


KUBEADM = """\
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.33.0
apiServer:
  extraArgs: [{name: cloud-provider, value: external}]
"""
JOINS = """\
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration: {kubeletExtraArgs: [{name: cloud-provider, value: external}]}
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
nodeRegistration: {name: b}
"""


def test_kubeadms_own_configuration_beside_a_cloud_conf(tmp_path: Path) -> None:
    files = {"kubeadm_yaml": KUBEADM + JOINS, "other__cloud_conf": CONF}
    assert findings_of(tmp_path, **files) == []
    found = findings_of(tmp_path, cloud_conf=CONF)
    assert found == [("kubeadm.yaml", "capi-apiserver-flag"), ("kubeadm.yaml", "capi-kubelet-external")]
    elsewhere = JOINS.replace("[{name: cloud-provider, value: external}]", "[]")
    assert findings_of(tmp_path, kubeadm_yaml=KUBEADM + elsewhere) == [("kubeadm.yaml", "capi-apiserver-flag")]


@pytest.mark.parametrize(
    ("extra", "place", "told"),
    [
        ("{node-labels: a=b}", "", 1),
        ("{node-labels: a=b}", "ccm", 0),  # of another cluster
        ("{cloud-provider: external}", "", 0),
        ("{config: a}  # KUBELET_EXTRA_ARGS has it", "", 0),
    ],
)
def test_a_kubelet_without_an_external_provider_beside_a_ccm_is_information(
    tmp_path: Path, extra: str, place: str, told: int
) -> None:
    head = "apiVersion: kubeadm.k8s.io/v1beta3\nkind: InitConfiguration\nnodeRegistration:\n"
    (tmp_path / "kubeadm.yaml").write_text(f"{head}  kubeletExtraArgs: {extra}\n")
    (tmp_path / place).mkdir(exist_ok=True)
    (tmp_path / place / "ccm.yaml").write_text(CCM.format(name="a"))
    found = check_paths([str(tmp_path)], LintOptions(select=("capi-kubelet-external",))).findings
    assert [(one.severity.name, one.fix) for one in found] == [("INFO", None)] * told
    assert all("unless /etc/default/kubelet" in one.label for one in found)


@pytest.mark.parametrize(
    ("address", "severities"),
    [("https://keystone:5000", ["WARNING"]), ("https://192.0.2.1/v3", []), ("https://[2001:db8::1]:5000", []),
     ("https://192.0.2.1.example.com", ["WARNING"]), ("https://${KEYSTONE}:5000", ["INFO"]), ("", ["INFO"])],
)  # fmt: skip
def test_a_cloud_conf_beside_the_ccm_says_whether_it_asks_dns(
    tmp_path: Path, address: str, severities: list[str]
) -> None:
    pod = "hostNetwork: true\n      dnsPolicy: ClusterFirstWithHostNet\n      tolerations:"
    (tmp_path / "ccm.yaml").write_text(CCM.format(name="a").replace("tolerations:", pod))
    (tmp_path / "cloud.conf").write_text(CONF.replace("https://keystone", address))
    result = check_paths([str(tmp_path)], LintOptions(select=("ccm-dns-policy",)))
    assert [one.severity.name for one in result.findings] == severities


VALUES = "cloudConfig:\n  global:\n    auth-url: https://keystone\n    use-clouds: true\n"


@pytest.mark.parametrize(
    ("values", "rules"),
    [
        ("  networking:\n    public-network-name: [a, b]\n", ["helm-value-type"]),
        ("  loadBalancer:\n    loadBalancerClass:\n      gold: {subnet-id: x}\n", ["helm-value-type"]),
        ("  loadBalancer:\n    monitor-delay: 5\n", ["duration-bad", "monitor-timers-dead"]),
    ],
)
def test_a_mistake_of_the_charts_values_is_reported_once(values: str, rules: list[str]) -> None:
    options = LintOptions(ignore=("create-monitor-implicit", "use-clouds-incomplete"))
    assert [one.rule for one in check_text(VALUES + values, "values.yaml", options)] == rules


def test_what_openshift_deletes_is_reported_once() -> None:
    text = """\
kind: ConfigMap
metadata: {name: cloud-provider-config, namespace: openshift-config}
data:
  config: |
    [LoadBalancer]
    use-octavia = true
"""
    options = LintOptions(ignore=("create-monitor-implicit",))
    assert [one.rule for one in check_text(text, "config.yaml", options)] == ["openshift-managed-key"]


OPENSHIFT = """\
kind: ConfigMap
metadata: {name: cloud-provider-config, namespace: openshift-config}
data:
  config: |
    [Global]
    secret-name = openstack-credentials
    secret-namespace = kube-system
    kubeconfig-path = /var/lib/kubelet/kubeconfig
    region = R
    [LoadBalancer]
    use-octavia = true
    colour = red
"""


@pytest.mark.parametrize(
    ("kubelet", "findings"),
    [
        ("v1.14.6+cebabbf4a", []),  # no such operator
        ("v1.23.5+70fb84c", []),
        ("v1.26.3", ["rejects"]),  # keeps use-octavia
        ("v1.27.6", ["rejects", "removes"]),
        ("", ["rejects", "removes"]),
    ],
)
def test_an_operator_that_openshifts_nodes_show_to_be_missing_is_not_spoken_of(
    tmp_path: Path, kubelet: str, findings: list[str]
) -> None:
    (tmp_path / "config.yaml").write_text(OPENSHIFT)
    node = (
        f"kind: Node\nmetadata: {{name: a, labels: {{a: b}}}}\nstatus: {{nodeInfo: {{kubeletVersion: '{kubelet}'}}}}\n"
    )
    (tmp_path / "node.yaml").write_text("apiVersion: v1\n" + node)
    found = check_paths([str(tmp_path)], LintOptions(select=("openshift-managed-key",))).findings
    assert [one.label.split()[2] for one in found] == findings


def test_what_openshifts_in_tree_provider_reads_does_not_stop_it() -> None:
    options = LintOptions(consumer="legacy-in-tree", releases=("1.14",))
    found = [one for one in check_text(OPENSHIFT, "config.yaml", options) if "unknown key" in one.label]
    assert [one.place.line for one in found] == [12]
    assert not [one for one in check_text(OPENSHIFT, "config.yaml", options) if one.rule == "openshift-managed-key"]


def test_an_upgrade_is_no_remedy_for_a_provider_without_special_cases() -> None:
    for provider, release, upgrade in (("amphorav2", "1.33", 0), ("f5", "1.31", 0), ("ovn", "1.21", 1)):
        text = f"[LoadBalancer]\nlb-provider = {provider}\n"
        found = check_text(text, "cloud.conf", LintOptions(releases=(release,), select=("lb-provider-unknown",)))
        assert ["Upgrade" in (one.help) for one in found] == [bool(upgrade)]


CREDENTIAL = "[Global]\nauth-url = https://keystone\napplication-credential-id = {credential}\n"
SUBNET = "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"
CLOUD = "[Global]\nauth-url = {url}\ntenant-id = {project}\n"


@pytest.mark.parametrize(("project", "rules"), [("aa", ["cluster-name-shared"] * 2), ("bb", [])])
def test_two_clusters_of_one_name_are_an_error_in_one_project_alone(
    project: str, rules: list[str], tmp_path: Path
) -> None:
    for cluster, tenant in (("east", "aa"), ("west", project)):
        folder = tmp_path / "clusters" / cluster
        folder.mkdir(parents=True)
        (folder / "ccm.yaml").write_text(CCM.format(name="k8s"))
        url = "https://keystone/v3" if cluster == "east" else "https://keystone"
        (folder / "cloud.conf").write_text(CLOUD.format(project=tenant, url=url))
    result = check_paths([str(tmp_path)], LintOptions(select=("cluster-name-shared", "cluster-name-default")))
    assert [finding.rule for finding in result.findings] == rules
    assert all(finding.severity.word == "error" for finding in result.findings)


CHART = """\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {{name: ccm, namespace: kube-system}}
spec:
  chart: openstack-cloud-controller-manager
  repo: https://kubernetes.github.io/cloud-provider-openstack
  version: 2.31.2
  valuesContent: |-
    cluster: {{name: k8s}}
    cloudConfig:
      global: {{auth-url: "https://keystone/v3", username: u, password: p, domain-name: d, tenant-name: one}}
      loadBalancer:
        subnet-id: {subnet}
"""


@pytest.mark.parametrize(
    ("files", "east", "west", "is_known"),
    [
        ({"ccm.yaml": CHART}, {"subnet": SUBNET}, {"subnet": SUBNET}, True),
        ({"ccm.yaml": CHART}, {"subnet": "<subnet-id>"}, {"subnet": "<subnet-id>"}, False),
        ({"ccm.yaml": CHART}, {"subnet": SUBNET}, {"subnet": '"<subnet-id>" # yours'}, False),
        ({"ccm.yaml": CCM, "cloud.conf": CLOUD}, {"project": "aa"}, {"project": "aa"}, True),
        ({"ccm.yaml": CCM, "cloud.conf": CLOUD}, {"project": "CHANGEME"}, {"project": "CHANGEME"}, False),
        ({"ccm.yaml": CCM, "cloud.conf": CLOUD}, {"project": "<project>"}, {"project": "<project>"}, False),
    ],
)
def test_what_is_still_to_be_filled_in_says_no_project(
    files: dict[str, str], east: dict[str, str], west: dict[str, str], is_known: bool, tmp_path: Path
) -> None:
    for cluster, values in (("east", east), ("west", west)):
        for name, text in files.items():
            path = tmp_path / "clusters" / cluster / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.format(name="k8s", url="https://keystone/v3", **values))
    result = check_paths([str(tmp_path)], LintOptions(select=("cluster-name-shared", "cluster-name-default")))
    found = {(finding.rule, finding.severity.word) for finding in result.findings}
    assert found == {("cluster-name-shared", "error") if is_known else ("cluster-name-default", "info")}


@pytest.mark.parametrize(
    ("credential", "more", "rules"),
    [
        ("aa", "", ["cluster-name-shared"] * 2),
        # another credential may be of the same project
        ("bb", "", ["cluster-name-default"] * 2),
        # with a password the CCM does not use the credential
        ("aa", "username = ccm\npassword = x\n", ["cluster-name-default"] * 2),
    ],
)
def test_two_clusters_with_one_application_credential_are_in_one_project(
    credential: str, more: str, rules: list[str], tmp_path: Path
) -> None:
    for cluster, id_ in (("east", "aa"), ("west", credential)):
        folder = tmp_path / "clusters" / cluster
        folder.mkdir(parents=True)
        (folder / "ccm.yaml").write_text(CCM.format(name="k8s"))
        (folder / "cloud.conf").write_text(CREDENTIAL.format(credential=id_) + more)
    result = check_paths([str(tmp_path)], LintOptions(select=("cluster-name-shared", "cluster-name-default")))
    assert [finding.rule for finding in result.findings] == rules


NODE = """\
kind: Node
metadata: {name: a, labels: {node-role.kubernetes.io/control-plane: "true"}}
spec: {taints: [{key: node-role.kubernetes.io/etcd, value: "true", effect: NoExecute}]}
"""


@pytest.mark.parametrize(
    ("toleration", "said"),
    [
        ("{key: node-role.kubernetes.io/etcd, effect: NoExecute}", "etcd` with `true:NoExecute`: the one with this key is for another value"),
        ("{key: node-role.kubernetes.io/master}", "no toleration for `node-role.kubernetes.io/etcd`"),
        ("{key: node-role.kubernetes.io/etcd, operator: Exists}", None),
    ],
)  # fmt: skip
def test_a_toleration_of_the_key_alone_is_told_as_such(tmp_path: Path, toleration: str, said: str | None) -> None:
    new = "{key: node.cloudprovider.kubernetes.io/uninitialized, operator: Exists}"
    (tmp_path / "ccm.yaml").write_text(CCM.format(name="prod").replace("{operator: Exists}", "").replace(
        "      - operator: Exists\n", f"      - {new}\n      - {toleration}\n"
    ), encoding="utf-8")  # fmt: skip
    (tmp_path / "nodes.yaml").write_text(NODE, encoding="utf-8")
    found = [one for one in check_paths([str(tmp_path)]).findings if one.rule == "ccm-tolerations"]
    assert [(said or "") in one.label for one in found] == ([True] if said is not None else [])


def test_what_holds_for_local_services_alone_is_said_so() -> None:
    options = LintOptions(releases=("v1.24.2",), select=("create-monitor-implicit",))
    given = check_text(CONF + BALANCER, "cloud.conf", options)
    assert [one.detail.startswith("With externalTrafficPolicy Local: ") for one in given] == [True]
