"""What holds at every release that may be the one that runs, and in every text that a template's conditions make.

Where they differ, the verdict is unknown and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccmcheck.base.model import Severity
from ccmcheck.catalog.data.behaviour import FIRST_PREDICTED
from ccmcheck.catalog.upgrade_path import release_ranges
from ccmcheck.predict.inputs.cloud_state import CloudState
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.inputs.service import Service
from ccmcheck.predict.records import Answer, Outcome, Prediction, ServiceFinding
from ccmcheck.predict.steady import predict_onward

_WORDS = {Outcome.ACCEPTED: "Octavia takes the requests"}
_MOST_TOLD = 2
_LONGEST = 90


def predict_each(options: Sequence[Options], service: Service, cloud: CloudState) -> Prediction:
    """Predict what the CCM does with a Service where one of several configurations holds.

    Args:
        options: The configuration as each of the releases reads it, the newest first, and as each text of a template
            says it.
        service: The Service.
        cloud: The cloud.

    Returns:
        The prediction for the first, with the verdicts that are the same at all; the others are unknown, and findings
        of some are information. Releases that are not predicted at all are left out.
    """
    worlds = [option for option in options if option.release.at_least(FIRST_PREDICTED)] or options
    at = [(option, predict_onward(option, service, cloud)) for option in worlds]
    first = at[0][1]
    joined = _Worlds(at)
    prediction = first._replace(
        answers=tuple(map(joined.answer, first.answers)),
        findings=tuple(joined.findings()),
        assumed=(*joined.differing_requests(first), *first.assumed),
    )
    if len({one.outcome for _, one in at}) > 1:
        why = joined.told([(option, one.why or _WORDS.get(one.outcome, one.outcome.value)) for option, one in at])
        prediction = prediction._replace(outcome=Outcome.UNKNOWN, why=why, refusals=(), tolerated=())
    return prediction


class _Worlds:
    """The predictions of the configurations, and how they differ.

    Args:
        at: The configurations with their predictions, the newest release's first.
    """

    def __init__(self, at: Sequence[tuple[Options, Prediction]]) -> None:
        self._at = at
        self._path = sorted({options.release for options, _ in at})
        self._has_conditions = any(options.where for options, _ in at)
        causes = ["the CCM's release"] * (len(self._path) > 1) + ["conditions of the template"] * self._has_conditions
        self._causes = f"{' and '.join(causes)}, which {'are' if self._has_conditions else 'is'} not known"

    def answer(self, first: Answer) -> Answer:
        """One verdict: that of the first configuration where all have it."""
        others = [(options, prediction.answer(first.name)) for options, prediction in self._at]
        if all(other is not None and (other.good, other.text) == (first.good, first.text) for _, other in others):
            return first
        texts = [(options, one.text if one is not None else "not judged") for options, one in others]
        is_same = all(one is not None and one.good == first.good for _, one in others)
        return first._replace(
            good=first.good if is_same else None,
            text=self.told(texts, "by condition" if self._has_conditions else "by release")
            if is_same
            else self.told(texts),
            mechanism="",
            numbers={},
        )

    def findings(self) -> Iterator[ServiceFinding]:
        """What is to be fixed: at all as at the first, at some as information that names them."""
        seen: dict[tuple[str, str], list[tuple[Options, ServiceFinding]]] = {}
        for options, prediction in self._at:
            for finding in dict.fromkeys(prediction.findings):
                seen.setdefault((finding.about, finding.text), []).append((options, finding))
        for found in seen.values():
            finding = found[0][1]
            if len(found) < len(self._at):
                text = f"{finding.text} ({self._named([options for options, _ in found])})"
                finding = finding._replace(severity=Severity.INFO, text=text)
            yield finding

    def differing_requests(self, first: Prediction) -> Iterator[str]:
        """That other configurations send something else, where they do."""
        others = [options for options, prediction in self._at if prediction.requests != first.requests]
        if others:
            shown = self._at[0][0]
            told = (
                f"the requests are those {shown.where or f'of {shown.release}'}, others are sent {self._named(others)}"
            )
            yield f"{self._causes.replace(', which', '')}: {told}"

    def told(self, texts: Sequence[tuple[Options, str]], beginning: str = "") -> str:
        """What differs, each with its configurations."""
        by_text: dict[str, list[Options]] = {}
        for options, text in texts:
            by_text.setdefault(text, []).append(options)
        told = [
            f"{text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''} {self._named(options)}"
            for text, options in list(by_text.items())[:_MOST_TOLD]
        ]
        more = f"; {len(by_text) - _MOST_TOLD} more" if len(by_text) > _MOST_TOLD else ""
        return f"{beginning or f'depends on {self._causes}'}: {'; '.join(told)}{more}"

    def _named(self, options: Sequence[Options]) -> str:
        """Which configurations these are: ``at v1.26.0``, ``where {% if ovn %}``."""
        releases = {one.release for one in options}
        words = list(dict.fromkeys(one.where for one in options if one.where))[:1]
        if len(self._path) > 1:
            words.append(f"at {release_ranges(releases, self._path)}")
        more = len({one.where for one in options if one.where}) - 1
        return " ".join(words) + (f" and {more} more" if more > 0 else "")
