"""The first look at the files of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.base.result import Failure
from ccmcheck.lint.first_look import KEPT_BYTES_OF_FILE, first_looks
from ccmcheck.lint.looks import Look
from ccmcheck.workspace.discover import DiscoverOptions, Target
from ccmcheck.workspace.read_files import StandardInput
from ccmcheck.workspace.related_files import Hints

CONF = "[LoadBalancer]\ncreate-monitor = true\n"
SERVICE = (
    "kind: Service\nspec:\n  type: LoadBalancer\n  externalTrafficPolicy: Local\n"
    "metadata:\n  annotations:\n    loadbalancer.openstack.org/load-balancer-id: x\n"
)
STDIN = StandardInput("<stdin>", CONF.encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = (
        CONF,
        SERVICE,
        "kind: Node\n---\n" + SERVICE,
        "a: b\n",
        "image: openstack-cloud-controller-manager:v1.31.0\n",
    )
    for number in range(40):
        (tmp_path / f"{number:02}.yaml").write_text(texts[number % len(texts)])
    (tmp_path / "large.conf").write_text(CONF + "#" * KEPT_BYTES_OF_FILE)
    (tmp_path / "too-large.conf").write_text(CONF + "#" * 4 * KEPT_BYTES_OF_FILE)
    return tmp_path


def looks(folder: Path, jobs: int) -> list[Look | Target | Failure]:
    options = DiscoverOptions(max_size=3 * KEPT_BYTES_OF_FILE)
    return list(first_looks(["-", str(folder), str(folder / "none")], options, STDIN, jobs))


def worth_linting(folder: Path, jobs: int) -> list[Look]:
    return [look for look in looks(folder, jobs) if isinstance(look, Look)]


def test_several_processes_see_what_one_sees(folder: Path) -> None:
    alone, together = looks(folder, 1), looks(folder, 3)
    assert [without_bytes(look) for look in together] == [without_bytes(look) for look in alone]
    assert [type(look) for look in alone].count(Failure) == 2
    assert [type(look) for look in alone].count(Target) == 8  # those that hold nothing
    assert {look.hints for look in worth_linting(folder, 1) if look.hints.nodes} == {
        Hints(services=True, is_local=True, sharing=True, nodes=True, is_empty=False)
    }
    assert sum(look.is_shared for look in worth_linting(folder, 1)) == 16


def test_a_large_file_is_read_again_instead_of_sent(folder: Path) -> None:
    for jobs, kept in ((1, True), (3, False)):
        large = next(look.file for look in worth_linting(folder, jobs) if look.file.target.path.endswith("/large.conf"))
        assert (large.data is not None) == kept


def test_bytes_are_kept_up_to_a_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.lint.first_look.KEPT_BYTES", 600)
    for jobs in (1, 3):
        kept = [look.file.data for look in worth_linting(folder, jobs) if look.file.data]
        assert 0 < sum(map(len, kept)) <= 600 + len(CONF)


def without_bytes(look: Look | Target | Failure) -> Look | Target | Failure:
    return look._replace(file=look.file._replace(data=None)) if isinstance(look, Look) else look
