"""Known secrets go into ``fix`` and ``set``; no difference, no patch and no message lets one out unless it is asked for."""

from __future__ import annotations

import base64
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from command_line import RIGHT, put
from test_canary import OTHER, SECRET, SHAPES, assert_silent, b64, carriers

from ccmcheck.cli.main import run
from ccmcheck.cli.options import PATCH_FORMATS as FORMATS


def said(folder: Path, arguments: Sequence[str]) -> str:
    before = Path.cwd()
    out, err = TextIOWrapper(BytesIO(), encoding="utf-8"), TextIOWrapper(BytesIO(), encoding="utf-8")
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run(arguments)
        out.flush()
        err.flush()
    finally:
        os.chdir(before)
    assert code in (0, 1, 2, 3)
    assert isinstance(out.buffer, BytesIO)
    assert isinstance(err.buffer, BytesIO)
    whole = (out.buffer.getvalue() + err.buffer.getvalue()).decode("utf-8", "replace")
    assert "internal error" not in whole, whole
    return whole + decoded(whole)


def decoded(text: str) -> str:
    """What any base64 in an output holds."""
    found = ""
    for blob in re.findall(r"[A-Za-z0-9+/]{16,}={0,2}", text):
        try:
            found += base64.b64decode(blob + "=" * (-len(blob) % 4)).decode("latin-1")
        except ValueError:
            continue
    return found


def write_all(folder: Path, conf: str) -> None:
    """The text in every carrier that there is a patch for."""
    for name, text in carriers(conf).items():
        (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    (folder / "template.yaml").write_text(
        "apiVersion: controlplane.cluster.x-k8s.io/v1beta1\nkind: KubeadmControlPlaneTemplate\nmetadata: {name: k}\n"
        f"spec: {{template: {{spec: {{kubeadmConfigSpec: {{files: [{{path: /etc/cloud.conf, encoding: base64, content: {b64(conf)}}}]}}}}}}}}\n",
        encoding="utf-8",
    )


@pytest.fixture(params=sorted(SHAPES))
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "all"
    folder.mkdir()
    write_all(folder, SHAPES[request.param])
    return folder


def alone(path: Path) -> Path:
    """A folder with one file only: `set` looks through those beside it, which takes longer than the change."""
    folder = path.parents[1] / "alone" / path.name
    folder.mkdir(parents=True)
    return Path(shutil.copy(path, folder)).parent


@pytest.mark.part(of=17)
def test_differences(folder: Path) -> None:
    assert_silent(said(folder, ["fix", "--no-config", "--unsafe", "."]))
    assert_silent(said(folder, ["fix", "--no-config", "--profile=scs-ovn", "--check", "."]))
    for path in sorted(folder.iterdir()):
        assert_silent(said(folder, ["set", path.name, "create-monitor=false", "--unset=Global.password", "--diff"]))


@pytest.mark.part(of=19)
@pytest.mark.parametrize("format_name", FORMATS)
def test_patches(folder: Path, format_name: str) -> None:
    printed = said(folder, ["fix", "--no-config", "--unsafe", "--patch", format_name, "."])
    assert_silent(printed)
    for path in sorted(folder.iterdir()):
        assert_silent(said(alone(path), ["set", path.name, "create-monitor=false", "--patch", format_name]))


@pytest.mark.part(of=19)
@pytest.mark.parametrize("format_name", FORMATS)
def test_files_hold_none_without_being_asked(folder: Path, format_name: str) -> None:
    assert_silent(
        said(folder, ["fix", "--no-config", "--unsafe", "--patch", format_name, "--output-dir", "patches", "."])
    )
    written = sorted((folder / "patches").iterdir()) if (folder / "patches").exists() else []
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert_silent(text + decoded(text))


def test_a_value_given_to_set_is_not_said_again(tmp_path: Path) -> None:
    (tmp_path / "cloud.conf").write_text("[Global]\nauth-url = https://k\n[LoadBalancer]\n", encoding="utf-8")
    assert_silent(said(tmp_path, ["set", "cloud.conf", f"password={SECRET}", "--diff"]))
    assert_silent(said(tmp_path, ["set", "cloud.conf", f"Global.passwort={SECRET}"]))
    assert_silent(said(tmp_path, ["set", "cloud.conf", f"password={SECRET}", "--patch=git"]))
    said(tmp_path, ["set", "cloud.conf", f"password={SECRET}"])
    assert SECRET in (tmp_path / "cloud.conf").read_text(encoding="utf-8")
    assert_silent(said(tmp_path, ["set", "cloud.conf", f"password={OTHER}", "--diff"]))


@pytest.mark.parametrize("format_name", FORMATS)
def test_each_format_has_something_to_mask(format_name: str, tmp_path: Path) -> None:
    """The tests above would hold for patches that never have any secret in them."""
    conf = f"[Global]\npassword = {SECRET}\n[LoadBalancer]\nmonitor-delay = 3\n"
    write_all(tmp_path, conf)
    command = ["fix", "--no-config", "--patch", format_name, "."]
    shown, whole = said(tmp_path, command), said(tmp_path, [*command, "--with-secrets"])
    assert "is shown masked and does not apply: it holds secrets" in shown
    assert_silent(shown)
    assert "shown masked" not in whole
    assert SECRET in whole


@pytest.mark.parametrize("form", ["", "git", "json", "merge", "strategic", "kustomize"])
def test_a_copy_of_a_password_in_another_file_does_not_show(form: str, tmp_path: Path) -> None:
    service = (
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n"
        '    loadbalancer.openstack.org/keep-floating-ip: "true"\n'
        "    loadbalancer.openstack.org/timeout-client-data: S3cr3t-of-the-ccm\n"
        "spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 80}]}\n"
    )
    put(tmp_path, {"cloud.conf": RIGHT.replace("[LoadBalancer]", "password = S3cr3t-of-the-ccm\n[LoadBalancer]")})
    put(tmp_path, {"service.yaml": service})
    shown = said(tmp_path, ["fix", "--unsafe", *(["--patch", form] if form else [])])
    assert "keep-floatingip" in shown
    assert "S3cr3t" not in shown
