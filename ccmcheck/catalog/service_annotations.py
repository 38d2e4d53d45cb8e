"""The annotations of a Service that the CCM knows, by release."""

from __future__ import annotations

from functools import lru_cache

from ccmcheck.catalog.data.annotations import ANNOTATIONS
from ccmcheck.catalog.releases import Release
from ccmcheck.catalog.rows import Annotation

PREFIX = "loadbalancer.openstack.org/"
"""Of all annotations but one; any other name under it is ignored without a message."""

SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges"
"""Kubernetes' own annotation, which the CCM reads where ``spec.loadBalancerSourceRanges`` is empty."""

OF_OTHERS: dict[str, str] = {
    "metallb.io/": "MetalLB",
    "metallb.universe.tf/": "MetalLB",
    "kube-vip.io/": "kube-vip",
    "service.beta.kubernetes.io/aws-load-balancer-": "AWS",
    "service.beta.kubernetes.io/azure-": "Azure",
    "service.beta.kubernetes.io/do-loadbalancer-": "DigitalOcean",
    "service.beta.kubernetes.io/exoscale-loadbalancer-": "Exoscale",
    "service.beta.kubernetes.io/scw-loadbalancer-": "Scaleway",
    "service.beta.kubernetes.io/ovh-loadbalancer-": "OVHcloud",
    "service.beta.kubernetes.io/oci-load-balancer-": "Oracle Cloud",
    "oci.oraclecloud.com/": "Oracle Cloud",
    "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-": "Alibaba Cloud",
    "service.beta.kubernetes.io/linode-loadbalancer-": "Linode",
    "service.beta.kubernetes.io/vultr-loadbalancer-": "Vultr",
    "service.kubernetes.io/ibm-load-balancer-": "IBM Cloud",
    "service.kubernetes.io/qcloud-": "Tencent Cloud",
    "kubernetes.digitalocean.com/": "DigitalOcean",
    "load-balancer.hetzner.cloud/": "Hetzner Cloud",
    "cloud.google.com/": "Google Cloud",
    "networking.gke.io/": "Google Cloud",
    "io.cilium/lb-ipam-": "Cilium",
    "lbipam.cilium.io/": "Cilium",
}
"""How annotations for other implementations of load balancers begin, and whose they are, by their documentation."""


def owner_of(name: str) -> str:
    """Whose an annotation for another implementation of load balancers is; empty for any other annotation."""
    return next((owner for start, owner in OF_OTHERS.items() if name.startswith(start)), "")


def all_annotations() -> tuple[Annotation, ...]:
    """Every annotation of every release."""
    return ANNOTATIONS


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Annotation]:
    return {annotation.name: annotation for annotation in ANNOTATIONS}


def annotation(name: str) -> Annotation | None:
    """Look up an annotation by its whole name, which is case-sensitive; None for one that no release knows."""
    return _by_name().get(name)


def is_known(name: str, release: Release) -> bool:
    """Whether a release of the CCM reads or writes an annotation, tag by tag."""
    found = annotation(name)
    if found is None or not release.within(_releases(found)):
        return False
    if release.is_branch:
        return True
    return release.name not in found.missing_in_tags and (not found.first_tag or release.at_least(found.first_tag))


def _releases(found: Annotation) -> str:
    # the facts begin with 1.14, and what 1.14 has is older
    return found.releases.replace("1.14..", "1.9..", 1) if found.releases.startswith("1.14..") else found.releases
