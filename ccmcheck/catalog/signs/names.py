"""The names of the catalogue and of the table of signs, by their folded forms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeAlias

from ccmcheck.base.suggest import fold_name, nearest_name
from ccmcheck.catalog.signs.table import DECISIVE, GENERIC_KEY, OWN_LOGIN, OWN_SECTION, PROGRAMS, Sign

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
