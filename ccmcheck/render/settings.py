"""The settings that go into a new cloud.conf: values by section and key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ccmcheck.base.data_files import read_text
from ccmcheck.base.errors import WrongUse
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.catalog import Schema
from ccmcheck.redact.masker import MASK, is_secret_name, mask_text
from ccmcheck.redact.run_secrets import hiding, told_apart

GLOBAL, BALANCER = "Global", "LoadBalancer"

# As a person would write them: who, where to, what for; what is not named follows in the catalogue's order.
_RANK = {key: rank for rank, key in enumerate(read_text(__file__, "setting_order.txt").split())}

_UNWRITABLE = lazy_regex("[\0\r\ud800-\udfff]")
"""What no spelling brings through gcfg: it stops at NUL and at what is not UTF-8, and drops carriage returns."""


class SettingLine(NamedTuple):
    """One line of a cloud.conf: a key, and its value as the CCM shall read it."""

    key: str
    value: str

    def __repr__(self) -> str:
        return f"<SettingLine {self.key}>"  # the value may be a secret


class ConfSection(NamedTuple):
    """One section of a cloud.conf.

    Attributes:
        name: As the catalogue writes it.
        subsection: The class's name; None for a plain section.
        entries: Its lines.
    """

    name: str
    subsection: str | None
    entries: tuple[SettingLine, ...]

    @property
    def header(self) -> str:
        """What stands between the square brackets."""
        if self.subsection is None:
            return self.name
        escaped = self.subsection.replace("\\", "\\\\").replace('"', '\\"')
        return f'{self.name} "{escaped}"'


def _rank(key: str) -> int:
    return _RANK.get(key, len(_RANK))


class ConfSettings:
    """Values by section and key.

    Args:
        schema: Who reads them; what it does not know is not taken.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._held: dict[tuple[str, str | None], dict[str, tuple[str, ...]]] = {}

    def put(self, section: str, key: str, values: Sequence[str], subsection: str | None = None) -> None:
        """Set a key, in the place of what it held.

        Args:
            section: As the catalogue writes it.
            key: Likewise.
            values: Several for a key that may stand in several lines; none to take it out.
            subsection: The class's name.

        Raises:
            WrongUse: No cloud.conf can hold the value.
        """
        if any(_UNWRITABLE.search(value) for value in values):
            raise WrongUse(
                f"The value of `{key}` holds a NUL, a carriage return or bytes that are not UTF-8, "
                "which no cloud.conf can hold."
            )
        held = self._held.setdefault((section, subsection), {})
        held.pop(key, None)
        if values:
            held[key] = tuple(values)

    def get(self, section: str, key: str) -> str | None:
        """The value of a key of a plain section, its last one; None where it is not set."""
        values = self._held.get((section, None), {}).get(key)
        return values[-1] if values else None

    def clear(self, section: str) -> None:
        """Take a plain section out."""
        self._held.pop((section, None), None)

    def sections(self, without: Iterable[str] = ()) -> tuple[ConfSection, ...]:
        """The sections that hold something.

        Args:
            without: The names of those to leave out.
        """
        return tuple(self._sections(frozenset(without)))

    def _sections(self, without: frozenset[str]) -> Iterator[ConfSection]:
        for spec in self.schema.sections:
            if spec.name in without:
                continue
            for (name, subsection), held in self._held.items():
                if name == spec.name and held:
                    keys = sorted((key.name for key in spec.keys if key.name in held), key=_rank)
                    yield ConfSection(
                        name, subsection, tuple([SettingLine(key, value) for key in keys for value in held[key]])
                    )

    def masked(self) -> ConfSettings:
        """The same with every secret masked, so that nothing made of them can show one; other values may repeat it."""
        settings = ConfSettings(self.schema)
        secrets = (
            value
            for held in self._held.values()
            for key, values in held.items()
            if is_secret_name(key)
            for value in values
        )
        with hiding(told_apart(secrets)):
            for (section, subsection), held in self._held.items():
                for key, values in held.items():
                    secret = is_secret_name(key)
                    settings.put(section, key, [MASK if secret else mask_text(value) for value in values], subsection)
        return settings

    def __repr__(self) -> str:
        return f"<ConfSettings of {len(self._held)} sections>"
