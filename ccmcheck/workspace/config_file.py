"""Reads one configuration file: TOML to typed options, every error with its line."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import NoReturn, TypeVar

from ccmcheck.base.boundary import is_trusted, leads_out
from ccmcheck.base.errors import BadConfiguration
from ccmcheck.base.escape import printable
from ccmcheck.base.globs import compiled
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.model import Severity
from ccmcheck.base.open_input import kind_of
from ccmcheck.base.paths import is_path as can_be_path
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.policy.profiles.standards import is_path
from ccmcheck.workspace import config_options as options
from ccmcheck.workspace.config import SHARED_FILE, Config, KnownNames, Origin, Override, extended
from ccmcheck.workspace.config_lines import line_of

Value = TypeVar("Value")

SEVERITIES = {severity.word: severity for severity in Severity}

MOST_EXTENDED = 16
"""Configurations that extend each other."""
UNITS = {"": 1, "B": 1, "kB": 1000, "MB": 1000**2, "GB": 1000**3, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
_SIZE = lazy_regex(r"(\d{1,15})\s*+([A-Za-z]*+)", re.ASCII)


class ConfigSource(NamedTuple):
    """How configurations are read.

    Attributes:
        known: The names to check rules and formats against.
        bytes_of: Gives the bytes of a file that another one extends; None where there is none.
    """

    known: KnownNames
    bytes_of: Callable[[str], bytes | None]


def read(path: str, data: bytes, source: ConfigSource, extenders: tuple[str, ...] = ()) -> Config | None:
    """Read one file, and those that it extends.

    Args:
        path: Absolute.
        data: Its bytes.
        source: How it is read.
        extenders: The files that lead to it by ``extend``, without links.

    Returns:
        Its options; None for a pyproject.toml without the table.

    Raises:
        BadConfiguration: See `ccmcheck.workspace.find_config.load`.
    """
    text, document = _parsed(path, data)
    if os.path.basename(path) == SHARED_FILE:
        tool = document.get("tool")
        table = tool.get("ccmcheck") if isinstance(tool, dict) else None
        if table is None:
            return None
        if not isinstance(table, dict):
            raise BadConfiguration(f"{printable(path)}: `tool.ccmcheck` must be a table.")
        document = table
    return _Reader(path, text, document, source, (*extenders, os.path.realpath(path))).config()


def parse_size(text: str) -> int | None:
    """A number of bytes above 0, as ``3``, ``500kB`` or ``10 MiB``; None for anything else."""
    match = _SIZE.fullmatch(text.strip())
    if match is None or match[2] not in UNITS:
        return None
    return int(match[1]) * UNITS[match[2]] or None


def _parsed(path: str, data: bytes) -> tuple[str, dict[str, object]]:
    import tomllib

    try:
        text = data.decode("utf-8-sig")
        return text, tomllib.loads(text)
    except UnicodeDecodeError:
        raise BadConfiguration(f"{printable(path)} is not UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise BadConfiguration(f"{printable(path)} is not TOML: {printable(str(error))}.") from None


class _Reader:
    """Turns one table into a `Config`; each method reads one kind of value."""

    def __init__(
        self,
        path: str,
        text: str,
        table: Mapping[str, object],
        source: ConfigSource,
        chain: tuple[str, ...],
        override: int = 0,
    ) -> None:
        self._path = path
        self._root = os.path.dirname(path)
        self._text = text
        self._table = table
        self._source = source
        self._known = source.known
        self._chain = chain
        self._override = override

    def config(self) -> Config:
        """The options of the file, and of those that it extends."""
        self._check_names(options.WRITABLE)
        config = self._own()
        base = self._extended()
        return config if base is None else extended(base, config)

    def override(self) -> Override:
        """The table as one override."""
        self._check_names((options.PATHS, *options.IN_OVERRIDE))
        paths = self._patterns(options.PATHS, self._texts(options.PATHS))
        if not paths:
            self._fail(f"`{options.OVERRIDE}` needs `{options.PATHS}`, a list of patterns", (options.OVERRIDE,))
        return Override(paths, self._texts("release"), self._profiles(), self._severities(), self._origins())

    def _check_names(self, names: Collection[str]) -> None:
        for name in self._table:
            if name not in names:
                told = f"`{options.OVERRIDE}` takes no `{name}`" if self._override else f"there is no option `{name}`"
                listed = f"It takes {', '.join(names)}." if self._override else ""
                self._fail(told, (name,), listed or options.REMOVED.get(name) or hint(name, names))

    def _origins(self) -> dict[tuple[str, ...], Origin]:
        """Where each option, and each entry of a table, stands."""
        found: dict[tuple[str, ...], Origin] = {}
        for name, value in self._table.items():
            if name in options.OPTIONS:
                found[name,] = Origin(self._path, self._text, (name,), self._override)
                for key in value if isinstance(value, dict) else ():
                    found[name, key] = Origin(self._path, self._text, (name, key), self._override)
        return found

    def _extended(self) -> Config | None:
        """The configuration that this one extends."""
        name = self._text_of(options.EXTEND)
        if name is None:
            return None
        path = self._below(options.EXTEND, name)
        if os.path.realpath(path) in self._chain:
            self._fail(f"`{options.EXTEND}` leads back to a file that extends this one: {name}", (options.EXTEND,))
        if len(self._chain) > MOST_EXTENDED:
            self._fail(f"more than {MOST_EXTENDED} configurations extend each other", (options.EXTEND,))
        data = self._source.bytes_of(path)
        if data is None:
            self._fail(f"`{options.EXTEND}` names a file that is not there: {name}", (options.EXTEND,))
        config = read(path, data, self._source, self._chain)
        if config is None:
            self._fail(f"`{options.EXTEND}` names a file without a table [tool.ccmcheck]: {name}", (options.EXTEND,))
        return config

    def _overrides(self) -> tuple[Override, ...]:
        tables = self._get(options.OVERRIDE, _as_tables, "a list of tables: [[override]]") or ()
        return tuple(
            _Reader(self._path, self._text, table, self._source, self._chain, number).override()
            for number, table in enumerate(tables, 1)
        )

    def _profiles(self) -> tuple[str, ...]:
        return tuple(self._below("profile", name) if is_path(name) else name for name in self._texts("profile"))

    def _own(self) -> Config:
        rules = self._known.rules
        selectable = None if rules is None else (*rules, *self._known.groups)
        return Config(
            source=self._path,
            root=self._root,
            release=self._texts("release"),
            octavia_release=self._text_of("octavia-release"),
            kubernetes_version=self._text_of("kubernetes-version"),
            nodes=self._get("nodes", _as_count, "a whole number above 0"),
            profile=self._profiles(),
            format=self._text_of("format", self._known.formats),
            output_file=self._output_files(),
            fail_on=self._fail_on(),
            color=self._text_of("color", options.COLORS),
            select=self._texts("select", selectable),
            ignore=self._texts("ignore", selectable),
            severity=self._severities(),
            per_path_ignores=self._per_path_ignores(),
            exclude=self._patterns("exclude", self._texts("exclude")),
            default_exclude=self._get("default-exclude", _as_switch, "true or false"),
            baseline=self._path_of("baseline"),
            max_file_size=self._get("max-file-size", _as_size, 'a number of bytes above 0, or a text such as "10 MiB"'),
            vars=self._named("vars"),
            env_file=tuple(self._below("env-file", path) for path in self._texts("env-file")),
            overrides=self._overrides(),
            origins=self._origins(),
        )

    def _get(self, name: str, read: Callable[[object], Value | None], wanted: str) -> Value | None:
        """One option through a function that answers None for a value it cannot take."""
        value = self._table.get(name)
        if value is None:
            return None
        found = read(value)
        if found is None:
            self._fail(f"`{name}` must be {wanted}", (name,))
        return found

    def _text_of(self, name: str, names: Collection[str] | None = None) -> str | None:
        value = self._get(name, _as_text, "a string")
        if value is not None:
            self._check(name, value, names)
        return value

    def _texts(self, name: str, names: Collection[str] | None = None) -> tuple[str, ...]:
        values = self._get(name, _as_texts, "a string or a list of strings") or ()
        for value in values:
            self._check(name, value, names)
        return values

    def _named(self, name: str, names: Collection[str] | None = None) -> Mapping[str, str]:
        table = self._tabled(name, "a string each")
        for key, value in table.items():
            self._check(name, key, names)
            if not isinstance(value, str):
                self._fail(f"`{name}.{key}` must be a string", (name, key))
        return {key: value for key, value in table.items() if isinstance(value, str)}

    def _tabled(self, name: str, wanted: str) -> Mapping[str, object]:
        return self._get(name, _as_table, f"a table with {wanted}") or {}

    def _path_of(self, name: str) -> str | None:
        value = self._text_of(name)
        return None if value is None else self._below(name, value)

    def _below(self, name: str, path: str) -> str:
        """A path that an option names; it must stay in the repository, and be no pipe or device."""
        whole = os.path.normpath(os.path.join(self._root, path))
        if not can_be_path(whole):
            self._fail(f"`{name}` is not a path", (name,))
        if leads_out(whole, self._top):
            self._fail(
                f"`{name}` leads out of {self._top}: {path}",
                (name, path),
                "Give --trust-checkout."
                if name == options.EXTEND
                else "Name it on the command line, or give --trust-checkout.",
            )
        try:
            mode = os.stat(whole).st_mode
        except (OSError, ValueError):
            return whole  # whoever reads it says that it is not there
        if not stat.S_ISREG(mode):
            self._fail(f"`{name}` is {kind_of(mode)}, not a file: {path}", (name, path))
        return whole

    @cached_property
    def _top(self) -> str:
        """The top of the configuration's repository, else its own folder, without links."""
        from ccmcheck.base.repository_paths import repository_top

        return repository_top(self._root) or os.path.realpath(self._root)

    def _output_files(self) -> Mapping[str, str]:
        name = "output-file"
        files = self._named(name, self._known.formats)
        if files and not is_trusted():
            self._fail(
                f"`{name}` may be given on the command line only",
                (name,),
                "Write --output-file FORMAT=PATH, or give --trust-checkout.",
            )
        return {form: os.path.normpath(os.path.join(self._root, path)) for form, path in files.items()}

    def _fail_on(self) -> Severity | None:
        word = self._text_of("fail-on", SEVERITIES)
        return None if word is None else SEVERITIES[word]

    def _severities(self) -> Mapping[str, Severity | None]:
        severities: dict[str, Severity | None] = {}
        for rule, word in self._named("severity", self._known.rules).items():
            self._check("severity", word, (*SEVERITIES, options.OFF))
            severities[rule] = SEVERITIES.get(word)
        return severities

    def _per_path_ignores(self) -> Mapping[str, tuple[str, ...]]:
        name = "per-path-ignores"
        ignores: dict[str, tuple[str, ...]] = {}
        for pattern, value in self._tabled(name, "a list of rules for each pattern").items():
            rules = _as_texts(value)
            if rules is None:
                self._fail(f'`{name}."{pattern}"` must be a list of rules', (name, pattern))
            for rule in rules:
                self._check(name, rule, self._known.rules)
            ignores[pattern] = rules
        self._patterns(name, tuple(ignores))
        return ignores

    def _patterns(self, name: str, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                compiled(pattern)
            except re.error:
                self._fail(f"`{name}` has a pattern that cannot be used: `{pattern}`", (name, pattern))
        return patterns

    def _check(self, name: str, value: str, names: Collection[str] | None) -> None:
        """Refuse a name that does not exist; ``vars`` never come here, so the value can be shown."""
        if names is not None and value not in names:
            known = hint(value, names) or (f"There are {', '.join(names)}." if len(names) < 20 else "")
            self._fail(f"`{name}` does not know `{value}`", (name, value), known)

    def _fail(self, message: str, words: tuple[str, ...], advice: str = "") -> NoReturn:
        line = line_of(self._text, words, self._override)
        where = f"{self._path}:{line}" if line else self._path
        raise BadConfiguration(printable(f"{where}: {message}."), advice)


def _as_text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _as_texts(value: object) -> tuple[str, ...] | None:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) and one for one in values):
        return None
    return tuple(values)


def _as_table(value: object) -> dict[str, object] | None:
    return value if isinstance(value, dict) else None


def _as_tables(value: object) -> tuple[dict[str, object], ...] | None:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return None
    return tuple(value)


def _as_switch(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _as_count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _as_size(value: object) -> int | None:
    return parse_size(value) if isinstance(value, str) else _as_count(value)
