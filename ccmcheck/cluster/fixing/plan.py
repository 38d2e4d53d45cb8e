"""The changes that the fixes of a run make in the objects of a cluster, with what to know before they are written.

What a fix of an object's YAML changes in the object: a JSON merge patch (RFC 7386), and the fields in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from ccmcheck.cluster.access import requests
from ccmcheck.cluster.access.documents import ObjectFile, changed_fields, field_name, mapping, text
from ccmcheck.cluster.access.requests import CORE, GET, RequestKind
from ccmcheck.cluster.access.transport import Document
from ccmcheck.cluster.core import NamedTuple, errors, fix_diff, fixes, lint_results, run_options
from ccmcheck.cluster.fixing.verdict import FixVerdict, verdict
from ccmcheck.cluster.live.snapshot import Snapshot

_CHANGED = (("data",), ("metadata", "annotations"), ("spec",), ("type",))
"""What a fix may change in a live object; its name and its namespace are what it is."""


def holds(obj: dict[str, Any], patch: dict[str, Any]) -> bool:
    """Whether an object is as a patch wants it."""
    for key, value in patch.items():
        found = obj.get(key)
        if isinstance(value, dict):
            if not isinstance(found, dict) or not holds(found, value):
                return False
        elif found != value:
            return False
    return True


class FixedObject(NamedTuple):
    """What the fixes make of one object.

    Attributes:
        subject: ``Secret kube-system/cloud-config``.
        request: How it is read, and where it is written.
        object: As the API server sent it.
        patch: A merge patch, without preconditions.
        keys: The keys of the cloud.conf that it changes; empty where it holds none.
        diff: The lines of the masked difference.
        verdict: Whether it may be written, by who owns it.
        is_immutable: Whether the API server accepts no change of it.
    """

    subject: str
    request: RequestKind
    object: Document
    patch: dict[str, Any]
    keys: tuple[str, ...]
    diff: tuple[str, ...]
    verdict: FixVerdict
    is_immutable: bool


class WantedFixes(NamedTuple):
    """Which fixes are made.

    Attributes:
        linters: Look through the objects.
        wanted: Which rules' fixes.
        asked: Rules whose fixes were asked for by name.
        unsafe: Whether to make those that change what the CCM does, too.
    """

    linters: run_options.Linters
    wanted: Callable[[str], bool]
    asked: Collection[str] = ()
    unsafe: bool = False


class Planned(NamedTuple):
    """What became of one object.

    Attributes:
        result: What the fixes made of its text; None where it could not be read.
        change: What that changes; None where nothing does.
        failures: What could not be read or made.
        is_fatal: Whether the CCM stops at the text as it is after the fixes.
    """

    result: fixes.FixResult | None = None
    change: FixedObject | None = None
    failures: tuple[lint_results.Failure, ...] = ()
    is_fatal: bool = False


class FixPlan(NamedTuple):
    """What would be written.

    Attributes:
        snapshot: What was read.
        changes: What the fixes change.
        fatal: The objects at whose text the CCM stops, as it is after the fixes.
    """

    snapshot: Snapshot
    changes: tuple[FixedObject, ...]
    fatal: frozenset[str]


def plan(snapshot: Snapshot, wanted: WantedFixes) -> Iterator[Planned]:
    """Fix the cloud.confs and the Services of a cluster, and leave the cluster as it is.

    Args:
        snapshot: What was read, with the Services as the API server sent them.
        wanted: Which fixes.
    """
    for config in snapshot.configs:
        yield _planned(config.file, config.object, wanted, is_conf=True)
    for file, obj in zip(snapshot.services, snapshot.objects, strict=True):
        yield _planned(file, obj, wanted)


def _planned(file: ObjectFile, obj: Document, wanted: WantedFixes, *, is_conf: bool = False) -> Planned:
    try:
        return _fixed(file, obj, wanted, is_conf=is_conf)
    except errors.CcmcheckError as error:
        return Planned(failures=(lint_results.Failure(file.subject, error.message),))


def _fixed(file: ObjectFile, obj: Document, wanted: WantedFixes, *, is_conf: bool) -> Planned:
    linter = wanted.linters.of(file.path)
    result = fixes.fix_text(
        file.path, file.text, linter, unsafe=wanted.unsafe, wanted=wanted.wanted, asked=wanted.asked
    )
    failures = tuple(failure._replace(path=file.subject) for failure in result.last.failures)
    # the fixes' own look leaves out the rules without fixes
    is_fatal = is_conf and any(
        problem.fatal for problem in linter.examine(file.path, result.after, explicit=True).problems
    )
    if result.after == result.before:
        return Planned(result, None, failures, is_fatal)
    patch = fix_diff.merge_patch(result.before, result.after)
    paths = changed_fields(patch)
    foreign = [path for path in paths if not any(path[: len(allowed)] == allowed for allowed in _CHANGED)]
    if foreign:
        why = f"a fix would change {field_name(foreign[0])}, which a live object keeps"
        return Planned(
            result, failures=(*failures, lint_results.Failure(file.subject, why, "Fix it where it comes from."))
        )
    find_options = linter.settings.find._replace(explicit=True)
    change = FixedObject(
        file.subject,
        _request(obj),
        obj,
        patch,
        tuple(fix_diff.changed_keys(result.path, result.before, result.after, find_options)),
        tuple(fix_diff.differences(file.path, result.before, result.after, find_options, subject=file.subject)),
        verdict(obj, paths),
        obj.get("immutable") is True and "data" in patch,
    )
    return Planned(result, change, failures, is_fatal)


def _request(obj: Document) -> RequestKind:
    """How an object is read by its name."""
    metadata = mapping(obj.get("metadata"))
    namespace, name, kind = text(metadata.get("namespace")), text(metadata.get("name")), text(obj.get("kind"))
    if kind in requests.CONFIG_RESOURCES:
        return requests.config(kind, namespace, name)
    return RequestKind(CORE, "v1", "services", GET, namespace, name)
