"""Keys that OpenShift's operator removes or requires.

What it does: finds, in the ConfigMap `cloud-provider-config` that OpenShift's cloud controller manager operator reads,
settings that never reach the CCM, and a [Global] that the operator rejects.

Why: what the operator removes misleads readers; what it rejects never reaches the CCM.

What the CCM does: it reads the file that the operator writes: [Global] with `use-clouds`, `clouds-file` and `cloud`; no
[BlockStorage], no `use-octavia`; `max-shared-lb = 1` and `manage-security-groups = true` where they are not set. If
there is a [Global], `secret-name` must be `openstack-credentials`, `secret-namespace` `kube-system`, and
`kubeconfig-path` empty.

Releases: OpenShift 4.11 and newer; `use-octavia` since 4.14

Fix: deletes what the operator removes; [Global] as a whole if it has no other keys, because the operator rejects part
of it.

Fix safety: safe because the operator removes the same

Source: openshift/cluster-cloud-controller-manager-operator pkg/cloud/openstack/openstack.go, CloudConfigTransformer
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import fold
from ccmcheck.catalog.data.cluster import OPENSHIFT_GLOBAL
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL, reported_by
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.gcfg import Section

META = Meta("openshift-managed-key", "Keys that OpenShift's operator removes or requires", Severity.INFO)

_GLOBAL = "[Global]\nsecret-name = openstack-credentials\nsecret-namespace = kube-system\n"
_BALANCER = "[LoadBalancer]\nsubnet-id = 5b2f\n"

BAD = (
    Case(_GLOBAL + _BALANCER, at=(1, 1), fixed=_BALANCER, dialect="openshift"),
    Case(
        _BALANCER + "use-octavia = true\n",
        at=(3, 1),
        fixed=_BALANCER,
        dialect="openshift",
    ),
    Case(
        "[Global]\nsecret-name = my-secret\nsecret-namespace = kube-system\n",
        at=(2, 15),
        dialect="openshift",
        severity=Severity.ERROR,
    ),
    Case("[Global]\nregion = R\n", at=(1, 1), dialect="openshift", severity=Severity.ERROR),
    Case(
        _BALANCER + "[BlockStorage]\nignore-volume-az = yes\n",
        at=(3, 1),
        fixed=_BALANCER,
        dialect="openshift",
        shown=False,
    ),
    Case(
        _GLOBAL + "kubeconfig-path = /var/lib/k\n",
        at=(4, 19),
        dialect="openshift",
        severity=Severity.ERROR,
        shown=False,
    ),
)
GOOD = (
    Case(_BALANCER, dialect="openshift"),
    Case(_GLOBAL + "region = R\n" + _BALANCER, dialect="openshift"),
    Case(_GLOBAL + _BALANCER),
    Case("[Global]\nsecret-name = ${SECRET}\n", dialect="openshift", template=True),
    Case("[LoadBalancer]\nuse-octavia = true\n", shown=False),
    Case(_GLOBAL + "kubeconfig-path = /var/lib/k\n", dialect="openshift", consumers=("legacy-in-tree",), shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Read the file as the operator does."""
    if conf.carried.dialect != "openshift" or not conf.for_ccm or conf.document.stops:
        return  # the in-tree provider read the file as it stood
    for section in conf.sections_named(GLOBAL):
        yield from _global(conf, section)
    for section in conf.sections_named("BlockStorage"):
        yield Problem(
            section.span,
            "OpenShift's operator removes this section",
            "",
            "Delete the section.",
            fixes.safe(conf, "delete the section", *fixes.delete_section(conf, section)),
        )
    for ignored in reported_by(conf, META.name):
        entry = ignored.item.entry
        yield Problem(
            entry.key_span,
            "OpenShift's operator removes this key",
            "",
            "Delete the line.",
            fixes.safe(conf, "delete the line", fixes.delete_key(conf, entry)),
        )


def _global(conf: CloudConf, section: Section) -> Iterator[Problem]:
    if conf.may_hide_keys(GLOBAL):
        return
    given: dict[str, Item] = {fold(item.entry.key): item for item in conf.items if item.section is section}
    if any(item.opaque for item in given.values()):
        return
    for name, required in OPENSHIFT_GLOBAL.items():
        item = given.get(name)
        if (item.entry.value or "" if item is not None else "") == required:
            continue
        yield Problem(
            item.span if item is not None else section.span,
            f"OpenShift's operator rejects a [Global] whose `{name}` is not `{required}`",
            "It reports an error, and the CCM keeps its current cloud.conf, if it has one.",
            f"Write `{name} = {required}`." if required else f"Delete `{name}`.",
            severity=Severity.ERROR,
        )
        return
    if set(given) <= set(OPENSHIFT_GLOBAL):
        yield Problem(
            section.span,
            "OpenShift's operator replaces this section with its own [Global]",
            "",
            "Delete the section.",
            fixes.safe(conf, "delete the section", *fixes.delete_section(conf, section)),
        )
