"""Keys and annotations that an advice names, where the release that is judged does not read them yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ccmcheck import catalog
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog import Release, fold, service_annotations
from ccmcheck.catalog.service_annotations import PREFIX
from ccmcheck.rules._support.ignored import first_release

_NAME = lazy_regex(rf"{re.escape(PREFIX)}[a-z0-9-]+|(?<![\w/.-])[a-z][a-z0-9]*(?:-[a-z0-9]+)+|(?<=`)[a-z]+(?= = )")


@lru_cache(maxsize=4096)
def with_releases(advice: str, release: Release, consumer: str) -> str:
    """An advice, with the release from which on each name in it has an effect, where that is still to come.

    Args:
        advice: What a rule says is to be done.
        release: The release that is judged.
        consumer: Who reads the file.
    """
    later = {name: first for name, first in _later(advice, release, consumer) if first and first not in advice}
    return " ".join((advice, *(f"`{name}` has an effect from {first} on." for name, first in later.items())))


def _later(advice: str, release: Release, consumer: str) -> Iterator[tuple[str, str]]:
    schema = catalog.schema(release, consumer)
    for name in _NAME.findall(advice):
        if (known := service_annotations.annotation(name)) is not None:
            if not service_annotations.is_read(name, release):
                yield name.removeprefix(PREFIX), service_annotations.first_release(known, release)
        elif fold(name) in catalog.key_names():
            found = [catalog.history(section, name) for section in catalog.all_sections()]
            readers = [one for one in found if one is not None and consumer in one.consumers]
            if not any((section := schema.section(one.section)) and section.key(name) for one in readers):
                yield name, min((first_release(one, consumer, release) for one in readers), default="")
