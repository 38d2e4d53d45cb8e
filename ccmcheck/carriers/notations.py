"""Variables and fields of other tools that become a cloud.conf, see `ccmcheck.catalog.data.notations`.

Each value is known by its place, so that findings and fixes are there. What they do not set may be set elsewhere, or
come from the environment.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccmcheck.carriers.carrier import Carrier
from ccmcheck.carriers.embedded.chart_settings import ChartSetting
from ccmcheck.carriers.embedded.embedded_text import EmbeddedText
from ccmcheck.carriers.embedded.notation_settings import rendered, setting_of_task, settings_of
from ccmcheck.carriers.prefilter import GROUP_FILE
from ccmcheck.catalog.data.notations import INI_TASK, INI_TASKS, NOTATIONS, Notation
from ccmcheck.catalog.signs.paths import is_named_cloud_conf
from ccmcheck.layers.placed_values import Map, PlacedReader, Tree, text_at
from ccmcheck.yamlio import Mapping, YamlNode

_TASKS = Notation(INI_TASKS, ())
_NAMES = {name: notation for notation in NOTATIONS for *_, name in notation.maps}
_PREFIXES = tuple(notation for notation in NOTATIONS if notation.prefix)
_PROVIDER = "cloud_provider"
"""The end of both variables by which Kubespray chooses the program."""
SIGNS = (*(notation.prefix for notation in _PREFIXES), _PROVIDER, *_NAMES, INI_TASK)
"""What a text has to have for one of them to be in it."""


def find(carrier: Carrier, node: Mapping, path: Sequence[str]) -> frozenset[str]:
    """Collect the cloud.conf that the variables in a mapping become, or the map that it is.

    Args:
        carrier: The file or object, with the text that the mapping is in.
        node: The mapping.
        path: The names of the fields around it, outermost first.

    Returns:
        The fields that are not searched any further.
    """
    reader = PlacedReader(carrier.source.text, 0, carrier.source.has_mark)
    for notation in _PREFIXES:
        names = frozenset(key.value for key, _ in node.items if key.value.startswith(notation.prefix))
        is_group = GROUP_FILE.search(carrier.collector.path) is not None and node.get(_PROVIDER) is not None
        if names or is_group or node.get(notation.switch) is not None:
            carrier.note(node, notation.name)
        if names:
            _collect(carrier, notation, reader.try_read(node), ".".join(path))
            return names
    of_map = _of_map(path)
    if of_map is None:
        return frozenset()
    _collect(carrier, of_map, reader.try_read(node), ".".join(path))
    return frozenset(key.value for key, _ in node.items)


def _of_map(path: Sequence[str]) -> Notation | None:
    notation = _NAMES.get(path[-1]) if path else None
    if notation is None or not any(tuple(path[-len(names) :]) == names for names in notation.maps):
        return None
    return notation


def _collect(carrier: Carrier, notation: Notation, tree: Tree | None, where: str) -> None:
    settings = settings_of(notation, tree) if isinstance(tree, Map) else []
    if any(setting.is_known for setting in settings):
        layer = rendered(carrier.source.text, notation, settings)
        carrier.search_embedded([EmbeddedText(layer, where)])


def find_tasks(carrier: Carrier, tasks: Sequence[YamlNode]) -> None:
    """Collect the cloud.confs in which the tasks of a list of Ansible's set keys, each file once."""
    reader = PlacedReader(carrier.source.text, 0, carrier.source.has_mark)
    by_path: dict[str, list[ChartSetting]] = {}
    for task in tasks:
        tree = reader.try_read(task) if isinstance(task, Mapping) else None
        for name, arguments in tree.items() if isinstance(tree, Map) else ():
            path = text_at(arguments, "path")
            setting = setting_of_task(arguments) if name.rpartition(".")[2] == INI_TASK else None
            if setting is not None and is_named_cloud_conf(path):
                by_path.setdefault(path, []).append(setting)
    for path, settings in by_path.items():
        carrier.search_embedded([EmbeddedText(rendered(carrier.source.text, _TASKS, settings), path)])
