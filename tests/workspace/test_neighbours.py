"""Which files around another speak for it: tests, roles and pages are for themselves."""

from __future__ import annotations

import pytest

from ccmcheck.workspace.release_levels import Neighbours

FILES = [
    "/r/a/ccm.yaml",
    "/r/a/page.md",
    "/r/a/z.conf",
    "/r/roles/x/defaults/main.yml",
    "/r/roles/x/tasks/main.yml",
    "/r/roles/y/vars/main.yml",
    "/r/tests/ccm.yaml",
    "/r/tests/testdata/ccm.yaml",
    "/r/z.yaml",
]


def neighbours(files: list[str], path: str, folder: str, *, is_deeper: bool) -> list[str]:
    def files_in(of: str, is_deeper: bool) -> list[str]:
        return [file for file in files if (file.startswith(f"{of}/") if is_deeper else file.rpartition("/")[0] == of)]

    around = Neighbours(files_in, "/r")
    found = around.of(path, folder, is_deeper=is_deeper)
    return [file.removeprefix("/r/") for file in found]


@pytest.mark.parametrize(
    ("path", "folder", "is_deeper", "expected"),
    [
        ("a/cloud.conf", "a", False, "a/ccm.yaml a/page.md a/z.conf"),
        ("a/z.conf", "a", False, "a/ccm.yaml a/page.md"),
        # a page speaks for what is none, and the other way round; not for another page
        ("a/README.md", "a", False, "a/ccm.yaml a/z.conf"),
        ("a/page.md", "a", False, "a/ccm.yaml a/z.conf"),
        ("b/cloud.conf", "", True, "a/ccm.yaml a/page.md a/z.conf roles/x/tasks/main.yml z.yaml"),
        ("b/README.md", "", True, "a/ccm.yaml a/z.conf roles/x/tasks/main.yml z.yaml"),
        # what a role sets is for the files of the role
        ("roles/x/files/cloud.conf", "", True, "a/ccm.yaml a/page.md a/z.conf roles/x/defaults/main.yml roles/x/tasks/main.yml z.yaml"),
        ("roles/y/files/cloud.conf", "roles", True, "roles/x/tasks/main.yml roles/y/vars/main.yml"),
        ("roles/z/cloud.conf", "roles/x/defaults", False, ""),
        ("roles/x/cloud.conf", "roles/x/defaults", False, "roles/x/defaults/main.yml"),
        # what lies in test data is for those alone, and what lies around is for them, too
        ("tests/cloud.conf", "", False, "z.yaml"),
        ("tests/cloud.conf", "", True, "a/ccm.yaml a/page.md a/z.conf roles/x/tasks/main.yml z.yaml"),
        ("tests/cloud.conf", "tests", True, "tests/ccm.yaml"),
        ("tests/testdata/cloud.conf", "tests/testdata", False, "tests/testdata/ccm.yaml"),
        ("tests/testdata/cloud.conf", "", False, "z.yaml"),
        ("cloud.conf", "nowhere", True, ""),
    ],
)  # fmt: skip
def test_which_files_of_a_level_speak_for_a_file(path: str, folder: str, expected: str, *, is_deeper: bool) -> None:
    level = f"/r/{folder}".rstrip("/")
    assert neighbours(FILES, f"/r/{path}", level, is_deeper=is_deeper) == expected.split()


def test_two_candidates_on_a_page_say_nothing_for_another_page() -> None:
    pages = ["/r/one.md", "/r/two.md"]
    assert neighbours(pages, "/r/README.md", "/r", is_deeper=False) == []
    assert neighbours(pages, "/r/cloud.conf", "/r", is_deeper=False) == ["one.md", "two.md"]
    assert neighbours(["/r/a.yaml", *pages], "/r/README.md", "/r", is_deeper=False) == ["a.yaml"]
