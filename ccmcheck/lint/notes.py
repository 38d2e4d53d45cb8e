"""What there is to say of a file besides its findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.catalog.data.deployments import NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ccmcheck.carriers.base import CarriedConf
    from ccmcheck.lint.file_analysis import FileAnalysis


def depends_on_clouds(path: str, found: FileAnalysis) -> tuple[str, ...]:
    """That a clouds.yaml decides, too, whether the reader of a file starts."""
    if not any(reading.depends_on_clouds for read in found.read for reading in read.readings):
        return ()
    return (
        f"{path}: with use-clouds, whether the CCM starts also depends on its clouds.yaml, which is not known here.",
    )


def unused(path: str, carried: Iterable[CarriedConf]) -> tuple[str, ...]:
    """That nothing reads values of a chart which makes no Secret of them, as beside a Secret of one's own."""
    if not any(NOBODY in conf.consumers for conf in carried):
        return ()
    why = "with `secret.create` or `secret.enabled` false the chart makes no Secret"
    return (f"{path}: nothing reads `cloudConfig`: {why}.",)


def why_not_taken(path: str, carried: CarriedConf) -> str:
    """Why a text that looks like a cloud.conf is not taken for one, for people."""
    from ccmcheck.redact.masker import Masker  # few files have such a text

    title = f"{path} › {Masker(carried.text).scrub(carried.route)}" if carried.route else path
    reason = carried.recognition.reason if carried.recognition is not None else ""
    return f"{title} is not taken for a cloud.conf: {reason}."
