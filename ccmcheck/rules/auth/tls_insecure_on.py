"""TLS verification is disabled."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.ignored import GLOBAL
from ccmcheck.rules._support.login import login


def check(conf: CloudConf) -> Problems:
    """Look for the value that has an effect."""
    credentials = login(conf)
    for key in ("tls-insecure", "tlsinsecure"):
        value = credentials.text(key)
        if not value:
            continue
        words = allowed_values(GLOBAL, key, conf.release)
        if words is not None and value in words.words:
            yield Problem(
                credentials.items[key].span,
                "the CCM accepts any certificate from any server",
                "Anyone who can intercept the connection gets the credentials.",
                "Delete the line, and set `ca-file` to the CA's certificate where the system does not trust it.",
            )
