"""The fixes in SARIF: what a program makes of them is what ``ccmcheck fix`` writes, and none of them holds a secret."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from test_canary import OTHER, SECRET, SHAPES, carriers
from test_canary_fix import said

from ccmcheck.base.model import Edit
from ccmcheck.base.text import LineIndex

CONF = """\
[Global]
auth-url = https://keystone.example.org/v3
username = ccm
password = Zq9xWvQ1aB
tenant-name = t
domain-name = d
[LoadBalancer]
create-monitor = true
monitor-delay = 5
use-octavia = true
monitor-timeout = 3
monitor-max-retries = 1
"""
SECRET_YAML = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\nstringData:\n  cloud.conf: |\n" + "".join(
    f"    {line}\n" for line in CONF.splitlines()
)
BACKSLASH = f"""\
[Global]
password = ab\\x{SECRET}
region = Region\\x
[LoadBalancer]
monitor-delay = 5
"""


def results(folder: Path) -> list[dict[str, Any]]:
    arguments = ["lint", "--no-config", "--release", "1.31", "--output-file", "sarif=out.sarif", "."]
    said(folder, arguments)
    found: list[dict[str, Any]] = json.loads((folder / "out.sarif").read_text("utf-8"))["runs"][0]["results"]
    return found


def applied(text: str, found: Iterable[dict[str, Any]]) -> str:
    """A text with the first fix of every result made, as SARIF 2.1.0 §3.57 says."""
    lines = LineIndex(text)
    edits = []
    for result in found:
        for fix in result.get("fixes", [])[:1]:
            (change,) = fix["artifactChanges"]
            for one in change["replacements"]:
                region = one["deletedRegion"]
                start, end = (
                    lines.line_span(region[f"{side}Line"])[0] + region[f"{side}Column"] - 1 for side in ("start", "end")
                )
                edits.append(Edit(start, end, one["insertedContent"]["text"]))
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cloud.conf", CONF),
        ("cloud.conf", CONF.replace("\n", "\r\n")),
        ("cloud.conf", "# größer 🎉\n" + CONF.replace("5\n", "5   # 🎉\n")),
        ("secret.yaml", SECRET_YAML),
    ],
)
def test_made_together_they_are_what_fix_writes(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    found = results(tmp_path)
    assert sum("fixes" in result for result in found) == 3
    mine = applied(text, found)
    said(tmp_path, ["fix", "--no-config", "--write", "--release", "1.31", name])
    assert mine == path.read_bytes().decode()
    assert mine != text


def test_encoded_and_unsafe_ones_have_none(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text("[LoadBalancer]\ncreate-montior = true\n", "utf-8")
    (tmp_path / "secret.yaml").write_text(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: cloud-config\ndata:\n"
        "  cloud.conf: W0xvYWRCYWxhbmNlcl0KbW9uaXRvci1kZWxheSA9IDUK\n",
        "utf-8",
    )
    found = {result["ruleId"]: result for result in results(tmp_path) if "fix" in result["properties"]}
    assert found["unknown-key"]["properties"]["fix"]["applicability"] == "unsafe"
    assert found["duration-bad"]["properties"]["fix"]["applicability"] == "safe"
    assert not any("fixes" in result for result in found.values())


def test_a_fix_that_writes_a_secret_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text(BACKSLASH, "utf-8")
    found = [result for result in results(tmp_path) if "fix" in result["properties"]]
    lines = [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in found if "fixes" in result]
    assert {result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in found} >= {2, 5}
    assert 2 not in lines
    assert 5 in lines
    assert SECRET not in (tmp_path / "out.sarif").read_text("utf-8")


@pytest.mark.part(of=4)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_fix_of_a_broken_file_holds_a_secret(tmp_path: Path, shape: str) -> None:
    for name, text in carriers(SHAPES[shape]).items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    written = json.dumps([result.get("fixes") for result in results(tmp_path)])
    assert SECRET not in written
    assert OTHER not in written
