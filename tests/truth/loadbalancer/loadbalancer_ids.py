"""Names and IDs: cases are written with names, and OpenStack wants UUIDs."""

from __future__ import annotations

import json
import re
import uuid

from loadbalancer_oracle import Case, case_of

_NAMESPACE = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")  # as in ids.go
_NODES = range(5)
_THERE = (
    "net-nodes", "net-other", "net-ext", "net-ext2", "subnet-nodes", "subnet-nodes6", "subnet-other", "subnet-ext",
    "subnet-ext-b", "subnet-ext6", "subnet-ext2", "port-vip-mine", "port-elsewhere", "floatingip-free", "floatingip-used",
    "flavor-1", "flavor-2", "group-default",
    *(f"port-node-{number}" for number in _NODES), *(f"server-node-{number}" for number in _NODES),
)  # fmt: skip
_MADE = (
    "loadbalancer", "listener", "pool", "member", "monitor", "port-vip", "floatingip", "security-group", "rule"
)  # fmt: skip
_NAME = re.compile(r"(?<![\w-])(?:" + "|".join(sorted(_THERE, key=len, reverse=True)) + r")(?![\w-])")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def identify(name: str) -> str:
    """The ID of a name."""
    return str(uuid.uuid5(_NAMESPACE, name))


_NAMES = {identify(name): name for name in (*_THERE, *(f"{kind}-{n}" for kind in _MADE for n in range(1, 60)))}


def identified(case: Case) -> Case:
    """A case with IDs for all names."""
    return case_of(json.loads(_NAME.sub(lambda found: identify(found[0]), json.dumps(case))))


def readable(text: str) -> str:
    """A text with names for all known IDs."""
    return _ID.sub(lambda found: _NAMES.get(found[0], found[0]), text)
