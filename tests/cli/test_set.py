"""``ccmcheck set``: what shell scripts do with ``sed``, typed, idempotent, and in any carrier."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from command_line import RIGHT, run

CONF = "[Global]\nregion=r\n\n[LoadBalancer]\nenabled=true # why\n"


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    path = tmp_path / "cloud.conf"
    path.write_text(CONF, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "after"),
    [
        (["create-monitor=true"], CONF + "create-monitor=true\n"),
        (["LoadBalancer.create-monitor=true"], CONF + "create-monitor=true\n"),
        (["loadbalancer.Create-Monitor=true"], CONF + "create-monitor=true\n"),
        (["enabled=false"], CONF.replace("=true", "=false")),
        (["region=a#b"], CONF.replace("region=r", 'region="a#b"')),
        (["region="], CONF.replace("region=r", "region=")),
        (["monitor-delay=5s", "monitor-timeout=3s"], CONF + "monitor-delay=5s\nmonitor-timeout=3s\n"),
        (["monitor-timeout=3s", "monitor-delay=5s"], CONF + "monitor-timeout=3s\nmonitor-delay=5s\n"),
        (["LoadBalancerClass.gold.floating-network-id=x"], CONF + '\n[LoadBalancerClass "gold"]\nfloating-network-id=x\n'),
        (["router-id=x"], CONF + "\n[Route]\nrouter-id=x\n"),
        (["--unset", "region"], CONF.replace("region=r\n", "")),
        (["--unset", "enabled"], CONF.replace("enabled=true ", "")),
        (["--unset", "create-monitor"], CONF),
        (["--unset", "use-octavia"], CONF),
        (["--unset", "Global.nobody-knows-it"], CONF),
        (["enabled=true"], CONF),
    ],
)  # fmt: skip
def test_a_plain_file(arguments: list[str], after: str, conf: Path) -> None:
    for _ in range(2):
        done = run(conf.parent, "set", "cloud.conf", *arguments)
        assert (done.code, done.out) == (0, "")
        assert conf.read_text(encoding="utf-8") == after
    assert done.err == "ccmcheck: cloud.conf: changed 0 cloud.confs\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Nothing to set"),
        (["create-monitor"], "`create-monitor` has no value"),
        (["create-monitor=maybe"], "would not start with this value of create-monitor: failed to parse"),
        (["monitor-delay=3"], "missing unit in duration"),
        (["create-montior=true"], "knows no key `create-montior`.\nccmcheck: Did you mean `create-monitor`?"),
        (["Nowhere.x=y"], "knows no section `Nowhere`"),
        (["use-octavia=true"], "knows no key `use-octavia`"),
        (["floating-network-id"], "has no value"),
        (["LoadBalancerClass.floating-network-id=x"], "[LoadBalancerClass] needs a name"),
        (["--unset", "nobody-knows-it"], "knows no key `nobody-knows-it`"),
        (["enabled=true", "--with-secrets"], "--with-secrets is for --patch"),
        (
            ["enabled=true", "--output", "x"],
            "error: No such option '--output'. This is an option of lint, render, predict",
        ),
        (["enabled=true", "--patch", "git", "--check"], "--patch excludes --write, --check and --diff"),
    ],
)
def test_wrong_use(arguments: list[str], said: str, conf: Path) -> None:
    done = run(conf.parent, "set", "cloud.conf", "--release=1.36", *arguments)
    assert done.code == 2
    assert said in done.err
    assert conf.read_text(encoding="utf-8") == CONF


def test_a_key_of_an_older_release(conf: Path) -> None:
    assert run(conf.parent, "set", "cloud.conf", "--release=1.25", "use-octavia=true").code == 0
    assert "use-octavia=true" in conf.read_text(encoding="utf-8")


def test_check_and_diff_change_nothing(conf: Path) -> None:
    done = run(conf.parent, "set", "cloud.conf", "create-monitor=true", "--check")
    assert (done.code, done.err) == (1, "ccmcheck: cloud.conf: would change 1 cloud.conf\n")
    assert run(conf.parent, "set", "cloud.conf", "enabled=true", "--check", "-q").code == 0
    done = run(conf.parent, "set", "cloud.conf", "create-monitor=true", "--diff")
    assert (done.code, done.out.splitlines()[-1]) == (0, "+create-monitor=true")
    assert conf.read_text(encoding="utf-8") == CONF


def test_from_standard_input_to_standard_output(tmp_path: Path) -> None:
    done = run(tmp_path, "set", "-", "create-monitor=true", stdin=CONF.encode())
    assert (done.code, done.out, done.err) == (0, CONF + "create-monitor=true\n", "")
    done = run(tmp_path, "set", "-", "create-monitor=true", "--patch=git", stdin=CONF.encode())
    assert (done.code, done.out) == (2, "")
    assert "a patch for git needs the file's name" in done.err


def test_where_there_is_nothing_to_set(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a: b\n", encoding="utf-8")
    done = run(tmp_path, "set", "x.yaml", "create-monitor=true")
    assert (done.code, done.err) == (2, "ccmcheck: error: there is no cloud.conf in x.yaml\n")
    assert run(tmp_path, "set", "nowhere.conf", "create-monitor=true").code == 3


SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {{name: cloud-config}}\ndata:\n  cloud.conf: {}\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("secret.yaml", SECRET.format(b64(RIGHT))),
        ("clusterctl.yaml", f"OPENSTACK_CLOUD_PROVIDER_CONF_B64: {b64(RIGHT)}\n"),
        ("two.yaml", SECRET.format(b64(RIGHT)) + "---\n" + SECRET.format(b64(RIGHT))),
    ],
)
def test_in_a_carrier(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    done = run(tmp_path, "set", name, "create-monitor=false")
    count = text.count(b64(RIGHT))
    assert done.err == f"ccmcheck: {name}: changed {count} cloud.conf{'' if count == 1 else 's'}\n"
    changed = RIGHT.replace("create-monitor = true", "create-monitor = false")
    assert path.read_text(encoding="utf-8") == text.replace(b64(RIGHT), b64(changed))


def test_a_place_that_must_be_edited_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  cloud.conf: >\n    [LoadBalancer]\n\n    enabled = true\n"
    path.write_text(text, encoding="utf-8")
    done = run(tmp_path, "set", "map.yaml", "enabled=false")
    assert done.code == 3
    assert path.read_text(encoding="utf-8") == text
    template = tmp_path / "cloud.conf.tmpl"
    template.write_text("[LoadBalancer]\nenabled = ${ENABLED}\n", encoding="utf-8")
    done = run(tmp_path, "set", "cloud.conf.tmpl", "enabled=false")
    assert (done.code, done.err) == (3, "ccmcheck: error: enabled holds a template mark; edit it by hand\n")


def test_values_that_nothing_reads_are_changed_and_it_is_said(tmp_path: Path) -> None:
    values = "secret:\n  create: false\ncloudConfig:\n  global:\n    auth-url: https://k\n  loadBalancer:\n    create-monitor: false\n"
    (tmp_path / "values.yaml").write_text(values)
    done = run(tmp_path, "set", "values.yaml", "create-monitor=true")
    assert done.code == 0, done.err
    assert "nothing reads `cloudConfig`" in done.err
    assert "changed 1 cloud.conf" in done.err


CSI = """apiVersion: v1
kind: Secret
metadata: {name: cinder-csi-cloud-config, namespace: kube-system}
stringData:
  cloud.conf: |
    [Global]
    auth-url=https://k.example.com:5000/v3
    region=R
"""


def test_a_key_is_set_where_the_reader_knows_it(tmp_path: Path) -> None:
    """Also where both lie in one file: the driver's cloud.conf gets no [LoadBalancer]."""
    ccm = CSI.replace("cinder-csi-cloud-config", "cloud-config")
    file = tmp_path / "both.yaml"
    file.write_text(f"{CSI}---\n{ccm}", encoding="utf-8")
    result = run(tmp_path, "set", "--diff", ".", "--", "create-monitor=true", "region=X")
    assert result.code == 0, result.err
    assert result.out.count("+    region=X") == 2
    assert result.out.count("+    create-monitor=true") == 1
    assert "cinder-csi-cloud-config" in result.err
    assert "left as it is. The Cinder CSI driver 1.36 knows no key `create-monitor`." in result.err


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("creat-monitor=true", "knows no key `creat-monitor`.\nccmcheck: Did you mean `create-monitor`?"),
        ("Global.eu.region=X", "The CCM 1.36 ignores a [Global] with a name.\nccmcheck: Write Global.region."),
    ],
)
def test_what_no_reader_knows_is_refused_alone(asked: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "ccm.yaml").write_text(CSI.replace("cinder-csi-cloud-config", "cloud-config"), encoding="utf-8")
    result = run(tmp_path, "set", ".", "--", asked)
    assert result.code == 2
    assert result.err.count("\n") == 2
    assert why in result.err
