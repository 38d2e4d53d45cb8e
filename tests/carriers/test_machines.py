"""Files that Cluster API, cloud-init and their like write on a machine."""

from __future__ import annotations

import pytest
from carrying import CONF, b64, gz64, indent, only, place, routes

from ccmcheck.carriers import FindOptions, find

CONTROL_PLANE = f"""\
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata:
  name: one
  namespace: clusters
spec:
  kubeadmConfigSpec:
    initConfiguration:
      nodeRegistration:
        name: '{{{{ local_hostname }}}}'
    files:
      - path: /etc/kubernetes/cloud.conf
        owner: root:root
        permissions: "0600"
        content: |
          {indent(CONF, 10)}      - path: /etc/certs/cacert
        content: x
"""


def test_an_embedded_file() -> None:
    carried = only("control-plane.yaml", CONTROL_PLANE)
    assert carried.carrier == "KubeadmControlPlane"
    assert carried.route == 'KubeadmControlPlane clusters/one › files["/etc/kubernetes/cloud.conf"]'
    assert carried.siblings == ("/etc/certs/cacert",)
    assert carried.final
    assert carried.marks == ()
    assert place(carried, "monitor-delay") == (24, 11, "monitor-delay")


@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("KubeadmControlPlane", "spec: {kubeadmConfigSpec: {files: [X]}}"),
        ("KubeadmControlPlaneTemplate", "spec: {template: {spec: {kubeadmConfigSpec: {files: [X]}}}}"),
        ("KubeadmConfig", "spec: {files: [X]}"),
        ("KubeadmConfigTemplate", "spec: {template: {spec: {files: [X]}}}"),
        ("RKE2ControlPlane", "spec: {files: [X]}"),
        ("RKE2ConfigTemplate", "spec: {template: {spec: {files: [X]}}}"),
        ("K0sControlPlane", "spec: {k0sConfigSpec: {files: [X]}}"),
        ("K0sWorkerConfigTemplate", "spec: {template: {spec: {files: [X]}}}"),
    ],
)
def test_every_kind_has_its_own_path(kind: str, spec: str) -> None:
    entry = f"{{path: /etc/kubernetes/cloud.conf, encoding: base64, content: {b64(CONF)}}}"
    carried = only("x.yaml", f"kind: {kind}\nmetadata: {{name: n}}\n{spec.replace('X', entry)}\n")
    assert carried.carrier == kind
    assert carried.text == CONF
    assert carried.final
    assert 'files["/etc/kubernetes/cloud.conf"] (base64)' in carried.route


@pytest.mark.parametrize(
    "document", ["#cloud-config\nwrite_files:\n- X\n", "kind: KubeadmConfig\nspec:\n  files:\n  - X\n"]
)
@pytest.mark.parametrize(
    ("encoding", "content", "suffix"),
    [
        ("", CONF, ""),
        ("text/plain", CONF, ""),
        ("base64", b64(CONF), " (base64)"),
        ("b64", b64(CONF, 64), " (base64)"),
        ("gzip+base64", gz64(CONF), " (gzip+base64)"),
        ("gz+b64", gz64(CONF), " (gzip+base64)"),
        ("gz+base64", gz64(CONF), " (gzip+base64)"),
    ],
)
def test_encodings(document: str, encoding: str, content: str, suffix: str) -> None:
    at = "    " if "kind" in document else "  "
    entry = f"path: /etc/kubernetes/cloud.conf\n{at}encoding: '{encoding}'\n{at}content: |\n{at}  {indent(content, len(at) + 2)}"
    carried = only("x.yaml", document.replace("X", entry))
    assert carried.text.strip() == CONF.strip()
    assert carried.route.endswith(f'files["/etc/kubernetes/cloud.conf"]{suffix}')


def test_a_file_of_another_name_counts_by_its_content() -> None:
    text = CONTROL_PLANE.replace("/etc/kubernetes/cloud.conf", "/etc/openstack.ini")
    assert only("x.yaml", text).text == CONF
    assert find("x.yaml", text.replace("[Global]", "[Unit]").replace("[LoadBalancer]", "[Service]")).carried == []


class TestClusterctl:
    TEXT = """\
kind: KubeadmControlPlane
metadata:
  name: ${CLUSTER_NAME}
spec:
  kubeadmConfigSpec:
    files:
    - content: ${OPENSTACK_CLOUD_PROVIDER_CONF_B64}
      encoding: base64
      path: /etc/kubernetes/cloud.conf
    - content: |
        [Global]
        auth-url=${URL}
        region=${REGION:=one}
      path: /etc/kubernetes/other
"""

    def test_what_only_a_variable_holds_is_left_alone(self) -> None:
        carried = only("cluster-template.yaml", self.TEXT)
        assert carried.route == 'KubeadmControlPlane ${CLUSTER_NAME} › files["/etc/kubernetes/other"]'
        assert carried.text == "[Global]\nauth-url=${URL}\nregion=${REGION:=one}\n"
        assert len(carried.marks) == 2
        assert place(carried, "${REGION:=one}") == (13, 16, "${REGION:=one}")

    def test_with_its_value_it_is_read(self) -> None:
        values = {"OPENSTACK_CLOUD_PROVIDER_CONF_B64": b64(CONF), "CLUSTER_NAME": "one"}
        first, second = find("cluster-template.yaml", self.TEXT, FindOptions(variables=values)).carried
        assert first.text == CONF
        assert first.final
        assert first.subject == "KubeadmControlPlane one"
        assert place(first, "monitor-delay") == (7, 16, "${OPENSTACK_CLOUD_PROVIDER_CONF_B64}")
        assert second.text == "[Global]\nauth-url=${URL}\nregion=one\n"
        assert [second.text[mark.start : mark.end] for mark in second.marks] == ["${URL}"]

    def test_the_variables_file_carries_one_too(self) -> None:
        carried = only("clusterctl.yaml", f"A: b\nOPENSTACK_CLOUD_PROVIDER_CONF_B64: {b64(CONF)}\n")
        assert carried.carrier == "clusterctl variables"
        assert carried.route == "OPENSTACK_CLOUD_PROVIDER_CONF_B64 (base64)"
        assert place(carried, "[Global]")[:2] == (2, 36)


class TestScripts:
    COMMANDS = """\
kind: KubeadmConfig
metadata: {name: n}
spec:
  preKubeadmCommands:
  - systemctl start x
  - |
    cat > /etc/kubernetes/cloud.conf <<EOF
    [Global]
    auth-url=$AUTH_URL
    region=one
    EOF
    cat >> /etc/other <<'EOF'
    [Global]
    EOF
"""

    def test_a_heredoc(self) -> None:
        carried = only("x.yaml", self.COMMANDS)
        assert carried.route == "KubeadmConfig n › preKubeadmCommands[1] › heredoc /etc/kubernetes/cloud.conf"
        assert carried.text == "[Global]\nauth-url=$AUTH_URL\nregion=one\n"
        assert [carried.text[mark.start : mark.end] for mark in carried.marks] == ["$AUTH_URL"]
        assert place(carried, "region") == (10, 5, "region")

    @pytest.mark.parametrize("operator", ["<<'EOF'", '<<"EOF"', "<<\\EOF", "<<-'EOF'", "<< 'EOF'", "<<E'O'F"])
    def test_a_quoted_one_is_taken_as_it_stands(self, operator: str) -> None:
        text = self.COMMANDS.replace("<<EOF", operator).replace("=one", "=$REGION")
        carried = only("x.yaml", text)
        assert carried.final
        assert carried.text == "[Global]\nauth-url=$AUTH_URL\nregion=$REGION\n"
        assert carried.marks == ()

    def test_not_where_the_script_calls_envsubst(self) -> None:
        text = self.COMMANDS.replace(
            "cat > /etc/kubernetes/cloud.conf <<EOF", "envsubst > /etc/kubernetes/cloud.conf <<'EOF'"
        )
        assert [only("x.yaml", text).text[slice(*mark)] for mark in only("x.yaml", text).marks] == ["$AUTH_URL"]

    def test_an_open_one_is_none(self) -> None:
        assert find("x.yaml", self.COMMANDS.replace("    EOF\n", "")).carried == []


def test_cluster_class_patches() -> None:
    text = f"""\
apiVersion: cluster.x-k8s.io/v1beta1
kind: ClusterClass
metadata:
  name: openstack
spec:
  patches:
  - name: cloud-conf
    definitions:
    - selector:
        kind: KubeadmControlPlaneTemplate
        apiVersion: controlplane.cluster.x-k8s.io/v1beta1
      jsonPatches:
      - op: add
        path: /spec/template/spec/kubeadmConfigSpec/files/-
        value:
          path: /etc/kubernetes/cloud.conf
          content: |
            {indent(CONF, 12)}      - op: add
        path: /spec/template/spec/kubeadmConfigSpec/files/-
        valueFrom:
          template: |
            path: /etc/kubernetes/cloud.conf
            content: |
              [Global]
              auth-url={{{{ .authUrl }}}}
              region=one
"""
    first, second = find("class.yaml", text).carried
    assert [first.carrier, second.carrier] == ["ClusterClass", "ClusterClass"]
    way = "ClusterClass openstack › spec.patches[0].definitions[0].jsonPatches"
    assert first.route == f'{way}[0].value["/etc/kubernetes/cloud.conf"]'
    assert place(first, "monitor-delay")[:2] == (26, 13)
    assert first.final
    assert second.route == f'{way}[1].valueFrom.template › ["/etc/kubernetes/cloud.conf"]'
    assert second.text == "[Global]\nauth-url={{ .authUrl }}\nregion=one\n"
    assert place(second, "{{ .authUrl }}") == (34, 24, "{{ .authUrl }}")
    assert len(second.marks) == 1


def test_talos() -> None:
    text = f"""\
machine: {{type: controlplane}}
cluster:
  inlineManifests:
  - name: conf
    contents: |-
      kind: ConfigMap
      metadata: {{name: m, namespace: kube-system}}
      data:
        cloud.conf: |
          {indent(CONF, 10)}"""
    carried = only("controlplane.yaml", text)
    assert carried.route == 'cluster.inlineManifests[0].contents › ConfigMap kube-system/m › data["cloud.conf"]'
    assert place(carried, "monitor-delay")[:2] == (18, 11)


def test_kubeone() -> None:
    text = f"kind: KubeOneCluster\nname: x\ncloudProvider:\n  cloudConfig: |\n    {indent(CONF, 4)}"
    assert routes("kubeone.yaml", text) == ["KubeOneCluster › cloudProvider.cloudConfig"]


def test_a_file_of_cloud_init_that_heat_fills_in() -> None:
    text = """\
#cloud-config
write_files:
  - path: /srv/kubernetes/cloud.conf
    content: |
      [Global]
      auth-url=$AUTH_URL
      username=$USER_NAME
      password=$PASS_WORD
      [LoadBalancer]
      subnet-id=$SUBNET
"""
    carried = only("fragments/master.yaml", text)
    assert len(carried.marks) == 4
    assert place(carried, "subnet-id") == (10, 7, "subnet-id")
    secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: one\ndata:\n  cloud.conf: "
    assert only("secret.yaml", secret + b64("[Global]\nauth-url=$URL\nusername=$USER\n") + "\n").final


def test_the_template_of_heat_s_str_replace() -> None:
    text = """\
resources:
  config:
    type: OS::Heat::CloudConfig
    properties:
      cloud_config:
        write_files:
        - path: /etc/kubernetes/cloud.conf
          content:
            str_replace:
              template: |
                [Global]
                auth-url=https://keystone.example.com/v3
                region=one
                username=two
                password=$PASS
              params:
                $PASS: {get_param: password}
"""
    carried = only("cluster.yaml", text)
    assert not carried.final
    assert len(carried.marks) == 1
    assert place(carried, "region") == (13, 17, "region")
    assert only(
        "cluster.yaml", text.replace("              params:\n                $PASS: {get_param: password}\n", "")
    ).final
