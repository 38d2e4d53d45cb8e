"""An unknown load balancer provider."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems, Severity, Stop
from ccmcheck.base.suggest import hint
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling

CLAIMS = ("unsupported-provider",)
"""The kinds of reader errors that this rule reports, and no other."""


def check(conf: CloudConf) -> Problems:
    """Look at lb-provider."""
    item = conf.last("LoadBalancer", "lb-provider")
    if item is None:
        return
    value = conf.typed(item)
    for stop in conf.stops(*CLAIMS):
        if isinstance(value, str):
            yield _refused(conf, item, value, stop)
        return
    known = allowed_values("LoadBalancer", "lb-provider", conf.release)
    if not isinstance(value, str) or known is None or spelling.is_reported_as_misspelt(value):
        return
    if not value:
        yield Problem(
            item.span,
            "empty: the CCM logs a warning, and Octavia takes its own default provider",
            "The CCM's default `amphora` does not apply, so the cloud decides.",
            "Write the provider's name, or delete the key.",
            severity=Severity.INFO,
        )
        return
    if value in known.words:
        yield from _not_enabled(conf, item, value)
        return
    bare = value.strip().lower()
    if value in (conf.run_context.facts.providers or ()):
        return
    if bare in known.words:
        yield Problem(
            item.span,
            f"unknown provider {conf.quote(item)}: names are case-sensitive",
            f"Octavia rejects every load balancer, and the CCM's special cases for `{bare}` do not apply.",
            f"Write `{bare}`.",
            fixes.safe(conf, f"write `{bare}`", fixes.write_value(conf, item.entry, bare)),
        )
    elif value in known.later:
        is_special = value == "ovn"  # for no other has any release a special case
        yield Problem(
            item.span,
            "unknown to this release, which logs a warning and treats it like any other provider",
            "The special cases that newer releases have for this provider do not apply." if is_special else "",
            "Upgrade the CCM." if is_special else "`openstack loadbalancer provider list` must have it.",
        )
    else:
        yield Problem(
            item.span,
            "unknown provider; the CCM logs a warning and sends it to Octavia",
            "Octavia rejects every load balancer unless a provider of exactly this name is enabled.",
            hint(value, known.words) or f"The CCM knows {', '.join(f'`{word}`' for word in known.words)}.",
        )


def _not_enabled(conf: CloudConf, item: Item, value: str) -> Problems:
    """A known provider that the cloud does not have, according to a profile."""
    enabled = conf.run_context.facts.providers
    if enabled is not None and value not in enabled:
        yield Problem(
            item.span,
            f"the cloud has no provider {conf.quote(item)}, according to a profile",
            "Octavia rejects every load balancer.",
            f"Write one of its providers: {', '.join(f'`{word}`' for word in enabled)}.",
        )


def _refused(conf: CloudConf, item: Item, value: str, stop: Stop) -> Problem:
    """The one tag for which an unknown provider is an error."""
    known = " or ".join(f"`{word}`" for word in conf.schema.providers)
    bare = value.strip().lower()
    return Problem(
        item.span,
        f"this release does not start: it accepts {known} only",
        "The next patch release only logs a warning.",
        f"Write {known}, or upgrade the CCM.",
        fixes.safe(conf, f"write `{bare}`", fixes.write_value(conf, item.entry, bare))
        if bare in conf.schema.providers
        else None,
        stop,
        Severity.ERROR,
    )
