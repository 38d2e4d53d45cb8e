"""A `node-selector` that matches no node.

What it does: finds syntax in `node-selector` that only Kubernetes' label selectors support, and spaces around `=`.

Why: the key takes a comma-separated list of `label=value`. Everything else becomes a label that no node has, so the load
balancers silently lose all their members.

What the CCM does: it splits at commas, trims each part, and cuts it at the first `=`. `a==b` requires the value `=b`, `a in (b)` a
label with exactly that name. A name without `=` requires the label with an empty value.

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
    """Look at node-selector."""
    item = conf.last("LoadBalancer", "node-selector")
    if item is None:
        return
    value = conf.typed(item)
    if not isinstance(value, str) or spelling.is_reported_as_misspelt(value):
        return
    for part in value.split(","):
        word = part.strip()
        if not word or _PART.fullmatch(word):
            continue
        key, equals, value_part = word.partition("=")
        if _SET.search(value) or word[0] == "!" or key.endswith("!"):
            label = "only `label=value` is supported, not sets or negation"
        elif value_part.startswith("="):
            label = f"`==` requires the value `{value_part}`"
        elif equals and (key != key.rstrip() or value_part != value_part.lstrip()):
            label = "the spaces around `=` become part of the label and its value"
        else:
            label = f"`{word}` is not `label=value`"
        yield Problem(
            item.span,
            label,
            "No node has such a label, so every load balancer silently loses all its members.",
            "Write `label=value`, as in `env=prod,zone=a`; a node must match all of them.",
        )
        return
