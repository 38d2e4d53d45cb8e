"""What holds at every release that may be the one that runs; where they differ, the verdict is unknown and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.model import Severity
from ccmcheck.catalog.data.behaviour import FIRST_PREDICTED
from ccmcheck.catalog.upgrade_path import release_ranges
from ccmcheck.predict.records import Outcome
from ccmcheck.predict.steady import predict_onward

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.catalog import Release
    from ccmcheck.predict.inputs.cloud_state import CloudState
    from ccmcheck.predict.inputs.options import Options
    from ccmcheck.predict.inputs.service import Service
    from ccmcheck.predict.records import Answer, Prediction, ServiceFinding

_OPEN = "depends on the CCM's release, which is not known"
_WORDS = {Outcome.ACCEPTED: "Octavia takes the requests"}
_MOST_TOLD = 2
_LONGEST = 90


def predict_each(options: Sequence[Options], service: Service, cloud: CloudState) -> Prediction:
    """Predict what the CCM does with a Service where one of several releases runs.

    Args:
        options: The configuration as each of the releases reads it, the newest first.
        service: The Service.
        cloud: The cloud.

    Returns:
        The prediction for the newest, with the verdicts that are the same at all; the others are unknown, and findings
        of some are information. Releases that are not predicted at all are left out.
    """
    newest, *older = [option for option in options if option.release.at_least(FIRST_PREDICTED)] or options
    first = predict_onward(newest, service, cloud)
    at = {newest.release: first, **{one.release: predict_onward(one, service, cloud) for one in older}}
    worlds = _Worlds(at)
    prediction = first._replace(
        answers=tuple(map(worlds.answer, first.answers)),
        findings=tuple(worlds.findings()),
        assumed=(*first.assumed, *worlds.differing_requests(first)),
    )
    if len({one.outcome for one in at.values()}) > 1:
        why = worlds.told({release: _outcome(one) for release, one in at.items()})
        prediction = prediction._replace(outcome=Outcome.UNKNOWN, why=why, refusals=(), tolerated=())
    return prediction


class _Worlds:
    """The predictions of the releases, and how they differ.

    Args:
        at: The predictions, the newest release's first.
    """

    def __init__(self, at: dict[Release, Prediction]) -> None:
        self._at = at
        self._path = sorted(at)

    def answer(self, newest: Answer) -> Answer:
        """One verdict: that of the newest release where all have it."""
        others = {release: prediction.answer(newest.name) for release, prediction in self._at.items()}
        if all(
            other is not None and (other.good, other.text) == (newest.good, newest.text) for other in others.values()
        ):
            return newest
        texts = {release: one.text if one is not None else "not judged" for release, one in others.items()}
        is_same = all(one is not None and one.good == newest.good for one in others.values())
        return newest._replace(
            good=newest.good if is_same else None,
            text=self.told(texts, "by release" if is_same else _OPEN),
            mechanism="",
            numbers={},
        )

    def findings(self) -> Iterator[ServiceFinding]:
        """What is to be fixed: at all releases as at the newest, at some as information that names them."""
        seen: dict[tuple[str, str], dict[Release, ServiceFinding]] = {}
        for release, prediction in self._at.items():
            for finding in prediction.findings:
                seen.setdefault((finding.about, finding.text), {}).setdefault(release, finding)
        for found in seen.values():
            finding = next(iter(found.values()))
            if len(found) < len(self._at):
                text = f"{finding.text} (at {release_ranges(found, self._path)})"
                finding = finding._replace(severity=Severity.INFO, text=text)
            yield finding

    def differing_requests(self, newest: Prediction) -> Iterator[str]:
        """That other releases send something else, where they do."""
        others = [release for release, prediction in self._at.items() if prediction.requests != newest.requests]
        if others:
            told = (
                f"the requests are those of {newest.release}, others are sent at {release_ranges(others, self._path)}"
            )
            yield f"the CCM's release is not known: {told}"

    def told(self, texts: dict[Release, str], beginning: str = _OPEN) -> str:
        """What differs, each with its releases."""
        by_text: dict[str, list[Release]] = {}
        for release, text in texts.items():
            by_text.setdefault(text, []).append(release)
        told = [
            f"{text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''} at {release_ranges(releases, self._path)}"
            for text, releases in list(by_text.items())[:_MOST_TOLD]
        ]
        more = f"; {len(by_text) - _MOST_TOLD} more" if len(by_text) > _MOST_TOLD else ""
        return f"{beginning}: {'; '.join(told)}{more}"


def _outcome(prediction: Prediction) -> str:
    return prediction.why or _WORDS.get(prediction.outcome, prediction.outcome.value)
