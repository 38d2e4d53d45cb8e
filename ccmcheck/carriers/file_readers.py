"""Who reads the cloud.confs of a file that no object's name tells of: what else is in the file says so.

Kubernetes' own processes read a cloud.conf with the flag ``--cloud-provider=openstack``, which the CCM gets as well. So
a flag counts by the program before it, and weaker signs only where nothing speaks of the CCM.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.carriers.embedded.languages import is_document
from ccmcheck.catalog.data.deployments import (
    CCM,
    CCM_MANIFESTS,
    CCM_REPOSITORY,
    CINDER_CSI,
    EXTERNAL_SWITCHES,
    IN_TREE_SIGNS,
    NODE_FOLDER,
    OPENSHIFT_3,
    RELEASE_VARIABLES,
    YAWOL,
    YAWOL_PROGRAM,
)
from ccmcheck.catalog.data.other_names import OTHER_CLOUDS

CCM_READER = "ccm"
"""The CCM as a reader."""

_ROLE_OF_NODES = lazy_regex(
    r"(?:\A|/)roles/(?:[^/]++/)*?(?:node|preinstall|kubelet)/templates/"
    r"(?:[^/]++/)?(?:openstack[._-])?cloud[._-]?conf"
)
"""An Ansible role that sets nodes up for kubelet; the CCM is installed by one of its own."""
_CCM_NAMES = (CCM, CCM_MANIFESTS, *RELEASE_VARIABLES, *EXTERNAL_SWITCHES)
_FLAG = "cloud-provider"
_FLAG_IN_TREE = (
    r"cloud-provider(?:-name)?[\"']?[ \t]*+[=:](?:[ \t]*+\r?\n[ \t]*+-)?+[ \t]*+[\"']?openstack\b(?![\w./-])"
)
_IN_TREE = lazy_regex(_FLAG_IN_TREE)
_EXTERNAL = lazy_regex(
    r"cloud-provider(?:-name)?"
    r"(?:[\"']?[ \t]*+[=:][ \t]*+|[\"']?,?\s++[\"']?value[\"']?:[ \t]*+|(?<=--cloud-provider)[ \t]++)"
    r"[\"']?external\b"
)
"""As a flag, as an argument of kubeadm's, as one with a name and a value, and in the configuration of k3s and RKE2."""
_COMMENT = lazy_regex(r"(?<!\S)(?:#|//)[^\n]*+")
_CCM_OF = lazy_regex(r"(?<![\w-])[a-z0-9]++(?:-[a-z0-9]++)*?-cloud-controller-manager(?![\w-])")
"""The name of a CCM with that of its cloud."""
_LINK = lazy_regex(rf"(?:\[`?{CCM}`?\]\()?https?://github\.com/[\w.-]++/{CCM}(?![\w/.-])")
"""A link to the CCM's repository, which installs nothing."""
_PROGRAM_OR_FLAG = lazy_regex(
    rf"(?P<ccm>cloud-controller-manager)|kube-(?:controller-manager|apiserver)|kubelet|(?P<flag>{_FLAG_IN_TREE})",
    re.IGNORECASE,
)
_PROCESS = lazy_regex(
    r"kubelet|kube-?(?:apiserver|controller-?manager)|(?:controllerManager|apiServer)(?:ExtraArgs|\s*+:)"
    r"|cloud-provider-name",
    re.IGNORECASE,
)
"""A process of Kubernetes, also as kubeadm's configuration has it, or RKE2's for all of them."""
_ANY_CCM = lazy_regex(
    r"cloud[ -]controller[ -]manager|\bo?ccm\b|\bcsi\b|cloud-provider-openstack", re.IGNORECASE | re.ASCII
)
_HEADING = lazy_regex(r"\n#{2,6}[ \t]")
_CONTROLLER_MANAGER = lazy_regex(r"\bkube(?:rnetes)?[ -]controller[ -]manager\b", re.IGNORECASE | re.ASCII)
_MARKDOWN = (".md", ".mdx", ".markdown")
_DRIVER_NAME = lazy_regex(rf"\b{CINDER_CSI}\b")
_OF_THE_DRIVER = lazy_regex(r"cinder[-_]?csi|csi[-_]?cinder|csi[/\\]cinder", re.IGNORECASE)
"""Folders and files of the driver's: ``pkg/csi/cinder/etc/cloud.conf``, ``addons/cinder-csi/cloud.conf``."""
_OF_BOTH = lazy_regex(r"\bo?ccm\b|cloud[-_]controller", re.IGNORECASE | re.ASCII)
_IMAGE = lazy_regex(r"image[\"']?[ \t]*+:[ \t]*+[\"']?(?P<image>[^\s\"']++)")
_OF_THE_CCM = lazy_regex(r"^[ \t]*+\[[ \t]*+(?i:loadbalancer|networking|route)", re.MULTILINE)
_VOLUME = lazy_regex(
    r"(?:secret|configMap)[\"']?[ \t]*+:\s*+[\"']?(secretName|name)[\"']?[ \t]*+:[ \t]*+[\"']?([\w.-]++)"
)
"""A volume of a Secret or a ConfigMap, with the object's name as its first field."""
_VALUES_OF_DRIVER = lazy_regex(
    r"^secret:[ \t]*+\r?\n"
    r"(?:[ \t]*+(?:#[^\n]*+|(?<=[ \t])(?!hostMount:|filename:)[^\n]*+)?+\r?\n){0,20}+"
    r"[ \t]++(?:hostMount|filename):",
    re.MULTILINE,
)
"""The Secret in the values of the driver's chart, which may put it on the host (charts/cinder-csi-plugin)."""
_KINDS = {"secretName": "Secret", "name": "ConfigMap"}


class FileReaders:
    """The programs that a file tells of as the readers of its cloud.confs.

    Beside `SIGNS`, the sections of a page may speak of kube-controller-manager.

    Args:
        text: The whole file.
        path: Its name; Markdown has sections.

    Attributes:
        of_file: The readers of all cloud.confs of the file; none where the CCM may be among them, or nothing tells.
        sign: What tells of them; empty where nothing does.
    """

    __slots__ = ("_headings", "_in_section", "_is_of_driver", "_mounted", "_text", "of_file", "sign")

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self.of_file: tuple[str, ...] = ()
        self._headings: list[int] = []
        self._in_section: dict[int, tuple[str, ...]] = {}
        self._mounted: frozenset[tuple[str, str]] | None = None
        self._is_of_driver = CCM not in text and _is_of_driver(path)
        for self.sign, reader_of in SIGNS:
            reader = reader_of(text, path)
            if reader:
                self.of_file = (reader,)
                return
        self.sign = ""
        if path.endswith(_MARKDOWN) and _is_about_controller_manager(text):
            self.sign = "the section speaks of kube-controller-manager"
            self._headings = [0, *(match.start() for match in _HEADING.finditer(text)), len(text)]

    @property
    def has_sections(self) -> bool:
        """Whether the file's sections tell of different readers."""
        return bool(self._headings)

    def of_section(self, offset: int) -> tuple[str, ...]:
        """The readers of the cloud.conf at an offset of a file with sections; see `of_file`."""
        number = min(bisect_right(self._headings, offset), len(self._headings) - 1)
        if number not in self._in_section:
            section = self._text[self._headings[number - 1] : self._headings[number]]
            is_in_tree = _CONTROLLER_MANAGER.search(section) is not None and _ANY_CCM.search(section) is None
            self._in_section[number] = (IN_TREE,) if is_in_tree else ()
        return self._in_section[number]

    def sign_of(self, subject: str, conf: str, offset: int) -> str:
        """What in the file tells who reads a cloud.conf of it; empty where nothing does.

        Args:
            subject: See `driver_of`.
            conf: Likewise.
            offset: Where it is in the file.
        """
        if self.of_file or (self._headings and self.of_section(offset)):
            return self.sign
        if not self.driver_of(subject, conf):
            return ""
        return "the driver's folder" if self._is_of_driver else "what the driver's workload in the file mounts"

    def driver_of(self, subject: str, conf: str) -> tuple[str, ...]:
        """The Cinder CSI driver, where the file has its workload mount one object, or lies in a folder of the driver's.

        Args:
            subject: The object, ``Secret kube-system/cloud-config``; empty for a file, which no name tells of. An
                object in a folder of the driver's is often the one that the CCM reads as well.
            conf: Its cloud.conf; with a section that only the CCM reads the driver is not the only reader.
        """
        if self._mounted is None:
            self._mounted = _mounted_beside_driver(self._text)
        if not (self._mounted or self._is_of_driver) or _OF_THE_CCM.search(conf) is not None:
            return ()
        if not subject and self._is_of_driver:
            return (CINDER_CSI,)
        kind, _, name = subject.partition(" ")
        return (CINDER_CSI,) if (kind, name.rpartition("/")[2]) in self._mounted else ()


def _is_of_driver(path: str) -> bool:
    """Whether a path is one of the Cinder CSI driver's, and not of the CCM's as well."""
    return "csi" in path.lower() and _OF_THE_DRIVER.search(path) is not None and _OF_BOTH.search(path) is None


def started_reader(text: str) -> str:
    """The reader of cloud.confs that a file starts or configures.

    Args:
        text: The file.

    Returns:
        The provider inside Kubernetes, whose processes get the flag for it outside of comments; the CCM, where the file
        names it, even in a comment, or gives Kubernetes' processes an external provider; else an empty text.
    """
    applied = _COMMENT.sub("", text)
    if _runs_ccm(applied):
        return CCM_READER
    if _has_in_tree_flag(text) and _IN_TREE.search(applied) is not None and _PROCESS.search(applied) is not None:
        return IN_TREE
    speaks_of_ccm = any(name in text for name in _CCM_NAMES) or _EXTERNAL.search(text) is not None
    return CCM_READER if speaks_of_ccm else ""


def _runs_ccm(text: str) -> bool:
    """Whether a CCM, under whatever name of its image, is what gets the flag for OpenStack."""
    of_ccm = False
    for match in _PROGRAM_OR_FLAG.finditer(text):
        if match["flag"] is None:
            of_ccm = match["ccm"] is not None
        elif of_ccm:
            return True
    return False


def _mounted_beside_driver(text: str) -> frozenset[tuple[str, str]]:
    """The kinds and names of the objects that a file with the driver's workload mounts.

    None where the file has the CCM as well: nobody knows which of the two mounts what.
    """
    if CINDER_CSI not in text or CCM in text:
        return frozenset()
    if not any(_DRIVER_NAME.search(image["image"]) for image in _IMAGE.finditer(text)):
        return frozenset()
    return frozenset((_KINDS[volume[1]], volume[2]) for volume in _VOLUME.finditer(text))


def _is_about_controller_manager(text: str) -> bool:
    """Whether a page speaks of kube-controller-manager, and does not install the CCM."""
    return (
        _CONTROLLER_MANAGER.search(text) is not None
        and CCM not in text
        and CCM_REPOSITORY not in text
        and _EXTERNAL.search(text) is None
    )


def _ccm_of_another_cloud(text: str, _path: str) -> str:
    """The CCM of another cloud that a text is about; empty where it is about OpenStack's, or about several."""
    if "-cloud-controller-manager" not in text or CCM_REPOSITORY in text:
        return ""
    names = {match.group() for match in _CCM_OF.finditer(text)}
    if len(names) != 1:
        return ""
    name = names.pop()
    return name if not OTHER_CLOUDS.isdisjoint(name.split("-")) and "openstack" not in name else ""


def _yawol(text: str, path: str) -> str:
    """Yawol, where a file that does not name the CCM is about it, by its program or its name; a page, by any word.

    Its name is that with the folder it is in: one further up may be called so for all that lies below it.
    """
    if CCM in text:
        return ""
    is_named = YAWOL in "/".join(path.lower().rsplit("/", 2)[-2:])
    return YAWOL if YAWOL_PROGRAM in text or is_named or (YAWOL in text and is_document(path)) else ""


def _values_of_driver(text: str, _path: str) -> str:
    """The Cinder CSI driver, where a file has the Secret of its chart's values."""
    is_its_own = CCM not in text and "secret:" in text and _VALUES_OF_DRIVER.search(text) is not None
    return CINDER_CSI if is_its_own else ""


def _has_in_tree_flag(text: str) -> bool:
    """Whether processes of Kubernetes get the flag, and nothing in the text runs the CCM."""
    if _FLAG not in text or _EXTERNAL.search(text) is not None or _IN_TREE.search(text) is None:
        return False
    if CCM not in text:
        return True
    if CCM in _LINK.sub("", text):
        return False
    of_kubernetes = False
    for match in _PROGRAM_OR_FLAG.finditer(text):
        if match["flag"] is None:
            of_kubernetes = match["ccm"] is None
        elif not of_kubernetes:
            return False
    return True


def _on_a_node(text: str, _path: str) -> str:
    """The in-tree provider, where a file is put on a node, and something shows that provider and nothing the CCM."""
    is_sign = NODE_FOLDER in text and any(sign in text for sign in IN_TREE_SIGNS)
    is_for_ccm = is_sign and (_ANY_CCM.search(text) is not None or _EXTERNAL.search(text) is not None)
    return IN_TREE if is_sign and not is_for_ccm else ""


def _openshift(text: str, _path: str) -> str:
    """The in-tree provider, where a file is for OpenShift 3."""
    return IN_TREE if any(sign in text for sign in OPENSHIFT_3) and CCM not in text else ""


SIGNS: tuple[tuple[str, Callable[[str, str], str]], ...] = (
    ("--cloud-provider=openstack", lambda text, _: IN_TREE if _has_in_tree_flag(text) else ""),
    (f"{NODE_FOLDER} beside settings of the in-tree provider", _on_a_node),
    ("a role that sets up nodes", lambda _, path: IN_TREE if _ROLE_OF_NODES.search(path) is not None else ""),
    ("OpenShift 3", _openshift),
    ("values of the driver's chart", _values_of_driver),
    ("yawol", _yawol),
    ("the CCM of another cloud", _ccm_of_another_cloud),
)
"""What in a file, or its path, tells who reads its cloud.confs: how it is called, and who that is; the first counts."""
