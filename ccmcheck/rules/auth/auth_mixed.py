"""An application credential together with other credentials."""

from __future__ import annotations

from ccmcheck.base.model import Note, Problem, Problems, Severity
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL
from ccmcheck.rules._support.login import APPLICATION, DOMAIN, PROJECT, PROJECT_DOMAIN, USER, USER_DOMAIN, login


def check(conf: CloudConf) -> Problems:
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
