"""The CCM, or the Cinder CSI driver, runs on an older cloud.conf."""

from __future__ import annotations

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.conf.target_release import nearest_mounting
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, field, mappings, text_of

_OLD, _POSSIBLY = "old", "unknown"
_TIME = lazy_regex(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")


def check(manifest: Manifest) -> Problems:
    """Compare the times, and read the present text as the next start will."""
    live = manifest.run_context.live
    if live is None:
        yield from _of_files(manifest)
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


def _of_files(manifest: Manifest) -> Problems:
    """Compare the times that objects have which kubectl wrote: a Pod whose container was started before the last change."""
    entries = [one for one in mappings(manifest.at("metadata", "managedFields")) if field(one, "fieldsV1", "f:data")]
    changed = max((text_of(one.get("time")) or "" for one in entries), default="")
    run, conf = manifest.run_context, next(iter(manifest.confs), None)
    span = _key(manifest, conf.key) if conf is not None and _TIME.match(changed) else None
    own = nearest_mounting(conf, (*run.pods, *run.drivers)) if conf is not None and span is not None else []
    if span is None or not own:
        return
    own += [pod for pod in manifest.nearby(run.drivers) if not pod.mounts and pod.namespace == manifest.namespace]
    old = min((pod for pod in own if _TIME.match(pod.started)), key=lambda pod: pod.started, default=None)
    if old is not None and old.started < changed:
        yield Problem(
            span,
            f"the object was changed at {changed}, and {old.subject} was started at {old.started}: it may use an older text",
            "The CCM and the Cinder CSI driver read the file once, at start.",
            "Where the text itself was changed, restart its pods: `kubectl rollout restart`. An annotation of the pod "
            "template with a checksum of the text does that at each change.",
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
