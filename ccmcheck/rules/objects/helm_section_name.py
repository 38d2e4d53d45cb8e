"""A section of the chart's values that the chart does not read."""

from __future__ import annotations

from ccmcheck.base.model import Problem, Problems
from ccmcheck.conf.view import CloudConf

_CONTENTS = "cloudConfigContents"


def check(conf: CloudConf) -> Problems:
    """Look for maps that the chart leaves out."""
    for span, meant in conf.unread_chart_maps:
        written = conf.text[slice(*span)].partition(" is ")[0]
        if meant.startswith("chart ") or meant == _CONTENTS:
            is_new = meant != _CONTENTS
            yield Problem(
                span,
                f"the chart {'of this version ' if is_new else ''}silently ignores {written} and all settings in it",
                f"The first version that always reads it is {meant}." if is_new else "No value of it becomes a class.",
                f"{f'Install {meant} or newer, or write' if is_new else 'Write'} the whole cloud.conf as `{_CONTENTS}`.",
            )
            continue
        around, _, name = meant.rpartition(".")
        yield Problem(
            span,
            f"the chart silently ignores {written} and all settings in it: it reads `{meant}` only",
            f"It stands beside `{around}`." if around else "Helm looks values up by their exact name.",
            f"Move its settings into `{name}` below `{around}`." if around else f"Write `{meant}`.",
        )
