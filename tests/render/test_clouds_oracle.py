"""What a cloud comes to, held against openstacksdk itself, which reads the same files in a process of its own.

Some of its answers are recorded (version 4.22), for where it is not installed; ``CCMCHECK_UPDATE_CASES=1`` records them again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from cloud_cases import YAML, Case, cases

from ccmcheck.render.clouds_yaml import Cloud, load

_ORACLE = """
import json, sys, warnings
warnings.simplefilter("ignore")
try:
    from openstack.config import OpenStackConfig
except ImportError as error:
    sys.exit(f"no openstacksdk: {error}")
import logging
logging.disable(logging.CRITICAL)
found = []
for case in json.load(sys.stdin):
    folder = case["folder"]
    try:
        config = OpenStackConfig(
            config_files=[f"{folder}/clouds.yaml"],
            secure_files=[f"{folder}/secure.yaml"],
            vendor_files=[f"{folder}/clouds-public.yaml"],
            load_envvars=False,
        )
        region = config.get_one(case["name"], **({"region_name": case["region"]} if case["region"] else {}))
        verify, cert = region.get_requests_verify_args()
        found.append({
            "auth": region.config["auth"], "auth_type": region.config["auth_type"], "region": region.config["region_name"],
            "interface": region.get_interface(), "verify": verify, "cert": cert,
        })
    except Exception as error:
        found.append({"error": f"{type(error).__name__}: {error}"})
json.dump(found, sys.stdout)
"""


def _ask(folders: list[Path], wanted: list[Case]) -> list[dict[str, Any]]:
    asked = [
        {"folder": str(folder), "name": "one", "region": case.region}
        for folder, case in zip(folders, wanted, strict=True)
    ]
    done = subprocess.run(
        [sys.executable, "-c", _ORACLE], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    if "no openstacksdk" in done.stderr:
        pytest.skip("openstacksdk is not installed")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _same(cloud: Cloud, theirs: dict[str, Any]) -> bool:
    auth = {key: value for key, value in theirs["auth"].items() if value and value != "None"}  # str(None), in the SDK
    interface = theirs["interface"]
    interface = interface[0] if isinstance(interface, list) else interface
    verify = (cloud.cacert or True) if cloud.verify else False
    cert: list[str] | str | None = cloud.cert or None
    if cloud.cert and cloud.key:
        cert = [cloud.cert, cloud.key]
    return (
        dict(cloud.auth) == auth
        and (cloud.auth_type or "password") == theirs["auth_type"]
        and cloud.region == (theirs["region"] or "")
        and (cloud.interface or "public") == interface.removesuffix("URL")
        and verify == theirs["verify"]
        and cert == theirs["cert"]
    )


RECORDED = Path(__file__).with_name("clouds_recorded.json")
_MOST = 400
_KEPT = 80


def _is_read_wrongly(case: Case) -> bool:
    """Whether the SDK's YAML library breaks YAML's own rule here, that of merged mappings the first wins.

    PyYAML 6.0.4 does: it compares keys by ``id()`` of their text (``SafeConstructor.flatten_mapping``).
    """
    merged = YAML["merged list"]
    return merged in case.files.values() and yaml.safe_load(merged)["clouds"]["one"]["region_name"] != "A"


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without any cloud, and an environment that names none."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(empty))
    for name in ("OS_CLOUD", "OS_CLIENT_CONFIG_FILE", "OS_CLIENT_SECURE_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def _written(case: Case, folder: Path) -> Path:
    folder.mkdir()
    for name, text in case.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _compare(case: Case, folder: Path, theirs: dict[str, Any]) -> None:
    ours = load(str(folder / "clouds.yaml"), "one", case.region or None)
    assert _same(ours, theirs), f"{ours._asdict()}\n{theirs}\n{case}"


def test_random_clouds_come_to_the_same(nowhere: Path) -> None:
    wanted = cases(_MOST)
    folders = [_written(case, nowhere / str(number)) for number, case in enumerate(wanted)]
    kept = []
    for case, folder, theirs in zip(wanted, folders, _ask(folders, wanted), strict=True):
        if theirs.get("error", "").startswith("OptionError: You have provided a"):
            continue  # a name without its domain, which the SDK refuses here already
        if _is_read_wrongly(case):
            continue
        assert "error" not in theirs, theirs
        _compare(case, folder, theirs)
        kept.append({"files": case.files, "region": case.region, "answer": theirs})
    assert len(kept) > _MOST * 3 // 4
    if os.environ.get("CCMCHECK_UPDATE_CASES"):
        lines = [json.dumps(one, sort_keys=True, ensure_ascii=False) for one in kept[:_KEPT]]
        RECORDED.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def test_recorded_clouds_come_to_the_same(nowhere: Path) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert len(recorded) == _KEPT
    for number, one in enumerate(recorded):
        case = Case(one["files"], one["region"])
        _compare(case, _written(case, nowhere / str(number)), one["answer"])
