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
from ccmcheck.catalog.data.deployments import (
    CCM,
    CCM_MANIFESTS,
    CCM_REPOSITORY,
    CINDER_CSI,
    EXTERNAL_SWITCHES,
    NODE_FOLDER,
    PROVIDER_FLAGS,
    RELEASE_VARIABLES,
    YAWOL,
    YAWOL_PROGRAM,
)
from ccmcheck.catalog.data.other_names import OTHER_CLOUDS
from ccmcheck.catalog.signs.paths import WORD_FOR_CCM
from ccmcheck.catalog.signs.texts import (
    APPLIED,
    LOWER,
    NAMESPACE,
    PAGE,
    PATH,
    UNKNOWN,
    WHOLE,
    Question,
    Row,
    Weighed,
    weigh,
)

CCM_READER, IN_TREE, AUTOSCALER, KMS = "ccm", "legacy-in-tree", "cluster-autoscaler", "barbican-kms-plugin"

_OPENSTACK = r"[\"']?[ \t]*+[=:](?:[ \t]*+\r?\n[ \t]*+-)?+[ \t]*+[\"']?openstack\b(?![\w./-])"
_FLAG = rf"cloud-provider{_OPENSTACK}"
_LINK = rf"(?:\[`?{CCM}`?\]\()?https?://github\.com/[\w.-]++/{CCM}(?![\w/.-])"
"""A link to a repository with the CCM's name, which installs nothing."""
_OF_KUBERNETES = "kube-(?:controller-manager|apiserver)|kubelet"
_OF_CCM = "cloud-controller-manager"
_ANY_OF_THEM = rf"(?a){WORD_FOR_CCM}|csi\b(?<=\bcsi)|{CCM_REPOSITORY}"

NAMED = 11
"""The least weight of what names the CCM, or what installs it."""
MAYBE = 9
"""The weight of what starts the in-tree provider where the version of Kubernetes is known to have it."""
_NAMED: tuple[Row, ...] = (
    (CCM, CCM_READER, 20, (CCM,), f"{_LINK}|(?P<sign>{CCM})", f"image: x/{CCM}:v1.31.2"),
    ("a link to the CCM", CCM_READER, NAMED, (CCM,), _LINK, f"https://github.com/x/{CCM}"),
    (
        "--cloud-provider=external",  # as a flag, as kubeadm's arguments, and in the configuration of k3s and RKE2
        CCM_READER,
        20,
        ("external",),
        (
            r"cloud-provider(?:-name)?(?:[\"']?[ \t]*+[=:][ \t]*+|[\"']?,?\s++[\"']?value[\"']?:[ \t]*+"
            r"|(?<=--cloud-provider)[ \t]++)[\"']?external\b"
        ),
        "kubelet --cloud-provider=external",
    ),
)
_FLAGS: tuple[Row, ...] = (
    ("--cloud-provider=openstack", IN_TREE, 8, ("cloud-provider",), _FLAG, "--cloud-provider=openstack"),
    (
        # RKE2 hands it to all processes; most of its releases are of Kubernetes without such a provider
        "RKE2's cloud-provider-name",
        IN_TREE,
        MAYBE,
        ("cloud-provider-name",),
        rf"cloud-provider-name{_OPENSTACK}",
        "cloud-provider-name: openstack",
    ),
    (
        "a CCM with --cloud-provider=openstack",
        CCM_READER,
        20,
        ("cloud-provider",),
        rf"(?i)(?P<of>{_OF_CCM})|(?P<no>{_OF_KUBERNETES})|(?P<sign>{_FLAG})",
        "/bin/x-cloud-controller-manager --cloud-provider=openstack",
    ),
    (
        "a process of Kubernetes with --cloud-provider=openstack",
        IN_TREE,
        8,
        ("cloud-provider",),
        rf"(?i)(?P<of>{_OF_KUBERNETES})|(?P<no>{_OF_CCM})|(?P<sign>{_FLAG})",
        "kubelet --cloud-provider=openstack",
    ),
)

OF_FILE: Question = {
    WHOLE: (
        *_NAMED,
        (CCM_REPOSITORY, CCM_READER, 3, (CCM_REPOSITORY,), "", f"github.com/kubernetes/{CCM_REPOSITORY}"),
        (
            "OpenShift 3",  # which has no CCM: openshift-ansible's variables up to 3.11, its nodes' folder
            IN_TREE,
            9,
            ("cloudprovider",),
            "openshift_cloudprovider_openstack|/etc/origin/cloudprovider",
            "openshift_cloudprovider_openstack_auth_url",
        ),
        (
            "values of the driver's chart",  # the Secret, which may be put on the host
            CINDER_CSI,
            5,
            ("secret:",),
            (
                r"(?m)^secret:[ \t]*+\r?\n"
                r"(?:[ \t]*+(?:#[^\n]*+|(?<=[ \t])(?!hostMount:|filename:)[^\n]*+)?+\r?\n){0,20}+"
                r"[ \t]++(?:hostMount|filename):"
            ),
            "secret:\n  enabled: true\n  hostMount: true\n",
        ),
        (YAWOL, YAWOL, 5, (YAWOL_PROGRAM,), "", f"image: {YAWOL_PROGRAM}"),
        (
            "the CCM of another cloud",
            "",
            2,
            ("-cloud-controller-manager",),
            (
                rf"(?<![\w-])(?!openstack-)(?=(?:[a-z0-9]++-)*?(?:{'|'.join(OTHER_CLOUDS)})-)"
                r"[a-z0-9]++(?:-[a-z0-9]++)*?-cloud-controller-manager(?![\w-])"
            ),
            "aws-cloud-controller-manager",
        ),
        (
            f"{NODE_FOLDER} beside settings of the in-tree provider",
            IN_TREE,
            1,
            (NODE_FOLDER,),
            (
                "openstackCloudProvider|provisioner: kubernetes.io/cinder"
                "|kubernetes.io/docs/concepts/cluster-administration/cloud-providers"
            ),
            f"{NODE_FOLDER}.conf\nprovisioner: kubernetes.io/cinder\n",
        ),
    ),
    LOWER: (
        ("a word for a CCM there", CCM_READER, 1, (NODE_FOLDER,), _ANY_OF_THEM, f"{NODE_FOLDER}.conf for the occm"),
    ),
    APPLIED: _FLAGS,
    PATH: (
        (
            "a role that sets up nodes",  # an Ansible role for kubelet; the CCM is installed by one of its own
            IN_TREE,
            50,
            ("roles/",),
            (
                r"(?:\A|/)roles/(?:[^/]++/)*?(?:node|preinstall|kubelet)/templates/"
                r"(?:[^/]++/)?(?:openstack[._-])?cloud[._-]?conf"
            ),
            "roles/kubernetes/node/templates/cloud.conf.j2",
        ),
        # one further up may be called so for all that lies below it
        (YAWOL, YAWOL, 5, (YAWOL,), rf"{YAWOL}[^/]*+(?:/[^/]*+)?\Z", f"deploy/{YAWOL}/cloud.conf"),
    ),
    PAGE: ((YAWOL, YAWOL, 5, (YAWOL,), "", f"# {YAWOL}"),),
}
"""By the file that it is in, and by its path."""

OF_SECTION: Question = {
    WHOLE: (
        (
            "the section speaks of kube-controller-manager",
            IN_TREE,
            1,
            (),
            r"(?ai)\bkube(?:rnetes)?[ -]controller[ -]manager\b",
            "the Kubernetes Controller Manager",
        ),
    ),
    LOWER: (("a word for a CCM", CCM_READER, 1, (), _ANY_OF_THEM, "the ccm"),),
}
"""By the words of a page's section, where nothing else in the page tells."""

STARTING: Question = {
    WHOLE: (
        *_NAMED,
        (CCM_MANIFESTS, CCM_READER, 9, (CCM_MANIFESTS,), "", CCM_MANIFESTS),
        ("a variable for the CCM's release", CCM_READER, 9, (), "|".join(RELEASE_VARIABLES), "occm_tag: v1.31.2"),
        (
            "a switch for a CCM",  # Kubespray's variable, Talos' field
            CCM_READER,
            9,
            (),
            "|".join(EXTERNAL_SWITCHES),
            "external_cloud_provider: true",
        ),
    ),
    APPLIED: (
        *_FLAGS,
        (
            "a process of Kubernetes",  # also as kubeadm's configuration has it
            IN_TREE,
            2,
            ("cloud-provider",),
            r"(?i)kubelet|kube-?(?:apiserver|controller-?manager)|(?:controllerManager|apiServer)(?:ExtraArgs|\s*+:)",
            "apiServerExtraArgs: {cloud-provider: x}",
        ),
    ),
}
"""By what a file near it starts. A flag alone is not enough: nobody knows of what."""
_LEAST_STARTING = MAYBE
STARTING_TEXTS = (CCM, CCM_MANIFESTS, *RELEASE_VARIABLES, *PROVIDER_FLAGS, *EXTERNAL_SWITCHES)
"""What a file holds that may tell who reads a cloud.conf."""

OF_FOLDER: Question = {
    WHOLE: ((CCM, CCM_READER, 1, (CCM,), "", CCM),),
    PATH: (
        (
            "the driver's folder",
            CINDER_CSI,
            1,
            (),
            r"(?i)cinder[-_]?csi|csi[-_]?cinder|csi[/\\]cinder",
            "pkg/csi/cinder/etc/cloud.conf",
        ),
        ("a folder of the CCM's", CCM_READER, 1, (), f"(?ai){WORD_FOR_CCM}", "occm/cloud.conf"),
    ),
}
"""By the folder of a plain file."""

OF_MOUNTING: Question = {
    WHOLE: (
        (
            "what the driver's workload in the file mounts",
            CINDER_CSI,
            1,
            (CINDER_CSI,),
            rf"image[\"']?[ \t]*+:[ \t]*+[\"']?[^\s\"']{{0,400}}?\b{CINDER_CSI}\b",
            f"image: x/{CINDER_CSI}:v1",
        ),
        (CCM, CCM_READER, 1, (CCM,), "", CCM),
    )
}
"""By the workload in a file whose volumes name the object: beside the CCM's nobody knows which mounts what."""

OF_CONF: Question = {
    WHOLE: (
        (
            "a section that the driver does not read",
            CCM_READER,
            1,
            ("[",),
            r"(?mi)^[ \t]*+\[[ \t]*+(?:loadbalancer|networking|route)",
            "[LoadBalancer]",
        ),
    )
}
"""By the cloud.conf, which the CCM reads, too, then."""

OF_NAMES: Question = {
    WHOLE: (
        ("openstack", CCM_READER, 2, ("openstack",), "", "openstack-cloud-controller-manager"),
        ("another cloud", "another", 1, (), rf"\b(?:{'|'.join(OTHER_CLOUDS)})\b", "cloud-controller-manager-aws"),
    )
}
"""By the names of a chart of a cloud controller manager, of what installs it, and of its image."""

OF_OBJECT: Question = {
    WHOLE: (
        (AUTOSCALER, AUTOSCALER, 100, ("autoscaler",), "", "cluster-autoscaler-cloud-config"),
        (YAWOL, YAWOL, 30, (YAWOL,), "", "yawol-credentials"),
        (CINDER_CSI, CINDER_CSI, 11, ("cinder", "csi"), "", "cinder-csi-cloud-config"),
        (CINDER_CSI, CINDER_CSI, 11, ("csi",), r"\A(?!.*(?:ccm|manila))(?:.*-)?csi(?:-|\Z)", "cloud-config-csi"),
        (KMS, KMS, 10, (), "barbican|kms", "barbican-kms-config"),
        (CCM_READER, CCM_READER, 5, (), "ccm|cloud-controller", "ccm-config"),
    ),
    NAMESPACE: ((YAWOL, YAWOL, 30, (YAWOL,), "", "yawol-system"),),
}
"""By the name of the object that holds it, and its namespace."""
_OF_ANY_OBJECT = ("autoscaler", "yawol", "csi", "barbican", "kms", "ccm", "cloud-controller")


_COMMENT = lazy_regex(r"(?<!\S)(?:#|//)[^\n]*+")


def reader_by_file(text: str, path: str, *, is_page: bool) -> Weighed:
    """Who reads the cloud.confs of a file, by the file."""
    texts = {WHOLE: text, LOWER: text.lower(), APPLIED: text, PATH: path.lower()}
    return weigh(OF_FILE, texts | {PAGE: text} if is_page else texts)


def reader_started_by(text: str) -> Weighed:
    """The reader of cloud.confs that a file starts or configures; the CCM is one even in a comment."""
    return weigh(STARTING, {WHOLE: text, APPLIED: _COMMENT.sub("", text)}, _LEAST_STARTING)


def reader_by_names(names: str) -> str:
    """Whose cloud controller manager a chart installs, by its names; empty where they do not tell."""
    return weigh(OF_NAMES, {WHOLE: names}).value


def reader_by_object(name: str, namespace: str = "") -> Weighed:
    """Who reads a cloud.conf, by the name of the object that holds it and its namespace."""
    if not has_one(f"{name} {namespace}".lower(), _OF_ANY_OBJECT):  # most names; there may be many thousands
        return UNKNOWN
    return weigh(OF_OBJECT, {WHOLE: name.lower(), NAMESPACE: namespace})
