"""Files of a chart that its templates read, and may fill in."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from command_line import put, run

CONF = (
    "[Global]\nauth-url=${AUTH_URL}\nregion=RegionOne\napplication-credential-id=327fbcafc916e187d1dd45414a6137ea\n"
    "application-credential-secret=s3cret-of-the-application\n[LoadBalancer]\nlb-providr=amphora\ncreate-monitor=true\n"
)
CHART = "apiVersion: v2\nname: clusters\nversion: 1.0.0\n"
GET = (
    '{{ $conf := .Files.Get "files/cloud.conf" }}\n{{ regexReplaceAll "\\\\$\\\\{AUTH_URL\\\\}" $conf .Values.url }}\n'
)


def test_templates_in_folders_count(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    put(tmp_path, {"Chart.yaml": CHART, "files/cloud.conf": CONF, "templates/plane/deep/cloud-config.tpl": GET})
    found = json.loads(run(tmp_path, "lint", "--format=json", ".").out)
    assert "placeholder-left" not in {one["rule"] for one in found["findings"]}


@pytest.mark.parametrize(
    ("template", "is_filled_in"),
    [
        (GET, True),
        ('{{ (.Files.Glob "files/*").AsSecrets }}\n', True),
        (GET.replace("cloud.conf", "other.conf"), False),
        ("kind: Secret\ndata: {cloud.conf: {{ .Values.conf | b64enc }}}\n", False),
    ],
)
def test_variables_are_unknown_where_a_template_reads_the_file(
    tmp_path: Path, template: str, is_filled_in: bool
) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    put(tmp_path, {"Chart.yaml": CHART, "files/cloud.conf": CONF, "templates/cloud-config.tpl": template})
    found = {
        (finding["path"], finding["rule"])
        for finding in json.loads(run(tmp_path, "lint", "--format=json", "files").out)["findings"]
    }
    assert (("files/cloud.conf", "placeholder-left") in found) != is_filled_in
    assert ("files/cloud.conf", "unknown-key") in found
