"""Many releases that lay the same large file of values over others end soon, and say so."""

from __future__ import annotations

from pathlib import Path

from command_line import put, run

APPLICATION = (
    "---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: a{0}}}\nspec:\n  source:\n"
    "    repoURL: https://x\n    chart: openstack-cloud-controller-manager\n    targetRevision: 2.31.2\n"
    "    helm: {{valueFiles: [v.yaml]}}\n"
)


def test_releases_with_one_large_file(tmp_path: Path) -> None:
    values = "cloudConfig:\n  global: {auth-url: https://k/v3}\n" + "".join(f"k{one}: v\n" for one in range(20_000))
    put(tmp_path, {"v.yaml": values, "a.yaml": "".join(APPLICATION.format(one) for one in range(80))})
    done = run(tmp_path, "lint", ".")
    assert done.code == 3
    assert "a.yaml" in done.out
    assert "laying its values over one another takes too many steps" in done.out


def test_releases_with_a_usual_file(tmp_path: Path) -> None:
    values = "cloudConfig:\n  global: {auth-url: https://k/v3}\n  loadBalancer: {monitor-delay: 5}\n"
    put(tmp_path, {"v.yaml": values, "a.yaml": "".join(APPLICATION.format(one) for one in range(80))})
    done = run(tmp_path, "lint", "--format", "concise", ".")
    assert done.code == 1
    assert "v.yaml:3:33: error duration-bad" in done.out
