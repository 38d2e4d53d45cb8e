"""The CCM's release by its image's tag or its chart's version."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex

CCM = "openstack-cloud-controller-manager"
"""The image's and the chart's name (registry.k8s.io/provider-os, kubernetes.github.io/cloud-provider-openstack)."""

_TAG = lazy_regex(r":v?(1\.\d+(?:\.\d+)?)(?:[-+_.][\w.+-]*)?(?:@sha256:[0-9a-f]+)?\Z")
_CHART = lazy_regex(r"v?2\.(\d+)(?:\.(?:\d+|x|\*))?\Z")


def is_ccm_image(image: str) -> bool:
    """Whether an image is the CCM's, whatever registry it comes from."""
    return CCM in image


def release_of(image: str) -> str:
    """The release that an image's tag names.

    Args:
        image: ``registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2``.

    Returns:
        ``v1.31.2``, or ``1.31`` where the tag has no patch level; empty for ``latest``, a digest alone, or another
        product's version such as OpenShift's.
    """
    match = _TAG.search(image)
    if match is None:
        return ""
    return f"v{match[1]}" if match[1].count(".") == 2 else match[1]


def release_of_chart(version: str) -> str:
    """The release that a version of the upstream chart installs.

    Chart 2.N installs a CCM 1.N since its version follows the CCM's (March 2023); its patch level is its own, and a
    pre-release installs the minor before.

    Args:
        version: ``2.31.2``, or a range with a single minor, ``2.31.x``.

    Returns:
        ``1.31``; empty where the version does not tell.
    """
    match = _CHART.match(version.strip().lstrip("~=v "))
    return f"1.{match[1]}" if match else ""


def is_ccm_chart(name: str) -> bool:
    """Whether a chart's name, with or without its repository, is the upstream chart's."""
    return name.rpartition("/")[2] == CCM
