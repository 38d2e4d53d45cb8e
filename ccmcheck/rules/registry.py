"""The registry of rules: a row of ``registry.tsv`` a rule, with everything that must be known before its file is loaded.

A rule is added by its file, ``rules/GROUP/NAME.py``, and its row; nothing is discovered. The row holds the group, the
name, the severity, what its fixes are, the kinds of objects that it is about (or the name of several, `_ABOUT`), its
triggers and its needs; a condition stands between ``<`` and ``>``. A correct cloud.conf of ten keys triggers a third of
the rules, and the others are neither loaded nor run. ``tests/rules/test_registry.py`` holds the rows against the files.
"""

from __future__ import annotations

from ccmcheck.base.data_files import read_table
from ccmcheck.base.model import Severity
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.ccm_chart import CHARTS, VALUES_OF


class Entry(NamedTuple):
    """One rule.

    Attributes:
        name: Its name, ``duration-bad``; its code is ``duration_bad.py``, its page ``duration_bad.md``.
        severity: The severity of its findings, unless a problem has its own.
        fix: ``safe`` where at least one of its fixes is, ``unsafe`` where all of them are, ``manual`` where it has none.
        kinds: The kinds of Kubernetes objects that it is about; empty for a rule about a cloud.conf.
        triggers: It can only report something where one of these is present; empty where it always runs. About a
            cloud.conf: a condition below, a behaviour (`behaviour`), or a word of the text or of a value, in lower case.
            About an object: a condition on the run, or a word of the object's text, case-sensitive.
        needs: Inputs without which it reports nothing, for ``-v``: ``the CCM's pod``, ``the node count`` …
        per_release: False where the result is the same for every release, so that it runs once.
        since: The first version of ccmcheck with it.
    """

    name: str
    severity: Severity
    fix: str
    kinds: tuple[str, ...]
    triggers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    per_release: bool = True
    since: str = "0.1"


SAFE = "safe"
UNSAFE = "unsafe"
MANUAL = "manual"

CONFIG_OBJECTS = ("Secret", "ConfigMap")
CONTROLLERS = ("DaemonSet", "Deployment", "StatefulSet")
KUBEADM = ("KubeadmControlPlane", "KubeadmControlPlaneTemplate", "KubeadmConfig", "KubeadmConfigTemplate")
TERRAFORM_RULES, TERRAFORM_CLUSTERS = ("openstack_networking_secgroup_rule_v2",), ("rancher2_cluster", "rke_cluster")
KUBESPRAY_VARIABLES = ("Kubespray variables",)
CHART_VALUES_OF = tuple(f"{VALUES_OF}{chart}" for chart in dict.fromkeys(CHARTS.values()))
CAPO = ("OpenStackCluster", "OpenStackClusterTemplate")
MAGNUM = ("openstack_containerinfra_clustertemplate_v1", "openstack_containerinfra_cluster_v1")
INSTALLED = (*CHART_VALUES_OF, *KUBESPRAY_VARIABLES, *MAGNUM, "Cluster", "Shoot", "KubeOneCluster", "Seed", "ClusterDeployment", "Juju bundle", "Talos", "clouds.yaml", "k3s or RKE2 configuration", "RKE cluster", "Secret", "MasterConfig", *CAPO)  # fmt: skip
SETTINGS = ("Kubernetes settings",)
STORAGE = ("StorageClass", "PersistentVolume", "PersistentVolumeClaim", "VolumeSnapshotClass", "CSIDriver", "CSINode")
SERVICE = "Service"

ANNOTATION_RULES = frozenset({"svc-annotation-unknown", "svc-annotation-value", "svc-timeout-unit"})
"""The rules about Services that judge an annotation by its name and value, without the rest of the Service."""

CONDITIONS = tuple([f"\0{name}" for name, _ in read_table(__file__, "conditions.tsv")])
"""The triggers that are not words of the text but something in it, or of its release.

`ccmcheck.rules.prefilter` evaluates them, and those that follow.
"""
RUN_CONDITIONS = tuple([f"\0{name}" for name, _ in read_table(__file__, "run_conditions.tsv")])
"""The triggers that hold for all files of a run."""

_BEHAVIOUR = "\0behaviour "


def behaviour_of(trigger: str) -> str:
    """The name of the behaviour that a trigger is about; empty for any other trigger."""
    return trigger.removeprefix(_BEHAVIOUR) if trigger.startswith(_BEHAVIOUR) else ""


_ABOUT = {
    "config": CONFIG_OBJECTS,
    "controllers": CONTROLLERS,
    "pods": (*CONTROLLERS, "Pod"),
    "kubeadm": KUBEADM,
    "kubeadm-own": (*KUBEADM, "ClusterConfiguration", "InitConfiguration", "JoinConfiguration"),
    "charts": CHART_VALUES_OF,
    "installed": INSTALLED,
    "storage": STORAGE,
}
_WORDS = {"<vertical tab>": "\x0b", "<form feed>": "\x0c"}


def _entry(row: list[str]) -> Entry:
    _, name, severity, fix, about, triggers, needs, once = (*row, "", "", "", "")[:8]
    kinds = [kind for word in _parts(about, ", ") for kind in _ABOUT.get(word) or (word,)]
    found = [_WORDS.get(one) or (f"\0{one[1:-1]}" if one[0] == "<" else one) for one in _parts(triggers, " | ")]
    more = tuple(kinds), tuple(found), tuple(_parts(needs, " | "))
    return Entry(name, Severity[severity.upper()], fix, *more, per_release=not once)


def _parts(cell: str, between: str) -> list[str]:
    return cell.split(between) if cell else []


_ROWS = read_table(__file__, "registry.tsv")

REGISTRY = {
    group: tuple([_entry(row) for row in _ROWS if row[0] == group]) for group in dict.fromkeys(row[0] for row in _ROWS)
}
"""The rules by group, in the order in which they run; a group is a folder below ``rules/``."""

ENTRIES: dict[str, Entry] = {entry.name: entry for entries in REGISTRY.values() for entry in entries}
"""The rules by name, in the same order."""

UNUSED = Entry("unused-suppression", Severity.WARNING, MANUAL, (), per_release=False)
"""Reported by `ccmcheck.lint.suppress` itself."""

MANUAL_RULES = frozenset(entry.name for entry in ENTRIES.values() if entry.fix == MANUAL)
"""Rules that never have a fix."""

RULES_WITHOUT_SAFE_FIX = frozenset(entry.name for entry in ENTRIES.values() if entry.fix != SAFE)
"""Those, and the rules whose fixes are all unsafe."""
