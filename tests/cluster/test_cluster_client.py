"""Kubeconfigs: which cluster is opened, and that nothing of a broken one is shown."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from api_server import TOKEN, cluster, kubeconfig, serving
from cluster_runs import run

from ccmcheck.cli.cluster_access import Duration
from ccmcheck.cluster.access.exchange import server_of
from ccmcheck.cluster.access.kubeconfig import Trust

PACKAGE = Path(__file__).resolve().parents[2] / "ccmcheck"
CANARY = "c4nary-of-a-kubeconfig-5a1f"


def test_without_the_client_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.cluster.access.client.is_installed", lambda: False)
    done = run(tmp_path, "lint")
    assert done.code == 2
    assert done.err == (
        "ccmcheck: error: the kubernetes client is not installed\n"
        "ccmcheck: Install it in ccmcheck's checkout: pip install '.[cluster]'\n"
    )


def test_no_kubeconfig(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--kubeconfig", "none.yaml")
    assert done.code == 2
    assert "there is no kubeconfig none.yaml" in done.err


def test_no_such_context(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--kubeconfig", str(kubeconfig(tmp_path, cluster())), "--context", "tset")
    assert done.code == 2
    assert "there is no context tset in the kubeconfig" in done.err
    assert "test" in done.err.splitlines()[1]


def test_no_pod(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--in-cluster")
    assert done.code == 3
    assert "this is not a pod with a service account" in done.err


def test_two_ways_to_name_a_cluster(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--in-cluster", "--context", "a")
    assert done.code == 2
    assert "--in-cluster uses no kubeconfig" in done.err


@pytest.mark.parametrize(
    "text",
    [
        f"clusters: [{CANARY}",
        f"{CANARY}",
        "",
        f"clusters: {CANARY}\nusers: []\ncontexts: []\ncurrent-context: a\n",
        f"current-context: {CANARY}\ncontexts: []\nclusters: []\nusers: []\n",
        f"\x00{CANARY}",
    ],
)
def test_a_broken_kubeconfig_is_not_quoted(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text(text)
    done = run(tmp_path, "lint", "--kubeconfig", str(path))
    assert done.code == 3
    assert CANARY not in done.out + done.err
    assert "kubeconfig" in done.err
    assert "internal error" not in done.err


def changed(path: Path, **user: Any) -> Path:
    document = json.loads(path.read_text())
    document["users"][0]["user"] = user
    path.write_text(json.dumps(document))
    return path


def plugin(folder: Path, script: str) -> dict[str, Any]:
    path = folder / "plugin.py"
    path.write_text(script)
    api = "client.authentication.k8s.io/v1"
    return {"apiVersion": api, "command": sys.executable, "args": [str(path)], "interactiveMode": "Never"}


def test_an_exec_plugin_gives_the_token(tmp_path: Path) -> None:
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": TOKEN},
    }
    with serving(cluster()) as server:
        path = changed(kubeconfig(tmp_path, server), exec=plugin(tmp_path, f"print({json.dumps(credential)!r})"))
        done = run(tmp_path, "lint", "--kubeconfig", str(path))
    assert done.code == 1
    assert TOKEN not in done.out + done.err


@pytest.mark.parametrize("script", [f"raise SystemExit('{CANARY}')", f"print('{CANARY}')", "print('{}')"])
def test_what_a_failing_exec_plugin_says_is_not_shown(
    script: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(cluster()) as server:
        path = changed(kubeconfig(tmp_path, server), exec=plugin(tmp_path, script))
        done = run(tmp_path, "lint", "--kubeconfig", str(path))
    assert done.code == 3
    assert "the kubeconfig's exec plug-in " in done.err
    assert CANARY not in done.out + done.err + "".join(capfd.readouterr())


def test_an_exec_plugin_that_hangs_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccmcheck.cluster.access.client.Trust", lambda policy: Trust(policy, seconds=0.5))
    with serving(cluster()) as server:
        script = plugin(tmp_path, "import time; time.sleep(60)")
        done = run(tmp_path, "lint", "--kubeconfig", str(changed(kubeconfig(tmp_path, server), exec=script)))
    assert done.code == 3
    assert "the kubeconfig's exec plug-in took longer than 0 s" in done.err


def asked_as(tmp_path: Path, *arguments: str, **user: Any) -> list[tuple[str, str]]:
    with serving(cluster()) as server:
        path = changed(kubeconfig(tmp_path, server), token=TOKEN, **user)
        run(tmp_path, "lint", "--kubeconfig", str(path), *arguments)
        names = ("impersonate-user", "impersonate-group", "impersonate-uid", "impersonate-extra-why")
        assert len({tuple(sorted(one.headers.items())) for one in server.asked}) == 1
        return [(name, server.asked[0].headers[name]) for name in names if name in server.asked[0].headers]


def test_impersonation_is_sent_with_every_request(tmp_path: Path) -> None:
    of_file = {"as": "jane", "as-groups": ["a"], "as-uid": "7", "as-user-extra": {"Why": ["audit"]}}
    sent = asked_as(tmp_path, **of_file)
    assert sent == [
        ("impersonate-user", "jane"),
        ("impersonate-group", "a"),
        ("impersonate-uid", "7"),
        ("impersonate-extra-why", "audit"),
    ]
    assert asked_as(tmp_path, "--as", "joe", "--as-group", "b", **of_file) == [
        ("impersonate-user", "joe"),
        ("impersonate-group", "b"),
    ]
    assert asked_as(tmp_path) == []


def test_groups_without_a_user_are_refused(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "--kubeconfig", str(kubeconfig(tmp_path, cluster())), "--as-group", "a")
    assert done.code == 2
    assert "Add --as USER." in done.err


def test_another_cluster_and_user_than_the_context_s(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        path = kubeconfig(tmp_path, server)
        document = json.loads(path.read_text())
        document["users"] = [{"name": "u", "user": {"token": CANARY}}, {"name": "v", "user": {"token": TOKEN}}]
        document["clusters"].append({"name": "d", "cluster": document["clusters"][0]["cluster"]})
        document["clusters"][0] = {"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}
        path.write_text(json.dumps(document))
        assert run(tmp_path, "lint", "--kubeconfig", str(path), "--cluster", "d", "--user", "v").code == 1
        done = run(tmp_path, "lint", "--kubeconfig", str(path), "--user", "w")
    assert done.code == 2
    assert "there is no user w in the kubeconfig" in done.err


def test_no_current_context_is_named_as_such(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path, cluster())
    document = json.loads(path.read_text())
    del document["current-context"]
    path.write_text(json.dumps(document))
    done = run(tmp_path, "lint", "--kubeconfig", str(path))
    assert done.code == 3
    assert "the kubeconfig has no current context" in done.err
    assert "--context" in done.err


@pytest.mark.parametrize(("written", "seconds"), [("20", 20.0), ("1.5m", 90.0), ("500ms", 0.5), ("0", 0), ("x", 0)])
def test_a_time_is_written_as_for_kubectl(written: str, seconds: float) -> None:
    if seconds:
        assert Duration().convert(written, None, None) == seconds
    else:
        with pytest.raises(click.BadParameter):
            Duration().convert(written, None, None)


def test_all_namespaces_and_one_exclude_each_other(tmp_path: Path) -> None:
    done = run(tmp_path, "lint", "-A", "-n", "cloud")
    assert done.code == 2
    assert "--namespace and --all-namespaces exclude each other" in done.err


def test_all_namespaces_are_searched(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        path = str(kubeconfig(tmp_path, server))
        done = run(tmp_path, "lint", "--kubeconfig", path, "-A", "--format", "json")
        assert "/api/v1/pods" in [one.path for one in server.asked]
    assert done.code == 3


def test_a_password_is_sent_and_not_shown(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        path = changed(kubeconfig(tmp_path, server), username="admin", password=CANARY)
        done = run(tmp_path, "lint", "--kubeconfig", str(path))
        assert server.asked[0].headers["authorization"].startswith("Basic ")
    assert done.code == 3
    assert "HTTP 401" in done.err
    assert CANARY not in done.out + done.err


def test_the_client_is_imported_where_it_is_used_alone() -> None:
    importers = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)) if "kubernetes" in text or "urllib3" in text else ():
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if any(name.partition(".")[0] in {"kubernetes", "urllib3"} for name in names):
                importers.add(path.relative_to(PACKAGE).as_posix())
    assert importers == {
        "cluster/access/client.py",
        "cluster/access/exchange.py",
        "cluster/octavia/client.py",
    }


def test_reading_commands_cannot_write() -> None:
    code = (
        "import sys, ccmcheck.cli.cluster_lint, ccmcheck.cluster.live.lint, ccmcheck.cluster.live.snapshot;"
        "import ccmcheck.cli.cluster_orphans, ccmcheck.cluster.octavia.orphans, ccmcheck.cluster.octavia.live;"
        "print('ccmcheck.cluster.access.writing' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_client_is_imported_only_when_a_cluster_is_opened() -> None:
    code = (
        "import sys, ccmcheck.cli.cluster_lint, ccmcheck.cli.cluster_rbac, ccmcheck.cluster.access.client, ccmcheck.cluster.live.lint;"
        "print([name for name in ('kubernetes', 'urllib3') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_no_state_of_the_process_is_changed(tmp_path: Path) -> None:
    import logging
    import warnings

    from kubernetes import client

    before = (client.Configuration.get_default_copy().host, logging.root.manager.disable, list(warnings.filters))
    with serving(cluster()) as server:
        run(tmp_path, "lint", "--kubeconfig", str(kubeconfig(tmp_path, server)))
    after = (client.Configuration.get_default_copy().host, logging.root.manager.disable, list(warnings.filters))
    assert before == after


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:hunter2@api.example.org:6443/p?token=hunter2#hunter2", "https://api.example.org:6443/p"),
        ("https://u:1/hunter2@api.example.org/p", "https://api.example.org/p"),
        ("https://u:hunter2#x@api.example.org", "https://api.example.org"),
        ("https://u:hunter2?x@api.example.org", "https://api.example.org"),
        ("https://u:hunt@hunter2@api.example.org", "https://api.example.org"),
        ("u:hunter2@api.example.org", "api.example.org"),
        ("https://u:hunter2@[api.example.org", "a server that is not a URL"),
    ],
)
def test_no_part_of_a_password_in_a_url_is_shown(url: str, shown: str) -> None:
    assert server_of(url) == shown
