"""Takes the settings of an existing cloud.conf over, in whatever carries it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ccmcheck import catalog, gcfg
from ccmcheck.base.errors import InputError, WrongUse
from ccmcheck.base.result import Failure
from ccmcheck.base.text import decode
from ccmcheck.carriers import CarriedConf, FindOptions, find
from ccmcheck.catalog import Schema
from ccmcheck.conf import reading
from ccmcheck.conf.effective import effective
from ccmcheck.redact.masker import Masker
from ccmcheck.render.settings import ConfSettings
from ccmcheck.workspace import discover


def take_over(
    path: str, data: bytes | None, schema: Schema, variables: Mapping[str, str]
) -> tuple[ConfSettings, list[str]]:
    """Read the settings of a file's cloud.conf.

    Args:
        path: The file.
        data: What it holds; None to read it.
        schema: Who reads it.
        variables: The values of its template variables.

    Returns:
        What it sets, and what was left out, a sentence each.

    Raises:
        WrongUse: There is no cloud.conf in it, or several that differ, or something still has to render it.
        InputError: It cannot be read, or the CCM cannot read it.
    """
    if data is None:
        found = discover.read(discover.Target(path, explicit=True))
        if isinstance(found, Failure):
            raise InputError(f"{path}: {found.message}", found.hint)
        data = found or b""
    contents = find(path, decode(data).text, FindOptions(variables=variables, explicit=True))
    if not contents.carried:
        if contents.broken:
            first = contents.broken[0]
            raise InputError(f"{path}:{first.line}:{first.column}: {first.message}", first.hint)
        raise WrongUse(f"There is no cloud.conf in {path}{contents.why_none}.")
    results = [_settings(path, carried, schema) for carried in contents.carried]
    if any(settings.sections() != results[0][0].sections() for settings, _ in results):
        raise WrongUse(
            f"The {len(results)} cloud.confs in {path} differ.", "Copy the one that is meant to a file of its own."
        )
    return results[0]


def _settings(path: str, carried: CarriedConf, schema: Schema) -> tuple[ConfSettings, list[str]]:
    if any(mark.end > mark.start for mark in carried.marks):
        raise WrongUse(
            f"Something still has to be put into the cloud.conf of {path}.",
            "Give the values of its variables with --var NAME=VALUE or --env-file FILE.",
        )
    document = gcfg.parse(carried.stack.inner)
    read = reading.read(document, schema)
    masker = Masker(carried.text)
    if read.error is not None:
        raise InputError(
            f"{path}: the CCM {schema.release.name} would end with: {masker.scrub(read.error)}",
            "`ccmcheck fix` may mend it.",
        )
    settings = ConfSettings(schema)
    for setting in effective(document, read, schema):
        if setting.entry is None or setting.origin != "file":
            continue
        values = setting.value if isinstance(setting.value, list) else [_written(setting.entry.value)]
        settings.put(setting.section, setting.key, values, setting.subsection)
    return settings, [f"{masker.name(name)} is left out: {why}" for name, why in _ignored(read, schema)]


def _written(value: str | None) -> str:
    """A value as it was written; a key without any is a switch that is on."""
    return "true" if value is None else value


def _ignored(read: reading.Reading, schema: Schema) -> Iterator[tuple[str, str]]:
    for one in read.ignored:
        section, key = one.get("section", ""), one.get("key", "")
        known = catalog.history(section, key) is not None if key else False
        why = f"the CCM {schema.release.name} does not know it" + (", others do" if known else "")
        yield (f"[{section}] {key}".rstrip(), why)
