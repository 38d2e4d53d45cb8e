"""An ignored value that stops the CCM after an upgrade."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf


def check(conf: CloudConf) -> Problems:
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
        spec = later.specs.get(item.entry.key_start)
        if spec is None or item.entry.key_start in later.typed:
            continue
        history = catalog.history(spec.section, spec.name)
        known = history.consumers.get(conf.consumer) if history is not None else None
        since = (known.lifetime.first_tag or known.lifetime.since) if known is not None else newest.name
        yield Problem(
            item.span,
            f"ignored now; from {since} on the CCM does not start with this value",
            "The upgrade ends in a crash loop.",
            "Write a valid value, or delete the line.",
        )
