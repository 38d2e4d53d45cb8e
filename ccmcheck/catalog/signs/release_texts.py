"""The signs of a release in texts that are no objects: commands, Terraform, addresses of manifests, images in a line.

Sources: kubernetes/cloud-provider-openstack, the names and addresses of its chart and manifests; flags of helm, git and
kubeadm; hashicorp/terraform-provider-helm (``helm_release``); kubernetes-sigs/kubespray (``kube_version``);
minikube.sigs.k8s.io, which has kubeadm's flag as well.
"""

from __future__ import annotations

from ccmcheck.base.data_files import records
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.deployments import (
    KUBERNETES_FLAG,
    KUBERNETES_IMAGES,
    KUBERNETES_VARIABLES,
    LOCAL_CLUSTER,
    RELEASE_VARIABLES,
)
from ccmcheck.catalog.signs.texts import read_signs


class ReleaseSign(NamedTuple):
    """What in a text tells a release.

    Attributes:
        says: What it is called.
        pattern: What it looks like. Its groups are called by what their values are: ``image`` for a tag, ``chart`` for
            a version of it, ``manifests`` for a tag or branch of those, ``variable`` beside its ``name``;
            ``chart_shell`` and the like for the name of a variable of the shell, of Terraform (``var``), or a local
            value of it.
        example: A text that has it.
        release: What the example tells.
        needs: Words that are all in the text then.
        within: What the pattern is searched in, in its group ``words``; empty for the whole text.
        beside: What is searched in the other lines of its block, then; it has the groups.
        one_of: Words one of which is in the text then.
        language: The language that it is of; empty for any.
        is_weak: Whether it counts only where nothing else tells, in what is no document and nothing builds.
    """

    says: str
    pattern: str
    example: str
    release: str
    needs: tuple[str, ...] = ()
    within: str = ""
    beside: str = ""
    one_of: tuple[str, ...] = ()
    language: str = ""
    is_weak: bool = False


TAG, CHART, REF, VARIABLE = "image", "chart", "manifests", "variable"
SHELL_VARIABLE, TF_VARIABLE, TF_LOCAL = "shell", "var", "local"

IN_TEXTS: tuple[ReleaseSign, ...] = records(
    read_signs("release_texts.txt", {"RELEASE_VARIABLES": "|".join(RELEASE_VARIABLES)}),
    ReleaseSign,
    example=lambda texts: texts[-1].replace("\\n", "\n"),
    one_of=lambda texts: tuple(texts[-1].split("|")),
)
"""In texts that are no objects."""

_WORDS = {"NAMES": "|".join(KUBERNETES_VARIABLES), "IMAGES": "|".join(KUBERNETES_IMAGES)}
KUBERNETES: tuple[tuple[str, str, str], ...] = tuple(
    (row["says"][0], row["pattern"][0], row["example"][0].replace("\\n", "\n"))
    for row in read_signs("kubernetes_texts.txt", {**_WORDS, "LOCAL_CLUSTER": LOCAL_CLUSTER, "FLAG": KUBERNETES_FLAG})
)
"""What tells a version of Kubernetes: how each is called, what stands before the version, and an example."""
_KUBERNETES = lazy_regex(
    rf"(?m:{'|'.join(pattern for _, pattern, _ in KUBERNETES)})"
    r"(?P<version>v?1\.\d{1,2}(?:\.\d{1,3})?)(?=[^\w.]|_|\Z)"
)

NAMING_KUBERNETES = tuple(
    dict.fromkeys((*KUBERNETES_IMAGES, *KUBERNETES_VARIABLES, *map(str.upper, KUBERNETES_VARIABLES), KUBERNETES_FLAG))
)
"""What a file holds that may tell the version of Kubernetes."""


def kubernetes_versions_in(text: str) -> list[tuple[str, int]]:
    """The versions of Kubernetes that a text names, each once, with the line of its first place, counted from 1."""
    lines: dict[str, int] = {}
    line, end = 1, 0
    for match in _KUBERNETES.finditer(text):
        if match["version"] not in lines:
            start = match.start("version")
            line, end = line + text.count("\n", end, start), start
            lines[match["version"]] = line
    return list(lines.items())
