"""A key or section that this release no longer reads.

What it does: finds names that an earlier release of the CCM reads and the target release does not.

Why: readers believe that the line has an effect; it often comes from a copied file.

What the CCM does: it silently ignores the key. `use-octavia` is the most common: since 1.26 the CCM always uses Octavia,
even with `use-octavia = false`.

Releases: by key; where nobody knows the release, not if the value is filled in later, because such a template often
serves releases that read the key

Fix: deletes the line; where only the spelling changed, writes the new one. The section [BlockStorage] is only
reported if the CCM is known to read the file and no key in it is one of the Cinder CSI driver's, which often reads the
same Secret.

Fix safety: safe because an ignored line has no effect; unsafe for a new spelling, because its value takes effect
again, and where nobody knows the release, unless the value is what the last releases with the key do without it

Source: cloud-provider-openstack pkg/openstack/openstack.go and pkg/client/client.go at every branch and tag
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.suggest import fold_name
from ccmcheck.catalog import fold
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import CCM, by_release, lost_sections, reported_by
from ccmcheck.rules._support.once import once
from ccmcheck.rules._support.renaming import rename
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Span
    from ccmcheck.catalog import KeyHistory
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.rules._support.ignored import Ignored


META = Meta("key-removed", "A key or section that this release no longer reads", Severity.INFO)

BAD = (
    Case("[LoadBalancer]\nuse-octavia = true\nsubnet-id = x\n", at=(2, 1), fixed="[LoadBalancer]\nsubnet-id = x\n"),
    Case("[LoadBalancer]\nuse-octavia={{ o }}\n", at=(2, 1), template=True),
    Case(
        "[Global]\nregion=R\n[BlockStorage]\n# volumes\nbs-version=v3\n",
        at=(3, 1),
        fixed="[Global]\nregion=R\n# volumes\n",
        release="1.24",
        consumers=("ccm",),
    ),
    Case(
        "[Global]\ntrusteeid=5f3c\n",
        at=(2, 1),
        fixed="[Global]\ntrustee-id=5f3c\n",
        unsafe=True,
        severity=Severity.WARNING,
    ),
    Case("[Global]\ntrusteeid=5f3c\ntrustee-id=5f3c\n", at=(2, 1), fixed="[Global]\ntrustee-id=5f3c\n"),
    Case("[Global]\nuse-octavia=true\n", at=(2, 1), fixed="[Global]\n", shown=False),
    Case(
        "[LoadBalancer]\nuse-octavia = false\nsubnet-id = x\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nsubnet-id = x\n",
        unsafe=True,
        assumed=True,
    ),
    Case("[LoadBalancer]\nuse-octavia=yes\n", at=(2, 1), fixed="[LoadBalancer]\n", assumed=True, shown=False),
    Case(
        "[BlockStorage]\nbs-version=v3\n",
        at=(1, 1),
        fixed="",
        unsafe=True,
        assumed=True,
        consumers=("ccm",),
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nuse-octavia=true\n", release="1.25"),
    Case("[BlockStorage]\nbs-version=v3\n"),
    Case("[BlockStorage]\nbs-version=v3\n", consumers=("ccm", "cinder-csi-plugin")),
    Case("[BlockStorage]\nbs-version=v3\n", consumers=("ccm",), release="1.23"),
    Case("[BlockStorage]\nbs-version=v3\nIgnore-Volume-AZ=true\n", consumers=("ccm",)),
    Case("[Global]\ntrusteeid=5f3c\n", release="1.19"),
    Case("[LoadBalancer]\nuse-octavia=true\n", consumers=("cinder-csi-plugin",), shown=False),
    Case("[LoadBalancer]\nuse-octavia={{ o }}\n", template=True, assumed=True),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the names that the catalogue has for earlier releases only."""
    for section, history in lost_sections(conf):
        is_dead = conf.carried.consumers == (CCM,) and section.span not in _for_driver(conf)
        if is_dead and by_release(conf.schema, history) == META.name:
            yield Problem(
                section.span,
                f"the CCM no longer reads this section since {_removed_in(conf, history)}",
                "",
                _advice(conf, "section", history),
                (fixes.unsafe if conf.is_assumed else fixes.safe)(
                    conf, "delete the section", *fixes.delete_section(conf, section)
                ),
            )
    for ignored in reported_by(conf, META.name):
        if ignored.history is not None and not (conf.is_assumed and conf.is_opaque(ignored.item.span)):
            yield _explain(conf, ignored, ignored.history)


@once
def _for_driver(conf: CloudConf) -> frozenset[Span]:
    """The places of the sections with a key that the Cinder CSI driver reads, which may share the file."""
    schema = catalog.schema(catalog.newest(CINDER_CSI), CINDER_CSI)
    found = set()
    for item in conf.items:
        section = schema.section(item.section.name) if item.spec is None else None
        if section is not None and section.key(fold(item.entry.key)) is not None:
            found.add(item.section.span)
    return frozenset(found)


def _explain(conf: CloudConf, ignored: Ignored, history: KeyHistory) -> Problem:
    entry = ignored.item.entry
    section = conf.schema.section(ignored.section)
    newer = [spec.name for spec in section.keys if fold_name(spec.name) == fold_name(ignored.meant)] if section else []
    label = f"ignored since CCM {_removed_in(conf, history)}"
    if newer and conf.last(ignored.section, newer[0]) is None:
        return Problem(
            entry.key_span,
            f"{label}: renamed to {newer[0]}",
            "",
            f"Write `{newer[0]}`.",
            fixes.unsafe(conf, f"write `{newer[0]}`", rename(conf, ignored._replace(meant=newer[0]))),
            severity=Severity.WARNING,
        )
    delete = fixes.delete_key(conf, entry)
    if not conf.is_assumed or _is_default(conf, ignored, history):
        return Problem(entry.key_span, label, "", "Delete the line.", fixes.safe(conf, "delete the line", delete))
    return Problem(
        entry.key_span, label, "", _advice(conf, "line", history), fixes.unsafe(conf, "delete the line", delete)
    )


def _advice(conf: CloudConf, what: str, history: KeyHistory) -> str:
    if not conf.is_assumed:
        return f"Delete the {what}."
    return (
        f"Delete the {what} if the CCM is {_removed_in(conf, history)} or newer; --release tells ccmcheck which it is."
    )


def _is_default(conf: CloudConf, ignored: Ignored, history: KeyHistory) -> bool:
    """Whether the last release that read the key does the same without it."""
    last = catalog.release(history.consumers[conf.schema.consumer].until)
    section = catalog.schema(last, conf.schema.consumer).section(history.section)
    spec = section.key(history.key) if section is not None else None
    return spec is not None and conf.read_at(last).value_of(ignored.item.entry) == spec.default_value


def _removed_in(conf: CloudConf, history: KeyHistory) -> str:
    """The first branch that does not read it."""
    major, minor = history.consumers[conf.schema.consumer].until.split(".")
    return f"{major}.{int(minor) + 1}"
