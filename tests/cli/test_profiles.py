"""Profiles on the command line: listed, explained, compared with, judged by, set, and in the configuration."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from command_line import ROOT, git, put, run

from ccmcheck.api import LintOptions, check_text
from ccmcheck.policy.profiles.standards import BUILT_IN

SITE = """\
title = Load balancers of example.com
source = https://wiki.example.com/lb

[cloud]
octavia-release = 2024.1
topology = active-standby
nodes = 12
member-cidrs = 10.8.0.0/20
cluster-name = prod
providers = amphora

[LoadBalancer]
create-monitor = equals(true)
monitor-delay = duration(min=3s, max=15s, default=10s)
lb-provider = option(amphora, ovn)
use-octavia = absent

[[severity]]
create-monitor = error

[[reason]]
create-monitor = a dead node must be out of rotation within a minute
"""
CONF = """\
[Global]
auth-url = https://keystone.example.com:5000/v3
application-credential-id = 5b2a9d3c1f7e4a68b0c4d2e6f8a91357
application-credential-secret = "s3cr3t"

[LoadBalancer]
lb-provider = ovn
lb-method = SOURCE_IP_PORT
manage-security-groups = true
monitor-delay = 60s
use-octavia = true
"""
SECRET = "Canary7Zq9xWv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return put(tmp_path, {"site.ini": SITE, "cloud.conf": CONF})


# ---- lists and pages

GOLDEN = Path(__file__).parent / "profiles"
COMMANDS = {
    "profiles": ("profiles",),
    **{f"explain-{name}": ("explain", f"profile:{name}") for name in BUILT_IN},
    "explain-site": ("explain", "profile:site.ini"),
    "explain-site.md": ("explain", "profile:site.ini", "--format=markdown"),
    "show-gardener": ("show", "cloud.conf", "--profile", "gardener", "--release=1.36"),
    "show-gardener.md": ("show", "cloud.conf", "--profile", "gardener", "--release=1.36", "--format=markdown"),
    "show-several": (
        "show", "cloud.conf", "--profile=upstream", "--profile=recommended", "--profile=kops", "--profile=site.ini", "--release=1.36",
    ),
    "show-old": ("show", "cloud.conf", "--profile", "scs-ovn", "--release=1.25"),
    "lint": ("lint", "--no-config", "--release=1.36", "--select=profile", "--profile=site.ini", "cloud.conf", "-q"),
    "fix": ("fix", "--no-config", "--release=1.36", "--profile=site.ini", "cloud.conf"),
    "profiles.ini": ("profiles", "--format=ini", "scs-ovn", "site.ini"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_printed(name: str, folder: Path) -> None:
    """Golden files; CCMCHECK_UPDATE_CASES=1 writes them again."""
    done = run(folder, *COMMANDS[name])
    found = (
        done.out
        + "".join(f"! {line}\n" for line in done.err.splitlines())
        + (f"exit {done.code}\n" if done.code else "")
    )
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("CCMCHECK_UPDATE_CASES"):
        path.write_text(found, encoding="utf-8")
    assert path.exists(), f"{path.name} is missing: run this test with CCMCHECK_UPDATE_CASES=1, and read the file"
    assert found == path.read_text(encoding="utf-8")


def test_every_golden_file_has_its_command() -> None:
    assert sorted(path.name.removesuffix(".txt") for path in GOLDEN.iterdir()) == sorted(COMMANDS)


def test_the_list_as_data(folder: Path) -> None:
    done = run(folder, "profiles", "--format=json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["version"] == 1
    assert [one["name"] for one in document["profiles"]] == list(BUILT_IN)
    (site,) = json.loads(run(folder, "profiles", "--format=json", "site.ini").out)["profiles"]
    assert site["facts"]["topology"] == "active-standby"
    assert site["facts"]["member-cidrs"] == ["10.8.0.0/20"]
    assert site["wishes"][1] == {
        "section": "LoadBalancer", "key": "monitor-delay", "check": "duration", "values": [], "min": "3s", "max": "15s",
        "value": "10s", "since": "", "until": "", "when": [], "severity": "warning", "wanted": "3s to 15s", "reason": "",
        "source": "https://wiki.example.com/lb", "profile": "site",
    }  # fmt: skip


def test_a_page_as_data(folder: Path) -> None:
    done = run(folder, "explain", "--format=json", "profile:scs", "gardener")
    pages = json.loads(done.out)["pages"]
    assert [(one["kind"], one["name"]) for one in pages] == [
        ("profile", "profile:scs"),
        ("profile", "profile:gardener"),
    ]
    assert pages[0]["facts"]["LoadBalancer.create-monitor"] == "true, from 1.26 on, warning"
    assert "kubernetes/cloud-provider-openstack#2039" in pages[0]["paragraphs"]["LoadBalancer.create-monitor"]


def test_the_rule_has_its_own_page(folder: Path) -> None:
    assert run(folder, "explain", "profile").out.startswith("profile: A setting that deviates from a profile\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("explain", "profile:gardner"), "Did you mean `gardener`?"),
        (("explain", "profile:"), "There is no profile ``."),
        (("profiles", "nope"), "There is no profile `nope`."),
        (("show", "cloud.conf", "--profile", "nope"), "There is no profile `nope`."),
        (("lint", "--profile", "gone.ini", "cloud.conf"), "a profile of your own is named by its file's path"),
        (("predict", "--profile", "bad.ini"), "bad.ini:2: [cloud] nodes: `many` is not valid."),
        (("fix", "--profile", "bad.ini", "cloud.conf"), "bad.ini:2: [cloud] nodes: `many` is not valid."),
        (("lint", "--profile", "bad.ini", "cloud.conf"), "Write an integer from 1 to 10000"),
        (("fix", "--profile=kops", "--profile=gardener", "cloud.conf"), "The profiles kops and gardener contradict each other"),
        (("fix", "--profile=scs-capi-provider", "--profile=scs-ovn", "cloud.conf"), "contradict each other"),
    ],
)  # fmt: skip
def test_wrong_use(arguments: tuple[str, ...], said: str, folder: Path) -> None:
    put(folder, {"bad.ini": "[cloud]\nnodes = many\n"})
    done = run(folder, *arguments)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


# ---- show


def test_a_comparison_as_data(folder: Path) -> None:
    done = run(
        folder, "show", "cloud.conf", "--profile=gardener", "--profile=site.ini", "--format=json", "--release=1.36"
    )
    assert (done.code, done.err) == (0, "")
    (config,) = json.loads(done.out)["configs"]
    assert config["profiles"] == ["gardener", "site"]
    rows = {row["key"]: row for row in config["rows"]}
    assert (rows["monitor-delay"]["value"], rows["monitor-delay"]["origin"]) == ("1m0s", "line 10")
    assert [one["standing"] for one in rows["monitor-delay"]["theirs"]] == ["differs", "differs"]
    assert [one["standing"] for one in rows["lb-method"]["theirs"]] == ["same", ""]
    assert rows["use-octavia"]["origin"] == "line 11, ignored"


def test_unknown_values_are_unknown(folder: Path) -> None:
    put(folder, {"t.conf.tmpl": "[LoadBalancer]\ncreate-monitor = ${M}\n${MORE}\n"})
    done = run(folder, "show", "t.conf.tmpl", "--profile=gardener", "--profile=upstream", "--format=json")
    (config,) = json.loads(done.out)["configs"]
    assert {one["standing"] for row in config["rows"] for one in row["theirs"] if one["value"]} == {"unknown"}
    assert {row["origin"] for row in config["rows"]} <= {"template", "not known"}


def test_only_what_the_file_sets(folder: Path) -> None:
    done = run(folder, "show", "cloud.conf", "--profile=gardener", "--set-only", "--format=json")
    (config,) = json.loads(done.out)["configs"]
    assert [row["key"] for row in config["rows"]] == ["lb-method", "monitor-delay", "manage-security-groups"]


def test_a_profile_without_requirements(folder: Path) -> None:
    (folder / "site.ini").write_text("[cloud]\nnodes = 3\n", encoding="utf-8")
    assert "it says nothing of any key" in run(folder, "show", "cloud.conf", "--profile=./site.ini").out


# ---- lint, fix, configuration


def findings(folder: Path, *arguments: str) -> list[tuple[str, str, int]]:
    done = run(folder, "lint", "--format=json", "--release=1.36", "--select=profile", *arguments)
    assert done.code in (0, 1), done.err
    return [(one["severity"], one["label"].split(";")[0], one["line"]) for one in json.loads(done.out)["findings"]]


def test_findings_name_the_profile_and_stand_in_order(folder: Path) -> None:
    assert findings(folder, "--profile=site.ini", "cloud.conf") == [
        ("error", "the profile site requires `true` for create-monitor", 6),
        ("warning", "the profile site requires `3s` to `15s` for monitor-delay", 10),
        ("warning", "the profile site requires no `use-octavia` here", 11),
    ]


def test_several_profiles_share_what_they_extend(folder: Path) -> None:
    put(folder, {"more.ini": "extends = site.ini\n[LoadBalancer]\nmonitor-delay = any\n"})
    once = findings(folder, "--profile=site.ini", "cloud.conf")
    assert findings(folder, "--profile=site.ini", "--profile=more.ini", "cloud.conf") == once
    assert len(findings(folder, "--profile=more.ini", "cloud.conf")) == len(once) - 1


def test_the_configuration_names_profiles_beside_it(folder: Path) -> None:
    git(folder, "init", "-q")  # the configuration may name files of its repository
    put(folder, {"sub/deep/cloud.conf": CONF, "sub/ccmcheck.toml": 'profile = ["../site.ini", "kops"]\n'})
    both = findings(folder, "sub/deep")
    assert {message.split()[2] for _, message, _ in both} == {"site", "kops"}
    assert {message.split()[2] for _, message, _ in findings(folder, "--profile=scs-ovn", "sub/deep")} == {"scs-ovn"}
    put(folder, {"sub/ccmcheck.toml": 'profile = "gone.ini"\n'})
    done = run(folder, "lint", "sub/deep")
    assert done.code == 2
    assert "gone.ini" in done.err


def test_facts_reach_the_rules_and_options_win(folder: Path) -> None:
    put(folder, {"many.ini": "[cloud]\nnodes = 900\ntopology = active-standby\nproviders = amphora\n"})
    put(folder, {"c.conf": "[LoadBalancer]\ncreate-monitor = true\nmonitor-delay = 5s\nlb-provider = amphora\n"})

    def rules(*arguments: str) -> set[str]:
        done = run(folder, "lint", "--format=json", "--release=1.36", *arguments)
        return {one["rule"] for one in json.loads(done.out)["findings"]}

    assert "monitor-probe-budget" in rules("--profile=many.ini", "c.conf")
    assert "monitor-probe-budget" not in rules("--profile=many.ini", "--nodes=3", "c.conf")
    assert "lb-provider-unknown" in rules("--profile=many.ini", "cloud.conf")
    assert "lb-provider-unknown" not in rules("cloud.conf")


def test_a_finding_can_be_silenced_and_its_severity_changed(folder: Path) -> None:
    put(folder, {"cloud.conf": CONF.replace("60s", "60s # ccmcheck: ignore[profile] known")})
    assert len(findings(folder, "--profile=site.ini", "cloud.conf")) == 2
    put(folder, {"ccmcheck.toml": '[severity]\nprofile = "info"\n'})
    assert {severity for severity, _, _ in findings(folder, "--profile=site.ini", "cloud.conf")} == {"info"}


def test_fix_does_what_was_asked_by_name_and_no_more(folder: Path) -> None:
    done = run(
        folder,
        "fix",
        "--no-config",
        "--release=1.36",
        "--profile=site.ini",
        "--select=duration-bad",
        "--write",
        "cloud.conf",
    )
    assert done.code == 0, done.err
    text = (folder / "cloud.conf").read_text()
    assert "create-monitor = true\n" in text
    assert "monitor-delay = 10s\n" in text
    assert "use-octavia" not in text
    assert findings(folder, "--profile=site.ini", "cloud.conf") == []
    # by way of the configuration it is a rule as any other
    put(folder, {"cloud.conf": CONF, "ccmcheck.toml": 'profile = "site.ini"\n'})
    run(folder, "fix", "--release=1.36", "--select=profile", "--write", "cloud.conf")
    text = (folder / "cloud.conf").read_text()
    assert "monitor-delay = 60s\n" in text
    assert "use-octavia" not in text


def test_a_profile_has_the_last_word(folder: Path) -> None:
    put(
        folder,
        {
            "shut.ini": "[LoadBalancer]\nmanage-security-groups = equals(false)\n",
            "c.conf": "[LoadBalancer]\nlb-provider = ovn\nlb-method = SOURCE_IP_PORT\ncreate-monitor = true\n"
            "manage-security-groups = true\n",
        },
    )
    done = run(folder, "fix", "--no-config", "--unsafe", "--release=1.36", "--profile=shut.ini", "--write", "c.conf")
    assert done.code == 0
    assert "manage-security-groups = false" in (folder / "c.conf").read_text()
    assert "a profile wants something else" in done.err


def test_advice_is_silent_where_a_profile_decides(folder: Path) -> None:
    def rules(*arguments: str) -> set[str]:
        done = run(folder, "lint", "--format=json", *arguments, "c.conf")
        return {one["rule"] for one in json.loads(done.out)["findings"] if "create-monitor" in one["rule"]}

    put(folder, {"off.ini": "[LoadBalancer]\ncreate-monitor = equals(false, since=1.26)\n"})
    put(folder, {"c.conf": "[LoadBalancer]\nlb-provider = ovn\ncreate-monitor = false\n"})
    assert rules("--release=1.36") == {"create-monitor-recommended"}
    assert rules("--release=1.36", "--profile=off.ini") == set()
    put(folder, {"c.conf": "[LoadBalancer]\nlb-provider = ovn\n"})
    assert rules("--release=1.36") == {"create-monitor-implicit"}
    assert rules("--release=1.36", "--profile=off.ini") == set()
    assert rules("--release=1.25", "--profile=off.ini") == {"create-monitor-implicit"}


def test_predict_takes_the_facts_and_options_win(folder: Path) -> None:
    samples = ROOT / "samples"
    arguments = ("predict", "--cloud-config", str(samples / "good" / "cloud.conf"), str(samples / "web.yaml"))
    plain = run(folder, *arguments, "--profile=site.ini").out
    assert "12 nodes" in plain
    assert "9.6 in all, 4.8 per amphora" in plain
    assert "10.8.0.0/20 is let in" in plain
    typed = run(folder, *arguments, "--profile=site.ini", "--nodes=3", "--topology=single").out
    assert "3 nodes" in typed
    assert "1.2 in all" in typed
    named = run(folder, *arguments, "--profile=site.ini", "-vv").out
    assert "kube_service_prod_shop_web" in named


def test_review_and_the_question_take_the_facts_as_well(folder: Path) -> None:
    samples = ROOT / "samples"
    on = (samples / "good" / "cloud.conf").read_text(encoding="utf-8")
    put(folder, {"off.conf": on.replace("create-monitor = true", "create-monitor = false"), "on.conf": on})
    web = str(samples / "web.yaml")
    reviewed = run(folder, "review", "--profile=site.ini", "off.conf", "on.conf", "--services", web)
    assert "9.6/s, 0.8/s a node" in reviewed.out
    asked = run(folder, "explain", "create-monitor", "--cloud-config=on.conf", "--profile=site.ini", web)
    assert "12 nodes" in asked.out
    assert run(folder, "explain", "--profile=site.ini", "duration-bad").code == 2
    assert run(folder, "upgrade", "--profile=gone.ini", "on.conf", "--from=1.25").code == 2


def test_a_profile_from_a_pipe_is_read_once(folder: Path) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(SITE,))
    writer.start()
    samples = ROOT / "samples"
    done = run(
        folder,
        "predict",
        "--profile=pipe",
        "--cloud-config",
        str(samples / "good" / "cloud.conf"),
        str(samples / "web.yaml"),
    )
    writer.join()
    assert "12 nodes" in done.out
    assert "9.6 in all" in done.out


def test_render_takes_any_profile(folder: Path) -> None:
    done = run(folder, "render", "configmap", "--profile=gardener", "-q")
    assert "monitor-delay=20s" in done.out
    assert "monitor-timeout=30s" in done.out
    ours = run(folder, "render", "configmap", "--profile=site.ini", "--set=lb-provider=ovn", "-q")
    assert "monitor-delay=10s" in ours.out
    assert "lb-provider=ovn" in ours.out


def test_from_python(folder: Path) -> None:
    options = LintOptions(releases=("1.36",), select=("profile",), profiles=(str(folder / "site.ini"), "kops"))
    assert {finding.label.split()[2] for finding in check_text(CONF, options=options)} == {"site", "kops"}


# ---- secrets


def test_no_secret_of_a_profile_or_a_file_is_shown(folder: Path) -> None:
    put(
        folder,
        {
            "secret.ini": f"title = t\n[Global]\npassword = equals({SECRET}p, default={SECRET}d)\ntrustee-password = option({SECRET}o)\n"
            f"auth-url = equals(https://u:{SECRET}u@k/v3)\ntoken = absent({SECRET}t)\nregion = present\n"
            f"[[reason]]\npassword = password={SECRET}r\n",
            "cloud.conf": f"[Global]\npassword = {SECRET}f\ntrustee-password = {SECRET}\ntoken = {SECRET}t\n[LoadBalancer]\n",
        },
    )
    for arguments in (
        ("lint", "--profile=secret.ini", "cloud.conf"),
        ("lint", "--profile=secret.ini", "--format=json", "cloud.conf"),
        ("lint", "--profile=secret.ini", "--format=sarif", "cloud.conf"),
        ("fix", "--profile=secret.ini", "cloud.conf"),
        ("show", "cloud.conf", "--profile=secret.ini"),
        ("show", "cloud.conf", "--profile=secret.ini", "--profile=scs", "--format=json"),
        ("show", "cloud.conf", "--profile=secret.ini", "--format=markdown"),
        ("explain", "profile:secret.ini"),
        ("explain", "profile:secret.ini", "--format=json"),
        ("explain", "profile:secret.ini", "--format=markdown"),
        ("profiles", "secret.ini"),
        ("profiles", "secret.ini", "--format=json"),
        ("profiles", "secret.ini", "--format=ini"),
        ("render", "configmap", "--profile=secret.ini"),
        ("fix", "--profile=secret.ini", "--profile=other.ini", "cloud.conf"),
    ):
        put(
            folder,
            {"other.ini": f"[Global]\npassword = equals({SECRET}x)\nauth-url = equals(https://u:{SECRET}v@k/v3)\n"},
        )
        done = run(folder, *arguments)
        assert done.out + done.err, arguments
        assert SECRET.lower() not in (done.out + done.err).lower(), arguments
    assert "password" in run(folder, "lint", "--profile=secret.ini", "cloud.conf").out


def test_a_secret_is_never_written_into_a_file(folder: Path) -> None:
    put(folder, {"secret.ini": f"[Global]\npassword = equals({SECRET})\n", "cloud.conf": "[Global]\npassword = x\n"})
    done = run(folder, "fix", "--no-config", "--profile=secret.ini", "--write", "cloud.conf")
    assert (folder / "cloud.conf").read_text() == "[Global]\npassword = x\n"
    assert "password is left as it is" in done.err
