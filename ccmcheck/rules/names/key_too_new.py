"""A key or section that only a later release reads.

What it does: finds names that a later release of the CCM reads and the target release does not, tag by tag.

Why: keys are backported to older branches, so v1.26.4 may know one that v1.27.2 does not.

What the CCM does: it silently ignores the key.

Releases: by key

Fix: none; upgrade, or delete the line.

Source: cloud-provider-openstack pkg/openstack/openstack.go and pkg/client/client.go at every branch and tag
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.base.suggest import fold_name
from ccmcheck.catalog import fold
from ccmcheck.rules._support.ignored import by_release, first_release, lost_sections, reported_by
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf
    from ccmcheck.rules._support.ignored import Ignored

META = Meta("key-too-new", "A key or section that only a later release reads", Severity.ERROR)

BAD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nmonitor-max-retries-down=2\n", at=(3, 1), release="v1.27.2"),
    Case("[LoadBalancer]\nnode-selector=lb=yes\n", at=(2, 1), release="v1.30.0"),
    Case("[LoadBalancer]\nenabled=false\n", at=(2, 1), release="1.23"),
    Case('[LoadBalancerClass "a"]\nsubnet-id=x\n', at=(1, 1), release="1.14"),
    Case("[Global]\ntls-insecure=true\n", at=(2, 1), release="1.18"),
    Case("[Networking]\naddress-sort-order=10.0.0.0/8\n", at=(2, 1), release="v1.25.3", shown=False),
    Case("[Global]\nenabled=false\n", at=(2, 1), release="1.23", shown=False),
)
GOOD = (
    Case("[LoadBalancer]\nmonitor-max-retries-down=2\n", release="v1.26.4"),
    Case("[LoadBalancer]\nmonitor-max-retries-down=2\n", release="1.27"),
    Case("[LoadBalancer]\nuse-octavia=true\n"),
    Case('[LoadBalancerClass "a"]\nsubnet-id=x\n', release="1.15"),
    Case("[LoadBalancer]\nenabled=false\n", release="1.23", consumers=("cinder-csi-plugin",)),
    Case("[KeyManager]\nkey-id=x\n"),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the names that the catalogue has for a later release."""
    for section, history in lost_sections(conf):
        if by_release(conf.schema, history) == META.name:
            first = first_release(history, conf.schema.consumer, conf.release)
            yield Problem(
                section.span,
                f"CCM {conf.release.name} does not know this section and silently ignores every key in it",
                "",
                f"Upgrade to {first}, the first release that reads it.",
            )
    for ignored in reported_by(conf, META.name):
        if ignored.history is None:
            continue
        first = first_release(ignored.history, conf.schema.consumer, conf.release)
        yield Problem(
            ignored.item.entry.key_span,
            f"CCM {conf.release.name} does not know this key and silently ignores it",
            f"The first release that reads it is {first}."
            + (
                ""
                if fold(ignored.item.section.name) == fold(ignored.section)
                else f" It belongs to [{ignored.section}]."
            ),
            _instead(conf, ignored, first),
        )


def _instead(conf: CloudConf, ignored: Ignored, first: str) -> str:
    section = conf.schema.section(ignored.section)
    older = [spec.name for spec in section.keys if fold_name(spec.name) == fold_name(ignored.meant)] if section else []
    if older:
        return f"Write `{older[0]}`, its name in this release."
    return f"Upgrade to {first}, or delete the line."
