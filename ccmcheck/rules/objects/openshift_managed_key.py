"""Keys that OpenShift's operator removes or requires."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.carriers.base import IN_TREE
from ccmcheck.catalog import fold
from ccmcheck.catalog.behaviour import minor_of
from ccmcheck.catalog.data.cluster import OPENSHIFT_GLOBAL, OPENSHIFT_HAS_DELETED, OPENSHIFT_HOLDS
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Section
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL, reported_by

_OF_NO_DRIVER = "trust-device-path"
"""What openshift/csi-operator pkg/openstack-cinder/config/configsync.go drops of [BlockStorage]."""


def check(conf: CloudConf) -> Problems:
    """Read the file as the operator does."""
    if conf.carried.dialect != "openshift" or not conf.for_ccm or conf.document.stops:
        return  # the in-tree provider read the file as it stood
    minors = [minor_of(node.kubelet) for node in conf.run_context.node_labels if node.kubelet]
    newest = max(filter(None, minors), default=OPENSHIFT_HAS_DELETED) if all(minors) else OPENSHIFT_HAS_DELETED
    if newest < OPENSHIFT_HOLDS or conf.schema.consumer == IN_TREE:
        return
    for section in conf.sections_named(GLOBAL):
        yield from _global(conf, section)
    removed = [
        ignored.item.entry for ignored in reported_by(conf, "openshift-managed-key") if newest >= OPENSHIFT_HAS_DELETED
    ]
    for section in conf.sections_named("BlockStorage"):
        of_no_driver = [entry for entry in section.entries if fold(entry.key) == _OF_NO_DRIVER]
        if len(of_no_driver) < len(section.entries):  # the operator of the Cinder CSI driver takes the rest
            removed += of_no_driver
            continue
        yield Problem(
            section.span,
            "OpenShift's operator removes this section",
            "",
            "Delete the section.",
            fixes.safe(conf, "delete the section", *fixes.delete_section(conf, section)),
        )
    for entry in removed:
        yield Problem(
            entry.key_span,
            "OpenShift's operator removes this key",
            "",
            "Delete the line.",
            fixes.safe(conf, "delete the line", fixes.delete_key(conf, entry)),
        )


def _global(conf: CloudConf, section: Section) -> Problems:
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
            "OpenShift's operator rejects a [Global] "
            + (f"whose `{name}` is not `{required}`" if required else f"that sets `{name}`"),
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
