"""What a cloud comes to, held against openstacksdk itself, which reads the same files in a process of its own."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ccmcheck.clouds_yaml import Cloud, load

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


def _ask(cases: list[dict[str, str]]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", _ORACLE], input=json.dumps(cases), capture_output=True, text=True, check=False
    )
    if "no openstacksdk" in done.stderr:
        pytest.skip("openstacksdk is not installed")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def _same(cloud: Cloud, theirs: dict[str, Any]) -> bool:
    auth = {key: value for key, value in theirs["auth"].items() if value}
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


def _auth(choose: random.Random, *, credential: bool) -> tuple[dict[str, object], dict[str, object]]:
    """Some of how to log in, below ``auth`` and beside it."""
    inside: dict[str, object] = {"auth_url": choose.choice(["https://k/v3", "https://{region_name}.k"])}
    beside: dict[str, object] = {}
    if credential:
        inside |= {"application_credential_secret": "s" + "ecret"}
        inside |= choose.choice(
            [
                {"application_credential_id": "i1"},
                {"application_credential_name": "n", "username": "u", "user_domain_name": "d"},
            ]
        )
        return inside, beside
    inside |= {"username": "u", "password": choose.choice(["pw", "p#w: x", 12345, "ü"])}
    for key in ("project_name", "project_id", "tenant_name", "tenant-id", "project_domain_name", "project_domain_id",
                "domain_name", "domain_id", "user_domain_name", "user_domain_id", "user_id"):  # fmt: skip
        if choose.random() < 0.25:
            place = beside if choose.random() < 0.3 and key != "user_id" else inside
            place[key] = choose.choice([key.upper(), f"{key} 1", 77])
    if choose.random() < 0.2:
        beside["username"] = inside.pop("username")
    return inside, beside


def _cloud(choose: random.Random) -> dict[str, object]:
    credential = choose.random() < 0.2
    auth, beside = _auth(choose, credential=credential)
    cloud: dict[str, object] = {**beside, "auth": auth}
    if credential:
        cloud["auth_type"] = "v3applicationcredential"
    options: dict[str, list[object]] = {
        "region_name": ["R1", "R1,R2", ["R1", "R2"]],
        "interface": ["internal", "publicURL", "admin", ["internal", "public"]],
        "endpoint_type": ["internalURL", "admin"],
        "verify": [True, False],
        "insecure": [True, False, "true", "no"],
        "cacert": ["/etc/ca.pem"],
        "cert": ["/etc/cert.pem"],
        "key": ["/etc/key.pem"],
    }
    for key, values in options.items():
        if choose.random() < 0.25:
            cloud[key] = choose.choice(values)
    if choose.random() < 0.2:
        other = {"auth": {"auth_url": "https://other"}, "interface": "internal"}
        regions: list[object] = ["A", {"name": "B", "values": other}, "C"]
        cloud["regions"] = regions[choose.randrange(2) :]
    return cloud


def _case(choose: random.Random, folder: Path) -> dict[str, str]:
    folder.mkdir()
    cloud = _cloud(choose)
    if choose.random() < 0.3:
        _, beside = _auth(choose, credential=False)
        shared = {"auth_url": "https://vendor"} | ({"project_name": "v"} if choose.random() < 0.5 else {})
        profile: dict[str, object] = {"auth": shared}
        profile |= {key: value for key, value in _cloud(choose).items() if key not in {"auth", "auth_type", *beside}}
        if "region_name" in profile:
            profile["region_name"] = "V"  # the SDK splits no list of a vendor's
        (folder / "clouds-public.yaml").write_text(json.dumps({"public-clouds": {"vendor": profile}}), encoding="utf-8")
        cloud["profile"] = "vendor"
    if choose.random() < 0.4:
        private: dict[str, object] = {"auth": {"password": "from secure"}}
        auth = cloud["auth"]
        if isinstance(auth, dict) and "application_credential_secret" in auth:
            private = {"auth": {"application_credential_secret": "from secure"}}
        if choose.random() < 0.3:
            private["verify"] = False
        (folder / "secure.yaml").write_text(json.dumps({"clouds": {"one": private}}), encoding="utf-8")
    (folder / "clouds.yaml").write_text(json.dumps({"clouds": {"one": cloud, "other": {}}}), encoding="utf-8")
    return {"folder": str(folder), "name": "one", "region": "B" if "regions" in cloud and choose.random() < 0.5 else ""}


def test_random_clouds_come_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(20261126)  # noqa: S311 - the same clouds every time
    cases = [_case(choose, tmp_path / str(number)) for number in range(400)]
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(empty))
    for name in ("OS_CLOUD", "OS_CLIENT_CONFIG_FILE", "OS_CLIENT_SECURE_FILE"):
        monkeypatch.delenv(name, raising=False)
    answers = _ask(cases)
    compared = 0
    for case, theirs in zip(cases, answers, strict=True):
        if theirs.get("error", "").startswith("OptionError: You have provided a"):
            continue  # a name without its domain, which the SDK refuses here already
        assert "error" not in theirs, theirs
        ours = load(f"{case['folder']}/clouds.yaml", case["name"], case["region"] or None)
        said = Path(case["folder"], "clouds.yaml").read_text(encoding="utf-8")
        assert _same(ours, theirs), f"{ours._asdict()}\n{theirs}\n{said}"
        compared += 1
    assert compared > len(cases) * 3 // 4


_YAML = {
    "merge keys": """
base: &base
  region_name: R1
  auth: &auth {auth_url: https://k, username: u, domain_name: D, project_name: p, password: x}
clouds:
  one:
    <<: *base
    auth:
      <<: *auth
      password: y
""",
    "merged list": """
a: &a {region_name: A, interface: admin}
b: &b {region_name: B, cacert: /b}
clouds:
  one:
    <<: [*a, *b]
    auth: {auth_url: https://k, username: u, password: x}
""",
    "twice": """
clouds:
  one:
    auth: {auth_url: https://k, username: u, password: first}
    region_name: A
    region_name: B
    auth: {auth_url: https://k, username: u, password: last}
""",
    "null": """
clouds:
  one:
    auth: {auth_url: https://k, username: u, password: x, project_id: null, user_id: ~}
    cacert:
    verify: yes
    region_name: ''
""",
}


@pytest.mark.parametrize("name", sorted(_YAML))
def test_what_only_yaml_has(name: str, tmp_path: Path) -> None:
    (tmp_path / "clouds.yaml").write_text(_YAML[name], encoding="utf-8")
    (theirs,) = _ask([{"folder": str(tmp_path), "name": "one", "region": ""}])
    theirs["auth"] = {key: value for key, value in theirs["auth"].items() if value != "None"}  # the SDK's str(None)
    assert _same(load(str(tmp_path / "clouds.yaml"), "one"), theirs), theirs
