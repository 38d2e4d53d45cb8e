"""use-clouds hides an error in cloud.conf.

What it does: finds `use-clouds = true` in a file with a reader error, for releases that discard the error.

Why: everything below that line keeps its default, and the CCM runs without reporting it.

What the CCM does: it stops reading at the line, then reads clouds.yaml, whose result replaces
the error. Since 1.19 it does not start.

Releases: 1.14 to 1.18

Fix: none; apply the fix of the finding about that line.

Source: cloud-provider-openstack pkg/cloudprovider/providers/openstack/openstack.go ReadConfig, v1.14.0 to v1.18.2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Note, Problem, Severity
from ccmcheck.rules._support.login import login
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("use-clouds-hides-error", "use-clouds hides an error in cloud.conf", Severity.ERROR)

BAD = (
    Case(
        "[Global]\nuse-clouds=true\n[LoadBalancer]\nmonitor-delay=5\ncreate-monitor=true\n", at=(2, 12), release="1.18"
    ),
    Case("[Global]\nuse-clouds\nauth_url=x\n", at=(2, 1), release="v1.14.0"),
)
GOOD = (
    Case("[Global]\nuse-clouds=true\n[LoadBalancer]\nmonitor-delay=5\n", release="1.19"),
    Case("[LoadBalancer]\nmonitor-delay=5\n[Global]\nuse-clouds=true\n", release="1.18"),
    Case("[Global]\nuse-clouds=false\n[LoadBalancer]\nmonitor-delay=5\n", release="1.18"),
    Case("[Global]\nuse-clouds=true\n[LoadBalancer]\nmonitor-delay=5s\n", release="1.18"),
    Case("[Global]\nuse-clouds=${CLOUDS}\n[LoadBalancer]\nmonitor-delay=5\n", release="1.18", template=True),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for use-clouds where a release hides the reader's error."""
    stops = conf.reading.stops
    if not stops or conf.reading.hidden_error is None or conf.is_opaque(stops[0].span):
        return
    switch = login(conf).items.get("use-clouds")
    first = stops[0].span
    if switch is None:
        return
    yield Problem(
        switch.span,
        f"CCM {conf.release.name} stops reading at an error below and does not report it",
        "Everything below that line keeps its default.",
        "Correct that line.",
        notes=(Note(first, "reading stops here"),),
    )
