"""A password instead of an application credential.

What it does: finds a login by user and password.

Why: the password gives access to everything the user may do, cannot be rotated without an interruption, and often
contains characters that gcfg reads as a comment or an escape. An application credential is for one project, can be
revoked separately, and its secret has no special characters.

What the CCM does: it supports both.

Releases: where application credentials exist: 1.16 and newer. Nothing is said of a plain file in a folder of which nothing tells
the reader and its release: it may be for the in-tree provider, which knows none.

Fix: none; `openstack application credential create`.

Source: Keystone's documentation of application credentials; cloud-provider-openstack pkg/client/client.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Problem, Severity
from ccmcheck.rules._support.ignored import GLOBAL
from ccmcheck.rules._support.login import APPLICATION, login
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("auth-password", "A password instead of an application credential", Severity.INFO)

BAD = (
    Case("[Global]\nauth-url=https://k\nusername=u\npassword=p\n", at=(4, 1)),
    Case('[Global]\nusername="u"\npassword="${PW}"\n', at=(3, 1), template=True),
)
GOOD = (
    Case("[Global]\napplication-credential-id=x\napplication-credential-secret=y\n"),
    Case("[Global]\napplication-credential-id=x\napplication-credential-secret=y\npassword=p\n"),
    Case("[Global]\nuser-id=u\npassword=p\ntrust-id=t\n"),
    Case("[Global]\nusername=u\npassword=p\n", release="1.15"),
    Case("[Global]\npassword=\n"),
    Case("[Global]\nusername=u\npassword=p\n", assumed=True, named=False),
    Case("[Global]\n{% if p %}\npassword=p\n{% endif %}\n", template=True),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for the password."""
    credentials = login(conf)
    item = credentials.items.get("password")
    if (
        item is None
        or not credentials.has("password")
        or credentials.has("trust-id", *APPLICATION)
        or conf.may_hide_keys(GLOBAL)
    ):
        return
    carried = conf.carried
    if conf.is_assumed and not (carried.named or carried.subject or carried.consumers):
        return
    section = conf.schema.section(GLOBAL)
    if section is not None and section.key(APPLICATION[0]) is not None:
        yield Problem(
            item.entry.key_span,
            "the CCM logs in with a user's password",
            "An application credential is for one project, can be revoked separately, and can be rotated "
            "without an interruption.",
            "Create one with `openstack application credential create`, and write its ID and secret.",
        )
