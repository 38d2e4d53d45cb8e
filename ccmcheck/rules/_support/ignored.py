"""Why the CCM ignores a name: decided once for each file, so that one mistake is one finding.

gcfg skips unknown names, and the CCM discards its warnings (``gcfg.FatalOnly``), so nothing is reported. Each ignored
key gets the name of the one rule that reports it, or an empty name where it is not a mistake.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.catalog import fold
from ccmcheck.catalog.data import other_names
from ccmcheck.catalog.data.cluster import OPENSHIFT_DELETES
from ccmcheck.catalog.data.deployments import CINDER_CSI
from ccmcheck.catalog.data.notations import PARTIAL
from ccmcheck.rules._support.once import once

if TYPE_CHECKING:
    from ccmcheck.catalog import KeyHistory, Release, Schema
    from ccmcheck.conf.item import Item
    from ccmcheck.conf.view import CloudConf
    from ccmcheck.gcfg import Section


_LOGIN = frozenset(("auth-url", "use-clouds", "application-credential-id", "username", "user-id", "token"))
_KEYSTONE = lazy_regex(r"auth[-_]?url|application[-_]?credential", re.IGNORECASE)
_SECRET = lazy_regex(r"token|secret|password|api[-_]?key", re.IGNORECASE)

CCM = "ccm"
GLOBAL, BALANCER, CLASS = "Global", "LoadBalancer", "LoadBalancerClass"


class _Meaning(NamedTuple):
    """What a name that a release ignores means wherever it stands in a section; the fields are those of `IgnoredKey`."""

    rule: str = ""
    meant: str = ""
    section: str = ""
    history: KeyHistory | None = None


_NO_MISTAKE = _Meaning()


class IgnoredKey(NamedTuple):
    """One key that the target release ignores.

    Attributes:
        item: The key.
        rule: The rule that reports it; empty where it is not a mistake, or another finding covers it.
        meant: The intended key of the catalogue; empty where that is unknown.
        section: The section of the intended key; empty where that is unknown.
        history: That key's history in the catalogue, where it has one.
    """

    item: Item
    rule: str = ""
    meant: str = ""
    section: str = ""
    history: KeyHistory | None = None


@once
def ignored(conf: CloudConf) -> tuple[IgnoredKey, ...]:
    """The ignored keys of a file in order; several rules ask for them.

    Of a file that the Cinder CSI driver reads, the misspelt ones and those of later releases in its own section: others
    may be those of a program beside it.
    """
    unknown = [item for item in conf.items if item.spec is None]
    is_of_driver = conf.consumer == CINDER_CSI
    if not unknown or not (is_of_driver or is_ccm_file(conf)) or is_foreign(conf):
        return ()
    keys: list[IgnoredKey] = []
    section, name = None, ""
    for item in unknown:
        if item.section is not section:
            section = item.section
            name = _read_section(conf, section)
        keys.append(IgnoredKey(item, *(_meaning_of(conf, item, name) if name else _NO_MISTAKE)))
    return tuple(key for key in keys if not is_of_driver or (key.meant and _is_of_driver(key)))


def _is_of_driver(key: IgnoredKey) -> bool:
    return key.rule == "unknown-key" or (key.rule == "key-too-new" and key.section == "BlockStorage")


def reported_by(conf: CloudConf, rule: str) -> list[IgnoredKey]:
    """The ignored keys that one rule reports."""
    return [key for key in ignored(conf) if key.rule == rule]


def is_misnamed(conf: CloudConf, section: str, key: str) -> bool:
    """Whether an ignored key is a misspelling of a key, which therefore is not reported as missing."""
    return (section, key) in _meant(conf)


@once
def _meant(conf: CloudConf) -> frozenset[tuple[str, str]]:
    """The sections and keys that the ignored keys are misspellings of."""
    return frozenset([(key.section, key.meant) for key in ignored(conf)])


@once
def is_ccm_file(conf: CloudConf) -> bool:
    """Whether the CCM reads the file: a cloud.conf, linted for the CCM, and not known to be for other programs only."""
    if conf.consumer != CCM or not (CCM in conf.carried.consumers or conf.for_ccm):
        return False
    return conf.foreign_format is None or not conf.foreign_format.whole


@once
def is_foreign(conf: CloudConf) -> bool:
    """Whether the file is another cloud provider's cloud.conf: vSphere's, AWS's, GCE's, CloudStack's."""
    if _logs_in_elsewhere(conf):
        return True
    names = {fold(section.name) for section in conf.sections}
    if fold(BALANCER) in names or conf.all(GLOBAL, "auth-url"):
        return False
    recognition = conf.carried.recognition
    return recognition is not None and recognition.is_partly_of_another_cloud


def _logs_in_elsewhere(conf: CloudConf) -> bool:
    """Whether the file is for a fork of the CCM: a section of its own has a login, and [Global] has none for OpenStack."""
    if any(item.spec is not None and item.spec.name in _LOGIN for item in conf.items):
        return False
    ignored_items = [item for item in conf.items if item.spec is None and not conf.is_opaque(item.section.span)]
    with_secret = {item.section.name for item in ignored_items if _SECRET.search(item.entry.key) is not None}
    # a section with Keystone's address is [Global] under another name
    with_secret -= {item.section.name for item in ignored_items if _KEYSTONE.search(item.entry.key) is not None}
    return any(not known_section(name) and nearest_name(name, catalog.all_sections()) is None for name in with_secret)


@once
def is_openshift(conf: CloudConf) -> bool:
    """Whether OpenShift's operator completes the file: by its carrier, or because [Global] has the operator's keys only."""
    if conf.carried.dialect == "openshift":
        return True
    own = [section.entries for section in conf.sections if fold(section.name) == "global"]
    return any(own) and all(fold(entry.key) in other_names.OPENSHIFT for entries in own for entry in entries)


def is_merged(conf: CloudConf) -> bool:
    """Whether other files may add to this one: the values of a chart are merged, credentials mostly in their own file."""
    return may_be_a_part(conf.carried.carrier) and not conf.carried.has_all_values


def may_be_a_part(carrier: str) -> bool:
    """Whether what holds a cloud.conf may hold a part of it alone."""
    return carrier.startswith("Helm") or carrier in PARTIAL


def known_section(name: str) -> str:
    """The section of the catalogue with a case-folded name, of any release and consumer; empty where there is none."""
    return _sections().get(fold(name), "")


@once
def lost_sections(conf: CloudConf) -> list[tuple[Section, KeyHistory]]:
    """The sections that only other releases read, each with the history of its first or last key."""
    section_of, consumer = conf.schema.section, conf.schema.consumer
    lost = [section for section in conf.sections if section_of(section.name) is None]
    if not lost or not is_ccm_file(conf) or is_foreign(conf):
        return []
    found: list[tuple[Section, KeyHistory]] = []
    for section in lost:
        name = known_section(section.name)
        histories = [catalog.history(name, key) for key in catalog.all_keys(name)] if name else []
        for history in histories:
            if history is not None and consumer in history.consumers and not conf.is_opaque(section.span):
                found.append((section, history))
                break
    return found


def first_release(history: KeyHistory, consumer: str, release: Release) -> str:
    """The first release after ``release``, which does not know a key, that reads it; empty where none does."""
    past = history.consumers[consumer].lifetime
    if f"v{release.branch}.{release.patch}" in past.missing_in_tags:
        from ccmcheck.catalog.upgrade_path import tags

        return next(tag.name for tag in tags() if tag[:3] > release[:3] and tag.name not in past.missing_in_tags)
    if past.first_tag and not release.at_least(past.first_tag):
        return past.first_tag
    return "" if release.at_least(past.since) else past.since


def annotation_keys() -> dict[str, str]:
    """Service annotations by case-folded name without prefix, with the equivalent key; empty where there is none.

    Without the annotations that are named like a key of cloud.conf.
    """
    return _annotations()


@cache
def _annotations() -> dict[str, str]:
    from ccmcheck.catalog.service_annotations import all_annotations

    names = {annotation.name.rpartition("/")[2]: annotation.keys for annotation in all_annotations()}
    own = set(catalog.all_keys(BALANCER))
    return {fold(name): keys[0] if len(keys) == 1 else "" for name, keys in names.items() if name not in own}


@cache
def _sections() -> dict[str, str]:
    return {fold(name): name for name in catalog.all_sections()}


@cache
def _aliases() -> dict[tuple[str, str], str]:
    return {(section, fold_name(name)): key for (section, name), key in other_names.ALIASES.items()}


def _read_section(conf: CloudConf, section: Section) -> str:
    """The name of a section that the release reads; empty where no key in it is a mistake of its own.

    One that the release does not read is reported as a whole, or belongs to another program.
    """
    name = known_section(section.name)
    spec = conf.schema.section(name) if name else None
    return name if spec is not None and (section.subsection is None or spec.is_map) else ""


def _meaning_of(conf: CloudConf, item: Item, section: str) -> _Meaning:
    entry = item.entry
    if conf.carried.marks and conf.is_opaque(entry.key_span):
        return _NO_MISTAKE
    if (entry.value or "").startswith("map[") and is_merged(conf):
        return _unreadable(conf.schema, section, entry.key) or _NO_MISTAKE  # reported by helm-value-type
    meaning = _meaning(conf.schema, section, entry.key, conf.carried.dialect == "openshift")
    is_of_operator = meaning.rule and not meaning.section  # all others that are mistakes have a section
    return _NO_MISTAKE if is_of_operator and is_openshift(conf) else meaning


def _unreadable(schema: Schema, section: str, key: str) -> _Meaning | None:
    """What is meant by a key with a character that gcfg stops at, so that it is not missing; None for other keys."""
    return _Meaning("", _near(schema, section, key), section) if not key.replace("-", "").isalnum() else None


@lru_cache(maxsize=1 << 16)
def _meaning(schema: Schema, section: str, name: str, by_operator: bool) -> _Meaning:
    """What a name means in a section that the release reads.

    Args:
        schema: What the release reads.
        section: The section, as the catalogue writes it.
        name: The key as it is written.
        by_operator: Whether OpenShift's operator manages the file.
    """
    key = fold(name)
    if (section, key) in other_names.TOLERATED:
        return _NO_MISTAKE
    unreadable = _unreadable(schema, section, name)
    if unreadable is not None:
        return unreadable
    consumer = schema.consumer
    history = catalog.history(section, key) if key in catalog.key_names() else None
    if by_operator and (section, key) in OPENSHIFT_DELETES:
        return _Meaning("openshift-managed-key", key, section, history)
    if history is not None and consumer in history.consumers:
        return _Meaning(by_release(schema, history), history.key, section, history)
    if section == GLOBAL and key in other_names.OPENSHIFT:
        return _Meaning("unknown-key", history=history)  # but for a file that OpenShift's operator completes
    if history is not None:
        return _NO_MISTAKE  # another program reads it from the same section
    if section == GLOBAL and key in other_names.OPENRC:
        return _Meaning("openrc-name-as-key", other_names.OPENRC[key], GLOBAL)
    elsewhere = _elsewhere(consumer, section, key)
    if section == CLASS:
        if elsewhere is not None or key in annotation_keys():
            return _Meaning("lbclass-foreign-key", key, BALANCER)
        return _Meaning("unknown-key", _near(schema, section, key), section)
    if key in annotation_keys():
        return _Meaning("annotation-name-as-key", annotation_keys()[key], BALANCER)
    if elsewhere is not None:
        known = schema.section(elsewhere.section)
        read_by_others = any(
            not past.lifetime.until for other, past in elsewhere.consumers.items() if other != consumer
        )
        if consumer in elsewhere.consumers and (
            known.key(elsewhere.key) is None if known is not None else not read_by_others
        ):
            return _Meaning(by_release(schema, elsewhere), elsewhere.key, elsewhere.section, elsewhere)
        return _Meaning("key-in-wrong-section", elsewhere.key, elsewhere.section, elsewhere)
    return _Meaning("unknown-key", _near(schema, section, key), section)


def by_release(schema: Schema, history: KeyHistory) -> str:
    """The rule about a key that this release ignores: it was removed, or comes with a later release."""
    return "key-too-new" if first_release(history, schema.consumer, schema.release) else "key-removed"


def _elsewhere(consumer: str, section: str, key: str) -> KeyHistory | None:
    """The key of the same name in another section; the consumer's own before those of others."""
    if key not in catalog.key_names():
        return None
    histories: list[KeyHistory] = []
    for name in catalog.all_sections():
        history = catalog.history(name, key) if name not in {section, CLASS} else None
        if history is not None:
            histories.append(history)
    return min(histories, key=lambda history: consumer not in history.consumers) if histories else None


@lru_cache(maxsize=64)
def _names(schema: Schema, section: str) -> tuple[str, ...]:
    """The keys of a section that a release reads."""
    spec = schema.section(section)
    return tuple(known.name for known in spec.keys if known.type != "reserved") if spec is not None else ()


def _near(schema: Schema, section: str, key: str) -> str:
    """The intended key of a section; empty where none or several are similar."""
    alias = _aliases().get((section, fold_name(key)))
    spec = schema.section(section)
    if spec is None:
        return ""
    if alias is not None and spec.key(alias) is not None:
        return alias
    near = nearest_name(key, _names(schema, section))
    if near is None:
        near = nearest_name(key, catalog.all_keys(section))
    return near or ""
