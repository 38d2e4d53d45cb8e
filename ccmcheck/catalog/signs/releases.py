"""The signs by which the CCM's release is known: its image's tag, its chart's version, its manifests, variables.

Sources: kubernetes/cloud-provider-openstack charts/openstack-cloud-controller-manager and manifests/controller-manager;
kubernetes-sigs/kubespray (``external_openstack_cloud_controller_image_tag``); openstack/magnum
doc/source/user/index.rst (the label ``cloud_provider_tag``).
"""

from __future__ import annotations

from collections.abc import Mapping

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.data.cluster import LAST_IN_OLD_REGISTRY, OLD_REGISTRIES
from ccmcheck.catalog.data.deployments import CCM, RELEASE_VARIABLES
from ccmcheck.catalog.data.installed_releases import CHART_RELEASES, EARLY_TAGS, FIRST_MANIFESTS, MANIFEST_RELEASES
from ccmcheck.catalog.data.load_balancer_controllers import CONTROLLERS, rows_of

_TAG = lazy_regex(r":v?(1\.\d+(?:\.\d+)?)(?:[-+_.][\w.+-]*)?(?:@sha256:[0-9a-f]+)?\Z")
_EARLY = lazy_regex(rf"(?:\A|/)k8scloudprovider/{CCM}:(v0\.\d\.\d)(?:@sha256:[0-9a-f]+)?\Z")
"""A name below 1 is the CCM's in its own registry alone: others number their builds and operators so."""
_CHART = lazy_regex(r"v?2\.(\d+)(?:\.(?:\d+|x|\*))?\Z")
_REF = lazy_regex(r"(?:v|(?P<branch>release-))1\.(?P<minor>\d{1,3})(?(branch)|\.\d{1,3})\Z")


def is_ccm_image(image: str) -> bool:
    """Whether an image is the CCM's, whatever registry it comes from."""
    return CCM in image


def controller_of(image: str) -> str:
    """The name of the other controller of load balancers or nodes that an image runs; empty for none."""
    return next((CONTROLLERS[number].name for number in rows_of(image)), "")


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
        early = _EARLY.search(image) if ":v0." in image else None
        return early[1] if early is not None and early[1] in EARLY_TAGS else ""
    return f"v{match[1]}" if match[1].count(".") == 2 else match[1]


def last_release_of(image: str) -> str:
    """The newest release that an image may be which names none; empty where it may be any.

    Args:
        image: ``k8scloudprovider/openstack-cloud-controller-manager:latest``.
    """
    is_old = image.startswith(OLD_REGISTRIES) and is_ccm_image(image) and not release_of(image)
    return LAST_IN_OLD_REGISTRY if is_old else ""


def is_moving_tag(image: str) -> bool:
    """Whether an image has the tag ``latest``, or none: what it is changes, and Kubernetes pulls it at every start."""
    return image.endswith(":latest") or ":" not in image.rpartition("/")[2]


def release_of_chart(version: str, published: Mapping[str, str] = CHART_RELEASES) -> str:
    """The release that a version of the upstream chart installs.

    A published version installs what it was published with. Another one, 2.N, installs a CCM 1.N since its version
    follows the CCM's (March 2023); its patch level is its own, and a pre-release installs the minor before.

    Args:
        version: ``2.31.1``, or a range with a single minor, ``2.31.x``; to Helm ``~>`` is ``~``.
        published: The published versions of the chart, that of the CCM unless another is given.

    Returns:
        ``v1.31.1`` or ``1.31``; empty where the version does not tell.
    """
    tag = published.get(version.strip().lstrip("=v "))
    if tag is not None:
        return release_of(f":{tag}")
    match = _CHART.match(version.strip().removeprefix("~>").lstrip("~=v "))
    return f"1.{match[1]}" if match else ""


def release_of_manifests(ref: str) -> str:
    """The release that the CCM's own manifests install.

    Args:
        ref: The tag or branch of kubernetes/cloud-provider-openstack that they are taken from: ``v1.31.1``,
            ``release-1.31``.

    Returns:
        ``v1.31.1``, or ``1.31`` of a branch, which moves; empty where they name none.
    """
    match = _REF.match(ref)
    if match is None or (1, int(match["minor"])) < FIRST_MANIFESTS:
        return ""
    if match["branch"]:
        return f"1.{match['minor']}"
    return release_of(f":{MANIFEST_RELEASES.get(ref, ref)}")


def is_ccm_chart(name: str) -> bool:
    """Whether a chart's name, with or without its repository, is the upstream chart's."""
    return name.rpartition("/")[2] == CCM


_PART = "|".join(RELEASE_VARIABLES)
_OF_THE_CCM = lazy_regex(rf"(?<![^\W_])(?:{_PART})")
_LABEL = "cloud_provider_tag"
"""Magnum's, which ends with no more than this; that of another cloud may end so, too."""
_OF_MAGNUM = f"k8scloudprovider/{CCM}"
"""The image that it is the tag of, whatever registry a cloud copies it to."""


def is_variable(name: str) -> bool:
    """Whether a variable is the tag of the CCM's image, or the version of its chart, by its name."""
    stem, _, ending = name.rpartition("_")
    return name == _LABEL or (
        ending in ("tag", "version") and name.isidentifier() and _OF_THE_CCM.search(stem) is not None
    )


def release_of_variable(name: str, value: str) -> str:
    """The release that the value of a variable is, by the variable's name; empty where it is none."""
    image = f"{_OF_MAGNUM if name == _LABEL else CCM}:{value}"
    return ("" if "chart" in name else release_of(image)) or release_of_chart(value)
