"""Every fix of an object that a rule file promises, made by the engine with its guard, and carried through every layer."""

from __future__ import annotations

import base64
import textwrap

import pytest
from rule_cases import bad

from ccmcheck import catalog
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.model import Edit
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import RunContext
from ccmcheck.catalog import Release
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.guard import changed
from ccmcheck.fix.guard_yaml import check
from ccmcheck.fix.passes import fix_text
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.rules import GROUP_OF
from ccmcheck.rules.registry import ENTRIES

FIXED = [
    (name, index)
    for name in GROUP_OF
    for index, case in enumerate(bad(name))
    if case.fixed is not None and ENTRIES[name].kinds
]


def linter(
    *names: str, run_context: RunContext | None = None, template: bool | None = None, release: Release | None = None
) -> Linter:
    settings = Settings(
        judged=(TargetRelease("ccm", release or catalog.newest(), "--release"),),
        only=frozenset(names),
        find=FindOptions(template=template),
    )
    return Linter(settings, run_context or RunContext())


@pytest.mark.parametrize(("name", "index"), FIXED, ids=[f"{name}-{index}" for name, index in FIXED])
def test_fix(name: str, index: int) -> None:
    case = bad(name)[index]
    release = catalog.release(case.release) if case.release else catalog.newest()
    path = case.subject or ("case.yaml.tmpl" if case.template else "case.yaml")
    ours = linter(name, run_context=case.run, template=True if case.template else None, release=release)
    result = fix_text(path, case.text, ours, unsafe=case.unsafe)
    assert result.dropped == ()
    assert result.after == case.fixed
    assert fix_text(path, result.after, ours, unsafe=True).after == result.after
    if case.unsafe:
        assert fix_text(path, case.text, ours).after == case.text


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def indented(text: str, blanks: int) -> str:
    return textwrap.indent(text, " " * blanks)


CONF = "[Global]\nauth-url = https://keystone\nuse-clouds = true\n"
DAEMON_SET = """\
kind: DaemonSet
metadata:
  name: ccm
spec:
  template:
    spec:
      tolerations:
      - key: node-role.kubernetes.io/control-plane
        effect: NoSchedule
      containers:
      - name: ccm
        image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.31.2
"""
TOLERANT = DAEMON_SET.replace(
    "        effect: NoSchedule\n",
    "        effect: NoSchedule\n"
    "      - key: node.cloudprovider.kubernetes.io/uninitialized\n"
    '        value: "true"\n'
    "        effect: NoSchedule\n",
)
INNER = """\
# for the workload cluster
kind: Secret
metadata:
  name: cloud-config
{field}:
  cloud.conf: {value}
"""
OUTER = """\
kind: Secret
metadata:
  name: ccm-addon
type: addons.cluster.x-k8s.io/resource-set
data:
  secret.yaml: {value}  # kept
"""


def test_a_secret_in_base64_in_a_resource_set() -> None:
    before = OUTER.format(value=encoded(INNER.format(field="stringData", value=encoded(CONF))))
    after = OUTER.format(value=encoded(INNER.format(field="data", value=encoded(CONF))))
    ours = linter("secret-base64")
    result = fix_text("crs.yaml", before, ours)
    assert (result.after, result.dropped) == (after, ())
    assert [one.finding.place.inner_line for one in result.done] == [6]
    assert fix_text("crs.yaml", after, ours).after == after


def test_what_is_encoded_twice_within_what_is_encoded() -> None:
    before = OUTER.format(value=encoded(INNER.format(field="data", value=encoded(encoded(CONF)))))
    after = OUTER.format(value=encoded(INNER.format(field="data", value=encoded(CONF))))
    assert fix_text("crs.yaml", before, linter("secret-base64")).after == after


def test_a_workload_in_a_block_of_a_config_map() -> None:
    text = "kind: ConfigMap\nmetadata:\n  name: ccm\ndata:\n  ccm.yaml: |\n{}  # the end\n"
    ours = linter("ccm-tolerations")
    result = fix_text("crs.yaml", text.format(indented(DAEMON_SET, 4)), ours)
    assert (result.after, result.dropped) == (text.format(indented(TOLERANT, 4)), ())
    assert result.done[0].finding.place.line == 12


def test_a_cloud_conf_and_its_object_in_one_encoded_text() -> None:
    wrong = CONF + "[LoadBalancer]\nmonitor-delay = 3\n"
    inner = "---\n".join((INNER.format(field="data", value=encoded(wrong)), DAEMON_SET))
    meant = "---\n".join((INNER.format(field="data", value=encoded(wrong.replace("= 3", "= 3s"))), TOLERANT))
    result = fix_text("crs.yaml", OUTER.format(value=encoded(inner)), linter("duration-bad", "ccm-tolerations"))
    assert (result.after, result.dropped) == (OUTER.format(value=encoded(meant)), ())
    assert {one.finding.rule for one in result.done} == {"duration-bad", "ccm-tolerations"}


def test_what_one_fix_brings_to_light_is_fixed_too() -> None:
    text = "kind: Secret\nmetadata:\n  name: cloud-config\n{}:\n  cloud.conf: |\n    [LoadBalancer]\n    monitor-delay = 3{}\n"
    result = fix_text("secret.yaml", text.format("data", ""), linter("secret-base64", "duration-bad"))
    assert result.after == text.format("stringData", "s")


def test_a_secret_beside_stays_as_it_is() -> None:
    other = INNER.format(field="stringData", value="|\n    [Global]\n    use-clouds = true").replace(
        "cloud-config", "b"
    )
    before = INNER.format(field="stringData", value=encoded(CONF)) + "---\n" + other
    result = fix_text("secrets.yaml", before, linter("secret-base64"))
    assert result.after == INNER.format(field="data", value=encoded(CONF)) + "---\n" + other


def guarded(text: str, old: str, new: str) -> str:
    """The text after a change that the guard permits; it raises `CannotEdit` for any other."""
    start = text.index(old)
    change = changed(text, [Edit(start, start + len(old), new)])
    check(change)
    return change.after


LIST = "args:\n- name: a\n  value: 1\n- name: b\n  value: 2\n- name: c\n  value: 3\n"


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        (LIST, "- name: b\n  value: 2\n", "", "args:\n- name: a\n  value: 1\n- name: c\n  value: 3\n"),
        ("args:\n- name: b\n", "- name: b\n", "- name: x\n  value: 9\n- name: b\n", "args:\n- name: x\n  value: 9\n- name: b\n"),
        ("args:\n- a\n- b\n", "- b\n", "- b\n- c\n", "args:\n- a\n- b\n- c\n"),
        ("a:\n  b: 1\nc: 2\n", "  b: 1\n", "", "a:\nc: 2\n"),
    ],
    ids=["an item goes", "an item comes first", "an item comes last", "a mapping becomes empty"],
)  # fmt: skip
def test_the_guard_permits_what_a_change_is_about(text: str, old: str, new: str, expected: str) -> None:
    assert guarded(text, old, new) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- name: b\n", "  name: b\n"),
        ("- name: b\n  value: 2\n- name: c\n", ""),
        ("args:", "args: ["),
        ("name: a\n  value: 1\n- name", "name: a\n  value: 1\n  name"),
    ],
)
def test_the_guard_holds_what_no_change_is_about(old: str, new: str) -> None:
    with pytest.raises(CannotEdit):
        guarded(LIST, old, new)
