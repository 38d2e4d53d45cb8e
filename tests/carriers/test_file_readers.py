"""Who reads a cloud.conf where the file around it, or the object's name, tells of another program than the CCM."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import put, run

from ccmcheck.carriers import find
from ccmcheck.carriers.base import IN_TREE

CONF = "[Global]\nauth-url=https://k/v3\nuser-id=u\npassword=p\n[LoadBalancer]\nmonitor-delay=5\n"
INDENTED = "".join(f"        {line}\n" for line in CONF.splitlines())
CONTROL_PLANE = f"""\
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata:
  name: one
spec:
  kubeadmConfigSpec:
    clusterConfiguration:
      controllerManager:
        extraArgs:
          cloud-provider: openstack
          cloud-config: /etc/kubernetes/cloud.conf
    files:
    - path: /etc/kubernetes/cloud.conf
      content: |
{INDENTED}"""
SCRIPT = f"cat > /etc/kubernetes/cloud.conf <<EOF\n{CONF}EOF\nkubelet --cloud-provider=openstack --cloud-config=/etc/kubernetes/cloud.conf\n"
SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {}\n  namespace: {}\nstringData:\n  cloud.conf: |\n"
    + "".join(f"    {line}\n" for line in CONF.splitlines())
)


def readers(name: str, text: str) -> tuple[str, ...]:
    (carried,) = find(name, text).carried
    return carried.consumers


@pytest.mark.parametrize(("name", "text"), [("x.yaml", CONTROL_PLANE), ("x.sh", SCRIPT)])
def test_the_flag_of_kubernetes_own_processes(tmp_path: Path, name: str, text: str) -> None:
    assert readers(name, text) == (IN_TREE,)
    assert (
        readers(
            name,
            text.replace("cloud-provider: openstack", "cloud-provider: external").replace("=openstack", "=external"),
        )
        == ()
    )
    assert readers(name, text + "# openstack-cloud-controller-manager\n") == ()
    assert readers(name, text.replace("openstack", "openstack-x")) == ()
    put(tmp_path, {name: text})
    done = run(tmp_path, "lint")
    assert "legacy-in-tree" in done.out
    assert "duration-bad" in done.out


CODE = f"```\n{CONF}```\n"
ON_NODE = f"Write /etc/kubernetes/cloud.conf on the master:\n\n{CODE}\n"
LINK = "[`openstack-cloud-controller-manager`](https://github.com/x/openstack-cloud-controller-manager)"
FLAGS = "    - kube-controller-manager\n    - --cloud-provider=openstack\n"
MENTIONED = f"Another way is the *Cloud Controller Manager*, see {LINK}.\n\n{ON_NODE}{FLAGS}"


@pytest.mark.parametrize(
    "text",
    [
        MENTIONED,
        f"{LINK}\n{ON_NODE}KUBELET_EXTRA_ARGS=--cloud-provider=openstack\n/usr/bin/kubelet --x --cloud-provider=openstack\n",
        f"{ON_NODE}    provisioner: kubernetes.io/cinder\n",
        f"{ON_NODE}see https://kubernetes.io/docs/concepts/cluster-administration/cloud-providers/#openstack\n",
        f'{ON_NODE}    "openstackCloudProvider": {{"global": {{}}}}\n',
        f"# A\n## In-tree\nThe Kubernetes Controller Manager reads it:\n\n{CODE}\n## The CCM\nA CCM can take its place.\n",
        f"## 1\n\n{CODE}\nKubernetes Controller Manager\uac00 Octavia.\n\n## 2\nCCM\uc774\n",
        f"## One\n\n{CODE}\nkube-controller-manager asks Octavia.\n\n### Two\ntext\n",
    ],
)
def test_what_a_page_tells_of_kubernetes_own_processes(text: str) -> None:
    assert readers("x.md", text) == (IN_TREE,)


@pytest.mark.parametrize(
    "text",
    [
        f"{MENTIONED}kubelet --cloud-provider=external\n",
        f"{MENTIONED}image: docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.15.0\n",
        f"{LINK}\n{ON_NODE}    - --cloud-provider=openstack\n",
        f"{LINK}\n{ON_NODE}{FLAGS}    - /bin/cloud-controller-manager\n    - --cloud-provider=openstack\n",
        f"{MENTIONED}kubectl apply -f https://raw.githubusercontent.com/x/y/openstack-cloud-controller-manager-ds.yaml\n",
        f"{CODE}    provisioner: kubernetes.io/cinder\n",
        f"{ON_NODE}    provisioner: kubernetes.io/cinder\nthe CCM\n",
        f"{ON_NODE}    provisioner: cinder.csi.openstack.org\n",
        f"{ON_NODE}    provisioner: kubernetes.io/cinder\n    cloud-provider: external\n",
        f"## A\nThe CCM takes over from kube-controller-manager:\n\n{CODE}\n",
        f"## A\nThe CCM\uc774 kube-controller-manager:\n\n{CODE}\n",
        f"## A\nThe kube-controller-manager.\n\n## B\n\n{CODE}\n",
        f"## A\nThe kube-controller-manager.\n\n{CODE}\n## B\nkubelet --cloud-provider=external\n",
        f"## A\nThe kube-controller-manager.\n\n{CODE}\n## B\nhttps://github.com/kubernetes/cloud-provider-openstack\n",
    ],
)
def test_a_page_that_may_be_about_the_ccm(text: str) -> None:
    assert readers("x.md", text) == ()


def test_the_words_around_a_cloud_conf_count_in_markdown_only() -> None:
    text = f"## A\n# The kube-controller-manager.\ncat > cloud.conf <<EOF\n{CONF}EOF\n"
    assert readers("x.sh", text) == ()


def test_messages_name_the_program_that_reads_the_file(tmp_path: Path) -> None:
    install = "helm install ccm cpo/openstack-cloud-controller-manager\n"
    put(tmp_path, {"x.sh": SCRIPT.replace("=p\n", "=<password>\n"), "cloud.conf": CONF, "up.sh": install})
    done = run(tmp_path, "lint")
    parts = done.out.split("\n\n")
    in_tree = [part for part in parts if part.startswith("x.sh:")]
    own = [part for part in parts if part.startswith("cloud.conf:")]
    (fatal,) = [part for part in in_tree if "duration-bad" in part]
    assert "fatal: the in-tree provider (kube-controller-manager, kubelet) stops at this line" in fatal
    assert "The in-tree provider (kube-controller-manager, kubelet) ends with: time: missing unit" in fatal
    (placeholder,) = [part for part in in_tree if "placeholder-left" in part]
    assert "the in-tree provider reads it literally" in placeholder
    assert "CCM" not in "".join(in_tree)
    (fatal,) = [part for part in own if "duration-bad" in part]
    assert "fatal: the CCM stops at this line" in fatal
    assert "in-tree" not in fatal


def test_what_holds_for_the_in_tree_provider_as_well_is_said(tmp_path: Path) -> None:
    text = SCRIPT.replace("https:", "http:").replace("monitor-delay=5", "create-monitor=true\nuse-octavia=true")
    put(tmp_path, {"x.sh": text})
    found = json.loads(run(tmp_path, "lint", "--format=json").out)["findings"]
    # application credentials came to the CCM later, and the key is read
    assert [one["rule"] for one in found] == ["auth-url-form", "auth-incomplete", "monitor-timers-missing-legacy"]
    put(tmp_path, {"x.sh": text.replace("--cloud-provider=openstack", "--cloud-provider=external")})
    found = json.loads(run(tmp_path, "lint", "--format=json").out)["findings"]
    assert {"auth-url-form", "key-removed"} <= {one["rule"] for one in found}


@pytest.mark.parametrize(
    ("name", "namespace", "reader"),
    [
        ("cluster-autoscaler-cloud-config", "kube-system", "cluster-autoscaler"),
        ("cloud-provider-config", "yawol-system", "yawol"),
        ("yawol-credentials", "x", "yawol"),
    ],
)
def test_a_program_without_known_releases_is_listed_and_not_judged(
    tmp_path: Path, name: str, namespace: str, reader: str
) -> None:
    put(tmp_path, {"x.yaml": SECRET.format(name, namespace)})
    assert json.loads(run(tmp_path, "lint", "--format=json").out)["findings"] == []
    (conf,) = json.loads(run(tmp_path, "list", "--format", "json").out)["cloud_confs"]
    assert conf["reader"] == reader


def test_the_ccm_s_own_secret_is_judged(tmp_path: Path) -> None:
    put(tmp_path, {"x.yaml": SECRET.format("cloud-config", "kube-system")})
    assert "duration-bad" in run(tmp_path, "lint").out


def test_files_of_several_readers_are_fixed_each_by_its_own(tmp_path: Path) -> None:
    text = (
        SECRET.format("cloud-config", "kube-system")
        + "---\nopenstackCloudProvider:\n  load_balancer:\n    monitor-delay: 5\n"
    )
    put(tmp_path, {"x.yaml": text})
    assert run(tmp_path, "fix", "--write").code == 0
    assert (tmp_path / "x.yaml").read_text() == text.replace("monitor-delay=5", "monitor-delay=5s").replace(
        "monitor-delay: 5", "monitor-delay: 5s"
    )


DRIVER = """\
---
kind: DaemonSet
metadata:
  name: cinder
spec:
  template:
    spec:
      containers:
      - name: driver
        image: quay.io/example/cinder-csi-plugin
      volumes:
      - name: cloudconfig
        secret:
          secretName: cloudconfig
"""
SHARED = SECRET.format("cloudconfig", "kube-system").split("    [LoadBalancer]")[0]


def test_a_secret_that_only_the_cinder_driver_of_its_file_mounts() -> None:
    assert readers("x.yaml", SHARED + DRIVER) == ("cinder-csi-plugin",)


@pytest.mark.parametrize(
    "text",
    [
        SHARED,
        SHARED.replace("cloudconfig", "cloud-config") + DRIVER,
        SHARED + DRIVER + "# openstack-cloud-controller-manager\n",
        SHARED + DRIVER.replace("image", "x-image-of"),
        SECRET.format("cloudconfig", "kube-system") + DRIVER,
    ],
    ids=["alone", "another Secret", "the CCM is there", "no image", "load balancers"],
)
def test_whose_secret_it_is_stays_unknown_without_that(text: str) -> None:
    assert readers("x.yaml", text) == ()


LOGIN = "[Global]\nauth-url=https://k/v3\nusername=u\npassword=p\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("pkg/csi/cinder/etc/cloud.conf", LOGIN, ("cinder-csi-plugin",)),
        (
            "volumes.yaml",
            "secret:\n  enabled: true\n  hostMount: true\n  data:\n    cloud.conf: |\n      [Global]\n      auth-url=https://k/v3\n",
            ("cinder-csi-plugin",),
        ),
        (
            "ccm.yaml",
            "secret:\n  enabled: true\n  data:\n    cloud.conf: |\n      [Global]\n      auth-url=https://k/v3\n",
            (),
        ),
        ("addons/cinder-csi/cloud.conf", LOGIN + "[BlockStorage]\nignore-volume-az=true\n", ("cinder-csi-plugin",)),
        ("addons/csi-cinder/cloud.conf", LOGIN + "[LoadBalancer]\nsubnet-id=x\n", ()),
        ("openstack-ccm/cinder-csi/cloud.conf", LOGIN, ()),
        ("addons/cinder/cloud.conf", LOGIN, ()),
        (
            "cinder-csi/run.sh",
            f"kubectl rollout restart ds openstack-cloud-controller-manager\ncat > cloud.conf <<EOF\n{LOGIN}EOF\n",
            (),
        ),
        (
            "cinder-csi/secret.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\nstringData:\n  cloud.conf: |\n    [Global]\n    auth-url=https://k\n",
            (),
        ),
    ],
)
def test_a_file_in_a_folder_of_the_driver_s(path: str, text: str, expected: tuple[str, ...]) -> None:
    assert readers(path, text) == expected


@pytest.mark.parametrize(
    ("path", "readers"),
    [
        ("roles/kubernetes/node/templates/cloud-configs/openstack-cloud-config.j2", (IN_TREE,)),
        ("kubespray/roles/kubernetes/preinstall/templates/openstack-cloud-config.j2", (IN_TREE,)),
        ("roles/kubernetes-apps/external_cloud_controller/openstack/templates/external-openstack-cloud-config.j2", ()),
        ("roles/kubernetes/node/templates/vsphere-cloud-config.j2", ()),
    ],
)
def test_kubespray_has_a_template_for_each_provider(path: str, readers: tuple[str, ...]) -> None:
    (carried,) = find(path, "[Global]\nauth-url={{ url }}\n[LoadBalancer]\nuse-octavia={{ octavia }}\n").carried
    assert carried.consumers == readers


@pytest.mark.parametrize(
    ("text", "readers"),
    [
        ("kubectl logs ds/swiss-otc-cloud-controller-manager", ("swiss-otc-cloud-controller-manager",)),
        ("kubectl logs ds/my-cloud-controller-manager", ()),
        ("kubectl logs ds/aws-cloud-controller-manager ds/openstack-cloud-controller-manager", ()),
        ("see aws-cloud-controller-manager and cloud-provider-openstack", ()),
    ],
)
def test_a_page_about_the_ccm_of_another_cloud(text: str, readers: tuple[str, ...]) -> None:
    (carried,) = find("page.md", f"{text}\n\n```ini\n{CONF}```\n").carried
    assert carried.consumers == readers


@pytest.mark.parametrize(
    ("head", "readers"),
    [
        ("func (i Conf) CinderCSIConfiguration() string {", ("cinder-csi-plugin",)),
        ("func yawolConfig() string {", ("yawol",)),
        ("func cinderCSI() string { return `a` }\nfunc config() string {", ()),
    ],
)
def test_a_function_of_go_is_named_after_who_reads_what_it_makes(head: str, readers: tuple[str, ...]) -> None:
    (carried,) = find("conf.go", f"package x\n\n{head}\n\treturn fmt.Sprintf(`{CONF}`, a)\n}}\n").carried
    assert carried.consumers == readers


_CLUSTER = "{0}clusterConfiguration:\n{0}  kubernetesVersion: v1.19.4\n{0}  controllerManager: {{extraArgs: {{cloud-provider: openstack}}}}\n"
_FILES = (
    "{0}files:\n{0}- path: /etc/kubernetes/cloud.conf\n{0}  content: |\n{0}    [Global]\n{0}    auth-url=https://k/v3\n"
)


@pytest.mark.parametrize(
    ("kind", "head", "blanks", "release"),
    [
        ("KubeadmConfig", "spec:\n", "  ", "v1.19.4"),
        ("KubeadmConfigTemplate", "spec:\n  template:\n    spec:\n", "      ", "v1.19.4"),
        ("KubeadmControlPlane", "spec:\n  kubeadmConfigSpec:\n", "    ", "v1.19.4"),
        ("KubeadmControlPlane", "spec:\n  version: v1.20.2\n  kubeadmConfigSpec:\n", "    ", "v1.20.2"),
        (
            "KubeadmControlPlaneTemplate",
            "spec:\n  template:\n    spec:\n      kubeadmConfigSpec:\n",
            "        ",
            "v1.19.4",
        ),
    ],
)
def test_kubeadm_says_the_release_of_the_in_tree_provider(
    tmp_path: Path, kind: str, head: str, blanks: str, release: str
) -> None:
    text = f"kind: {kind}\nmetadata: {{name: x}}\n{head}{_CLUSTER.format(blanks)}{_FILES.format(blanks)}"
    put(tmp_path, {"kubeadm.yaml": text})
    (conf,) = json.loads(run(tmp_path, "list", "--format=json").out)["cloud_confs"]
    assert (conf["reader"], conf["releases"]) == (IN_TREE, [release])


CREDENTIALS = "kind: Secret\nmetadata: {name: openstack-credentials}\nstringData:\n  cloudprovider.conf: |\n    [Global]\n    auth-url=https://k/v3\n    project-name=p\n    username=u\n    password=p\n"


@pytest.mark.parametrize(
    ("name", "text", "readers"),
    [
        ("golden/yawol-controller/credentials.yaml", CREDENTIALS, ("yawol",)),
        ("page.md", f"The values of yawol's chart:\n\n```yaml\n{CREDENTIALS}```\n", ("yawol",)),
        ("page.md", f"Instead of yawol use openstack-cloud-controller-manager:\n\n```yaml\n{CREDENTIALS}```\n", ()),
        ("credentials.yaml", CREDENTIALS, ()),
        ("/src/yawol/clusters/prod/credentials.yaml", CREDENTIALS, ()),
        ("secrets.yaml", f"# not that of yawol\n{CREDENTIALS}", ()),
    ],
)
def test_what_is_about_yawol_is_for_it(name: str, text: str, readers: tuple[str, ...]) -> None:
    (carried,) = find(name, text).carried
    assert carried.consumers == readers


KUBEONE = (
    "apiVersion: kubeone.io/v1beta1\nkind: KubeOneCluster\nversions:\n  kubernetes: '{}'\ncloudProvider:\n  openstack: {{}}\n"
    "{}  cloudConfig: |\n    [Global]\n    auth-url=https://k/v3\n    [LoadBalancer]\n    use-octavia=true\n"
)


@pytest.mark.parametrize(
    ("version", "more", "reader", "release"),
    [
        ("1.22.5", "", IN_TREE, "1.22.5"),
        ("v1.18.6", "", IN_TREE, "v1.18.6"),
        ("1.22.5", "  external: true\n", "ccm", ""),
        ("1.28.1", "", "ccm", ""),
        ("1hunter2", "", "ccm", ""),
    ],
)
def test_kubeone_installs_the_ccm_where_it_is_told(
    tmp_path: Path, version: str, more: str, reader: str, release: str
) -> None:
    put(tmp_path, {"kubeone.yaml": KUBEONE.format(version, more)})
    (conf,) = json.loads(run(tmp_path, "list", "--format=json").out)["cloud_confs"]
    assert conf["reader"] == reader
    if release:
        assert (conf["releases"], conf["release_source"]) == ([release], "kubeone.yaml:4")
    found = json.loads(run(tmp_path, "lint", "--format=json").out)
    assert ("key-removed" in {one["rule"] for one in found["findings"]}) == (reader == "ccm")
