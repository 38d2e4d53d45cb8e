"""The signs of a release in texts that are no objects: commands, Terraform, addresses of manifests, images in a line.

Sources: kubernetes/cloud-provider-openstack, the names and addresses of its chart and manifests; flags of helm, git and
kubeadm; hashicorp/terraform-provider-helm (``helm_release``); kubernetes-sigs/kubespray (``kube_version``);
minikube.sigs.k8s.io, which has kubeadm's flag as well.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.deployments import (
    CCM,
    CCM_MANIFESTS,
    CCM_REPOSITORY,
    KUBERNETES_FLAG,
    KUBERNETES_IMAGES,
    KUBERNETES_VARIABLES,
    LOCAL_CLUSTER,
    RELEASE_VARIABLES,
)
from ccmcheck.catalog.signs.paths import HCL


class ReleaseSign(NamedTuple):
    """What in a text tells a release.

    Attributes:
        says: What it is called.
        needs: Words that are all in the text then.
        pattern: What it looks like. Its groups are called by what their values are: ``image`` for a tag, ``chart`` for
            a version of it, ``manifests`` for a tag or branch of those, ``variable`` beside its ``name``;
            ``chart_shell`` and the like for the name of a variable of the shell, of Terraform (``var``), or a local
            value of it.
        example: A text that has it.
        release: What the example tells.
        within: What the pattern is searched in, in its group ``words``; empty for the whole text.
        beside: What is searched in the other lines of its block, then; it has the groups.
        one_of: Words one of which is in the text then.
        language: The language that it is of; empty for any.
        is_weak: Whether it counts only where nothing else tells, in what is no document and nothing builds.
    """

    says: str
    needs: tuple[str, ...]
    pattern: str
    example: str
    release: str
    within: str = ""
    beside: str = ""
    one_of: tuple[str, ...] = ()
    language: str = ""
    is_weak: bool = False


TAG, CHART, REF, VARIABLE = "image", "chart", "manifests", "variable"
SHELL_VARIABLE, TF_VARIABLE, TF_LOCAL = "shell", "var", "local"

_NAME = rf"(?P<name>(?=\w*?(?:{'|'.join(RELEASE_VARIABLES)}))\w++)"
_QUOTED = r"[ \t]*+=[ \t]*+\"(?P<variable>[^\"\n]++)\""
_PLACE = rf"{CCM_REPOSITORY}(?:\.git)?/(?:(?:raw|blob|tree)/)?(?:refs/(?:tags|heads)/)?"
_REF_IN = r"(?:v|release-)1\.[\d.]++"
_WORDS = r"(?:[^\r\n;&|#]|(?<!\s)#)*+"
_ITEM = r"[\"']?[^\s\"'=]*+[\"']?,?[ \t\r]*+(?:\n|\Z)"
"""The rest of a line with nothing but an image, as a list has them: to be mirrored or scanned, whoever runs them."""
_REPOSITORY = f"https://github.com/kubernetes/{CCM_REPOSITORY}"

IN_TEXTS = (
    ReleaseSign(
        "a variable of Terraform by its name",
        ("variable",),
        rf"\bvariable[ \t]++\"{_NAME}\"[ \t]*+\{{[^{{}}]*?\bdefault{_QUOTED}",
        'variable "occm_image_tag" {\n  default = "v1.31.2"\n}\n',
        "v1.31.2",
        one_of=RELEASE_VARIABLES,
        language=HCL,
    ),
    ReleaseSign(
        "a value of Terraform by its name",
        (),
        rf"(?m)^[ \t]*+{_NAME}{_QUOTED}",
        'occm_image_tag = "v1.31.2"\n',
        "v1.31.2",
        one_of=RELEASE_VARIABLES,
        language=HCL,
    ),
    ReleaseSign(
        "the chart in Terraform",
        (CCM,),
        rf"(?m)^(?P<indent>[ \t]*+)chart(?:_?name)?[ \t]*+=[ \t]*+\"(?:[^\"\n]*/)?{CCM}\"",
        f'resource "helm_release" "ccm" {{\n  chart   = "cpo/{CCM}"\n  version = "2.31.1"\n}}\n',
        "v1.31.1",
        beside=r"(?:chart_)?version[ \t]*+=[ \t]*+"
        r"(?:\"(?P<chart>[^\"\n$]++)\"|var\.(?P<chart_var>\w++)|local\.(?P<chart_local>\w++))",
        language=HCL,
    ),
    ReleaseSign(
        "the address of manifests",  # the CCM's workload, or the folder with it, also as kustomize writes it
        (CCM_REPOSITORY, CCM_MANIFESTS),
        rf"{_PLACE}(?:(?P<manifests>{_REF_IN})/{CCM_MANIFESTS}(?:/{CCM}-(?:ds|pod)\.yaml|/?(?=[\s\"'`)]|\Z))"
        rf"|\$\{{?(?P<manifests_shell>[A-Za-z_]\w*+)\}}?/{CCM_MANIFESTS}/(?:{CCM}-(?:ds|pod)\.yaml|[\"']?\$))"
        rf"|{CCM_REPOSITORY}(?:\.git)?//?{CCM_MANIFESTS}/?\?(?:ref|version)=(?P<manifests_>{_REF_IN})",
        f"kubectl apply -f {_REPOSITORY}/raw/v1.31.1/{CCM_MANIFESTS}/{CCM}-ds.yaml\n",
        "v1.31.1",
    ),
    ReleaseSign(
        "manifests of a checkout",  # applied before the next checkout: the repository has other programs, too
        (CCM_REPOSITORY, CCM_MANIFESTS, "git c"),
        rf"(?:{CCM_REPOSITORY}[^`]{{0,200}}?\bgit checkout (?:-q |tags/)?(?P<manifests>{_REF_IN})"
        rf"|\bgit clone [^\n]{{0,100}}?(?:-b|--branch)[ =](?P<manifests_>{_REF_IN})[^\n]{{0,100}}?{CCM_REPOSITORY})"
        rf"(?=(?:(?!git (?:checkout|clone))[\s\S]){{0,1000}}?(?<![\w/]){CCM_MANIFESTS})",
        f"git clone -b v1.31.1 {_REPOSITORY}\nkubectl apply -f {CCM_MANIFESTS}/\n",
        "v1.31.1",
    ),
    ReleaseSign(
        "a helm command",
        (CCM, "--version"),
        rf"\A(?=(?:[\s\S]*?[\s\"'/])?{CCM}(?:[\s\"'\\]|\Z))[\s\S]*?--version(?:[ \t]++|=)[\"']?"
        r"(?:\$[{(]?(?P<chart_shell>[A-Za-z_]\w*+)[)}]?(?![^\s\"'\\])|(?P<chart>[^\s\"'\\]++))",
        f"VERSION=2.31.1\nhelm upgrade -i ccm cpo/{CCM} --version $VERSION\n",
        "v1.31.1",
        within=rf"(?<!\S)#[^\n]*+|\bhelm[ \t]++(?P<words>{_WORDS}(?:(?<=\\)\r?\n{_WORDS}){{0,100}}+)",
    ),
    ReleaseSign(
        "an image in a line",
        (f"{CCM}:",),
        rf"(?m)^(?![ \t]*+(?:#|//|-[ \t]|{_ITEM}))(?:(?![ \t](?:#|//))[^\n])*?(?<=[\s\"'=/,(|]){CCM}:"
        r"(?P<image>v?1\.[\w.+-]++)(?:@sha256:[0-9a-f]++)?(?=[\s\"',;)|]|\Z)",
        f"image: x/{CCM}:v1.31.2\n",
        "v1.31.2",
        is_weak=True,
    ),
)
"""In texts that are no objects."""

_NAMES = "|".join(KUBERNETES_VARIABLES)
KUBERNETES: tuple[tuple[str, str, str], ...] = (
    (
        "an image of Kubernetes",
        rf"^(?![ \t]*+(?:#|//))[^\n]*?\b(?:{'|'.join(KUBERNETES_IMAGES)})(?:-amd64)?:",
        "image: gcr.io/google_containers/hyperkube-amd64:v1.9.3",
    ),
    (
        "kubeadm's flag",
        rf"^(?![ \t]*+(?:#|//))(?![^\n]*?\b{LOCAL_CLUSTER}\b)[^\n]*?{KUBERNETES_FLAG}(?:[ \t]++|=)[\"']?",
        "kubeadm init --kubernetes-version=v1.9.3",
    ),
    (
        "a variable for it",
        rf"^[ \t]*+(?:-[ \t]++)?(?:export[ \t]++)?[\"']?(?:\w*?_)?(?i:{_NAMES})[\"']?[ \t]*+[:=][ \t]*+[\"']?",
        "kube_version: v1.9.3",
    ),
    (
        "a variable of Terraform for it",
        rf"\bvariable[ \t]++\"?(?:\w*?_)?(?:{_NAMES})\"?[ \t]*+\{{[^{{}}]*?\bdefault[ \t]*+=[ \t]*+\"",
        'variable "k8s_version" {\n  default = "v1.9.3"\n}',
    ),
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
