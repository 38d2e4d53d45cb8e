"""Data flows one way: who may import whom, low to high, and which room alone may touch a foreign package."""

from __future__ import annotations

import ast
import re
import sys

import pytest
from room_graph import PACKAGE, cycles, floors, imports, module_arrows, room_arrows, rooms, sub_room_arrows

from ccmcheck.cluster import core

FLOORS: tuple[frozenset[str], ...] = tuple(
    frozenset(rooms.split())
    for rooms in (
        "__init__",
        "base",
        "gcfg yamlio",
        "catalog layers",
        "kustomize redact report",
        "carriers",
        "conf",
        "policy",
        "predict",
        "rules workspace",
        "lint",
        "explain fix",
        "render review cluster",
        "cli",
        "api",
        "__main__",
    )
)
"""From the lowest to the highest. A room imports from its own floor and from lower ones, never from a higher one."""

FOREIGN = {
    "click": "cli",
    "yaml": "yamlio",
    "configobj": "policy",
    "jinja2": "render",
    "jsonpatch": "kustomize fix",  # to build what a patch makes of an object, and to write patches
    "jsonpointer": "fix",
    "keystoneauth1": "cluster/octavia/client.py",
    "kubernetes": "cluster/access/client.py",
    "openstack": "cluster/octavia/client.py",
    "requests": "cluster/octavia/client.py",
    "ruamel": "fix",
    "urllib3": "cluster/access/exchange.py cluster/octavia/client.py cluster/access/exchange.py",
}
"""Each package from outside, and the rooms, or the one module, that know it: one, where nothing is said."""

MOST_ARROWS, MOST_FLOORS = 150, 16
"""Those of today: a new arrow costs an old one."""

LOOSE_MODULES = 6
"""How many modules may lie beside the rooms."""

FACADE, FACADE_NAMES = "cluster/core.pyi", 60
"""What the rooms of `cluster` reach the rest of the package through, and how many names it may have."""

FOR_RULES = ("base", "catalog", "conf", "policy", "rules")
VIEWS = "rules/views/"
"""Services and objects as rules see them; they ask predict, so that both read a Service alike."""
FOR_RULES_AS_RECORDS = ("carriers.base", "carriers.live", "gcfg.Section", "gcfg.Variable", "yamlio")
FOR_GCFG = ("base", "gcfg")


def floor(room: str) -> int:
    """How high a room stands."""
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def _hold(wrong: list[str]) -> None:
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


def test_every_room_has_a_floor() -> None:
    """A new room needs a place in ``FLOORS``: where does it stand between base and cli?"""
    _hold(sorted(rooms() - frozenset().union(*FLOORS)))


def test_few_modules_stand_beside_the_rooms() -> None:
    assert sum((PACKAGE / f"{room}.py").exists() for room in rooms()) <= LOOSE_MODULES


def test_the_rooms_stay_few_and_know_few() -> None:
    arrows = room_arrows()
    assert sum(map(len, arrows.values())) <= MOST_ARROWS
    assert max(floors(arrows).values()) <= MOST_FLOORS


def test_no_cycle_between_rooms() -> None:
    """Imports inside functions count: a cycle that only lazy loading avoids is a cycle for readers of the code."""
    _hold([", ".join(group) for group in cycles(room_arrows())])


@pytest.mark.parametrize("room", ["carriers", "cluster", "predict", "review", "policy", "render", "rules"])
def test_no_cycle_between_the_parts_of_a_room(room: str) -> None:
    _hold([", ".join(group) for group in cycles(sub_room_arrows(room))])


def test_no_cycle_between_modules() -> None:
    _hold([", ".join(group) for group in cycles(module_arrows())])


def test_no_module_imports_from_above() -> None:
    known = frozenset().union(*FLOORS)
    placed = [one for one in imports() if one.room in known and one.target in known]
    wrong = [str(one) for one in placed if floor(one.target) > floor(one.room)]
    _hold(wrong)


def test_each_foreign_package_is_known_to_one_room() -> None:
    outside = [one for one in imports() if not one.inside and one.name != "ccmcheck"]
    tops = [(one, one.name.partition(".")[0]) for one in outside]
    foreign = [(one, FOREIGN.get(top, "").split()) for one, top in tops if top not in sys.stdlib_module_names]
    wrong = [str(one) for one, knowers in foreign if not {one.room, one.file}.intersection(knowers)]
    _hold(wrong)


def test_gcfg_knows_nothing_of_the_ccm() -> None:
    _hold([str(one) for one in imports() if one.room == "gcfg" and one.target not in {"", *FOR_GCFG}])


def test_the_rooms_of_cluster_reach_the_rest_through_one_facade() -> None:
    _hold(
        [
            str(one)
            for one in imports()
            if one.room == "cluster"
            and one.file not in {FACADE, FACADE[:-1]}
            and one.target not in {"", "__init__", "cluster"}
        ]
    )


def test_the_facade_has_few_names_and_each_is_used() -> None:
    tree = ast.parse((PACKAGE / FACADE).read_bytes())
    lists = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    names, places = set(ast.literal_eval(lists["__all__"])), vars(core)["_PLACES"]
    shown = {one.name for one in imports() if one.file == FACADE}
    used = {one.inside.removeprefix("cluster.core.") for one in imports() if one.inside.startswith("cluster.core.")}
    files = {one.file for one in imports() if one.inside == "cluster.core"}
    used |= {name for file in files for name in re.findall(r"\bcore\.(\w+)", (PACKAGE / file).read_text("utf-8"))}
    assert ({".".join(place) for place in places.values()}, set(places), used) == (shown, names, names)
    assert len(names) <= FACADE_NAMES


def test_a_rule_sees_views_and_facts_alone() -> None:
    wrong = [
        str(one)
        for one in imports()
        if one.room == "rules"
        and not one.file.startswith(VIEWS)
        and one.target not in {"", *FOR_RULES}
        and not one.inside.startswith(FOR_RULES_AS_RECORDS)
    ]
    _hold(wrong)


def test_a_rule_reads_no_file_and_asks_no_clock() -> None:
    forbidden = {"os", "io", "pathlib", "time", "datetime", "random", "subprocess", "socket", "logging", "sys"}
    wrong = [str(one) for one in imports() if one.room == "rules" and one.name.partition(".")[0] in forbidden]
    _hold(wrong)


_OF_A_PROGRAM = re.compile(rb"\b(print|exit|quit|SystemExit)\b")
"""A module without these words calls none of them."""


def test_only_the_command_line_prints_and_exits() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} calls {ast.unparse(node.func)}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in {"cli", "__main__.py"} and _OF_A_PROGRAM.search(path.read_bytes())
        for node in ast.walk(ast.parse(path.read_bytes(), path.name))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"print", "exit", "quit", "sys.exit", "SystemExit"}
    ]
    _hold(wrong)


HEAVY = frozenset(
    {"dataclasses", "difflib", "importlib.metadata", "importlib.resources", "inspect", "json", "logging"}
    | {
        "multiprocessing",
        "subprocess",
        "tempfile",
        "tomllib",
        "kubernetes",
        "jinja2",
        "markupsafe",
        "ruamel",
        "configobj",
        "jsonpatch",
    }
)


def test_heavy_modules_are_imported_where_they_are_used() -> None:
    """At a module's top they would be paid for by every command that loads the module for something else."""
    _hold(
        [
            f"{one} at its top"
            for one in imports()
            if not {one.name, one.name.partition(".")[0]}.isdisjoint(HEAVY) and not one.late and not one.typing
        ]
    )


def test_the_walk_sees_imports() -> None:
    """A walk that found nothing would hold every rule above."""
    seen = {(one.room, one.target) for one in imports()}
    assert {("cli", "base"), ("gcfg", "base"), ("__main__", "cli")} <= seen
    assert len(imports()) > 100
