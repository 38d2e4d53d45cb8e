"""Commands that take a tenth of a second: the start, and one file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache, partial

from bench_files import SAMPLES, Bench
from bench_rows import Row, alone, beside, slower
from filesets import cloud_conf, control_plane, secret
from stopwatch import Command, Sample, measure

VERSION_LIKE_CLICK = 0.95
EXPLAIN_LIKE_CLICK = 1.2
LIKE_YAMLLINT = 0.95


def start(bench: Bench) -> Iterator[Row]:
    """Commands that read no file."""
    click = Command("import click", (sys.executable, "-c", "import click"), bench.root)
    for args, goal in ((("--version",), VERSION_LIKE_CLICK), (("explain", "duration-bad"), EXPLAIN_LIKE_CLICK)):
        ours = bench.ccmcheck(*args)
        yield Row(ours.name, partial(beside, ours, click, bench.often, at_most=goal))
    rules = bench.ccmcheck("rules")
    yield Row(rules.name, partial(alone, rules, bench.often))


def one_file(bench: Bench) -> Iterator[Row]:
    """A file alone, of each kind; yamllint takes a plain cloud.conf for what it is not, and is left out there."""
    single = bench.folder(
        "single", {"secret.yaml": secret(1), "control-plane.yaml": control_plane(1), "cloud.conf": cloud_conf(1)}
    )
    manifest = (SAMPLES / "ccm.yaml").read_text()
    accompanied = bench.folder("accompanied", {"secret.yaml": secret(1), "ccm.yaml": manifest})

    @cache
    def of_secret() -> list[Sample]:
        ours = [bench.ccmcheck("lint", "secret.yaml", cwd=folder) for folder in (single, accompanied)]
        return measure([*ours, bench.yamllint(single, "secret.yaml")], bench.often)

    for what, index in (("ccmcheck lint secret.yaml", 0), ("lint secret.yaml beside the CCM's manifest", 1)):
        yield Row(what, lambda: slower(of_secret()[index], of_secret()[2], "yamllint", at_most=LIKE_YAMLLINT))  # noqa: B023 - measured before the next row
    name = "control-plane.yaml"
    ours, theirs = bench.ccmcheck("lint", name, cwd=single), bench.yamllint(single, name)
    yield Row(ours.name, partial(beside, ours, theirs, bench.often, at_most=LIKE_YAMLLINT))
    conf = bench.ccmcheck("lint", "cloud.conf", cwd=single)
    yield Row(conf.name, partial(alone, conf, bench.often))
