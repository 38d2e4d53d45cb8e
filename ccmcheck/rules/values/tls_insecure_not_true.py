"""A `tls-insecure` value that has no effect.

What it does: finds values of `tls-insecure` that look like true but are not: `True`, `yes`, `1`.

Why: the key is a string, not a boolean. The author expects that certificates are not verified, but they are.

What the CCM does: it compares the string with `true`, case-sensitively. Any other value leaves verification on.

Releases: all where the key exists (up to 1.19 it was spelled `tlsinsecure`)

Fix: deletes the line. Verification stays on, as it is now; to disable it write `true`, or better set `ca-file`.

Fix safety: unsafe because it decides against what the author seems to intend

Source: cloud-provider-openstack pkg/client/client.go (InsecureSkipVerify), 1.16 to 1.36
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.rules._support import fixes, spelling
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("tls-insecure-not-true", "A tls-insecure value that has no effect", Severity.WARNING)

BAD = (
    Case("[Global]\ntls-insecure = True\n", at=(2, 16), fixed="[Global]\n", unsafe=True),
    Case("[Global]\nregion=R\ntls-insecure=yes\n", at=(3, 14), fixed="[Global]\nregion=R\n", unsafe=True),
    Case("[Global]\ntlsinsecure=1\n", at=(2, 13), fixed="[Global]\n", unsafe=True, release="1.18", shown=False),
)
GOOD = (
    Case("[Global]\ntls-insecure = true\n"),
    Case("[Global]\ntls-insecure = False\n"),
    Case("[Global]\ntls-insecure=\n", shown=False),
    Case("[Global]\ntls-insecure=1\n", release="1.18"),
    Case("[Global]\ntls-insecure=${INSECURE}\n", template=True, shown=False),
    Case('[Global]\ntls-insecure="true"\n', shown=False),
)

_OFF = frozenset(("", "false", "no", "off", "0", "f", "n", "none", "null", "disabled"))


def check(conf: CloudConf) -> Iterator[Problem]:
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
