"""use-clouds hides an error in cloud.conf."""

from __future__ import annotations

from ccmcheck.base.model import Note, Problem, Problems
from ccmcheck.conf.view import CloudConf
from ccmcheck.rules._support.login import login


def check(conf: CloudConf) -> Problems:
    """Look for use-clouds where a release hides the reader's error."""
    stops = conf.reading.stops
    if not stops or conf.reading.hidden_error is None or conf.is_opaque(stops[0].span):
        return
    switch = login(conf).items.get("use-clouds")
    first = stops[0].span
    if switch is None:
        return
    yield Problem(
        switch.span,
        f"CCM {conf.release.name} stops reading at an error below and does not report it",
        "Everything below that line keeps its default.",
        "Correct that line.",
        notes=(Note(first, "reading stops here"),),
    )
