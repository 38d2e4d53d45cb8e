"""All of OpenStack on one loopback port: a Keystone, a Nova, a Barbican and a Neutron of ours, and the real Octavia behind."""

from __future__ import annotations

import http.client
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from cloud_neutron import Neutron, Reply
from loadbalancer_oracle import Asked

Json = dict[str, Any]

PROJECT = "8f7d1e0c1c0b4c0f9d7c3d7b3d2f6a11"
CCM, OCTAVIA, READER = "token-of-the-ccm", "token-of-octavia", "token-of-a-reader"
TOKENS = {"octavia": OCTAVIA, "reader": READER}
"""The tokens of the users; everybody else is the CCM."""
_SERVICES = {
    "network": "network", "load-balancer": "load-balancer", "compute": "compute/v2.1", "key-manager": "key-manager",
    "identity": "identity/v3",
}  # fmt: skip
_MAJORS = {"network": "v2.0", "key-manager": "v1"}


class Refusal(NamedTuple):
    """What is answered in the place of a service.

    Attributes:
        service: ``network``, ``load-balancer``, ``identity`` and so on.
        method: The HTTP method.
        path: A pattern that the path after the service matches.
        reply: The answer.
    """

    service: str
    method: str
    path: str
    reply: Reply


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that is gone is no matter."""


class StandIn:
    """A running server.

    Attributes:
        neutron: The state of the case.
        asked: What the CCM asked for, in order, with the status of each answer.
        read: The same for the user ``reader``, who looks at what the CCM has made.
        passwords: Those that users must have; a user that is not here may have any.
        octavia: The port of the real Octavia; 0 until it is there.
        absent: What the service catalogue lacks.
        refusals: What is refused, whoever asks but Octavia.
    """

    def __init__(self) -> None:
        self.neutron = Neutron({})
        self.asked: list[tuple[Asked, int]] = []
        self.read: list[tuple[Asked, int]] = []
        self.passwords: dict[str, str] = {}
        self.octavia = 0
        self.absent: tuple[str, ...] = ()
        self.refusals: tuple[Refusal, ...] = ()
        self._lock = threading.Lock()
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _go(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                reply = stand_in.handle(self.command, self.path, raw, self.headers.get("X-Auth-Token") or "")
                out = b"" if reply.body is None else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(out)))
                if self.path.endswith("/auth/tokens") and reply.status == 201:
                    self.send_header("X-Subject-Token", TOKENS.get(_user(json.loads(raw))[0], CCM))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(out)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = _go  # noqa: N815 - http.server's names

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def begin(self, cloud: Json, absent: tuple[str, ...] = ()) -> None:
        """Take the state of a new case."""
        self.neutron, self.asked, self.read, self.absent = Neutron(cloud), [], [], absent

    def handle(self, method: str, target: str, raw: bytes, token: str) -> Reply:
        """One request."""
        split = urlsplit(target)
        service, _, path = split.path.strip("/").partition("/")
        path = path.strip("/")
        refused = (
            one.reply
            for one in self.refusals
            if (one.service, one.method) == (service, method) and token != OCTAVIA and re.fullmatch(one.path, path)
        )
        if (refusal := next(refused, None)) is not None:
            reply = refusal
        elif service == "load-balancer":
            reply = self._relay(method, target.removeprefix("/load-balancer"), raw, token)
        else:
            with self._lock:
                body = json.loads(raw) if raw else None
                reply = self._answer(service, method, path, parse_qs(split.query), body)
        noted = {CCM: self.asked, READER: self.read}.get(token)
        if noted is not None and service != "identity" and path:
            asked = Asked(service, method, f"/{path}", split.query, json.loads(raw) if raw else None)
            noted.append(self._noted(asked, reply))
        return reply

    @staticmethod
    def _noted(asked: Asked, reply: Reply) -> tuple[Asked, int]:
        made = ""
        if asked.method == "POST" and reply.body:
            made = next((str(one["id"]) for one in reply.body.values() if isinstance(one, dict) and "id" in one), "")
        return asked._replace(made=made), reply.status

    def _answer(self, service: str, method: str, path: str, query: dict[str, list[str]], body: Json | None) -> Reply:
        if service == "identity":
            if not path.endswith("auth/tokens"):
                return self._versions("identity/v3", "v3.14")
            name, password = _user(body or {})
            if self.passwords.get(name, password) != password:
                message = "The request you have made requires authentication."
                return Reply(401, {"error": {"code": 401, "title": "Unauthorized", "message": message}})
            return Reply(201, self._token())
        if service in _MAJORS and path in ("", _MAJORS[service]):
            return self._versions(f"{service}/{_MAJORS[service]}", _MAJORS[service])
        parts = path.split("/")
        if service == "network":
            return self.neutron.answer(method, parts[1:], query, body)
        if service == "key-manager":
            if len(parts) != 3 or "missing" in parts[2]:
                return Reply(404, {"title": "Not Found"})
            ref = f"{self.url}/key-manager/{path}"
            return Reply(200, {"container_ref": ref, "secret_ref": ref, "status": "ACTIVE", "name": parts[2]})
        if service == "compute":
            return self._compute(parts[1:], query)
        return Reply(404, {"error": path})

    def _compute(self, parts: list[str], query: dict[str, list[str]]) -> Reply:
        if len(parts) > 2 and parts[2] == "os-interface":
            ports = [one for one in self.neutron.collections["ports"] if one.get("device_id") == parts[1]]
            attached = [
                {
                    "port_id": one["id"],
                    "net_id": one["network_id"],
                    "fixed_ips": one["fixed_ips"],
                    "port_state": "ACTIVE",
                }
                for one in ports
            ]
            return Reply(200, {"interfaceAttachments": attached})
        if len(parts) == 2 and parts[1] != "detail":
            server = self.neutron.find("servers", parts[1])
            missing = {"itemNotFound": {"code": 404, "message": f"Instance {parts[1]} could not be found."}}
            return Reply(200, {"server": server}) if server else Reply(404, missing)
        name = re.compile(query.get("name", [""])[0])
        servers = [one for one in self.neutron.collections["servers"] if name.search(one["name"])]
        return Reply(200, {"servers": servers})

    def _versions(self, at: str, version: str) -> Reply:
        links = [{"rel": "self", "href": f"{self.url}/{at}/"}]
        one = {"id": version, "status": "CURRENT", "links": links}
        return Reply(200, {"versions": [one], "version": {**one, "status": "stable"}})

    def _token(self) -> Json:
        catalog = [
            {"id": kind, "type": kind, "name": kind, "endpoints": [
                {"id": kind + name, "interface": name, "region": "RegionOne", "region_id": "RegionOne",
                 "url": f"{self.url}/{path}"} for name in ("public", "internal", "admin")
            ]} for kind, path in _SERVICES.items() if kind not in self.absent
        ]  # fmt: skip
        domain = {"id": "default", "name": "Default"}
        return {
            "token": {
                "expires_at": "2099-01-01T00:00:00.000000Z", "issued_at": "2020-01-01T00:00:00.000000Z",
                "methods": ["password"], "user": {"id": "user", "name": "user", "domain": domain},
                "project": {"id": PROJECT, "name": "project", "domain": domain}, "roles": [{"id": "m", "name": "member"}],
                "catalog": catalog,
            }
        }  # fmt: skip

    def _relay(self, method: str, target: str, raw: bytes, token: str) -> Reply:
        """Hand a request on to the real Octavia."""
        connection = http.client.HTTPConnection("127.0.0.1", self.octavia, timeout=60)
        headers = {"Accept": "application/json", "X-Project-Id": PROJECT, "X-Auth-Token": token}
        if raw:
            headers["Content-Type"] = "application/json"
        connection.request(method, target or "/", raw, {**headers, "Content-Length": str(len(raw))})
        answer = connection.getresponse()
        said = answer.read().decode().replace(f"http://127.0.0.1:{self.octavia}", f"{self.url}/load-balancer")
        connection.close()
        path = urlsplit(target).path.strip("/").split("/")
        if method == "DELETE" and answer.status < 300 and path[-2:-1] == ["loadbalancers"]:
            self.neutron.balancer_is_gone(path[-1])
        try:
            body = json.loads(said) if said else None
        except ValueError:
            body = {"faultstring": said}
        return Reply(answer.status, body)


def _user(body: Json) -> tuple[str, str]:
    """Who asks for a token, and with which password or secret; empty for another kind of log-in."""
    identity = body.get("auth", {}).get("identity", {})
    by_password = identity.get("password", {}).get("user")
    if by_password:
        return str(by_password.get("name") or by_password.get("id")), str(by_password.get("password"))
    credential = identity.get("application_credential", {})
    return str(credential.get("name") or credential.get("id") or ""), str(credential.get("secret") or "")
