"""What a migration makes of a cloud.conf and its Services: the new text, each key's fate, and the review of both."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck import catalog
from ccmcheck.base.errors import CannotEdit
from ccmcheck.base.records import NamedTuple
from ccmcheck.carriers import FindOptions
from ccmcheck.carriers.base import IN_TREE as IN_TREE_READER
from ccmcheck.carriers.base import CarriedConf
from ccmcheck.catalog.schemas import schema
from ccmcheck.conf.assignments import Assignment
from ccmcheck.conf.target_release import CCM, TargetRelease
from ccmcheck.conf.view import CloudConf
from ccmcheck.fix.diff import differences
from ccmcheck.fix.settings import ConfFile
from ccmcheck.policy.create_monitor.recommended import BALANCER, recommended
from ccmcheck.policy.migrations.facts import ANY, IN_TREE, NEUTRON, OCTAVIA, OVN, MigrationFact, migration_facts
from ccmcheck.redact.report import redact_report
from ccmcheck.review.change.compare import review
from ccmcheck.review.change.inputs import Side
from ccmcheck.review.change.records import Review
from ccmcheck.review.change.settings import values_of
from ccmcheck.workspace.deployment.record import Deployment
from ccmcheck.workspace.survey import Survey, SurveyedConf

_SAME = "the same"


class KeyFate(NamedTuple):
    """What becomes of one key of a cloud.conf.

    Attributes:
        section: Its section.
        key: Its name.
        value: Its value; masked where it is a secret.
        becomes: What takes its place.
        source: Where that can be read; empty for a key that stays.
    """

    section: str
    key: str
    value: str
    becomes: str
    source: str = ""


class MigrationPlan(NamedTuple):
    """One cloud.conf on its way.

    Attributes:
        source: The file, with the way to the text in it.
        before: What reads it now, with its release.
        after: What reads it then.
        keys: What becomes of each key.
        diff: The new cloud.conf as lines of a difference; empty where nothing changes.
        stops: What ends the reader now, or the CCM with the new text; those that end neither are none.
        by_hand: What could not be edited, and why.
        steps: What to do, in order.
        live: What live Services keep or lose, as it is for all.
        cannot: What cannot be migrated.
        review: What becomes of each Service.
    """

    source: str
    before: str
    after: str
    keys: tuple[KeyFate, ...]
    diff: tuple[str, ...]
    stops: tuple[str, ...]
    by_hand: str
    steps: tuple[MigrationFact, ...]
    live: tuple[MigrationFact, ...]
    cannot: tuple[MigrationFact, ...]
    review: Review


def plan(
    kind: str, deployment: Deployment, after: catalog.Release, survey: Survey, options: FindOptions
) -> MigrationPlan:
    """Plan the migration of one cloud.conf.

    Args:
        kind: `ccmcheck.policy.migrations.facts.IN_TREE` or ``OVN``.
        deployment: As it is.
        after: The release of the CCM that reads it then.
        survey: What all files hold.
        options: How cloud.confs are found.

    Raises:
        ValueError: The deployment has no cloud.conf.
    """
    carried = deployment.config.carried
    if carried is None:
        raise ValueError("there is no cloud.conf to migrate")
    facts = migration_facts(kind)
    whole = carried.stack.text
    text, changed, by_hand = _new_text(kind, deployment, carried, after, options)
    then = deployment._replace(
        config=SurveyedConf(deployment.config.path, deployment.config.title, changed),
        judged=TargetRelease(CCM, after, deployment.judged.source),
    )
    about = _about(kind, carried, deployment)
    steps, live, cannot = (
        tuple(one for one in group if one.about in about) for group in (facts.steps, facts.live, facts.cannot)
    )
    found = MigrationPlan(
        source=deployment.config.title,
        before=f"{facts.name if kind == IN_TREE else 'CCM'} {deployment.judged.release.name}",
        after=f"CCM {after.name}{' with OVN' if kind == OVN else ''}",
        keys=tuple(_fates(kind, carried, deployment, after)),
        diff=tuple(differences(deployment.config.path, whole, text, options)),
        stops=tuple(_stops(facts.name if kind == IN_TREE else "the CCM", deployment, then)),
        by_hand=by_hand,
        steps=steps,
        live=live,
        cannot=cannot,
        review=review(Side("before", survey, (deployment,)), Side("after", survey, (then,))),
    )
    return redact_report(found, survey.texts())


def _about(kind: str, carried: CarriedConf, deployment: Deployment) -> tuple[str, ...]:
    """Whom the facts are about: in the tree Octavia is an option that is off by default."""
    if kind != IN_TREE:
        return ANY, OCTAVIA
    values = values_of(carried, deployment.judged.release, IN_TREE_READER)[0]
    known = values.get((BALANCER, "use-octavia"))
    if (known is not None and known.is_open) or _error(deployment):
        return ANY, OCTAVIA, NEUTRON
    return ANY, OCTAVIA if known is not None and known.compared is True else NEUTRON


def _error(deployment: Deployment) -> str:
    """What ends the reader of a deployment's cloud.conf; empty for nothing."""
    carried, judged = deployment.config.carried, deployment.judged
    read = CloudConf.read(carried, judged.release, judged.consumer).reading if carried is not None else None
    return (read.error or "") if read is not None else ""


def _stops(name: str, now: Deployment, then: Deployment) -> Iterator[str]:
    for who, deployment in ((f"{name} reads the file now, and ends", now), ("the CCM ends with the new file", then)):
        error = _error(deployment)
        if error:
            yield f"{who}: {error}"


def _new_text(
    kind: str, deployment: Deployment, carried: CarriedConf, after: catalog.Release, options: FindOptions
) -> tuple[str, CarriedConf, str]:
    """The whole file with the new cloud.conf, that cloud.conf, and why it could not be written."""
    target = deployment.judged if kind == IN_TREE else TargetRelease(CCM, after, "--to")
    file = ConfFile(deployment.config.path, carried.stack.text, (target,), options)
    name = carried.route, carried.document, carried.text
    number = [(one.route, one.document, one.text) for one in file.carried].index(name)
    wanted = list(_assignments(kind, carried, deployment, after))
    try:
        if wanted:
            file.change_in_turn({number: wanted})
    except CannotEdit as error:
        return carried.stack.text, carried, error.message
    return file.text, file.carried[number], ""


def _assignments(
    kind: str, carried: CarriedConf, deployment: Deployment, after: catalog.Release
) -> Iterator[Assignment]:
    if kind == OVN:
        serial = deployment.options().serial
        values = recommended(after, "ovn", serial=serial)
        for key, value in {"lb-provider": "ovn", **values}.items():
            if schema(after).section(BALANCER).key(key) is not None:  # type: ignore[union-attr]  # every release has it
                yield Assignment(BALANCER, None, key, value)
        return
    for section, key, _ in _written(carried, deployment):
        known = schema(after).section(section)
        if known is None or known.key(key) is None:
            yield Assignment(section, None, key, None)


def _written(carried: CarriedConf, deployment: Deployment) -> Iterator[tuple[str, str, str]]:
    """Section, key and value of what the file sets."""
    values, _ = values_of(carried, deployment.judged.release, deployment.judged.consumer)
    for (section, key), value in values.items():
        if value.given:
            yield section, key, value.shown


def _fates(kind: str, carried: CarriedConf, deployment: Deployment, after: catalog.Release) -> Iterator[KeyFate]:
    facts = {(one.section, one.key): one for one in migration_facts(kind).keys}
    changes = {(one.section, one.key): one.value for one in _assignments(kind, carried, deployment, after)}
    for section, key, value in _written(carried, deployment):
        known = facts.get((section, key))
        change = changes.pop((section, key), _SAME)
        if change is None and known is not None:
            yield KeyFate(section, key, value, known.becomes, known.source)
        else:
            becomes = "nothing" if change is None else _SAME if change in (_SAME, value) else f"{key} = {change}"
            yield KeyFate(section, key, value, becomes)
    for section, key in values_of(carried, deployment.judged.release, deployment.judged.consumer)[1]:
        new = schema(after).section(section)
        if new is None or new.key(key) is None:
            yield KeyFate(section, key, "", "stays: neither reads it")
        elif (section, key) not in changes:
            yield KeyFate(section, key, "", "stays, and is read from now on")
    for (section, key), added in changes.items():
        if added is not None:
            yield KeyFate(section, key, "", f"{key} = {added}")
