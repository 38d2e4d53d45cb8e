"""Finds every cloud.conf of a file: `find` searches the file, `ccmcheck.carriers.kinds` lists the kinds of objects."""

from ccmcheck.carriers.base import CarriedConf, CcmPod, KubernetesVersion, Mount, PodOwner, RunContext, lone_conf
from ccmcheck.carriers.collector import FindOptions
from ccmcheck.carriers.find import FileContents, find
from ccmcheck.carriers.kubernetes_object import KubernetesObject
from ccmcheck.carriers.prefilter import mentions_ccm, needed_by_other_files, worth_parsing, worth_reading

__all__ = [
    "CarriedConf", "CcmPod", "FileContents", "FindOptions", "KubernetesObject", "KubernetesVersion", "Mount",
    "PodOwner", "RunContext", "find", "lone_conf", "mentions_ccm", "needed_by_other_files", "worth_parsing",
    "worth_reading",
]  # fmt: skip
