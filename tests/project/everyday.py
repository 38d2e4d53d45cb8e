"""What `make test` tries every day, and `.ci/run` whole.

Of a test with `@pytest.mark.part(of=N)` every Nth case runs, of one with `@pytest.mark.ci` none, of generated examples a
quarter. A room's tests run alone (`pytest tests/redact`), and the tests that judge changed code, are whole as well:
nothing here is loaded for them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

QUARTER = 4
FEWEST_EXAMPLES = 20


def leave_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Take the cases of other days out of `items`, and return them; generated examples get fewer."""
    cases = Counter[str]()
    kept, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        part = item.get_closest_marker("part")
        name = item.nodeid.partition("[")[0]
        runs = item.get_closest_marker("ci") is None
        runs = runs and (part is None or cases[name] % part.kwargs["of"] == 0)
        cases[name] += 1
        (kept if runs else left).append(item)
        if cases[name] == 1:
            _fewer_examples(getattr(item, "obj", None))
    items[:] = kept
    return left


def _fewer_examples(test: Any) -> None:
    function = getattr(test, "__func__", test)
    if is_hypothesis_test(function):
        # there is no public way: settings() may decorate a test once, and a profile does not reach those
        given: settings = function._hypothesis_internal_use_settings
        fewer = min(given.max_examples, max(given.max_examples // QUARTER, FEWEST_EXAMPLES))
        function._hypothesis_internal_use_settings = settings(given, max_examples=fewer)
