"""One decision where conditions, or a provider that only rendering gives, leave several configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ccmcheck.catalog import Release, minors
from ccmcheck.policy.create_monitor.matrix import first_row
from ccmcheck.policy.create_monitor.verdict import ConfigVerdict
from ccmcheck.predict.advice.deciding import Decided, Decision
from ccmcheck.predict.drivers import USUAL_PROVIDERS, driver_of
from ccmcheck.predict.inputs.options import Options
from ccmcheck.predict.records import Prediction
from ccmcheck.predict.worlds import predict_each
from ccmcheck.review.create_monitor import records

_NO_KEYS = ("release", "classes", "stop", "unsupported", "given", "open", "where")


def worlds(each: Iterable[Options]) -> list[Options]:
    """The configurations that may be the one, those of Octavia's default provider first."""
    found = [world for options in each for world in _of_each_provider(options)]
    return sorted(found, key=lambda options: options.lb_provider != USUAL_PROVIDERS[0])


def _of_each_provider(options: Options) -> Iterator[Options]:
    if "lb-provider" not in options.open:
        yield options
        return
    for provider in USUAL_PROVIDERS:
        known = ["lb-provider"]
        world = options._replace(lb_provider=provider, where=options.where or f"where lb-provider = {provider}")
        only = driver_of(provider).only_method
        if only and "lb-method" in options.open:
            known.append("lb-method")
            world = world._replace(lb_method=only)
        yield world._replace(open=tuple(key for key in options.open if key not in known))


def joined(decisions: Sequence[Decision]) -> Decision:
    """What holds in all of them; predictions are unknown where they differ."""
    first, *others = decisions
    if not others:
        return first
    keys = [key for key in first.keys if all(key in other.keys for other in others)]
    values = [decision.verdict.value for decision in decisions]
    rows = tuple(dict.fromkeys(row for decision in decisions for row in decision.verdict.rows))
    verdict = first.verdict._replace(rows=rows)
    if len(set(values)) > 1:
        words = {True: "true", False: "false", None: "not known"}
        told = each_of(decisions, [words[value] for value in values])
        verdict, keys = ConfigVerdict(None, rows, f"it depends on what is known after rendering only: {told}"), []
    open_keys = (*(key for decision in decisions for key in decision.config.open), *_varying(decisions))
    return first._replace(
        config=first.config._replace(open=tuple(dict.fromkeys(open_keys))),
        verdict=verdict,
        keys=tuple(keys),
        services=tuple(_service(decisions, number) for number in range(len(first.services))),
    )


def _varying(decisions: Sequence[Decision]) -> Iterator[str]:
    for name in Options._fields:
        values = [getattr(decision.config, name) for decision in decisions]
        if name not in _NO_KEYS and any(value != values[0] for value in values):
            yield "provider-requires-serial-api-calls" if name == "serial" else name.replace("_", "-")


def _service(decisions: Sequence[Decision], number: int) -> Decided:
    cases = [decision.services[number] for decision in decisions]
    first, cloud = cases[0], decisions[0].cloud
    now = predict_each([decision.config for decision in decisions], first.service, cloud)
    then = predict_each([decision.changed for decision in decisions], first.changed, cloud)
    return first._replace(
        now=_with_numbers(now, [case.now for case in cases]), then=_with_numbers(then, [case.then for case in cases])
    )


def _with_numbers(prediction: Prediction, each: Sequence[Prediction]) -> Prediction:
    """The prediction with the numbers of each configuration where the answers differ, for programs."""
    answers = []
    for answer in prediction.answers:
        numbers = [dict(same.numbers) for one in each if (same := one.answer(answer.name)) is not None]
        is_lost = not answer.numbers and any(numbers)
        answers.append(answer._replace(numbers={"each": numbers}) if is_lost else answer)
    return prediction._replace(answers=tuple(answers))


def same_since(decisions: Sequence[Decision]) -> Release | None:
    """The oldest release from which on the same rows decide; None where that is the release itself."""
    decided = [(service.question, service.row) for decision in decisions for service in decision.services]
    current, since = decisions[0].config.release, None
    for release in sorted(minors("ccm"), reverse=True):
        if release < current:
            if any(first_row(question._replace(release=release)) is not row for question, row in decided):
                break
            since = release
    return since


def each_of(decisions: Sequence[Decision], texts: Sequence[str]) -> str:
    """A text where all have it, else each with the providers, or the conditions, that it holds for."""
    by_text: dict[str, list[Options]] = {}
    for decision, text in zip(decisions, texts, strict=True):
        by_text.setdefault(text, []).append(decision.config)
    if len(by_text) == 1:
        return texts[0]
    providers = [{config.lb_provider for config in configs} for configs in by_text.values()]
    if sum(map(len, providers)) == len(set().union(*providers)):
        return "; ".join(
            f"{' or '.join(sorted(of))}: {text or '–'}" for text, of in zip(by_text, providers, strict=True)
        )
    return f"by condition: {' or '.join(text or '–' for text in by_text)}"


def motion_of_each(
    decisions: Sequence[Decision], rows: Callable[[Decision], Sequence[records.MotionRow]]
) -> tuple[records.MotionRow, ...]:
    """The first screen's rows, in which what differs is said for each."""
    tables = [{row.label: row for row in rows(decision)} for decision in decisions]
    labels = dict.fromkeys(label for table in tables for label in table)
    empty = records.MotionRow("", "", "")
    found = []
    for label in labels:
        now, then = (each_of(decisions, [table.get(label, empty)[side] for table in tables]) for side in (1, 2))
        found.append(records.MotionRow(label, now, "as now" if now == then else then))
    return tuple(found)


def arguments_of_each(lists: Sequence[Sequence[records.PageArgument]]) -> tuple[records.PageArgument, ...]:
    """Arguments with what holds in all; where they differ whether they apply is not known."""
    if len(lists) == 1:
        return tuple(lists[0])
    tables = [{argument.name: argument for argument in arguments} for arguments in lists]
    found = []
    for name, first in tables[0].items():
        same = [table[name] for table in tables]
        applies = first.applies if len({one.applies for one in same}) == 1 else None
        here = first.here if len({one.here for one in same}) == 1 else ""
        found.append(first._replace(applies=applies, here=here))
    return tuple(sorted(found, key=lambda argument: argument.applies is False))
