"""What the project promises, shown end to end: the blog's file, the files of real repositories, and silence where it is right."""

from __future__ import annotations

import base64
import gzip
import re
from collections import Counter

import pytest
from root import ROOT

from ccmcheck import catalog
from ccmcheck.api import read_config
from ccmcheck.base.model import Finding, Severity
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.run_options import RunOptions
from ccmcheck.lint.runner import run
from ccmcheck.lint.settings import Settings
from ccmcheck.workspace.discover import DiscoverOptions

SHARED = ROOT / "../shared"
CORPUS = SHARED / "corpus" / "files"
SEED = SHARED / "seeds" / "001_8cda827dfb42c20d.txt"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the repository")

RIGHT = """\
[Global]
auth-url = https://keystone.example.org:5000/v3
application-credential-id = 3a1b5a94dcb94d4ba0d52ad45c5dbd8f
application-credential-secret = "s3cr3t"
region = RegionOne

[LoadBalancer]
floating-network-id = 9be7d1a3-2f3e-4f8d-8f1e-0a5d6c7b8e90
subnet-id = 5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69
create-monitor = true
"""
FATAL = RIGHT + "monitor-delay = 3\n"


def linter(*releases: str, template: bool | None = None, consumer: str = "ccm") -> Linter:
    judged = tuple(TargetRelease(consumer, catalog.release(name, consumer), "--release") for name in releases)
    return Linter(Settings(judged=judged, find=FindOptions(template=template)), RunContext())


def lint(path: str, text: str, *releases: str, template: bool | None = None, consumer: str = "ccm") -> list[Finding]:
    """The findings of one file of a folder, which has nothing that cannot be read."""
    result = linter(*releases, template=template, consumer=consumer).lint(path, text.encode("utf-8", "surrogateescape"))
    assert result.failures == ()
    return list(result.findings)


def rules(findings: list[Finding]) -> set[str]:
    return {finding.rule for finding in findings}


def where(findings: list[Finding], rule: str) -> list[tuple[int, int, int, int]]:
    """The places of one rule's findings: line and column in the file, then in the cloud.conf."""
    places = [finding.place for finding in findings if finding.rule == rule]
    return [(place.line, place.column, place.inner_line, place.inner_column) for place in places]


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def block(text: str, indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" if line else "\n" for line in text.splitlines())


# The blog's file.

BLOG = """\
[LoadBalancer]
use-octavia = True
create-monitor = True
monitor-delay = 3
monitor-max-retries = 3
monitor-timeout = 1
"""


def blog_texts() -> list[str]:
    if not SEED.is_file():
        return [BLOG]
    found = re.search(r"{% highlight ini %}\n(.*?){% endhighlight %}", SEED.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return [BLOG, found[1]]


@pytest.mark.parametrize("text", blog_texts(), ids=lambda text: f"{len(text)} characters")
@pytest.mark.parametrize("release", ["1.18", "1.24", "1.25", "1.26", "1.27", "v1.28.3", "1.31", "1.36", "master"])
def test_the_file_of_the_blog(text: str, release: str) -> None:
    findings = lint("cloud.conf", text, release)
    durations = [finding for finding in findings if finding.rule == "duration-bad"]
    assert where(findings, "duration-bad") == [(4, 17, 4, 17), (6, 19, 6, 19)]
    for finding, key, value in zip(durations, ("monitor-delay", "monitor-timeout"), ("3", "1"), strict=True):
        place = f' at section "LoadBalancer", variable "{key}"'
        assert finding.error == f'time: missing unit in duration "{value}"{place}'
        assert finding.help == f"Write `{value}s`."
    assert [finding.fatal for finding in findings if finding.rule == "duration-bad"] == [True, False]
    gone = catalog.release(release).at_least("1.26")
    assert where(findings, "key-removed") == ([(2, 1, 2, 1)] if gone else [])
    assert rules(findings) - {"ccm-release-bug"} == {"duration-bad", *["key-removed"] * gone}


# Positions, through every layer.


def test_a_template_of_the_kind_that_scs_uses() -> None:
    text = (
        '[Global]\nauth-url=${clouds.auth.auth_url}\nregion="${clouds.region_name}"\napplication-credential-id=${appcredid}\n'
        'application-credential-secret="${appcredsecret}"\n\n[LoadBalancer]\nmanage-security-groups=true\nuse-octavia=true\ncreate-monitor=true\n'
    )
    findings = lint("terraform/files/template/cloud.conf.tmpl", text)
    assert where(findings, "key-removed") == [(9, 1, 9, 1)]
    assert rules(findings) == {"key-removed"}


@needs_corpus
def test_the_template_of_scs_itself() -> None:
    path = CORPUS / "SovereignCloudStack__k8s-cluster-api-provider" / "terraform__files__template__cloud.conf.tmpl"
    findings = lint(path.name, path.read_text(encoding="utf-8"))
    assert where(findings, "key-removed") == [(9, 1, 9, 1)]
    assert not [finding for finding in findings if finding.severity.word == "error"]


def test_a_secret_in_base64() -> None:
    text = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\n  namespace: kube-system\ntype: Opaque\ndata:\n  cloud.conf: {b64(FATAL)}\n"
    (finding,) = lint("secret.yaml", text)
    assert where([finding], "duration-bad") == [(8, 15, 11, 17)]
    assert (finding.place.end_line, finding.place.end_column) == (8, 15 + len(b64(FATAL)))
    assert finding.place.route == 'Secret kube-system/cloud-config › data["cloud.conf"] (base64)'
    assert not finding.place.exact
    assert finding.fatal
    assert finding.snippet is not None
    assert (finding.snippet.line, finding.snippet.text, finding.snippet.start) == (11, "monitor-delay = 3", 16)


def test_a_kubeadm_control_plane_with_an_embedded_file() -> None:
    text = (
        "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlane\nmetadata:\n  name: k\nspec:\n  kubeadmConfigSpec:\n"
        f"    files:\n    - path: /etc/kubernetes/cloud.conf\n      content: |\n{block(FATAL, 8)}    - path: /etc/other\n      content: x\n"
    )
    findings = lint("kcp.yaml", text)
    assert where(findings, "duration-bad") == [(20, 25, 11, 17)]
    (finding,) = [finding for finding in findings if finding.rule == "duration-bad"]
    assert finding.place.exact
    assert finding.place.route == 'KubeadmControlPlane k › files["/etc/kubernetes/cloud.conf"]'
    assert text.splitlines()[19][24:] == "3"
    packed = base64.b64encode(gzip.compress(FATAL.encode(), mtime=0)).decode()
    text = text.replace(f"content: |\n{block(FATAL, 8)}", f"encoding: gzip+base64\n      content: {packed}\n")
    assert where(lint("kcp.yaml", text), "duration-bad") == [(10, 16, 11, 17)]


def test_a_cluster_resource_set_around_a_secret() -> None:
    secret = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\n  namespace: kube-system\nstringData:\n  cloud.conf: |\n{block(FATAL, 4)}"
    outer = "apiVersion: v1\nkind: {}\nmetadata:\n  name: resources\n  namespace: clusters\n{}"
    inline = outer.format("ConfigMap", f"data:\n  cloud-config.yaml: |\n{block(secret, 4)}")
    (finding,) = [finding for finding in lint("crs.yaml", inline) if finding.rule == "duration-bad"]
    assert where([finding], "duration-bad") == [(25, 25, 11, 17)]
    assert inline.splitlines()[24] == "        monitor-delay = 3"
    assert finding.place.route == (
        'ConfigMap clusters/resources › data["cloud-config.yaml"] › Secret kube-system/cloud-config › stringData["cloud.conf"]'
    )
    encoded = outer.format(
        "Secret", f"type: addons.cluster.x-k8s.io/resource-set\ndata:\n  cloud-config.yaml: {b64(secret)}\n"
    )
    (finding,) = [finding for finding in lint("crs.yaml", encoded) if finding.rule == "duration-bad"]
    assert where([finding], "duration-bad") == [(8, 22, 11, 17)]
    assert not finding.place.exact


# Real repositories.


@needs_corpus
def test_every_file_of_the_corpus_is_linted_in_one_run() -> None:
    for releases in ((), ("1.17", "1.25", "1.36")):
        judged = tuple(TargetRelease("ccm", catalog.release(name), "--release") for name in releases)
        options = RunOptions(settings=Settings(judged=judged), discover=DiscoverOptions())
        result = run([str(CORPUS)], options)
        assert not [failure for failure in result.failures if failure.internal]
        assert result.summary.cloud_confs >= 50
        assert result.summary.files > 90


@needs_corpus
def test_every_file_of_the_corpus_is_linted_when_it_is_named() -> None:
    for template in (None, True, False):
        one = linter("1.25", "1.36", template=template)
        for path in sorted(CORPUS.rglob("*")):
            if path.is_file():
                result = one.lint(str(path), path.read_bytes(), explicit=True)
                assert not [failure for failure in result.failures if failure.internal]


# Fatal where the reader fails, and nowhere else.

ODD = [
    "", "\n", "# x\n", "x = 1\n[Global]\n", "[Global\n", "[Global]\nx_y = 1\n", "[Global]\nauth-url: x\n", '[Global]\npassword = a"b\n', "[Global]\npassword = a\\b\n",
    "[LoadBalancer]\ncreate-monitor = t\nmonitor-delay =\nmax-shared-lb = 2.0\n", '[LoadBalancerClass ""]\n', "[LoadBalancerClass x]\n", "\ufeff[Global]\n",
    "[Global]\nx = \udcff\n", "[Global] region = x\n", "[Global]\nregion\n", "[Global]\nuse-clouds\n", '[LoadBalancerClass "x"]\nlb-provider = y\n',
    "[Global]\nos-endpoint-type = a b\n", "[LoadBalancer]\nmonitor-max-retries = 3s\n[Global]\nx_y=1\n", "---\n[Global]\n", "apiVersion: v1\n", "clouds:\n",
    "[LoadBalancer]\nmonitor-delay = 5\n[LoadBalancer]\nmonitor-delay = 5s\n", '[LoadBalancer]\nmonitor-delay = "\n', "[Global]\r\nregion = a\\\r\n", FATAL, RIGHT, BLOG,
    "W0dsb2JhbF0KYXV0aC11cmwgPSBodHRwczovL2tleXN0b25lCg==\n", "[Nowhere]\nx_y = 1\n[Global]\n", "[Global]\n= x\n", "[Global]\npassword = x\\\n",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("release", ["1.14", "1.17", "1.23", "1.31", "1.36"])
def test_fatal_is_marked_where_the_reader_stops(text: str, release: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    result = linter(release).lint("cloud.conf", data, explicit=True)
    reading = read_config(data, f"ccm@{release}")
    fatal = [finding for finding in result.findings if finding.fatal]
    assert len(fatal) == (reading.outcome == "fatal")
    for finding in fatal:
        assert reading.error is not None
        # the reader's words, more than one error in brackets behind them
        assert reading.error.startswith(finding.error)


@needs_corpus
@pytest.mark.parametrize("release", ["1.18", "1.25", "1.36"])
def test_fatal_over_the_corpus(release: str) -> None:
    outcomes: Counter[str] = Counter()
    one = linter(release, template=False)
    for path in sorted(CORPUS.rglob("*")):
        if not path.is_file():
            continue
        whole = path.read_bytes().decode("utf-8", "surrogateescape")
        found = one.examine(str(path), whole, explicit=True)
        for number, carried in enumerate(found.carried):
            if carried.marks:
                continue  # not final: its content is unknown
            reading = read_config(carried.text.encode("utf-8", "surrogateescape"), f"ccm@{release}")
            fatal = [located for located in found.problems if located.number == number and located.finding.fatal]
            assert len(fatal) == (reading.outcome == "fatal"), (path, carried.route, reading.error)
            outcomes[reading.outcome] += 1
    assert outcomes["ok"] > 15
    assert outcomes["fatal"] > 3


def test_one_fatal_finding_for_each_of_several_releases() -> None:
    text = "[LoadBalancer]\nmax-shared-lb = x\nmonitor-delay = 3\n"
    findings = lint("cloud.conf", text, "1.20", "1.36")
    fatal = {(finding.rule, finding.place.line): finding.releases for finding in findings if finding.fatal}
    assert fatal == {("duration-bad", 3): (), ("uint-bad", 2): ("1.36",)}


# Silence.


def test_a_right_file_has_no_finding_at_any_release_that_reads_it() -> None:
    for release in ("1.23", "1.25", "1.26", "1.28", "1.30", "1.31", "1.33", "1.36", "master"):
        findings = [(finding.rule, finding.severity) for finding in lint("cloud.conf", RIGHT, release)]
        assert findings in ([], [("ccm-release-bug", Severity.INFO)])  # of what some clouds show
        assert not findings or not catalog.release(release).at_least("1.32")


TEMPLATES = {
    "cloud.conf.j2": "{% set x = 1 %}\n[Global]\nauth-url={{ url }}\n{% if a %}\nusername={{ u }}\npassword={{ p | quote }}\n{% else %}\n"
    "application-credential-id={{ i }}\napplication-credential-secret={{ s }}\n{% endif %}\n{% for n in nets %}\n{{ n }}\n{% endfor %}\n"
    "[LoadBalancer]\ncreate-monitor={{ m }}\nmonitor-delay={{ d }}\n{{ more }}\n",
    "cloud.conf.tmpl": "[Global]\nauth-url=${URL}\napplication-credential-id=${ID}\napplication-credential-secret=${SECRET}\n${MORE}\n[LoadBalancer]\n"
    "create-monitor=${M:=true}\nmonitor-delay=${D}\n%{ if x }\nlb-provider=${P}\n%{ endif }\n",
    "templates/cloud.conf": "[Global]\nauth-url = {{ .Values.url }}\nuse-clouds = {{ .Values.c }}\n{{- with .Values.more }}\n{{ . }}\n{{- end }}\n",
    "cluster-template.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${CLUSTER_NAME}-cloud-config\ndata:\n  cloud.conf: ${CLOUD_CONF_B64}\n",
}  # fmt: skip


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_lines_and_variables(name: str) -> None:
    assert lint(name, TEMPLATES[name]) == []


def test_use_clouds_without_an_auth_url() -> None:
    text = "[Global]\nuse-clouds = true\nclouds-file = /etc/config/clouds.yaml\ncloud = openstack\n[LoadBalancer]\ncreate-monitor = true\n"
    assert lint("cloud.conf", text) == []


OPENSHIFT = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cloud-provider-config\n  namespace: openshift-config\ndata:\n  config: |\n"
    "    [Global]\n    secret-name = openstack-credentials\n    secret-namespace = kube-system\n    region = regionOne\n"
    "    [LoadBalancer]\n    create-monitor = true\n"
)


def test_secret_name_on_openshift() -> None:
    assert lint("config.yaml", OPENSHIFT) == []


def test_metadata_hash() -> None:
    assert lint("cloud.conf", f"{RIGHT}[Metadata]\nhash = 0a1b2c\nsearch-order = configDrive,metadataService\n") == []


def test_the_same_key_in_both_branches_of_a_template() -> None:
    text = RIGHT.replace(
        "create-monitor = true", "{% if m %}\ncreate-monitor = true\n{% else %}\ncreate-monitor = false\n{% endif %}"
    )
    (said,) = lint("cloud.conf.j2", text)
    assert (said.rule, said.severity) == ("create-monitor-recommended", Severity.INFO)  # what the second branch says
    assert rules(lint("cloud.conf", RIGHT + "create-monitor = false\n")) >= {"gcfg-duplicate-key"}


def test_a_blank_before_the_equals_sign_and_none_after() -> None:
    text = '[Global]\nauth-url="https://k:5000/v3"\nusername="u"\npassword="p"\ntenant-id="3a1b5a94dcb94d4ba0d52ad45c5dbd8f"\ndomain-id ="default"\n[LoadBalancer]\ncreate-monitor=true\n'
    assert rules(lint("cloud.conf", text)) == set()


def test_lb_version_v2() -> None:
    assert "lb-version-not-v2" not in rules(lint("cloud.conf", RIGHT + "lb-version = v2\n"))
    assert "lb-version-not-v2" in rules(lint("cloud.conf", RIGHT + "lb-version = v1\n"))


FOREIGN = {
    "vSphere": '[Global]\nuser = "u"\npassword = "p"\nport = "443"\ninsecure-flag = "1"\n[VirtualCenter "1.2.3.4"]\ndatacenters = "d"\n[Network]\npublic-network = "n"\n',
    "AWS": "[Global]\nzone = eu-central-1a\nvpc = v\nKubernetesClusterTag = k\nDisableSecurityGroupIngress = true\n",
    "GCE": "[global]\nproject-id = p\nnetwork-name = n\nnode-tags = t\nnode-instance-prefix = i\nmultizone = true\n",
    "CloudStack": "[Global]\napi-url = https://cs\napi-key = k\nsecret-key = s\nproject-id = p\n",
    "Azure": '{"cloud": "AzurePublicCloud", "tenantId": "t", "subscriptionId": "s", "aadClientSecret": "x"}\n',
}  # fmt: skip


@pytest.mark.parametrize("cloud", FOREIGN)
def test_the_cloud_conf_of_another_cloud(cloud: str) -> None:
    text = FOREIGN[cloud]
    secret = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config}}\ndata:\n  cloud.conf: {b64(text)}\n"
    for name, content in (("cloud.conf", text), ("other.conf", text), ("secret.yaml", secret)):
        result = linter().lint(name, content.encode())
        assert (result.findings, result.failures, result.carriers) == ((), (), ())


CSI = (
    "apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config, namespace: kube-system}}\ndata:\n  cloud.conf: {}\n---\n"
    "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: csi-cinder-nodeplugin, namespace: kube-system}}\nspec:\n  template:\n    spec:\n"
    "      containers:\n      - name: cinder-csi-plugin\n        image: registry.k8s.io/provider-os/cinder-csi-plugin:v1.31.0\n"
    "        volumeMounts: [{{name: c, mountPath: /etc/config}}]\n      volumes: [{{name: c, secret: {{secretName: cloud-config}}}}]\n"
)


def test_block_storage_that_cinder_csi_reads_too() -> None:
    text = f"{RIGHT}[BlockStorage]\nignore-volume-az = true\nrescan-on-resize = true\n"
    findings = [finding for finding in lint("csi.yaml", CSI.format(b64(text))) if finding.severity.word != "info"]
    assert findings == []
    alone = "[Global]\nuse-clouds = true\n[BlockStorage]\nignore-volume-az = true\n"
    assert lint("cloud.conf", alone) == []


def test_cloudprovider_conf_as_a_second_key() -> None:
    text = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config}}\ndata:\n  cloud.conf: {b64(RIGHT)}\n  cloudprovider.conf: {b64(RIGHT)}\n"
    result = linter().lint("secret.yaml", text.encode())
    assert (result.findings, result.carriers) == ((), ("Secret", "Secret"))


@pytest.mark.parametrize(
    "word",
    ["create-monitor", "create-monitor = True", "create-monitor = yes", "create-monitor = ON", "create-monitor = 1"],
)
def test_the_words_for_true(word: str) -> None:
    findings = lint("cloud.conf", RIGHT.replace("create-monitor = true", word))
    assert not [finding for finding in findings if finding.severity.word == "error"]
    if "=" in word:
        assert findings == []


@pytest.mark.parametrize("release", ["1.14", "1.17", "1.18", "1.36"])
def test_monitor_keys_absent_while_create_monitor_is_off(release: str) -> None:
    text = RIGHT.replace("create-monitor = true", "create-monitor = false")
    assert not [rule for rule in rules(lint("cloud.conf", text, release)) if rule.startswith("monitor-")]


def test_several_public_network_names() -> None:
    assert (
        lint(
            "cloud.conf",
            f"{RIGHT}[Networking]\npublic-network-name = a\npublic-network-name = b\ninternal-network-name = c\ninternal-network-name = d\n",
        )
        == []
    )


def test_the_samples_that_are_right() -> None:
    for path in sorted((ROOT / "samples" / "good").iterdir()):
        assert [str(one) for one in lint(path.name, path.read_text(encoding="utf-8"))] == []


def test_the_samples_that_are_not() -> None:
    seen = 0
    for path in sorted((ROOT / "samples").iterdir()):
        if path.is_file():
            result = linter().lint(path.name, path.read_bytes())
            seen += bool(result.carriers)
            assert bool(result.findings) >= bool(result.carriers), path
    assert seen >= 5
