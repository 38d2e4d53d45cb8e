from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from trusting import trusted

from ccmcheck.base.errors import BadConfiguration
from ccmcheck.base.model import Severity
from ccmcheck.workspace.config import Config, KnownNames
from ccmcheck.workspace.config_options import OPTIONS
from ccmcheck.workspace.find_config import load, load_file

KNOWN = KnownNames(
    rules=("duration-bad", "unknown-key", "bool-bad"),
    groups=("syntax", "values"),
    formats=("text", "json", "sarif"),
)

FULL = """\
release = ["1.30", "1.31"]
octavia-release = "2024.1"
kubernetes-version = "1.31"
nodes = 12
profile = "scs"
format = "json"
fail-on = "error"
color = "never"
select = ["values", "unknown-key"]
ignore = ["bool-bad"]
exclude = ["vendor/", "*.bak"]
default-exclude = false
baseline = "ci/baseline.json"
max-file-size = "2 MiB"
env-file = ["a.env", "/etc/b.env"]

[output-file]
sarif = "out/ccmcheck.sarif"

[severity]
duration-bad = "warning"
unknown-key = "off"

[per-path-ignores]
"dev/" = ["bool-bad"]
"*.tmpl" = "unknown-key"

[vars]
PASSWORD = "hunter2"
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def plain(config: Config) -> Config:
    """A configuration without where its values stand."""
    return config._replace(origins={})


def test_every_option(tmp_path: Path) -> None:
    path = write(tmp_path / "ccmcheck.toml", FULL)
    assert plain(trusted(load, tmp_path, KNOWN)) == Config(
        source=str(path),
        root=str(tmp_path),
        release=("1.30", "1.31"),
        octavia_release="2024.1",
        kubernetes_version="1.31",
        nodes=12,
        profile=("scs",),
        format="json",
        output_file={"sarif": str(tmp_path / "out/ccmcheck.sarif")},
        fail_on=Severity.ERROR,
        color="never",
        select=("values", "unknown-key"),
        ignore=("bool-bad",),
        severity={"duration-bad": Severity.WARNING, "unknown-key": None},
        per_path_ignores={"dev/": ("bool-bad",), "*.tmpl": ("unknown-key",)},
        exclude=("vendor/", "*.bak"),
        default_exclude=False,
        baseline=str(tmp_path / "ci/baseline.json"),
        max_file_size=2 * 1024 * 1024,
        vars={"PASSWORD": "hunter2"},
        env_file=(str(tmp_path / "a.env"), "/etc/b.env"),
    )


def test_the_example_names_every_option() -> None:
    assert [name for name in OPTIONS if name not in FULL] == []


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    path = write(tmp_path / "ccmcheck.toml", "")
    assert load(tmp_path) == Config(source=str(path), root=str(tmp_path))


def test_no_file_gives_the_defaults(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert load(tmp_path) == Config()


def test_the_repr_holds_no_variable(tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", FULL)
    config = trusted(load, tmp_path)
    assert config.vars["PASSWORD"] == "hunter2"
    assert "hunter2" not in repr(config)
    assert "ccmcheck.toml" in repr(config)


def test_the_nearest_file_upward_counts(tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", 'format = "json"')
    write(tmp_path / "a" / "ccmcheck.toml", 'format = "sarif"')
    deep = write(tmp_path / "a" / "b" / "c" / "cloud.conf", "")
    assert load(deep).format == "sarif"
    assert load(deep.parent).root == str(tmp_path / "a")
    assert load(tmp_path / "a" / "not-there.conf").format == "sarif"
    assert load(tmp_path / "other.conf").format == "json"


def test_the_search_stops_at_the_top_of_the_repository(tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", 'format = "json"')
    (tmp_path / "repo" / "sub").mkdir(parents=True)
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere", "utf-8")
    assert load(tmp_path / "repo" / "sub") == Config()
    write(tmp_path / "repo" / "ccmcheck.toml", 'format = "sarif"')
    assert load(tmp_path / "repo" / "sub").format == "sarif"


def test_its_own_file_wins_over_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.ccmcheck]\nformat = "json"')
    assert load(tmp_path).format == "json"
    write(tmp_path / "ccmcheck.toml", 'format = "sarif"')
    assert load(tmp_path).format == "sarif"


@pytest.mark.parametrize(
    "text", ['[project]\nname = "ccmcheck"\n', '[project]\nname = "x"\n', "[tool.ccmcheckers]\na = 1\n", "broken ["]
)
def test_a_pyproject_without_the_table_is_skipped(text: str, tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", 'format = "json"')
    write(tmp_path / "sub" / "pyproject.toml", text)
    assert load(tmp_path / "sub").format == "json"


def test_pyproject_table(tmp_path: Path) -> None:
    path = write(
        tmp_path / "pyproject.toml",
        '[tool.other]\nformat = 3\n[tool.ccmcheck]\nformat = "json"\n[tool.ccmcheck.severity]\nbool-bad = "info"\n',
    )
    config = load(tmp_path, KNOWN)
    assert plain(config) == Config(
        source=str(path), root=str(tmp_path), format="json", severity={"bool-bad": Severity.INFO}
    )
    assert load_file(path, KNOWN) == config


def test_a_file_named_by_the_user(tmp_path: Path) -> None:
    assert load_file(write(tmp_path / "strict.toml", 'fail-on = "info"')).fail_on is Severity.INFO
    with pytest.raises(BadConfiguration, match=r"pyproject\.toml has no table \[tool\.ccmcheck\]"):
        load_file(write(tmp_path / "pyproject.toml", "[project]"))
    with pytest.raises(BadConfiguration, match=r"none\.toml cannot be read: No such file"):
        load_file(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ('\nrelaese = "1.31"', 2, "there is no option `relaese`", "Did you mean `release`?"),
        ("fail_on = 'error'", 1, "there is no option `fail_on`", "Did you mean `fail-on`?"),
        ("zzz = 1", 1, "there is no option `zzz`", ""),
        ("nodes = true", 1, "`nodes` must be a whole number above 0", ""),
        ("nodes = 0", 1, "`nodes` must be a whole number above 0", ""),
        ("nodes = '3'", 1, "`nodes` must be a whole number above 0", ""),
        ("release = 1.31", 1, "`release` must be a string or a list of strings", ""),
        ("release = ['1.31', 3]", 1, "`release` must be a string or a list of strings", ""),
        ("release = ''", 1, "`release` must be a string or a list of strings", ""),
        ("format = ['json']", 1, "`format` must be a string", ""),
        ("format = 'jsn'", 1, "`format` does not know `jsn`", "Did you mean `json`?"),
        ("# color\ncolor = true", 2, "`color` must be a string", ""),
        ("color = 'sometimes'", 1, "`color` does not know `sometimes`", "There are auto, always, never."),
        ("fail-on = 'warn'", 1, "`fail-on` does not know `warn`", "Did you mean `warning`?"),
        ("max-file-size = '2 miles'", 1, "`max-file-size` must be a number of bytes above 0, or a text such as", ""),
        (f"max-file-size = '{'9' * 5000}'", 1, "`max-file-size` must be a number of bytes", ""),
        ("max-file-size = -1", 1, "`max-file-size` must be a number of bytes", ""),
        (
            "ignore = [\n  'bool-bad',\n  'bool-bda',\n]",
            3,
            "`ignore` does not know `bool-bda`",
            "Did you mean `bool-bad`?",
        ),
        ("select = 'valeus'", 1, "`select` does not know `valeus`", "Did you mean `values`?"),
        ("severity = 'error'", 1, "`severity` must be a table with a string each", ""),
        (
            "[severity]\nbool-bad = 'off'\nunknwn-key = 'off'",
            3,
            "`severity` does not know `unknwn-key`",
            "Did you mean `unknown-key`?",
        ),
        ("[severity]\nbool-bad = 'of'", 2, "`severity` does not know `of`", "Did you mean `off`?"),
        ("[severity]\nbool-bad = 2", 2, "`severity.bool-bad` must be a string", ""),
        (
            "severity.values = 'off'",
            1,
            "`severity` does not know `values`",
            "There are duration-bad, unknown-key, bool-bad.",
        ),
        (
            "[per-path-ignores]\n'*.x' = 'bool'",
            2,
            "`per-path-ignores` does not know `bool`",
            "Did you mean `bool-bad`?",
        ),
        ("[per-path-ignores]\n'*.x' = 3", 2, '`per-path-ignores."*.x"` must be a list of rules', ""),
        ("exclude = ['[z-a]']", 1, "`exclude` has a pattern that cannot be used: `[z-a]`", ""),
        ("[per-path-ignores]\n'[z-a]' = []", 2, "`per-path-ignores` has a pattern that cannot be used: `[z-a]`", ""),
        ("[output-file]\nxml = 'a'", 2, "`output-file` does not know `xml`", "There are text, json, sarif."),
        ("output-file = 'a'", 1, "`output-file` must be a table with a string each", ""),
        (
            "consumers = 'ccm'",
            1,
            "there is no option `consumers`",
            "It had no effect; --consumer NAME judges by another program.",
        ),
        ('"x\\u001b[2J" = 1', 0, "there is no option `x\\x1b[2J`", ""),
    ],
)
def test_what_cannot_be(text: str, line: int, message: str, hint: str, tmp_path: Path) -> None:
    path = write(tmp_path / "ccmcheck.toml", text)
    with pytest.raises(BadConfiguration) as caught:
        load(tmp_path, KNOWN)
    assert caught.value.message.startswith(f"{path}:{line}: {message}" if line else f"{path}: {message}")
    assert caught.value.hint == hint
    assert caught.value.exit_code == 2


def test_the_line_in_pyproject_is_that_of_its_own_table(tmp_path: Path) -> None:
    text = "[tool.other]\nformat = 3\n# format\n[tool.ccmcheck]\n\nformat = 'x'\n[tool.ccmcheck.severity]\nunknwn-key = 'off'\n"
    path = write(tmp_path / "pyproject.toml", text)
    with pytest.raises(BadConfiguration) as caught:
        load(tmp_path, KNOWN)
    assert caught.value.message == f"{path}:6: `format` does not know `x`."
    write(path, text.replace("'x'", "'json'"))
    with pytest.raises(BadConfiguration) as caught:
        load(tmp_path, KNOWN)
    assert caught.value.message == f"{path}:8: `severity` does not know `unknwn-key`."


def test_a_table_that_is_none(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool]\nccmcheck = 3")
    with pytest.raises(BadConfiguration, match=r"`tool\.ccmcheck` must be a table"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"release = ", "is not TOML: Invalid value"),
        (b"\xff = 1", "is not UTF-8"),
        (b"a = " + b"[" * 50_000, "is not TOML: "),
        (b"nodes = " + b"9" * 5000, "is not TOML: Exceeds the limit"),
        (b"a = 1\na = 2", "is not TOML: Cannot overwrite a value"),
    ],
)
def test_what_is_no_toml(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "ccmcheck.toml").write_bytes(data)
    with pytest.raises(BadConfiguration, match=message) as caught:
        load(tmp_path)
    assert caught.value.__suppress_context__


def test_no_refusal_shows_a_variable(tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", "[vars]\nPASSWORD = ['hunter2']")
    with pytest.raises(BadConfiguration) as caught:
        load(tmp_path)
    assert caught.value.message.endswith(":2: `vars.PASSWORD` must be a string.")
    assert "hunter2" not in repr(caught.value)


def test_names_are_free_where_none_are_given(tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", "ignore = ['anything']\nformat = 'anything'")
    assert load(tmp_path).ignore == ("anything",)


def test_line_ends_and_a_bom_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "ccmcheck.toml").write_bytes(b"\xef\xbb\xbfformat = 'json'\r\nnodes = 'x'\r\n")
    with pytest.raises(BadConfiguration, match=r"ccmcheck\.toml:2: `nodes`"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("written", "size"), [("3", 3), ("'3'", 3), ("'3 B'", 3), ("'2kB'", 2000), ("'1 KiB'", 1024), ("'1 GiB'", 1 << 30)]
)
def test_sizes(written: str, size: int, tmp_path: Path) -> None:
    write(tmp_path / "ccmcheck.toml", f"max-file-size = {written}")
    assert load(tmp_path).max_file_size == size


def test_nothing_is_imported_for_a_project_without_options(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'")
    (tmp_path / ".git").mkdir()
    code = (
        f"import sys; from ccmcheck.workspace.find_config import load; load({str(tmp_path)!r});"
        "print([name for name in ('tomllib', 'pathlib', 'difflib', 'ccmcheck.workspace.config_file') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
