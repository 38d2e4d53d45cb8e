"""Incomplete credentials."""

from __future__ import annotations

import re

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Problem, Problems, Severity, Span
from ccmcheck.catalog import fold
from ccmcheck.catalog.signs.paths import is_document
from ccmcheck.conf.view import CloudConf
from ccmcheck.gcfg import Section
from ccmcheck.rules._support import login
from ccmcheck.rules._support.ignored import CCM, GLOBAL, is_ccm_file, is_foreign, is_merged, is_openshift
from ccmcheck.rules._support.placeholders import are_for_readers

_IN_COMMENT = lazy_regex(r"^[ \t]*+[#;][#; \t]*+([A-Za-z][A-Za-z-]{1,40}+)[ \t]*+=", re.MULTILINE)
"""A key that is not taken."""
_BLANK = lazy_regex(r"[ \t]*+(?:[#;].*+)?\Z")
_OTHER_LOGINS = frozenset(("cloud", "token", "trust-id"))


def check(conf: CloudConf) -> Problems:
    """Check the conditions of gophercloud's login."""
    drivers = login.drivers_of(conf)
    credentials = login.any_login(conf) if drivers else login.provider_login(conf)
    missing = _missing(credentials) if credentials.items or is_ccm_file(conf) else []
    if not missing:
        return
    section = next((one for one in conf.sections_named(GLOBAL) if one.subsection is None), None)
    if _may_be_completed(credentials, section):
        return
    if section is None:
        yield from _without_section(conf)
        return
    empty = [item for item in credentials.items.values() if not item.entry.value and not item.opaque]
    # readers of a document fill them in, or take away the sign of a comment
    has_gaps = is_document(conf.path) and (bool(empty) or _is_complete_in_comments(credentials, section))
    for_readers = are_for_readers(conf.path, is_named=conf.carried.named)
    if has_gaps and (for_readers or (empty and len(empty) == len(credentials.items))):
        return
    hard = [part for part in missing if part.needed]
    log_message = next((part.log_message for part in hard if part.log_message), "")
    reader = login.reader_of(drivers[0]) if drivers and not is_ccm_file(conf) else conf.reader
    name = reader[0].upper() + reader[1:]
    known = conf.schema.section(GLOBAL)
    for part in missing:  # older releases and the in-tree provider have one key for both domains
        for key in ("user-domain-name", "tenant-domain-name"):
            if known is not None and known.key(key) is None:
                part.what, part.advice = part.what.replace(key, "domain-name"), part.advice.replace(key, "domain-name")
    advice = ", and ".join(dict.fromkeys(part.advice for part in missing))
    anchor = credentials.first(*(key for part in missing for key in part.required_by))
    yield Problem(
        section.span if anchor is None else anchor.entry.key_span,
        "incomplete credentials: " + "; ".join(part.what for part in missing)
        if hard
        else "the login may have no project: " + missing[0].what,
        f"{name} does not start; it logs `{log_message}`."
        if log_message
        else f"{name} does not start."
        if hard
        else "Without a project the token is not valid for any service, unless the user has a default project.",
        f"{advice[0].upper()}{advice[1:]}.",
        severity=Severity.INFO if has_gaps else None if hard else Severity.WARNING,
    )


def _without_section(conf: CloudConf) -> Problems:
    """A text without [Global]: nothing at all, or read by the CCM as a whole; others may be a part of one."""
    is_empty = not conf.sections and all(_BLANK.match(line) for line in conf.text.splitlines())
    if is_empty or (conf.sections and conf.carried.consumers == (CCM,)):
        what = "nothing is in it" if is_empty else f"[{GLOBAL}] is missing"
        place = conf.sections[0].span if conf.sections else Span(0, 0)
        yield Problem(
            place,
            f"incomplete credentials: {what}, so that the CCM knows no cloud to log in to",
            "The CCM does not start.",
            f"Write `[{GLOBAL}]` with `auth-url` and an application credential.",
        )


def _is_complete_in_comments(credentials: login.LoginKeys, section: Section) -> bool:
    """Whether an application credential or a user's login is complete with the keys in comments of [Global]."""
    sections = credentials.conf.document.sections
    after = next((one.span.start for one in sections if one.span.start > section.span.start), None)
    text = credentials.conf.text[section.span.end : after]
    found = {match[1].lower() for match in _IN_COMMENT.finditer(text)} - _OTHER_LOGINS
    application = found.intersection(login.APPLICATION)
    ways = (way for way in (application, found - application) if way)
    return any(not _missing(credentials._replace(meant=credentials.meant | way)) for way in ways)


class _Part:
    """One missing part: what, what to write, the keys that require it, the CCM's log, and whether the login must fail."""

    __slots__ = ("advice", "log_message", "needed", "required_by", "what")

    def __init__(
        self, what: str, advice: str, required_by: tuple[str, ...] = (), log_message: str = "", *, needed: bool = True
    ) -> None:
        self.what = what
        self.advice = advice
        self.required_by = required_by
        self.log_message = log_message
        self.needed = needed


_MISSING_PASSWORD = "You must provide a password to authenticate"  # noqa: S105 - gophercloud's words
_ONE_USER = "Exactly one of Username and UserID must be provided for password authentication"
_ONE_DOMAIN = "You must provide exactly one of DomainID or DomainName to authenticate by Username"
_NO_SECRET = "You must provide an Application Credential Secret"  # noqa: S105 - gophercloud's words
_SCOPE_DOMAIN = "You must provide exactly one of DomainID or DomainName in a Scope with ProjectName"
_WRITE_DOMAIN = "write `user-domain-name`"
_DOMAINS = (*login.USER_DOMAIN, *login.DOMAIN, *login.PROJECT_DOMAIN)


def _missing(credentials: login.LoginKeys) -> list[_Part]:
    missing: list[_Part] = []
    if not credentials.has("auth-url"):
        missing.append(_Part("`auth-url` is missing", "write `auth-url = https://KEYSTONE:5000/v3`"))
    if credentials.has("cloud"):
        return missing  # clouds.yaml may provide the rest
    if credentials.has("trust-id"):
        if not credentials.has(*login.USER, "trustee-id", "trusteeid") or not credentials.has(
            "password", "trustee-password", "trusteepassword"
        ):
            what, advice = "a trust needs its trustee and their password", "write `trustee-id` and `trustee-password`"
            missing.append(_Part(what, advice, ("trust-id",), _MISSING_PASSWORD))
    elif credentials.has("token"):
        pass
    elif credentials.has("password"):
        missing += _password(credentials)
    elif credentials.has(*login.APPLICATION):
        missing += _application(credentials)
    else:
        what, advice = "no password", "write `password`, and whose it is"
        if credentials.conf.value(GLOBAL, login.APPLICATION[0]) is not None:
            what = "no application credential and no password"
            advice = "write an `application-credential-id` of `openstack application credential create`, and its secret"
        missing.append(_Part(what, advice, (*login.USER,), _MISSING_PASSWORD))
    return missing


def _application(credentials: login.LoginKeys) -> list[_Part]:
    by_id, by_name, secret = login.APPLICATION
    if not credentials.has(by_id, by_name):
        return [_Part(f"`{by_id}` is missing", f"write `{by_id}`", (secret,), _MISSING_PASSWORD)]
    if not credentials.has(secret):
        return [_Part(f"`{secret}` is missing", f"write `{secret}`", (by_id, by_name), _NO_SECRET)]
    if credentials.has(by_id) or credentials.has("user-id"):
        return []
    if not credentials.has("username"):
        return [_Part(f"`{by_name}` needs its user", f"write `{by_id}` in its place", (by_name,), _ONE_USER)]
    if not credentials.has(*login.USER_DOMAIN, *login.DOMAIN):
        return [_Part(_needs_domain(credentials), _WRITE_DOMAIN, (by_name,), _ONE_DOMAIN)]
    return []


def _password(credentials: login.LoginKeys) -> list[_Part]:
    if not credentials.has(*login.USER):
        return [_Part("`password` needs `username` or `user-id`", "write one of them", ("password",), _ONE_USER)]
    parts: list[_Part] = []
    project = credentials.has(*login.PROJECT)
    url = credentials.first("auth-url")
    # Keystone's API v2.0 knows no domains; who writes a key for one, if empty, logs in by v3
    may_be_v2 = url is not None and url.opaque and not any(key in credentials.items for key in _DOMAINS)
    # without a project, domain-* is the scope of the token; where no other key names the user's domain, it is that
    known = credentials.conf.schema.section(GLOBAL)
    is_users = project or (known is not None and known.key("user-domain-name") is None)
    by_id = ("user-domain-id", "domain-id") if is_users else ("user-domain-id",)
    by_name = ("user-domain-name", "domain-name") if is_users else ("user-domain-name",)
    if credentials.has("username") and credentials.has("user-id"):
        if credentials.has_value("username") and credentials.has_value("user-id"):
            parts.append(
                _Part("`username` and `user-id` are mutually exclusive", "delete one of them", login.USER, _ONE_USER)
            )
    elif "v2.0" in credentials.text("auth-url"):
        return []
    elif credentials.has("user-id") and credentials.has_value(*by_id, *by_name):
        if credentials.has_value("user-id"):
            parts.append(_Part("`user-id` must not have a user domain", "delete the domain", ("user-id",)))
    elif credentials.has("username") and credentials.has(*by_id) and credentials.has(*by_name):
        if credentials.has_value(*by_id) and credentials.has_value(*by_name):
            what = "the user's domain is given both by ID and by name"
            parts.append(_Part(what, "delete one of them", ("username",), _ONE_DOMAIN))
    elif credentials.has("username") and not credentials.has(*by_id, *by_name) and not may_be_v2:
        parts.append(_Part(_needs_domain(credentials), _WRITE_DOMAIN, ("username",), _ONE_DOMAIN))
    if not project:
        parts.append(
            _Part("neither `tenant-id` nor `tenant-name` is set", "write `tenant-id`", login.USER, needed=False)
        )
    elif not (credentials.has("tenant-id") or may_be_v2 or credentials.has(*login.PROJECT_DOMAIN, *login.DOMAIN)):
        what = "`tenant-name` needs `tenant-domain-name`"
        parts.append(_Part(what, "write `tenant-domain-name`", (*login.USER, "tenant-name"), _SCOPE_DOMAIN))
    return parts


def _needs_domain(credentials: login.LoginKeys) -> str:
    """What to say of a user name without a domain: which key for one is there and empty, else which one to write."""
    empty = next(
        (key for key in (*login.USER_DOMAIN, *login.DOMAIN) if key in credentials.items and not credentials.has(key)),
        "",
    )
    return f"`username` needs a domain, and `{empty}` is empty" if empty else "`username` needs `user-domain-name`"


def _may_be_completed(credentials: login.LoginKeys, section: Section | None) -> bool:
    """Whether something other than this text may complete the credentials."""
    conf = credentials.conf
    use_clouds = conf.value(GLOBAL, "use-clouds") not in (False, None) or "use-clouds" in credentials.meant
    if use_clouds or conf.value(GLOBAL, "secret-name"):
        return True
    if conf.may_hide_keys(GLOBAL) or is_openshift(conf) or is_foreign(conf) or is_merged(conf):
        return True
    history = catalog.history(GLOBAL, "auth-url")
    if history is not None and any(conf.release.within(when) for when, _ in history.consumers[CCM].environment):
        return True
    # the missing key may be on a line with a reader error
    return any(_is_global(conf.section_at(stop.span.start)) for stop in conf.reading.stops) or (
        section is not None and not _is_global(section)
    )


def _is_global(section: Section | None) -> bool:
    return section is not None and fold(section.name) == fold(GLOBAL)
