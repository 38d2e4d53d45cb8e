"""An ignored value that stops the CCM after an upgrade.

What it does: reads the keys that this release ignores as the newest release would, and finds invalid values.

Why: the line has no effect until an upgrade gives it a meaning and ends in a crash loop.

What the CCM does: it ignores a key it does not know, whatever the value. Once it knows the key, `enabled =` or `max-shared-lb = x` stops
it at start.

Releases: those that lack a key which the newest release has

Fix: by hand; once the release reads the key, that of the rule about its type.

Source: gcfg v1.2.3 set.go, run with the struct declarations of cloud-provider-openstack 1.14 to 1.36
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("upgrade-turns-fatal", "An ignored value that stops the CCM after an upgrade", Severity.WARNING)

BAD = (
    Case("[LoadBalancer]\nenabled =\n", at=(2, 1), release="1.23"),
    Case("[LoadBalancer]\nmax-shared-lb = two\n", at=(2, 17), release="1.22"),
    Case("[LoadBalancer]\nmonitor-max-retries-down = 3x\n", at=(2, 28), release="v1.27.2"),
    Case("[Global]\nos-endpoint-type\n", at=(2, 1), release="1.20", shown=False),
)
GOOD = (
    Case("[LoadBalancer]\nmax-shared-lb = 2\nenabled\n", release="1.22"),
    Case("[LoadBalancer]\nmax-shared-lb = two\n", release="1.23"),
    Case("[LoadBalancer]\nuse-octavia =\nnothing = x\n"),
    Case("[LoadBalancer]\nmax-shared-lb = ${MAX}\n", release="1.22", template=True),
    Case("[LoadBalancer]\nmax_shared_lb = two\n", release="1.22", shown=False),
    Case("[LoadBalancer]\nmax-shared-lb = two\n", release="master", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Read the ignored keys as the newest release does."""
    ignored = [item for item in conf.items if item[2] is None and item.entry.sound and not item.opaque]
    if not ignored:
        return
    newest = catalog.newest(conf.consumer)
    if conf.release >= newest:
        return
    schema = catalog.schema(newest, conf.consumer)
    for item in ignored:
        section = schema.section(item.section.name)
        if section is None or section.key(item.entry.key) is None:
            continue
        later = conf.read_at(newest)
        spec = later.spec_of(item.entry)
        if spec is None or later.value_of(item.entry) is not None:
            continue
        history = catalog.history(spec.section, spec.name)
        known = history.consumers.get(conf.consumer) if history is not None else None
        since = (known.first_tag or known.since) if known is not None else newest.name
        yield Problem(
            item.span,
            f"ignored now; from {since} on the CCM does not start with this value",
            "The upgrade ends in a crash loop.",
            "Write a valid value, or delete the line.",
        )
