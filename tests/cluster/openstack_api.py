"""A Keystone, an Octavia and a Neutron on one loopback port: objects in memory, pages by marker, faults on demand."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from api_faults import Fault
from loopback import Asked, serving_stand_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Object = dict[str, Any]

PROJECT = "8f7d1e0c1c0b4c0f9d7c3d7b3d2f6a11"
PASSWORD = "p4ssword-of-the-cloud-5e1d"
CLOUD_TOKEN = "t0ken-of-the-cloud-77ab"
SECRET_KEY = "s3cret-of-the-application-credential-1f"
CLOUD_CANARIES = (PASSWORD, CLOUD_TOKEN, SECRET_KEY)
OLD = "2026-01-02T03:04:05"

TOKENS = "/v3/auth/tokens"


class OpenStack:
    """The services; ``stored`` holds the objects of each kind by the key of their lists."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.faults: dict[str, list[Fault]] = {}
        self.port = 0
        self.stored: dict[str, list[Object]] = {}
        self.members: dict[str, list[Object]] = {}
        self.most = 1000
        self.prefix = ""
        self.keystone = ""
        self.catalogue: list[str] = ["load-balancer", "network"]
        self.api = "v2.27"
        self.quotas: Object = {}
        self.token: Object = {}
        self.accepts: Callable[[Object], bool] = lambda _auth: True

    def put(self, kind: str, *objects: Object) -> None:
        """Store objects."""
        self.stored.setdefault(kind, []).extend(objects)

    def fail(self, path: str, *faults: Fault) -> None:
        """Answer the next requests of a path with faults; the last one stays."""
        self.faults[path] = list(faults)

    def answer(self, asked: Asked) -> Fault:
        """The answer of a request."""
        path = asked.path.removeprefix(self.prefix)
        waiting = self.faults.get(path)
        if waiting:
            return waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if (asked.method, asked.path) == ("POST", f"{self.keystone}{TOKENS}"):
            return self._token(json.loads(asked.body or b'{"auth": {}}')["auth"])
        if asked.method != "GET":
            return Fault(404 if asked.path.endswith(TOKENS.removeprefix("/v3")) else 405)
        if path == "/" and asked.query:
            return Fault(400)  # as the real Octavia answers
        if path == "/":
            versions = [{"id": "v2.0", "status": "SUPPORTED"}, {"id": self.api, "status": "CURRENT"}]
            return _json({"versions": versions})
        if asked.headers.get("x-auth-token") != CLOUD_TOKEN:
            return Fault(401, json.dumps({"error": PASSWORD}).encode())
        parts = path.strip("/").split("/")
        if parts[:2] == ["v2", "lbaas"]:
            return self._octavia(parts[2:], asked)
        if parts[1:2] == ["quotas"]:
            return _json({"quota": self.quotas})
        if parts[0] in ("v2.0", "v2.1", "v1") or parts[:2] == ["v3", "auth"]:
            kind = parts[-1 if parts[0] == "v3" else 1].replace("-", "_")
            if len(parts) > 2 and parts[0] != "v3":
                found = [one for one in self.stored.get(kind, []) if one["id"] == parts[2]]
                if not found:
                    return Fault(404)
                return _json(found[0] if parts[0] == "v1" else {kind.removesuffix("s"): found[0]})
            return self._page(kind, self._found(kind, asked), asked)
        return Fault(404)

    def _octavia(self, parts: list[str], asked: Asked) -> Fault:
        if len(parts) == 1:
            return self._page(parts[0], self._found(parts[0], asked), asked)
        if parts[0] == "pools" and parts[2:] == ["members"]:
            return self._page("members", self.members.get(parts[1], []), asked)
        if parts[0] == "quotas":
            return _json({"quota": self.quotas})
        found = [one for one in self.stored.get(parts[0], []) if one.get("id", one["name"]) == parts[1]]
        key = {"availabilityzones": "availability_zone"}.get(parts[0], parts[0].removesuffix("s"))
        return _json({key: found[0]}) if found else Fault(404)

    def _found(self, kind: str, asked: Asked) -> list[Object]:
        found = self.stored.get(kind, [])
        if project := asked.query.get("project_id"):
            found = [one for one in found if one.get("project_id", PROJECT) == project]
        if group := asked.query.get("security_groups"):
            found = [one for one in found if group in one["security_groups"]]
        for key in ("name", "network_id"):
            if value := asked.query.get(key):
                found = [one for one in found if one.get(key) == value]
        if "router:external" in asked.query:
            found = [one for one in found if one.get("router:external") is True]
        return found

    def _page(self, kind: str, found: list[Object], asked: Asked) -> Fault:
        ids = [one.get("id", one.get("name")) for one in found]
        start = ids.index(asked.query["marker"]) + 1 if "marker" in asked.query else 0
        end = start + min(int(asked.query.get("limit", self.most)), self.most)
        links = [{"rel": "next", "href": "https://internal.invalid/?marker=x"}] if end < len(found) else []
        return _json({kind: found[start:end], **({f"{kind}_links": links} if links else {})})

    def _token(self, auth: Object) -> Fault:
        if not self.accepts(auth):
            return Fault(401, json.dumps({"error": PASSWORD}).encode())
        url = f"http://127.0.0.1:{self.port}{self.prefix}"
        catalogue = [
            {
                "type": kind,
                "name": kind,
                "endpoints": [
                    {"interface": "public", "region": "RegionOne", "region_id": "RegionOne", "url": url, "id": "e"}
                ],
            }
            for kind in self.catalogue
        ]
        token = {
            "methods": ["password"],
            "expires_at": "2999-01-01T00:00:00.000000Z",
            "issued_at": "2026-01-01T00:00:00.000000Z",
            "project": {"id": PROJECT, "name": "p", "domain": {"id": "default", "name": "Default"}},
            "user": {"id": "u", "name": "u", "domain": {"id": "default", "name": "Default"}},
            "roles": [],
            "catalog": catalogue,
            **self.token,
        }
        if "unscoped" in auth.get("scope", ()):
            del token["project"], token["catalog"]
        return _json({"token": token})._replace(status=201, headers=(("X-Subject-Token", CLOUD_TOKEN),))


@contextmanager
def serving_cloud(cloud: OpenStack) -> Iterator[OpenStack]:
    """Serve on a free port until the block ends."""
    with serving_stand_in(cloud):
        yield cloud


def _json(body: Object) -> Fault:
    return Fault(body=json.dumps(body).encode())


def clouds_yaml(folder: Path, server: OpenStack, **changes: Any) -> Path:
    """A clouds.yaml with cloud ``test``, in the folder where the command runs."""
    auth = {
        "auth_url": f"http://127.0.0.1:{server.port}",
        "username": "u",
        "password": PASSWORD,
        "user_domain_name": "Default",
        "project_name": "p",
        "project_domain_name": "Default",
    }
    cloud = {"auth": auth, "region_name": "RegionOne", **changes}
    path = folder / "clouds.yaml"
    path.write_text(json.dumps({"clouds": {"test": cloud}}))
    return path


def balancer(name: str, identifier: str, **fields: Any) -> Object:
    """A load balancer as Octavia lists it."""
    return {
        "id": identifier,
        "name": name,
        "description": "",
        "provisioning_status": "ACTIVE",
        "operating_status": "ONLINE",
        "admin_state_up": True,
        "project_id": PROJECT,
        "created_at": OLD,
        "updated_at": OLD,
        "vip_address": "10.0.0.9",
        "vip_port_id": f"port-{identifier}",
        "vip_subnet_id": "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69",
        "vip_network_id": "n",
        "provider": "amphora",
        "flavor_id": None,
        "availability_zone": None,
        "tags": [name],
        "listeners": [],
        "pools": [],
        **fields,
    }
