"""What is shown of a cloud.conf that a template fills in."""

from __future__ import annotations

from ccmcheck import catalog
from ccmcheck.carriers import find
from ccmcheck.conf.read_report import without_marks
from ccmcheck.conf.target_release import NEWEST, TargetRelease


def test_a_value_is_shown_with_the_marks_that_touch_it() -> None:
    choice = "{% if x %}ROUND_ROBIN{% else %}SOURCE_IP{% endif %}"
    text = f"[LoadBalancer]\nlb-method = {choice}\nsubnet-id = a{{{{ b }}}} ; {{{{ c }}}}\n"
    (carried,) = find("cloud.conf.j2", text).carried
    _, templated = without_marks(carried, TargetRelease("ccm", catalog.newest(), NEWEST))
    assert [raw for _, _, raw in templated] == [choice, "a{{ b }}"]
