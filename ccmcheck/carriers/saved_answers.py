"""What the client and the APIs of OpenStack answered, saved in files: the objects that the checks of preflight read.

A file may hold a part of what there is: a list is whole only where its command is shown, without a filter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

from ccmcheck.base.data_files import read_table
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.uuids import UUID, UUID_LIKE

Document: TypeAlias = "dict[str, Any]"
_Objects: TypeAlias = "tuple[str, list[Document], bool]"
_PROMPT = lazy_regex(r"(?m)^[$#] *openstack ([^\n]*)\n?")
_BEFORE_PROMPTS = lazy_regex(r"(?m)^(?=[$#] *openstack )")
_COMMAND = lazy_regex(r"(?P<words>[a-z ]+?) (?:list|show)\b *(?P<options>.*)")
_HARMLESS = lazy_regex(r"(?:\s*+(?:(?:-f|--format|-c|--column)[ =]\w++|--long))*+\s*+\Z")
"""Options of a list by which it is still the whole one."""
_NETWORK = lazy_regex(r"--network[ =]([\w.-]+)")
_HOST = lazy_regex(r"://([\w.-]{1,253})")
_URL = lazy_regex(r"https?://[^\s'\",|]{1,2048}")
_NO_OCTAVIA = "no load balancer is made, Services stay pending: the catalogue has no service of type load-balancer"
_VERSION_TWICE = (
    "no load balancer is made, Services stay pending: Octavia's endpoint in the catalogue ends with `/v2.0`, and CCM "
    "before v1.18.0 asks at `/v2.0/v2.0/`, where Octavia answers 404"
)
_MAY_BE_OCTAVIA = lazy_regex("balanc|octavia|lbaas")
_PAIRS = lazy_regex(r"(?<!\w)(\w++)='([^']*)'")
_MEANT: dict[str, object] = {"": None, "None": None, "null": None, "any": None}
_MEANT |= {"True": True, "true": True, "External": True, "False": False, "false": False, "Internal": False}
_STRUCTURED = ("routes", "fixed_ips", "allowed_address_pairs")
_LISTS = ("subnets", "security_groups")
_PROVIDERS, _CATALOG, _RULES = "providers", "catalog", "security_group_rules"


class Saved(NamedTuple):
    """Objects of one kind in a file.

    Attributes:
        path: The file.
        kind: The key of the API's lists: ``subnets``.
        items: The objects, by the API's fields as far as they are known.
        is_whole: Whether it is a list without any filter.
    """

    path: str
    kind: str
    items: tuple[Document, ...]
    is_whole: bool


_table = cache(read_table)


def read(path: str, text: str) -> Iterator[Saved]:
    """What one file holds: several answers where it shows the commands before them.

    Args:
        path: The file; its name may be that of the command.
        text: Its text.
    """
    name = path.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
    named = name.removeprefix("openstack").replace("-", " ").replace("_", " ").strip()
    for part in _BEFORE_PROMPTS.split(text):
        prompt = _PROMPT.match(part)
        body = (part[prompt.end() :] if prompt else part).strip()
        command = _COMMAND.match(prompt[1] if prompt else named)
        words, options = (command["words"], command["options"]) if command else (named, "")
        try:
            kind, raw, is_list = _objects(body, words)
        except (ValueError, RecursionError):
            continue
        given: Document = {}
        if kind == "networks" and ("--external" in options or (not prompt and "external" in named)):
            given["router:external"] = True
        if kind == "subnets" and (network := _NETWORK.search(options)):
            given["network_id"] = network[1]
        if not is_list and (identifier := UUID.search(options)):
            given["id"] = identifier[0]
        items = [_normal(item) for item in raw]
        sound = tuple(
            given | item
            for item in items
            if (item.get("name") if kind == _PROVIDERS else not item.get("id"))
            or kind == _RULES
            or UUID_LIKE.fullmatch(str(item.get("id")))
        )
        is_asked_whole = command and _HARMLESS.match(options) if prompt else kind in (_PROVIDERS, _CATALOG)
        is_whole = is_list and bool(is_asked_whole) and _is_complete(body) and len(sound) == len(items)
        if kind:
            yield Saved(path, kind, sound, is_whole and (bool(items) or kind != _PROVIDERS))


def providers_of(answers: Iterable[Saved]) -> tuple[str, ...] | None:
    """The providers that Octavia has by a list of them; None where there is no whole list."""
    whole = [saved for saved in answers if saved.kind == _PROVIDERS and saved.is_whole]
    return tuple(str(one["name"]) for saved in whole for one in saved.items) or None


def without_octavia(answers: Iterable[Saved], conf: str, *, adds_version: bool) -> tuple[str, str]:
    """Why a service catalogue lets the CCM find no Octavia, and what of it is wrong; empty where none is known to.

    A whole one has Keystone and Neutron; one with a type or name that may be Octavia's tells nothing, nor does one
    whose addresses are all of other hosts than the cloud.conf's.

    Args:
        answers: They.
        conf: The cloud.conf.
        adds_version: Whether the CCM puts the version behind an endpoint that has one.
    """
    for saved in answers:
        if saved.kind != _CATALOG:
            continue
        hosts = _HOST.findall(str(saved.items)) if "://" in conf else ()
        is_its = not hosts or any(host in conf for host in hosts)
        by_type = {str(one.get("type")).lower(): _URL.findall(str(one.get("endpoints"))) for one in saved.items}
        is_known = saved.is_whole and {"identity", "network"} <= set(by_type)
        if is_its and is_known and not _MAY_BE_OCTAVIA.search(str(saved.items).lower()):
            return f"{_NO_OCTAVIA} ({saved.path})", "service catalogue"
        urls = by_type.get("load-balancer", ())
        if is_its and adds_version and urls and all(url.rstrip("/").endswith("/v2.0") for url in urls):
            return f"{_VERSION_TWICE} ({saved.path})", "Octavia's endpoint"
    return "", ""


def _is_complete(body: str) -> bool:
    """Whether nothing shows that lines of a table were left out: it has its frame, and nothing between its lines."""
    lines = [line.strip() for line in body.split("\n")]
    return body[:1] in "[{" or (body[0] == lines[-1][:1] == "+" and all(line[:1] in "|+" for line in lines))


def _objects(body: str, words: str) -> _Objects:
    """The kind, the objects, and whether they are a list."""
    if not body.startswith(("[", "{")):
        return _of_table(body, words)
    import json

    value: Any = json.loads(body)
    for kind, one, *_ in _table(__file__, "saved_kinds.tsv") if isinstance(value, dict) else ():
        listed, shown = value.get(kind), value.get(one)
        if isinstance(listed, list) and all(isinstance(item, dict) for item in listed):
            return kind, listed, True
        if isinstance(shown, dict):
            return kind, [shown], False
    kept = [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]
    return _kind(kept, words), kept, isinstance(value, list)


def _kind(items: Sequence[Document], words: str) -> str:
    """The kind of some objects, by their fields, else by the words of the command or of the file's name."""
    fields = set(_normal(items[0])) if items else set()
    for kind, _, _, marks in _table(__file__, "saved_kinds.tsv"):
        if not fields.isdisjoint(marks.split()):
            return kind
    if fields == {"name", "description"} and all("driver" in str(item.get("description")).lower() for item in items):
        return _PROVIDERS
    return _of(words)


def _of_table(body: str, words: str) -> _Objects:
    """The objects of a table; one without its header by what its cells look like."""
    rows: list[list[str]] = []
    for line in body.split("\n"):
        row = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if rows and not row[0] and len(row) == len(rows[-1]):  # a cell of several lines
            rows[-1] = [f"{before}\n{cell}".strip() for before, cell in zip(rows[-1], row, strict=True)]
        elif line.strip().startswith("|"):
            rows.append(row)
    framed = body.startswith("+") and len(rows) > 1
    if framed and rows[0] != ["Field", "Value"]:
        items: list[Document] = [dict(zip(rows[0], row, strict=False)) for row in rows[1:]]
        return _kind(items, words), items, True
    shown: Document = {row[0]: row[1] for row in rows if len(row) == 2}
    if framed or (shown and _kind([shown], "")):
        return _kind([shown], words), [shown], False
    cells = [(row[1], lazy_regex(row[2])) for row in _table(__file__, "saved_cells.tsv") if _of(words) == row[0]]
    return (_of(words), [_guessed(row, cells) for row in rows], True) if cells else ("", [], False)


def _of(words: str) -> str:
    return next((row[0] for row in _table(__file__, "saved_kinds.tsv") if words == row[2]), "")


def _guessed(row: Sequence[str], cells: Sequence[tuple[str, Any]]) -> Document:
    found: Document = {}
    for cell in row:
        for field, form in cells:
            if field not in found and (match := form.fullmatch(cell)):
                found[field] = match[1] if form.groups else cell
                break
    return found


def _rows_of(cell: str) -> list[Document]:
    """What ``key='value'`` gives, one after the other: a key that comes again begins the next; lines may be wrapped."""
    rows: list[Document] = []
    for key, value in _PAIRS.findall(cell):
        if not rows or key in rows[-1]:
            rows.append({})
        rows[-1][key] = value.replace("\n", "")
    return rows


def _normal(item: Document) -> Document:
    """An object by the API's fields."""
    fields = dict(_table(__file__, "saved_fields.tsv"))
    found: Document = {}
    for name, value in item.items():
        field = str(name).lower().replace(" ", "_")
        field = fields.get(field, field)
        meant: Any = _MEANT.get(value, value) if isinstance(value, str) else value
        if field in _STRUCTURED:
            if isinstance(meant, str):
                meant = _rows_of(meant)
            rows = [one for one in meant if isinstance(one, dict)] if isinstance(meant, list) else []
            meant = [{fields.get(key, key): str(entry) for key, entry in one.items()} for one in rows]
        elif field in _LISTS:
            meant = meant.replace(",", " ").split() if isinstance(meant, str) else meant
            meant = [str(one) for one in meant] if isinstance(meant, list) else []
        elif field == "port_range" and isinstance(meant, str):
            low, _, high = meant.partition(":")
            found |= {"port_range_min": low, "port_range_max": high or low}
        found[field] = meant
    return found
