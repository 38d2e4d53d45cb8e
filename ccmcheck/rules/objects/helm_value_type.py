"""A chart value that Helm prints differently.

What it does: finds lists and maps in the chart's `cloudConfig`, and unquoted strings that YAML reads as a number or
a boolean and the chart prints differently.

Why: the chart quotes every value as Go prints it: a list becomes `[a b]`, a map `map[a:b]`, and an ID of
digits only becomes `1.2345678e+07`.

What the CCM does: it uses the printed text as the value, mostly without an error.

Releases: all

Fix: quotes the value, so that it is printed as written. Lists of names and load balancer classes need
`cloudConfigContents`.

Fix safety: unsafe because the CCM's value changes

Source: cloud-provider-openstack charts/openstack-cloud-controller-manager/templates/_helpers.tpl; Helm 3.18, run
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.rules._support import fixes
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf, Item

META = Meta("helm-value-type", "A chart value that Helm prints differently", Severity.ERROR)

_CHART = "Helm values"
_VALUES = """\
cloudConfig:
  global:
    auth-url: https://keystone
    tenant-id: {}
  networking:
    public-network-name: {}
"""

BAD = (
    Case(
        _VALUES.format("12345678", "a"),
        at=(4, 16),
        fixed=_VALUES.format('"12345678"', "a"),
        unsafe=True,
        carrier=_CHART,
    ),
    Case(_VALUES.format("5b2f", "[a, b]"), at=(6, 26), carrier=_CHART),
    Case(
        _VALUES.format("5b2f", "a") + "  loadBalancer:\n    loadBalancerClass:\n      gold: {subnet-id: 5b2f}\n",
        at=(9, 7),
        carrier=_CHART,
    ),
    Case(
        _VALUES.format("0123", "a"),
        at=(4, 16),
        fixed=_VALUES.format('"0123"', "a"),
        unsafe=True,
        carrier=_CHART,
        shown=False,
    ),
    Case(
        "cloudConfig:\n  global: {auth-url: x, password: 1e3, region: NO}\n",
        at=(2, 35),
        fixed='cloudConfig:\n  global: {auth-url: x, password: "1e3", region: "NO"}\n',
        unsafe=True,
        carrier=_CHART,
        times=2,
        shown=False,
    ),
)
GOOD = (
    Case(_VALUES.format('"12345678"', "a"), carrier=_CHART),
    Case(
        _VALUES.format("5b2f", "a") + "  loadBalancer:\n    max-shared-lb: 2\n    create-monitor: yes\n", carrier=_CHART
    ),
    Case(_VALUES.format("5b2f", "a").replace("tenant-id: 5b2f", "tls-insecure: True"), carrier=_CHART),
    Case("cloudConfigContents: |\n  [Global]\n  tenant-id = 0123\n", carrier=_CHART),
    Case(_VALUES.format("{{ .Values.project }}", "a"), carrier=_CHART, template=True),
    Case(_VALUES.format("", "a"), carrier=_CHART, shown=False),
    Case('[Global]\nregion = "1"\n', carrier=_CHART, shown=False),
)

_TEXTS = ("string", "word", "list")
_QUOTES = ('"', "'", "|", ">")


def check(conf: CloudConf) -> Iterator[Problem]:
    """Compare each value with its source in the values file."""
    layers = conf.layers
    if not layers or layers[-1].kind != _CHART:
        return
    for item in conf.items:
        value = item.entry.value
        if not value or item.opaque:
            continue
        source = conf.source_of(item.span)
        if source == value or source.startswith(_QUOTES):
            continue
        if value.startswith("map["):
            yield _collection(item, "a map", "A load balancer class needs its own section.")
        elif source[0] in "[-" and value[0] == "[":
            yield _collection(item, "a list", "The CCM reads it as one name; each name needs its own line.")
        elif item.spec is not None and item.spec.type in _TEXTS and not _is_valid(conf, item, value):
            edit = fixes.write_value(conf, item.entry, source)
            yield Problem(
                item.span,
                f"the chart prints {conf.quote(item)} instead of this",
                "YAML reads it as a number or a boolean, which the chart prints in its own format.",
                "Quote it.",
                fixes.unsafe(conf, "quote the value", edit),
            )


def _collection(item: Item, what: str, detail: str) -> Problem:
    return Problem(
        item.span,
        f"the chart prints {what} as one string in brackets",
        detail,
        "Write the whole file as `cloudConfigContents`.",
    )


def _is_valid(conf: CloudConf, item: Item, value: str) -> bool:
    """Whether the printed text is a valid value of the key."""
    words = allowed_values(item.section.name, item.spec.name, conf.release) if item.spec is not None else None
    return words is not None and value in words.words
