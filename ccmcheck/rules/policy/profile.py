"""A setting that deviates from a profile."""

from __future__ import annotations

from ccmcheck.base.model import Fix, Note, Problem, Problems, Span
from ccmcheck.catalog import fold
from ccmcheck.conf.view import CloudConf
from ccmcheck.policy.profiles.evaluation import Evaluation, Status, evaluate, has_no_effect, prescribed_value
from ccmcheck.rules._support import fixes
from ccmcheck.rules._support.ignored import is_merged


def check(conf: CloudConf) -> Problems:
    """Check every requirement."""
    if not conf.for_ccm or not conf.sections:
        return

    for requirement in conf.run_context.requirements:
        for evaluation in evaluate(requirement, conf):
            if evaluation.status is Status.VIOLATED and not (
                # what is missing may be in another file: the values of a chart are merged
                not evaluation.items and is_merged(conf) and not conf.sections_named(evaluation.requirement.section)
            ):
                yield _problem(conf, evaluation)


def _problem(conf: CloudConf, evaluation: Evaluation) -> Problem:
    from ccmcheck.policy.profiles.description import expected_values, rationale

    requirement = evaluation.requirement
    if requirement.check == "absent":
        items = evaluation.items
        span, *others = [item.entry.key_span for item in items]
        label = (
            f"the profile {requirement.profile} requires {expected_values(requirement)} here; {_used(conf, evaluation)}"
        )
        notes = tuple(Note(place, "here as well") for place in others)
        return Problem(
            span,
            label,
            rationale(requirement),
            "Delete the line.",
            _deletion(conf, evaluation),
            None,
            requirement.severity,
            notes,
        )
    label = f"the profile {requirement.profile} requires {expected_values(requirement)} for {requirement.key}; {_used(conf, evaluation)}"
    return Problem(
        evaluation.items[0].span if evaluation.items else _home(conf, evaluation),
        label,
        rationale(requirement),
        _advice(evaluation),
        _assignment(conf, evaluation),
        severity=requirement.severity,
    )


def _used(conf: CloudConf, evaluation: Evaluation) -> str:
    from ccmcheck.policy.profiles.description import shown_value

    if evaluation.uses is None:
        return f"CCM {conf.release.name} ignores it"
    if evaluation.items:
        return f"the CCM uses {conf.quote(evaluation.items[-1])}" if evaluation.uses else "it is empty"
    return (
        f"the CCM uses `{shown_value(evaluation.requirement, evaluation.uses)}`, its default"
        if evaluation.uses
        else "it has no default"
    )


def _home(conf: CloudConf, evaluation: Evaluation) -> Span:
    """Where a missing key belongs: its section, else the file's first."""
    name = fold(evaluation.requirement.section)
    sections = [one for one in conf.sections if fold(one.name) == name and one.subsection == evaluation.subsection]
    return (sections or conf.sections)[0].span


def _advice(evaluation: Evaluation) -> str:
    from ccmcheck.policy.profiles.description import expected_values, shown_value

    requirement = evaluation.requirement
    choice = prescribed_value(requirement)
    if choice is not None:
        return f"Write `{requirement.key} = {shown_value(requirement, choice)}`."
    return (
        f"Write `{requirement.key}` with {expected_values(requirement)}."
        if requirement.check != "present"
        else f"Write `{requirement.key}`."
    )


def _assignment(conf: CloudConf, evaluation: Evaluation) -> Fix | None:

    requirement = evaluation.requirement
    choice = prescribed_value(requirement)
    spec = (section := conf.schema.section(requirement.section)) and section.key(requirement.key)
    if choice is None or spec is None or spec.secret or spec.type == "list":
        return None
    if evaluation.items:
        edit = fixes.write_value(conf, evaluation.items[0].entry, choice)
    else:
        near = fixes.neighbour(conf, requirement.section, requirement.key, evaluation.subsection)
        added = fixes.add_key(
            conf, requirement.section, requirement.key, choice, subsection=evaluation.subsection, after=near
        )
        if added is None:
            return None
        edit = added
    return fixes.unsafe(conf, f"set {requirement.key} = {choice}", edit)


def _deletion(conf: CloudConf, evaluation: Evaluation) -> Fix | None:

    edits = [fixes.delete_key(conf, item.entry) for item in evaluation.items]
    return (fixes.safe if has_no_effect(evaluation, conf) else fixes.unsafe)(
        conf, f"unset {evaluation.requirement.key}", *edits
    )
