"""Whether a file is a form that people or tools fill in before a cluster uses it, so that its gaps are no mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.policy.examples import is_example
from ccmcheck.rules._support import spelling
from ccmcheck.rules._support.once import once

if TYPE_CHECKING:
    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf

_ID = lazy_regex(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-9a-f]{32}")
_SAMPLE_SECRETS = frozenset(
    ("pass", "passwd", "password", "passw0rd", "changeme", "mypassword", "secret", "foo", "bar", "example")
)
_SITE = frozenset(
    ("auth-url", "username", "user-id", "tenant-id", "tenant-name", "domain-id", "application-credential-id")
)
"""What every cloud has values of its own for, besides secrets and the IDs of networks."""


@once
def is_form(conf: CloudConf) -> bool:
    """Whether a cloud.conf is to be filled in: an example, or one of a folder with as many gaps as values of a cloud.

    A file that the user names, or that a cluster has, is meant to work as it stands.
    """
    return _has_gaps(conf, [_is_filled(item) for item in conf.items])


@once
def shows_gaps(conf: CloudConf) -> bool:
    """The same by other gaps than names in capitals, which clouds have, too."""
    plain = [item for item in conf.items if not spelling.is_name_of_variable(item.entry.value or "")]
    return _has_gaps(conf, [_is_filled(item) for item in plain])


def _has_gaps(conf: CloudConf, filled: list[bool | None]) -> bool:
    if is_example(conf.path):
        return True
    return not conf.carried.named and 0 < filled.count(False) >= filled.count(True)


@once
def is_filled_in(conf: CloudConf) -> bool:
    """Whether people or a program write values into a cloud.conf before a cluster uses it: a form, or a template.

    In either, ``SUBNET_ID`` may be what they replace.
    """
    return is_form(conf) or (not conf.carried.named and any(item.opaque for item in conf.items))


def _is_filled(item: Item) -> bool | None:
    """Whether a key has a value of one cloud, or a gap; None where that would say nothing.

    What a template fills in is a value: what the template itself leaves empty stays so.
    """
    spec, value = item.spec, item.entry.value
    if spec is None:
        return None
    belongs_to_site = spec.secret or spec.name in _SITE
    if item.opaque:
        return True if belongs_to_site else None
    if not value:
        return False if belongs_to_site else None
    if spelling.placeholder(value, secret=spec.secret) or value == spec.name:
        return False
    if (belongs_to_site or spec.name.endswith("-id")) and spelling.is_name_of_variable(value):
        return False  # in capitals, as a word of an enumeration may be elsewhere
    if spec.secret and value.lower() in _SAMPLE_SECRETS:
        return False
    return True if spec.secret or spec.name == "auth-url" or _ID.fullmatch(value) else None
