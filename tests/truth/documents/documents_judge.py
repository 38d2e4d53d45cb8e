"""Judges what lint, fix and every patch make of a document, with PyYAML, jsonpatch, git and kustomize."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import documents_read as reader
import jsonpatch
import yaml
from documents_generate import Document, document
from test_canary_fix import said

from ccmcheck import catalog
from ccmcheck.base.model import Severity
from ccmcheck.base.text import decode, encode
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.passes import FixResult, fix_text
from ccmcheck.fix.patch.formats import OF_OBJECTS, Patch, patches, text_of
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.redact import MASK
from ccmcheck.rules import GROUP_OF
from ccmcheck.rules.registry import ENTRIES

RELEASE = "v1.36.0"
SECONDS = 300
OBJECT_FORMATS = ("json", "merge", "strategic", "kustomize", "clusterclass")


class Confs(NamedTuple):
    """A cloud.conf before and after, for the real reader.

    Attributes:
        number: The document's number.
        carrier: The document's name.
        before: The text before.
        after: The text after.
        unsafe: Whether unsafe fixes were made.
        done: What the document's fixes do.
        stops: Whether ccmcheck finds an error in what is left of the document.
    """

    number: int
    carrier: str
    before: bytes
    after: bytes
    unsafe: bool
    done: tuple[str, ...]
    stops: bool


class Judged(NamedTuple):
    """What became of a batch of documents.

    Attributes:
        faults: What is wrong, each with the document's number.
        confs: Every cloud.conf that PyYAML finds in them.
        tally: Counts what was there.
    """

    faults: list[tuple[int, str]]
    confs: list[Confs]
    tally: Counter[str]


class Fixed(NamedTuple):
    """A document, and what was made of it."""

    number: int
    document: Document
    unsafe: bool
    result: FixResult


@cache
def linter() -> Linter:
    """Judges by the newest release of the CCM."""
    return Linter(Settings(judged=(TargetRelease("ccm", catalog.release(RELEASE), "--release"),)), RunContext())


def is_about_the_text(name: str) -> bool:
    """Whether a rule is about a cloud.conf, and not about the object around it."""
    return not ENTRIES[name].kinds


def judge(seed: int, numbers: Sequence[int]) -> Judged:
    """Judge a batch.

    Args:
        seed: What the documents depend on.
        numbers: Which ones.
    """
    judged = Judged([], [], Counter())
    made: list[Fixed] = []
    for number in numbers:
        one = document(seed, number)
        judged.tally["documents"] += 1
        judged.tally[one.path] += 1
        try:
            fixed = _fixed(number, one)
            judged.faults.extend((number, fault) for fault in _faults(fixed, judged.tally))
            judged.confs.extend(_confs(fixed))
        except Exception as error:  # noqa: BLE001 - whatever happens is a fault of this document
            judged.faults.append((number, f"{type(error).__name__}: {error}"[:500]))
            continue
        made.append(fixed)
        judged.tally["changed"] += fixed.result.after != fixed.result.before
        judged.tally["fixes"] += len(fixed.result.done)
        judged.tally["dropped"] += len(fixed.result.dropped)
    judged.faults.extend(_by_git(made, judged.tally))
    judged.faults.extend(_by_kustomize([one for one in made if one.number % 5 == 0], judged.tally))
    return judged


def _fixed(number: int, one: Document) -> Fixed:
    data = encode(one.text)
    unsafe = number % 2 == 1
    for explicit in (True, False):
        looked = linter().lint(one.path, data, explicit=explicit)
        assert not [failure for failure in looked.failures if failure.internal], looked.failures
    return Fixed(
        number, one, unsafe, fix_text(one.path, decode(data).text, linter(), unsafe=unsafe, wanted=is_about_the_text)
    )


def _confs(fixed: Fixed) -> Iterator[Confs]:
    one, result = fixed.document, fixed.result
    before, after = (reader.texts(one.path, text, one.targets) for text in (result.before, result.after))
    last = linter().examine(one.path, result.after, explicit=True)
    stops = any(located.finding.severity is Severity.ERROR for located in last.problems)
    stops = stops or len(last.carried) != len(one.targets) or any(carried.marks for carried in last.carried)
    done = tuple(outcome.title for outcome in result.done)
    for target, was, now in zip(one.targets, before, after, strict=True):
        if target.ways != ("values",):
            # a file that is not read whole is looked at in parts
            whole = now.decode("utf-8", "surrogateescape") in {carried.text for carried in last.carried}
            yield Confs(fixed.number, one.path, was, now, fixed.unsafe, done, stops or not whole)


def _faults(fixed: Fixed, tally: Counter[str]) -> Iterator[str]:
    one, result = fixed.document, fixed.result
    again = fix_text(one.path, result.after, linter(), unsafe=fixed.unsafe, wanted=is_about_the_text)
    if again.after != result.after or again.done:
        yield f"a second run changes it: {[outcome.title for outcome in again.done]}"
    if result.after == result.before:
        if result.done:
            yield "fixes were made, and nothing changed"
        return
    if "\n" in result.before.replace("\r\n", "") and "\r" not in result.before and "\r" in result.after:
        yield "it got a carriage return"
    if (
        "\r\n" in result.before
        and "\n" not in result.before.replace("\r\n", "")
        and "\n" in result.after.replace("\r\n", "")
    ):
        yield "it got a line end without a carriage return"
    if one.path == "cloud.conf":
        return
    before, after = (reader.around(one.path, text, one.targets) for text in (result.before, result.after))
    if before != after:
        yield "something beside its cloud.conf changes"
    if one.path.endswith(".yaml"):
        old, new = (
            [part.strip("\r\n ") for part in reader.pieces(text, one.targets)] for text in (result.before, result.after)
        )
        if old != new:
            yield f"text around its cloud.conf changes: {[pair for pair in zip(old, new, strict=False) if pair[0] != pair[1]]!r}"
    yield from _patched(fixed, tally)


def _patched(fixed: Fixed, tally: Counter[str]) -> Iterator[str]:
    """What is wrong with the patches of objects."""
    one, result = fixed.document, fixed.result
    for form in OBJECT_FORMATS:
        # kubectl takes the last line for ended, kustomize does not
        ended = OF_OBJECTS[form].ends_lines
        before, after = (_objects(one.path, text, ended=ended) for text in (result.before, result.after))
        if before is None or after is None:
            return
        if before.keys() != after.keys():
            yield "objects get other names"
            return
        changed = {name for name in before if _canonical(before[name]) != _canonical(after[name])}
        made, refused = patches(form, one.path, result.before, result.after)
        tally[f"{form} patches"] += len(made)
        tally[f"{form} refused"] += len(refused)
        if not refused and {patch.subject for patch in made} != changed:
            yield f"{form} patches {[patch.subject for patch in made]}, and {sorted(changed)} change"
        for patch in made:
            shown = text_of(form, [patch], with_secrets=False)
            if patch.secret != shown.startswith(MASK):
                yield f"{form}: a patch that holds a secret is shown without a mark, or the other way round"
            if patch.subject not in before:
                yield f"{form}: a patch of {patch.subject}, which is not in the file"
                continue
            got = _applied(form, patch, before[patch.subject])
            if got is not None and _canonical(got) != _canonical(after[patch.subject]):
                yield f"{form}: the patch of {patch.subject} gives {_canonical(got)[:600]}"


def _objects(path: str, text: str, *, ended: bool) -> dict[str, Any] | None:
    """The objects of a file as ccmcheck names them; None where two have one name, or there is another document."""
    whole = text if text.endswith("\n") or not ended else text + "\n"
    read = [json.loads(text.removeprefix("\ufeff"))] if path.endswith(".json") else reader.typed(whole)
    found: dict[str, Any] = {}
    for item in reader.objects(read):
        if "kind" not in item or "apiVersion" not in item:
            return None
        metadata = item.get("metadata") or {}
        name = "/".join(part for part in (metadata.get("namespace", ""), metadata.get("name", "")) if part)
        if f"{item['kind']} {name}" in found:
            return None
        found[f"{item['kind']} {name}"] = item
    return found


def _canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, default=repr)


def _applied(form: str, patch: Patch, before: Any) -> Any:
    """The object after a patch; None where nothing here can apply it."""
    text = text_of(form, [patch], with_secrets=True)
    if form == "json":
        return jsonpatch.apply_patch(before, json.loads(text))
    if form == "merge":
        return reader.merged(before, json.loads(text))
    if form == "strategic":
        merge = yaml.safe_load(text)
        return reader.merged(before, merge) if before["kind"] in ("Secret", "ConfigMap") else None
    (entry,) = yaml.safe_load(text)["patches"]
    if form == "kustomize":
        return jsonpatch.apply_patch(before, yaml.safe_load(entry["patch"]))
    (definition,) = entry["definitions"]
    return jsonpatch.apply_patch(before, definition["jsonPatches"])


def _by_git(made: Sequence[Fixed], tally: Counter[str]) -> Iterator[tuple[int, str]]:
    """What is wrong with the differences, all applied at once, and with what the command line writes."""
    changed = [one for one in made if one.result.after != one.result.before]
    if not changed:
        return
    with tempfile.TemporaryDirectory() as name:
        repository, here = Path(name) / "git", Path.cwd()
        repository.mkdir()
        _write(repository, changed)
        os.chdir(repository)
        try:
            _git(repository, "init", "--quiet")
            texts = [_difference(one) for one in changed]
            done = _git(repository, "apply", "-", stdin=encode("".join(texts)))
            if done.returncode:
                for one, text in zip(changed, texts, strict=True):
                    alone = _git(repository, "apply", "-", stdin=encode(text))
                    if alone.returncode:
                        yield one.number, f"git apply: {alone.stderr.decode()[-300:]}"
        finally:
            os.chdir(here)
        tally["git patches"] += len(changed)
        yield from _differing(repository, changed, "git apply")
        for unsafe in (False, True):
            folder = Path(name) / f"written-{unsafe}"
            written = [one for one in made if one.unsafe is unsafe]
            _write(folder, written)
            others = ",".join(sorted(name for name in GROUP_OF if not is_about_the_text(name)))
            files = [str(_place(one)) for one in written]
            options = [
                "--write",
                "--no-config",
                f"--release={RELEASE}",
                f"--ignore={others}",
                *(["--unsafe"] if unsafe else []),
            ]
            said(folder, ["fix", "--quiet", *options, *files])
            yield from _differing(folder, written, "fix --write")


def _difference(one: Fixed) -> str:
    (patch,), _ = patches("git", str(_place(one)), one.result.before, one.result.after)
    return text_of("git", [patch], with_secrets=True)


def _place(one: Fixed) -> Path:
    return Path(str(one.number)) / one.document.path


def _write(folder: Path, made: Sequence[Fixed]) -> None:
    for one in made:
        (folder / _place(one)).parent.mkdir(parents=True)
        (folder / _place(one)).write_bytes(encode(one.document.text))


def _differing(folder: Path, made: Sequence[Fixed], what: str) -> Iterator[tuple[int, str]]:
    for one in made:
        if (folder / _place(one)).read_bytes() != encode(one.result.after):
            yield one.number, f"{what} gives another file than the fix"


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    return subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, input=stdin, capture_output=True, check=False, timeout=SECONDS
    )


@cache
def _kustomize() -> str | None:
    return shutil.which("kustomize") or shutil.which("kustomize", path=str(Path.home() / "go" / "bin"))


def _by_kustomize(made: Sequence[Fixed], tally: Counter[str]) -> Iterator[tuple[int, str]]:
    """What is wrong with the components, built by kustomize itself; every one with its file."""
    if _kustomize() is None:
        return
    usable = [
        one
        for one in made
        if one.result.after != one.result.before and one.document.path in ("objects.yaml", "set.yaml")
    ]
    for one in usable:
        body, refused = patches("kustomize", one.document.path, one.result.before, one.result.after)
        if refused or not body:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "resource.yaml").write_bytes(encode(one.result.after))
            (folder / "kustomization.yaml").write_text("resources: [resource.yaml]\n", encoding="utf-8")
            wanted = _build(folder)
            if wanted is None:
                tally["not for kustomize"] += 1
                continue
            (folder / "resource.yaml").write_bytes(encode(one.document.text))
            (folder / "patches").mkdir()
            (folder / "patches" / "kustomization.yaml").write_bytes(
                encode(text_of("kustomize", body, with_secrets=True))
            )
            (folder / "kustomization.yaml").write_text(
                "resources: [resource.yaml]\ncomponents: [patches]\n", encoding="utf-8"
            )
            built = _build(folder)
            tally["built by kustomize"] += 1
            if built is None and _reads_otherwise(folder, one):
                tally["read otherwise by kustomize"] += 1
            elif built is None:
                yield one.number, "kustomize refuses the component"
            elif reader.typed(built) != reader.typed(wanted):
                yield one.number, "kustomize builds other objects"


def _reads_otherwise(folder: Path, one: Fixed) -> bool:
    """Whether kustomize reads the file itself otherwise than YAML says, as a block with `+` above a comment."""
    (folder / "kustomization.yaml").write_text("resources: [resource.yaml]\n", encoding="utf-8")
    built = _build(folder)
    return built is None or reader.typed(built) != reader.typed(one.result.before)


def _build(folder: Path) -> str | None:
    program = _kustomize()
    assert program is not None
    done = subprocess.run([program, "build", str(folder)], capture_output=True, check=False, timeout=SECONDS)
    return None if done.returncode else done.stdout.decode()
