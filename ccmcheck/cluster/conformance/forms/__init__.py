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
    if form == "json":
        from ccmcheck.cluster.conformance.forms.json_form import as_json

        yield as_json(result)
    elif form == "junit":
        from ccmcheck.cluster.conformance.forms.junit import as_junit

        yield from as_junit(result)
    elif form == "scs":
        from ccmcheck.cluster.conformance.forms.scs import as_scs

        yield from as_scs(result)
    elif form == "sonobuoy":
        from ccmcheck.cluster.conformance.forms.sonobuoy import as_sonobuoy

        yield as_sonobuoy(result)
    else:
        from ccmcheck.cluster.conformance.forms.text import as_text

        yield from (f"{line}\n" for line in as_text(result))
