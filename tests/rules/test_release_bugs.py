"""Each bug of a release is told of where a made-up deployment meets its condition, at its releases, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from casework import conf_of as conf_of_case
from casework import problems_of
from rule_cases import Case

from ccmcheck import catalog
from ccmcheck.base.model import Problem, Severity
from ccmcheck.carriers.base import IN_TREE, lone_conf
from ccmcheck.catalog.behaviour import behaves, behaviour_changes, fixed_in
from ccmcheck.catalog.data.behaviour import WITHOUT, stretches
from ccmcheck.catalog.data.release_bugs import BUGS, SERVICE_CONDITIONS, ReleaseBug
from ccmcheck.catalog.data.releases import BRANCHES
from ccmcheck.catalog.release_bugs import UNMENDED, bugs_of, listed, place_of, told, words_of
from ccmcheck.catalog.releases import Release
from ccmcheck.catalog.upgrade_path import tags, upgrade_path
from ccmcheck.cli.main import main
from ccmcheck.conf.target_release import known_release
from ccmcheck.conf.view import CloudConf
from ccmcheck.predict.inputs.options import read_options
from ccmcheck.predict.inputs.service_conditions import ABOUT_SERVICES, MetCase, is_about_services
from ccmcheck.review.upgrade.behaviour_changes import behaviour_effects
from ccmcheck.rules.loadbalancer.ccm_release_bug import check

OF_CCM = tuple(bug for bug in BUGS if bug.program == "ccm")
OF_IN_TREE = tuple(bug for bug in BUGS if bug.program == IN_TREE)
OF_DRIVERS = tuple(bug for bug in BUGS if bug.program not in ("ccm", IN_TREE))
FIRST = catalog.release("v1.14.0")
"""Older releases have other keys."""


def conf_of(text: str, at: Release) -> CloudConf:
    return conf_of_case(Case(text, release=at.name))


def deployment(bug: ReleaseBug, *, excluded: bool = False) -> str:
    """A cloud.conf that meets a bug's condition, or one that excludes it."""
    sections: dict[str, list[str]] = {"Global": ["auth-url = https://k"], "LoadBalancer": ["use-octavia = true"]}
    if any("class" in one for one in bug.service):
        sections['LoadBalancerClass "a"'] = ["subnet-id = abc"]
    for condition in (*bug.on, *(bug.without if excluded else ())):
        path, _, wanted = condition.partition("=")
        section, _, key = path.rpartition(".")
        is_switch = key in (
            "enable-ingress-hostname",
            "manage-security-groups",
            "create-monitor",
            "use-clouds",
            "tlsinsecure",
            "ignore-volume-az",
            "use-octavia",
        )
        value = wanted or ("true" if is_switch else "ROUND_ROBIN" if key == "lb-method" else "abc")
        if excluded and condition in bug.on:
            value = {"true": "false", "false": "true"}.get(value, "")
        sections.setdefault(section or "LoadBalancer", []).append(f"{key} = {value}")
    return "".join(f"[{name}]\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items())


def names(problems: list[Problem], bug: ReleaseBug) -> bool:
    """Whether findings tell of a bug, alone or among others."""
    return any(bug.label in problem.label or bug.label in problem.detail for problem in problems)


def knows_keys(bug: ReleaseBug, at: Release) -> bool:
    for condition in (*bug.on, *bug.without):
        section, _, key = condition.partition("=")[0].rpartition(".")
        found = catalog.schema(at).section(section or "LoadBalancer")
        if found is None or found.key(key) is None:
            return False
    return True


@pytest.mark.parametrize("bug", OF_CCM, ids=[bug.behaviour for bug in OF_CCM])
def test_it_is_told_of_at_its_releases_alone(bug: ReleaseBug, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = bug._replace(
        label="has another bug", on=(), without=(), service=(), when="", minor=False, everywhere=True
    )  # which is always told of
    monkeypatch.setattr(f"{check.__module__}.bugs_of", lambda _, at: (bug, beside) * behaves(bug.behaviour, at))
    inside, told_at = [], []
    for at in [at for at in tags() if at.at_least(FIRST.name) and knows_keys(bug, at)]:
        problems = list(check(conf_of(deployment(bug), at)))
        inside += [at.name] * behaves(bug.behaviour, at)
        told_at += [at.name] * names(problems, bug)
        for problem in problems:
            is_own = problem.label.endswith(bug.label) and "known bugs" not in problem.label
            assert problem.severity is (None if is_own else Severity.INFO)
            own = bool(bug.on) and not (bug.when or bug.may or bug.service)
            assert is_own is own or "another bug" in problem.label
            assert fixed_in(bug.behaviour, at) in problem.help
        if bug.on or bug.without:
            assert not names(list(check(conf_of(deployment(bug, excluded=True), at))), bug)
    assert told_at == inside


@pytest.mark.parametrize("bug", OF_IN_TREE, ids=[bug.behaviour for bug in OF_IN_TREE])
def test_one_of_the_in_tree_provider_is_told_of_at_its_versions_alone(
    bug: ReleaseBug, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = bug._replace(label="has another bug", on=(), without=(), when="", minor=False, everywhere=True)
    monkeypatch.setattr(f"{check.__module__}.bugs_of", lambda _, at: (bug, beside) * behaves(bug.behaviour, at))
    text = deployment(bug)
    text = text if "use-octavia" in bug.on else text.replace("use-octavia = true", "lb-method = ROUND_ROBIN")
    for name in (
        "v1.4.4",
        "v1.5.1",
        "v1.7.5",
        "v1.8.1",
        "v1.9.2",
        "v1.9.6",
        "v1.10.4",
        "v1.15.10",
        "v1.16.4",
        "v1.24.1",
    ):
        at = catalog.release(name, IN_TREE)
        conf = CloudConf.read(lone_conf(text)._replace(consumers=(IN_TREE,)), at, IN_TREE)
        problems = list(check(conf))
        known = all(conf.schema.section(one.rpartition(".")[0] or "LoadBalancer") is not None for one in bug.on)
        assert not known or names(problems, bug) is behaves(bug.behaviour, at), (name, problems)
        assert all(f"Kubernetes {name}" in problem.label for problem in problems)
        others = CloudConf.read(lone_conf(deployment(bug, excluded=True)), at, IN_TREE)
        assert not (bug.on or bug.without) or not names(list(check(others)), bug)


def test_a_bug_of_classes_needs_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    (bug,) = [bug for bug in OF_CCM if bug.behaviour == "internal-without-class"]
    monkeypatch.setattr(f"{check.__module__}.bugs_of", lambda *_: (bug,))
    at = catalog.release("v1.20.0")
    assert list(check(conf_of(deployment(bug), at)))
    assert not list(check(conf_of(deployment(bug).partition("[LoadBalancerClass")[0], at)))


def test_routes_are_not_first_where_only_neutron_shows_the_bug() -> None:
    text = "[Global]\nauth-url = https://k\n[LoadBalancer]\nsubnet-id = a\n[Route]\nrouter-id = b\n"
    (problem,) = check(conf_of(text, catalog.release("v1.28.1")))
    assert "allowed address pairs" not in problem.label


def test_what_hardly_anybody_notices_is_told_of_with_others_only(monkeypatch: pytest.MonkeyPatch) -> None:
    (bug,) = [bug for bug in OF_CCM if bug.behaviour == "zones-as-they-are"]
    conf = conf_of(deployment(bug), catalog.release("v1.28.0"))
    monkeypatch.setattr(f"{check.__module__}.bugs_of", lambda *_: (bug,))
    assert bug.minor
    assert not list(check(conf))
    monkeypatch.setattr(f"{check.__module__}.bugs_of", lambda *_: (bug, bug._replace(label="does that", minor=False)))
    assert "2 known bugs" in next(check(conf)).label


def test_what_no_file_shows_is_told_of_with_its_condition() -> None:
    (bug,) = [bug for bug in OF_CCM if bug.behaviour == "failed-get-panics"]
    (problem,) = [one for one in check(conf_of(deployment(bug), catalog.release("v1.28.3"))) if names([one], bug)]
    assert problem.severity is Severity.INFO
    assert f"It shows where {bug.when}." in problem.detail


def test_what_keys_of_the_file_show_comes_first() -> None:
    text = "[Global]\nauth-url = https://k\n[LoadBalancer]\nmanage-security-groups = true\n"
    *_, problem = check(conf_of(text, catalog.release("v1.27.1")))
    assert "it puts the managed security groups on every port of a Node" in problem.label


DAEMON_SET = """\
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nodeplugin
spec:
  template:
    spec:
      containers:
        - name: driver
          image: registry.k8s.io/provider-os/{}:{}
"""


@pytest.mark.parametrize("bug", OF_DRIVERS, ids=[bug.behaviour for bug in OF_DRIVERS])
def test_a_drivers_bug_is_told_of_at_its_releases_alone(bug: ReleaseBug, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = bug._replace(label="has another bug", when="", minor=False)
    monkeypatch.setattr(
        "ccmcheck.rules.objects.csi_release_bug.bugs_of",
        lambda program, at: (bug, beside) * (program == bug.program and behaves(bug.behaviour, at)),
    )
    told_at = [
        at.name
        for at in tags()
        if names(problems_of("csi-release-bug", Case(DAEMON_SET.format(bug.program, at.name))), bug)
    ]
    assert told_at == [at.name for at in tags() if behaves(bug.behaviour, at)]


def test_every_row_is_whole() -> None:
    newest = catalog.release("v1.36.0")
    assert len({bug.behaviour for bug in BUGS}) == len(BUGS)
    for bug in BUGS:
        is_open = behaves(bug.behaviour, newest)
        assert not is_open or (bug.minor and bug.when and bug.do), bug
        assert re.search(
            r"#\d|cloud-provider-openstack|k8s.io/cloud-provider v|(?:kubernetes|legacy-cloud-providers) v\d",
            bug.source,
        ), bug
        assert bug.detail.endswith("."), bug
        assert not bug.label.endswith("."), bug
        assert not bug.when or (bug.when[0].islower() or bug.when.split()[0] in NAMES), bug
        for condition in bug.service:
            assert is_about_services(condition), bug
            assert words_of(condition), bug
            assert place_of(condition)[0] in ("spec", "metadata"), bug
            assert not [key for key in (*bug.on, *bug.without) if "." in key], bug
        assert bug.label in listed("csi-release-bug" if bug in OF_DRIVERS else "ccm-release-bug")
        for since, before in stretches(bug.behaviour):
            assert before or is_open, bug
            of = IN_TREE if bug.program == IN_TREE else "ccm"
            assert not (since and before) or catalog.release(since, of) < catalog.release(before, of)
        if bug.program == "ccm":
            for at in tags():
                assert behaves("has-release-bugs", at) or not behaves(bug.behaviour, at) or is_open, (bug, at)


NAMES = {"Ceph", "Cinder", "Keystone", "Neutron", "Nova", "Octavia", "Octavia's", "Services"}


def test_a_run_has_one_line_for_all_that_no_file_shows() -> None:
    for at in tags():
        problems = list(check(conf_of("[Global]\nauth-url = https://k\n[LoadBalancer]\nlb-provider = amphora\n", at)))
        assert len(problems) <= 1
        assert all(problem.severity is Severity.INFO for problem in problems)
    assert not list(check(conf_of("[LoadBalancer]\nlb-provider = amphora\n", catalog.release("v1.36.0"))))


def test_the_line_says_how_many_and_names_the_worst() -> None:
    at = catalog.release("v1.23.0")
    bugs = bugs_of("ccm", at)
    label, detail, remedy = told(bugs, at, "CCM")
    assert label.startswith(f"CCM v1.23.0 has {len(bugs)} known bugs")
    assert bugs[0].label in label
    assert bugs[1].label in detail
    assert f"{len(bugs) - 21} more" not in detail
    detail = told(bugs, at, "CCM", command="ccmcheck explain v1.23.0")[1]
    assert detail.endswith(f" {len(bugs) - 21} more: `ccmcheck explain v1.23.0`.")
    assert len(detail) < 3000
    assert remedy == "Upgrade to v1.23.3 or newer. All that releases mend are mended in v1.36.0."


def test_an_upgrade_says_what_it_mends_and_brings() -> None:
    written = {one.behaviour for one in behaviour_changes() if not one.ends.startswith("mended: ")}
    for bug in [bug for bug in OF_CCM if bug.behaviour.removeprefix(WITHOUT) not in written and not bug.minor]:
        for since, before in stretches(bug.behaviour):
            at = [one for one in tags() if behaves(bug.behaviour, one) and one.at_least(since or "v1.14.0")]
            if not at or not knows_keys(bug, at[0]) or not knows_keys(bug, catalog.release(before)):
                continue
            text = deployment(bug)
            way = upgrade_path(at[0], catalog.release(before))
            case = MetCase(read_options(text, way[0]), read_options(text, way[-1]), values=outside(text))
            found = {one.behaviour: one for one in behaviour_effects(way, case, {})}
            assert found[bug.behaviour].text == f"mended: the CCM {bug.label}", bug
            assert found[bug.behaviour].source == bug.source


def test_an_upgrade_tells_of_each_mended_bug_that_lint_reports() -> None:
    changes = {one.behaviour: one for one in behaviour_changes()}
    assert not [bug.behaviour for bug in OF_CCM if bug.behaviour in changes and not changes[bug.behaviour].ends]


def outside(text: str) -> dict[tuple[str, str], object]:
    """The values outside of [LoadBalancer], by section and key."""
    values: dict[tuple[str, str], object] = {}
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section != "LoadBalancer":
            key, _, value = line.partition(" = ")
            values[section, key] = value
    return values


@pytest.mark.parametrize(
    "key_bug", ["managed-groups-keep-first-ports", "groups-put-twice", "managed-groups-do-nothing"]
)
@pytest.mark.parametrize("at", ["v1.14.0", "v1.16.0", "v1.18.2", "v1.23.4"])
def test_a_remedy_names_a_release_in_which_managed_groups_work(key_bug: str, at: str) -> None:
    if behaves(key_bug, catalog.release(at)):
        assert fixed_in(key_bug, catalog.release(at)) == "v1.26.0"


def test_groups_are_put_twice_before_and_after_they_did_nothing() -> None:
    having = [at.name for at in tags() if behaves("groups-put-twice", at)]
    assert {"v1.14.0", "v1.16.0", "v1.18.2", "v1.24.0", "v1.25.6"} < set(having)
    assert not {at.name for at in tags() if behaves("managed-groups-do-nothing", at)} & set(having)


@pytest.mark.parametrize("key", ["subnet-id", "network-id"])
@pytest.mark.parametrize(("at", "annotates"), [("v1.23.1", False), ("v1.24.6", False), ("v1.25.0", True)])
def test_old_ones_are_upgraded_for_ipv6(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, key: str, at: str, annotates: bool
) -> None:
    (tmp_path / "cloud.conf").write_text(
        f"[Global]\nauth-url = https://k\n[LoadBalancer]\n{key} = 2b7a3c53-6f0e-4c5f-8f1f-0f6f2a9d3b02\n"
    )
    (tmp_path / "service.yaml").write_text(
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
        "spec: {type: LoadBalancer, ipFamilies: [IPv6], ports: [{port: 80}]}\n"
    )
    with pytest.raises(SystemExit):
        main(["lint", "--release", at, str(tmp_path)])
    said = capsys.readouterr().out
    assert ("Annotate it with `loadbalancer.openstack.org/subnet-id`" in said) is annotates
    assert ("Upgrade to CCM 1.25 or newer" in said) is not annotates


SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: web
{}spec:
  type: LoadBalancer
  {}ports: [{}]
"""
TWO_PORTS, ONE_PORT = "{name: a, port: 80}, {name: b, port: 443}", "{port: 80}"


def lint(
    capsys: pytest.CaptureFixture[str], folder: Path, at: str, conf: str, service: str, command: str = "lint"
) -> str:
    (folder / "cloud.conf").write_text(f"[Global]\nauth-url = https://k\n[LoadBalancer]\n{conf}")
    (folder / "service.yaml").write_text(service)
    with pytest.raises(SystemExit):
        main([command, "--release", at, str(folder)])
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("annotation", "at", "is_met"),
    [
        ("timeout-member-data", "v1.18.0", True),
        ("timeout-member-data", "v1.19.0", False),
        ("timeout-member-data", "v1.14.0", False),
        ("connection-limit", "v1.16.0", True),
        ("connection-limit", "v1.17.0", False),
        ("keep-floatingip", "v1.18.0", False),
    ],
)
def test_what_reaches_new_listeners_alone_is_told_at_the_service(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, annotation: str, at: str, is_met: bool
) -> None:
    service = SERVICE.format("", "", ONE_PORT).replace(
        "metadata:", f'metadata:\n  annotations: {{loadbalancer.openstack.org/{annotation}: "100000"}}', 1
    )
    said = lint(capsys, tmp_path, at, "use-octavia = true\n", service)
    assert ("with a new listener alone" in said) is is_met, said


@pytest.mark.parametrize(("ports", "is_met"), [(TWO_PORTS, True), (ONE_PORT, False)])
def test_a_service_that_meets_a_bug_is_told_of_at_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ports: str, is_met: bool
) -> None:
    said = lint(capsys, tmp_path, "v1.23.2", "lb-provider = amphora\n", SERVICE.format("", "", ports))
    assert ("service.yaml:7:3  warning  svc-release-bug" in said) is is_met
    assert ("CCM v1.23.2 mixes up the listeners of Services with several ports" in said) is is_met
    assert "Upgrade to v1.23.3 or newer." in said or not is_met
    predicted = lint(capsys, tmp_path, "v1.23.2", "", SERVICE.format("", "", ports), "predict")
    assert ("warning      CCM v1.23.2 mixes up the listeners" in predicted) is is_met
    assert ".. " not in predicted


def test_without_services_the_condition_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = lint(capsys, tmp_path, "v1.23.2", "lb-provider = amphora\n", "kind: List\n")
    assert "svc-release-bug" not in said
    assert "mixes up the listeners" in said


def test_a_service_whose_fields_a_template_decides_is_left_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    service = SERVICE.format("", "externalTrafficPolicy: ${POLICY}\n  ", TWO_PORTS)
    assert "svc-release-bug" not in lint(capsys, tmp_path, "v1.23.2", "lb-provider = amphora\n", service)


def test_explain_lists_the_bugs_of_a_release(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["explain", "v1.23.2"])
    said = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    for bug in bugs_of("ccm", catalog.release("v1.23.2")):
        assert bug.label in said
        mended = fixed_in(bug.behaviour, catalog.release("v1.23.2"))
        assert (f"Mended in {mended}." if mended else f"{UNMENDED} {bug.do} ({bug.source})") in said
    assert "It shows where a Service has several ports." in said
    assert "which no file tells" in said
    with pytest.raises(SystemExit):
        main(["explain", "v1.7.4"])
    said = capsys.readouterr().out
    assert "the in-tree provider of Kubernetes" in said
    assert "CCM " not in said
    with pytest.raises(SystemExit) as ended:
        main(["explain", "v1.77.5.2"])
    assert ended.value.code


def test_each_condition_has_words_and_says_something() -> None:
    assert set(SERVICE_CONDITIONS) <= set(ABOUT_SERVICES)


@pytest.mark.parametrize("command", ["lint", "predict"])
def test_no_secret_is_told_with_a_bug(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    conf = "manage-security-groups = true\n[Global]\nusername = u\npassword = canary-of-a-bug\n"
    annotations = (
        '  annotations: {loadbalancer.openstack.org/hostname: "a.example", example.com/password: canary-of-a-bug}\n'
    )
    said = lint(capsys, tmp_path, "v1.25.0", conf, SERVICE.format(annotations, "", TWO_PORTS), command)
    assert "writes the address of a Service with the annotation hostname nowhere" in said
    assert "canary-of-a-bug" not in said


@pytest.mark.parametrize(
    ("at", "octavia", "says"),
    [
        ("1.13.1", "use-octavia = true", "opens no NodePort to Octavia"),
        ("1.13.1", "use-octavia = false", "none that is added to it later"),
        ("1.14.0", "use-octavia = true", "no group on Nodes that join"),
        ("1.14.0", "use-octavia = false", "none that is added to it later"),
        ("1.25.6", "", "no group on Nodes that join; deletes no rule"),
        ("1.26.0", "", "deletes no rule"),
    ],
)
def test_managed_groups_of_the_first_releases(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, at: str, octavia: str, says: str
) -> None:
    balancer = f"{octavia}\nsubnet-id = 2b7a3c53-6f0e-4c5f-8f1f-0f6f2a9d3b02\nmanage-security-groups = true\n"
    (tmp_path / "cloud.conf").write_text(f"[Global]\nauth-url = https://k\n[LoadBalancer]\n{balancer}")
    with pytest.raises(SystemExit):
        main(["lint", "--release", at, str(tmp_path)])
    said = capsys.readouterr().out
    labels = [
        "opens no NodePort to Octavia",
        "none that is added to it later",
        "no group on Nodes that join",
        "deletes no rule",
    ]
    assert sorted([label for label in labels if label in said], key=said.index) == says.split("; ")


@pytest.mark.parametrize("program", sorted({bug.program for bug in BUGS}))
def test_no_bug_that_was_mended_is_back_in_the_release_that_is_advised(program: str) -> None:
    consumer = IN_TREE if program == IN_TREE else "ccm"
    releases = [at for name in BRANCHES if (at := known_release(f"v{name}.0", consumer)) is not None]
    advised = 0
    for at in releases:
        bugs = bugs_of(program, at)
        advice = re.match(r"Upgrade to (\S+(?: or v\S+)*) or newer", told(bugs, at, program)[2]) if bugs else None
        for tag in advice[1].split(" or ") if advice is not None else ():
            advised += 1
            then = catalog.release(tag, consumer)
            for bug in bugs:
                mended = fixed_in(bug.behaviour, at).split(" or ")[0]
                is_back = bool(mended) and then.at_least(mended) and behaves(bug.behaviour, then)
                assert not (is_back and fixed_in(bug.behaviour, then)), (at, tag, bug.behaviour)
    assert advised
