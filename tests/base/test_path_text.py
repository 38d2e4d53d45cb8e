"""Texts of files that name other files: none of them makes a call of the operating system raise."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import put, run

from ccmcheck.base.errors import InputError
from ccmcheck.base.open_input import is_there, open_regular, read_input
from ccmcheck.base.paths import LONGEST_PATH, is_path

NONE = ["", "a\0b", "\0", "\ud800", "a/\udfff\ud800", "x" * (LONGEST_PATH + 1), "a/" * LONGEST_PATH]


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_path_is_not_opened(text: str) -> None:
    assert not is_path(text)
    assert not is_there(text)
    for call in (open_regular, read_input):
        with pytest.raises(InputError):
            call(text)


@pytest.mark.parametrize("text", ["a", "ä/ö", "a\nb", "\udcff", "x" * LONGEST_PATH])
def test_what_is_a_path(text: str) -> None:
    assert is_path(text)


@pytest.mark.parametrize("option", ["extend", "baseline", "profile", "env-file"])
@pytest.mark.parametrize("text", ["a\\u0000b", "./\\u0000/x.ini", "a/" * 3_000])
def test_a_configuration_that_names_no_path(tmp_path: Path, option: str, text: str) -> None:
    put(tmp_path, {"ccmcheck.toml": f'{option} = "{text}"\n', "cloud.conf": "[Global]\n"})
    done = run(tmp_path, "lint")
    assert done.code in (2, 3)
    assert "internal error" not in done.err
    assert "Traceback" not in done.err


def test_a_kustomization_that_names_no_path(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "kustomization.yaml": 'resources: ["a\\0b", s.yaml]\ncomponents: ["\\uD800"]\nbases: ["'
            + "a/" * 3_000
            + '"]\n',
            "s.yaml": "kind: DaemonSet\nspec: {template: {spec: {containers: [{image: openstack-cloud-controller-manager:v1.30.0}]}}}\n",
            "cloud.conf": "[Global]\nauth-url=https://k/v3\n[LoadBalancer]\nmonitor-delay=5x\n",
        },
    )
    for arguments in (["lint"], ["list"], ["fix", "--diff"], ["predict"]):
        done = run(tmp_path, *arguments)
        assert done.code in (0, 1), done.err
        assert "internal error" not in done.err
