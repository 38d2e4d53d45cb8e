"""Laws of profiles: any text is one or a clear error, one that is written out is the same, and configobj agrees."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from configobj import ConfigObj, ConfigObjError
from configobj.validate import ValidateError, Validator
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from ccmcheck import catalog
from ccmcheck.base.cluster_facts import ClusterFacts
from ccmcheck.base.errors import BadConfiguration
from ccmcheck.base.escape import printable
from ccmcheck.base.model import Severity
from ccmcheck.base.profile import SOFT, Condition, Profile, Requirement
from ccmcheck.gcfg.values import format_duration
from ccmcheck.policy.profiles import notation
from ccmcheck.policy.profiles.checks import CHECKS, find_key
from ccmcheck.policy.profiles.evaluation import satisfies
from ccmcheck.policy.profiles.loading import load
from ccmcheck.policy.profiles.notation import LONGEST_LINE, ProfileSource, bare, parse
from ccmcheck.policy.profiles.profile_file import read_profile
from ccmcheck.policy.profiles.serialization import write
from ccmcheck.policy.profiles.standards import BUILT_IN

SOURCE = ProfileSource("site.ini")
KEYS = [
    key
    for section in catalog.all_sections()
    for name in catalog.all_keys(section)
    if (key := find_key(section, name)) is not None and not key.is_secret and key.type != "reserved"
]
LINES = st.one_of(
    st.builds("[{}]".format, st.sampled_from(["LoadBalancer", "Global", "cloud", "LoadBalancerClass", "x", " Route "])),
    st.builds("[[{}]]".format, st.sampled_from(["reason", "severity", "source", "x"])),
    st.builds(
        "{} = {}".format,
        st.sampled_from(["create-monitor", "monitor-delay", "nodes", "title", "extends", "region", "password", "x"]),
        st.one_of(
            st.sampled_from(
                ["equals(true)", "absent", "duration(min=3s)", "3", "error", "scs", "equals('a', b)", "any"]
            ),
            st.builds("{}({})".format, st.sampled_from([*CHECKS, "x"]), st.text("ab,='\"()# min3s\t", max_size=12)),
            st.text(max_size=12),
        ),
    ),
    st.sampled_from(["", "# comment", "  # x", "'''", 'a = """', "]", "= x", "\ufeff", "[", "[[[z]]]"]),
    st.text(max_size=10),
)


def profile_file(text: str) -> Profile:
    found = read_profile("site", parse(text, SOURCE), SOURCE)
    return Profile("site", found.title, (), found.note, found.source, found.facts, found.merge_requirements({}, SOURCE))


@settings(max_examples=400)
@given(st.one_of(st.lists(LINES, max_size=10).map("\n".join), st.text(max_size=60)))
@example('a"=b\n')
@example("''=b\n")
@example("[ ' ' ]\n")
@example("a = 'b' c\n")
@example("[]=")
@example("[[]")
@example("[[z]#]")
@example("[a]=1\n")
def test_any_text_is_a_profile_or_a_clear_error(text: str) -> None:
    refusal = None
    try:
        assert all(requirement.check in CHECKS for requirement in profile_file(text).requirements)
    except BadConfiguration as error:
        refusal = error
    if refusal is not None:
        assert re.match(r"site\.ini:[1-9][0-9]*: .+\.$", refusal.message), refusal.message
        assert printable(refusal.message) == refusal.message
        assert printable(refusal.hint) == refusal.hint


# ---- written out and read again

FREE = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=20).map(
    lambda text: " ".join(text.split())
)
WORD = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"], exclude_characters='"'), min_size=1, max_size=8).map(
    lambda text: " ".join(text.split())
)  # fmt: skip


def values_of(kind: str) -> st.SearchStrategy[str]:
    if kind == "bool":
        return st.sampled_from(["true", "no", "On", "0"])
    if kind == "duration":
        return st.sampled_from(["3s", "1m", "1m30s", "500ms"])
    if kind in ("uint", "int"):
        return st.integers(0, 99).map(str)
    if kind == "word":
        return st.sampled_from(["a", "b-c"])
    return WORD.filter(lambda text: text not in ("", "None"))


@st.composite
def requirements(draw: st.DrawFn) -> Requirement:
    key = draw(st.sampled_from(KEYS))
    fitting = [name for name, shape in CHECKS.items() if name != "any" and (not shape.types or key.type in shape.types)]
    check = draw(st.sampled_from(fitting))
    shape = CHECKS[check]
    most = 1 if check == "equals" and key.type != "list" else 3 if shape.most is None else shape.most
    requirement = Requirement(
        "site",
        key.section,
        key.name,
        check,
        tuple(draw(st.lists(values_of(key.type), min_size=shape.least, max_size=most))) if most else (),
        since=draw(st.sampled_from(["", "1.26", "v1.28.1"])),
        until=draw(st.sampled_from(["", "1.30"])),
        when=draw(st.sampled_from([(), (Condition("LoadBalancer", "lb-provider", "ovn"),)])),
        severity=draw(st.sampled_from(Severity)),
        reason=draw(FREE),
        source=draw(FREE),
    )
    if shape.limits:
        requirement = requirement._replace(low=draw(values_of(key.type)))
    if check not in ("absent", *SOFT) and draw(st.booleans()):
        requirement = requirement._replace(default=draw(values_of(key.type)))
    return requirement


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    found = draw(
        st.lists(requirements(), max_size=5, unique_by=lambda requirement: (requirement.section, requirement.key))
    )
    source = draw(FREE)
    facts = ClusterFacts(
        nodes=draw(st.none() | st.integers(1, 10_000)),
        topology=draw(st.sampled_from(["", "SINGLE", "ACTIVE_STANDBY"])),
        pod_cidrs=draw(st.sampled_from([(), ("10.0.0.0/8",), ("10.0.0.0/8", "fd00::/8")])),
        providers=draw(st.sampled_from([None, ("amphora", "ovn")])),
    )
    order = list(dict.fromkeys(requirement.section for requirement in found))  # sections stay together in a file
    sorted_wishes = sorted(found, key=lambda requirement: order.index(requirement.section))
    ours = tuple(requirement._replace(source=requirement.source or source) for requirement in sorted_wishes)
    return Profile("site", draw(FREE), (), draw(FREE), source, facts, ours)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(profiles())
def test_a_profile_written_out_is_the_same(profile: Profile) -> None:
    free = [profile.title, profile.note, profile.source]
    free += [text for requirement in profile.requirements for text in (requirement.reason, requirement.source)]
    # what begins with three quotes is configobj's text over several lines; a text with a comment's sign and both
    # kinds of quotes has no spelling
    assume(not any(text.startswith(("'''", '"""')) for text in free))
    assume(all(any(bare(form) == text for form in (text, f'"{text}"', f"'{text}'")) for text in free))
    assert profile_file(write(profile)) == profile


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_profile_written_out_is_the_same(name: str, tmp_path: Path) -> None:
    profile = load(name)
    path = tmp_path / f"{name}.ini"
    path.write_text(write(profile), encoding="utf-8")
    again = load(str(path))
    assert again.facts == profile.facts

    def fields_of(requirement: Requirement) -> tuple[object, ...]:
        return requirement._replace(profile="")

    assert sorted(map(fields_of, again.requirements), key=str) == sorted(map(fields_of, profile.requirements), key=str)
    assert write(again) == write(load(str(path)))


# ---- configobj is right


def keys_of(section: Mapping[str, object], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in section.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from keys_of(value, (*path, key))


NAME = st.text("abc-_.x1 ", min_size=1, max_size=6).map(str.strip).filter(bool)
PLAIN = st.one_of(
    st.builds("[{}]".format, NAME),
    st.builds("[[ {} ]]  # c".format, NAME),
    st.builds("{} = {}".format, NAME, st.text("ab,=()# '\"x", max_size=8)),
    st.builds("  '{}'= {}".format, NAME, NAME),
    st.sampled_from(["", "# a = b", 'long = """', "a = b", 'x"""', "y = '''one''' # c"]),
)


@settings(max_examples=400)
@given(st.lists(PLAIN, max_size=10))
def test_every_name_that_configobj_finds_has_the_line_it_stands_in(lines: list[str]) -> None:
    try:
        theirs = ConfigObj(list(lines), interpolation=False, list_values=False, _inspec=True)
    except ConfigObjError:
        return
    ours = dict(notation._places(lines))
    assert list(ours) == sorted(keys_of(theirs), key=list(ours).index)
    for path, number in ours.items():
        assert path[-1] in lines[number - 1]


@settings(max_examples=300)
@given(st.integers(-5, 20), st.none() | st.integers(-5, 20), st.none() | st.integers(-5, 20))
def test_limits_are_those_of_validate(value: int, low: int | None, high: int | None) -> None:
    requirement = Requirement(
        "site", "s", "k", "integer", low="" if low is None else str(low), high="" if high is None else str(high)
    )
    options = ", ".join(f"{name}={limit}" for name, limit in (("min", low), ("max", high)) if limit is not None)
    assert satisfies(requirement, value, "int") == accepts(f"integer({options})", str(value))


@settings(max_examples=200)
@given(st.integers(0, 10**11), st.integers(0, 10**11), st.integers(0, 10**11))
def test_durations_are_compared_as_numbers(value: int, low: int, high: int) -> None:
    requirement = Requirement("site", "s", "k", "duration", low=format_duration(low), high=format_duration(high))
    assert satisfies(requirement, value, "duration") == accepts(f"integer(min={low}, max={high})", str(value))


@settings(max_examples=200)
@given(st.sampled_from("abcd"), st.lists(st.sampled_from("abcd"), min_size=1))
def test_options_are_those_of_validate(value: str, options: list[str]) -> None:
    requirement = Requirement("site", "s", "k", "option", tuple(options))
    assert satisfies(requirement, value, "string") == accepts(f"option({', '.join(options)})", value)
    assert satisfies(requirement._replace(check="not"), value, "string") != accepts(
        f"option({', '.join(options)})", value
    )


def accepts(check: str, value: str) -> bool:
    try:
        Validator().check(check, value)
    except ValidateError:
        return False
    return True


@pytest.mark.part(of=2)
@pytest.mark.parametrize(
    "line",
    [
        "[LoadBalancer]\nlb-provider = option(" + "a=list(" * 500,
        "[LoadBalancer]\nlb-provider = option(" + ", ".join(["a"] * 900) + ")",
        "[LoadBalancer]\nlb-provider = option(" + '"a' * 1500 + ")",
        "[LoadBalancer]\nlb-provider = option(a" + " " * 3900 + "b=)",
        "[" * 3900,
        "[ " * 1900 + "x",
        "'" * 3900 + "=",
        "a" * 3900,
        "[LoadBalancer]\n" + "[[reason]]\n" * 20000,
        "x = 1\n" * 20000,
        '[LoadBalancer]\nlb-method = equals(X, when="' + "a=b," * 900 + '")',
    ],
    ids=range(11),
)  # fmt: skip
def test_hostile_texts_cost_no_time(line: str) -> None:
    assert all(len(one) <= LONGEST_LINE for one in line.split("\n"))
    started = time.process_time()
    with suppress(BadConfiguration):
        profile_file(line)
    assert time.process_time() - started < 5
