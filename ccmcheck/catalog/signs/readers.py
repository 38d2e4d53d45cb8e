"""The signs by which the reader of a cloud.conf is known: its file, what a file near it starts, its object's name.

Kubernetes' own processes read a cloud.conf with the flag ``--cloud-provider=openstack``, which the CCM gets as well. So
a flag weighs by the program before it, and weaker signs only where nothing speaks of the CCM.

Sources: kubernetes.io/docs/reference/command-line-tools-reference kubelet, kube-controller-manager and kube-apiserver
(``--cloud-provider``, ``--cloud-config``); kubeadm.k8s.io/v1beta3 and v1beta4 (``extraArgs``); docs.rke2.io
reference/server_config (``cloud-provider-name``); kubernetes-sigs/kubespray roles/kubernetes/node/templates;
openshift/openshift-ansible release-3.11 roles/openshift_cloud_provider; kubernetes/cloud-provider-openstack
charts/cinder-csi-plugin/values.yaml and pkg/csi/cinder; stackitcloud/yawol charts/yawol-controller; kubernetes.io
"Developing Cloud Controller Manager" for the names of other clouds' CCMs; names of objects as the charts and manifests
of cloud-provider-openstack, cluster-autoscaler and yawol have them.
"""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.text import has_one
from ccmcheck.catalog.data.deployments import CCM, CCM_MANIFESTS, EXTERNAL_SWITCHES, PROVIDER_FLAGS, RELEASE_VARIABLES
from ccmcheck.catalog.data.other_names import OTHER_CLOUDS
from ccmcheck.catalog.signs import texts as signs
from ccmcheck.catalog.signs.paths import WORD_FOR_CCM

CCM_READER, IN_TREE, AUTOSCALER, KMS = "ccm", "legacy-in-tree", "cluster-autoscaler", "barbican-kms-plugin"

NAMED = 11
"""The least weight of what names the CCM, or what installs it."""
MAYBE = 9
"""The weight of what starts the in-tree provider where the version of Kubernetes is known to have it."""


def _questions() -> dict[str, dict[str, list[signs.Row]]]:
    words = {
        "EXTERNAL_SWITCHES": "|".join(EXTERNAL_SWITCHES),
        "OTHER_CLOUDS": "|".join(OTHER_CLOUDS),
        "RELEASE_VARIABLES": "|".join(RELEASE_VARIABLES),
        "WORD_FOR_CCM": WORD_FOR_CCM,
    }
    questions: dict[str, dict[str, list[signs.Row]]] = {}
    for sign in signs.read_signs("readers.txt", words):
        (says,), (weight,), (example,), needs = sign["says"], sign["weight"], sign["example"], sign.get("needs", ())
        answer, pattern = sign.get("answer", _NOTHING)[0], sign.get("pattern", _NOTHING)[0]
        row = says, answer, int(weight), tuple(needs), pattern, example.replace("\\n", "\n")
        for of in sign["of"]:
            question, _, place = of.partition(" ")
            questions.setdefault(question, {}).setdefault(place, []).append(row)
    return questions


_NOTHING = [""]
_QUESTIONS = _questions()
OF_FILE: signs.Question = _QUESTIONS["OF_FILE"]
"""By the file that it is in, and by its path."""

OF_SECTION: signs.Question = _QUESTIONS["OF_SECTION"]
"""By the words of a page's section, where nothing else in the page tells."""

STARTING: signs.Question = _QUESTIONS["STARTING"]
"""By what a file near it starts. A flag alone is not enough: nobody knows of what."""
_LEAST_STARTING = MAYBE
STARTING_TEXTS = (CCM, CCM_MANIFESTS, *RELEASE_VARIABLES, *PROVIDER_FLAGS, *EXTERNAL_SWITCHES)
"""What a file holds that may tell who reads a cloud.conf."""

OF_FOLDER: signs.Question = _QUESTIONS["OF_FOLDER"]
"""By the folder of a plain file."""

OF_MOUNTING: signs.Question = _QUESTIONS["OF_MOUNTING"]
"""By the workload in a file whose volumes name the object: beside the CCM's nobody knows which mounts what."""

OF_CONF: signs.Question = _QUESTIONS["OF_CONF"]
"""By the cloud.conf, which the CCM reads, too, then."""

OF_NAMES: signs.Question = _QUESTIONS["OF_NAMES"]
"""By the names of a chart of a cloud controller manager, of what installs it, and of its image."""

OF_OBJECT: signs.Question = _QUESTIONS["OF_OBJECT"]
"""By the name of the object that holds it, and its namespace."""
_OF_ANY_OBJECT = ("autoscaler", "yawol", "csi", "barbican", "kms", "ccm", "cloud-controller")


_COMMENT = lazy_regex(r"(?<!\S)(?:#|//)[^\n]*+")


def reader_by_file(text: str, path: str, *, is_page: bool) -> signs.Weighed:
    """Who reads the cloud.confs of a file, by the file."""
    texts = {signs.WHOLE: text, signs.LOWER: text.lower(), signs.APPLIED: text, signs.PATH: path.lower()}
    return signs.weigh(OF_FILE, texts | {signs.PAGE: text} if is_page else texts)


def reader_started_by(text: str) -> signs.Weighed:
    """The reader of cloud.confs that a file starts or configures; the CCM is one even in a comment."""
    return signs.weigh(STARTING, {signs.WHOLE: text, signs.APPLIED: _COMMENT.sub("", text)}, _LEAST_STARTING)


def reader_by_names(names: str) -> str:
    """Whose cloud controller manager a chart installs, by its names; empty where they do not tell."""
    return signs.weigh(OF_NAMES, {signs.WHOLE: names}).value


def reader_by_object(name: str, namespace: str = "") -> signs.Weighed:
    """Who reads a cloud.conf, by the name of the object that holds it and its namespace."""
    if not has_one(f"{name} {namespace}".lower(), _OF_ANY_OBJECT):  # most names; there may be many thousands
        return signs.UNKNOWN
    return signs.weigh(OF_OBJECT, {signs.WHOLE: name.lower(), signs.NAMESPACE: namespace})
