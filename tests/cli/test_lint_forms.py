"""What ``ccmcheck lint`` says of gaps in files that something fills in later, and of files whose release nobody knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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


def test_a_placeholder_in_a_folder_is_as_wrong_as_in_a_file_that_is_named(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": UNFILLED})
    assert severities(tmp_path, ".")["cloud.conf", "placeholder-left"] == "error"
    assert severities(tmp_path, "cloud.conf")["cloud.conf", "placeholder-left"] == "error"


def test_a_template_mark_is_unknown_in_a_folder_and_a_value_in_a_file_that_is_named(tmp_path: Path) -> None:
    text = FORM.format(url="https://keystone.cloud.se:5000/v3").replace("pass\n", "k2sT-9f4\n") + "region=${REGION}\n"
    put(tmp_path, {"cloud.conf": text})
    assert severities(tmp_path, ".")["cloud.conf", "placeholder-left"] == "warning"
    assert severities(tmp_path, "cloud.conf")["cloud.conf", "placeholder-left"] == "error"
    put(tmp_path, {"cloud.conf": text.replace("${REGION}", "one").replace("k2sT-9f4", "$ecret")})
    assert ("cloud.conf", "placeholder-left") not in severities(tmp_path, ".")


@pytest.mark.parametrize("operator", ["<<'EOF'", '<<"EOF"', "<<\\EOF", "<<-'EOF'", "<<EOF"])
@pytest.mark.parametrize(
    ("path", "around"),
    [
        ("up.sh", "cat > /etc/kubernetes/cloud.conf {}\n{}EOF\n"),
        ("Dockerfile", "FROM scratch\nCOPY {} /etc/kubernetes/cloud.conf\n{}EOF\n"),
        ("user-data.yaml", "#cloud-config\nruncmd:\n- |\n  cat > /etc/kubernetes/cloud.conf {}\n{}  EOF\n"),
        ("main.tf", "locals {{\n  script = <<-EOT\n  cat > ${{var.path}} {}\n{}  EOF\n  EOT\n}}\n"),
    ],
)
def test_what_the_shell_quotes_is_literal(tmp_path: Path, path: str, around: str, operator: str) -> None:
    text = FORM.format(url="$OS_AUTH_URL").replace("=pass\n", "=$OS_PASSWORD\n")
    margin = "  " if path.endswith(("yaml", "tf")) else ""
    put(tmp_path, {path: around.format(operator, "".join(f"{margin}{line}\n" for line in text.splitlines()))})
    found = {rule: severity for (_, rule), severity in severities(tmp_path, ".").items()}
    assert found.get("placeholder-left") == (None if operator == "<<EOF" else "error")


def test_make_replaces_what_the_shell_quotes(tmp_path: Path) -> None:
    conf = "".join(f"{line}\\n\\\n" for line in FORM.format(url="$OS_AUTH_URL").splitlines())
    put(tmp_path, {"Makefile": f"conf:\n\tprintf '{conf}' > cloud.conf\n\tcat > cloud.conf <<'EOF'\n{conf}EOF\n"})
    assert "placeholder-left" not in {rule for _, rule in severities(tmp_path, ".")}


def test_empty_credentials_are_missing_however_many_there_are(tmp_path: Path) -> None:
    put(tmp_path, {"cloud.conf": "[Global]\nusername=\npassword=\nauth-url=\ntenant-id=\ndomain-id=\n"})
    assert severities(tmp_path, ".")["cloud.conf", "auth-incomplete"] == "error"
    assert severities(tmp_path, "cloud.conf")["cloud.conf", "auth-incomplete"] == "error"


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
