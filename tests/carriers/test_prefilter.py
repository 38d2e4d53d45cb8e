"""The prefilter may have false positives, never false negatives."""

from __future__ import annotations

import pytest
from carrying import CONF, b64, gz64
from hypothesis import given
from hypothesis import strategies as st

from ccmcheck.carriers import find, mentions_ccm, worth_parsing, worth_reading
from ccmcheck.catalog.data.deployments import RKE_BLOCKS, RKE_MAP
from ccmcheck.catalog.signs.forms import ENCODED, worth_decoding
from ccmcheck.catalog.signs.paths import is_named_cloud_conf

SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  {key}: {value}\n"


@pytest.mark.parametrize(
    "text",
    [
        CONF,
        "[ global ]\nauth-url=x\n",
        '[LoadBalancerClass "x"]\nsubnet-id=y\n',
        SECRET.format(key="any", value=b64(CONF)),
        SECRET.format(key="any", value=b64("#" + CONF)),
        SECRET.format(key="any", value=b64("##" + CONF)),
        SECRET.format(key="any", value=gz64(CONF)),
        SECRET.format(key="any", value=b64(SECRET.format(key="cloud.conf", value=b64(CONF)))),
        SECRET.format(key="any", value=b64("  " + SECRET.format(key="cloudprovider.conf", value=b64(CONF)))),
        f"OPENSTACK_CLOUD_PROVIDER_CONF_B64: {b64(CONF)}\n",
        f"MY_B64: {b64(CONF)}\n",
        "ccm:\n  cloudConfig:\n    global: {auth-url: x}\n",
        "cloudConfigContents: x\n",
        "files:\n- {path: /etc/kubernetes/cloud.conf, content: x}\n",
        "image: openstack-cloud-controller-manager:v1.31.2\n",
        '{"stringData":{"x":"[Global]\\nauth-url=x"}}',
        "kind: OpenStackCluster\n",
        "kind: ClusterResourceSet\n",
        "infrastructureRef: {kind: OpenStackMachineTemplate}\n",
        "kubeletExtraArgs: {cloud-provider: openstack}\n",
        "USE_OVN_LB_PROVIDER: auto\n",
        "kind: Service\nspec:\n  type: LoadBalancer\n",
        'kind: "Service"\nspec: {type: "LoadBalancer"}\n',
        '{"kind":"Service","spec":{"type":"LoadBalancer"}}',
        "kind: Service\nmetadata: {annotations: {loadbalancer.openstack.org/class: a}}\n",
        "kind: Node\n",
    ],
)
def test_worth_parsing(text: str) -> None:
    assert worth_parsing(text.encode(), "x.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kind: Deployment\n",
        SECRET.format(key="tls.crt", value=b64("-----BEGIN CERTIFICATE-----\n" * 20)),
        "[metadata]\n",
        "kind: Service\nspec:\n  type: ClusterIP\n",
        "kind: Service\ndescription: not of type LoadBalancer\n",
        "kind: CustomResourceDefinition\n# Service, type: LoadBalancer\n",
        "service: {annotations: {example.org/class: a}, externalTrafficPolicy: Local}\n",
        "chart: harbor\nservice: {externalTrafficPolicy: Local}\n",
        "kind: NodePool\n",
    ],
)
def test_not_worth_parsing(text: str) -> None:
    assert not worth_parsing(text.encode(), "x.yaml")
    assert worth_parsing(text.encode(), "cloud.conf")


@given(
    st.text(alphabet="#; x\n", max_size=5),
    st.sampled_from(["[Global]", "[LoadBalancer]", "cloud.conf: x"]),
    st.text(max_size=20),
)
def test_base64_at_every_alignment(before: str, needle: str, after: str) -> None:
    assert worth_decoding(b64(before + needle + after))


@given(st.text(alphabet="[]GlobaLodBncer \nauth-url=xkind:SecrtfCg64{}\"'|>", max_size=120))
def test_the_prefilter_has_no_false_negatives(text: str) -> None:
    if find("x.yaml", text).carried:
        assert worth_parsing(text.encode(), "x.yaml")


def test_the_base64_patterns() -> None:
    assert (
        *(b"W0dsb2JhbF", b"tHbG9iYWxd", b"bR2xvYmFsX"),
        *(b"W0xvYWRCYWxhbmNlc", b"tMb2FkQmFsYW5jZX", b"bTG9hZEJhbGFuY2Vy"),
        *(b"Y2xvdW", b"Nsb3Vk", b"jbG91Z"),
        b"H4sI",
    ) == ENCODED


def test_names() -> None:
    assert all(
        map(
            is_named_cloud_conf,
            ["cloud.conf", "a/cloud.conf", "my-cloud.conf.tmpl", "x_CLOUD.CONF", "cloud-provider.conf.j2"],
        )
    )
    assert not any(
        map(
            is_named_cloud_conf,
            ["cloud-config", "clouds.conf", "cloud.conf.md", "cloud.conf/x", "mycloud.conf", "cloud.config"],
        )
    )
    assert all(map(worth_reading, ["a.yaml", "cloud-config", "a.b/c", "x.tmpl", "x.py/cloud-config", "noext", ".env"]))
    assert not any(map(worth_reading, ["a_test.go", "vendor/a.go", "A.PY", "x/y.tar.gz", "x.rs"]))
    assert not any(map(worth_reading, ["vendor/k8s.io/kubernetes/x.yaml", "a/vendor/go.uber.org/c/cloud.conf"]))
    assert all(map(worth_reading, ["vendor/charts/x.yaml", "vendor/github.com/a/b/x.yaml", "avendor/k8s.io/x.yaml"]))
    assert all(map(worth_reading, ["a.go", "a.md", "x.SH", "main.tf", "index.rst", "rules.mk"]))


@pytest.mark.parametrize("name", ["x.sh", "README.MD", "main.tf", "index.adoc", "rules.mk"])
def test_what_only_names_a_cloud_conf_is_not_worth_parsing_in_scripts_and_documents(name: str) -> None:
    assert not worth_parsing(b"cp cloud.conf /etc/kubernetes # for the openstack-cloud-controller-manager\n", name)
    assert worth_parsing(b"cat <<EOF\n[Global]\n", name)
    assert worth_parsing(b"helm --set cloudConfig.global.auth-url=x\n", name)
    assert worth_parsing(f"kind: Secret\ndata:\n  x: {b64(CONF)}\n".encode(), name)
    assert worth_parsing(b"kind: Service\nspec:\n  type: LoadBalancer\n", name)


def test_mentions_ccm() -> None:
    assert mentions_ccm(b"image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2")
    assert not mentions_ccm(b"system:cloud-controller-manager")


@pytest.mark.parametrize("word", [RKE_MAP, *RKE_BLOCKS, "external_openstack_cloud", "cloudProvider:\n  openstack"])
def test_no_notation_is_missed(word: str) -> None:
    for text in (f"{word}:\n", f"a: b\n{word}:\n  c: d\n"):
        assert worth_parsing(text.encode(), "cluster.yml")
        assert worth_parsing(text.encode(), "main.tf")
