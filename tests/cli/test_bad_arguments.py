"""Arguments that make no sense, and folders with traps, for the commands that foretell: clear words, the right code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import RIGHT, git, put, run

SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  ports:
  - {name: http, port: 80, nodePort: 30080}
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A cluster's folder."""
    return put(tmp_path, {"a/cloud.conf": RIGHT, "a/web.yaml": SERVICE})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            "lint --kubernetes-version new a",
            "`new` is not a Kubernetes version\nccmcheck: Write it as 1.31 or v1.31.2.",
        ),
        ("lint --octavia-release new a", "`new` is not a known Octavia release"),
        ("predict --kubernetes-version new a", "`new` is not a Kubernetes version"),
        ("review --kubernetes-version new a a", "`new` is not a Kubernetes version"),
        ("upgrade --from 1.25 --kubernetes-version new a", "`new` is not a Kubernetes version"),
        ("explain create-monitor --kubernetes-version new a", "`new` is not a Kubernetes version"),
        ("explain create-monitor --probe-budget nan a", "nan is not a number of probes"),
        ("review --question create-monitor --probe-budget nan a a", "nan is not a number of probes"),
        ("predict --nodes -1 a", "-1 is not in the range"),
        ("review --question why a", "'why' is not 'create-monitor'"),
    ],
)
def test_what_no_option_takes(arguments: str, words: str, files: Path) -> None:
    done = run(files, *arguments.split())
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_no_revision_at_all(files: Path) -> None:
    git(files, "init", "-q")
    done = run(files, "review", "--git", "")
    assert done.code == 2
    assert done.err == "ccmcheck: error: --git names no revision\nccmcheck: Write --git main..HEAD.\n"


def test_links_in_a_folder_are_not_followed(files: Path) -> None:
    (files / "a" / "again.yaml").symlink_to("web.yaml")
    (files / "a" / "passwd.yaml").symlink_to("/etc/passwd")
    (files / "a" / "nowhere.yaml").symlink_to("nowhere")
    (files / "a" / "loop").symlink_to(".")
    done = run(files, "predict", "--format", "json", "a")
    assert [one["path"] for one in json.loads(done.out)["services"]] == ["a/web.yaml"]
    assert done.err == ""
    done = run(files, "review", "a", "a/cloud.conf")
    assert done.out.startswith("a → a/cloud.conf: of one Service 1 is deleted\n")


def test_a_file_of_a_folder_that_is_too_large_is_reported(files: Path) -> None:
    done = run(files, "predict", "--max-size", "60", "a")
    assert done.code == 3
    assert "ccmcheck: a/web.yaml: " in done.err
    assert "more than the limit of 60" in done.err


def test_nothing_is_said_of_nodes_where_no_load_balancer_lasts(files: Path) -> None:
    done = run(files, "review", "a", "a/cloud.conf")
    assert "1 deleted" in done.out
    assert "a dead node is out" not in done.out.partition("\n\n")[0]


@pytest.mark.ci
def test_thousands_of_probes_are_written_out(files: Path) -> None:
    put(files, {"base/cloud.conf": RIGHT.replace("create-monitor = true", ""), "base/web.yaml": SERVICE})
    ports = "".join(f"  - {{name: p{port}, port: {port}, nodePort: {30000 + port}}}\n" for port in range(1, 21))
    put(files, {one: SERVICE.partition("  - ")[0] + ports for one in ("a/web.yaml", "base/web.yaml")})
    done = run(files, "review", "base", "a", "--nodes", "2500")
    assert "probes none → 10000/s (single) or 20000/s (active-standby)" in done.out
    done = run(files, "review", "base", "a", "--question", "create-monitor", "--nodes", "2500")
    assert "e+0" not in done.out


def test_a_service_that_is_new_and_does_not_work_is_counted_once(files: Path) -> None:
    put(
        files,
        {
            "base/cloud.conf": RIGHT,
            "a/web.yaml": SERVICE.replace(
                "LoadBalancer", "LoadBalancer\n  allocateLoadBalancerNodePorts: false"
            ).replace(", nodePort: 30080", ""),
        },
    )
    done = run(files, "review", "base", "a", "--nodes", "3")
    assert done.out.startswith("base → a: of one Service 1 is new and does not work\n")


def test_what_stops_the_ccm_is_not_filled_in_later(files: Path) -> None:
    put(files, {"a/cloud.conf": RIGHT + "monitor-delay = 3\n"})
    done = run(files, "predict", "-v", "a")
    assert "the CCM does not start" in done.out
    assert "filled in later" not in done.out


def test_an_option_of_other_commands_is_called_so(tmp_path: Path) -> None:
    done = run(tmp_path, "upgrade", "--fail-on", "error")
    assert done.code == 2
    assert "This is an option of lint, predict, review" in done.err
    assert "Did you mean" not in done.err, "--final is only spelt like it"
    assert "Did you mean '--final'" in run(tmp_path, "upgrade", "--finall").err
