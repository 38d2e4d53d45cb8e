"""Which cloud.confs are nearest to a file."""

from __future__ import annotations

import pytest

from ccmcheck.workspace.nearest_confs import ELSEWHERE, MOST_CONFS, POSSIBLE, READ, NearestConfs


def near(path: str, *files: str) -> list[str]:
    held = {file.partition("=")[0]: file for file in files}
    ranks = {"": READ, "possible": POSSIBLE, "elsewhere": ELSEWHERE}
    index = NearestConfs(
        held, lambda file: (held[file],) if file in held else (), lambda conf: ranks[conf.partition("=")[2]]
    )
    return [conf.partition("=")[0] for conf in index.of(path)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/conf", ["a/conf"]),
        ("a/web.yaml", ["a/conf"]),
        ("a/services/web.yaml", ["a/conf"]),
        ("b/web.yaml", ["b/deep/conf"]),
        ("c/web.yaml", ["conf"]),
        ("./web.yaml", ["conf"]),
        ("/elsewhere/web.yaml", ["conf"]),
    ],
)
def test_nearest_upwards(path: str, expected: list[str]) -> None:
    assert near(path, "conf", "a/conf", "b/deep/conf") == expected
    assert near(path) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (("a", "b"), ["a", "b"]),
        (("a=possible", "b"), ["b"]),
        (("a=possible", "b=elsewhere"), ["a"]),
        (("a=elsewhere",), ["a"]),
        (("x/fixtures/a", "y/b"), ["y/b"]),
        (tuple(map(str, range(MOST_CONFS))), list(map(str, range(MOST_CONFS)))),
        (tuple(map(str, range(MOST_CONFS + 1))), []),
    ],
)
def test_the_surest_of_the_nearest(files: tuple[str, ...], expected: list[str]) -> None:
    assert near("web.yaml", *files) == expected


def test_each_folder_is_looked_into_once() -> None:
    asked: list[str] = []

    def in_file(path: str) -> tuple[str, ...]:
        asked.append(path)
        return ()

    index = NearestConfs(["c/x", "c/y"], in_file, lambda _: READ)
    assert [index.of(f"c/{number}.yaml") for number in range(20)] == [()] * 20
    assert sorted(asked) == sorted(["c/x", "c/y"] * 3 + [f"c/{number}.yaml" for number in range(20)])
