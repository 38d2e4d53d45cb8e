"""``explain create-monitor`` with files, and ``review --question create-monitor``, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import FATAL, NOTED, RIGHT, Done, run

from ccmcheck import catalog

SECRET = "Canary7Zq9xWv"
WEB = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  healthCheckNodePort: 31000
  ports: [{name: http, port: 80, nodePort: 30080}]
"""
API = WEB.replace("name: web", "name: api").replace("Local", "Cluster").replace("  healthCheckNodePort: 31000\n", "")
BROKEN_SERVICE = WEB.replace("port: 80", "port: eighty")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cloud.conf").write_text(NOTED, encoding="utf-8")
    (tmp_path / "web.yaml").write_text(WEB, encoding="utf-8")
    (tmp_path / "api.yaml").write_text(API, encoding="utf-8")
    return tmp_path


def data(done: Done) -> dict[str, Any]:
    assert done.err == ""
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_explain_walks_the_matrix_for_the_files_given(folder: Path) -> None:
    done = run(
        folder, "explain", "create-monitor", "--cloud-config", "cloud.conf", "web.yaml", "api.yaml", "--nodes", "12"
    )
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Turn create-monitor on\n")
    assert (
        f"Configuration cloud.conf   CCM {catalog.newest()} (assumed: the newest; the same answer from 1.27 on)"
        in done.out
    )
    assert "amphora 12 nodes" in " ".join(done.out.split())
    assert "\n    [LoadBalancer]\n    create-monitor = true\n" in done.out
    assert "Service shop/web   Local   TCP/80   web.yaml:1" in done.out
    assert "  M13       create-monitor: true in cloud.conf: without it traffic goes to nodes" in done.out
    assert "? M18: --monitor-quota" in done.out
    assert "– M05, M07, M20, M08, M09: lb-provider is amphora" in done.out
    assert "Service shop/api   Cluster" in done.out
    assert "  M15       create-monitor: true" in done.out


def test_files_alone_are_enough_and_a_cloud_conf_among_them_is_found(folder: Path) -> None:
    found = data(run(folder, "explain", "create-monitor", ".", "--format", "json"))
    assert found["config"] == "cloud.conf"
    assert [one["row"] for one in found["services"]] == ["M15", "M13"]
    assert data(run(folder, "explain", "create-monitor", "web.yaml", "--format", "json"))["config"] == ""


def test_without_files_it_is_the_keys_page_with_the_matrix(folder: Path) -> None:
    done = run(folder, "explain", "create-monitor")
    assert done.out.startswith("LoadBalancer.create-monitor: Key `create-monitor` of [LoadBalancer]\n")
    assert "Decision matrix: the first row that matches a Service counts" in done.out
    for row in range(1, 21):
        assert f"\n  M{row:02}  " in done.out
    page = data(run(folder, "explain", "create-monitor", "--format", "json"))["pages"][0]
    assert len(page["tables"][0]["rows"]) == 20
    assert page["tables"][0]["rows"][0]["row"] == "M18"


@pytest.mark.parametrize("name", ["M13", "m13", "row:M13"])
def test_a_row_has_a_page(folder: Path, name: str) -> None:
    done = run(folder, "explain", name)
    assert done.out.startswith("M13: Row of the create-monitor matrix\n")
    assert "kubernetes/cloud-provider-openstack#2866" in done.out


def test_json_says_what_to_write_and_why(folder: Path) -> None:
    found = data(
        run(folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "web.yaml", "--nodes=30", "--topology=single",
            "--monitor-quota=9", "--no-client-ip", "--format=json")
    )  # fmt: skip
    assert found["version"] == 3
    assert found["nodes"] == 30
    advised = found["recommendation"]
    assert (advised["value"], advised["now"], advised["given"]) == (True, False, False)
    assert advised["rows"] == ["M13"]
    assert advised["config"] == {"create-monitor": "true"}
    assert advised["timers"] == "upstream"
    assert advised["needs"] == []
    (one,) = found["services"]
    assert (one["service"], one["path"], one["line"]) == ("shop/web", "web.yaml", 1)
    assert [tried["row"] for tried in one["tried"] if tried["matches"] is None] == []
    assert one["tried"][-1] == {"row": "M13", "matches": True, "why": one["why"]}
    assert one["now"]["answers"]["traffic-local"]["good"] is False
    assert one["then"]["answers"]["traffic-local"]["good"] is True


def test_what_is_not_known_is_asked_for(folder: Path) -> None:
    found = data(run(folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "web.yaml", "--format=json"))
    assert found["nodes"] is None
    assert found["recommendation"]["needs"] == ["--nodes"]
    assert found["recommendation"]["timers"] == ""
    assert found["services"][0]["needs"] == ["M18: --monitor-quota", "M12: --client-ip"]


def test_several_releases_each_have_their_answer(folder: Path) -> None:
    arguments = (
        "explain",
        "create-monitor",
        "--cloud-config=cloud.conf",
        "web.yaml",
        "--release=v1.23.0",
        "--release=1.36",
    )
    done = run(folder, *arguments)
    assert done.out.count("Configuration cloud.conf   CCM ") == 2
    found = data(run(folder, *arguments, "--format=json"))
    assert [one["recommendation"]["value"] for one in found["releases"]] == [False, True]


def test_options_reach_the_matrix(folder: Path) -> None:
    def row(*options: str) -> str:
        done = run(
            folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "api.yaml", "--format=json", *options
        )
        return str(data(done)["services"][0]["row"])

    assert row("--release=1.28") == "M15"
    assert row("--release=1.28", "--no-stable-node-set") == "M16"
    assert row("--monitor-quota=0") == "M18"
    assert row("--strict-mtls") == "M15"


def test_a_budget_slows_the_timers(folder: Path) -> None:
    found = data(
        run(folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "api.yaml", "--nodes=12", "--probe-budget=3",
            "--format=json")
    )  # fmt: skip
    assert found["recommendation"]["timers"] == "balanced"
    assert found["recommendation"]["config"]["monitor-delay"] == "10s"


def test_review_answers_the_question(folder: Path) -> None:
    done = run(folder, "review", "--question", "create-monitor", "cloud.conf", "web.yaml", "--nodes=12", "--replicas=3")
    assert (done.code, done.err) == (0, "")
    for heading in (
        "Turn create-monitor on",
        "What are the reasons for setting create-monitor being opt-in?",
        "What changes",
        "The draft's options for externalTrafficPolicy Local",
        "What can break, and what it costs: the worst first",
        "Services, and those that tenants may create",
        "What else would do",
        "What others set",
        "Who switched it on or off, and why",
        "What would change the answer",
    ):
        assert f"\n{heading}" in f"\n{done.out}"
    assert " % at once, 29 % closed" in done.out
    assert "(shop/web: 12 nodes, 3 with a pod)" in " ".join(done.out.split())
    screen = done.out[: done.out.index("The draft's options")].splitlines()
    assert max(map(len, screen)) <= 120
    found = data(run(folder, "review", "--question=create-monitor", "cloud.conf", "web.yaml", "--format=json"))
    assert found["question"].endswith("opt-in?")
    assert {one["who"] for one in found["timeline"]} == {"SCS", "upstream"}


def test_review_writes_the_answer_in_every_form(folder: Path) -> None:
    done = run(
        folder, "review", "--question=create-monitor", "--cloud-config=cloud.conf", "--services=web.yaml", "--format=json",
        "-o", "q.json", "--output-file=markdown=q.md", "--output-file=html=q.html",
    )  # fmt: skip
    assert (done.code, done.out, done.err) == (0, "", "")
    assert json.loads((folder / "q.json").read_text(encoding="utf-8"))["services"][0]["row"] == "M13"
    assert (folder / "q.md").read_text(encoding="utf-8").startswith("## Turn create-monitor on\n")
    assert "<h1>Turn create-monitor on</h1>" in (folder / "q.html").read_text(encoding="utf-8")


def test_a_change_and_the_question_go_together(folder: Path) -> None:
    for side, text in (("base", NOTED), ("head", RIGHT)):
        (folder / side).mkdir()
        (folder / side / "cloud.conf").write_text(text, encoding="utf-8")
        (folder / side / "web.yaml").write_text(WEB, encoding="utf-8")
    arguments = ("review", "base", "head", "--question=create-monitor", "--nodes=12")
    done = run(folder, *arguments)
    assert done.code == 0
    assert "base → head" in done.out
    assert "\nLeave create-monitor on\n" in done.out
    found = data(run(folder, *arguments, "--format=json"))
    assert found["base"] == "base"
    assert [one["recommendation"]["now"] for one in found["questions"]] == [True]
    done = run(folder, *arguments, "--format=html")
    assert done.code == 2
    assert "not both" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("explain", "duration-bad", "--nodes=3"), 2, "go with create-monitor alone"),
        (("explain", "M99"), 2, "nothing to explain by the name `M99`"),
        (("explain", "create-monitor", "nowhere.yaml"), 3, "there is no such file"),
        (("explain", "create-monitor", "--cloud-config=nowhere"), 3, "no such file"),
        (("explain", "create-monitor", "--cloud-config=web.yaml"), 3, "there is no cloud.conf in web.yaml"),
        (("explain", "create-monitor", "--cloud-config=-", "-"), 2, "standard input"),
        (("explain", "create-monitor", "--cloud-config=cloud.conf", "--release=9.9"), 2, "9.9"),
        (
            ("explain", "create-monitor", "--cloud-config=cloud.conf", "--octavia-release=x"),
            2,
            "not a known Octavia release",
        ),
        (("explain", "create-monitor", "--cloud-config=cloud.conf", "--probe-budget=0"), 2, "probe-budget"),
        (("explain", "create-monitor", "--cloud-config=cloud.conf", "--monitor-quota=-2"), 2, "monitor-quota"),
        (("review", "--question=enabled", "."), 2, "create-monitor"),
        (("review", ".", "--client-ip"), 2, "--question"),
        (("review", ".", "--cloud-config=cloud.conf"), 2, "--question"),
    ],
)
def test_what_cannot_be_answered_is_said(folder: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    done = run(folder, *arguments)
    assert done.code == code, done.err
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_service_that_kubernetes_refuses_is_reported_and_the_rest_is_answered(folder: Path) -> None:
    (folder / "refused.yaml").write_text(BROKEN_SERVICE.replace("name: web", "name: bad"), encoding="utf-8")
    done = run(
        folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "web.yaml", "refused.yaml", "nowhere.yaml"
    )
    assert done.code == 3
    assert "nowhere.yaml:" in done.err
    assert "Kubernetes refuses Service shop/bad:" in done.out
    assert "Service shop/web" in done.out
    assert "Service shop/bad  " not in done.out


def test_a_file_that_stops_the_ccm_is_reported_first(folder: Path) -> None:
    (folder / "cloud.conf").write_text(FATAL, encoding="utf-8")
    found = data(run(folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "web.yaml", "--format=json"))
    assert "missing unit" in found["stop"]
    assert found["recommendation"]["value"] is True


def test_a_template_is_reported_as_far_as_it_goes(folder: Path) -> None:
    (folder / "cloud.conf").write_text(RIGHT + "lb-provider = ${PROVIDER}\n", encoding="utf-8")
    found = data(
        run(folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "web.yaml", "--template", "--format=json")
    )
    assert found["recommendation"]["value"] is True
    assert found["provider"] == "amphora or ovn"
    assert found["services"][0]["row"] == "M13 or M08"
    assert "known after rendering only: lb-provider; judged for each of amphora and ovn" in found["notes"]


def test_a_template_whose_conditions_choose_the_provider_is_answered_for_each(folder: Path) -> None:
    chosen = "create-monitor=true\n{% if ovn %}\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\n{% endif %}\n"
    (folder / "cloud.conf").write_text(f"[LoadBalancer]\n{chosen}", encoding="utf-8")
    done = run(folder, "review", "--question", "create-monitor", "--template", ".")
    assert done.out.startswith("Leave create-monitor on\n")
    assert "known after rendering only: lb-method, lb-provider; judged" in " ".join(done.out.split())


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_no_secret_gets_out(folder: Path, form: str) -> None:
    secret = (
        RIGHT.replace("s3cr3t", SECRET)
        + f'[Global]\npassword = {SECRET}\\d\ntrustee-password = "{SECRET}\n[LoadBalancer]\nmonitor-delay = 3\n'
    )
    (folder / "cloud.conf").write_text(secret, encoding="utf-8")
    done = run(folder, "review", "--question=create-monitor", "cloud.conf", "web.yaml", "-v", f"--format={form}")
    assert done.code == 0
    assert SECRET not in done.out + done.err
    if form != "html":
        done = run(folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "web.yaml", f"--format={form}")
        assert SECRET not in done.out + done.err


def test_a_service_with_a_field_that_only_strict_clients_refuse_is_answered(folder: Path) -> None:
    text = (folder / "web.yaml").read_text(encoding="utf-8")
    (folder / "web.yaml").write_text(
        text.replace("spec:\n", "spec:\n  topologyKeys: [a]\n  typo: 1\n"), encoding="utf-8"
    )
    done = run(folder, "explain", "create-monitor", "--cloud-config=cloud.conf", "web.yaml")
    assert done.code == 0, done.err
    assert "Kubernetes refuses" not in done.out
    assert "Service shop/web: unknown field `typo`" in done.out
    assert "Service shop/web: `topologyKeys` is not a field since Kubernetes 1.22" in done.out
    assert "shop/web" in done.out


def test_a_service_that_an_overlay_patches_which_cannot_be_built_is_not_judged(folder: Path) -> None:
    (folder / "overlay").mkdir()
    (folder / "overlay" / "monitor.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\n  annotations:\n"
        '    loadbalancer.openstack.org/enable-health-monitor: "true"\nspec:\n  type: LoadBalancer\n',
        encoding="utf-8",
    )
    done = run(folder, "review", "--question=create-monitor", "cloud.conf", "web.yaml", "overlay", "--format=json")
    found = data(done)
    assert [one["service"] for one in found["services"] if not one["stand_in"]] == []
    (note,) = [note for note in found["notes"] if "shop/web" in note]
    assert note.startswith("Service shop/web is not judged: overlay/monitor.yaml patch")


def test_a_base_that_is_only_used_through_overlays_is_no_service_of_its_own(folder: Path) -> None:
    for name, text in {
        "base/kustomization.yaml": "kind: Kustomization\nresources: [made-by-a-script.yaml]\n",
        "base/web-v1.yaml": WEB,
        "monitor/kustomization.yaml": "kind: Kustomization\nresources: [../base]\npatches: [{path: monitor.yaml}]\n",
        "monitor/monitor.yaml": "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\n"
        '  annotations:\n    loadbalancer.openstack.org/enable-health-monitor: "true"\nspec: {type: LoadBalancer}\n',
        "cloud.conf": NOTED,
    }.items():
        path = folder / "of-overlays" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = data(run(folder, "review", "--question=create-monitor", "of-overlays", "--format=json"))
    assert [one["service"] for one in found["services"] if not one["stand_in"]] == []
    assert [row["now"] for row in found["motion"] if row["label"] == "monitors"] == ["none"]
    assert "of-overlays/monitor/monitor.yaml patch it" in " ".join(found["notes"])
    assert "Kubernetes refuses" not in " ".join(found["notes"])
