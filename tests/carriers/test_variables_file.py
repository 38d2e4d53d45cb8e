"""Values of template variables from clusterctl's file and from shell assignments."""

from __future__ import annotations

import pytest

from ccmcheck.base.errors import WrongUse
from ccmcheck.carriers.variables_file import read_variables


def test_clusterctl() -> None:
    text = """\
# comment
KUBERNETES_VERSION: v1.31.4
WORKER_MACHINE_COUNT: 1
USE_OVN: true
OCTAL: 010
EMPTY:
QUOTED: "a: #b"
providers:
- name: x
OPENSTACK_CLOUD_PROVIDER_CONF_B64: W0dsb2JhbF0K
"""
    assert read_variables(text, "clusterctl.yaml") == {
        "KUBERNETES_VERSION": "v1.31.4",
        "WORKER_MACHINE_COUNT": "1",
        "USE_OVN": "true",
        "OCTAL": "010",
        "EMPTY": "",
        "QUOTED": "a: #b",
        "OPENSTACK_CLOUD_PROVIDER_CONF_B64": "W0dsb2JhbF0K",
    }


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=b", "b"),
        ("export A=b # comment", "b"),
        ("  export A='b c'", "b c"),
        ('A="b c"', "b c"),
        ('A="b \\"c\\" \\$d \\n"', 'b "c" $d \\n'),
        ("A='b \\n $c'", "b \\n $c"),
        ("A=b'c d'\"e f\"", "bc de f"),
        ("A=b\\ c", "b c"),
        ("A='one\ntwo'", "one\ntwo"),
        ("A=b#c", "b#c"),
        ("A=", ""),
        ("A=b; B=c", "b"),
        ("B=x\nA=$B/y", "x/y"),
        ('B=x\nA="${B}-${B}"', "x-x"),
        ("B=\nA=a$B", "a"),
        ("A=b\nA=c", "c"),
        ("A=W0dsb2JhbF0K==", "W0dsb2JhbF0K=="),
        ("\ufeffA=b\r\n", "b"),
    ],
)
def test_shell_words(line: str, value: str) -> None:
    assert read_variables(line + "\n", ".env")["A"] == value


@pytest.mark.parametrize(
    "line",
    ["A=$(base64 cloud.conf)", "A=`date`", 'A="$(cat x)"', "A=$UNKNOWN", "A=${B:-x}", "A='open", 'A="open', "A=b|c"],
)
def test_what_only_a_shell_could_compute_is_omitted(line: str) -> None:
    assert read_variables(f"A=before\nC=d\n{line}\n", ".env") == {"C": "d"}


def test_assignments_within_a_value_do_not_count() -> None:
    assert read_variables("A='\nB=c\n'\nD=e\n", ".env") == {"A": "\nB=c\n", "D": "e"}


def test_the_format_by_the_content() -> None:
    assert read_variables("A: b\n", "vars") == {"A": "b"}
    assert read_variables('{"A": "b"}', "vars.json") == {"A": "b"}
    assert read_variables("", "vars") == {}
    assert read_variables("# nothing\n", "x.yaml") == {}


def test_wrong_files() -> None:
    with pytest.raises(WrongUse, match=r"x\.yaml:3 is not YAML"):
        read_variables("A: b\nB: [\n", "x.yaml")
    with pytest.raises(WrongUse, match="sets no variables"):
        read_variables("- a\n", "x.yaml")


def test_a_value_is_never_in_a_message() -> None:
    with pytest.raises(WrongUse) as caught:
        read_variables("PASSWORD: hunter2: x: [\n", "x.yaml")
    assert "hunter2" not in caught.value.message
