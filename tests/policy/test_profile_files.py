"""Profiles: what a file may say, and how every mistake in one is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from profile_requirements import requirement_of

from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.errors import BadConfiguration, WrongUse
from ccmcheck.base.model import Severity
from ccmcheck.base.profile import Requirement
from ccmcheck.explain.rules import page
from ccmcheck.policy.profiles.checks import CHECKS
from ccmcheck.policy.profiles.facts import FACTS, known_facts
from ccmcheck.policy.profiles.loading import load, load_all
from ccmcheck.policy.profiles.profile_file import HEAD, REMARK_SECTIONS
from ccmcheck.policy.profiles.standards import is_path


def written(folder: Path, text: str, name: str = "site.ini") -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


# ---- built in


# ---- a file

SITE = """\
title = Load balancers of example.com
extends = upstream
source = https://wiki.example.com/lb

[cloud]
octavia-release = 2024.1        # facts of the cloud
ovn-octavia-release = 7.0.1
kubernetes-version = v1.31.2
topology = active-standby
nodes = 40
pod-cidrs = 10.244.0.0/16, fd00:1::/56
node-cidrs = 10.8.0.0/20
member-cidrs = 10.8.0.0/20
kube-proxy-mode = ipvs
cluster-name = prod
providers = amphora, ovn
monitor-quota = -1
monitors-used = 3
udp-monitor-interval = 5
refused-protocols = UDP, SCTP
service-cidrs = 10.96.0.0/12

[LoadBalancer]
create-monitor = equals(true)   # a comment
monitor-delay = duration(min=3s, max=15s, default=5s)
monitor-max-retries = integer(max=5)
lb-provider = option(amphora, ovn)
lb-method = not(ROUND_ROBIN, when="lb-provider=ovn")
use-octavia = absent(since=1.26)
floating-subnet-tags = one-of-tags("a b", "c=d")
monitor-timeout = any

[[severity]]
create-monitor = error

[[reason]]
create-monitor = "a dead node # must go"
monitor-delay = it's "slow" enough

[[source]]
create-monitor = ticket 4711

[Global]
auth-url = like("https://*.example.com:*")
region = present
"""


def test_a_file_with_everything(tmp_path: Path) -> None:
    profile = load(written(tmp_path, SITE))
    assert (profile.name, profile.title, profile.extends) == ("site", "Load balancers of example.com", ("upstream",))
    assert profile.facts == ClusterFacts(
        "2024.1", "7.0.1", "v1.31.2", "ACTIVE_STANDBY", 40, ("10.244.0.0/16", "fd00:1::/56"), ("10.8.0.0/20",),
        ("10.8.0.0/20",), "ipvs", "prod", ("amphora", "ovn"), -1, 3, 5, ("UDP", "SCTP"), ("10.96.0.0/12",),
    )  # fmt: skip
    assert set(known_facts(profile.facts)) == set(FACTS)
    assert known_facts(profile.facts)["topology"] == "active-standby"
    monitor = requirement_of(profile, "create-monitor")
    assert monitor == Requirement(
        "site", "LoadBalancer", "create-monitor", "equals", ("true",), severity=Severity.ERROR,
        reason="a dead node # must go", source="ticket 4711",
    )  # fmt: skip
    delay = requirement_of(profile, "monitor-delay")
    assert (delay.low, delay.high, delay.default) == ("3s", "15s", "5s")
    assert (delay.reason, delay.source) == ('it\'s "slow" enough', "https://wiki.example.com/lb")
    method = requirement_of(profile, "lb-method")
    assert [(one.section, one.key, one.value) for one in method.when] == [("LoadBalancer", "lb-provider", "ovn")]
    assert requirement_of(profile, "floating-subnet-tags").values == ("a b", "c=d")
    assert requirement_of(profile, "auth-url").values == ("https://*.example.com:*",)
    assert "monitor-timeout" not in {requirement.key for requirement in profile.requirements}  # taken away by `any`
    assert requirement_of(profile, "internal-lb").profile == "upstream"


def test_names_are_matched_as_the_ccm_matches_them(tmp_path: Path) -> None:
    profile = load(written(tmp_path, "[loadbalancer]\nCreate-Monitor = equals(yes)\n"))
    assert [(requirement.section, requirement.key) for requirement in profile.requirements] == [
        ("LoadBalancer", "create-monitor")
    ]


def test_a_profile_may_lie_anywhere_and_extends_files_beside_it(tmp_path: Path) -> None:
    written(tmp_path, "[LoadBalancer]\ncreate-monitor = equals(true)\nlb-method = present\n", "base.ini")
    written(tmp_path, "extends = base.ini\n[cloud]\nnodes = 3\n", "more.ini")
    (tmp_path / "sub").mkdir()
    text = "extends = ../more.ini, kops\n[LoadBalancer]\nlb-method = any\n[[severity]]\ncreate-monitor = info\n"
    profile = load(written(tmp_path, text, "sub/site.ini"))
    assert profile.extends == ("more", "kops")
    assert profile.facts.nodes == 3
    monitor = requirement_of(profile, "create-monitor")
    assert (monitor.profile, monitor.severity) == ("site", Severity.INFO)
    assert "lb-method" not in {requirement.key for requirement in profile.requirements}


def test_a_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    path = tmp_path / "site.ini"
    path.write_bytes("\ufeff[LoadBalancer]\r\ncreate-monitor = equals(true)\r\nmonitor-dealy = x\r\n".encode())
    with pytest.raises(BadConfiguration, match=r"site\.ini:3: "):
        load(str(path))


def test_several_profiles_at_once(tmp_path: Path) -> None:
    one = written(tmp_path, "extends = kops\n[cloud]\nnodes = 3\nprovider = x\n".replace("provider = x\n", ""), "a.ini")
    other = written(tmp_path, "extends = kops\n[cloud]\nnodes = 5\ntopology = single\n", "b.ini")
    together = load_all([one, other, one])
    assert together.names == ("a", "b")
    assert len(together.requirements) == len(load("kops").requirements)  # what both extend counts once
    assert (together.facts.nodes, together.facts.topology) == (5, "SINGLE")


def test_what_a_configuration_takes_for_a_file() -> None:
    assert not is_path("scs")
    assert not is_path("nope")
    assert is_path("site.ini")
    assert is_path("profiles/site")


# ---- mistakes

MISTAKES = [
    ("foo = bar\n", 1, "foo: there is no such key", "There are title, extends"),
    ("create-monitor = equals(true)\n", 1, "create-monitor: there is no such key", "Write it below [LoadBalancer]."),
    ("extend = scs\n", 1, "extend: there is no such key", "Did you mean `extends`?"),
    ("severity = bad\n", 1, "severity: `bad` is not a severity", "Write error, warning or info."),
    ("extends = gardner\n", 1, "extends: there is no profile `gardner`", "Did you mean `gardener`?"),
    ("extends = gone.ini\n", 1, "extends: there is no profile `gone.ini`", "`ccmcheck profiles` lists"),
    ("\nextends = site.ini\n", 2, "extends goes round in a circle: site.ini → site.ini", ""),
    ("[Loadbalancr]\n", 1, "[Loadbalancr]: no reader of cloud.conf knows this section", "Did you mean `LoadBalancer`?"),
    ("[LoadBalancer]\n[loadbalancer]\n", 2, "[loadbalancer]: this section comes twice", ""),
    ("[LoadBalancer]\n[LoadBalancer]\n", 2, "this name comes twice here", ""),
    ("[LoadBalancer\n", 1, "this is neither a [section] nor `key = value`", "Write [Section], or a key"),
    ("[[LoadBalancer]]\n", 1, "the brackets of this section do not match its place", ""),
    ("[LoadBalancer]\n[[reason]]\n[[[x]]]\n", 3, "[[[x]]]: [[reason]] has no sections of its own", ""),
    ("[LoadBalancer]\n[[gold]]\n", 2, "[[gold]]: there is no such section inside", "There are [[severity]], [[reason]]"),
    ("[LoadBalancer]\n[[resaon]]\n", 2, "[[resaon]]: there is no such section inside", "Did you mean `reason`?"),
    ("[LoadBalancer]\nmonitor-dealy = present\n", 2, "monitor-dealy: no release of any reader knows", "Did you mean `monitor-delay`?"),
    ("[LoadBalancer]\nauth-url = present\n", 2, "auth-url: no release of any reader knows", "It is a key of [Global]."),
    ("[LoadBalancer]\ncreate-monitor = absent\ncreate-monitor = present\n", 3, "this name comes twice", ""),
    ("[LoadBalancer]\ncreate-monitor = absent\nCreate-Monitor = present\n", 3, "create-monitor: this key comes twice", ""),
    ("[LoadBalancer]\n[[reason]]\ncreate-monitor = x\n", 3, "there is no requirement for this key", "such as create-monitor = present."),
    ("[LoadBalancer]\n[[severity]]\ncreate-monitor = bad\n", 3, "`bad` is not a severity", "Write error"),
    ("[LoadBalancer]\ncreate-monitor = equal(true)\n", 2, "there is no check `equal`", "Did you mean `equals`?"),
    ("[LoadBalancer]\nmonitor-delay = range(5s)\n", 2, "there is no check `range`", "Write monitor-delay = duration("),
    ("[LoadBalancer]\ncreate-monitor = true\n", 2, "`true` is not a check", "Write create-monitor = equals(true)"),
    ("[LoadBalancer]\nmonitor-delay = 5s\n", 2, "`5s` is not a check", "Write monitor-delay = duration(min=3s, max=15s)"),
    ("[LoadBalancer]\ncreate-monitor =\n", 2, "there is no check", "Write create-monitor"),
    ("[LoadBalancer]\ncreate-monitor = equals(maybe)\n", 2, "takes true or false, not `maybe`", ""),
    ("[LoadBalancer]\ncreate-monitor = equals\n", 2, "`equals` needs a value", "Write equals("),
    ("[LoadBalancer]\ncreate-monitor = equals()\n", 2, "`equals` needs a value", ""),
    ("[LoadBalancer]\ncreate-monitor = equals(true\n", 2, "the bracket of this check is not closed", ""),
    ("[LoadBalancer]\ncreate-monitor = equals(true) x\n", 2, "something follows the check", "Leave it out; a reason"),
    ("[LoadBalancer]\nlb-provider = equals(a, b)\n", 2, "`equals` takes one value here", "Write option(ONE, OTHER)."),
    ('[LoadBalancer]\nlb-provider = option(a b, "c)\n', 2, "cannot be parsed", 'into "quotes"'),
    ("[LoadBalancer]\nlb-provider = option(a,,b)\n", 2, "cannot be parsed", ""),
    ("[LoadBalancer]\nlb-provider = option(a, severty=error)\n", 2, "`option` takes no `severty`", ""),
    ("[LoadBalancer]\nlb-provider = option(a, sinc=1.26)\n", 2, "`option` takes no `sinc`", "Did you mean `since`?"),
    ("[LoadBalancer]\nlb-provider = option(a, since=1.26, since=1.27)\n", 2, "`option` has `since=` twice", ""),
    ("[LoadBalancer]\nlb-provider = any(since=1.26)\n", 2, "`any` takes nothing", ""),
    ("[LoadBalancer]\nlb-provider = present(a)\n", 2, "`present` takes no value", ""),
    ("[LoadBalancer]\nlb-provider = absent(default=a)\n", 2, "`absent` takes no `default`", ""),
    ("[LoadBalancer]\ncreate-monitor = duration(min=3s)\n", 2, "`duration` is not for `create-monitor`", "Write create-monitor = equals(true)"),
    ("[LoadBalancer]\nmonitor-delay = duration\n", 2, "`duration` needs min= or max=", ""),
    ("[LoadBalancer]\nmonitor-delay = duration(min=3)\n", 2, "takes a Go duration such as `5s`, not `3`", ""),
    ("[LoadBalancer]\nmonitor-delay = duration(min=9s, max=4s)\n", 2, "min=9s is more than max=4s", ""),
    ("[LoadBalancer]\nmonitor-delay = duration(min=3s, default=x)\n", 2, "takes a Go duration such as `5s`, not `x`", ""),
    ("[LoadBalancer]\nmonitor-max-retries = integer(min=-1)\n", 2, "takes an integer from 0, not `-1`", ""),
    ("[LoadBalancer]\ncreate-monitor = equals(true, since=9.9)\n", 2, "since: release 9.9 of the ccm is not known", "Known: "),
    ("[LoadBalancer]\ncreate-monitor = equals(true, since=1.30, until=1.26)\n", 2, "until=1.26 is before since=1.30", ""),
    ("[LoadBalancer]\nlb-method = equals(X, when=lb-provider)\n", 2, "when: `lb-provider` is not a condition", 'Write when="lb-provider=ovn".'),
    ('[LoadBalancer]\nlb-method = equals(X, when="lb-provder=ovn")\n', 2, "when: no release knows `lb-provder`", ""),
    ('[LoadBalancer]\nlb-method = equals(X, when="Global.password=x")\n', 2, "when: `password` holds a secret", ""),
    ("[cloud]\nndoes = 3\n", 2, "[cloud] ndoes: there is no such fact", "Did you mean `nodes`?"),
    ("[cloud]\nnodes = many\n", 2, "[cloud] nodes: `many` is not valid", "Write an integer from 1 to 10000"),
    ("[cloud]\nnodes = 0\n", 2, "[cloud] nodes: `0` is not valid", ""),
    ("[cloud]\ntopology = both\n", 2, "`both` is not valid", "Write `single` or `active-standby`"),
    ("[cloud]\npod-cidrs = 10.1.2.3/8\n", 2, "`10.1.2.3/8` is not valid", ""),
    ("[cloud]\noctavia-release = 1.2.3\n", 2, "`1.2.3` is not valid", "`2024.1` or `14.0.0`"),
    ("[cloud]\novn-octavia-release = x\n", 2, "`x` is not valid", ""),
    ("[cloud]\nkubernetes-version = new\n", 2, "`new` is not valid", ""),
    ("[cloud]\nproviders = amphora,,ovn\n", 2, "`amphora,,ovn` is not valid", ""),
    ("[cloud]\n[[x]]\n", 2, "[[x]]: [cloud] has no sections of its own", ""),
    ("a\0b = 1\n", 1, "the line holds a NUL", ""),
    (f"title = {'x' * 5000}\n", 1, "the line is longer than 4000 characters", ""),
    ('title = """open\n', 1, "this is neither", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message", "hint"), MISTAKES, ids=[repr(one[0])[:60] for one in MISTAKES])
def test_a_mistake_is_reported_with_its_line(text: str, line: int, message: str, hint: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadConfiguration) as raised:
        load(path)
    assert raised.value.exit_code == 2
    assert raised.value.message.startswith(f"{path}:{line}: "), raised.value.message
    assert message in raised.value.message
    assert raised.value.message.endswith(".")
    assert hint in raised.value.hint


def test_several_mistakes_of_the_notation_are_counted(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match=r":1: .* \(and 2 more like it\)\."):
        load(written(tmp_path, "x\ny\nz\n"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="There is no profile `nope`"):
        load("nope")
    with pytest.raises(WrongUse) as raised:
        load("gardner")
    assert raised.value.hint == "Did you mean `gardener`?"
    with pytest.raises(BadConfiguration, match="cannot be read: this is a folder, not a file"):
        load(str(tmp_path))
    binary = tmp_path / "site.ini"
    binary.write_bytes(b"# fine\n\xff\xfe\n")
    with pytest.raises(BadConfiguration, match=r"site\.ini:2: this is not UTF-8\."):
        load(str(binary))
    binary.write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(BadConfiguration, match="larger than 1 MiB"):
        load(str(binary))


def test_a_circle_through_several_files_and_a_long_way(tmp_path: Path) -> None:
    written(tmp_path, "extends = b.ini\n", "a.ini")
    written(tmp_path, "extends = c.ini\n", "b.ini")
    written(tmp_path, "title = c\nextends = b.ini\n", "c.ini")
    with pytest.raises(BadConfiguration, match=r"c\.ini:2: extends goes round in a circle: b\.ini → c\.ini → b\.ini\."):
        load(str(tmp_path / "a.ini"))
    for number in range(40):
        written(tmp_path, f"extends = {number + 1}.ini\n", f"{number}.ini")
    written(tmp_path, "title = end\n", "40.ini")
    with pytest.raises(BadConfiguration, match="extends goes through more than 30 files"):
        load(str(tmp_path / "0.ini"))


SECRET = "Canary7Zq9xWv"


@pytest.mark.parametrize(
    "line",
    [
        f"password = {SECRET}",
        f"password = equals({SECRET}",
        f"password = {SECRET}(x)",
        f"password = equals({SECRET}, {SECRET})",
        f"password = equals(x, {SECRET}=1)",
        f"password = duration(min={SECRET})",
        f"pasword = equals({SECRET})",
        f"token = option(a, sinc={SECRET})",
        f"password {SECRET}",
        f"[[severity]]\npassword = {SECRET}",
    ],
)
def test_a_mistake_beside_a_secret_does_not_tell_it(line: str, tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration) as raised:
        load(written(tmp_path, f"[Global]\n{line}\n"))
    assert SECRET not in raised.value.message + raised.value.hint


def test_the_rules_page_names_every_check_and_word() -> None:
    prose = page("profile").prose
    for name in (*CHECKS, *HEAD, *REMARK_SECTIONS, "since=", "until=", "when=", "default="):
        assert f"`{name}" in prose or f"`[[{name}]]`" in prose, name


def test_every_check_says_what_it_asks_for() -> None:
    assert all(shape.about for shape in CHECKS.values())
    assert all(fact.about and fact.expected for fact in FACTS.values())
