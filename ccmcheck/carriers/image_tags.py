"""The tags that stand beside the CCM's image, in a variable for it, or in the address of its manifests.

Kustomize's ``images`` have an image and a ``newTag``, in a kustomization or in Flux's object of that name; values of
charts have ``image`` or ``repository`` and a ``tag``; Kubespray and others have variables such as
``external_openstack_cloud_controller_image_tag`` and ``occm_chart_version``; scripts, documents and kustomizations
apply the manifests of a tag of kubernetes/cloud-provider-openstack.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import CcmPod
from ccmcheck.carriers.embedded.languages import is_document
from ccmcheck.carriers.images import is_ccm_image, last_release_of, release_of, release_of_chart, release_of_manifests
from ccmcheck.catalog.data.deployments import CCM, CCM_MANIFESTS, CCM_REPOSITORY, RELEASE_VARIABLES
from ccmcheck.yamlio import Mapping, Scalar

_PART = "|".join(RELEASE_VARIABLES)
_OF_THE_CCM = lazy_regex(rf"(?<![^\W_])(?:{_PART})")
_LABEL = "cloud_provider_tag"
"""Magnum's, which ends with no more than this; that of another cloud may end so, too."""
_OF_MAGNUM = f"k8scloudprovider/{CCM}"
"""The image that it is the tag of, whatever registry a cloud copies it to."""
_NAME = rf"(?=\w*?(?:{_PART}))\w++"
_CHART = "chart"
_QUOTED = r"[ \t]*+=[ \t]*+\""
_HCL = lazy_regex(
    rf"\bvariable[ \t]++\"(?P<variable>{_NAME})\"[ \t]*+\{{[^{{}}]*?\bdefault{_QUOTED}(?P<default>[^\"\n]++)\""
    rf"|^[ \t]*+(?P<name>{_NAME}){_QUOTED}(?P<value>[^\"\n]++)\"",
    re.MULTILINE,
)

_REF = r"(?P<{}>(?:v|release-)1\.[\d.]++)"
_ADDRESS = lazy_regex(
    rf"{CCM_REPOSITORY}(?:\.git)?/(?:(?:raw|blob|tree)/)?(?:refs/(?:tags|heads)/)?{_REF.format('ref')}/{CCM_MANIFESTS}"
    rf"(?:/{CCM}-(?:ds|pod)\.yaml|/?(?=[\s\"'`)]|\Z))"
    rf"|{CCM_REPOSITORY}(?:\.git)?//?{CCM_MANIFESTS}/?\?(?:ref|version)={_REF.format('query')}"
)
"""The CCM's workload, or the folder with it, by the address of its text or as kustomize writes it."""
_OPEN_ADDRESS = lazy_regex(
    rf"{CCM_REPOSITORY}(?:\.git)?/(?:(?:raw|blob|tree)/)?(?:refs/(?:tags|heads)/)?"
    rf"(?P<variable>\$\{{?(?P<name>[A-Za-z_]\w*+)\}}?)/{CCM_MANIFESTS}/(?:{CCM}-(?:ds|pod)\.yaml|[\"']?\$)"
)
"""The same where a script's variable says which tag or branch."""
_MOST_VARIABLES = 8
_NEXT = r"(?:(?!git (?:checkout|clone))[\s\S]){0,1000}?"
_CHECKED_OUT = lazy_regex(
    rf"(?:{CCM_REPOSITORY}[^`]{{0,200}}?\bgit checkout (?:-q |tags/)?{_REF.format('ref')}"
    rf"|\bgit clone [^\n]{{0,100}}?(?:-b|--branch)[ =]{_REF.format('query')}[^\n]{{0,100}}?{CCM_REPOSITORY})"
    rf"(?={_NEXT}(?<![\w/]){CCM_MANIFESTS})"
)
"""A checkout of a tag whose manifests are applied before the next one: the repository has other programs, too."""

_ITEM = r"[\"']?[^\s\"'=]*+[\"']?,?[ \t\r]*+(?:\n|\Z)"
"""The rest of a line with nothing but an image, as a list has them."""
_IMAGE_IN_TEXT = lazy_regex(
    rf"^(?![ \t]*+(?:#|//|-[ \t]|{_ITEM}))(?:(?![ \t](?:#|//))[^\n])*?(?<=[\s\"'=/,(|]){CCM}:(?P<tag>v?1\.[\w.+-]++)"
    r"(?:@sha256:[0-9a-f]++)?(?=[\s\"',;)|]|\Z)",
    re.MULTILINE,
)

if TYPE_CHECKING:
    from collections.abc import Mapping as Mapped

    from ccmcheck.carriers.carrier import Carrier
    from ccmcheck.yamlio import Node


def find(carrier: Carrier, values: Mapped[str, Node]) -> None:
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


def find_pair(carrier: Carrier, values: Mapped[str, Node]) -> None:
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


def find_variables(carrier: Carrier, values: Mapped[str, Node]) -> None:
    """Collect the variables of a mapping that are the tag of the CCM's image by their names; Heat's have a default."""
    for name, node in values.items():
        if not is_variable(name):
            continue
        value = node.get("default") if isinstance(node, Mapping) else node
        if isinstance(value, Scalar):
            start, is_default = value.content.start, value is not node
            _collect_variable(carrier, name, carrier.source.value_of(value), start, is_default=is_default)


def find_in_hcl(carrier: Carrier) -> None:
    """Collect Terraform's variables that are the tag of the CCM's image by their names."""
    text = carrier.source.text
    if may_have_variables(text):
        for match in _HCL.finditer(text):
            name, value = ("variable", "default") if match["variable"] else ("name", "value")
            if is_variable(match[name]):
                _collect_variable(carrier, match[name], match[value], match.start(value))


def find_in_text(carrier: Carrier) -> None:
    """Collect the images that a text names, where nothing else in it tells a release.

    That is a variable of Terraform or Ansible, or ``kubectl set image``. A list of images, as to be mirrored or
    scanned, says nothing of who runs them.

    Args:
        carrier: The whole file.
    """
    text, collector = carrier.source.text, carrier.collector
    told = any(pod.release for pod in (*collector.pods, *collector.image_tags))
    if told or collector.broken or f"{CCM}:" not in text:
        return
    for match in _IMAGE_IN_TEXT.finditer(text):
        image = f"{CCM}:{match['tag']}"
        release = release_of(image)
        if release:
            collect(carrier, "image", image, release, match.start("tag"))


def find_manifests(carrier: Carrier) -> None:
    """Collect the releases of the CCM's own manifests that a text applies, by their addresses or a checkout of them.

    Args:
        carrier: The whole file.
    """
    text = carrier.source.text
    if CCM_REPOSITORY not in text or CCM_MANIFESTS not in text:
        return
    for match in (match for pattern in (_ADDRESS, _CHECKED_OUT) for match in pattern.finditer(text)):
        name = "ref" if match["ref"] else "query"
        ref = match[name].rstrip(".")
        collect(carrier, f"manifests of {ref}", "", release_of_manifests(ref), match.start(name))
    if is_document(carrier.collector.path):
        return  # whose readers put in what they want
    variables = {match["name"]: match for match in _OPEN_ADDRESS.finditer(text)}
    for name, match in islice(variables.items(), _MOST_VARIABLES):
        release = release_of_manifests(_assigned(text, name))
        subject = f"manifests of {match['variable']}"
        collect(carrier, subject, "", release, match.start("variable"), variable="" if release else name)


def _assigned(text: str, name: str) -> str:
    """What a script assigns to a variable; empty where it is nothing, or not always the same."""
    from ccmcheck.carriers.embedded.shell_assignments import assigned_values

    values = {text[slice(*value)] for value in assigned_values(text, name)}
    return values.pop() if len(values) == 1 else ""


def may_have_variables(text: str) -> bool:
    """Whether a text may have a variable that `is_variable` is about."""
    return any(part in text for part in RELEASE_VARIABLES)


def is_variable(name: str) -> bool:
    """Whether a variable is the tag of the CCM's image, or the version of its chart, by its name."""
    stem, _, ending = name.rpartition("_")
    return name == _LABEL or (
        ending in ("tag", "version") and name.isidentifier() and _OF_THE_CCM.search(stem) is not None
    )


def _collect_variable(carrier: Carrier, name: str, value: str, start: int, *, is_default: bool = False) -> None:
    image = f"{_OF_MAGNUM if name == _LABEL else CCM}:{value}"
    release = "" if _CHART in name else release_of(image)
    release = release or release_of_chart(value)
    if release:
        collect(carrier, name, value, release, start, is_default=is_default)


def collect(
    carrier: Carrier,
    subject: str,
    image: str,
    release: str,
    start: int,
    *,
    variable: str = "",
    is_default: bool = False,
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
        )
    )
