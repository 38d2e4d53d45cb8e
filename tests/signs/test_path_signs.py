"""Examples and test data are left out of folders by their names, and by nothing else."""

from __future__ import annotations

import pytest

from ccmcheck.base.globs import matches
from ccmcheck.catalog.signs.paths import DEFAULT_EXCLUDE, is_apart, is_example

EXAMPLES = [
    "cloud.conf.example",
    "etc/cloud.conf.sample",
    "cloud.conf.dist",
    "cloud.conf.example.j2",
    "cloud.example.conf",
    "testdata/cloud.conf",
    "x/golden/secret.yaml",
    "out/secret.golden.yaml",
    "a\\testdata\\cloud.conf",
    "ops/tests/data/cloud_conf.ini",
    "test/e2e/cloud.conf",
    "fixtures/a/b.yaml",
    "__snapshot__/x.yaml",
    "x.yaml.snap",
]
OTHERS = [
    "cloud.conf",
    "examples/cloud.conf",
    "sample.yaml",
    "samples.yaml",
    "distribution/cloud.conf",
    "my-testdata.yaml",
    "dist/a.yaml",
    "clusters/test/cloud.conf",
    "fixtures",
    "tests.yaml",
    "Fixtures/cloud.conf",
]


@pytest.mark.parametrize("path", EXAMPLES)
def test_examples(path: str) -> None:
    assert is_example(path)
    assert is_apart(path)


@pytest.mark.parametrize("path", OTHERS)
def test_other_files(path: str) -> None:
    assert not is_example(path)


@pytest.mark.parametrize("path", [*EXAMPLES, *OTHERS])
def test_the_patterns_that_are_shown_say_the_same(path: str) -> None:
    whole = path.replace("\\", "/")
    if whole != "fixtures":  # as a pattern it stands for a file of that name, too
        assert any(matches(pattern, whole) for pattern in DEFAULT_EXCLUDE) == is_example(path)


def test_what_shows_something_is_judged_and_says_nothing_of_others() -> None:
    assert is_apart("examples/ccm.yaml")
    assert not is_apart("clusters/ccm.yaml")
