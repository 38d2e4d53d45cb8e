"""Moves from one provider to another: the new cloud.conf, and what becomes of the load balancers that are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from acts_migrated import CONFIGS, LOGIN, SECRET, SUBNETS

from ccmcheck import catalog, gcfg
from ccmcheck.cli.main import run
from ccmcheck.conf.reading import read
from ccmcheck.policy.migrations.facts import ANY, IN_CSI, IN_TREE, NEUTRON, OCTAVIA, OVN, migration_facts

INTERNAL = "service.beta.kubernetes.io/openstack-internal-load-balancer"


def service(name: str, port: str = "{name: a, port: 80, nodePort: 30080}", annotations: str = "") -> str:
    return (
        "apiVersion: v1\nkind: Service\n"
        f"metadata: {{name: {name}, namespace: shop, uid: 1c2d3e4f-0000-4000-8000-00000000000{len(name)}, "
        f"annotations: {{{annotations}}}}}\n"
        f"spec: {{type: LoadBalancer, ports: [{port}]}}\n"
    )


def moved(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    conf: str,
    *services: str,
    to: str = "1.31",
    old: str = "in-tree@1.20",
) -> dict[str, Any]:
    (tmp_path / "cloud.conf").write_text(conf, encoding="utf-8")
    (tmp_path / "services.yaml").write_text("---\n".join(services), encoding="utf-8")
    assert run(["upgrade", "--from", old, "--to", to, str(tmp_path), "--nodes=3", "--format=json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["migrations"]
    return dict(found)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_new_cloud_conf_is_read_as_before_but_for_what_the_page_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    conf = CONFIGS[name]
    found = moved(tmp_path, capsys, conf)
    kept_rows = [one for one in found["keys"] if one["becomes"] == "the same" or one["becomes"].startswith("stays")]
    gone = {(one["section"], one["key"]) for one in found["keys"] if one not in kept_rows}
    removed = [line[1:].split("=")[0].strip() for line in found["diff"] if line.startswith("-") and "=" in line]
    assert sorted(removed) == sorted(key for _, key in gone)
    kept = "".join(f"{line}\n" for line in conf.splitlines() if line.split("=")[0].strip() not in removed)
    schema = catalog.schema("1.31")
    after = read(gcfg.parse(kept), schema)
    assert after.error is None
    assert not [one for one in after.ignored if "key" in one]
    for section, key in gone:
        known = schema.section(section)
        assert known is None or known.key(key) is None


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
@pytest.mark.parametrize("name", CONFIGS)
def test_no_secret_shows_in_any_form(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, form: str) -> None:
    (tmp_path / "cloud.conf").write_text(CONFIGS[name], encoding="utf-8")
    assert run(["upgrade", "--from", "in-tree@1.20", "--to", "1.31", str(tmp_path), "--format", form]) == 1
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err
    assert "None" not in printed.out


def test_a_load_balancer_that_is_not_renamed_is_found_by_its_old_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = moved(
        tmp_path, capsys, CONFIGS["playbook"], service("web"), service("inner", annotations=f'{INTERNAL}: "true"')
    )
    changes = {one["service"]: one for one in found["review"]["services"]}
    web, inner = changes["shop/web"], changes["shop/inner"]
    assert (web["fate"], web["health_after"]) == ("reconciled", "works")
    assert not any(one["method"] == "POST" and one["path"].endswith("/loadbalancers") for one in web["requests"])
    # the second reconcile knows the load balancer by its ID, and compares its name (v1.31.2 loadbalancer.go:1666)
    assert (inner["fate"], inner["health_after"]) == ("stuck", "goes on unmanaged")
    assert inner["after"]["error"] == "internal Service cannot share a load balancer"


def test_what_only_the_ccm_reads_comes_to_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proxy = 'loadbalancer.openstack.org/proxy-protocol: "true"'
    found = moved(
        tmp_path,
        capsys,
        CONFIGS["playbook"],
        service("web", annotations=proxy),
        service("dns", "{port: 53, protocol: UDP}"),
    )
    changes = {one["service"]: one for one in found["review"]["services"]}
    facts = {fact["name"]: fact["after"] for fact in changes["shop/web"]["facts"]}
    assert facts["annotation"] == "proxy-protocol counts"
    assert "PROXY" in facts["protocols"]
    assert (changes["shop/dns"]["health_before"], changes["shop/dns"]["fate"]) == ("does not work", "created")


def test_neutron_lbaas_cannot_be_migrated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = moved(tmp_path, capsys, CONFIGS["guide"], service("web"))
    assert any("Neutron LBaaS" in one["text"] for one in found["cannot"])
    assert not any("openstack loadbalancer set" in one["text"] for one in found["steps"])
    assert found["live"] == []
    (web,) = found["review"]["services"]
    assert web["fate"] == "unknown"
    assert run(["upgrade", "--from", "in-tree@1.20", "--to", "1.31", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "1 Service gets a new load balancer." in said
    assert "what becomes of it is not known" not in said


def test_the_csi_drivers_own_cloud_conf_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moved(tmp_path, capsys, f"{CONFIGS['guide']}\n[BlockStorage]\nbs-version = v2\nignore-volume-az = true\n")
    assert run(["upgrade", "--from", "in-tree@1.20", "--to", "1.31", str(tmp_path)]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    own = "The CSI driver's own cloud.conf, below the same [Global]: [BlockStorage] ignore-volume-az = true Steps"
    assert own in shown
    csi = [one for one in migration_facts(IN_TREE).keys if one.becomes == IN_CSI]
    assert {one.key for one in csi} >= {"ignore-volume-az", "node-volume-attach-limit"}


def test_a_key_that_neither_reads_has_a_row_without_its_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    conf = f"{CONFIGS['guide']}\n[LoadBalancer]\nmade-up-key = {SECRET}\nmanage-security-groups2 = 1\nflavor-id = f\n"
    found = moved(tmp_path, capsys, conf)
    rows = {one["key"]: (one["value"], one["becomes"]) for one in found["keys"]}
    assert rows["made-up-key"] == ("", "stays: neither reads it")
    assert rows["flavor-id"] == ("", "stays, and is read from now on")
    assert any(one["title"] == "Way back" and "name aUID" in one["text"] for one in found["steps"])


def test_what_ends_a_reader_is_said_and_leaves_octavia_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conf = CONFIGS["playbook"].replace("use-octavia = true", "use-octavia = ${OCTAVIA}")
    found = moved(tmp_path, capsys, conf)
    assert len(found["stops"]) == 1
    assert found["stops"][0].startswith("the provider inside Kubernetes reads the file now, and ends: ")
    assert {one["about"] for one in (*found["cannot"], *found["live"])} == {ANY, OCTAVIA, NEUTRON}


def test_a_deployment_that_is_not_there_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cloud.conf").write_text(CONFIGS["guide"], encoding="utf-8")
    assert run(["upgrade", "--from", "in-tree@1.20", "--deployment", "nope", str(tmp_path)]) == 2
    assert "nope" in capsys.readouterr().err


def test_a_page_shows_one_cloud_conf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "cloud.conf").write_text(CONFIGS["guide"], encoding="utf-8")
    assert run(["upgrade", "--from", "in-tree@1.20", str(tmp_path), "--format", "html"]) == 2
    assert "--deployment" in capsys.readouterr().err
    assert run(["upgrade", "--from", "in-tree@1.20", str(tmp_path), "--format", "html", "--deployment", "*/a/*"]) == 1


def test_to_ovn_everything_is_created_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conf = f"[Global]\n{LOGIN}[LoadBalancer]\n{SUBNETS}"
    found = moved(tmp_path, capsys, conf, service("web"), old="amphora@1.31", to="ovn")
    added = {one["key"]: one["becomes"] for one in found["keys"] if not one["value"]}
    assert added["lb-provider"] == "lb-provider = ovn"
    assert added["lb-method"] == "lb-method = SOURCE_IP_PORT"
    (web,) = found["review"]["services"]
    assert any("keeps its provider (amphora)" in line for line in web["stays"])
    assert any("delete each Service" in one["text"] for one in found["steps"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("in-tree@1.20", "ovn", "A move is from in-tree to a release"),
        ("in-tree@1.30", "1.31", "is not known"),
        ("1.31", "ovn", "A move is from in-tree to a release"),
        ("in-tree@1.20", "1.99", "is not known"),
    ],
)
def test_what_is_no_move_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    (tmp_path / "cloud.conf").write_text(CONFIGS["guide"], encoding="utf-8")
    assert run(["upgrade", "--from", old, "--to", new, str(tmp_path)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", [IN_TREE, OVN])
def test_every_fact_has_a_source_and_says_whom_it_is_about(name: str) -> None:
    facts = migration_facts(name)
    for one in (*facts.steps, *facts.live, *facts.cannot):
        assert one.text
        assert one.source
        assert one.about in (ANY, OCTAVIA, NEUTRON)
        assert one.severity in ("error", "warning", "info")
    assert all(one.title and one.text.endswith(".") for one in facts.steps)


def test_every_key_that_the_ccm_does_not_read_has_its_fate() -> None:
    known = {(one.section, one.key) for one in migration_facts(IN_TREE).keys}
    old, new = catalog.schema("1.20", "legacy-in-tree"), catalog.schema("1.31")
    gone = {
        (section.name, key.name)
        for section in old.sections
        for key in section.keys
        if (there := new.section(section.name)) is None or there.key(key.name) is None
    }
    assert gone == known
