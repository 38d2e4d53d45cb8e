"""`cluster lint`: how its findings name objects and fields, and by which options it judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from api_server import (
    CONF,
    UID,
    cluster,
    kubeconfig,
    service,
    serving,
)
from cluster_runs import lint, rules, run
from live_objects import CCM, SERVICES

from ccmcheck.report import REPORTERS

if TYPE_CHECKING:
    from pathlib import Path


def test_the_first_line_says_which_cluster_it_is(tmp_path: Path) -> None:
    server = cluster()
    done = lint(tmp_path, server)
    assert done.out.splitlines()[0] == f"Cluster: context test, http://127.0.0.1:{server.port}, kube-system {UID}"


def test_findings_name_the_object_and_the_line_of_the_cloud_conf(tmp_path: Path) -> None:
    done = lint(tmp_path, cluster())
    assert done.code == 1
    assert "Secret kube-system/cloud-config:11:17  error  duration-bad  fatal: the CCM stops at this line" in done.out
    assert "   … › line 11\n   11 │ monitor-delay = 5\n" in done.out
    assert 'Secret kube-system/cloud-config › data["cloud.conf"] (base64) › line 3' in done.out


def test_findings_about_services_name_the_field(tmp_path: Path) -> None:
    done = lint(tmp_path, cluster())
    annotation = '["loadbalancer.openstack.org/enable-health-monitor"]'
    assert f"Service shop/web › metadata.annotations{annotation}\n" in done.out


def test_the_release_is_the_image_s_even_where_the_configuration_names_another(tmp_path: Path) -> None:
    (tmp_path / "ccmcheck.toml").write_text('release = "1.20"\n')
    done = lint(tmp_path, cluster(), "--format", "json")
    summary = done.report["summary"]
    assert summary["releases"] == ["v1.31.2"]
    assert summary["release_source"] == f"from DaemonSet kube-system/{CCM}"


def test_an_option_wins_over_the_image(tmp_path: Path) -> None:
    done = lint(tmp_path, cluster(), "--format", "json", "--release", "1.36")
    assert done.report["summary"]["releases"] != ["v1.31.2"]


def test_the_kubernetes_version_is_the_api_server_s(tmp_path: Path) -> None:
    server = cluster()
    server.objects["/version"] = {"gitVersion": "v1.28.3+k3s1"}
    assert "ccm-image-skew" in rules(lint(tmp_path, server, "--format", "json"))
    assert "ccm-image-skew" not in rules(lint(tmp_path, cluster(), "--format", "json"))


@pytest.mark.parametrize("name", REPORTERS)
def test_every_format_reports_the_findings_and_no_secret(name: str, tmp_path: Path) -> None:
    done = lint(tmp_path, cluster(), "--format", name)
    assert done.code == 1
    assert "monitor-delay" in done.out or "duration-bad" in done.out
    assert UID in done.said
    assert "hunter2" not in done.said
    assert ".yaml" not in done.out  # what the engine calls the objects


def test_a_baseline_hides_what_it_counts(tmp_path: Path) -> None:
    assert lint(tmp_path, cluster(), "--write-baseline", "known.json").code == 0
    done = lint(tmp_path, cluster(), "--baseline", "known.json")
    assert done.code == 0
    assert "in the baseline" in done.out


def test_no_local_file_is_read_under_the_name_of_an_object(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "ccmcheck.toml").write_text('ignore = ["svc-local-no-monitor"]\n')
    (folder / "Service web.yaml").write_text("[Global]\nbogus = 1\n")
    done = lint(tmp_path, cluster(), "--format", "json")
    assert "svc-local-no-monitor" in rules(done)
    assert "bogus" not in done.out


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif"])
def test_objects_are_no_files_of_the_repository_around(name: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    folder = tmp_path / "below"
    folder.mkdir()
    done = lint(folder, cluster(), "--format", name)
    assert "cloud-config" in done.out
    assert "below" not in done.out


def test_a_context_is_selected_and_named(tmp_path: Path) -> None:
    assert lint(tmp_path, cluster(), "--context", "other").out.startswith("Cluster: context other, ")


def test_the_kubeconfig_of_the_environment_is_used(tmp_path: Path) -> None:
    with serving(cluster()) as server:
        config = kubeconfig(tmp_path, server)
        assert run(tmp_path, "lint", KUBECONFIG=str(config)).code == 1


@pytest.mark.parametrize("form", ["text", "concise", "json", "markdown", "sarif"])
def test_the_password_of_the_ccm_shows_in_no_other_object(form: str, tmp_path: Path) -> None:
    server = cluster(CONF.replace("[LoadBalancer]", "password = S3cr3t-of-the-ccm\n[LoadBalancer]"))
    annotation = {"loadbalancer.openstack.org/timeout-client-data": "S3cr3t-of-the-ccm"}
    server.add(SERVICES, service("copied", annotations=annotation), kind="Service")
    done = lint(tmp_path, server, "-vv", "--format", form)
    assert "svc-annotation-value" in done.out
    assert "S3cr3t" not in done.said
