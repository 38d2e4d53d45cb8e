"""A `tls-insecure` that looks switched on and is not.

What it does: finds values of `tls-insecure` that mean yes to a person and nothing to the CCM: `True`, `yes`, `1`.

Why: the key holds a text, not a boolean. Whoever wrote it expects certificates not to be checked, and they are.

What the CCM does: it compares the text with `true`, letter by letter. Anything else leaves verification on.

Releases: all where the key exists (up to 1.19 it was spelled `tlsinsecure`)

Fix: deletes the line. Verification is on without it, as it is now; to switch it off write `true`, or better give a `ca-file`.

Fix safety: unsafe because it decides against what somebody seems to have wanted

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

META = Meta("tls-insecure-not-true", "A tls-insecure that looks switched on and is not", Severity.WARNING)

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
    """Look at the one key, in both spellings it has had."""
    for key in ("tls-insecure", "tlsinsecure"):
        item = conf.last("Global", key)
        if item is None:
            continue
        value = conf.typed(item)
        known = allowed_values("Global", key, conf.release)
        if not isinstance(value, str) or known is None or value in known.words or value.strip().casefold() in _OFF:
            continue
        if not spelling.is_blamed(value):
            yield Problem(
                item.span,
                "only the exact text `true` switches verification off, so certificates are still checked",
                "The key holds a text; a cloud with a private CA fails with a certificate error at start.",
                "Name the CA in `ca-file` and delete the line; `true` would switch verification off.",
                fixes.unsafe(conf, "delete the line", fixes.delete_key(conf, item.entry)),
            )
