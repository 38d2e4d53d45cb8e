"""Clouds in their files, as random as people write them, for openstacksdk and ccmcheck to read."""

from __future__ import annotations

import json
import random
from typing import NamedTuple


class Case(NamedTuple):
    """One cloud named ``one``.

    Attributes:
        files: Their texts by their names.
        region: Which of its regions is asked for; empty for none.
    """

    files: dict[str, str]
    region: str


YAML = {
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
"""What only YAML has, and JSON has not."""


def cases(number: int) -> list[Case]:
    """Some clouds, the same ones every time."""
    choose = random.Random(20261126)  # noqa: S311 - nothing secret about them
    return [*(Case({"clouds.yaml": text}, "") for text in YAML.values()), *(case(choose) for _ in range(number))]


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


def case(choose: random.Random) -> Case:
    """One cloud, in up to three files."""
    files: dict[str, str] = {}
    cloud = _cloud(choose)
    if choose.random() < 0.3:
        _, beside = _auth(choose, credential=False)
        shared = {"auth_url": "https://vendor"} | ({"project_name": "v"} if choose.random() < 0.5 else {})
        profile: dict[str, object] = {"auth": shared}
        profile |= {key: value for key, value in _cloud(choose).items() if key not in {"auth", "auth_type", *beside}}
        if "region_name" in profile:
            profile["region_name"] = "V"  # the SDK splits no list of a vendor's
        files["clouds-public.yaml"] = json.dumps({"public-clouds": {"vendor": profile}})
        cloud["profile"] = "vendor"
    if choose.random() < 0.4:
        private: dict[str, object] = {"auth": {"password": "from secure"}}
        auth = cloud["auth"]
        if isinstance(auth, dict) and "application_credential_secret" in auth:
            private = {"auth": {"application_credential_secret": "from secure"}}
        if choose.random() < 0.3:
            private["verify"] = False
        files["secure.yaml"] = json.dumps({"clouds": {"one": private}})
    files["clouds.yaml"] = json.dumps({"clouds": {"one": cloud, "other": {}}})
    return Case(files, "B" if "regions" in cloud and choose.random() < 0.5 else "")
