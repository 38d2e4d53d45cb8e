"""Brings what was extracted from one release into the facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TypeVar

from catalog_facts.extract import (
    Extract,
    ExtractedAnnotation,
    ExtractedKey,
    ExtractedReader,
    ExtractedSection,
)
from catalog_facts.inputs import (
    AnnotationFacts,
    CatalogInputs,
    ConsumerFacts,
    Declaration,
    JsonValue,
    KeyFacts,
    SectionFacts,
    SectionForm,
    Stretch,
    timeline,
)
from catalog_facts.timeline import MASTER, Timeline, point_of

_Value = TypeVar("_Value")
_Declared = tuple[str, str | bool | int | tuple[str, ...] | None, str]


class MergeReport:
    """What a merge found: changes of the facts, and what a person has to look at."""

    def __init__(self) -> None:
        self.changes: list[str] = []
        self.undecided: list[str] = []


def merge(inputs: CatalogInputs, extract: Extract, release: str) -> MergeReport:
    """Make the facts say of a release what was extracted from it.

    Args:
        inputs: The facts; changed in place.
        extract: The extractor's output.
        release: A tag, known or new; or a branch, whose tip was read.
    """
    report = MergeReport()
    report.undecided += extract["undecided"] or []
    before = timeline(inputs["releases"])
    names = _add_release(inputs, before, release, report)
    one = _Merge(before, timeline(inputs["releases"]), release, names, report)
    for consumer in inputs["consumers"]:
        readers = [reader for reader in extract["readers"] if reader["consumer"] == consumer["consumer"]]
        if one.exists(consumer) and (readers or consumer["consumer"] != "legacy-in-tree"):
            one.consumer(consumer, readers[0] if readers else None)
    known = {consumer["consumer"] for consumer in inputs["consumers"]}
    for reader in extract["readers"]:
        if reader["consumer"] not in known:
            report.undecided.append(f"{reader['consumer']} reads cloud.conf and is not among the consumers")
    if extract["gcfg"]:
        one.gcfg(inputs["releases"]["gcfg"], extract["gcfg"])
    one.annotations(inputs["annotations"], extract["annotations"])
    return report


def _add_release(inputs: CatalogInputs, before: Timeline, release: str, report: MergeReport) -> list[str]:
    """Add a tag that is new; the names of the releases that are as this one."""
    point = point_of(release)
    if point in before.points or point.is_tip:
        if point not in before.points:
            raise ValueError(f"there is no branch {release}; bring a tag of it in first")
        return [release]
    branch = release.removeprefix("v").rpartition(".")[0]
    releases = inputs["releases"]
    if branch not in releases["tips"]:
        if point.minor < point_of(before.branches[-2]).minor:
            raise ValueError(f"{branch} is older than the newest branch, and not among the known ones")
        master = releases["tips"].pop(MASTER)
        releases["tips"] |= {branch: release, MASTER: master}
    releases["as_of"] = max(releases["as_of"], date.today().isoformat())  # noqa: DTZ011 - the day where this runs
    first_unknown = releases["last_patch"].get(branch, -1) + 1
    releases["last_patch"][branch] = point.patch
    skipped = [f"v{branch}.{patch}" for patch in range(first_unknown, point.patch)]
    if skipped:
        report.undecided.append(f"{', '.join(skipped)}: never read, taken to be as {release}")
    names = [*skipped, release, branch]
    if branch == list(releases["tips"])[-2]:
        names.append(MASTER)
    tips = names[names.index(release) + 1 :]
    report.changes.append(f"{release} is new; the facts on it are those of {' and '.join(tips)}, too")
    return names


class _Merge:
    """One merge.

    Args:
        before: The releases that the facts speak of so far.
        after: The same with the new one.
        release: The one that was read.
        names: The releases that are as it.
        report: Where to say what changed.
    """

    def __init__(
        self, before: Timeline, after: Timeline, release: str, names: Sequence[str], report: MergeReport
    ) -> None:
        self._before = before
        self._after = after
        self._release = release
        self._names = names
        self._report = report
        self._is_new = point_of(release) not in before.points
        self._is_newest = after.points[-1].name in names

    def exists(self, consumer: ConsumerFacts) -> bool:
        """Whether a consumer's lifetime covers the release."""
        first, _, last = consumer["releases"].partition("..")
        return point_of(first).minor <= point_of(self._release).minor <= point_of(last or first).minor

    def consumer(self, facts: ConsumerFacts, reader: ExtractedReader | None) -> None:
        """Bring one program's part in; None where the release has no such program."""
        who = facts["consumer"]
        if reader is None:
            self._report.undecided.append(f"{who}: not in {self._release}; if it has ended, say so in {who}.json")
            return
        facts["strict"] = self._presence(facts["strict"], reader["strict"], f"{who}: refuses unknown names")
        facts["embeds"] = self._presence(facts["embeds"], bool(reader.get("embeds")), f"{who}: embeds Config")
        sections = {section["name"]: section for section in reader["sections"]}
        known = {section["name"] for section in facts["sections"]}
        facts["sections"] += [{"name": name, "forms": [], "keys": []} for name in sections if name not in known]
        for section in facts["sections"]:
            self._section(who, section, sections.get(section["name"]))

    def _section(self, who: str, facts: SectionFacts, found: ExtractedSection | None) -> None:
        label = f"{who}: [{facts['name']}]"
        forms = [(form["since"], form["before"], form["subsections"]) for form in facts["forms"]]
        changed = self._changed(forms, found["subsections"] if found is not None else None, label)
        facts["forms"] = [SectionForm(since=since, before=before, subsections=form) for since, before, form in changed]
        keys = {key["name"]: key for key in found["keys"]} if found is not None else {}
        known = {key["name"] for key in facts["keys"]}
        facts["keys"] += [
            {"name": name, "field": key["field"], "history": []} for name, key in keys.items() if name not in known
        ]
        for key in facts["keys"]:
            self._key(label, key, keys.get(key["name"]))

    def _key(self, section: str, facts: KeyFacts, found: ExtractedKey | None) -> None:
        history = [
            (one["since"], one["before"], (one["type"], _hashable(one["default"]), one["set"]))
            for one in facts["history"]
        ]
        now: _Declared | None = None
        if found is not None:
            now = (found["type"], _hashable(found["default"]), found["set"])
        changed = self._changed(history, now, f"{section} {facts['name']}")
        facts["history"] = [
            Declaration(since=since, before=before, type=kind, default=_json(default), set=how)
            for since, before, (kind, default, how) in changed
        ]
        is_moved = changed != history or "ref" not in facts or facts["field"] != found["field"] if found else False
        if found is not None and is_moved and self._is_newest and self._is_new:
            facts["field"] = found["field"]
            facts["ref"] = f"{self._release}:{found['at']}"
        if self._is_new:
            documented = self._documented(facts.get("documented", []), found is not None and found["documented"])
            if documented:
                facts["documented"] = documented

    def gcfg(self, facts: dict[str, str], version: str) -> None:
        """Bring the version of gcfg in."""
        first = [*facts, ""]
        spans = [(since, first[number + 1], value) for number, (since, value) in enumerate(facts.items())]
        changed = self._changed(spans, version, "gcfg")
        facts.clear()
        facts.update({since: value for since, _, value in changed})

    def annotations(self, facts: list[AnnotationFacts], found: Sequence[ExtractedAnnotation]) -> None:
        """Bring the annotations in: which there are, and of new ones what the source says."""
        by_name = {one["name"]: one for one in found}
        known = {fact["name"] for fact in facts}
        for name, one in by_name.items():
            if name not in known:
                facts.append(_new_annotation(one, self._release))
                self._report.undecided.append(
                    f"annotation {name}: what it overrides, its default, what becomes of a value that cannot be read"
                )
        for annotation in facts:
            name = annotation["name"]
            one_found = by_name.get(name)
            annotation["history"] = self._presence(annotation["history"], one_found is not None, f"annotation {name}")
            if one_found is None or not self._is_newest:
                continue
            if one_found["type"] and one_found["type"] != annotation["type"].partition(" (")[0]:
                self._report.undecided.append(
                    f"annotation {name}: read as {one_found['type']}, known as {annotation['type']}"
                )
            if self._is_new:
                annotation["documented"] = self._documented(annotation["documented"], one_found["documented"])

    def _documented(self, spans: list[str], documented: bool) -> list[str]:
        """The branches whose documentation names something, with those of a new release."""
        branches = self._after.branches
        named = {
            branch
            for span in spans
            for branch in branches[
                branches.index(span.partition("..")[0]) : branches.index(span.rpartition("..")[2]) + 1
            ]
        }
        for name in self._names:
            if name in branches:
                named = named | {name} if documented else named - {name}
        runs: list[list[str]] = []
        for number, branch in enumerate(branches):
            if branch in named and number and branches[number - 1] in named:
                runs[-1].append(branch)
            elif branch in named:
                runs.append([branch])
        return [run[0] if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs]

    def _presence(self, stretches: Iterable[Stretch], holds: bool, label: str) -> list[Stretch]:
        spans = [(stretch["since"], stretch["before"], True) for stretch in stretches]
        return [Stretch(since=since, before=before) for since, before, _ in self._changed(spans, holds or None, label)]

    def _changed(
        self, stretches: Sequence[tuple[str, str, _Value]], now: _Value | None, label: str
    ) -> list[tuple[str, str, _Value]]:
        values = self._before.expand(stretches)
        previous = dict(values)
        for name in self._names:
            if now is None:
                values.pop(name, None)
            else:
                values[name] = now
        self._say(label, previous, now)
        return self._after.compress(values)

    def _say(self, label: str, previous: Mapping[str, object], now: object) -> None:
        """Report what differs: from the committed facts, or of a new release from the release before it."""
        if self._is_new:
            points = self._after.points
            number = points.index(point_of(self._names[0]))
            earlier = previous.get(points[number - 1].name)
        else:
            earlier = previous.get(self._release)
        if earlier != now:
            self._report.changes.append(f"{label}: {_words(earlier)}, now {_words(now)}")


def _new_annotation(found: ExtractedAnnotation, release: str) -> AnnotationFacts:
    return {
        "name": found["name"],
        "history": [],
        "type": found["type"] or "string",
        "overrides": "",
        "default": "",
        "parse": "",
        "on_unparsable": [],
        "conflicts": [],
        "notes": "",
        "documented": [],
        "ref": f"{release}:{found['at']}",
    }


def _words(value: object) -> str:
    if value is None:
        return "absent"
    if isinstance(value, tuple):
        kind, default, how = value
        return f"{kind}, default {default!r} ({how})"
    return str(value)


def _hashable(value: JsonValue) -> str | bool | int | tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) else value


def _json(value: str | bool | int | tuple[str, ...] | None) -> JsonValue:
    return list(value) if isinstance(value, tuple) else value
