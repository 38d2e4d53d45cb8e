"""The tags that stand in a mapping beside the CCM's image, or in a variable for it.

Kustomize's ``images`` have an image and a ``newTag``, in a kustomization or in Flux's object of that name; values of
charts have ``image`` or ``repository`` and a ``tag``; Kubespray and others have variables such as
``external_openstack_cloud_controller_image_tag`` and ``occm_chart_version``. For other texts see `release_texts`.
"""

from __future__ import annotations

from collections.abc import Mapping as Mapped

from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.carrier import Carrier
from ccmcheck.catalog.signs.releases import is_ccm_image, is_variable, last_release_of, release_of, release_of_variable
from ccmcheck.yamlio import Mapping, Scalar, YamlNode


def find(carrier: Carrier, values: Mapped[str, YamlNode]) -> None:
    """Collect the tag that an entry of ``images`` sets, if the image is the CCM's.

    Args:
        carrier: The kustomization.
        values: The entry, which has a ``newTag``.
    """
    name, tag = values.get("name"), values["newTag"]
    if not isinstance(name, Scalar) or not isinstance(tag, Scalar) or not is_ccm_image(name.value):
        return
    image = f"{carrier.source.value_of(name)}:{carrier.source.value_of(tag)}"
    collect(carrier, carrier.subject or "images", image, release_of(image), tag.content.start)


def find_pair(carrier: Carrier, values: Mapped[str, YamlNode]) -> None:
    """Collect a ``tag`` that stands beside the CCM's image.

    Args:
        carrier: The file or object.
        values: A mapping with a ``tag``.
    """
    tag = values["tag"]
    name = next((node for key in ("repository", "image", "name") if isinstance(node := values.get(key), Scalar)), None)
    if name is None or not isinstance(tag, Scalar) or not is_ccm_image(carrier.source.value_of(name)):
        return
    image = f"{carrier.source.value_of(name)}:{carrier.source.value_of(tag)}"
    release = release_of(image)
    if release or last_release_of(image):
        collect(carrier, carrier.subject or "image", image, release, tag.content.start)


def find_variables(carrier: Carrier, values: Mapped[str, YamlNode]) -> None:
    """Collect the variables of a mapping that are the tag of the CCM's image by their names; Heat's have a default."""
    for name, node in values.items():
        if not is_variable(name):
            continue
        value = node.get("default") if isinstance(node, Mapping) else node
        if isinstance(value, Scalar):
            text = carrier.source.value_of(value)
            release, is_default = release_of_variable(name, text), value is not node
            if release:
                collect(carrier, name, text, release, value.content.start, is_default=is_default)


def collect(
    carrier: Carrier,
    subject: str,
    image: str,
    release: str,
    start: int,
    *,
    variable: str = "",
    is_default: bool = False,
    is_script: bool = False,
) -> None:
    """Collect what says a release.

    Args:
        carrier: The file or object.
        subject: What it is: a variable's name, ``images``.
        image: The image, or the variable's value; empty for none.
        release: The release.
        start: Where the text says it.
        variable: See `ccmcheck.carriers.base.CcmPod`.
        is_default: Likewise.
        is_script: Likewise.
    """
    collector = carrier.collector
    collector.image_tags.append(
        CcmPod(
            collector.path,
            subject,
            image=image,
            release=release,
            document=collector.document,
            line=collector.position(carrier.source, start)[0],
            variable=variable,
            is_default=is_default,
            is_script=is_script,
        )
    )
