"""Credentials that cannot log in.

What it does: finds a [Global] that lacks what Keystone needs: an address, a user or an application credential with
its secret, the domains that names belong to, a project.

Why: the CCM does not start, and says so in words of another library, or at verbosity 1 only.

What the CCM does: it hands the keys to gophercloud. A password needs exactly one of `username` and `user-id`; a
user name needs a domain, given as an id or a name, not both; `tenant-name` needs a domain too; an application
credential needs its secret. `domain-id` and `domain-name` stand for both domains, but only where there is a
project.

Releases: 1.17 and newer; before, the environment may hold what is missing

Fix: none; write the keys that are named.

Fix safety: (none)

Source: cloud-provider-openstack pkg/client/client.go ToAuthOptions; gophercloud v2 auth_options.go;
gophercloud/utils clientconfig
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.catalog import fold
from ccmcheck.rules._support.ignored import CCM, GLOBAL, is_ccms, is_foreign, is_merged, is_openshift
from ccmcheck.rules._support.login import APPLICATION, DOMAIN, PROJECT, PROJECT_DOMAIN, USER, USER_DOMAIN, login
from ccmcheck.rules.base import Case, Meta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.conf.view import CloudConf
    from ccmcheck.gcfg import Section
    from ccmcheck.rules._support.login import Login

META = Meta("auth-incomplete", "Credentials that cannot log in", Severity.ERROR)

_OK = "[Global]\nauth-url=https://k/v3\n"

BAD = (
    Case("[Global]\nregion=R\n", at=(1, 1)),
    Case(_OK + "application-credential-id=x\n", at=(3, 1)),
    Case(_OK + "application-credential-name=x\napplication-credential-secret=y\n", at=(3, 1)),
    Case(_OK + "username=u\npassword=p\ntenant-name=t\n", at=(3, 1)),
    Case(_OK + "username=u\npassword=p\nuser-domain-name=d\ntenant-name=t\n", at=(3, 1)),
    Case(_OK + "username=u\nuser-id=v\npassword=p\ntenant-id=t\ndomain-id=d\n", at=(3, 1)),
    Case(_OK + "username=u\npassword=p\ntenant-id=t\ndomain-id=default\ndomain-name=Default\n", at=(3, 1)),
    Case(_OK + "username=u\npassword=p\nuser-domain-id=d\n", at=(3, 1), severity=Severity.WARNING),
    Case(_OK + "tenant-id=t\n", at=(1, 1)),
    Case(_OK + "application-credential-secret=y\n", at=(3, 1), shown=False),
    Case(_OK + "password=p\ntenant-id=t\n", at=(3, 1), shown=False),
    Case(_OK + "username=u\npassword=\ntenant-id=t\n", at=(3, 1), shown=False),
    Case(_OK + "user-id=u\npassword=p\ntenant-id=t\ndomain-name=d\n", at=(3, 1), shown=False),
    Case("[Global]\ncloud=openstack\n", at=(1, 1), shown=False),
)
GOOD = (
    Case(_OK + "application-credential-id=x\napplication-credential-secret=y\n"),
    Case(_OK + "application-credential-name=x\napplication-credential-secret=y\nusername=u\ndomain-name=d\n"),
    Case(_OK + "username=u\npassword=p\ntenant-name=t\ndomain-name=d\n"),
    Case(_OK + "user-id=u\npassword=p\ntenant-id=t\n"),
    Case(_OK + "username=u\npassword=p\ntenant-id=t\ndomain-id=\ndomain-name=d\n"),
    Case(_OK + "user-id=u\npassword=p\ntrust-id=t\n"),
    Case(_OK + "token=x\ntenant-id=t\n"),
    Case("[Global]\nuse-clouds=true\n"),
    Case("[LoadBalancer]\nsubnet-id=x\n"),
    Case("[Global]\nregion=R\n", carrier="Helm values"),
    Case("[Global]\nauth-url=${URL}\n${CREDENTIALS}\n", template=True),
    Case(
        "[Global]\nauth-url=${URL}\nusername=${USER}\npassword=${PW}\ntenant-id=${T}\ndomain-name=${D}\n", template=True
    ),
    Case("[Global]\nregion=R\n", dialect="openshift"),
    Case("[Global]\nsecret-name=openstack-credentials\nsecret-namespace=kube-system\n"),
    Case("[Global]\nregion=R\n", release="1.16"),
    Case("[Global]\nauth_url=https://k/v3\n", shown=False),
    Case('[Global "main"]\nregion=R\n'),
    Case("[Global]\nregion=R\n[BlockStorage]\nbs-version=v3\n", consumers=("cinder-csi-plugin",)),
    Case('[Global]\nuser=u\ninsecure-flag=1\n[VirtualCenter "1.2.3.4"]\n'),
    Case(_OK + "username=u\npassword=p\nproject-name=t\ndomain-name=d\n", shown=False),
    Case("[Global]\nauth-url=http://k/v2.0\nusername=u\npassword=p\ntenant-name=t\n", shown=False),
)


def check(conf: CloudConf) -> Iterator[Problem]:
    """Follow the login through gophercloud's conditions."""
    held = login(conf)
    missing = _missing(held) if is_ccms(conf) else []
    if not missing:
        return
    home = next((one for one in conf.sections_named(GLOBAL) if one.subsection is None), None)
    if home is None or _is_unknown(held, home):
        return
    hard = [part for part in missing if part.needed]
    says = next((part.says for part in hard if part.says), "")
    anchor = held.first(*(key for part in missing for key in part.because))
    yield Problem(
        home.span if anchor is None else anchor.entry.key_span,
        "the CCM cannot log in: " + "; ".join(part.what for part in missing)
        if hard
        else "the login may get no project: " + missing[0].what,
        f"It does not start; its log says `{says}`."
        if says
        else "It does not start."
        if hard
        else "Without one the token reaches no service, unless the user has a default project.",
        "",
        severity=None if hard else Severity.WARNING,
    )


class _Part:
    """One thing that is missing: what, because of which keys, what the log says, and whether the login surely fails."""

    __slots__ = ("because", "needed", "says", "what")

    def __init__(self, what: str, because: tuple[str, ...] = (), says: str = "", *, needed: bool = True) -> None:
        self.what = what
        self.because = because
        self.says = says
        self.needed = needed


_MISSING_PASSWORD = "You must provide a password to authenticate"  # noqa: S105 - gophercloud's words
_ONE_USER = "Exactly one of Username and UserID must be provided for password authentication"
_ONE_DOMAIN = "You must provide exactly one of DomainID or DomainName to authenticate by Username"
_NO_SECRET = "You must provide an Application Credential Secret"  # noqa: S105 - gophercloud's words
_SCOPE_DOMAIN = "You must provide exactly one of DomainID or DomainName in a Scope with ProjectName"


def _missing(held: Login) -> list[_Part]:
    missing: list[_Part] = []
    if not held.has("auth-url"):
        missing.append(_Part("`auth-url` is missing"))
    if held.has("cloud"):
        return missing  # the rest may come from clouds.yaml
    if held.has("trust-id"):
        if not held.has(*USER, "trustee-id", "trusteeid") or not held.has(
            "password", "trustee-password", "trusteepassword"
        ):
            missing.append(_Part("a trust needs the trustee and its password", ("trust-id",), _MISSING_PASSWORD))
    elif held.has("token"):
        pass
    elif held.has("password"):
        missing += _password(held)
    elif held.has(*APPLICATION):
        missing += _application(held)
    else:
        because = (*USER,)
        missing.append(_Part("no application credential and no password", because, _MISSING_PASSWORD))
    return missing


def _application(held: Login) -> list[_Part]:
    by_id, by_name, secret = APPLICATION
    if not held.has(by_id, by_name):
        return [_Part(f"`{by_id}` is missing", (secret,), _MISSING_PASSWORD)]
    if not held.has(secret):
        return [_Part(f"`{secret}` is missing", (by_id, by_name), _NO_SECRET)]
    if held.has(by_id) or held.has("user-id"):
        return []
    if not held.has("username"):
        return [_Part(f"`{by_name}` needs the user it belongs to, or use `{by_id}`", (by_name,), _ONE_USER)]
    if not held.has(*USER_DOMAIN, *DOMAIN):
        return [_Part("`username` needs `user-domain-name`", (by_name,), _ONE_DOMAIN)]
    return []


def _password(held: Login) -> list[_Part]:
    if not held.has(*USER):
        return [_Part("`password` needs `username` or `user-id`", ("password",), _ONE_USER)]
    parts: list[_Part] = []
    project = held.has(*PROJECT)
    # without a project domain-* chooses what the token is for, not where the user lives
    by_id = held.has("user-domain-id") or (project and held.has("domain-id"))
    by_name = held.has("user-domain-name") or (project and held.has("domain-name"))
    if held.has("username") and held.has("user-id"):
        parts.append(_Part("`username` and `user-id` exclude each other", USER, _ONE_USER))
    elif "v2.0" in held.text("auth-url"):
        return []
    elif held.has("user-id") and (by_id or by_name):
        parts.append(_Part("`user-id` takes no domain of the user", ("user-id",)))
    elif held.has("username") and by_id and by_name:
        if (
            held.first("user-domain-id", "domain-id") is not None
            and held.first("user-domain-name", "domain-name") is not None
        ):
            parts.append(_Part("the user's domain is given as an id and as a name", ("username",), _ONE_DOMAIN))
    elif held.has("username") and not by_id and not by_name:
        parts.append(_Part("`username` needs `user-domain-name`", ("username",), _ONE_DOMAIN))
    if not project:
        parts.append(_Part("no `tenant-id`, and no `tenant-name` either", USER, needed=False))
    elif not held.has("tenant-id") and not held.has(*PROJECT_DOMAIN, *DOMAIN):
        parts.append(_Part("`tenant-name` needs `tenant-domain-name`", (*USER, "tenant-name"), _SCOPE_DOMAIN))
    return parts


def _is_unknown(held: Login, home: Section) -> bool:
    """Whether something else than this text may complete it."""
    conf = held.conf
    if conf.value(GLOBAL, "use-clouds") is not False or "use-clouds" in held.meant:
        return True
    if conf.may_hide_keys(GLOBAL) or is_openshift(conf) or is_foreign(conf) or is_merged(conf):
        return True
    history = catalog.history(GLOBAL, "auth-url")
    if history is not None and any(conf.release.within(when) for when, _ in history.consumers[CCM].environment):
        return True
    # a line that the reader stops at may be the very one
    return any(_is_global(conf.section_at(stop.span.start)) for stop in conf.reading.stops) or not _is_global(home)


def _is_global(section: Section | None) -> bool:
    return section is not None and fold(section.name) == fold(GLOBAL)
