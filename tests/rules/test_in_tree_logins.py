"""Logins of the provider inside Kubernetes: its `domain-name` is the user's domain, with a project and without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccmcheck.api import LintOptions, check_paths

LOGIN = "[Global]\nauth-url = https://keystone.example.com/v3\nusername = kubernetes\npassword = example\n"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("domain-name = Default\ntenant-name = x\n", []),
        ("domain-name = Default\n", ["the login may have no project"]),
        ("domain-id = default\n", ["the login may have no project"]),
        ("tenant-id = x\n", ["`username` needs `domain-name`"]),
        ("", ["`username` needs `domain-name`"]),
    ],
)
@pytest.mark.parametrize("release", ["1.18", "1.25"])
def test_the_domain_of_the_user(keys: str, words: list[str], release: str, tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(LOGIN + keys, encoding="utf-8")
    options = LintOptions(select=("auth-incomplete",), consumer="legacy-in-tree", releases=(release,))
    labels = [one.label for one in check_paths([str(tmp_path)], options).findings]
    assert len(labels) == len(words)
    assert all(word in label for word, label in zip(words, labels, strict=True))
