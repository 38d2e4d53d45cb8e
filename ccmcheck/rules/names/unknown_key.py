"""An unknown key in cloud.conf.

What it does: finds keys that no release knows in their section, and suggests the key that was probably intended.

Why: the default applies instead, and nothing reports it. With a misspelt `create-monitor` a cluster has no
health monitors.

What the CCM does: it silently ignores the key. gcfg returns a warning, which the CCM discards.

Releases: all

Fix: writes the known name where exactly one is at most two letters away, hyphens and case aside, and is not in the
file yet.

Fix safety: unsafe because the value takes effect, which it did not before

Source: cloud-provider-openstack pkg/openstack/openstack.go ReadConfig (gcfg.FatalOnly); gcfg v1.2.3, run
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.suggest import distance, fold_name
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import reported_by
from ccmcheck.rules._support.renaming import default_applies, present, rename
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("unknown-key", "An unknown key in cloud.conf", Severity.ERROR)

BAD = (
    Case(
        "[LoadBalancer]\ncreate-montior = true\n",
        at=(2, 1),
        fixed="[LoadBalancer]\ncreate-monitor = true\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\nLBMethod=ROUND_ROBIN\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nlb-method=ROUND_ROBIN\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\nmonitor-retries=3 # up\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nmonitor-max-retries=3 # up\n",
        unsafe=True,
    ),
    Case("[LoadBalancer]\ncreatemonitor\n", at=(2, 1), fixed="[LoadBalancer]\ncreate-monitor\n", unsafe=True),
    Case("[Global]\nauth-url=https://k\ncloud-name=x\n", at=(3, 1)),
    Case("[LoadBalancer]\nmonitor-dealy=5\n", at=(2, 1)),
    Case("[LoadBalancer]\nlb-method=SOURCE_IP\nlb-methode=ROUND_ROBIN\n", at=(3, 1)),
    Case(
        "[Networking]\nfloatingNetworkName=x\npublic-network-names=${PUBLIC}\n",
        at=(2, 1),
        times=2,
        template=True,
        shown=False,
    )._replace(text="[Networking]\nfloating-net=x\nprivate-net=${PUBLIC}\n"),
    Case(
        "[LoadBalancer]\nsubnetId = ${SUBNET}\n",
        at=(2, 1),
        fixed="[LoadBalancer]\nsubnet-id = ${SUBNET}\n",
        unsafe=True,
        template=True,
    ),
    Case("[Global]\nauth-url=https://k\nsecret-name=openstack-credentials\n", at=(3, 1), shown=False),
    Case(
        '[LoadBalancerClass "a"]\nsubnetid=x\n',
        at=(2, 1),
        fixed='[LoadBalancerClass "a"]\nsubnet-id=x\n',
        unsafe=True,
        shown=False,
    ),
    Case(
        "[Networking]\ninternal-network-name=nodes\nexternal-network-name=public\n",
        at=(3, 1),
        fixed="[Networking]\ninternal-network-name=nodes\npublic-network-name=public\n",
        unsafe=True,
        shown=False,
    ),
    Case(
        "[Networking]\npublic-network-name=a\npublic-network-names=b\n",
        at=(3, 1),
        fixed="[Networking]\npublic-network-name=a\npublic-network-name=b\n",
        unsafe=True,
        shown=False,
    ),
    Case("[LoadBalancer]\nnetwork-id=a\nnetworks-ip=b\n", at=(3, 1), shown=False),
    Case("[LoadBalancer]\nmonitor-max-retry-down=2\n", at=(2, 1), release="1.25", shown=False),
    Case(
        "[{{ section }}]\ntoken=x\n[LoadBalancer]\nsubnet-di=x\n",
        at=(4, 1),
        fixed="[{{ section }}]\ntoken=x\n[LoadBalancer]\nsubnet-id=x\n",
        unsafe=True,
        template=True,
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\nCreate-Monitor = true\n"),
    Case("[Metadata]\nhash=0123\n"),
    Case("[BlockStorage]\nrescan-on-resize=true\nbs-versoin=v2\n"),
    Case('[Global "second"]\ncloud-name=x\n'),
    Case("[KeyManager]\nkey-id=x\n"),
    Case("[Global]\nsecret-name=openstack-credentials\nsecret-namespace=kube-system\nkubeconfig-path=\n"),
    Case("[Global]\nsecret-name=x\nregion=R\n", dialect="openshift", shown=False),
    Case("[LoadBalancer]\ncreate_monitor=true\n", shown=False),
    Case("[LoadBalancer]\n${PREFIX}-monitor=true\n", template=True),
    Case("[LoadBalancer]\nuse-octavia=true\n"),
    Case("[Router]\nrouterid=x\n", shown=False),
    Case('[Global]\nuser=x\ninsecure-flag=1\n[VirtualCenter "1.2.3.4"]\ndatacenters=x\n[Network]\npublic-network=x\n'),
    Case("[LoadBalancer]\ncreate-montior=true\n", consumers=("cinder-csi-plugin",), shown=False),
)


@lru_cache(maxsize=64)
def _label(section: str) -> str:
    """The same text for any number of keys."""
    return f"unknown key in [{section}]; the CCM silently ignores it"


def _is_doubtful(key: str, meant: str) -> bool:
    """Whether a key is so far from the one nearest to it that the file, which has that one, may mean another."""
    return distance(fold_name(key), fold_name(meant), 2) == 2


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the ignored keys that no other rule explains."""
    section, label = None, ""
    for ignored in reported_by(conf, META.name):
        item = ignored.item
        if ignored.history is not None:
            yield Problem(
                item.entry.key_span,
                "ignored by the CCM: only OpenShift's operator and the in-tree provider read it",
                "The credentials must be in this file, or in a clouds.yaml with `use-clouds = true`.",
                "Delete the line.",
            )
            continue
        if item.section is not section:
            section = item.section
            label = _label(section.name)
        if not ignored.meant:
            yield Problem(item.entry.key_span, label, "", "Delete the line, or write the intended key.")
            continue
        other = present(conf, ignored, item.section.subsection)
        takes_more = other is not None and other.spec is not None and other.spec.type == "list"
        spec = conf.schema.section(ignored.section)
        if other is not None and not takes_more and _is_doubtful(item.entry.key, ignored.meant):
            yield Problem(item.entry.key_span, label, "", "Delete the line, or write the intended key.")
            continue
        if spec is not None and spec.key(ignored.meant) is None:
            yield Problem(
                item.entry.key_span,
                label,
                "",
                f"Did you mean `{ignored.meant}`? CCM {conf.release.name} does not know that key either.",
            )
            continue
        yield Problem(
            item.entry.key_span,
            f"{label}, so {default_applies(conf, ignored)}" if other is None else label,
            "",
            f"Did you mean `{ignored.meant}`?"
            if other is None or takes_more
            else f"Delete the line; `{ignored.meant}` is set already.",
            fixes.unsafe(conf, f"write `{ignored.meant}`", rename(conf, ignored))
            if other is None or takes_more
            else None,
        )
