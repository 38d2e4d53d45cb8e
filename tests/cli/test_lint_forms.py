"""What ``ccmcheck lint`` says of gaps in files that something fills in later, and of files whose release nobody knows."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import put, run

ID = "c869168a828847f39f7f06edd7305637"
FORM = "[Global]\nauth-url={url}\nusername=user\npassword=pass\ntenant-id=" + ID + "\ndomain-name=default\n"
UNFILLED = FORM.format(url="https://<keystone_ip>:5000/v3")
SERVICE = (
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n"
    "    loadbalancer.openstack.org/flavor-id: {flavor}\nspec:\n  type: LoadBalancer\n  selector: {{app: web}}\n"
    "  ports: [{{port: 80}}]\n"
)


def severities(folder: Path, *arguments: str) -> dict[tuple[str, str], str]:
    document = json.loads(run(folder, "lint", "--format=json", *arguments).out)
    return {(one["path"], one["rule"]): one["severity"] for one in document["findings"]}


def test_a_form_in_a_folder_is_no_error(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": UNFILLED})
    assert severities(tmp_path, ".")["cloud.conf", "placeholder-left"] == "info"
    assert severities(tmp_path, "cloud.conf")["cloud.conf", "placeholder-left"] == "error"


def test_one_gap_in_a_file_with_values_is_an_error_in_a_folder_too(tmp_path: Path) -> None:
    text = FORM.format(url="https://keystone.cloud.se:5000/v3").replace("pass\n", "k2sT-9f4\n") + "region=${REGION}\n"
    put(tmp_path, {"cloud.conf": text})
    assert severities(tmp_path, ".")["cloud.conf", "placeholder-left"] == "error"


def test_a_word_in_capitals_is_no_gap(tmp_path: Path) -> None:
    head = "[Global]\nauth-url=https://keystone.cloud.se:5000/v3\nregion=${REGION}\n"
    balancer = "[LoadBalancer]\nlb-method=ROUND_ROBIN\nsubnet-id={}\n"
    put(tmp_path, {"a/cloud.conf": head + balancer.format(ID), "b/cloud.conf": head + balancer.format("SUBNET_ID")})
    found = severities(tmp_path, ".")
    assert (found["a/cloud.conf", "placeholder-left"], found["b/cloud.conf", "placeholder-left"]) == ("error", "info")


def test_empty_credentials_of_a_form_are_gaps(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": "[Global]\nusername=\npassword=\nauth-url=\ntenant-id=\ndomain-id=\n"})
    assert ("cloud.conf", "auth-incomplete") not in severities(tmp_path, ".")
    assert severities(tmp_path, "cloud.conf")["cloud.conf", "auth-incomplete"] == "error"


def test_a_sample_password_beside_empty_credentials_is_a_gap(tmp_path: Path) -> None:
    text = f"[Global]\nauth-url=https://k.cloud.se\nusername=admin\npassword={{}}\ntenant-id=\ndomain-id=\n[LoadBalancer]\nsubnet-id={ID}\n"
    put(tmp_path, {"a/cloud.conf": text.format("passw0rd"), "b/cloud.conf": text.format("k2sT-9f4")})
    found = severities(tmp_path, ".")
    assert ("a/cloud.conf", "auth-incomplete") not in found
    assert found["b/cloud.conf", "auth-incomplete"] == "error"


def test_what_a_template_leaves_empty_is_no_gap(tmp_path: Path) -> None:
    text = "[Global]\nusername={{ user }}\npassword={{ password }}\nauth-url={{ url }}\ntenant-id=\ndomain-id=\n"
    put(tmp_path, {"cloud.conf.j2": text})
    assert severities(tmp_path, ".")["cloud.conf.j2", "auth-incomplete"] == "error"


def test_a_gap_in_a_service_of_a_folder_is_a_warning(tmp_path: Path) -> None:
    put(tmp_path, {"web.yaml": SERVICE.format(flavor="xxx")})
    assert severities(tmp_path, ".")["web.yaml", "svc-annotation-value"] == "warning"
    assert severities(tmp_path, "web.yaml")["web.yaml", "svc-annotation-value"] == "error"


def fixed(folder: Path, text: str, *arguments: str) -> str:
    put(folder, {"cloud.conf": text})
    run(folder, "fix", "--write", "--select=key-removed", *arguments, "cloud.conf")
    return (folder / "cloud.conf").read_text(encoding="utf-8")


def test_a_removed_key_that_matters_to_older_releases_is_kept_where_nobody_knows_the_release(tmp_path: Path) -> None:
    changes, same = "[LoadBalancer]\nuse-octavia = false\n", "[LoadBalancer]\nuse-octavia = true\n"
    assert fixed(tmp_path, changes) == changes
    for arguments in (["--release=1.31"], ["--unsafe"]):
        assert fixed(tmp_path, changes, *arguments) == "[LoadBalancer]\n"
    assert fixed(tmp_path, same) == "[LoadBalancer]\n"


def test_a_removed_key_of_a_template_is_reported_where_the_release_is_known(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf.j2": "[Global]\nregion={{ r }}\n[LoadBalancer]\nuse-octavia={{ octavia }}\n"})
    assert ("cloud.conf.j2", "key-removed") not in severities(tmp_path, ".")
    assert severities(tmp_path, "--release=1.31", ".")["cloud.conf.j2", "key-removed"] == "info"


def test_what_is_wrong_in_the_data_of_a_test_is_an_information(tmp_path: Path) -> None:
    fatal = "[LoadBalancer]\nmonitor-delay=3\n"
    put(tmp_path, {"testdata/cloud.conf": fatal, "api/fixtures/cloud.conf": fatal, "cloud.conf": fatal})
    found = json.loads(run(tmp_path, "lint", "--format=json", ".").out)["findings"]
    assert {one["path"]: (one["severity"], one["fatal"]) for one in found if one["rule"] == "duration-bad"} == {
        "testdata/cloud.conf": ("info", False),
        "api/fixtures/cloud.conf": ("info", False),
        "cloud.conf": ("error", True),
    }
    assert severities(tmp_path, "testdata/cloud.conf")["testdata/cloud.conf", "duration-bad"] == "error"
