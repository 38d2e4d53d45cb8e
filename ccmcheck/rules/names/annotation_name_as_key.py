"""A Service annotation used as a key of cloud.conf.

What it does: finds keys named like an annotation of the CCM, such as `enable-health-monitor`.

Why: annotations and keys have different names: the annotation `enable-health-monitor` is `create-monitor`
in cloud.conf.

What the CCM does: it silently ignores the key.

Releases: all

Fix: writes the key with the same meaning, and adds a unit to a duration: annotations are in seconds.

Fix safety: unsafe because the value takes effect, which it did not before

Source: cloud-provider-openstack pkg/openstack/loadbalancer.go (ServiceAnnotation… constants);
SovereignCloudStack/k8s-cluster-api-provider#351
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import fold
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import BALANCER, reported_by
from ccmcheck.rules._support.renaming import default_applies, present, rename
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Edit
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.rules._support.ignored import Ignored

META = Meta("annotation-name-as-key", "A Service annotation used as a key of cloud.conf", Severity.ERROR)

BAD = (
    Case(
        "[LoadBalancer]\nenable-health-monitor=true\n",
        at=(2, 1),
        fixed="[LoadBalancer]\ncreate-monitor=true\n",
        unsafe=True,
    ),
    Case(
        "[LoadBalancer]\nhealth-monitor-delay = 10\nhealth-monitor-max-retries = 3\n",
        at=(2, 1),
        times=2,
        fixed="[LoadBalancer]\nmonitor-delay = 10s\nmonitor-max-retries = 3\n",
        unsafe=True,
    ),
    Case("[LoadBalancer]\nproxy-protocol=true\n", at=(2, 1)),
    Case(
        '[LoadBalancer]\nHealth-Monitor-Timeout="5s"\n',
        at=(2, 1),
        fixed='[LoadBalancer]\nmonitor-timeout="5s"\n',
        unsafe=True,
    ),
    Case("[LoadBalancer]\ncreate-monitor=false\nenable-health-monitor=true\n", at=(3, 1)),
    Case("[LoadBalancer]\nhealth-monitor-max-retries-down=2\n", at=(2, 1), release="1.25", shown=False),
    Case("[Global]\ntimeout-client-data=50000\n", at=(2, 1), shown=False),
    Case(
        "[LoadBalancer]\nhealth-monitor-delay=${DELAY}\n",
        at=(2, 1),
        template=True,
        shown=False,
    ),
)
GOOD = (
    Case("[LoadBalancer]\ncreate-monitor=true\nflavor-id=x\n"),
    Case('[LoadBalancerClass "a"]\nproxy-protocol=true\n'),
    Case("[LoadBalancer]\nlb-method=SOURCE_IP\n"),
    Case("[Something]\nenable-health-monitor=true\n"),
    Case("[LoadBalancer]\nenable-health-monitor=true\n", consumers=("cinder-csi-plugin",), shown=False),
)

_BARE_NUMBER = lazy_regex(r"\d+")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the ignored keys that are names of annotations."""
    for ignored in reported_by(conf, META.name):
        from ccmcheck.catalog.service_annotations import PREFIX

        name = fold(ignored.item.entry.key)
        label = "a Service annotation, not a key; the CCM ignores it in cloud.conf"
        if not ignored.meant:
            yield Problem(
                ignored.item.entry.key_span,
                label,
                "",
                f"Annotate each Service: `{PREFIX}{name}`; cloud.conf has no such key.",
            )
        elif present(conf, ignored) is not None:
            yield Problem(ignored.item.entry.key_span, label, "", f"Delete the line; `{ignored.meant}` is set already.")
        else:
            yield Problem(
                ignored.item.entry.key_span,
                f"{label}, so {default_applies(conf, ignored)}",
                "",
                f"In cloud.conf it is `{ignored.meant}`.",
                fixes.unsafe(conf, f"write `{ignored.meant}`", _rename(conf, ignored)),
            )


def _rename(conf: CloudConf, ignored: Ignored) -> Edit | None:
    section = conf.schema.section(BALANCER)
    spec = section.key(ignored.meant) if section is not None else None
    if spec is None or fold(ignored.item.section.name) != fold(BALANCER):
        return None
    value = ignored.item.entry.value or ""
    if spec.type != "duration":
        return rename(conf, ignored)
    if ignored.item.opaque:
        return None
    return rename(conf, ignored, value + "s" if _BARE_NUMBER.fullmatch(value) else None)
