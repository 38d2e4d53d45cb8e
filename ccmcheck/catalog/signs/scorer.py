"""Whether a text is an OpenStack cloud.conf: the signs that it has are weighed, see `ccmcheck.catalog.signs.table`.

A key counts in its section: ``subnet-id`` below ``[LoadBalancer]`` is the CCM's, below ``[Vpc]`` another cloud's. What
the CCM does not read counts against it, and where another program's signs weigh more, the text is that program's.

The names of the catalogue and of the table of signs, by their folded forms.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from operator import itemgetter
from typing import TypeAlias

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Span
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.base.text import BOM
from ccmcheck.catalog.signs import table
from ccmcheck.catalog.signs.forms import HEADER, lines_of, worth_decoding
from ccmcheck.catalog.signs.table import (
    ALONE,
    CLOUD_CONF,
    DECISIVE,
    ENCRYPTED_BY,
    GENERIC_KEY,
    LEAST,
    OWN_LOGIN,
    OWN_SECTION,
    PROGRAMS,
    KnownBy,
    Sign,
)

Others: TypeAlias = "tuple[tuple[str, str, Sign], ...]"
"""The programs that have a name, as they spell it, and the sign that it is."""


class CatalogueNames:
    """The names that a text is searched for: those of the catalogue as it spells them, by their folded forms."""

    def __init__(self) -> None:
        from ccmcheck import catalog
        from ccmcheck.catalog.data import other_names

        self.sections = _folded(catalog.all_sections())
        self.own_sections = frozenset(OWN_SECTION.names.split())
        self.keys = {folded: _folded(catalog.all_keys(name)) for folded, name in self.sections.items()}
        self.spelled = {key: folded for known in self.keys.values() for folded, key in known.items()}
        generic = frozenset(fold_name(GENERIC_KEY.names).split())
        self.own = {
            folded: key for known in self.keys.values() for folded, key in known.items() if folded not in generic
        }
        openrc = _folded(other_names.OPENRC)
        self.openrc = frozenset(openrc)
        meant_by = ((folded, other_names.OPENRC[key]) for folded, key in openrc.items())
        self.keys["global"] |= {folded: meant for folded, meant in meant_by if meant}
        for key in other_names.OPENSHIFT_ALONE:
            self.own[fold_name(key)] = self.keys["global"][fold_name(key)] = key
        self.other_sections: dict[str, Others] = defaultdict(tuple)
        self.other_keys: dict[str, Others] = defaultdict(tuple)
        for form, others in (("section", self.other_sections), ("key", self.other_keys)):
            names = [
                (program, sign, name, folded)
                for program, sign in _all(form)
                for name, folded in zip(sign.names.split(), fold_name(sign.names).split(), strict=True)
            ]
            for program, sign, name, folded in names:
                if form == "key" or folded not in self.sections or sign.weight == DECISIVE:
                    others[folded] += ((program, name, sign),)
        self._prefixes = [(name[:-1], others) for name, others in self.other_sections.items() if name.endswith("*")]
        self._aliases = {
            folded: other_names.SECTION_ALIASES[word]
            for folded, word in _folded(other_names.SECTION_ALIASES).items()
            if folded not in self.other_sections
        }
        logins = (("", OWN_LOGIN), *_all("login"))
        self.logins = [(frozenset(fold_name(sign.names).split()), program, sign) for program, sign in logins]
        self.hosts = [(sign.names, program, sign) for program, sign in _all("host")]

    def others_with(self, section: str) -> Others:
        """The other programs that have a section."""
        found = self.other_sections.get(section)
        if found is not None or section in self.sections:
            return found or ()
        return tuple(other for prefix, others in self._prefixes if section.startswith(prefix) for other in others)

    def section_near(self, *words: str) -> str:
        """The section that a header means, by its folded name or its first word; empty where that is unclear."""
        for name in words:
            if name in self._aliases:
                return self._aliases[name]
            near = name if name in self.sections else nearest_name(name, self.sections)
            if near is not None:
                return self.sections[near]
        return ""


def _folded(names: Iterable[str]) -> dict[str, str]:
    """Names by their folded forms, in one go."""
    kept = tuple(names)
    return dict(zip(fold_name("\n".join(kept)).split("\n"), kept, strict=True))


def _all(form: str) -> Iterator[tuple[str, Sign]]:
    """The signs of a form, each with its program."""
    return ((program, sign) for program, signs in PROGRAMS.items() for sign in signs if sign.form == form)


@cache
def names() -> CatalogueNames:
    """The names, which are put together once."""
    return CatalogueNames()


Sighting: TypeAlias = "tuple[str, int, str, int, int]"
"""What a sign in a text is called: a name that ccmcheck knows, or words of the table; its weight; whose file it
shows, empty for a cloud.conf and for what speaks against one; where it begins and ends, both 0 for a whole text."""

_LINE = lazy_regex(
    r"\n[ \t]*+(?:\[[ \t]*+(?P<section>[A-Za-z][^\]\n\"'=#;]*+)"
    r"|(?P<key>[A-Za-z][\w.-]*+)[ \t]*+(?:(?P<sign>[=:])(?P<toml>[ \t]*+(?:\[|\{(?![{%#])))?+|(?=[;#\r\n]|\Z))"
    r"|[\[({<=\"']*+(?P<word>[A-Za-z][A-Za-z _-]*+)[\])}>\"']++[ \t\r]*+(?=\n|\Z)"
    r"|(?P<other>(?!---)[^\s;#{<%$\[][^\n]*+))"
)
"""A header, a key with or without a value, a word with a bracket or quote that may be a broken header, or any line."""
_MARKS_ONLY = lazy_regex(r"(?:\s|[#;][^\n]*+(?:\n|\Z)|\$\{[^{}\n]*+\}|\{\{[^{}\n]*+\}\}|\{%[^\n]*?%\}|<%[^\n]*?%>)*+\Z")
_WORD = lazy_regex(r"[A-Za-z_-]++")
_AUTH_URL = lazy_regex(r"\n[ \t]*+auth-url[ \t]*+=[ \t]*+\"?[a-z]++://(?P<host>[\w.-]++)", re.IGNORECASE)
_WIDE_SIGNS = lazy_regex("[\0\udcfe\udcff]++")
"""The zeros and the byte order mark of UTF-16, as bytes that are not UTF-8 are decoded."""
_LIMIT = 2_000
"""Lines that are looked at: a cloud.conf has fewer, and a large file shows what it is in its first lines."""
_MOST_NAMES = 3


class Recognition(NamedTuple):
    """The answer to the question whether a text is a cloud.conf, with its signs.

    Attributes:
        taken: Whether the text is read as a cloud.conf.
        program: Who reads the text instead, where its signs say so: ``Octavia``; else empty.
        signs: What was weighed, in the order of the text.
        because: The reason, where it is no sign.
    """

    taken: bool
    program: str = ""
    signs: tuple[Sighting, ...] = ()
    because: str = ""

    @property
    def span(self) -> Span:
        """The first sign of the program that reads the text instead; empty where there is no such place."""
        places = (Span(start, end) for _, _, program, start, end in self.signs if program == self.program != "")
        return next(places, Span(0, 0))

    @property
    def is_encrypted(self) -> bool:
        """Whether nobody can say what is in the text."""
        return self.program.startswith(ENCRYPTED_BY)

    @property
    def is_partly_of_another_cloud(self) -> bool:
        """Whether names in a text that the CCM does not mount are those of another cloud's file, and not weak ones."""
        return not self.because and any(
            "cloud provider" in program and weight > table.WEAK for _, weight, program, *_ in self.signs
        )

    @property
    def reason(self) -> str:
        """Why, as a clause for people; like the signs it quotes names that ccmcheck knows, nothing else of the text."""
        if self.because or self.is_encrypted:
            return self.because or f"it is encrypted by {self.program.removeprefix(ENCRYPTED_BY)}"
        if self.program:
            is_form = any(program == self.program and not says for says, _, program, *_ in self.signs)
            return f"it is {self.program}" if is_form else f"its sections and keys are those of {self.program}"
        ours = sorted((sign for sign in self.signs if not sign[2] and sign[1] >= 0), key=itemgetter(1), reverse=True)
        if not ours:
            return "none of its sections and keys are the CCM's"
        if ours[0][1] >= table.FORMAT:
            return f"it is {ours[0][0]}"
        sections = [f"`{says}`" for says, _, program, *_ in self.signs if says.startswith("[") and not program]
        keys = [f"`{says}`" for says, *_ in ours if not says.startswith("[")]
        shown = sections[:_MOST_NAMES] + keys[: max(_MOST_NAMES - len(sections), 1)]
        if self.taken:
            return f"it has {_listed(shown)}"
        against = [says for says, weight, *_ in self.signs if weight < 0]
        counts = {says: against.count(says) for says in against}
        doubts = [f"{count} {says}{'s' if count > 1 else ''}" for says, count in counts.items()]
        return f"it has {_listed(shown)}, and {_listed(doubts or ['no key that only the CCM has'])}"


def _listed(words: list[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1]) if len(words) > 1 else words)


_NOTHING = Recognition(taken=False)


def is_cloud_conf(text: str) -> bool:
    """Whether a text that nothing announces is an OpenStack cloud.conf; see `recognise`."""
    return recognise(text).taken


def recognise(text: str, known_by: KnownBy = KnownBy.NOTHING) -> Recognition:
    """Whether a text is an OpenStack cloud.conf.

    Args:
        text: Any text; template marks in it do no harm.
        known_by: What calls it one.

    Returns:
        Taken where the signs of a cloud.conf are enough, and no other program's weigh more. In a folder section names
        alone are not, nor are keys that many programs have.
    """
    is_found = known_by is KnownBy.NOTHING
    if is_found and HEADER.search(lines_of(text)) is None:
        return _NOTHING
    search = _Search(text)
    if not (search.keys or is_found):
        search.look_for_forms(text, known_by)
    least = LEAST[known_by]
    if search.unknown and search.ours + search.against < least + len(search.unknown):
        search.look_for_misspelt_keys()
    signs = search.all_signs()
    ours, against, others = search.ours, search.against, search.others
    program = max((name for name in PROGRAMS if name in others), key=others.__getitem__) if others else ""
    if program and others[program] > ours:
        return Recognition(taken=False, program=program, signs=signs)
    if is_found:
        taken = search.has_own and ours + against >= least
    else:  # where nothing speaks against it, a name without weight is enough
        is_enough = ours + against >= least or not against
        is_enough = is_enough or any(weight >= ALONE[known_by] for _, weight, of, *_ in signs if not of)
        taken = is_enough and (ours > 0 or search.has_section)
    return Recognition(taken=taken, signs=signs)


class _Search:
    """The search of one text for signs, and their weights: ours, against it, and by other program.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self._text = _WIDE_SIGNS.sub("", text) if "\0" in text else text.removeprefix(BOM)
        self._names = names()
        self._signs: dict[tuple[str, str | int], Sighting] = {}
        self.keys: dict[str, Sighting] = {}
        self.unknown: dict[str, tuple[str, tuple[int, int]]] = {}
        self.others: dict[str, int] = {}
        self.ours = self.against = 0
        self.has_own = self.has_section = False
        self._read()

    def _read(self) -> None:
        """Look at the names in the text, a line at a time."""
        known = self._names
        section: str | None = ""  # the folded section of cloud.conf; empty for none, None for another program's
        keys_of_global = set()
        for match in islice(_LINE.finditer("\n" + self._text), _LIMIT):
            _, key, equals, toml, _, other = match.groups()
            if key is None:
                if other is None:
                    section = self._read_header(match, section)
                else:
                    self._add(table.NO_INI, "", match.span("other"))
                continue
            folded, place = known.spelled.get(key) or fold_name(key), match.span("key")
            if toml:
                self._add(table.TOML, "", place)
            if section == "global":
                keys_of_global.add(folded)
            meant = known.keys[section].get(folded) if section else None
            if meant is not None:
                if meant not in self.keys:  # the usual line: no call
                    is_own = folded in known.own
                    weight = table.OWN_KEY.weight if is_own else table.GENERIC_KEY.weight
                    self.keys[meant] = meant, weight, "", place[0] - 1, place[1] - 1
                    self.ours += weight
                    self.has_own |= is_own
                if folded not in known.openrc:
                    continue
            elif folded in known.own and "-" in key:
                self._add_key(known.own[folded], table.MISPLACED_KEY, place)
                continue
            if folded in known.other_keys:
                for program, name, sign in known.other_keys[folded]:
                    self._add(sign, name, place, program)
            if meant is None and section is not None and equals != ":" and key not in self.unknown:
                self.unknown[key] = section, place
        for login, program, sign in known.logins:
            is_sure = program or not (self.others or keys_of_global - known.keys["global"].keys())
            if login <= keys_of_global and is_sure:
                self._add(sign, sign.names, program=program)
                self.has_own |= not program
        for host, program, sign in known.hosts:
            if host in self._text and any(
                f".{match['host'].lower()}".endswith(f".{host}") for match in _AUTH_URL.finditer("\n" + self._text)
            ):
                self._add(sign, host, program=program)

    def _read_header(self, match: re.Match[str], section: str | None) -> str | None:
        """Add a header; the section that it begins, or the one before."""
        known = self._names
        header = match["section"] or match["word"]
        is_whole = match["word"] is None
        place = match.span("section" if is_whole else "word")
        folded = fold_name(header.strip().replace(" ", ""))
        others = known.others_with(folded) if is_whole else ()
        for program, name, sign in others:
            self._add(sign, f"[{name}]", place, program)
        meant = known.sections.get(folded, "")
        if not (meant or others):
            word = _WORD.match(header)
            meant = known.section_near(folded, fold_name(word[0]) if word is not None else "")
        if meant:
            self.has_section = True
            self._add(table.OWN_SECTION if meant in known.own_sections else table.SECTION, f"[{meant}]", place)
            return fold_name(meant)
        if is_whole and not others:
            self._add(table.UNKNOWN_SECTION, "", place)
        return None if others else "" if is_whole else section

    def _add_key(self, name: str, sign: Sign, place: tuple[int, int]) -> None:
        """Add a key that only the CCM has, misplaced or misspelt; it counts once."""
        if name not in self.keys:
            self.keys[name] = name, sign.weight, "", place[0] - 1, place[1] - 1
            self.ours += sign.weight
            self.has_own = True

    def _add(self, sign: Sign, name: str, place: tuple[int, int] = (1, 1), program: str = "") -> None:
        """Add another sign: a name, which counts once, or what the sign says, at a place behind an added newline."""
        start, end = place
        weight = sign.weight
        key = (name, start if weight < 0 else program)
        if key in self._signs:
            return
        self._signs[key] = sign.says or name, weight, program, start - 1, end - 1
        if program:
            self.others[program] = self.others.get(program, 0) + weight
        elif weight < 0:
            self.against += weight
        else:
            self.ours += weight

    def look_for_misspelt_keys(self) -> None:
        """Take unknown keys that are almost the CCM's for those; slow, hence only where nothing else is enough."""
        for key, (section, place) in list(self.unknown.items()):
            meant = nearest_name(key, self._names.own.values()) if "-" in key.replace("_", "-") else None
            if meant is not None:
                del self.unknown[key]
                self._add_key(meant, table.OWN_KEY if section else table.MISPLACED_KEY, place)

    def look_for_forms(self, text: str, known_by: KnownBy) -> None:
        """Look for other formats, and what encrypts texts, in a text that has none of the CCM's keys."""
        from ccmcheck.catalog.foreign_format import format_of

        lines = lines_of(text)
        is_json = text.lstrip().startswith("{")
        formats = (format_of(text), format_of(text.lstrip().removeprefix("---")))
        for program, signs in (("", CLOUD_CONF), *PROGRAMS.items()):
            for sign in signs:
                form, found = sign.form if known_by in sign.known_by else "", sign.names.split()
                if (
                    (form == "format" and sign.names in formats)
                    or (form == "json" and is_json and any(f'"{name}"' in text for name in found))
                    or (form == "yaml" and not is_json and any(f"\n{name}:" in lines for name in found))
                    or (form == "begins" and text.lstrip().startswith(tuple(sign.names.split("\n"))))
                    or (form == "encoded" and worth_decoding(text))
                    or (form == "marks" and _MARKS_ONLY.match(text) is not None)
                ):
                    self._add(sign, "" if program else sign.names, program=program)

    def all_signs(self) -> tuple[Sighting, ...]:
        """The signs in the order of the text, with the keys below sections of cloud.conf that are not the CCM's."""
        for section, place in self.unknown.values():
            if section:
                self._add(table.UNKNOWN_KEY, "", place)
        return tuple(sorted((*self._signs.values(), *self.keys.values()), key=itemgetter(3)))
