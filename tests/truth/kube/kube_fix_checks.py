"""`cluster fix` on a real API server: owners, preconditions, refusals; and with the real CCM: it dies, and is brought back."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kube_objects as objects
import kube_workload
from kube_build import CCM
from kube_checks import Checks
from kube_processes import until
from kube_server import Running
from kube_stack import Stack, stack

from ccmcheck.cluster.access.errors import ApiError, Refused
from ccmcheck.cluster.access.kubeconfig import Access
from ccmcheck.cluster.access.requests import APPLY_PATCH, MERGE_PATCH
from ccmcheck.cluster.access.writing import Writer, open_for_writing

Json = dict[str, Any]

SECRET = "/api/v1/namespaces/kube-system/secrets/cloud-config"
WRITE = ("--write", "--yes")
FIXED = objects.CONF.replace("monitor-delay = 3\n", "monitor-delay = 3s\n")
FATAL = "create-monitor = true\nmonitor-delay = 3\n"
ROLES_SECONDS = 15
_LINT_ONLY = "the roles of lint"


class Fixer:
    """Runs `ccmcheck cluster fix` as a user.

    Args:
        config: The kubeconfig.
        folder: Where it is run.
        secrets: What no output may hold.
    """

    def __init__(self, config: Path, folder: Path, *secrets: str) -> None:
        self._config, self._folder, self._secrets = config, folder, secrets

    def __call__(self, *arguments: str, name: str = "fix") -> tuple[int, str]:
        """Run it; the exit code, and everything that was printed."""
        command = [sys.executable, "-m", "ccmcheck", "cluster", name]
        if name == "fix":
            command += ["--kubeconfig", str(self._config)]
        done = subprocess.run(
            [*command, *arguments], capture_output=True, text=True, timeout=240, check=False, cwd=self._folder
        )
        said = done.stdout + done.stderr
        assert not [secret for secret in self._secrets if secret in said], "a secret is shown"
        assert "Traceback" not in said, said
        return done.returncode, said


def check_fix(checks: Checks, server: Running) -> None:
    """What needs no CCM; the Secret is made again before each step."""
    fix = Fixer(
        server.kubeconfig("admin", name="fix.kubeconfig"), server.folder, objects.PASSWORD, _base64(objects.CONF)
    )
    _interactive(checks, server, fix)
    _applied(checks, server, fix)
    _helm(checks, server, fix)
    _immutable(checks, server, fix)
    _refusals(checks, server)
    _rights(checks, server)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _made(server: Running, manager: str, text: str = objects.CONF, **fields: Any) -> None:
    """Make the Secret again, with one owner."""
    if any(one["metadata"]["name"] == "cloud-config" for one in server.request("GET", _list())["items"]):
        server.request("DELETE", SECRET)
    body = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cloud-config"}, **fields}
    body["data"] = {"cloud.conf": _base64(text)}
    if manager.endswith(" Apply"):
        _apply(server, manager.removesuffix(" Apply"), text)
    else:
        server.request("POST", f"{_list()}?fieldManager={manager}", body)


def _list() -> str:
    return SECRET.rpartition("/")[0]


def _apply(server: Running, manager: str, text: str, *, force: bool = False) -> Json:
    body = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "cloud-config"},
        "data": {"cloud.conf": _base64(text)},
    }
    query = f"fieldManager={manager}" + ("&force=true" if force else "")
    return server.request("PATCH", f"{SECRET}?{query}", body, APPLY_PATCH)


def _held(server: Running) -> str:
    return base64.b64decode(server.request("GET", SECRET)["data"]["cloud.conf"]).decode()


def _owners(server: Running) -> list[tuple[str, str]]:
    """Who owns the key."""
    entries = server.request("GET", SECRET)["metadata"]["managedFields"]
    return [
        (entry["manager"], entry["operation"])
        for entry in entries
        if "f:cloud.conf" in entry["fieldsV1"].get("f:data", {})
    ]


def _interactive(checks: Checks, server: Running, fix: Fixer) -> None:
    _made(server, "kubectl-create")
    before = server.request("GET", SECRET)
    code, said = fix()
    checks.hold("fix shows the difference", code == 0 and "+monitor-delay = 3s" in said, said)
    checks.hold("and changes nothing", server.request("GET", SECRET) == before)
    backup = server.folder / "before.json"
    log = server.folder / "writes.jsonl"
    code, said = fix(*WRITE, "--backup", str(backup), "--audit-log", str(log))
    checks.hold("what kubectl wrote is written", code == 0 and _held(server) == FIXED, said)
    checks.hold("and is ccmcheck's then", _owners(server) == [("ccmcheck", "Update")], _owners(server))
    versions = (before["metadata"]["resourceVersion"], server.request("GET", SECRET)["metadata"]["resourceVersion"])
    line = f"admin wrote Secret kube-system/cloud-config, resourceVersion {versions[0]} -> {versions[1]}, changed "
    checks.hold("the audit line has user and versions", line in said, said)
    (noted,) = map(json.loads, log.read_text().splitlines())
    uid = server.request("GET", "/api/v1/namespaces/kube-system")["metadata"]["uid"]
    known = (noted["user"], noted["before"], noted["after"], noted["cluster"], noted["outcome"])
    checks.hold("and so has the audit log", known == ("admin", *versions, uid, "written"), noted)
    checks.hold("which is private, too", log.stat().st_mode & 0o777 == 0o600)
    (item,) = json.loads(backup.read_text())["items"]
    checks.hold("the backup is private", backup.stat().st_mode & 0o777 == 0o600)
    server.request("PUT", f"{SECRET}?fieldManager=kubectl-replace", item)
    checks.hold("and puts the object back as it was", _held(server) == objects.CONF)
    labels = server.request("GET", SECRET)["metadata"].get("labels")
    checks.hold("with its labels", labels == before["metadata"].get("labels"))


def _applied(checks: Checks, server: Running, fix: Fixer) -> None:
    """Server-side apply of a GitOps program: refused; taken over on demand, after which its owner has a conflict."""
    manager = "kustomize-controller"
    _made(server, f"{manager} Apply")
    code, said = fix(*WRITE)
    refused = f'{manager} applies data["cloud.conf"]: fix it in git' in said
    checks.hold("what is applied server-side is refused by its owner's name", code == 3 and refused, said)
    checks.hold("and left alone", _held(server) == objects.CONF and _owners(server) == [(manager, "Apply")])
    code, said = fix(*WRITE, "--take-ownership")
    checks.hold("it can be taken over", code == 0 and _held(server) == FIXED, said)
    checks.hold("its owner owns it no more", _owners(server) == [("ccmcheck", "Update")], _owners(server))
    try:
        _apply(server, manager, objects.CONF)
        conflict = ""
    except AssertionError as error:
        conflict = str(error)
    checks.hold(
        "its owner's next apply is a conflict with ccmcheck", 'conflict with \\"ccmcheck\\"' in conflict, conflict
    )
    _apply(server, manager, objects.CONF, force=True)
    checks.hold("a forced one writes the old text again", _held(server) == objects.CONF)
    code, said = fix(*WRITE)
    checks.hold("which is refused again", code == 3 and manager in said, said)


def _helm(checks: Checks, server: Running, fix: Fixer) -> None:
    _made(server, "helm")
    code, said = fix(*WRITE)
    checks.hold("what helm wrote is refused", code == 3 and 'helm writes data["cloud.conf"]' in said, said)
    edited = objects.CONF.replace("tenant-name = prod", "tenant-name = stage")
    body = {"metadata": {"labels": {"app.kubernetes.io/managed-by": "Helm"}}, "data": {"cloud.conf": _base64(edited)}}
    server.request("PATCH", f"{SECRET}?fieldManager=kubectl-edit", body, MERGE_PATCH)
    code, said = fix(*WRITE)
    noted = "Helm holds the object, too" in said
    checks.hold("what somebody edited of it since is written, with a warning", code == 0 and noted, said)


def _immutable(checks: Checks, server: Running, fix: Fixer) -> None:
    _made(server, "kubectl-create", immutable=True)
    code, said = fix(*WRITE, "--take-ownership")
    steps = "it is immutable" in said and "kubectl create -f cloud-config.yaml" in said
    checks.hold("an immutable Secret gets the steps", code == 3 and steps, said)
    checks.hold("and no request", _held(server) == objects.CONF)


def _refusals(checks: Checks, server: Running) -> None:
    """What the real API server's errors hold is not kept, but for fields and their owners."""
    connection, _ = open_for_writing(Access(kubeconfig=str(server.kubeconfig("admin", name="fix.kubeconfig"))))
    writer = Writer(connection)
    data = {"data": {"cloud.conf": _base64("x")}}
    error = _refused(writer, {**data, "immutable": False}, MERGE_PATCH)
    fields = {cause.field for cause in error.causes}
    checks.hold("422 names the fields of an immutable Secret", error.status == 422 and "data" in fields, error.causes)
    _made(server, "kubectl-create")
    error = _refused(writer, {**data, "metadata": {"resourceVersion": "1"}}, MERGE_PATCH)
    checks.hold("409 for an older version", error.status == 409, error.status)
    canary = "c4nary-of-no-base64"
    error = _refused(writer, {"data": {"cloud.conf": f"!{canary}"}}, MERGE_PATCH)
    shown = f"{error!r}{error}{error.__dict__}{error.causes}"
    checks.hold("bad base64 is refused, and not repeated", error.status >= 400 and canary not in shown, shown)
    _made(server, "flux Apply")
    body = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "cloud-config"}, **data}
    error = _refused(writer, body, APPLY_PATCH)
    causes = [(cause.reason, cause.field, cause.manager) for cause in error.causes]
    checks.hold("409 names owner and field", causes == [("FieldManagerConflict", ".data.cloud.conf", "flux")], causes)
    connection.close()


def _refused(writer: Writer, body: Json, content_type: str) -> Refused:
    try:
        writer.send("PATCH", SECRET, body, query={"fieldManager": "ccmcheck"}, content_type=content_type)
    except Refused as error:
        return error
    except ApiError as error:
        return Refused(0, str(error))
    return Refused(200)


def _rights(checks: Checks, server: Running) -> None:
    """The roles of lint do not suffice, and those of fix do."""
    _made(server, "kubectl-create")
    for account, commands in (("lints", ("lint",)), ("fixes", ("fix",))):
        _grant(server, account, commands)
        fix = Fixer(server.kubeconfig(account, name=f"{account}.kubeconfig"), server.folder, objects.PASSWORD)
        ends = time.monotonic() + ROLES_SECONDS
        while True:  # the authorizer learns of new roles after a moment
            code, said = fix(*WRITE)
            wanted = "HTTP 403" in said and "--for fix" in said if account == "lints" else code == 0
            if (wanted and "could not be" not in said) or time.monotonic() > ends:
                break
            time.sleep(0.2)
        if account == "lints":
            forbidden = code == 3 and "is not written: HTTP 403" in said and "+monitor-delay = 3s" in said
            checks.hold("with the roles of lint the difference is shown and not written", forbidden, said)
        else:
            user = f"system:serviceaccount:kube-system:{account} wrote"
            checks.hold("the roles of `cluster rbac --for fix` suffice", code == 0 and user in said, said)


def _grant(server: Running, account: str, commands: tuple[str, ...]) -> None:
    arguments = [word for command in commands for word in ("--for", command)]
    _, manifests = Fixer(Path(), server.folder)(*arguments, name="rbac")
    for path, body in objects.created(manifests):
        kind = body["kind"]
        if kind == "ServiceAccount":
            body["metadata"]["name"] = account
        else:
            body["metadata"]["name"] += f"-{account}"
        if "roleRef" in body:
            body["roleRef"]["name"] += f"-{account}"
            body["subjects"][0]["name"] = account
        server.request("POST", path, body)
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 600}}
    path = f"/api/v1/namespaces/kube-system/serviceaccounts/{account}/token"
    server.tokens[account] = server.request("POST", path, request)["status"]["token"]


def check_restart(checks: Checks, folder: Path) -> None:
    """The real CCM dies of its cloud.conf; the fixed one starts, by one command; a bad one is put back.

    Raises:
        NotAvailableError: The cluster cannot be had here.
    """
    with stack(folder, nodes=2) as cluster:
        conf = cluster.cloud.conf(FATAL)
        fix = Fixer(cluster.kubeconfig, folder, "hunter2", _base64(conf))
        cluster.install_ccm(conf)
        dead = until(lambda: _waits(cluster), "the CCM is known to have crashed")
        checks.hold("a fatal cloud.conf kills the CCM", dead["lastState"]["terminated"]["exitCode"] == 255, dead)
        code, said = fix(*WRITE, "--restart", "--backup", str(folder / "before.json"), "--restart-timeout", "120")
        print(said)
        done = code == 0 and f"DaemonSet kube-system/{CCM} was restarted, and its new pods run." in said
        checks.hold("fix --write --restart brings it back", done, said)
        service = {"metadata": {"name": "web"}, "spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}}
        cluster.create_service(service)
        checks.hold("and a Service gets an address", bool(cluster.wait_for_address("web")))
        _put_back(checks, cluster, fix)


def _put_back(checks: Checks, cluster: Stack, fix: Fixer) -> None:
    """A profile that asks for a region that is not there: the CCM dies of it, and everything is put back."""
    profile = cluster.folder / "site.ini"
    profile.write_text("[Global]\nregion = option(Nowhere)\n")
    before = _held(cluster.server)
    path = f"/apis/apps/v1/namespaces/kube-system/daemonsets/{CCM}"
    template = cluster.server.request("GET", path)["spec"]["template"]
    arguments = ("--profile", str(profile), "--unsafe", "--select", "profile", "--restart-timeout", "120")
    code, said = fix(*WRITE, *arguments, "--restart", "--backup", str(cluster.folder / "before-failure.json"))
    print(said)
    died = "its new pods do not run: pod " in said and "ended with exit code 255" in said
    checks.hold("a CCM that does not start is named", code == 3 and died, said)
    checks.hold("the text before is put back", _held(cluster.server) == before)
    after = cluster.server.request("GET", path)["spec"]["template"]
    checks.hold("the pods' template, too", after == template, (template, after))
    checks.hold("and its pods run", "Everything was put back, and the pods of" in said, said)
    cluster.create_service({"metadata": {"name": "later"}, "spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}})
    checks.hold("and work", bool(cluster.wait_for_address("later")))


def _waits(cluster: Stack) -> Json | None:
    """The status of a CCM's container that waits for its next start."""
    pods = cluster.server.request("GET", f"/api/v1/namespaces/{kube_workload.NAMESPACE}/pods")["items"]
    statuses = [one for pod in pods for one in pod["status"].get("containerStatuses", [])]
    waiting = [one for one in statuses if one["state"].get("waiting", {}).get("reason") == "CrashLoopBackOff"]
    return waiting[0] if waiting else None
