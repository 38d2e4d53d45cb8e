"""What a finding advises, where the cases of the rules only hold that there is one."""

from __future__ import annotations

import re

import pytest
from casework import problems_of
from rule_cases import Case, bad

from ccmcheck import catalog
from ccmcheck.catalog.service_annotations import PREFIX, annotation, is_read
from ccmcheck.lint.advised import with_releases
from ccmcheck.rules import GROUP_OF

IMAGE = "kind: Pod\nmetadata:\n  name: ccm\nspec:\n  containers:\n    - name: ccm\n      image: {}\n"
SERVICE = (
    "kind: Service\nmetadata:\n  name: web\n  annotations:\n{}spec:\n  type: LoadBalancer\n  ports:\n  - port: 80\n"
)
OLD = "docker.io/k8scloudprovider/openstack-cloud-controller-manager"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (
            "[LoadBalancer]\nlb-method=SOURCE_IP\nlb-methode=ROUND_ROBIN\n",
            "Delete the line; `lb-method` is set already.",
        ),
        ("[LoadBalancer]\nnetwork-id=a\nnetworks-ip=b\n", "Delete the line, or write the intended key."),
        ("[LoadBalancer]\nnetworks-ip=b\n", "Did you mean `network-id`?"),
        (
            "[Networking]\ninternal-network-name=a\nexternal-network-name=b\n",
            "Did you mean `public-network-name`?",
        ),
        ("[Networking]\npublic-network-name=a\npublic-network-names=b\n", "Did you mean `public-network-name`?"),
        (
            "[Networking]\ninternal-network-name=a\npublic-network-name=b\nexternal-network-name=c\n",
            "Did you mean `public-network-name`?",
        ),
    ],
)
def test_an_unknown_key_is_not_declared_superfluous_for_the_sake_of_a_distant_one(text: str, advice: str) -> None:
    (problem,) = problems_of("unknown-key", Case(text))
    assert problem.help == advice


@pytest.mark.parametrize(
    ("tag", "advice"),
    [
        (":v1.25.6", "Use the image from registry.k8s.io/provider-os."),
        (
            ":latest",
            "Use the image from registry.k8s.io/provider-os, with the newest tag of the cluster's minor release.",
        ),
        ("", "Use the image from registry.k8s.io/provider-os, with the newest tag of the cluster's minor release."),
    ],
)
def test_an_image_of_the_old_registry_does_not_change_with_a_restart(tag: str, advice: str) -> None:
    (problem,) = problems_of("ccm-image-skew", Case(IMAGE.format(OLD + tag)))
    assert problem.label.startswith("this registry gets no new images since")
    assert problem.help == advice


NEW = "registry.k8s.io/provider-os/openstack-cloud-controller-manager"


@pytest.mark.parametrize(
    ("image", "advice"),
    [
        (f"{NEW}:v1.27.9", "Write v1.27.3."),
        (f"{NEW}:v1.26.1", "Write v1.26.4."),
        (f"{NEW}:v1.22.1", "Write v1.22.2, from docker.io/k8scloudprovider."),
        (
            f"{NEW.replace('openstack-cloud-controller-manager', 'cinder-csi-plugin')}:v1.25.0@sha256:0",
            "Write v1.25.6.",
        ),
        (f"{OLD}:v1.21.1", "Write v1.21.0."),
        (f"{OLD}:v1.28.15", "Write v1.28.3, from registry.k8s.io/provider-os."),
    ],
)
def test_a_tag_that_is_not_there_is_found(image: str, advice: str) -> None:
    (problem,) = problems_of("ccm-image-skew", Case(IMAGE.format(image)))
    assert problem.label.endswith("with this tag")
    assert problem.help == advice


@pytest.mark.parametrize(
    "image",
    [
        f"{NEW}:v1.24.6",
        f"{NEW}:v1.26.2",
        f"{NEW}:v1.36.7",
        f"{NEW}:v1.99.0",
        "mirror.example/openstack-cloud-controller-manager:v1.27.9",
    ],
)
def test_a_tag_that_may_be_there_is_not_missed(image: str) -> None:
    assert not problems_of("ccm-image-skew", Case(IMAGE.format(image)))


@pytest.mark.parametrize(
    ("consumers", "reader"),
    [
        ((), "the CCM"),
        (("ccm", "cinder-csi-plugin"), "the CCM"),
        (("cinder-csi-plugin",), "the Cinder CSI driver"),
        (("legacy-in-tree",), "the in-tree provider"),
        (("yawol",), "yawol"),
    ],
)
@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("placeholder-left", "[Global]\nregion=<region>\n"),
        ("placeholder-left", "[Global]\nregion=****\n"),
        ("bool-bad", "[BlockStorage]\nignore-volume-az=<yes>\n[LoadBalancer]\ncreate-monitor=<yes>\n"),
        ("id-not-uuid", "[Global]\ntenant-id=my project\n"),
    ],
)
def test_a_message_names_the_known_reader(rule: str, text: str, consumers: tuple[str, ...], reader: str) -> None:
    problems = problems_of(rule, Case(text, consumers=consumers))
    assert problems
    for problem in problems:
        assert reader in problem.label + problem.detail
        assert reader == "the CCM" or "CCM" not in problem.label + problem.detail


@pytest.mark.parametrize("left", ["REDACTED", "[REDACTED]", "***"])
def test_a_mask_is_called_a_mask(left: str) -> None:
    (problem,) = problems_of("placeholder-left", Case(f'[Global]\nregion="{left}"\n'))
    assert problem.label.startswith(f"`{left}` is a mask, not a value")


def test_a_placeholder_in_a_service_is_said_once() -> None:
    annotations = "    loadbalancer.openstack.org/class: <class>\n    loadbalancer.openstack.org/flavor-id: xxx\n"
    annotations += "    loadbalancer.openstack.org/default-tls-container-ref: <reference>\n"
    text = SERVICE.format(annotations).replace("spec:", "spec:\n  loadBalancerIP: xx.xx.xx.xx")
    rules = ("svc-annotation-value", "svc-lbip", "svc-class", "svc-tls-ref", "svc-invalid", "svc-shared-lb")
    conf = '[LoadBalancer]\nlb-provider = amphora\n[LoadBalancerClass "a"]\n'
    found = {name: [problem.label for problem in problems_of(name, Case(text, conf=conf))] for name in rules}
    assert found == {
        "svc-annotation-value": [
            f"`{left}` was never filled in; the CCM reads it literally" for left in ("<class>", "xxx", "<reference>")
        ],
        "svc-lbip": ["`xx.xx.xx.xx` was never filled in; the CCM reads it literally"],
        "svc-class": [],
        "svc-tls-ref": [],
        "svc-invalid": [],
        "svc-shared-lb": [],
    }


def test_a_file_called_template_is_one() -> None:
    text = SERVICE.format("    loadbalancer.openstack.org/load-balancer-id: $LB_ID\n")
    assert problems_of("svc-annotation-value", Case(text, subject="svc.yaml.template")) == []
    assert problems_of("svc-annotation-value", Case(text, subject="svc.yaml")) != []


def _keys(release: catalog.Release) -> set[str]:
    return {key.name for section in catalog.schema(release).sections for key in section.keys}


@pytest.mark.parametrize("name", sorted(GROUP_OF))
def test_what_is_advised_is_read_by_the_release_or_it_says_which_does(name: str) -> None:
    newest = catalog.newest()
    for release in catalog.minors("ccm"):
        coming = _keys(newest) - _keys(release)
        for problem in (one for case in bad(name) for one in problems_of(name, case._replace(release=release.name))):
            for word in re.findall(r"`(\S+?)(?: = [^`]*)?`", problem.help):
                if word in coming or (annotation(word) and is_read(word, newest) and not is_read(word, release)):
                    said = with_releases(problem.help, release, "ccm")
                    assert f"`{word.removeprefix(PREFIX)}` has an effect from" in said, release.name


def test_an_advice_says_when_a_key_comes_to_count() -> None:
    advice = "Name it in `internal-network-name`, or write `address-sort-order = 10.0.0.0/8`."
    old, new = (with_releases(advice, catalog.release(name), "ccm") for name in ("v1.16.0", "1.36"))
    assert old == f"{advice} `address-sort-order` has an effect from v1.24.6 on."
    assert new == advice
