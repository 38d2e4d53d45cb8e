"""Kubeconfigs of a fleet: what they may ask for, what is refused, and that nothing of them stays on the disk."""

from __future__ import annotations

import base64
import json
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fleet_certificates import certificates
from fleet_objects import Layout
from fleet_stand_in import running

from ccmcheck.cluster.access.errors import Untrusted
from ccmcheck.cluster.access.expiry import certificate_end, expired
from ccmcheck.cluster.access.kubeconfig import ALLOW_ALL, ALLOWLIST, DENY_ALL, Kubeconfig, Trust, Unusable, parse
from ccmcheck.cluster.fleet import connection
from ccmcheck.cluster.fleet.connection import FleetConnection, _tls
from ccmcheck.cluster.fleet.credentials import Credentials, credentials

CANARY = "c4nary-of-a-kubeconfig-5e1b"
DENIED = Trust(DENY_ALL)
ALLOWED = Trust(ALLOW_ALL, seconds=5)


def kubeconfig(
    user: dict[str, Any] | None = None, cluster: dict[str, Any] | None = None, folder: str = ""
) -> Kubeconfig:
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "x",
        "clusters": [{"name": "c", "cluster": {"server": "https://api.example.org:6443", **(cluster or {})}}],
        "users": [{"name": "u", "user": {"token": "t"} if user is None else user}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
    }
    return parse([(json.dumps(document), folder)])


def plugin(folder: Path, code: str, **settings: Any) -> dict[str, Any]:
    """A user whose exec plug-in is a program of Python."""
    program = folder / "plugin"
    program.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{code}\n")
    program.chmod(0o755)
    exec_ = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(program), "interactiveMode": "Never"}
    return {"exec": {**exec_, **settings}}


TOKEN = (
    "print(json.dumps({'apiVersion': 'client.authentication.k8s.io/v1', 'kind': 'ExecCredential', "
    "'status': {'token': 'from-' + os.environ.get('WHO', 'nobody')}}))"
)


def test_a_kubeconfig_with_everything_in_it_is_used() -> None:
    data = base64.b64encode(b"PEM").decode()
    user = {"client-certificate-data": data, "client-key-data": data}
    found = credentials(kubeconfig(user, {"certificate-authority-data": data, "tls-server-name": "k"}), "x", DENIED)
    assert found == Credentials(
        "https://api.example.org:6443", ca=b"PEM", server_name="k", certificate=b"PEM", key=b"PEM"
    )
    assert "PEM" not in repr(found)


REFUSED = {
    "exec": (kubeconfig({"exec": {"command": CANARY}}), "runs a program to get its credentials (exec)"),
    "auth-provider": (kubeconfig({"auth-provider": {"name": CANARY}}), "has an auth-provider"),
    "token file": (kubeconfig({"tokenFile": CANARY}), "names a file of this machine (`tokenFile`)"),
    "certificate file": (kubeconfig({"client-certificate": CANARY}), "(`client-certificate`)"),
    "key file": (kubeconfig({"client-key": CANARY}), "(`client-key`)"),
    "authority file": (kubeconfig(cluster={"certificate-authority": CANARY}), "(`certificate-authority`)"),
    "insecure": (kubeconfig(cluster={"insecure-skip-tls-verify": True}), "insecure-skip-tls-verify"),
    "proxy": (kubeconfig(cluster={"proxy-url": f"http://{CANARY}"}), "asks for a proxy"),
    "no TLS": (kubeconfig(cluster={"server": f"http://{CANARY}"}), "without TLS"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("trust", [DENIED, Trust(ALLOWLIST, (("plugin",),))], ids=["DenyAll", "Allowlist"])
def test_what_a_kubeconfig_of_others_asks_for_is_refused(name: str, trust: Trust) -> None:
    config, message = REFUSED[name]
    with pytest.raises(Unusable) as caught:
        credentials(config, "x", trust)
    if name != "exec" or trust is DENIED:
        assert message in caught.value.message
    assert CANARY not in caught.value.message + caught.value.hint


BROKEN = {
    "server": (kubeconfig(cluster={"server": f"ftp://{CANARY}"}), "`server` is not a URL"),
    "port": (kubeconfig(cluster={"server": f"https://x:{CANARY}"}), "`server` is not a URL"),
    "no server": (kubeconfig(cluster={"server": [CANARY]}), "`server` is not a URL"),
    "base64": (kubeconfig(cluster={"certificate-authority-data": f"%{CANARY}"}), "is not base64"),
    "half": (kubeconfig({"client-key-data": base64.b64encode(b"x").decode()}), "without its key, or the reverse"),
    "token": (kubeconfig({"token": f"{CANARY}\r\nHost: x"}), "characters that no token has"),
    "impersonation": (kubeconfig({"token": "t", "as": CANARY}), "impersonates another user"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_named_without_its_value(name: str) -> None:
    config, message = BROKEN[name]
    with pytest.raises(Unusable) as caught:
        credentials(config, "x", ALLOWED)
    assert message in caught.value.message
    assert CANARY not in caught.value.message + caught.value.hint


@pytest.mark.parametrize("text", ["", "- 1", "a: [", "just words", '{"a"', "[" * 10_000, "a: " + "{" * 500])
def test_what_is_no_kubeconfig_is_refused(text: str) -> None:
    with pytest.raises(Unusable):
        parse([(text, "")]).only_context()


def test_files_are_read_from_the_folder_of_the_kubeconfig(tmp_path: Path) -> None:
    (tmp_path / "ca.crt").write_bytes(b"CA")
    (tmp_path / "token").write_text("from-a-file\n")
    config = kubeconfig({"tokenFile": "token", "token": "older"}, {"certificate-authority": "ca.crt"}, str(tmp_path))
    found = credentials(config, "x", ALLOWED)
    assert (found.ca, found.token) == (b"CA", "from-a-file")
    with pytest.raises(Unusable, match="cannot be read"):
        credentials(kubeconfig({"tokenFile": "missing"}, folder=str(tmp_path)), "x", ALLOWED)


def test_the_first_of_several_files_wins() -> None:
    def text(server: str, current: str = "") -> str:
        document = {
            "current-context": current,
            "clusters": [{"name": "c", "cluster": {"server": server}}],
            "contexts": [{"name": "x", "context": {"cluster": "c"}}, {"name": server, "context": {"cluster": "c"}}],
        }
        return json.dumps(document)

    merged = parse([(text("https://a"), "/a"), (text("https://b", "x"), "/b")])
    assert merged.current == "x"
    assert sorted(merged.contexts) == ["https://a", "https://b", "x"]
    assert merged.of("x")[0].text("server") == "https://a"


def test_an_exec_plugin_is_run_where_everything_is_allowed(tmp_path: Path) -> None:
    user = plugin(tmp_path, TOKEN, env=[{"name": "WHO", "value": "me"}])
    assert credentials(kubeconfig(user), "x", ALLOWED).token == "from-me"


def test_an_allowed_plugin_is_known_by_name_and_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = plugin(tmp_path, TOKEN)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    for name in ("plugin", str(tmp_path / "plugin")):
        assert credentials(kubeconfig(user), "x", Trust(ALLOWLIST, ((name,),))).token == "from-nobody"
    with pytest.raises(Unusable, match="is not among those of --exec-plugin"):
        credentials(kubeconfig(user), "x", Trust(ALLOWLIST, (("other",),)))


@pytest.mark.parametrize(
    ("allowed", "args", "runs"),
    [
        ("", ["--keystone-url", "https://evil"], False),
        ("get-token --cluster *", ["get-token", "--cluster", "prod"], True),
        ("get-token --cluster=*", ["get-token", "--cluster=prod"], True),
        ("get-token --cluster *", ["get-token", "--cluster", "prod", "--keystone-url=https://evil"], False),
        ("get-token --cluster *", ["get-token", "--cluster", "--keystone-url=https://evil"], False),
        ("get-token --cluster *", ["get-token", "--keystone-url", "https://evil"], False),
        ("get-token --cluster prod-*", ["get-token", "--cluster", "other"], False),
    ],
)
def test_an_allowed_plugin_gets_the_arguments_that_are_allowed(
    allowed: str, args: list[str], runs: bool, tmp_path: Path
) -> None:
    user = plugin(tmp_path, TOKEN, args=args)
    trust = Trust(ALLOWLIST, ((str(tmp_path / "plugin"), *allowed.split()),))
    if runs:
        assert credentials(kubeconfig(user), "x", trust).token == "from-nobody"
    else:
        with pytest.raises(Unusable, match="arguments of the kubeconfig's exec plug-in are not those") as caught:
            credentials(kubeconfig(user), "x", trust)
        assert "evil" not in caught.value.message + caught.value.hint


def test_an_allowed_plugin_does_not_get_the_variables_of_the_kubeconfig(tmp_path: Path) -> None:
    user = plugin(tmp_path, TOKEN, env=[{"name": "WHO", "value": "me"}])
    trust = Trust(ALLOWLIST, ((str(tmp_path / "plugin"),),))
    assert credentials(kubeconfig(user), "x", trust).token == "from-nobody"


def test_a_plugin_of_the_same_name_elsewhere_is_not_the_allowed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    allowed.mkdir()
    other.mkdir()
    plugin(allowed, TOKEN)
    user = plugin(other, TOKEN)
    monkeypatch.setenv("PATH", str(allowed), prepend=os.pathsep)
    with pytest.raises(Unusable, match="is not among those of --exec-plugin"):
        credentials(kubeconfig(user), "x", Trust(ALLOWLIST, (("plugin",),)))


def test_a_plugin_learns_of_the_cluster_and_of_no_terminal(tmp_path: Path) -> None:
    code = (
        "info = json.loads(os.environ['KUBERNETES_EXEC_INFO'])\nos.environ['WHO'] = info['spec']['cluster']['server']\n"
    )
    code += "assert not info['spec']['interactive'] and not sys.stdin.read()\n"
    user = plugin(tmp_path, code + TOKEN, provideClusterInfo=True)
    assert credentials(kubeconfig(user), "x", ALLOWED).token == "from-https://api.example.org:6443"


FAILING = {
    "status": (f"print({CANARY!r}); sys.exit(3)", "exec plug-in failed"),
    "words": (f"print({CANARY!r})", "gave no credentials"),
    "empty": ("print('{}')", "gave no credentials"),
    "other version": (TOKEN.replace("/v1'", "/v2'"), "gave no credentials"),
    "no token": (TOKEN.replace("'token'", "'tocken'"), "gave no credentials"),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_plugin_that_fails_is_named_without_its_words(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, message = FAILING[name]
    user = plugin(tmp_path, f"sys.stderr.write({CANARY!r})\n{code}")
    with pytest.raises(Unusable) as caught:
        credentials(kubeconfig(user), "x", ALLOWED)
    assert message in caught.value.message
    assert CANARY not in caught.value.message + caught.value.hint + "".join(capfd.readouterr())


def test_a_plugin_that_hangs_ends_with_all_that_it_started(tmp_path: Path) -> None:
    note = tmp_path / "alive"
    child = f"import time; time.sleep(2); open({str(note)!r}, 'w').close()"
    code = f"import subprocess\nsubprocess.Popen([{sys.executable!r}, '-c', {child!r}])\ntime.sleep(60)"
    with pytest.raises(Unusable, match="took longer than 1 s"):
        credentials(kubeconfig(plugin(tmp_path, code)), "x", Trust(ALLOW_ALL, seconds=1))
    time.sleep(2)
    assert not note.exists()


def test_a_plugin_that_never_stops_writing_ends_at_once(tmp_path: Path) -> None:
    code = "while True: sys.stdout.write('x' * 65536)"
    with pytest.raises(Unusable, match="gave no credentials"):  # after a minute it would have taken longer than that
        credentials(kubeconfig(plugin(tmp_path, code)), "x", Trust(ALLOW_ALL, seconds=60))


def test_a_plugin_that_closes_its_output_and_hangs_is_ended(tmp_path: Path) -> None:
    code = f"{TOKEN}\nsys.stdout.flush()\nos.close(1)\ntime.sleep(60)"
    with pytest.raises(Unusable, match="took longer than 1 s"):
        credentials(kubeconfig(plugin(tmp_path, code)), "x", Trust(ALLOW_ALL, seconds=1))


def jwt(**claims: Any) -> str:
    body = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
    return f"eyJhbGciOiJub25lIn0.{body}.c2ln"


@pytest.mark.parametrize(
    ("token", "said"),
    [
        (jwt(exp=1_700_000_000), "the token expired at 2023-11-14T22:13:20Z"),
        (jwt(exp=4_000_000_000), ""),
        (jwt(), ""),
        (jwt(exp="soon"), ""),
        (jwt(exp=10**30), ""),
        ("a.b.c", ""),
        ("opaque", ""),
    ],
)
def test_a_token_says_itself_when_it_ends(token: str, said: str) -> None:
    assert expired(token, b"") == said


def test_a_certificate_says_itself_when_it_ends(tmp_path: Path) -> None:
    if not certificates(tmp_path):
        pytest.skip("there is no openssl")
    pem = (tmp_path / "client.crt").read_bytes()
    end = certificate_end(pem)
    assert end is not None
    assert 1.5 < (end - datetime.now(UTC)).total_seconds() / 86_400 < 2.5
    assert expired("", pem) == ""
    assert expired("", pem, datetime(2100, 1, 1, tzinfo=UTC)).startswith("the client certificate expired at 20")
    for broken in (
        b"",
        pem[:200],
        pem.replace(b"M", b"A"),
        b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----",
    ):
        assert certificate_end(broken) is None


def test_keys_are_held_in_memory_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not certificates(tmp_path):
        pytest.skip("there is no openssl")
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("TMPDIR", str(empty))
    monkeypatch.setattr("tempfile.tempdir", None)
    opened = Path("/proc/self/fd")
    before = set(opened.iterdir()) if opened.is_dir() else set()
    certificate, key = (tmp_path / "client.crt").read_bytes(), (tmp_path / "client.key").read_bytes()
    for ca in (b"", (tmp_path / "ca.crt").read_bytes()):
        FleetConnection(Credentials("https://x", ca=ca, certificate=certificate, key=key)).close()
    monkeypatch.delattr(os, "memfd_create", raising=False)
    FleetConnection(Credentials("https://x", certificate=certificate, key=key)).close()
    assert list(empty.iterdir()) == []
    if before:
        assert set(opened.iterdir()) == before


@pytest.mark.parametrize("encrypted", [False, True])
def test_certificates_that_cannot_be_used_are_refused_without_a_question(encrypted: bool, tmp_path: Path) -> None:
    key = b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----" if encrypted else b"none"
    with pytest.raises(Unusable, match="do not fit, or are none"):
        FleetConnection(Credentials("https://x", certificate=b"none", key=key))
    with pytest.raises(Unusable, match="holds no certificate"):
        FleetConnection(Credentials("https://x", ca=b"none"))
    assert list(tmp_path.iterdir()) == []


def test_aliases_that_multiply_a_kubeconfig_are_refused_at_once() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 12)]
    begun = time.process_time()
    with pytest.raises(Unusable, match="is not YAML"):
        parse([("\n".join(rows), "")])
    assert time.process_time() - begun < 5
    shared = "clusters: [{name: c, cluster: &c {server: s}}, {name: d, cluster: *c}]"
    assert parse([(shared, "")]).clusters["d"].text("server") == "s"


def test_arguments_of_a_plugin_that_are_no_list_are_none(tmp_path: Path) -> None:
    for words in (5, "--all", {"a": "b"}):
        config = kubeconfig(plugin(tmp_path, TOKEN, args=words))
        assert credentials(config, "x", ALLOWED).token == "from-nobody"


def test_a_password_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(Unusable, match="not valid Unicode") as refused:
        credentials(kubeconfig({"username": "u", "password": f"{CANARY}\ud800"}), "x", DENIED)
    assert CANARY not in str(refused.value)


def test_a_name_that_one_kubeconfig_gives_does_not_end_the_check_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not certificates(tmp_path):
        pytest.skip("there is no openssl")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.crt"))  # an authority that the system knows
    authority = (tmp_path / "ca.crt").read_bytes()
    path = "/api/v1/namespaces/kube-system"

    def status(server: str, **given: Any) -> int:
        connection = FleetConnection(Credentials(server, token="t0ken-of-cluster-5", **given))
        try:
            return connection.get(path, {}, seconds=5, most_bytes=10_000).status
        finally:
            connection.close()

    with running(tmp_path, Layout(6, 1, 1)) as stand_in:
        right, wrong = (f"https://{host}:{stand_in.port}/c/5" for host in ("127.0.0.1", "localhost"))
        for ca in (b"", authority):
            assert status(right, ca=ca) == 200
            assert status(wrong, ca=ca, server_name="kube.internal") == 200
            assert status(wrong, ca=ca, verify=False) == 200
            for _ in range(2):
                with pytest.raises(Untrusted):
                    status(wrong, ca=ca)
        with pytest.raises(Untrusted):
            status(right, ca=other_authority(tmp_path))


def other_authority(folder: Path) -> bytes:
    """The certificate of an authority that signed nothing here."""
    other = folder / "other"
    other.mkdir()
    certificates(other)
    return (other / "ca.crt").read_bytes()


def test_clusters_of_one_authority_have_their_context_in_common(tmp_path: Path) -> None:
    if not certificates(tmp_path):
        pytest.skip("there is no openssl")
    ca, certificate, key = ((tmp_path / name).read_bytes() for name in ("ca.crt", "client.crt", "client.key"))
    first, second = (_tls(Credentials(f"https://{host}", ca=ca)) for host in ("a", "b"))
    assert first is second
    assert _tls(Credentials("https://a", ca=ca, certificate=certificate, key=key)) is not first
    assert _tls(Credentials("https://a", ca=ca, server_name="x")) is not first
    assert _tls(Credentials("https://a", ca=ca, verify=False)) is not first


def test_the_context_of_the_system_is_kept_whatever_else_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not certificates(tmp_path):
        pytest.skip("there is no openssl")
    monkeypatch.setattr(connection, "_contexts", {})
    ca = (tmp_path / "ca.crt").read_bytes()
    own = [_tls(Credentials("https://a", ca=ca + b"\n" * number)) for number in range(20)]
    assert len(set(own)) == 20
    assert _tls(Credentials("https://a")) is _tls(Credentials("https://b"))
