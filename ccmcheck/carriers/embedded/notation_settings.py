"""Values of other tools with their places, and the keys of a cloud.conf that they become."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccmcheck.base.model import Span
from ccmcheck.carriers.embedded.chart_settings import PLAIN, ChartSetting, ChartSettings, SettingsForm
from ccmcheck.catalog.data.notations import Notation
from ccmcheck.layers.placed_values import Leaf, List, Map, Tree

_ZERO = ("", "0", "false")


def settings_of(notation: Notation, tree: Map, bare: re.Pattern[str] = PLAIN) -> list[ChartSetting]:
    """The keys that fields or variables become, in their order.

    Args:
        notation: Their notation.
        tree: The fields or variables.
        bare: What may be written in the place of a value without quotes.
    """
    found: list[ChartSetting] = []
    for name, place, value in _fields(tree, notation):
        needed = notation.needs.get(name)
        if needed and _at(tree, notation.prefix + needed) is None:
            continue
        if name in notation.also:
            found += _added(notation, name, place, value)
            continue
        outer, _, inner = name.partition(".")
        section, key = notation.keys.get(name) or (notation.sections.get(outer, ""), inner.replace("_", "-"))
        found += (
            _setting(section, key, place, leaf, bare)
            for leaf in (value if isinstance(value, List) else (value,))
            if section and isinstance(leaf, Leaf) and not _is_left_out(leaf, notation)
        )
    return found


def _added(notation: Notation, name: str, place: Span, value: Tree) -> Iterator[ChartSetting]:
    """What a field of the map adds to what stands in it."""
    if not isinstance(value, Map):
        return
    own = [notation.keys.get(f"{name}.{inner}") for inner in value]
    for section, key, text in notation.also[name]:
        if (section, key) not in own:
            shown = place if text else Span(place.end, place.end)
            yield ChartSetting(section, place, shown, is_known=True, name=key, writable=None, text=text)


def _fields(tree: Map, notation: Notation) -> Iterator[tuple[str, Span, Tree]]:
    """The variables by the rest of their names, or the fields of a map by their paths, one level down."""
    for name, value in tree.items():
        place = tree.names.get(name, tree.place)
        if notation.prefix:
            if name.startswith(notation.prefix):
                yield name.removeprefix(notation.prefix), place, value
            continue
        if name in notation.also:
            yield name, place, value
        for inner in value if isinstance(value, List) else (value,):
            if isinstance(inner, Map):
                yield from ((f"{name}.{one}", inner.names.get(one, inner.place), inner[one]) for one in inner)


def _at(tree: Map, name: str) -> Tree | None:
    value = tree.get(name)
    return None if isinstance(value, Leaf) and value.value is None and not value.unknown else value


def _is_left_out(leaf: Leaf, notation: Notation) -> bool:
    if leaf.unknown:
        return False
    return leaf.value is None or (notation.omits_zero and leaf.text in _ZERO)


def _setting(section: str, key: str, place: Span, leaf: Leaf, bare: re.Pattern[str] = PLAIN) -> ChartSetting:
    """One value: it can be changed where it stands as it is."""
    line = leaf.lines[0] if len(leaf.lines) == 1 and leaf.lines[0].end == len(leaf.text) else None
    value = Span(line.outer, line.outer + len(leaf.text)) if line is not None else leaf.place
    known = not leaf.unknown and "\\" not in leaf.text and '"' not in leaf.text
    writable = None if line is None else PLAIN if leaf.raw[:1] in ("'", '"') else bare
    return ChartSetting(section, place, value, known, key, writable, "" if line is not None else leaf.text)


def setting_of_task(arguments: Tree) -> ChartSetting | None:
    """The key that a task of Ansible's sets, by the arguments of its module; None for another task."""
    if not isinstance(arguments, Map):
        return None
    section, option, value = (arguments.get(name) for name in ("section", "option", "value"))
    if not (isinstance(section, Leaf) and isinstance(option, Leaf) and isinstance(value, Leaf)):
        return None
    return _setting(section.text, option.text, option.place, value)


def rendered(text: str, notation: Notation, settings: Sequence[ChartSetting]) -> ChartSettings:
    """The cloud.conf that values become.

    Args:
        text: The text that they are in.
        notation: Their notation.
        settings: The values.
    """
    sections = {setting.section: setting.section for setting in settings}
    return ChartSettings(text, settings, SettingsForm(notation.name, sections, notation.readers, notation.is_whole))
