"""`cluster merge`: shards make the same fleet as one run, and what is missing of them is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from cluster_runs import Done, run
from fleet_objects import PASSWORD, Layout
from fleet_runs import fleet, lines, serving

if TYPE_CHECKING:
    from pathlib import Path

SHARDS = 3
# on one worker, so that the results are made once
pytestmark = pytest.mark.xdist_group("fleet-merge")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The results of three shards, ``0`` to ``2``, and of the whole fleet."""
    path = tmp_path_factory.mktemp("merge")
    with serving(path, Layout(clusters=24, services=10, nodes=2)):
        for shard in range(SHARDS):
            done = fleet(path, "--shard", f"{shard}/{SHARDS}", "--format", "ndjson")
            (path / str(shard)).write_text(done.out)
        (path / "whole").write_text(fleet(path, "--format", "json").out)
    return path


def merge(folder: Path, *arguments: str) -> Done:
    return run(folder, "merge", *arguments)


def as_sets(report: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on the order in which clusters came."""
    return {
        "summary": report["summary"],
        "clusters": sorted((one["name"], json.dumps(one["findings"])) for one in report["clusters"]),
        "common": sorted((one["rule"], one["made_by"], one["clusters"], one["findings"]) for one in report["common"]),
        "across": sorted((one["kind"], one["value"], sorted(one["names"])) for one in report["across"]),
    }


def test_shards_together_are_the_fleet(folder: Path) -> None:
    done = merge(folder, "0", "1", "2", "--format", "json")
    whole = json.loads((folder / "whole").read_text())
    assert as_sets(done.report) == as_sets(whole)
    assert (done.code, done.report["complete"], done.report["notes"]) == (1, True, [])
    assert len(whole["across"]) == 2


def test_clusters_of_different_shards_are_compared(folder: Path) -> None:
    one_by_one = [merge(folder, str(shard), "--format", "json").report["across"] for shard in range(SHARDS)]
    assert sum(map(len, one_by_one)) < len(merge(folder, "0", "1", "2", "--format", "json").report["across"])


def test_missing_shards_are_named(folder: Path) -> None:
    done = merge(folder, "1")
    assert done.code == 3
    assert "Missing: shards 0/3, 2/3. Their clusters are not in this result." in done.out


def test_a_shard_that_did_not_end_is_named(folder: Path, tmp_path: Path) -> None:
    text = (folder / "2").read_text().splitlines(keepends=True)
    (tmp_path / "2").write_text("".join(text[:-2]) + text[-2][:100])
    done = merge(folder, "0", "1", str(tmp_path / "2"))
    assert done.code == 3
    assert "Not complete: shard 2/3. They ended early, or are still running." in done.out
    assert "1 lines are cut off" in done.out


def test_logs_of_pods_are_results(folder: Path, tmp_path: Path) -> None:
    log = b""
    for shard in (2, 0, 1):
        log += b"ccmcheck: 3 of 8 clusters, 0 not read\n"
        log += b"".join(
            b"[pod/ccmcheck-fleet-0-x/ccmcheck] " + line
            for line in (folder / str(shard)).read_bytes().splitlines(keepends=True)
        )
    (tmp_path / "log").write_bytes(log)
    assert as_sets(merge(tmp_path, "log", "--format", "json").report) == as_sets(
        json.loads((folder / "whole").read_text())
    )


def test_the_last_result_of_a_cluster_counts(folder: Path, tmp_path: Path) -> None:
    first = lines((folder / "0").read_text())
    cluster: Any = next(one for one in first if one["type"] == "cluster")
    cluster |= {"state": "failed", "error": {"message": "earlier", "hint": ""}}
    header, end = first[0], first[-1]
    (tmp_path / "earlier").write_text("".join(json.dumps(one) + "\n" for one in (header, cluster, end)))
    before = merge(folder, str(tmp_path / "earlier"), "0", "1", "2")
    after = merge(folder, "0", "1", "2", str(tmp_path / "earlier"))
    assert "earlier" not in before.out
    assert f"no: {cluster['error']['message']}" in after.out


@pytest.mark.parametrize(
    "text", ["", "[Global]\n", "{}\n", '{"type": "header", "kind": "other"}\n', '{"type":"cluster"}\n']
)
def test_what_is_no_result_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    done = merge(tmp_path, "file")
    assert done.code == 2
    assert "file" in done.err


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert merge(tmp_path, "missing").code == 2
    assert merge(tmp_path, ".").code == 2


def test_shards_of_different_runs_are_not_joined(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").write_text((folder / "0").read_text().replace('"0/3"', '"0/4"'))
    done = merge(folder, "0", str(tmp_path / "other"))
    assert done.code == 2
    assert "is one of 4 shards, and the others are of 3" in done.err


BROKEN: tuple[dict[str, Any], ...] = (
    {"state": "odd"}, {"findings": None}, {"findings": [1]}, {"findings": [{"rule": 1}]}, {"counts": {}}, {"ccms": [{}]},
    {"balancers": [["a"]]}, {"addresses": [[1, 2]]}, {"name": 5}, {"services": 3}, {"failures": [{}]}, {"key": None},
    {"state": "failed"}, {"state": "failed", "error": 3}, {"broken": [{}]}, {"differing": [{}]}, {"uid": None},
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_lines_of_another_shape_are_left_out_and_counted(number: int, folder: Path, tmp_path: Path) -> None:
    first = lines((folder / "0").read_text())
    odd = {**next(one for one in first if one["type"] == "cluster"), "key": "odd", **BROKEN[number]}
    (tmp_path / "0").write_text("".join(json.dumps(one) + "\n" for one in (first[0], odd, *first[1:])))
    done = merge(folder, str(tmp_path / "0"), "1", "2")
    assert done.code == 3
    assert "1 lines are not as this version of ccmcheck writes them." in done.out


def test_control_characters_of_results_do_not_reach_the_terminal(folder: Path, tmp_path: Path) -> None:
    text = (folder / "0").read_text().replace('"clusters/c', '"\\u001b[31mclusters/c')
    (tmp_path / "0").write_text(text)
    done = merge(folder, str(tmp_path / "0"), "-v", "--max-clusters", "0")
    assert "\x1b" not in done.out


def test_merged_results_can_be_merged(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "all").write_text(merge(folder, "0", "1", "2", "--format", "ndjson").out)
    again = merge(tmp_path, "all", "--format", "json")
    assert as_sets(again.report) == as_sets(json.loads((folder / "whole").read_text()))
    assert PASSWORD not in (tmp_path / "all").read_text()


def test_what_is_readable_is_joined(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    done = merge(folder, "0", "1", "2", str(tmp_path / "empty"), str(tmp_path / "missing"))
    assert done.code == 3
    said = " ".join(done.said.split())
    assert f"Left out: {tmp_path / 'empty'} holds no results of cluster fleet" in said
    assert f"Left out: {tmp_path / 'missing'} cannot be read" in said
    assert "Missing:" not in said
