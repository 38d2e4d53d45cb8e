"""A name of openrc or clouds.yaml in [Global]."""

from __future__ import annotations

from ccmcheck.base.model import Edit, Problem, Problems, Severity
from ccmcheck.catalog import fold
from ccmcheck.catalog.allowed_values import allowed_values
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import GLOBAL, IgnoredKey, reported_by
from ccmcheck.rules._support.login import NEEDLESS_WITH_APPLICATION, has_application_credential
from ccmcheck.rules._support.renaming import present, rename

_SWITCHED_ON = frozenset({"true", "yes", "on", "1"})


def check(conf: CloudConf) -> Problems:
    """Report the ignored keys that are names of other tools."""
    for ignored in reported_by(conf, "openrc-name-as-key"):
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


def _rename(conf: CloudConf, ignored: IgnoredKey) -> Edit | None:
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
