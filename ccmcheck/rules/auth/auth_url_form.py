"""An invalid or insecure auth-url."""

from __future__ import annotations

import re

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.catalog.behaviour import behaves
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.conf.item import Item
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes, spelling
from ccmcheck.rules._support.login import provider_login

_GOOD = lazy_regex(
    r"https://(?:[^\s/?#@]*+@)?[^\s/?#:@][^\s/?#@]*+(?:/(?:identity|keystone|main))?(?:/v3)?/?+", re.IGNORECASE
)
_NO_HOST = lazy_regex(
    r"https?:(?!//)[^\s${}<>]*+|https?://(?:[^\s/?#@${}<>]*+@)?(?::\d*+)?(?:[/?#][^\s${}<>]*+)?", re.IGNORECASE
)
# not reported when neither matches, such as what a template left
_URL = lazy_regex(r"(?:(https?)://)?+([\w.:\[\]@-]++)(/[^\s?#${}<>]*+)?+", re.IGNORECASE)


def check(conf: CloudConf) -> Problems:
    """Look at the parts of the URL."""
    credentials = provider_login(conf)
    value = credentials.text("auth-url")
    if not value or _GOOD.fullmatch(value) or spelling.is_reported_as_misspelt(value):
        return
    if spelling.is_name_of_variable(value) and is_document(conf.path):
        return
    item, parts = credentials.items["auth-url"], _URL.fullmatch(value)
    if parts is not None and parts[2].partition(":")[0].endswith((".svc", ".svc.cluster.local")):
        yield Problem(
            item.span,
            "the name of a Kubernetes Service, which only pods of Keystone's own cluster resolve",
            "In any other cluster, and with hostNetwork without `dnsPolicy: ClusterFirstWithHostNet`, the CCM does not start.",
            "Write Keystone's public URL, as `openstack catalog show identity` prints it.",
        )
        return
    yield from _explain(conf, item, value)


def _explain(conf: CloudConf, item: Item, value: str) -> Problems:
    trimmed = value.strip()
    if trimmed != value:
        yield Problem(
            item.span,
            "the spaces are part of the URL, which is not valid",
            "The CCM does not start.",
            "Remove the spaces.",
            fixes.safe(conf, "remove the spaces", fixes.write_value(conf, item.entry, trimmed)),
            severity=Severity.ERROR,
        )
        return
    if _NO_HOST.fullmatch(value):
        yield Problem(
            item.span,
            "the URL has no host",
            "The CCM does not start.",
            "Write the host between `//` and the port or the path.",
            severity=Severity.ERROR,
        )
        return
    parts = _URL.fullmatch(value)
    if parts is None:
        return
    scheme, path = (parts[1] or "").lower(), (parts[3] or "").rstrip("/")
    if scheme != "https":
        corrected = "https://" + value[len(parts[1]) + 3 if parts[1] else 0 :]
        yield Problem(
            item.span,
            "the login uses plain HTTP, so the credentials are sent unencrypted"
            if scheme
            else "the URL needs `https://`",
            "" if scheme else "The CCM does not start.",
            "Write `https://` before the host name.",
            fixes.unsafe(conf, "write `https://`", fixes.write_value(conf, item.entry, corrected)),
            severity=None if scheme else Severity.ERROR,
        )
    elif re.search(r"/(?:dashboard|horizon|auth/login|project)(?:/|$)", path, re.IGNORECASE):
        yield Problem(
            item.span,
            "the URL of a dashboard, not of Keystone",
            "The CCM finds no identity API there and does not start.",
            "`openstack catalog show identity` shows the URL.",
        )
    elif re.search(r"/v3/.", path):
        yield Problem(
            item.span,
            "the URL of one request, not of the identity API",
            "gophercloud removes the path and requests the server's versions.",
            "End it with `/v3`.",
        )
    elif path.endswith("/v2.0"):
        yield Problem(
            item.span,
            "identity API 2.0, which Keystone removed in 2018",
            f"CCM {conf.release.name} logs in with version 3 alone, does not find it there, and does not start."
            if conf.for_ccm and behaves("v3-login-only", conf.release)
            else "It has neither domains nor application credentials.",
            "End it with `/v3`.",
        )
