from __future__ import annotations

from pathlib import Path

import pytest
from trusting import trusted

from ccmcheck.base.errors import BadConfiguration
from ccmcheck.base.globs import matches, prefixed
from ccmcheck.base.model import Severity
from ccmcheck.workspace.config import Config
from ccmcheck.workspace.config_file import MOST_EXTENDED
from ccmcheck.workspace.configurations import Configurations
from ccmcheck.workspace.find_config import load


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_what_is_set_replaces_and_tables_are_joined(tmp_path: Path) -> None:
    base = 'release = "1.30"\nnodes = 3\nignore = ["a", "b"]\nseverity = {x = "off", y = "info"}\nbaseline = "b.json"\n'
    write(tmp_path / "ccmcheck.toml", base)
    write(tmp_path / "a" / "ccmcheck.toml", 'extend = "../ccmcheck.toml"\nignore = ["c"]\nseverity = {y = "error"}\n')
    config = trusted(load, tmp_path / "a")
    assert (config.release, config.nodes, config.ignore) == (("1.30",), 3, ("c",))
    assert config.severity == {"x": None, "y": Severity.ERROR}
    assert config.baseline == str(tmp_path / "b.json")
    assert config.extends == (str(tmp_path / "ccmcheck.toml"),)
    assert config.folder == str(tmp_path / "a")


def test_the_nearest_file_wins_over_overrides_of_the_one_it_extends(tmp_path: Path) -> None:
    override = '[[override]]\npaths = ["a/"]\nrelease = "{}"\nseverity = {{x = "off"}}\n'
    write(tmp_path / "ccmcheck.toml", 'release = "1.30"\n' + override.format("1.29"))
    write(tmp_path / "a" / "ccmcheck.toml", 'extend = "../ccmcheck.toml"\nrelease = "1.31"\n')
    write(tmp_path / "b" / "ccmcheck.toml", 'extend = "../ccmcheck.toml"\n' + override.format("1.28"))
    configurations = Configurations()

    def of(path: str) -> Config:
        return trusted(configurations.of, path)

    assert of(str(tmp_path / "a" / "x")).release == ("1.31",)
    assert of(str(tmp_path / "a" / "x")).severity == {"x": None}
    assert of(str(tmp_path / "b" / "x")).release == ("1.30",)
    assert of(str(tmp_path / "b" / "a" / "x")).release == ("1.28",)
    assert of(str(tmp_path / "b" / "y")) is of(str(tmp_path / "b" / "x"))


def test_a_chain_of_files_in_pyproject_too(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.ccmcheck]\nnodes = 3\n")
    write(tmp_path / "a" / "mid.toml", 'extend = "../pyproject.toml"\nrelease = "1.30"\n')
    write(tmp_path / "a" / "b" / "pyproject.toml", '[tool.ccmcheck]\nextend = "../mid.toml"\n')
    config = trusted(load, tmp_path / "a" / "b")
    assert (config.nodes, config.release) == (3, ("1.30",))
    assert config.extends == (str(tmp_path / "a" / "mid.toml"), str(tmp_path / "pyproject.toml"))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"ccmcheck.toml": 'extend = "ccmcheck.toml"'}, "ccmcheck.toml:1: `extend` leads back to a file that extends"),
        (
            {"ccmcheck.toml": '\nextend = "b.toml"', "b.toml": '\nextend = "./ccmcheck.toml"'},
            "b.toml:2: `extend` leads",
        ),
        ({"ccmcheck.toml": 'extend = "b.toml"'}, "ccmcheck.toml:1: `extend` names a file that is not there: b.toml."),
        ({"ccmcheck.toml": 'extend = "pyproject.toml"', "pyproject.toml": ""}, "without a table"),
        ({"ccmcheck.toml": 'extend = "."'}, "`extend` is a folder, not a file"),
        ({"ccmcheck.toml": "extend = ['b.toml']"}, "`extend` must be a string"),
        ({"ccmcheck.toml": 'extend = "b.toml"', "b.toml": "\nnodse = 3"}, "b.toml:2: there is no option `nodse`"),
        ({"ccmcheck.toml": "override = 3"}, "`override` must be a list of tables"),
        ({"ccmcheck.toml": "\n[[override]]\nrelease = '1.31'"}, "ccmcheck.toml:2: `override` needs `paths`"),
        (
            {"ccmcheck.toml": "[[override]]\npaths = 'a'\n[[override]]\npaths = 'b'\nnodes = 3\n"},
            "ccmcheck.toml:5: `override` takes no `nodes`.",
        ),
    ],
)
def test_what_cannot_be(files: dict[str, str], message: str, tmp_path: Path) -> None:
    for name, text in files.items():
        write(tmp_path / name, text)
    with pytest.raises(BadConfiguration) as caught:
        load(tmp_path)
    assert message in caught.value.message


def test_a_long_chain_is_refused(tmp_path: Path) -> None:
    for number in range(1500):
        write(tmp_path / f"{number}.toml", f'extend = "{number + 1}.toml"\n')
    write(tmp_path / "ccmcheck.toml", 'extend = "0.toml"\n')
    with pytest.raises(BadConfiguration, match=f"more than {MOST_EXTENDED} configurations extend each other"):
        load(tmp_path)


def test_deep_folders_do_not_end_the_run(tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", 'exclude = ["never"]\n')
    deep = str(tmp_path) + "/d" * 1800
    found = Configurations()
    assert found.of(f"{deep}/x").source == str(tmp_path / "ccmcheck.toml")
    assert not found.excludes(f"{deep}/x", str(tmp_path))


def test_each_configuration_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ccmcheck.workspace import configurations

    write(tmp_path / "ccmcheck.toml", "nodes = 3\n")
    looked: list[str] = []

    def load_in(folder: str, *_: object, **__: object) -> None:
        looked.append(folder)

    monkeypatch.setattr(configurations, "load_in", load_in)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    found = Configurations()
    for name in ("a/x", "a/y", "a/b/x", "c", "a/x"):
        found.of(str(tmp_path / name))
    assert sorted(looked) == sorted(str(tmp_path / name) for name in (".", "a", "a/b"))


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("x", "sub/x", True),
        ("x", "sub/a/b/x/y", True),
        ("x", "x", False),
        ("a/x", "sub/a/x", True),
        ("a/x", "sub/b/a/x", False),
        ("/x", "sub/x", True),
        ("/x", "sub/a/x", False),
        ("./x", "sub/x", True),
        ("**/x", "sub/a/x", True),
        ("**", "sub/a", True),
        ("*.c", "sub/a/b.c", True),
        ("*.c", "other/b.c", False),
    ],
)
def test_a_pattern_seen_from_above(pattern: str, path: str, expected: bool) -> None:
    assert matches(prefixed(pattern, "sub"), path) is expected


def test_a_folder_with_signs_of_patterns_means_itself() -> None:
    assert matches(prefixed("x", "a*b[c]?"), "a*b[c]?/x")
    assert not matches(prefixed("x", "a*b[c]?"), "aZb[c]?/x")
