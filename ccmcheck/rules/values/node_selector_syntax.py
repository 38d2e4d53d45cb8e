"""A `node-selector` that matches no node.

What it does: finds selectors in `node-selector` that only Kubernetes' label selectors know, and blanks around `=`.

Why: the key takes a plain comma list of `label=value`. Everything else becomes a label that no node has, so the load balancers lose
all their members, without a message.

What the CCM does: it splits at commas, trims each part, and cuts it at the first `=`. `a==b` asks for the value `=b`, `a in (b)` for
a label of that very name. A name without `=` asks for the label with an empty value.

Releases: all where the key exists

Fix: by hand.

Source: cloud-provider-openstack pkg/util/util.go (StringToMap), 1.28.3 to 1.36
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support import spelling
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("node-selector-syntax", "A node-selector that matches no node", Severity.WARNING)

BAD = (
    Case("[LoadBalancer]\nnode-selector = env in (prod)\n", at=(2, 17)),
    Case("[LoadBalancer]\nnode-selector=env==prod\n", at=(2, 15)),
    Case("[LoadBalancer]\nnode-selector=env=prod, zone = a\n", at=(2, 15)),
    Case("[LoadBalancer]\nnode-selector=!infra\n", at=(2, 15), shown=False),
    Case("[LoadBalancer]\nnode-selector=env!=prod\n", at=(2, 15), shown=False),
    Case("[LoadBalancer]\nnode-selector=env:prod\n", at=(2, 15), shown=False),
)
GOOD = (
    Case("[LoadBalancer]\nnode-selector = env=prod, topology.kubernetes.io/zone=a\n"),
    Case("[LoadBalancer]\nnode-selector=node-role.kubernetes.io/worker\n"),
    Case("[LoadBalancer]\nnode-selector=env in (prod)\n", release="1.30.0"),
    Case("[LoadBalancer]\nnode-selector=env=\n", shown=False),
    Case("[LoadBalancer]\nnode-selector=\n", shown=False),
    Case("[LoadBalancer]\nnode-selector=env=${ENV}\n", template=True, shown=False),
)

_PART = lazy_regex(r"[A-Za-z0-9][A-Za-z0-9./_-]*+(?:=(?:[A-Za-z0-9][A-Za-z0-9._-]*+)?)?")
_SET = lazy_regex(r"(?i:\s(?:not)?in\s*\()|[()]")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look at the one key."""
    item = conf.last("LoadBalancer", "node-selector")
    if item is None:
        return
    value = conf.typed(item)
    if not isinstance(value, str) or spelling.is_blamed(value):
        return
    for part in value.split(","):
        word = part.strip()
        if not word or _PART.fullmatch(word):
            continue
        key, equals, wanted = word.partition("=")
        if _SET.search(value) or word[0] == "!" or key.endswith("!"):
            label = "only `label=value` is known here, no set and no negation"
        elif wanted.startswith("="):
            label = f"with two signs the wanted value is `{wanted}`"
        elif equals and (key != key.rstrip() or wanted != wanted.lstrip()):
            label = "the blanks around `=` become a part of the label and of its value"
        else:
            label = f"`{word}` is no `label=value`"
        yield Problem(
            item.span,
            label,
            "No node has such a label, so the pools of every load balancer lose all their members, without a message.",
            "Write labels and values as in `env=prod,zone=a`; all must match.",
        )
        return
