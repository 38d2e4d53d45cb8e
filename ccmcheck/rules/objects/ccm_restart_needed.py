"""The CCM runs on an older cloud.conf."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping

_OLD, _POSSIBLY = "old", "unknown"


def check(manifest: Manifest) -> Problems:
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
                "ccmcheck sees when any field of the object was changed last, not which text the pod was started with.",
                "Restart the CCM if the cloud.conf itself was changed.",
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
