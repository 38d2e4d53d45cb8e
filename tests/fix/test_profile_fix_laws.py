"""Laws of ``fix --profile``: what a profile requires holds afterwards or is reported, a second run does nothing, no other key moves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccmcheck import catalog, gcfg
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf import reading
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.passes import fix_text
from ccmcheck.fix.profile import left_alone
from ccmcheck.fix.step import PROFILE
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.policy.profiles.loading import load
from ccmcheck.policy.profiles.standards import BUILT_IN

RELEASES = ("1.17", "1.20", "1.25", "v1.28.0", "1.31", "1.36")
LINES = st.one_of(
    st.sampled_from(["[Global]", "[LoadBalancer]", "[loadbalancer]", '[LoadBalancerClass "a"]', "[Networking]", "", "# note"]),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(
            ["create-monitor", "Monitor-Delay", "monitor-timeout", "monitor-max-retries", "lb-provider", "lb-method", "use-octavia", "manage-security-groups", "region", "max-shared-lb"]
        ),
        st.sampled_from(["=", " = ", "  =\t"]),
        st.sampled_from(["true", "no", "5s", "60s", "20s", "3", "ovn", '"ovn"', "amphora", "SOURCE_IP_PORT", "x # c", "", "bad value"]),
    ),
    st.sampled_from(["create-monitor", "lb-provider = ${P}", "${MORE}", "{% if x %}", "oops"]),
)  # fmt: skip


@pytest.mark.parametrize(
    "name", [name for name in BUILT_IN if any(requirement.severity for requirement in load(name).requirements)]
)
@settings(max_examples=25)
@given(
    lines=st.lists(LINES, max_size=10),
    release=st.sampled_from(RELEASES),
    path=st.sampled_from(["cloud.conf", "cloud.conf.tmpl"]),
    end=st.sampled_from(["\n", "", "\r\n"]),
)
def test_what_a_profile_wants_holds_afterwards(name: str, lines: list[str], release: str, path: str, end: str) -> None:
    text = (end if end == "\r\n" else "\n").join(lines) + end
    requirements = load(name).requirements
    looks = Linter(
        Settings(judged=(TargetRelease("ccm", catalog.release(release), "x"),)), RunContext(requirements=requirements)
    )
    result = fix_text(path, text, looks, wanted=lambda _: False, asked=(PROFILE,))
    # only keys that the profile names are other than before
    before, after = values(text, release), values(result.after, release)
    named = {(requirement.section, requirement.key) for requirement in requirements}
    moved = {place for place in before.keys() | after.keys() if before.get(place) != after.get(place)}
    assert moved <= named
    # what is still required is reported, or cannot be done
    reported = " ".join(left_alone(result.last, looks.run_context))
    for located in result.last.problems:
        if located.rule == PROFILE and located.problem.fix is not None:
            assert located.problem.label in {one.finding.label for one in result.dropped}, reported
    again = fix_text(path, result.after, looks, wanted=lambda _: False, asked=(PROFILE,))
    assert again.after == result.after


def values(text: str, release: str) -> dict[tuple[str, str], object]:
    """What the CCM would read, key by key, past its errors."""
    document = gcfg.parse(text)
    found = reading.read(document, catalog.schema(release))
    return {
        (spec.section, spec.name): found.typed.get(entry.key_start)
        for section in document.sections
        for entry in section.entries
        if (spec := found.specs.get(entry.key_start)) is not None
    }
