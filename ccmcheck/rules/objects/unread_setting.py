"""A value of upstream's charts, or a variable of Kubespray, that their templates do not read."""

from __future__ import annotations

import re
from collections import Counter

from ccmcheck.base.model import Problem, Problems, Severity
from ccmcheck.base.suggest import first_of, nearest_name
from ccmcheck.catalog.ccm_chart import is_on
from ccmcheck.catalog.data.ccm_chart import VALUES_OF, values_read
from ccmcheck.catalog.data.notations import KUBESPRAY
from ccmcheck.rules.views.manifest import Manifest
from ccmcheck.yamlio import Mapping, Sequence, YamlNode, field, text_of

_TWICE = 2
_EMPTY = ("", "null", "~", "false")
_VARIABLES: dict[str, tuple[str, ...]] = {KUBESPRAY.prefix + name: ("0",) for name in KUBESPRAY.keys}


def check(manifest: Manifest) -> Problems:
    """Compare the names with those that are read; one that the file reads itself is its owner's."""
    read = {**values_read(), KUBESPRAY.name: _VARIABLES}.get(manifest.kind.removeprefix(VALUES_OF), {})
    yield from _below(manifest, manifest.node, "", read)


def _below(manifest: Manifest, node: YamlNode, prefix: str, read: dict[str, tuple[str, ...]]) -> Problems:
    names = dict.fromkeys(path.removeprefix(prefix).partition(".")[0] for path in read if path.startswith(prefix))
    text = manifest.object.source.stack.text
    others = [name for name in names if field(node, name) is None]
    for key, value in node.items if isinstance(node, Mapping) else ():
        path, of = (
            prefix + key.value,
            "Kubespray reads no variable" if read is _VARIABLES else "the chart reads no value",
        )
        label, ignored = f"{of} `{path}`", "It is ignored without a word"
        is_empty = text_of(value) in _EMPTY or (isinstance(value, (Mapping, Sequence)) and not value.items)
        if is_empty or manifest.has_mark(key):
            continue
        if path in read:
            if not is_on(read[path], manifest.name):
                when = "".join(f"{(', from', ' until')[at % 2]} {turn}" for at, turn in enumerate(read[path]))
                yield Problem(key.content, label, f"Its versions{when[1:]} do.", severity=Severity.INFO)
        elif key.value in names:
            yield from _below(manifest, value, f"{path}.", read)
        elif nearest := nearest_name(key.value, others):
            if manifest.answer_of_file(check, lambda: Counter(re.findall(r"\w+", text)))[key.value] < _TWICE:
                yield Problem(key.content, label, f"{ignored}.", f"Write `{prefix}{nearest}`.")
        elif prefix:
            yield Problem(key.content, label, f"{ignored}; there are {first_of(names, 8)}.", severity=Severity.INFO)
