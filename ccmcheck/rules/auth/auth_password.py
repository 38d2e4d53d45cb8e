"""A password instead of an application credential."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.ignored import GLOBAL
from ccmcheck.rules._support.login import APPLICATION, any_login


def check(conf: CloudConf) -> Problems:
    """Look for the password."""
    credentials = any_login(conf)
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
            f"{conf.reader} logs in with a user's password",
            "An application credential is for one project, can be revoked separately, and can be rotated "
            "without an interruption.",
            "Create one with `openstack application credential create`, and write its ID and secret.",
        )
