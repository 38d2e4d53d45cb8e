"""``ccmcheck review`` as a user runs it: files, folders, revisions, forms, exit codes, and what goes wrong."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import pytest
from command_line import RIGHT, environment, git, put, run

OFF = RIGHT.replace("create-monitor = true\n", "")
FATAL = RIGHT + "monitor-delay = 3\n"
SERVICES = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  healthCheckNodePort: 31000
  ports:
  - {name: http, port: 80, nodePort: 30080}
"""
CCM = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: openstack-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:TAG
        args: [--cloud-config=/etc/config/cloud.conf]
"""


def secret(conf: str) -> str:
    """A Secret with a cloud.conf."""
    encoded = base64.b64encode(conf.encode()).decode()
    metadata = "metadata: {name: cloud-config, namespace: kube-system}"
    return f"apiVersion: v1\nkind: Secret\n{metadata}\ndata:\n  cloud.conf: {encoded}\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two files and the Services."""
    return put(tmp_path, {"off.conf": OFF, "on.conf": RIGHT, "fatal.conf": FATAL, "services.yaml": SERVICES})


def test_two_files(files: Path) -> None:
    done = run(files, "review", "off.conf", "on.conf", "--services", "services.yaml", "--nodes", "3")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(
        "off.conf → on.conf: of one Service 1 starts working\n"
        "0 still broken, 1 better, 1 warning; load balancers: 1 reconciled\n"
    )
    assert "\n  [LoadBalancer] create-monitor: false → true (not set before)\n" in done.out
    short = run(files, "review", "off.conf", "on.conf", "--services", "services.yaml", "--nodes", "3", "--quiet")
    assert done.out.startswith(short.out.partition("\n\n")[0])
    assert len(short.out.partition("\n\n")[0].splitlines()) == 6


@pytest.mark.parametrize(
    ("base", "head", "fail_on", "code"),
    [
        ("on.conf", "off.conf", "error", 1),
        ("off.conf", "on.conf", "error", 0),
        ("off.conf", "on.conf", "warning", 1),
        ("off.conf", "fatal.conf", "error", 1),
        ("on.conf", "on.conf", "info", 0),
    ],
)
def test_the_exit_code_is_about_what_gets_worse(files: Path, base: str, head: str, fail_on: str, code: int) -> None:
    done = run(files, "review", base, head, "--services", "services.yaml", "--fail-on", fail_on)
    assert done.code == code


def test_standard_input_is_one_of_the_two(files: Path) -> None:
    done = run(files, "review", "-", "on.conf", "--services", "services.yaml", stdin=OFF.encode())
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("<stdin> → on.conf: of one Service 1 starts working\n")


def test_nothing_changes(files: Path) -> None:
    done = run(files, "review", "on.conf", "on.conf", "--services", "services.yaml")
    assert (done.code, done.out) == (0, "on.conf → on.conf: nothing changes\n")


def test_without_services_the_configuration_is_compared(files: Path) -> None:
    done = run(files, "review", "off.conf", "on.conf", "-v")
    assert done.code == 0
    assert "off.conf → on.conf: of 2 stand-in Services 1 starts working" in done.out
    assert "any-cluster and any-local, stands in" in done.out
    assert "There is no Service of type LoadBalancer" in done.out


def test_a_config_beside_the_services_does_not_stand_in(files: Path) -> None:
    put(files, {"live/cloud.conf": OFF, "live/web.yaml": SERVICES})
    done = run(files, "review", "off.conf", "on.conf", "--services", "live")
    assert "of one Service 1 starts working" in done.out
    put(files, {"new/web.yaml": SERVICES.replace("externalTrafficPolicy: Local\n  healthCheckNodePort: 31000", "")})
    turned = run(files, "review", "live/web.yaml", "new/web.yaml", "--services", "on.conf", "-v")
    assert "Configuration on.conf" in turned.out
    assert "PUT healthmonitors" not in turned.out
    assert "DELETE healthmonitors, POST healthmonitors" in turned.out


@pytest.mark.parametrize("changing", ["a.conf", "b.conf"])
def test_a_service_near_two_cloud_confs_is_one_of_each_deployment(tmp_path: Path, changing: str) -> None:
    for side in ("base", "head"):
        put(tmp_path / side, {"a.conf": OFF, "b.conf": OFF + "# b\n", "web.yaml": SERVICES})
    put(tmp_path / "head", {changing: RIGHT})
    done = run(tmp_path, "review", "base", "head")
    (other,) = {"a.conf", "b.conf"} - {changing}
    assert "of 2 Services 1 starts working" in done.out
    assert f"still broken: shop/web (web.yaml with {other}): unless every node runs a pod of this Service" in done.out
    selected = run(tmp_path, "review", "base", "head", "--deployment", changing)
    assert "of one Service 1 starts working" in selected.out


def test_a_config_that_no_service_goes_by(tmp_path: Path) -> None:
    for side, conf in (("base", OFF), ("head", RIGHT)):
        put(tmp_path / side, {"near/a.conf": OFF, "near/web.yaml": SERVICES, "far/b.conf": conf})
    done = run(tmp_path, "review", "base", "head")
    assert "far/b.conf: no Service here is judged by it: another cloud.conf is nearer" in done.out


def test_folders_and_carriers(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "a/prod/secret.yaml": secret(OFF),
            "a/prod/web.yaml": SERVICES,
            "b/live/cloud.yaml": secret(RIGHT),
            "b/live/web.yaml": SERVICES,
        },
    )
    done = run(tmp_path, "review", "a", "b", "--format", "json")
    data = json.loads(done.out)
    (service,) = data["services"]
    assert (service["old_path"], service["path"], service["change"]) == ("prod/web.yaml", "live/web.yaml", "moved")
    (config,) = data["configs"]
    assert config["change"] == "changed"
    assert config["old_title"].startswith("prod/secret.yaml")
    assert [setting["key"] for setting in config["settings"]] == ["create-monitor"]


@pytest.mark.parametrize("form", ["text", "markdown", "json", "html"])
def test_every_form_goes_to_files_too(files: Path, form: str) -> None:
    command = ("review", "off.conf", "on.conf", "--services", "services.yaml", "--format", form)
    shown = run(files, *command)
    assert shown.code == 0
    written = run(files, *command, "--output", "x", "--output-file", f"{form}=y", "--output-file", "text=z")
    assert (written.code, written.out) == (0, "")
    assert (files / "x").read_text(encoding="utf-8") == shown.out == (files / "y").read_text(encoding="utf-8")
    assert (files / "z").read_text(encoding="utf-8").startswith("off.conf → on.conf: ")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two clusters and three commits."""
    put(
        tmp_path,
        {
            "prod/secret.yaml": secret(OFF),
            "prod/web.yaml": SERVICES,
            "prod/ccm.yaml": CCM.replace("TAG", "v1.29.0"),
            "dev/secret.yaml": secret(OFF),
            "dev/web.yaml": SERVICES,
            "logo.png": b"\x89PNG\r\n\x1a\n\x00\xff",
        },
    )
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    git(tmp_path, "tag", "first")
    put(tmp_path, {"prod/secret.yaml": secret(RIGHT)})
    git(tmp_path, "commit", "-qam", "two")
    git(tmp_path, "mv", "dev", "test")
    git(tmp_path, "commit", "-qam", "three")
    return tmp_path


def state(folder: Path) -> list[str]:
    """What git sees of the work tree, the index and the branches."""
    env = environment(folder, GIT_CONFIG_NOSYSTEM="1")
    return [
        subprocess.run(["git", *command], cwd=folder, env=env, check=True, capture_output=True).stdout.decode()
        for command in (["status", "--porcelain"], ["rev-parse", "HEAD"], ["ls-files", "-s"], ["stash", "list"])
    ]


def test_two_revisions(repository: Path) -> None:
    before = state(repository)
    done = run(repository, "review", "--git", "first..HEAD", "--format", "json")
    data = json.loads(done.out)
    assert (done.code, data["base"], data["head"]) == (0, "first", "HEAD")
    services = {one["path"]: one for one in data["services"]}
    assert services["prod/web.yaml"]["fate"] == "reconciled"
    assert services["prod/web.yaml"]["after"]["release"] == "v1.29.0"
    assert (services["test/web.yaml"]["fate"], services["test/web.yaml"]["change"]) == ("not touched", "moved")
    assert {one["change"] for one in data["configs"]} == {"changed", "moved"}
    assert state(repository) == before


@pytest.mark.parametrize("revisions", ["first..", "first...HEAD", "first..main", "HEAD~2..HEAD", "first^{tree}..HEAD"])
def test_ways_to_name_revisions(repository: Path, revisions: str) -> None:
    done = run(repository, "review", "--git", revisions)
    assert "of 2 Services 1 starts working" in done.out


def test_against_the_work_tree(repository: Path) -> None:
    assert "nothing changes" in run(repository, "review", "--git", "HEAD").out
    put(repository, {"prod/secret.yaml": secret(OFF), "new/web.yaml": SERVICES.replace("web", "new")})
    done = run(repository, "review", "--git", "HEAD")
    assert done.code == 1
    # new/ is as near to the cloud.conf of prod as to that of test, so its Service may be of both clusters
    assert "HEAD → the work tree: of 4 Services 1 begins to lose connections, 2 are new" in done.out
    assert "2 created" in done.out


def test_an_object_that_git_lacks(repository: Path) -> None:
    names = subprocess.run(
        ["git", "rev-parse", "HEAD:prod/secret.yaml"], cwd=repository, check=True, capture_output=True, text=True
    )
    blob = names.stdout.strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    done = run(repository, "review", "--git", "first..HEAD")
    assert (done.code, done.out) == (3, "")
    assert f"git cannot read the object {blob}" in done.err


def test_a_part_of_the_tree(repository: Path) -> None:
    assert "nothing changes" in run(repository, "review", "--git", "first..HEAD~1", "dev").out
    assert "1 starts working" in run(repository, "review", "--git", "first..HEAD", "prod").out
    assert "1 starts working" in run(repository / "prod", "review", "--git", "first..HEAD").out
    one = run(repository, "review", "--git", "first..HEAD", "prod/secret.yaml")
    assert "of 2 stand-in Services 1 starts working" in one.out


def test_another_image_is_another_release(repository: Path) -> None:
    put(repository, {"prod/ccm.yaml": CCM.replace("TAG", "v1.36.0")})
    done = run(repository, "review", "--git", "HEAD", "prod")
    assert "CCM v1.29.0 → v1.36.0 (from prod/ccm.yaml)" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((), 2, "two files or folders"),
        (("on.conf",), 2, "two files or folders"),
        (("on.conf", "off.conf", "on.conf"), 2, "two files or folders"),
        (("on.conf", "nothing.conf"), 3, "nothing.conf: there is no such file or folder"),
        (("HEAD~", "HEAD"), 3, "Revisions are compared with `ccmcheck review --git HEAD~..HEAD`."),
        (("on.conf", "logo.png"), 3, "neither a cloud.conf nor a Service in logo.png"),
        (("-", "-"), 2, "two files or folders"),
        (("--git", "HEAD"), 2, "in no git repository"),
        (("on.conf", "off.conf", "--release", "1.99"), 2, "1.99"),
        (("on.conf", "off.conf", "--release", "1.31", "--from", "1.30"), 2, "--release is both"),
        (("on.conf", "off.conf", "--output-file", "pdf=x"), 2, 'no format "pdf"'),
        (("on.conf", "off.conf", "--output-file", "markdown"), 2, "names no file"),
        (("on.conf", "off.conf", "--octavia-release", "z"), 2, "not a known Octavia release"),
        (("on.conf", "off.conf", "--services", "gone"), 3, "gone: there is no such file or folder"),
        (("on.conf", "off.conf", "--services", "logo.png"), 3, "there is no Service in logo.png"),
    ],
)
def test_wrong_use_is_reported(tmp_path: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    put(tmp_path, {"on.conf": RIGHT, "off.conf": OFF, "logo.png": b"\x89PNG\x00\xff"})
    done = run(tmp_path, "review", *arguments, GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert done.code == code
    assert says in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("revisions", "paths", "code", "says"),
    [
        ("mian..HEAD", (), 2, "Did you mean `main`?"),
        ("HEAD..fisrt", (), 2, "Did you mean `first`?"),
        ("nothing-like-it", (), 2, "git fetch"),
        ("--upload-pack=x..HEAD", (), 2, "knows no revision"),
        ("first..HEAD", ("gone",), 3, "there is no gone in first or in HEAD"),
        ("HEAD", ("gone/web.yaml",), 3, "there is no gone/web.yaml in HEAD or in the work tree"),
    ],
)
def test_wrong_revisions_are_reported(
    repository: Path, revisions: str, paths: tuple[str, ...], code: int, says: str
) -> None:
    done = run(repository, "review", f"--git={revisions}", *paths)
    assert done.code == code
    assert says in done.err
    assert "Traceback" not in done.err


def test_a_broken_manifest_is_reported_and_the_rest_compared(files: Path) -> None:
    put(files, {"a/cloud.conf": OFF, "a/s.yaml": SERVICES, "b/cloud.conf": RIGHT, "b/s.yaml": SERVICES})
    put(files, {"b/broken.yaml": "kind: Secret\nstringData:\n  cloud.conf: [a\n"})
    done = run(files, "review", "a", "b")
    assert done.code == 3
    assert "1 starts working" in done.out
    assert "b: broken.yaml:" in done.err
    turned = run(files, "review", "b", "a")
    assert turned.code == 1  # what cannot be read before the change does not count against it


def test_a_template_is_compared_as_far_as_it_goes(tmp_path: Path) -> None:
    template = RIGHT.replace("RegionOne", "${REGION}").replace("create-monitor = true", "create-monitor = ${MONITOR}")
    put(
        tmp_path,
        {
            "a/cloud.conf.tmpl": template,
            "b/cloud.conf.tmpl": template.replace("${MONITOR}", "true"),
            "s.yaml": SERVICES,
        },
    )
    done = run(tmp_path, "review", "a", "b", "--services", "s.yaml")
    assert done.code == 0
    assert "[LoadBalancer] create-monitor: ${MONITOR} → true" in done.out
    filled = run(tmp_path, "review", "a", "a", "--services", "s.yaml", "--var", "MONITOR=true")
    assert "nothing changes" in filled.out


def test_a_new_provider_opens_no_load_balancer_that_keeps_the_old_one(files: Path) -> None:
    put(
        files,
        {
            "amphora.conf": OFF,
            "ovn.conf": f"{OFF}lb-provider=ovn\nlb-method=SOURCE_IP_PORT\n",
            "some.yaml": SERVICES.replace("  ports:", "  loadBalancerSourceRanges: [192.0.2.0/24]\n  ports:", 1),
        },
    )
    done = run(files, "review", "amphora.conf", "ovn.conf", "--services", "some.yaml")
    assert "keeps its provider" in done.out
    assert "keep the ranges that they have" in done.out
    assert "everybody gets in" not in done.out
    new = run(files, "predict", "--cloud-config", "ovn.conf", "some.yaml", "-v")
    assert "everybody gets in" in new.out


def test_quiet_keeps_errors_and_warnings(files: Path) -> None:
    loud = run(files, "review", "on.conf", "off.conf", "--services", "services.yaml")
    short = run(files, "review", "on.conf", "off.conf", "--services", "services.yaml", "--quiet")
    points = [line for line in loud.out.splitlines() if line.startswith(("✗", "!"))]
    assert points
    assert [line for line in short.out.splitlines() if line.startswith(("✗", "!"))] == points
    assert "Service shop" not in short.out
