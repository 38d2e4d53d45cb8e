"""Cinder's StorageClasses and volumes: the other files of the folder decide, and what they do not show is no verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths
from ccmcheck.base.model import Severity

CONF = "[Global]\nauth-url = https://keystone.example.com/v3\nregion = R\nusername = k\npassword = {password}\ntenant-id = t\n"
ALONE = CONF.format(password="s") + "[BlockStorage]\nnode-volume-attach-limit = 20\n"
IGNORES = CONF.format(password="s") + "[BlockStorage]\nignore-volume-az = true\n"
CLASS = """\
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: {name}}}
provisioner: cinder.csi.openstack.org
volumeBindingMode: WaitForFirstConsumer
{more}
"""
PLAIN = CLASS.format(name="fast", more="")
NOVA = CLASS.format(name="fast", more="parameters: {type: ssd, availability: nova}")
NODE = """\
apiVersion: v1
kind: Node
metadata: {{name: {zone}, labels: {{topology.kubernetes.io/zone: {zone}, topology.cinder.csi.openstack.org/zone: {zone}}}}}
spec: {{providerID: 'openstack:///7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f01'}}
---
"""
DRIVER = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: csi, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
        - {{name: csi-provisioner, image: 'registry.k8s.io/sig-storage/csi-provisioner:{provisioner}', args: [{gate}, --default-fstype=ext4]}}
        - name: cinder-csi-plugin
          image: registry.k8s.io/provider-os/cinder-csi-plugin:{release}
          args: [--cloud-config=/etc/config/cloud.conf, {flags}]
"""
ON = DRIVER.format(provisioner="v3.6.2", gate="--feature-gates=Topology=true", release="v1.28.0", flags="--v=1")
OLD_ON = ON.replace("v1.28.0", "v1.19.2")
OFF = DRIVER.format(provisioner="v3.6.2", gate="--v=1", release="v1.28.0", flags="--v=1")
ON_BY_DEFAULT = DRIVER.format(provisioner="v5.3.0", gate="--v=1", release="v1.33.0", flags="--v=1")
BY_FLAG = DRIVER.format(provisioner="v5.3.0", gate="--v=1", release="v1.34.0", flags="--with-topology=false")
OPEN = DRIVER.format(
    provisioner="v3.6.2", gate="--feature-gates=Topology={{ .Values.topology }}", release="v1.28.0", flags="--v=1"
)


def found(folder: Path, **files: str) -> list[tuple[Severity, str]]:
    """What the rule says of a folder with files; underscores in their names are dots."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    result = check_paths([str(folder)], LintOptions(select=("cinder-storage",)))
    assert result.failures == []
    return [(one.severity, f"{one.label} {one.detail} {one.help}") for one in result.findings]


OUTSIDE = "volumes are made in zone `nova`, and no Node here is in it"
IN_SPITE = "in spite of `ignore-volume-az`"
DEFAULT_ZONE = "Cinder takes its default one"
TOLD = {
    "in a zone without nodes": ({"c_yaml": NOVA, "csi_yaml": ON, "cloud_conf": ALONE}, Severity.WARNING, OUTSIDE),
    "by default": ({"c_yaml": NOVA, "csi_yaml": ON_BY_DEFAULT, "cloud_conf": ALONE}, Severity.WARNING, OUTSIDE),
    "without a driver": ({"c_yaml": NOVA, "cloud_conf": ALONE}, Severity.INFO, OUTSIDE),
    "without a cloud.conf": ({"c_yaml": NOVA, "csi_yaml": ON}, Severity.INFO, OUTSIDE),
    "before 1.20": (
        {"c_yaml": NOVA, "csi_yaml": OLD_ON, "cloud_conf": IGNORES},
        Severity.WARNING,
        "`availability` counts for nothing",
    ),
    "ignored, and asked for": ({"c_yaml": PLAIN, "csi_yaml": ON, "cloud_conf": IGNORES}, Severity.INFO, IN_SPITE),
    "ignored, nothing else": ({"c_yaml": PLAIN, "cloud_conf": IGNORES}, Severity.INFO, IN_SPITE),
    "no topology": ({"c_yaml": PLAIN, "csi_yaml": OFF, "cloud_conf": ALONE}, Severity.INFO, DEFAULT_ZONE),
}
SILENT = {
    "as the nodes are": {"c_yaml": NOVA.replace("nova", "az1"), "csi_yaml": ON, "cloud_conf": ALONE},
    "ignored": {"c_yaml": NOVA, "csi_yaml": ON, "cloud_conf": IGNORES},
    "without topology": {"c_yaml": NOVA, "csi_yaml": OFF, "cloud_conf": ALONE},
    "without topology by the flag": {"c_yaml": NOVA, "csi_yaml": BY_FLAG, "cloud_conf": ALONE},
    "a template decides": {"c_yaml": NOVA, "csi_yaml": OPEN, "cloud_conf": ALONE},
    "zones of nodes": {"c_yaml": PLAIN, "csi_yaml": ON, "cloud_conf": ALONE},
    "the zone by a template": {
        "c_yaml": NOVA.replace("nova", "{{ .Values.zone }}"),
        "csi_yaml": ON,
        "cloud_conf": ALONE,
    },
    "a Node without a zone": {
        "c_yaml": NOVA,
        "csi_yaml": ON,
        "cloud_conf": ALONE,
        "n_yaml": "kind: Node\napiVersion: v1\nmetadata: {name: x, labels: {a: b}}\n",
    },
    "another driver": {"c_yaml": NOVA.replace("cinder.csi.openstack.org", "other.csi.example.com"), "csi_yaml": ON},
    "topologies of the driver": {
        "c_yaml": CLASS.format(
            name="a",
            more="allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/region, values: [R]}]}]",
        ),
        "csi_yaml": ON.replace("--v=1]", "--additional-topology=topology.kubernetes.io/region=R]").replace(
            "1.28", "1.31"
        ),
    },
}

CSI_NODE = """\
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {{name: n}}
spec: {{drivers: [{{name: cinder.csi.openstack.org, nodeID: {id}, topologyKeys: []}}{more}]}}
"""
BLOCKS = ", {name: ebs.csi.aws.com, nodeID: i-000012ab}"


@pytest.mark.parametrize(
    ("node_id", "more", "words"),
    [
        ("i-000012ab", "", "an ID of EC2's kind"),
        ("i-000012ab", ", {name: nfs.csi.k8s.io, nodeID: n}", "an ID of EC2's kind"),
        ("n.example.com", "", "another ID than that of its server"),
        ("7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f01", "", ""),
        ("7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f01", BLOCKS, ""),
        ("7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f01", ", {name: nfs.csi.k8s.io, nodeID: n}", ""),
    ],
)
def test_a_node_has_the_id_of_its_server(node_id: str, more: str, words: str, tmp_path: Path) -> None:
    told = found(tmp_path, n_yaml=CSI_NODE.format(id=node_id, more=more))
    assert [severity for severity, _ in told] == [Severity.WARNING] * bool(words)
    assert all(words in text for _, text in told)


@pytest.mark.parametrize(
    ("release", "force", "words"),
    [
        ("v1.18.2", "true", "does not know `force-create` yet"),
        ("v1.21.0", "true", ""),
        ("v1.22.1", "true", "does not read `force-create`"),
        ("v1.22.2", "true", ""),
        ("v1.23.0", "true", "does not read `force-create`"),
        ("v1.23.0", "false", ""),
        ("v1.23.2", "true", ""),
        ("latest", "true", ""),
    ],
)
def test_old_drivers_do_not_force_snapshots(release: str, force: str, words: str, tmp_path: Path) -> None:
    snapshots = f'kind: VolumeSnapshotClass\napiVersion: snapshot.storage.k8s.io/v1\nmetadata: {{name: s}}\n\
driver: cinder.csi.openstack.org\ndeletionPolicy: Delete\nparameters: {{force-create: "{force}"}}\n'
    told = found(tmp_path, csi_yaml=ON.replace("v1.28.0", release), s_yaml=snapshots)
    assert [severity for severity, _ in told] == [Severity.WARNING] * bool(words)
    assert all(words in text for _, text in told)


@pytest.mark.parametrize(("files", "severity", "words"), TOLD.values(), ids=TOLD)
def test_what_follows_of_zones(files: dict[str, str], severity: Severity, words: str, tmp_path: Path) -> None:
    ((found_severity, text),) = found(tmp_path, nodes_yaml=NODE.format(zone="az1") + NODE.format(zone="az2"), **files)
    assert found_severity is severity
    assert words in text


@pytest.mark.parametrize("files", SILENT.values(), ids=SILENT)
def test_right_deployments_are_silent(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, nodes_yaml=NODE.format(zone="az1"), **files) == []


PV = """\
apiVersion: v1
kind: PersistentVolume
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  csi: {driver: cinder.csi.openstack.org, volumeHandle: 421806a2-db1e-460a-b65b-b1ae38b46317}
  nodeAffinity: {required: {nodeSelectorTerms: [TERMS]}}
"""
ZONE = "{matchExpressions: [{key: topology.cinder.csi.openstack.org/zone, operator: In, values: [nova]}]}"


@pytest.mark.parametrize(
    ("terms", "count"),
    [
        (ZONE, 1),
        (f"{ZONE}, {ZONE.replace('nova', 'b')}", 1),
        (f"{ZONE}, {ZONE.replace('nova', 'az1')}", 0),
        (ZONE.replace("In", "NotIn"), 0),
        (f"{ZONE}, {{matchExpressions: [{{key: disk, operator: Exists}}]}}", 0),
    ],
)
def test_a_volume_is_for_the_nodes_of_any_term(terms: str, count: int, tmp_path: Path) -> None:
    assert len(found(tmp_path, pv_yaml=PV.replace("TERMS", terms), nodes_yaml=NODE.format(zone="az1"))) == count


def test_the_class_of_a_claim_may_be_in_another_file(tmp_path: Path) -> None:
    claim = "kind: PersistentVolumeClaim\napiVersion: v1\nmetadata: {name: c}\nspec: {accessModes: [ReadWriteMany], storageClassName: fast}\n"
    ((severity, text),) = found(tmp_path, c_yaml=PLAIN, pvc_yaml=f"{claim}---\n{PV.replace('TERMS', ZONE)}")
    assert severity is Severity.WARNING
    assert "ReadWriteMany" in text


UMBRELLA = """\
apiVersion: v2
name: storage
version: 0.1.0
dependencies:
  - {name: openstack-cinder-csi, version: VERSION, repository: 'https://kubernetes.github.io/cloud-provider-openstack'}
"""
OLD_SECRET = (
    "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\nstringData:\n  cloud.conf: |\n    "
    + ALONE.replace("\n", "\n    ")
)


@pytest.mark.parametrize(("version", "is_told"), [("1.2.0", False), ("1.3.9", True), ("2.33.0", False)])
def test_a_chart_around_the_drivers_says_which_key_it_reads(version: str, is_told: bool, tmp_path: Path) -> None:
    from command_line import run

    files = {
        "Chart.yaml": UMBRELLA.replace("VERSION", version),
        "values.yaml": "openstack-cinder-csi:\n  secret: {enabled: true, name: cloud-config}\n",
        "secret.yaml": OLD_SECRET,
    }
    for name, written in files.items():
        (tmp_path / name).write_text(written, encoding="utf-8")
    assert (
        "reads the key `cloud-config`, which is missing" in " ".join(run(tmp_path, "lint", ".").out.split())
    ) is is_told


def test_other_values_of_the_chart_around_are_read_too(tmp_path: Path) -> None:
    from command_line import run

    (tmp_path / "Chart.yaml").write_text(UMBRELLA.replace("VERSION", "2.33.0"), encoding="utf-8")
    values = (
        "openstack-cinder-csi:\n  csi: {provisioner: {topology: 'true'}}\nother:\n  cloud.conf: |\n    "
        + ALONE.replace("\n", "\n    ")
    )
    (tmp_path / "values.yaml").write_text(values, encoding="utf-8")
    assert "other.cloud.conf" in run(tmp_path, "list", "-v", ".").out


def test_one_class_of_a_file_speaks_for_all(tmp_path: Path) -> None:
    classes = "---\n".join(CLASS.format(name=name, more="") for name in ("a", "b", "c"))
    assert len(found(tmp_path, c_yaml=classes, cloud_conf=IGNORES)) == 1


def test_two_cloud_confs_that_differ_are_unknown(tmp_path: Path) -> None:
    assert found(tmp_path, c_yaml=PLAIN, a_conf=ALONE, cloud_conf=IGNORES) == []


def test_the_old_class_needs_the_driver(tmp_path: Path) -> None:
    old = PLAIN.replace("cinder.csi.openstack.org", "kubernetes.io/cinder")
    ((severity, text),) = found(tmp_path, c_yaml=old)
    assert severity is Severity.INFO
    assert "which none of the files here installs" in text
    assert found(tmp_path, c_yaml=old, csi_yaml=ON) == []


DAEMON_SET = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: NAME, namespace: kube-system}
spec:
  selector: {matchLabels: {app: csi}}
  template:
    spec:
      containers:
        - name: cinder-csi-plugin
          image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.31.2
          args: [--cloud-config=/etc/kubernetes/cloud.conf, FLAG]
          volumeMounts: [MOUNTS]
      volumes: [{name: kubelet, hostPath: {path: /var/lib/kubelet}}, {name: dev, hostPath: {path: /dev}}]
"""
MOUNT = "{name: kubelet, mountPath: /var/lib/kubelet}"
PROPAGATED = MOUNT.replace("}", ", mountPropagation: Bidirectional}")


@pytest.mark.parametrize(
    ("name", "flag", "mounts", "words"),
    [
        ("csi-cinder-nodeplugin", "--v=1", MOUNT, "Write `mountPropagation: Bidirectional` at the mount"),
        ("csi-cinder-nodeplugin", "--v=1", PROPAGATED, "available only to privileged containers"),
        ("csi-cinder-nodeplugin", "--v=1", f"{PROPAGATED}]\n          securityContext: {{privileged: true}} #", ""),
        # nothing of the kubelet's folder is mounted
        ("csi-cinder-nodeplugin", "--v=1", "{name: dev, mountPath: /dev}", "Mount the hostPath `/var/lib/kubelet`"),
        ("csi-cinder-controllerplugin", "--v=1", "{name: dev, mountPath: /dev}", ""),
        ("csi-cinder", "--provide-node-service=false", "{name: dev, mountPath: /dev}", ""),
        ("csi-cinder-controllerplugin", "--provide-node-service=false", MOUNT, ""),
    ],
)
def test_mounts_of_the_node_plug_in(name: str, flag: str, mounts: str, words: str, tmp_path: Path) -> None:
    text = DAEMON_SET.replace("NAME", name).replace("FLAG", flag).replace("MOUNTS", mounts)
    texts = [text for _, text in found(tmp_path, ds_yaml=text)]
    assert bool(texts) == bool(words)
    assert all(words in one for one in texts)


def test_an_alias_bomb_takes_no_time(tmp_path: Path) -> None:
    bomb = "x: &a [1,1,1,1,1,1,1,1]\n" + "".join(
        f"y{n}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(8)
    )
    assert found(tmp_path, c_yaml=PLAIN + bomb + "allowedTopologies: *i\n") == []


def test_no_secret_is_shown(tmp_path: Path) -> None:
    secret = "c4naryc4nary"
    classes = CLASS.format(name="a", more=f"parameters: {{availability: {secret}, {secret}: x}}")
    (tmp_path / "cloud.conf").write_text(CONF.format(password=secret), encoding="utf-8")
    (tmp_path / "c.yaml").write_text(classes, encoding="utf-8")
    (tmp_path / "n.yaml").write_text(NODE.format(zone=secret), encoding="utf-8")
    from command_line import run

    assert secret not in run(tmp_path, "lint", ".").out


CLAIM = """\
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"""
OTHER = "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: x}\nprovisioner: other.example.com\n"


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        pytest.param({"csi_yaml": OFF}, True, id="no class at all"),
        pytest.param({}, False, id="no driver"),
        pytest.param({"csi_yaml": OFF, "x_yaml": OTHER}, False, id="another class"),
        pytest.param({"csi_yaml": OFF, "x_yaml": OTHER.replace("other.", "{{ .Values.a }}.")}, False, id="by a template"),
        pytest.param({"csi_yaml": OFF, "c_yaml": PLAIN}, False, id="one of the driver"),
        pytest.param({"csi_yaml": OFF, "c_sh": f"kubectl apply -f - <<E\n{OTHER}E\n"}, False, id="by a command"),
        pytest.param({"csi_yaml": OFF, "c_md": f"```sh\nkubectl apply -f - <<E\n{OTHER}E\n```\n"}, False, id="by a guide"),
        pytest.param({"csi_yaml": OFF, "c_tf": 'resource "kubernetes_storage_class_v1" "a" {}\n'}, False, id="by Terraform"),
        pytest.param({"csi_yaml": OFF, "c_tf": 'manifest = {\n  kind = "StorageClass"\n}\n'}, False, id="by its manifest"),
        pytest.param({"csi_yaml": OFF, "c_sh": "kubectl get pods\n"}, True, id="another command"),
        pytest.param({"csi_yaml": OFF.replace(":v1.28.0", "")}, False, id="no release, as by its chart"),
        pytest.param({"csi_yaml": OFF, "p_yaml": CLAIM.replace("spec: {", "spec: {storageClassName: a, ")}, False, id="of a class"),
        pytest.param({"csi_yaml": OFF, "p_yaml": CLAIM.replace("spec: {", "spec: {storageClassName: '', ")}, False, id="of no class"),
        pytest.param({"csi_yaml": OFF, "p_yaml": CLAIM.replace("spec: {", "spec: {volumeName: a, ")}, False, id="bound"),
        pytest.param({"csi_yaml": OFF, "p_yaml": CLAIM.replace("spec: {", "spec: {volumeName: '{{ .Values.a }}', ")}, False, id="may be bound"),
    ],
)  # fmt: skip
def test_a_claim_without_a_class(files: dict[str, str], tmp_path: Path, *, is_told: bool) -> None:
    told = found(tmp_path, **{"p_yaml": CLAIM, "cloud_conf": ALONE, **files})
    assert [severity for severity, _ in told] == [Severity.INFO] * is_told
    assert all("names no StorageClass" in text for _, text in told)


@pytest.mark.parametrize(
    ("provisioner", "driver", "is_told"),
    [("csi-cinderplugin", ON, True), ("csi-cinderplugin", "a: 1\n", False), ("cinder.csi.openstack.org", ON, False)],
)
def test_the_first_name_of_the_driver(provisioner: str, driver: str, tmp_path: Path, *, is_told: bool) -> None:
    told = found(tmp_path, c_yaml=PLAIN.replace("cinder.csi.openstack.org", provisioner), csi_yaml=driver)
    assert [severity for severity, _ in told] == [Severity.WARNING] * is_told
    assert all("no driver has this name" in text for _, text in told)


VOLUME = """\
apiVersion: v1
kind: PersistentVolume
metadata: {{name: a}}
spec:
  capacity: {{storage: 1Gi}}
  accessModes: [ReadWriteOnce]
  csi: {{driver: cinder.csi.openstack.org, volumeHandle: 7d3f2c1a-9b8e-4f60-a1c2-5e4d3b2a1f01}}
  nodeAffinity: {{required: {{nodeSelectorTerms: [{terms}]}}}}
"""
TERM = "{{matchExpressions: [{{key: topology.cinder.csi.openstack.org/zone, operator: In, values: [{}]}}]}}"


@pytest.mark.parametrize(
    ("zones", "conf", "is_told"),
    [(("a", "b"), IGNORES, True), (("a", "b"), ALONE, False), (("a",), IGNORES, False), ((), IGNORES, False)],
)
def test_volumes_for_nodes_of_all_zones(zones: tuple[str, ...], conf: str, tmp_path: Path, *, is_told: bool) -> None:
    volume = VOLUME.format(terms=", ".join(TERM.format(zone) for zone in zones))
    told = found(tmp_path, v_yaml=volume, cloud_conf=conf)
    assert [severity for severity, _ in told] == [Severity.INFO] * is_told
    assert all("for nodes of `a`, `b`, not of its own zone alone" in text for _, text in told)


@pytest.mark.parametrize(
    ("release", "flags", "words"),
    [
        ("v1.31.2", "--with-topology=false", "does not know a flag that it is given: `--with-topology`"),
        ("v1.31.3", "--with-topology=false", ""),
        ("v1.31.4", "--pvc-annotations", "`--pvc-annotations`"),
        ("v1.32.0", "--pvc-annotations", ""),
        ("v1.30.3", "--cloud-name=a", "`--cloud-name`"),
        ("v1.31.0", "--node-service-no-os-client", "`--node-service-no-os-client`"),
        ("v1.30.1", "--node-service-no-os-client", ""),
        ("v1.29.0", "--provide-node-service=false", "provide-node-service"),
        ("v1.28.3", "--provide-node-service=false", ""),
        ("v1.26.4", "'--http-endpoint=:8080'", "http-endpoint"),
        ("v1.27.0", "'--http-endpoint=:8080'", ""),
        ("latest", "--with-topology=false", ""),
        ("v1.21.0", "--endpoint=unix://csi/csi.sock", "does not start without `--nodeid`"),
        ("v1.21.0", "--endpoint=unix://csi/csi.sock, --nodeid=a", ""),
        ("v1.22.0", "--endpoint=unix://csi/csi.sock", ""),
        ("v1.21.0", "--endpoint=unix://csi/csi.sock, $(MORE)", ""),
        ("v1.21.0", "--endpoint=unix://csi/csi.sock]\n          command: [/wrapper.sh", ""),
        (
            "v1.21.0",
            "--endpoint=unix://csi/csi.sock]\n          command: [/bin/cinder-csi-plugin",
            "without `--nodeid`",
        ),
    ],
)
def test_flags_that_the_release_does_not_know(release: str, flags: str, words: str, tmp_path: Path) -> None:
    driver = DRIVER.format(provisioner="v5.3.0", gate="--v=1", release=release, flags=flags)
    told = found(tmp_path, csi_yaml=driver, cloud_conf=ALONE)
    assert [severity for severity, _ in told] == [Severity.WARNING] * bool(words)
    assert all(words in text for _, text in told)


@pytest.mark.parametrize(
    ("release", "flags", "words"),
    [
        ("v1.31.4", "--provide-controller-service=false", "before 1.32, here `v1.31.4`, does not start"),
        ("v1.32.0", "--provide-controller-service=false", ""),
        ("v1.32.0", "--v=1", "provides the controller, too"),
    ],
)
def test_a_driver_without_a_cloud_conf(release: str, flags: str, words: str, tmp_path: Path) -> None:
    driver = DRIVER.format(provisioner="v5.3.0", gate="--v=1", release=release, flags=f"--endpoint=a, {flags}")
    told = found(tmp_path, csi_yaml=driver.replace("--cloud-config=/etc/config/cloud.conf, ", ""), cloud_conf=ALONE)
    assert [severity for severity, _ in told] == [Severity.WARNING] * bool(words)
    assert all(words in text for _, text in told)


CCM = """apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ccm, namespace: kube-system}
spec:
  template:
    spec:
      containers:
        - name: ccm
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.33.0
          args: [--cloud-config=/etc/config/cloud.conf, --cluster-name=blue]
"""


@pytest.mark.parametrize(
    ("cluster", "ccm", "is_told"),
    [("kubernetes", CCM, True), ("blue", CCM, False), ("own", CCM, False), ("kubernetes", CCM.replace("blue", "kubernetes"), False), ("kubernetes", "a: 1\n", False)],
)  # fmt: skip
def test_the_clusters_name_on_volumes(cluster: str, ccm: str, tmp_path: Path, *, is_told: bool) -> None:
    driver = ON_BY_DEFAULT.replace("--v=1]", f"--cluster={cluster}]")
    told = found(tmp_path, csi_yaml=driver, ccm_yaml=ccm)
    assert [severity for severity, _ in told] == [Severity.INFO] * is_told
    assert all("as those of other clusters are; the CCM here calls it `blue`" in text for _, text in told)


def test_only_the_flag_that_is_given_is_named_at_its_argument(tmp_path: Path) -> None:
    driver = ON.replace("v1.28.0", "v1.27.3").replace(", --v=1]", ",\n                 --provide-node-service=false]")
    (tmp_path / "driver.yaml").write_text(driver, encoding="utf-8")
    (one,) = check_paths([str(tmp_path)], LintOptions(select=("cinder-storage",))).findings
    assert one.label.endswith("that it is given: `--provide-node-service`")
    assert driver.splitlines()[one.place.line - 1].strip() == "--provide-node-service=false]"


RESTORE = """\
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: restored}
spec:
  storageClassName: fast
  accessModes: [ReadWriteOnce]
  dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: daily}
"""
ZONES = NODE.format(zone="a") + NODE.format(zone="b")
RESTORED = "not in that of what it is made of"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param({"csi_yaml": ON, "n_yaml": ZONES}, RESTORED, id="zones"),
        pytest.param({"csi_yaml": ON, "n_yaml": NODE.format(zone="a")}, "", id="one zone"),
        pytest.param({"csi_yaml": OFF, "n_yaml": ZONES}, "", id="no topology"),
        pytest.param({"csi_yaml": BY_FLAG, "n_yaml": ZONES}, "", id="no topology by the flag"),
    ],
)
def test_a_claim_of_a_snapshot(tmp_path: Path, files: dict[str, str], words: str) -> None:
    told = [text for _, text in found(tmp_path, c_yaml=PLAIN + "---\n" + RESTORE, **files)]
    assert (RESTORED in " ".join(told)) is bool(words)


@pytest.mark.parametrize(
    ("value", "is_told"), [('"True"', True), ('"yes"', True), ('"true"', False), ('"false"', False), ('"False"', False)]
)
def test_a_default_class_by_another_word(tmp_path: Path, value: str, *, is_told: bool) -> None:
    name = f"annotations: {{storageclass.kubernetes.io/is-default-class: {value}}}"
    told = found(tmp_path, c_yaml=PLAIN.replace("{name: fast}", f"{{name: fast, {name}}}"), csi_yaml=ON)
    assert [severity for severity, text in told if "in lower case" in text] == [Severity.WARNING] * is_told


@pytest.mark.parametrize(
    ("provisioner", "more", "is_told"),
    [
        ("v2.0.2", "", True),
        ("v5.3.0", "parameters: {type: ssd}", True),
        ("v1.6.0", "", False),
        ("v5.3.0", "parameters: {csi.storage.k8s.io/fstype: xfs}", False),
    ],
)
def test_volumes_without_a_type_of_file_system(tmp_path: Path, provisioner: str, more: str, *, is_told: bool) -> None:
    driver = DRIVER.format(provisioner=provisioner, gate="--v=1", release="v1.28.0", flags="--v=1")
    storage = CLASS.format(name="fast", more=more)
    assert not any("`fsGroup`" in text for _, text in found(tmp_path, c_yaml=storage, csi_yaml=driver))
    told = found(tmp_path, c_yaml=storage, csi_yaml=driver.replace(", --default-fstype=ext4", ""))
    assert [severity for severity, text in told if "`fsGroup`" in text] == [Severity.INFO] * is_told


@pytest.mark.parametrize(("release", "is_told"), [("v1.0.1", True), ("v1.1.0", False), ("v4.7.0", False)])
def test_an_attacher_from_before_csinodes(tmp_path: Path, release: str, *, is_told: bool) -> None:
    attacher = (
        f"- {{name: csi-attacher, image: 'registry.k8s.io/sig-storage/csi-attacher:{release}'}}\n        - name: cinder"
    )
    told = found(tmp_path, csi_yaml=ON.replace("- name: cinder", attacher))
    assert any("CSINodeInfo" in text for _, text in told) is is_told


TAINTED = NODE.format(zone="a").replace("spec: {", "spec: {taints: [{key: KEY, value: 'true', effect: NoSchedule}], ")
EVERYWHERE = "tolerations: [{operator: Exists}]"


@pytest.mark.parametrize(
    ("key", "tolerations", "is_told"),
    [
        ("is_storage", "", True),
        ("example.com/gpu", "", True),
        ("is_storage", EVERYWHERE, False),
        ("is_storage", "affinity: {nodeAffinity: {}}", False),
        ("is_storage", "tolerations: [{key: is_storage, operator: Exists}]", False),
        ("node-role.kubernetes.io/control-plane", "", False),
        ("node.kubernetes.io/not-ready", "", False),
        ("Hunter2Secret", "", False),
    ],
)
def test_nodes_that_the_node_plugin_does_not_tolerate(
    tmp_path: Path, key: str, tolerations: str, *, is_told: bool
) -> None:
    plugin = ON.replace("kind: Deployment", "kind: DaemonSet").replace(
        "    spec:\n", f"    spec:\n      {tolerations}\n"
    )
    told = found(tmp_path, csi_yaml=plugin, n_yaml=TAINTED.replace("KEY", key) + NODE.format(zone="b"))
    assert [text for _, text in told if f"does not tolerate `{key}`" in text and "Node has no driver" in text] == [
        text for _, text in told if is_told and key in text
    ]
    assert bool(told) is is_told


SIDECARS = """\
apiVersion: apps/v1
kind: {kind}
metadata: {{name: csi, namespace: kube-system}}
spec:
  template:
    spec:
      containers:
        - {{name: one, image: '{image}', args: [{flags}]}}
        - {{name: two, image: '{other}'}}
        - name: cinder-csi-plugin
          image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.34.1
          args: [--cloud-config=/etc/config/cloud.conf]
"""
GONE, ENDS = "no sidecar of the driver knows this flag", "The container ends: `flag provided but not defined"
WAYS = "csi-attacher:v4.7.0"


@pytest.mark.parametrize(
    ("image", "flags", "other", "words"),
    [
        ("quay.io/k8scsi/csi-provisioner:v2.0.0", "--connection-timeout=15s", WAYS, GONE),
        ("quay.io/k8scsi/csi-provisioner:v1.6.0", "--connection-timeout=15s", WAYS, ""),
        ("mirror.example.com/csi-attacher:v2.2.0", "--leader-election-type=leases", WAYS, GONE),
        ("mirror.example.com/csi-attacher:v2.2.0", "--leader-election-namespace=kube-system", WAYS, ""),
        ("mirror.example.com/csi-attacher:v2.2.0", "--connection-timeout=15s", "mine.example.com/sidecar:v3.0.0", ""),
        ("mirror.example.com/csi-attacher:v2.2.0", "--connection-timeout=15s", "livenessprobe:v1.1.0", ""),
        ("mirror.example.com/csi-attacher:latest", "--connection-timeout=15s", WAYS, ""),
        ("csi-provisioner:v5.3.0", "--connection-timeout=15s", "csi-attacher@sha256:0123", ""),
        ("csi-provisioner:v5.3.0", "--enable-leader-election", WAYS, GONE),
        ("csi-provisioner:v5.3.0", "--leader-election=true", WAYS, ""),
        ("csi-snapshotter:v2.0.0", "--snapshotter=a", WAYS, GONE),
        ("csi-resizer:v1.12.0", "--csiTimeout=3m", WAYS, f"{ENDS}: -csiTimeout"),
        ("csi-resizer:v0.5.0", "--csiTimeout=3m", WAYS, ""),
        ("csi-snapshotter:v8.2.0", "--enable-volume-group-snapshots", WAYS, "-enable-volume-group-snapshots"),
        ("csi-snapshotter:v8.1.0", "--enable-volume-group-snapshots", WAYS, ""),
        ("csi-provisioner:v6.2.0", "'--feature-gates=Topology=true,HonorPVReclaimPolicy=true'", WAYS, "unrecognized"),
        ("csi-provisioner:v6.1.2", "'--feature-gates=Topology=true,HonorPVReclaimPolicy=true'", WAYS, ""),
        ("csi-provisioner:v5.3.0", "'--feature-gates=HonorPVReclaimPolicy=false'", WAYS, "feature is locked to true"),
        ("csi-provisioner:v5.2.0", "'--feature-gates=HonorPVReclaimPolicy=false'", WAYS, ""),
        ("csi-provisioner:v5.0.1", "--v=1", WAYS, "PersistentVolumes Terminating for ever"),
        ("csi-provisioner:v5.0.2", "--v=1", WAYS, ""),
        ("csi-provisioner:v6.1.0", "--feature-gates=Topology=true", WAYS, "in the zone of another Node"),
        ("csi-provisioner:v6.1.0", "--feature-gates=Topology=false", WAYS, ""),
        ("csi-provisioner:v6.1.1", "--feature-gates=Topology=true", WAYS, ""),
    ],
)
def test_what_releases_of_sidecars_changed(image: str, flags: str, other: str, words: str, tmp_path: Path) -> None:
    told = found(tmp_path, csi_yaml=SIDECARS.format(kind="Deployment", image=image, flags=flags, other=other))
    assert [words in text for _, text in told] == [True] * bool(words)


@pytest.mark.parametrize(
    ("release", "is_told"), [("v2.11.0", True), ("v2.11.1", False), ("v2.10.1", False), ("v2.12.0", False)]
)
def test_a_registrar_that_ends_after_a_second(release: str, tmp_path: Path, *, is_told: bool) -> None:
    image = f"registry.k8s.io/sig-storage/csi-node-driver-registrar:{release}"
    text = SIDECARS.format(kind="DaemonSet", image=image, flags="--v=5", other="livenessprobe:v2.14.0")
    assert ["ends after a second" in one for _, one in found(tmp_path, csi_yaml=text)] == [True] * is_told


ZONES = NODE.format(zone="az1") + NODE.format(zone="az2")
AT_ONCE = PLAIN.replace("volumeBindingMode: WaitForFirstConsumer\n", "")


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        pytest.param({"c_yaml": AT_ONCE, "csi_yaml": ON, "n_yaml": ZONES}, True, id="no mode"),
        pytest.param({"c_yaml": f"{AT_ONCE}volumeBindingMode: Immediate\n", "n_yaml": ZONES}, True, id="Immediate"),
        pytest.param({"c_yaml": PLAIN, "csi_yaml": ON, "n_yaml": ZONES}, False, id="with the pod"),
        pytest.param({"c_yaml": AT_ONCE, "csi_yaml": ON, "n_yaml": NODE.format(zone="az1")}, False, id="one zone"),
        pytest.param({"c_yaml": AT_ONCE, "csi_yaml": OFF, "n_yaml": ZONES}, False, id="no topology"),
        pytest.param({"c_yaml": AT_ONCE, "csi_yaml": BY_FLAG, "n_yaml": ZONES}, False, id="no topology by the flag"),
        pytest.param({"c_yaml": AT_ONCE, "n_yaml": ZONES, "cloud_conf": IGNORES}, False, id="no zone at volumes"),
        pytest.param({"c_yaml": f"{AT_ONCE}parameters: {{availability: az1}}\n", "n_yaml": ZONES}, False, id="a zone"),
        pytest.param({"c_yaml": AT_ONCE.replace("cinder", "manila"), "n_yaml": ZONES}, False, id="another driver"),
        pytest.param(
            {"c_yaml": f"{AT_ONCE}volumeBindingMode: {{{{ .m }}}}\n", "n_yaml": ZONES}, False, id="by a template"
        ),
    ],
)
def test_a_zone_is_chosen_before_the_node(files: dict[str, str], is_told: bool, tmp_path: Path) -> None:
    said = found(tmp_path, **files)
    assert [one for one, text in said if "depends on the claim's name" in text] == [Severity.INFO] * is_told


@pytest.mark.parametrize("mode", ["ReadWriteMany", "ReadWriteOnce"])
def test_a_claim_is_read_without_the_class_in_its_file(mode: str, tmp_path: Path) -> None:
    claim = f"kind: PersistentVolumeClaim\napiVersion: v1\nmetadata: {{name: c}}\nspec:\n  accessModes: [{mode}]\n"
    said = found(tmp_path, c_yaml=PLAIN, p_yaml=f"{claim}  storageClassName: fast\n")
    assert bool(said) == (mode == "ReadWriteMany")


STATIC = """\
apiVersion: v1
kind: PersistentVolume
metadata: {{name: v}}
spec: {{accessModes: [ReadWriteOnce], {source}}}
"""


@pytest.mark.parametrize(
    "source", ["cinder: {{volumeID: {}}}", "csi: {{driver: cinder.csi.openstack.org, volumeHandle: {}}}"]
)
@pytest.mark.parametrize(
    ("volume", "is_told"),
    [
        ("my-data", True),
        ("data_1", True),
        ("119f5f68-585e-41dd-b1a4-xxxxxxxxxxxx", False),
        ("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", False),
        ("VOLUME_ID", False),
        ("your-volume-id", False),
    ],
)
def test_what_stands_for_the_id_of_a_volume_is_not_a_name(
    source: str, volume: str, tmp_path: Path, *, is_told: bool
) -> None:
    assert bool(found(tmp_path, v_yaml=STATIC.format(source=source.format(volume)))) is is_told
