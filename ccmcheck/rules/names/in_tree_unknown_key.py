"""An unknown name that stops the legacy in-tree provider.

What it does: finds keys and sections that the in-tree provider does not know, in files that it reads.

Why: the CCM and the in-tree provider read the same file, and one file often serves both during a migration.

What the CCM does: the CCM ignores such names. The in-tree provider in kubelet and kube-controller-manager fails at
start with ``can't store data at section "LoadBalancer", variable "enabled"``; 1.25 only logs a warning.

Releases: the in-tree provider of Kubernetes 1.16 to 1.24

Fix: deletes the line.

Fix safety: unsafe because the CCM may read it

Source: k8s.io/legacy-cloud-providers openstack.go (no gcfg.FatalOnly), run; kubespray#7955, gardener#145
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.catalog import Schema
    from ccmcheck.conf.view import CloudConf

META = Meta(
    "in-tree-unknown-key",
    "An unknown name that stops the legacy in-tree provider",
    Severity.ERROR,
    needs=("that the in-tree provider reads the file",),
)

_IN_TREE = "legacy-in-tree"
_BOTH = ("ccm", _IN_TREE)

BAD = (
    Case(
        "[LoadBalancer]\nsubnet-id=x\ncascade-delete=true\n",
        at=(3, 1),
        fixed="[LoadBalancer]\nsubnet-id=x\n",
        unsafe=True,
        release="1.22",
        consumers=_BOTH,
    ),
    Case("[Networking]\npublic-network-name=x\n", at=(1, 1), release="1.20", consumers=(_IN_TREE,)),
    Case(
        "[BlockStorage]\nrescan-on-resize=true\nbs-version=v3\n",
        at=(2, 1),
        fixed="[BlockStorage]\nbs-version=v3\n",
        unsafe=True,
        release="1.18",
        consumers=_BOTH,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncascade-delete=true\n", release="1.22"),
    Case("[LoadBalancer]\ncascade-delete=true\n", release="1.25", consumers=_BOTH),
    Case("[LoadBalancer]\ncascade-delete=true\n", consumers=_BOTH),
    Case("[LoadBalancer]\nsubnet-id=x\n[BlockStorage]\nbs-version=v3\n", release="1.22", consumers=_BOTH),
    Case("[Global]\nsecret-name=x\n", release="1.22", consumers=_BOTH),
    Case("[LoadBalancer]\n{{ key }}-x=true\n", release="1.22", consumers=_BOTH, template=True),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look each name up in what the in-tree provider knows."""
    schema = _schema(conf)
    if schema is None or not schema.refuses_unknown:
        return
    for section in conf.sections:
        spec = schema.section(section.name)
        if conf.is_opaque(section.span) or not section.sound:
            continue
        if spec is None or (section.subsection is not None and not spec.is_map):
            yield Problem(
                section.span,
                f"the in-tree provider of Kubernetes {schema.release.name} does not start: unknown section",
                "",
                "Give the in-tree provider a file of its own.",
            )
            continue
        for entry in section.entries:
            if entry.sound and spec.key(entry.key) is None and not conf.is_opaque(entry.key_span):
                yield Problem(
                    entry.key_span,
                    f"the in-tree provider of Kubernetes {schema.release.name} does not start: unknown key",
                    "",
                    "Delete the line, or give the in-tree provider a file of its own.",
                    fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, entry)),
                )


def _schema(conf: CloudConf) -> Schema | None:
    if conf.schema.consumer == _IN_TREE:
        return conf.schema
    if _IN_TREE not in conf.carried.consumers:
        return None
    try:
        return catalog.schema(catalog.release(conf.release.branch, _IN_TREE), _IN_TREE)
    except WrongUse:
        return None
