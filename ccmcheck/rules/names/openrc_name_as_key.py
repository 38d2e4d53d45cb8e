"""A name of openrc or clouds.yaml in [Global].

What it does: finds keys such as `project-id`, `insecure` or `os-auth-url`, which the openstack command and
clouds.yaml use.

Why: the CCM uses older names: `tenant-id`, `tls-insecure`, `auth-url`. Without them the login lacks its project,
domain or certificate.

What the CCM does: it silently ignores the key.

Releases: all

Fix: writes the CCM's name; deletes the line where that is set too, or where the CCM detects the value.

Fix safety: unsafe where a value takes effect that did not before; safe where the line has no effect beside the
correct one

Source: cloud-provider-openstack pkg/client/client.go AuthOpts; openstack-csp-helper and others write `project-id`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import fold
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL, reported_by
from ccmcheck.rules._support.login import NEEDLESS_WITH_APPLICATION, has_application_credential
from ccmcheck.rules._support.renaming import present, rename
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.base.model import Edit
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.rules._support.ignored import Ignored

META = Meta("openrc-name-as-key", "A name of openrc or clouds.yaml in [Global]", Severity.ERROR)

BAD = (
    Case("[Global]\nproject-id=5f3c\n", at=(2, 1), fixed="[Global]\ntenant-id=5f3c\n", unsafe=True),
    Case("[Global]\ninsecure = True\n", at=(2, 1), fixed="[Global]\ntls-insecure = true\n", unsafe=True),
    Case(
        "[Global]\nproject-id=5f3c\ntenant-id=5f3c\n",
        at=(2, 1),
        fixed="[Global]\ntenant-id=5f3c\n",
        severity=Severity.INFO,
    ),
    Case("[Global]\nOS-Auth-URL=${URL}\n", at=(2, 1), fixed="[Global]\nauth-url=${URL}\n", unsafe=True, template=True),
    Case(
        "[Global]\nidentity-api-version=3\nregion=R\n", at=(2, 1), fixed="[Global]\nregion=R\n", severity=Severity.INFO
    ),
    Case(
        '[Global]\ncacert="/etc/ssl/ca.pem"\n',
        at=(2, 1),
        fixed='[Global]\nca-file="/etc/ssl/ca.pem"\n',
        unsafe=True,
        shown=False,
    ),
    Case(
        "[Global]\napplication-credential-id=x\napplication-credential-secret=y\nproject-id=5f3c\n",
        at=(4, 1),
        fixed="[Global]\napplication-credential-id=x\napplication-credential-secret=y\n",
        severity=Severity.INFO,
    ),
    Case(
        "[Global]\napplication-credential-id=x\nproject-id=5f3c\n",
        at=(3, 1),
        fixed="[Global]\napplication-credential-id=x\ntenant-id=5f3c\n",
        unsafe=True,
        shown=False,
    ),
    Case(
        "[Global]\napplication-credential-id=x\napplication-credential-secret=y\nproject-id=5f3c\n",
        at=(4, 1),
        fixed="[Global]\napplication-credential-id=x\napplication-credential-secret=y\ntenant-id=5f3c\n",
        unsafe=True,
        release="1.15",
        shown=False,
    ),
    Case(
        "[Global]\napplication-credential-id=x\napplication-credential-secret=y\npassword=\nproject-id=5f3c\n",
        at=(5, 1),
        fixed="[Global]\napplication-credential-id=x\napplication-credential-secret=y\npassword=\n",
        severity=Severity.INFO,
        shown=False,
    ),
    Case(
        "[Global]\napplication-credential-id=x\napplication-credential-secret=y\npassword=p\nproject-id=5f3c\n",
        at=(5, 1),
        fixed="[Global]\napplication-credential-id=x\napplication-credential-secret=y\npassword=p\ntenant-id=5f3c\n",
        unsafe=True,
        shown=False,
    ),
    Case("[Global]\ninterface=internal\n", at=(2, 1), release="1.20", shown=False),
    Case("[Global]\ninsecure={{ i }}\n", at=(2, 1), template=True, shown=False),
    Case("[Global]\ninsecure\n", at=(2, 1), fixed="[Global]\ntls-insecure = true\n", unsafe=True, shown=False),
)
GOOD = (
    Case("[Global]\ntenant-id=5f3c\nregion=R\ntls-insecure=true\n"),
    Case("[Global]\nos-endpoint-type=internal\n"),
    Case("[Global]\nproject-id=my-project\nnetwork-name=n\nnode-tags=a\n"),
    Case("[LoadBalancer]\nproject-id=x\n"),
    Case("[Global]\nproject-id=5f3c\n", consumers=("cinder-csi-plugin",), shown=False),
    Case('[Global "other"]\nproject-id=5f3c\n', shown=False),
)

_SWITCHED_ON = frozenset({"true", "yes", "on", "1"})


def check(conf: CloudConf) -> Iterator[Problem]:
    """Report the ignored keys that are names of other tools."""
    for ignored in reported_by(conf, META.name):
        entry = ignored.item.entry
        needless = ignored.meant in NEEDLESS_WITH_APPLICATION and has_application_credential(conf)
        if needless or not ignored.meant or present(conf, ignored) is not None:
            yield Problem(
                entry.key_span,
                "the CCM ignores this name"
                + (
                    ", and an application credential needs no value for it"
                    if needless
                    else f" and reads {ignored.meant} instead"
                    if ignored.meant
                    else " and detects the value"
                ),
                "",
                "Delete the line.",
                fixes.safe(conf, "delete the line", fixes.delete_key(conf, entry)),
                severity=Severity.INFO,
            )
            continue
        yield Problem(
            entry.key_span,
            f"a name of openrc and clouds.yaml, which the CCM ignores; its name is {ignored.meant}",
            "The login does not get this value.",
            f"Write `{ignored.meant}`.",
            fixes.unsafe(conf, f"write `{ignored.meant}`", _rename(conf, ignored)),
        )


def _rename(conf: CloudConf, ignored: Ignored) -> Edit | None:
    words = allowed_values(GLOBAL, ignored.meant, conf.release)
    if words is None:
        return rename(conf, ignored)
    if ignored.item.opaque:
        return None
    value = ignored.item.entry.value
    if len(words.words) == 1:
        # only one value switches it on, all others leave it off
        meant = value is None or fold(value) in _SWITCHED_ON
        return rename(conf, ignored, words.words[0] if meant and value != words.words[0] else None)
    plain = fold(value or "").removesuffix("url")
    return rename(conf, ignored, plain if plain != value else None) if plain in words.words else None
