"""Whether the CCM still uses an older cloud.conf: when the key was changed, and when the containers were started."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ccmcheck.cluster.access.documents import mapping, moment, moment_text
from ccmcheck.cluster.core import live_records
from ccmcheck.cluster.live.ownership import latest, owners
from ccmcheck.cluster.live.snapshot import CloudConfObject

OLD, UNKNOWN = "old", "unknown"
KUBELET_DELAY = timedelta(minutes=2)
"""How long a node may show an older Secret to a container that it restarts: its sync period plus its cache's age."""
STEADY = timedelta(minutes=2)
"""A container that runs for so long got past its configuration: a fatal one ends the CCM after a second."""


def known(config: CloudConfObject, now: datetime | None = None) -> live_records.LiveConfig:
    """What the rules need to know about the cloud.conf of a running CCM.

    Args:
        config: The object, and the CCM that reads it.
        now: The time.
    """
    now = now or datetime.now(UTC)
    running = [start for start in config.ccm.starts if now - start >= STEADY]
    subject, key = config.file.subject, config.place.key
    if not running:
        return live_records.LiveConfig(subject, key)
    first = min(running)
    owner = latest(owners(config.object, "data", key))
    if owner is None or owner.time is None:
        return live_records.LiveConfig(subject, key, moment_text(first))
    created = moment(mapping(config.object.get("metadata")).get("creationTimestamp"))
    use = ""
    if owner.time > first:
        use = UNKNOWN if owner.owns_more else OLD
    elif first - owner.time <= KUBELET_DELAY and owner.time != created:  # with the object there was no older text
        use = UNKNOWN
    return live_records.LiveConfig(subject, key, moment_text(first), moment_text(owner.time), owner.manager, use)
