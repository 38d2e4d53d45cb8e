"""The tags that Kustomize's ``images`` set for the CCM's image, in a kustomization or in Flux's object of that name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.images import is_ccm_image, release_of
from ccmcheck.yamlio import Scalar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccmcheck.carriers.carrier import Carrier
    from ccmcheck.yamlio import Node


def find(carrier: Carrier, values: Mapping[str, Node]) -> None:
    """Collect the tag that an entry of ``images`` sets, if the image is the CCM's.

    Args:
        carrier: The kustomization.
        values: The entry, which has a ``newTag``.
    """
    name, tag = values.get("name"), values["newTag"]
    if not isinstance(name, Scalar) or not isinstance(tag, Scalar) or not is_ccm_image(name.value):
        return
    image = f"{carrier.source.value_of(name)}:{carrier.source.value_of(tag)}"
    collector = carrier.collector
    collector.image_tags.append(
        CcmPod(
            collector.path,
            carrier.subject or "images",
            image=image,
            release=release_of(image),
            document=collector.document,
            line=collector.position(carrier.source, tag.content.start)[0],
        )
    )
