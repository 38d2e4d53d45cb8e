"""What one consumer reads in one release: sections, keys, types, defaults.

Which keys of cloud.conf hold a secret.

How gcfg matches the names of sections and keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ccmcheck.base.data_files import read_table
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog.data.releases import CONSUMERS, EMBEDS_CONFIG, GCFG, REFUSES_UNKNOWN
from ccmcheck.catalog.data_types import DefaultSource, KeyRow, SectionRow, Value
from ccmcheck.catalog.releases import CCM, Release
from ccmcheck.catalog.releases import release as find_release
from ccmcheck.catalog.stretches import holds, within
from ccmcheck.gcfg.values import parse_duration


def fold(name: str) -> str:
    """Bring a name into the form in which equal names are equal.

    gcfg compares with Go's ``strings.EqualFold``: simple Unicode case folding, one character for one, so that the
    Kelvin sign is a k and ſ an s, but ß is not ss.

    Args:
        name: A section's or a key's name.

    Returns:
        The folded name; lower case for plain ASCII.
    """
    if name.isascii():
        return name.lower()
    return "".join([_fold(char) for char in name])


def _fold(char: str) -> str:
    for folded in (char.casefold(), char.lower()):
        if len(folded) == 1:
            return folded
    return char


SECRET_KEYS = frozenset(key for key, _ in read_table(__file__, "data/secret_keys.tsv"))
"""The fields of AuthOpts that Keystone takes as proof (cloud-provider-openstack pkg/client/client.go)."""


LEGACY = "legacy-in-tree"
LEGACY_GCFG = "v1.2.0"
"""k8s.io/legacy-cloud-providers, go.mod of every branch from 1.16 to 1.25."""

PROVIDERS_OR_FATAL = {"v1.20.0": ("amphora", "octavia")}
"""Tags whose ReadConfig ends with an error at any other ``lb-provider``, even at ovn.

Source: cloud-provider-openstack v1.20.0 openstack.go; v1.20.1 made a log line of it.
"""

_EMBEDDED: dict[str, str] = dict(read_table(__file__, "data/embedded_options.tsv"))

_GO_TYPES = {"int64": "int64", "word": "gophercloud.Availability", "reserved": "map[string]*openstack.LBClass"}


class KeySpec(NamedTuple):
    """One key in one release.

    Attributes:
        section: The section's name.
        name: As the catalogue writes it.
        type: ``string``, ``bool``, ``uint``, ``int``, ``duration``, ``list``, ``word`` (one word) or ``reserved``
            (nothing can be stored in it).
        default: The value where the file says nothing: durations as a text such as ``5s``, lists as tuples.
        secret: Whether its value must never be shown.
        default_source: ``zero`` (Go's zero value), ``before`` (set before the file is read) or ``empty`` (set
            afterwards where the value is still empty or zero, so an empty value in the file means it, too).
        go_type: The Go type, as error texts name it.
    """

    section: str
    name: str
    type: str
    default: Value
    secret: bool = False
    default_source: DefaultSource = "zero"
    go_type: str = ""

    @property
    def default_value(self) -> object:
        """The default as reading gives values: durations in nanoseconds, lists as lists."""
        default = self.default
        if self.type == "duration" and isinstance(default, str):
            return parse_duration(default)[0]
        return list(default) if isinstance(default, tuple) else default


class SectionSpec(NamedTuple):
    """One section in one release.

    Attributes:
        name: The Go field's name.
        is_map: Whether it has subsections.
        keys: What it holds, in the order of the source.
        by_name: The same by folded name.
    """

    name: str
    is_map: bool
    keys: tuple[KeySpec, ...]
    by_name: Mapping[str, KeySpec]

    @property
    def needs_name(self) -> bool:
        """Whether its header has a name, as a class's; of clouds, the one without is that of volumes that name none.

        Source: pkg/csi/cinder/openstack/openstack.go: ``cfg.Global[cloudName]``.
        """
        return self.is_map and self.name != "Global"

    def key(self, name: str) -> KeySpec | None:
        """Find a key as gcfg does; None where the release ignores it."""
        by_name = self.by_name
        return by_name.get(name) or by_name.get(fold(name))


class Schema:
    """What one consumer reads in one release.

    Attributes:
        consumer: Who reads.
        release: The release.
        sections: In the order of the source.
        gcfg: The release of gcfg that it reads with.
        refuses_unknown: Whether an unknown name ends the process, as in 1.9 and in the legacy in-tree provider up to
            1.24, which do not filter with ``gcfg.FatalOnly``.
        hides_errors: Whether ``use-clouds = true`` makes it go on with a half-read file (cloud-provider-openstack
            openstack.go, 1.14 to 1.18: the error of reading is overwritten by that of reading clouds.yaml).
        providers: What ``lb-provider`` must be, or the process ends; empty where it only warns. See
            `PROVIDERS_OR_FATAL`.
    """

    __slots__ = ("_by_name", "consumer", "gcfg", "hides_errors", "providers", "refuses_unknown", "release", "sections")

    def __init__(self, consumer: str, release: Release, sections: tuple[SectionSpec, ...], gcfg: str) -> None:
        self.consumer = consumer
        self.release = release
        self.sections = sections
        self.gcfg = gcfg
        self.refuses_unknown = holds(REFUSES_UNKNOWN.get(consumer, ()), release)
        self.hides_errors = consumer == CCM and release.within("1.14..1.18")
        self.providers = PROVIDERS_OR_FATAL.get(release.name, ()) if consumer == CCM else ()
        self._by_name = {fold(section.name): section for section in sections}

    def section(self, name: str) -> SectionSpec | None:
        """Find a section as gcfg does, in any case; None where the release ignores it."""
        return self._by_name.get(fold(name))

    def __repr__(self) -> str:
        return f"<Schema of {self.consumer}@{self.release.name}>"


def schema(release: Release | str, consumer: str = CCM) -> Schema:
    """What a consumer reads in a release; made once for each.

    Args:
        release: The release, or its name.
        consumer: Who reads the file.

    Raises:
        WrongUse: There is no such release or consumer.
    """
    return _schema(find_release(release, consumer) if isinstance(release, str) else release, consumer)


@lru_cache(maxsize=64)
def _schema(release: Release, consumer: str) -> Schema:
    sections = []
    for name, forms, rows in declared(consumer):
        for since, before, is_map in forms:
            if within(release, since, before):
                keys = tuple([spec for row in rows if (spec := _spec(name, row, release)) is not None])
                sections.append(SectionSpec(name, is_map, keys, {fold(key.name): key for key in keys}))
    if holds(EMBEDS_CONFIG.get(consumer, ()), release):
        sections.append(_embedded())
    return Schema(consumer, release, tuple(sections), _gcfg(release, consumer))


def _embedded() -> SectionSpec:
    """The section ``Config`` of the programs that embed the CCM's struct of that name in their own.

    gcfg takes the embedded struct for a section, and its sections for keys, which nothing can be stored in.

    Source: cloud-provider-openstack pkg/csi/cinder/openstack/openstack.go, 1.16 to 1.20, and the like.
    """
    keys = tuple([KeySpec("Config", name, "reserved", None, go_type=kind) for name, kind in _EMBEDDED.items()])
    return SectionSpec("Config", False, keys, {fold(key.name): key for key in keys})


def _gcfg(release: Release, consumer: str) -> str:
    if consumer == LEGACY:
        return LEGACY_GCFG
    return next(version for since, version in reversed(GCFG) if not since or release.at_least(since))


def _spec(section: str, row: KeyRow, release: Release) -> KeySpec | None:
    """A key as a release has it; None where it does not."""
    name, history, _ = row
    for since, before, kind, default, how in history:
        if within(release, since, before):
            go_type = _GO_TYPES.get(kind, kind)
            secret = name in SECRET_KEYS
            return KeySpec(section, name, "int" if kind == "int64" else kind, default, secret, how, go_type)
    return None


def declared(consumer: str) -> list[SectionRow]:
    """What a consumer declares over all releases; the table is loaded when it is first asked for.

    Raises:
        WrongUse: Nobody of that name reads the file.
    """
    from ccmcheck.catalog.data.keys import keys

    rows = keys().get(consumer)
    if rows is None:
        raise WrongUse(f"`{consumer}` is not known to read cloud.conf", "Known: " + ", ".join(CONSUMERS))
    return rows
