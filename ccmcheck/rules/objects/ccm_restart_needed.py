"""The CCM runs on an older cloud.conf.

What it does: compares in a running cluster when the cloud.conf was changed with when the CCM's containers were started; and
finds a running CCM whose present cloud.conf ends its reader.

Why: a changed cloud.conf has no effect before the next restart, which may come months later, with a drained node. If the
text is fatal, the CCM fails then.

What the CCM does: it reads the file once, at start.

Releases: all

Fix: none; restart the CCM, once the cloud.conf is right.

Source: cloud-provider-openstack cmd/openstack-cloud-controller-manager/main.go; Kubernetes managedFields, whose time is
that of an entry's last change
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import RunContext
from ccmcheck.carriers.live import LiveCluster, LiveConfig
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules.base import Case, Meta
from ccmcheck.yamlio import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Span
    from ccmcheck.objects.manifest import Manifest

META = Meta(
    "ccm-restart-needed",
    "The CCM runs on an older cloud.conf",
    Severity.WARNING,
    kinds=("Secret", "ConfigMap"),
)

_OBJECT = """\
kind: Secret
metadata:
  name: cloud-config
  namespace: kube-system
stringData:
  cloud.conf: |
    [Global]
    auth-url = https://keystone.example.com:5000/v3
"""
_FATAL = _OBJECT + "    [LoadBalancer]\n    monitor-delay = 5\n"


def _run(
    use: str, started: str = "2026-11-01T08:00:00Z", subject: str = "Secret kube-system/cloud-config"
) -> RunContext:
    config = LiveConfig(subject, "cloud.conf", started, "2026-11-02T09:30:00Z", "kubectl-edit", use)
    return RunContext(live=LiveCluster((config,)))


BAD = (
    Case(_OBJECT, at=(6, 3), run_context=_run("old")),
    Case(_OBJECT, at=(6, 3), run_context=_run("unknown"), severity=Severity.INFO),
    Case(_FATAL, at=(6, 3), run_context=_run("old"), severity=Severity.ERROR),
    Case(_FATAL, at=(6, 3), run_context=_run(""), severity=Severity.ERROR, shown=False),
)
GOOD = (
    Case(_OBJECT, run_context=_run("")),
    Case(_OBJECT),
    Case(_FATAL, run_context=_run("", started="")),
    Case(_OBJECT, run_context=_run("old", subject="Secret kube-system/other"), shown=False),
    Case(
        _OBJECT + _FATAL.partition("stringData:\n")[2].replace("cloud.conf", "csi.conf"),
        run_context=_run(""),
        shown=False,
    ),
)

_OLD, _POSSIBLY = "old", "unknown"


def check(manifest: Manifest) -> Iterator[Problem]:
    """Compare the times, and read the present text as the next start will."""
    live = manifest.run_context.live
    for config in live.configs if live is not None else ():
        span = _key(manifest, config.key)
        if config.subject != manifest.subject or span is None or not config.started:
            continue
        changed = f"changed at {config.changed} by {config.manager or 'somebody'}"
        if _is_fatal(manifest, config.key):
            yield Problem(
                span,
                "the running CCM uses an older text, and fails at its next restart",
                f"It was started at {config.started}; the CCM's reader stops in the present text.",
                "Correct the text before the CCM is restarted.",
                severity=Severity.ERROR,
            )
        elif config.use == _OLD:
            yield Problem(
                span,
                f"{changed}, after the CCM was started at {config.started}: it uses the older text",
                "The CCM reads the file once, at start.",
                "Restart the CCM.",
            )
        elif config.use == _POSSIBLY:
            yield Problem(
                span,
                f"the object was {changed}, and the CCM was started at {config.started}: it may use an older text",
                "The time is that of the last change of any field, or so near to the start that the node may have had the "
                "older text.",
                "Restart the CCM where the text itself was changed.",
                severity=Severity.INFO,
            )


def _key(manifest: Manifest, key: str) -> Span | None:
    for name in ("data", "stringData"):
        node = manifest.at(name)
        written = node.key(key) if isinstance(node, Mapping) else None
        if written is not None:
            return written.span
    return None


def _is_fatal(manifest: Manifest, key: str) -> bool:
    confs = (carried for carried in manifest.confs if carried.key == key)
    return any(CloudConf.read(carried, manifest.release).reading.stops for carried in confs)
