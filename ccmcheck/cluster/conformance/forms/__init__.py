"""The reports of a run, by format."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.cluster.conformance.records import RunResult

FORMATS = ("text", "json", "junit", "scs", "sonobuoy")


def written(result: RunResult, form: str) -> Iterator[str]:
    """A report in pieces.

    Args:
        result: The run.
        form: One of `FORMATS`.
    """
    from ccmcheck.cluster.conformance.forms import json_form, junit, scs, sonobuoy, text

    writers = {
        "text": text.as_text,
        "json": json_form.as_json,
        "junit": junit.as_junit,
        "scs": scs.as_scs,
        "sonobuoy": sonobuoy.as_sonobuoy,
    }
    return writers[form](result)
