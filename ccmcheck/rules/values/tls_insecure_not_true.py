"""A tls-insecure value that has no effect."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling

_OFF = frozenset(("", "false", "no", "off", "0", "f", "n", "none", "null", "disabled"))


def check(conf: CloudConf) -> Problems:
    """Look at the key, in both spellings it has had."""
    for key in ("tls-insecure", "tlsinsecure"):
        item = conf.last("Global", key)
        if item is None:
            continue
        value = conf.typed(item)
        known = allowed_values("Global", key, conf.release)
        if not isinstance(value, str) or known is None or value in known.words or value.strip().casefold() in _OFF:
            continue
        if not spelling.is_reported_as_misspelt(value):
            yield Problem(
                item.span,
                "only `true` disables verification (case-sensitive), so certificates are still verified",
                "The key is a string; with a private CA the CCM fails with a certificate error at start.",
                "Set `ca-file` to the CA and delete the line; `true` would disable verification.",
                fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
            )
