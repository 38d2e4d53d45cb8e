"""``fix --to`` keeps in effect what is: values of the old release hold under the new one wherever they can."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck import catalog, gcfg
from ccmcheck.carriers import FindOptions, find
from ccmcheck.catalog.data.upgrades import PINS, RENAMED, WITHOUT
from ccmcheck.cli.main import run
from ccmcheck.conf import reading
from ccmcheck.conf.effective import effective
from ccmcheck.review.upgrade.preserved_settings import PreservedSetting, SettingKeeper

LOGIN = "[Global]\nauth-url = https://k/v3\nusername = u\npassword = Canary9secret\nuser-domain-name = d\n"


def kept(text: str, old: str, new: str, *, unsafe: bool = False, path: str = "cloud.conf") -> PreservedSetting:
    keeper = SettingKeeper(catalog.release(old), catalog.release(new), FindOptions(), unsafe=unsafe)
    return keeper.keep(path, text)


def values(text: str, release: str) -> dict[tuple[str, str | None, str], object]:
    schema = catalog.schema(release)
    document = gcfg.parse(text)
    found = effective(document, reading.read(document, schema), schema)
    return {(one.section, one.subsection, one.key): one.value for one in found}


@pytest.mark.parametrize(
    ("line", "old", "new", "after", "left"),
    [
        ("[Global]\ntrusteeid = 5\n", "1.19", "1.20", "[Global]\ntrustee-id = 5\n", ()),
        ("[Global]\ntlsinsecure = true # why\n", "1.18", "1.36", None, ()),
        ("[Global]\ntrusteeid = 5\ntrustee-id = 6\n", "1.19", "1.20", "[Global]\ntrusteeid = 5\ntrustee-id = 6\n",
         ("not without --unsafe: give trustee-id the value of trusteeid",)),
        ("[Global]\ntrusteeid = 5\ntrustee-id = 5\n", "1.19", "1.20", "[Global]\ntrusteeid = 5\ntrustee-id = 5\n", ()),
        ("[Global]\ntls-insecure = true\n", "1.19", "1.20", "[Global]\ntls-insecure = true\n",
         ("delete tls-insecure, which the CCM 1.19 ignores and 1.20 does not",)),
        ("[LoadBalancer]\nenabled = false\n", "1.23", "1.24", "[LoadBalancer]\nenabled = false\n",
         ("not without --unsafe: delete enabled, which the CCM 1.23 ignores and 1.24 does not",)),
        ("[LoadBalancer]\nenabled = true\n", "1.23", "1.24", "[LoadBalancer]\nenabled = true\n", ()),
        ("[LoadBalancer]\nuse-octavia = true\n", "1.17", "1.36", "[LoadBalancer]\nuse-octavia = true\n",
         ("not without --unsafe: write `lb-provider =`, which is the default in the CCM 1.17",)),
        ("[LoadBalancer]\nuse-octavia = false\n", "1.25", "1.36", "[LoadBalancer]\nuse-octavia = false\n",
         ("use-octavia has no effect in 1.36, and nothing takes its place",)),
        ("[Global]\ntrusteeid = ${X}\n", "1.19", "1.36", "[Global]\ntrusteeid = ${X}\n",
         ("trusteeid holds a template mark, and changes its meaning in 1.36",)),
        ("[LoadBalancer]\ncreate-monitor = true\n", "1.25", "1.36", "[LoadBalancer]\ncreate-monitor = true\n", ()),
        ("[Networking]\npublic-network-name = a\npublic-network-name = b\n", "1.18", "1.19",
         "[Networking]\npublic-network-name = a\npublic-network-name = b\n",
         ("public-network-name is read otherwise in 1.19; see `ccmcheck upgrade`",)),
    ],
)  # fmt: skip
def test_keep(line: str, old: str, new: str, after: str | None, left: tuple[str, ...]) -> None:
    path = "cloud.conf.tmpl" if "$" in line else "cloud.conf"
    found = kept(line, old, new, path=path)
    if after is not None:
        assert found.text == after
    assert found.left == left


def test_defaults_are_written_out() -> None:
    found = kept("[LoadBalancer]\ncreate-monitor = true\n", "1.16", "1.25", unsafe=True)
    after = values(found.text, "1.25")
    assert after["LoadBalancer", None, "use-octavia"] is False
    assert after["LoadBalancer", None, "lb-provider"] == ""
    assert after["Networking", None, "public-network-name"] == ["public"]


def test_what_was_ignored_stays_without_effect() -> None:
    found = kept("[LoadBalancer]\nenabled = false\nsubnet-id = x\n", "1.23", "1.36", unsafe=True)
    assert found.text == "[LoadBalancer]\nsubnet-id = x\n"
    assert found.done == ("delete enabled, which the CCM 1.23 ignores and 1.36 does not",)


LINES = (
    "use-octavia = false", "use-octavia = true", "enabled = false", "lb-provider = ovn", "monitor-max-retries-down = 5",
    "create-monitor = true", "max-shared-lb = 7", "monitor-delay = 9s", "nodesecuritygroupids = x", "internal-lb = true",
)  # fmt: skip
LOGINS = ("trusteeid = 5", "trustee-id = 6", "tlsinsecure = true", "os-endpoint-type = internal", "cert-file = x")
NETWORKS = ("public-network-name = a", "address-sort-order = 10.0.0.0/8")
RELEASES = ("1.16", "1.17", "1.18", "1.19", "1.20", "1.23", "1.25", "v1.26.3", "1.28", "1.33", "1.36")


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(LINES), max_size=4, unique=True),
    st.lists(st.sampled_from(LOGINS), max_size=3, unique=True),
    st.lists(st.sampled_from(NETWORKS), max_size=2, unique=True),
    st.sampled_from([(old, new) for at, old in enumerate(RELEASES) for new in RELEASES[at + 1 :]]),
)
def test_law_every_value_is_kept_or_named(
    lines: list[str], logins: list[str], networks: list[str], ends: tuple[str, str]
) -> None:
    parts = (("Global", logins), ("LoadBalancer", lines), ("Networking", networks))
    text = "".join(f"[{title}]\n" + "".join(f"{line}\n" for line in found) for title, found in parts)
    old, new = ends
    found = kept(text, old, new, unsafe=True)
    before, after = values(text, old), values(found.text, new)
    for name, value in before.items():
        section, _, key = name
        now = after.get(name, after.get((section, None, RENAMED.get((section, key), ""))))
        if now is None:
            now = WITHOUT.get((section, key))
        same = now in (value, [value]) or (value == "" and now == [])
        named = any(key in said for said in found.left)
        unfelt = name not in after or (section, key) not in PINS
        set_by_file = any(line.startswith(f"{key} =") for line in (*lines, *logins, *networks))
        assert same or named or (unfelt and not set_by_file), (name, value, now, found)
    again = kept(found.text, old, new, unsafe=True)
    assert again.text == found.text
    assert again.done == ()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conf = f"{LOGIN}trusteeid = 4711\ntrusteepassword = Canary9secret\n[LoadBalancer]\nuse-octavia = true\n"
    data = base64.b64encode(conf.encode()).decode()
    path = tmp_path / "secret.yaml"
    path.write_text(
        "apiVersion: v1\nkind: Secret\nmetadata: {name: cloud-config, namespace: kube-system}\n"
        f"data:\n  cloud.conf: {data}\n",
        encoding="utf-8",
    )
    args = ["fix", str(path), "--to", "1.36", "--from", "1.19"]
    assert run([*args, "--check"]) == 1
    assert run(args) == 0
    assert run([*args, "--patch", "json"]) == 0
    assert run([*args, "--write"]) == 0
    printed = capsys.readouterr()
    assert "Canary9" not in printed.out + printed.err
    assert "write trustee-id for trusteeid" in printed.err
    (carried,) = find(str(path), path.read_text(encoding="utf-8")).carried
    assert "trustee-password = Canary9secret" in carried.text
    assert "use-octavia" not in carried.text
    assert run([*args, "--check"]) == 0


def test_the_old_release_comes_from_the_image(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text(f"{LOGIN}trusteeid = 4711\n", encoding="utf-8")
    (tmp_path / "ccm.yaml").write_text(
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: openstack-cloud-controller-manager}\n"
        "spec: {template: {spec: {containers: [{name: openstack-cloud-controller-manager,"
        " image: 'docker.io/k8scloudprovider/openstack-cloud-controller-manager:v1.19.2'}]}}}\n",
        encoding="utf-8",
    )
    assert run(["fix", str(tmp_path), "--to", "1.36", "--write"]) == 0
    assert "trustee-id = 4711" in (tmp_path / "cloud.conf").read_text(encoding="utf-8")
    assert run(["upgrade", str(tmp_path), "--to", "1.36", "--format", "json"]) == 1
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :])["base"] == "CCM v1.19.2"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--from", "1.25"], "--from needs --to"),
        (["--to", "1.25", "--from", "1.36"], "1.25 is not newer than 1.36"),
        (["--to", "1.36", "--release", "1.35"], "--to names the release; leave out"),
        (["--to", "9.9"], "9.9"),
    ],
)
def test_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], words: str) -> None:
    (tmp_path / "cloud.conf").write_text(LOGIN, encoding="utf-8")
    assert run(["fix", str(tmp_path), *args]) == 2
    assert words in capsys.readouterr().err
