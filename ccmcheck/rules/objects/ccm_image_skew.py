"""A CCM image from the old registry, with a moving tag, with one that is not there, or of the wrong release."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.cluster import (
    FIRST_IN_REGISTRY,
    MOST_SKEW,
    NOT_PUBLISHED,
    OLD_REGISTRIES,
    REGISTRY,
    REGISTRY_SINCE,
    STILL_TAGGED,
)
from ccmcheck.catalog.data.releases import LAST_PATCH
from ccmcheck.catalog.stretches import holds
from ccmcheck.conf.target_release import known_release
from ccmcheck.rules._support.workload import workload
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Scalar, field, mappings

_TAG = lazy_regex(r"v1\.\d{1,2}\.\d{1,2}")
_TAGGED = ", with the newest tag of the cluster's minor release"


def check(manifest: Manifest) -> Problems:
    """Look at the registry, the tag and its release."""
    ccm = workload(manifest)
    missing = [found for found in map(_missing, _images(manifest)) if found is not None]
    yield from missing
    if ccm is None or manifest.has_mark(ccm.image):
        return
    image = ccm.image.value
    name, _, tag = image.rpartition("/")[2].partition(":")
    # nothing publishes the bare name, so an operator or a script puts the image in its place
    is_moving = "/" in image and (tag == "latest" or not (tag or "@" in name))
    release = known_release(ccm.pod.release)
    is_only_there = release is not None and not release.at_least(FIRST_IN_REGISTRY)
    if not missing and image.startswith(OLD_REGISTRIES) and not is_only_there:
        yield Problem(
            ccm.image.content,
            f"this registry gets no new images since {REGISTRY_SINCE}",
            "The CCM there has no bug fixes of later releases"
            + ("; without a fixed tag each restart may run another release." if is_moving else "."),
            f"Use the image from {REGISTRY}{_TAGGED if is_moving else ''}.",
        )
    elif is_moving:
        yield Problem(
            ccm.image.content,
            "without a fixed tag each restart may run another CCM release",
            "The keys of cloud.conf and their defaults depend on the release.",
            "Write a tag, such as the newest of the cluster's minor release.",
        )
    ccm_minor = release.minor if release is not None else minor_of(ccm.pod.release)
    kubernetes_minor = minor_of(manifest.run_context.facts.kubernetes_version)
    if ccm_minor is not None and kubernetes_minor is not None and abs(ccm_minor - kubernetes_minor) > MOST_SKEW:
        yield Problem(
            ccm.image.content,
            f"this is CCM 1.{ccm_minor}, and the cluster runs Kubernetes 1.{kubernetes_minor}",
            "Each CCM is built for and tested with Kubernetes of the same minor release.",
            f"Use a tag v1.{kubernetes_minor}.x.",
        )


def _images(manifest: Manifest) -> Iterator[Scalar]:
    """The images of a pod that are written out."""
    spec = manifest.at("spec") if manifest.kind == "Pod" else manifest.at("spec", "template", "spec")
    if manifest.is_derived:
        return  # the chart's own registry may be in it
    for container in mappings(field(spec, "containers")):
        image = container.get("image")
        if isinstance(image, Scalar) and not manifest.has_mark(image):
            yield image


def _missing(image: Scalar) -> Problem | None:
    """An image of cloud-provider-openstack whose tag its registry does not have."""
    lacks = next((lacks for places, lacks in NOT_PUBLISHED.items() if image.value.startswith(places)), ())
    tag = image.value.partition("@")[0].rpartition(":")[2]
    release = known_release(tag) if lacks and _TAG.fullmatch(tag) else None
    if release is None:
        return None
    last = LAST_PATCH.get(release.branch, release.patch)
    # a branch with several after it gets no tags any more
    is_past = release.patch > last and release.minor + STILL_TAGGED < catalog.newest().minor
    if not is_past and not holds(lacks, release):
        return None
    tags = [f"v{release.branch}.{patch}" for patch in range(last + 1)]
    own_first = sorted(NOT_PUBLISHED.items(), key=lambda pair: not image.value.startswith(pair[0]))
    there = [
        f"Write {here[-1]}." if image.value.startswith(places) else f"Write {here[-1]}, from {places[0][:-1]}."
        for places, others in own_first
        if (here := [one for one in tags if not holds(others, catalog.release(one))])
    ]
    return Problem(
        image.content,
        f"{'cloud-provider-openstack has no release' if is_past else 'this registry has no image'} with this tag",
        "The pod never starts: `ImagePullBackOff`. The tags are those of cloud-provider-openstack, not Kubernetes'.",
        there[0] if there else "",
    )
