"""TLS verification is disabled.

What it does: finds `tls-insecure = true`.

Why: anyone who can intercept the connection to the cloud gets the credentials.

What the CCM does: it accepts any certificate from any server.

Releases: where the key exists: 1.20 and newer, spelt `tlsinsecure` before

Fix: none; set `ca-file` to the certificate of the CA.

Source: cloud-provider-openstack pkg/client/client.go (InsecureSkipVerify)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.rules._support.ignored import GLOBAL
from ccmcheck.rules._support.login import login
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("tls-insecure-on", "TLS verification is disabled", Severity.WARNING)

BAD = (
    Case("[Global]\ntls-insecure=true\n", at=(2, 14)),
    Case('[Global]\nTLS-Insecure = "true"\n', at=(2, 16)),
    Case("[Global]\ntlsinsecure=true\n", at=(2, 13), release="1.18"),
)
GOOD = (
    Case("[Global]\ntls-insecure=false\nca-file=/etc/ssl/ca.pem\n"),
    Case("[Global]\ntls-insecure=True\n"),
    Case("[Global]\ntls-insecure=true\n", release="1.19"),
    Case("[Global]\ntls-insecure=${INSECURE}\n", template=True),
    Case("[Global]\ntls-insecure=true\n", consumers=("cinder-csi-plugin",), shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
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
