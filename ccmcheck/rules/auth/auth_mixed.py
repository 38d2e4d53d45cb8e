"""An application credential together with other credentials.

What it does: finds an application credential together with a password, a user or a project.

Why: an application credential includes the user and the project. With a password as well, the credential is
not used, and the token has no project, because none is requested where there is a credential.

What the CCM does: gophercloud uses the password where there is one; clientconfig omits the project where
there is an application credential.

Releases: where application credentials exist: 1.16 and newer

Fix: deletes the keys that the application credential makes obsolete.

Fix safety: unsafe because the CCM then logs in as another user

Source: gophercloud v2 auth_options.go ToTokenV3CreateMap; gophercloud/utils clientconfig v3auth
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Note, Problem, Severity
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL
from ccmcheck.rules._support.login import APPLICATION, DOMAIN, PROJECT, PROJECT_DOMAIN, USER, USER_DOMAIN, login
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf

META = Meta("auth-mixed", "An application credential together with other credentials", Severity.WARNING)

_KEY = "[Global]\napplication-credential-id=x\napplication-credential-secret=y\n"

BAD = (
    Case(_KEY + "username=u\npassword=p\ndomain-name=d\n", at=(5, 1), fixed=_KEY, unsafe=True),
    Case(_KEY + "tenant-id=t\nregion=R\n", at=(4, 1), fixed=_KEY + "region=R\n", unsafe=True, severity=Severity.INFO),
    Case(_KEY + "password=${PW}\n", at=(4, 1), template=True),
    Case(
        "[Global]\napplication-credential-name=n\napplication-credential-secret=y\nusername=u\nuser-domain-id=d\npassword=p\n",
        at=(6, 1),
        fixed="[Global]\napplication-credential-name=n\napplication-credential-secret=y\nusername=u\nuser-domain-id=d\n",
        unsafe=True,
    ),
)
GOOD = (
    Case(_KEY),
    Case("[Global]\napplication-credential-name=n\napplication-credential-secret=y\nusername=u\ndomain-id=d\n"),
    Case("[Global]\nusername=u\npassword=p\ntenant-id=t\ndomain-id=d\n"),
    Case(_KEY + "username=\npassword=\n"),
    Case("[Global]\n{% if app %}\napplication-credential-id=x\n{% else %}\npassword=p\n{% endif %}\n", template=True),
    Case(
        "[Global]\napplication-credential-id=${ID}\napplication-credential-secret=${S}\npassword=${P}\n", template=True
    ),
    Case(_KEY + "password=p\n", release="1.15"),
    Case(_KEY + "password=p\n", consumers=("cinder-csi-plugin",), shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Look for other credentials where there is an application credential."""
    credentials = login(conf)
    by_id, by_name, _ = APPLICATION
    credential = credentials.first(by_id, by_name)
    if credential is None or conf.may_hide_keys(GLOBAL):
        return
    other: tuple[str, ...] = ("password", *PROJECT, *PROJECT_DOMAIN)
    if credentials.has(by_id):
        other += (*USER, *USER_DOMAIN, *DOMAIN)
    obsolete = [credentials.items[key] for key in other if key in credentials.items and credentials.has(key)]
    if not obsolete or (credential.opaque and all(one.opaque for one in obsolete)):
        return  # a template for every way to log in, which leaves all but one empty
    obsolete.sort(key=lambda item: item.entry.key_start)
    password = credentials.first("password")
    item = password or obsolete[0]
    fix = None
    if not any(one.opaque for one in obsolete):
        edits = [fixes.delete_key(conf, one.entry) for one in obsolete]
        fix = fixes.unsafe(conf, "delete what the application credential makes obsolete", *edits)
    yield Problem(
        item.entry.key_span,
        "the CCM uses the password and ignores the application credential"
        if password is not None
        else "redundant: the application credential includes this",
        "The token then has no project, because none is requested with an application credential."
        if password is not None
        else "",
        "Delete " + ", ".join(f"`{one.spec.name}`" for one in obsolete if one.spec is not None) + ".",
        fix,
        severity=None if password is not None else Severity.INFO,
        notes=(Note(credential.entry.key_span, "the application credential"),),
    )
