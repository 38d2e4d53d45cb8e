"""What a text has in common with a cloud.conf, and what with other programs' files: names of sections and keys.

A key counts in its section only: ``subnet-id`` below ``[LoadBalancer]`` is the CCM's, below ``[Vpc]`` another cloud's.
A key that no other program has counts twice. Where another program has the CCM's names, a login that only it can use
decides.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.base.text import BOM

if TYPE_CHECKING:
    from collections.abc import Mapping

# The patterns begin with a newline on purpose: memchr finds it, while `^` would be tried at each character.
_LINE = lazy_regex(
    r"\n[ \t]*+(?:\[[ \t]*+(?P<section>[A-Za-z][^\]\n\"'=#;]*+)"
    r"|(?P<key>[A-Za-z][\w.-]*+)[ \t]*+(?:(?P<sign>[=:])|(?=\r?(?:\n|\Z)))"
    r"|(?P<broken>[\[({<=\"']*+(?P<word>[A-Za-z][A-Za-z _-]*+)[\])}>\"']++)[ \t\r]*+(?=\n|\Z))"
)
"""A header, a key with or without a value, or a word with a bracket or quote that may be a broken header."""

_WORD = lazy_regex(r"[A-Za-z_-]++")
_OWN_SECTIONS = frozenset(("LoadBalancer", "LoadBalancerClass", "BlockStorage"))

_AUTH_URL = lazy_regex(r"\n[ \t]*+auth-url[ \t]*+=[ \t]*+\"?[a-z]++://(?P<host>[\w.-]++)", re.IGNORECASE)

_LIMIT = 2_000
"""Lines that are looked at: a cloud.conf has fewer, and a large file shows what it is in its first lines."""

_DECISIVE = 4 * _LIMIT
"""The weight of what shows a program whatever else the text has: more than all names together."""


class Evidence(NamedTuple):
    """What the names in a text show.

    Attributes:
        own: The CCM's keys that no other program has, as the catalogue spells them.
        shared: The CCM's keys below their sections that others have, too.
        sections: The sections of cloud.conf, as the catalogue spells them.
        misspelt: How many sections and keys are almost one of the CCM's.
        unknown: How many keys below sections of cloud.conf nobody knows.
        others: By program, the weight of its sections and keys.
        place: The first place that shows another program.
    """

    own: tuple[str, ...]
    shared: tuple[str, ...]
    sections: tuple[str, ...]
    misspelt: int
    unknown: int
    others: Mapping[str, int]
    place: Span

    @property
    def weight(self) -> int:
        """The weight of the CCM's names."""
        return 2 * len(self.own) + len(self.shared) + len(self.own_sections)

    @property
    def own_sections(self) -> frozenset[str]:
        """The sections that few other programs have."""
        return _OWN_SECTIONS.intersection(self.sections)

    @property
    def program(self) -> str:
        """The other program that the text is more likely for; empty where the CCM is."""
        name = max(self.others, key=self.others.__getitem__, default="")
        return name if name and self.others[name] > self.weight else ""


class _Names(NamedTuple):
    """The names of the catalogue, by their folded form."""

    sections: Mapping[str, str]
    aliases: Mapping[str, str]
    keys: Mapping[str, Mapping[str, str]]
    openrc: frozenset[str]
    own: Mapping[str, str]
    other_sections: Mapping[str, tuple[str, ...]]
    other_prefixes: tuple[tuple[str, str], ...]
    other_keys: Mapping[str, tuple[str, ...]]
    weak: frozenset[str]
    programs: tuple[str, ...]
    hosts: tuple[tuple[str, str], ...]
    logins: tuple[tuple[frozenset[str], str], ...]
    sole_sections: Mapping[str, str]


@cache
def _names() -> _Names:
    from ccmcheck import catalog
    from ccmcheck.catalog.data import other_names, other_programs

    sections = {fold_name(name): name for name in catalog.all_sections()}
    keys = {folded: {fold_name(key): key for key in catalog.all_keys(name)} for folded, name in sections.items()}
    own = {
        folded: key
        for known in keys.values()
        for folded, key in known.items()
        if folded not in other_programs.GENERIC_KEYS
    }
    aliases = {fold_name(section): name for section, name in other_names.SECTION_ALIASES.items()}
    openrc = frozenset(fold_name(key) for key in other_names.OPENRC)
    keys["global"] |= {fold_name(key): meant for key, meant in other_names.OPENRC.items() if meant}
    for key in other_names.OPENSHIFT_ALONE:
        own[fold_name(key)] = keys["global"][fold_name(key)] = key
    other_sections: dict[str, tuple[str, ...]] = {}
    other_keys: dict[str, tuple[str, ...]] = {}
    prefixes: list[tuple[str, str]] = []
    for program in other_programs.PROGRAMS:
        for name in (*program.sections, *program.sole_sections):
            if name.endswith("*"):
                prefixes.append((name[:-1], program.name))
            elif name not in sections:
                other_sections[name] = (*other_sections.get(name, ()), program.name)
        for name in program.keys:
            other_keys[name] = (*other_keys.get(name, ()), program.name)
    for name in other_sections:
        aliases.pop(name, None)
    return _Names(
        sections,
        aliases,
        keys,
        openrc,
        own,
        other_sections,
        tuple(prefixes),
        other_keys,
        other_programs.WEAK_KEYS,
        tuple(program.name for program in other_programs.PROGRAMS),
        tuple((host, program.name) for program in other_programs.PROGRAMS for host in program.hosts),
        tuple((keys, program.name) for program in other_programs.PROGRAMS for keys in program.global_keys),
        {name: program.name for program in other_programs.PROGRAMS for name in program.sole_sections},
    )


def evidence(text: str) -> Evidence:
    """Look at the names in a text.

    Args:
        text: Any text; template marks in it do no harm.
    """
    names = _names()
    own: dict[str, None] = {}
    shared: dict[str, None] = {}
    sections: dict[str, None] = {}
    strange: dict[str, None] = {}
    misspelt = 0
    others: dict[str, int] = {}
    seen: set[str] = set()
    place = Span(0, 0)
    section: str | None = ""  # the folded section of cloud.conf; empty for none, None for another program's
    text = text.removeprefix(BOM)
    keys_of_global: set[str] = set()
    decisive: list[str] = []
    for count, match in enumerate(_LINE.finditer("\n" + text)):
        if count >= _LIMIT:
            break
        header = match["section"] or match["word"]
        if header is not None:
            folded = fold_name(header.strip().replace(" ", ""))
            programs = _programs_of(folded, names) if match["section"] else ()
            if folded in names.sole_sections:
                decisive.append(names.sole_sections[folded])
            if folded in names.sections:
                section = folded
                sections[names.sections[folded]] = None
            elif programs:
                section = None
            elif near := _section_near(header, folded, names):
                misspelt += 1
                section = near
            elif match["section"]:
                section = ""
            weight = 2
        else:
            key = match["key"]
            folded = fold_name(key)
            if section == "global":
                keys_of_global.add(folded)
            known = names.keys.get(section, {}) if section else {}
            programs = ()
            weight = 1 if folded in names.weak else 2
            if folded in known:
                (own if folded in names.own else shared)[known[folded]] = None
                if folded not in names.openrc:
                    continue
            elif folded in names.own and "-" in key:
                own[names.own[folded]] = None
                continue
            programs = names.other_keys.get(folded, ())
            if not programs and section and match["sign"] == "=" and folded not in known:
                strange[folded] = None
        if programs and folded not in seen:
            seen.add(folded)
            if place.start == place.end:
                start, end = match.span("section" if match["section"] else "key")
                place = Span(start - 1, end - 1)
            for program in programs:
                others[program] = others.get(program, 0) + weight
    for program in (*decisive, *_shown_by_login(text, keys_of_global, names)):
        others[program] = _DECISIVE
    others = {program: others[program] for program in names.programs if program in others}
    return Evidence(tuple(own), tuple(shared), tuple(sections), misspelt, len(strange), others, place)


def _shown_by_login(text: str, keys: set[str], names: _Names) -> list[str]:
    """The other programs that a login in a text is for.

    Args:
        text: The text.
        keys: The folded keys of its ``[Global]``.
        names: The names of the catalogue.
    """
    found = [program for login, program in names.logins if login <= keys]
    for host, program in names.hosts:
        if host in text and any(
            f".{match['host'].lower()}".endswith(f".{host}") for match in _AUTH_URL.finditer("\n" + text)
        ):
            found.append(program)
    return found


def _programs_of(section: str, names: _Names) -> tuple[str, ...]:
    """The other programs that have a section."""
    programs = names.other_sections.get(section)
    if programs is not None or section in names.sections:
        return programs or ()
    return tuple(program for prefix, program in names.other_prefixes if section.startswith(prefix))


def _section_near(header: str, folded: str, names: _Names) -> str:
    """The folded section that an unknown header means; empty where that is unclear."""
    first = _WORD.match(header)
    for word in (folded, fold_name(first[0]) if first is not None else ""):
        if word in names.aliases:
            return fold_name(names.aliases[word])
        near = word if word in names.sections else nearest_name(word, names.sections)
        if near is not None:
            return near
    return ""


def misspelt_keys(text: str) -> int:
    """How many keys of a text are almost one of the CCM's; slower, for a text in which nothing else is the CCM's."""
    names = _names()
    return sum(
        match["key"] is not None
        and "-" in match["key"].replace("_", "-")
        and nearest_name(match["key"], names.own.values()) is not None
        for _, match in zip(range(_LIMIT), _LINE.finditer("\n" + text), strict=False)
    )
