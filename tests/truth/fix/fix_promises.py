"""What a fix promises, held against the real reader's answers before and after."""

from __future__ import annotations

import base64
import gzip
import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from typing import NamedTuple

import yaml
from fix_carriers import Carrier
from reader_oracle import Answer, Value
from reader_ours import HALF_READ, differences, read
from reader_releases import CCM, Buildable

from ccmcheck import catalog, gcfg
from ccmcheck.base.model import Severity
from ccmcheck.base.text import encode
from ccmcheck.carriers.base import RunContext
from ccmcheck.conf import reading
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.passes import fix_text
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.rules.registry import ENTRIES

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""libyaml's where it is there: Kubernetes' own parser is a port of it."""

# a title that says what the file says afterwards, of the key that it names or of the one on the finding's line
_WRITTEN = re.compile(r"write `(?:(?P<key>[a-z-]+) = )?(?P<value>[\w.-]++)`\Z")
_ON_THE_LINE = re.compile(r"[ \t]*+([A-Za-z-]++)[ \t]*+=")


class Fixed(NamedTuple):
    """A file that was fixed.

    Attributes:
        release: The tag of the release that it was fixed for.
        carrier: What it was in.
        before: The cloud.conf before.
        after: The cloud.conf after.
        unsafe: Whether unsafe fixes were made too.
        done: What the fixes do, by their titles.
        promises: The value that a fix says it writes for a key, where no other fix has written that key since.
        dropped: How many could not be made.
        stops: Whether ccmcheck finds an error in what is left, or cannot say before it is rendered.
    """

    release: str
    carrier: str
    before: bytes
    after: bytes
    unsafe: bool
    done: tuple[str, ...]
    promises: dict[str, str]
    dropped: int
    stops: bool


@cache
def linter(tag: str, release: str) -> Linter:
    """Judges by one release."""
    assert tag
    return Linter(Settings(judged=(TargetRelease(CCM, catalog.release(release), "--release"),)), RunContext())


def fixed(text: str, around: Carrier | None, release: Buildable, *, unsafe: bool) -> Fixed:
    """Fix a cloud.conf, in a carrier or as a file of its own.

    Args:
        text: The cloud.conf.
        around: The carrier; where YAML cannot carry the text in it, the text is a file of its own.
        release: For which release.
        unsafe: Whether to make unsafe fixes, too.
    """
    if around is not None and not _is_carried(around):
        around = None
    whole, path = (text, "cloud.conf") if around is None else (around.text, around.path)
    judge = linter(release.tag, release.release)
    result = fix_text(path, whole, judge, unsafe=unsafe, wanted=lambda name: not ENTRIES[name].kinds)
    before, after = (_taken_out(one, around) for one in (whole, result.after))
    last = judge.examine(path, result.after, explicit=True)
    stops = any(located.finding.severity is Severity.ERROR for located in last.problems)
    stops = stops or any(carried.marks for carried in last.carried)
    # a file that is not read whole is looked at in parts
    stops = stops or after not in [encode(carried.text) for carried in last.carried]
    titles = tuple(outcome.title for outcome in result.done)
    name = "file" if around is None else around.name
    promises: dict[str, str] = {}
    for outcome in result.done:
        written = _WRITTEN.fullmatch(outcome.title)
        snippet = outcome.finding.snippet
        line = _ON_THE_LINE.match(snippet.text) if snippet is not None else None
        if written is not None and (written["key"] or line is not None):
            promises[catalog.fold(written["key"] or (line[1] if line else ""))] = written["value"]
    written_now = Counter(
        (catalog.fold(entry.key), entry.value)
        for section in gcfg.parse(after.decode("utf-8", "surrogateescape")).sections
        for entry in section.entries
    )
    promises = {
        key: value for key, value in promises.items() if 0 < written_now[key, value] == _times(written_now, key)
    }
    return Fixed(release.tag, name, before, after, unsafe, titles, promises, len(result.dropped), stops)


def _times(written: Counter[tuple[str, str | None]], key: str) -> int:
    return sum(times for (name, _), times in written.items() if name == key)


def _is_carried(around: Carrier) -> bool:
    try:
        return bool(_taken_out(around.text, around))
    except (yaml.YAMLError, UnicodeDecodeError):
        return False


def _taken_out(text: str, around: Carrier | None) -> bytes:
    """The cloud.conf of a file as Kubernetes or cloud-init would hand it on, found without ccmcheck."""
    data = text.encode("utf-8", "surrogateescape")
    if around is None:
        return data
    document = yaml.load(data, _LOADER)  # noqa: S506 - makes texts only
    if around.name == "variable":
        return base64.b64decode(document["OPENSTACK_CLOUD_PROVIDER_CONF_B64"])
    if "spec" in document:
        (file,) = [
            file for file in document["spec"]["kubeadmConfigSpec"]["files"] if file["path"].endswith("cloud.conf")
        ]
        content: str = file["content"]
        packed = base64.b64decode(content) if "encoding" in file else b""
        return gzip.decompress(packed) if packed else content.encode()
    texts: dict[str, bytes] = {key: value.encode() for key, value in document.get("stringData", {}).items()}
    texts |= {key: base64.b64decode(value) for key, value in document.get("data", {}).items()}
    if "a.yaml" in texts:
        inner = Carrier("", "", texts["a.yaml"].decode())
        return _taken_out(inner.text, inner)
    return texts["cloud.conf"]


def broken(one: Fixed, release: Buildable, was: Answer, now: Answer) -> Iterator[str]:
    """What does not hold for one file.

    Args:
        one: The file.
        release: The release that it was fixed for.
        was: What the release's own reader made of it before.
        now: And after.
    """
    if was.outcome == "ok" and now.outcome != "ok":
        yield f"the CCM took it and stops now: {now.error}"
    if not one.stops and one.done and now.outcome != "ok" and not now.elsewhere:
        yield f"nothing is left to say, and the CCM stops: {now.error}"
    yield from differences(one.after, CCM, release, now)
    if now.outcome != "ok":
        return
    for key, value in one.promises.items():
        if _values(now, key) and not any(_is(found, value) for found in _values(now, key)):
            yield f"{key} = {value} was promised, the CCM reads {_values(now, key)}"
    if was.outcome == "ok" and read(one.before, CCM, release, elsewhere=was.elsewhere).outcome != HALF_READ:
        touched = _touched(one.before, one.after)
        for place in {*was.values, *now.values}:
            section, subsection, name = place
            is_new = subsection is not None and (section, subsection) not in was.subsections
            if not is_new and name not in touched and was.values.get(place) != now.values.get(place):
                yield f"the value of {place} changes from {was.values.get(place)!r} to {now.values.get(place)!r}"


def _values(answer: Answer, key: str) -> list[Value]:
    return [value for (_, _, name), value in answer.values.items() if catalog.fold(name) == key]


def _is(value: Value, written: str) -> bool:
    if isinstance(value, bool):
        return value is (written == "true")
    if isinstance(value, dict):
        return value["ns"] == reading_of(written)
    return str(value) == written


def reading_of(duration: str) -> int | None:
    """A duration in nanoseconds, as ccmcheck reads it."""
    schema = catalog.schema(catalog.newest())
    conf = f"[LoadBalancer]\nmonitor-delay = {duration}\n"
    value = reading.read(gcfg.parse(conf), schema).typed.get(gcfg.parse(conf).sections[0].entries[0].key_start)
    return value if isinstance(value, int) else None


def _touched(before: bytes, after: bytes) -> set[str]:
    """The keys on lines that differ, by their names in the catalogue; with a header, all of its section."""
    texts = [data.decode("utf-8", "surrogateescape") for data in (before, after)]
    lines = [text.split("\n") for text in texts]
    changes = [set[int](), set[int]()]
    for tag, low, high, start, end in SequenceMatcher(None, lines[0], lines[1], autojunk=False).get_opcodes():
        if tag != "equal":
            changes[0] |= set(range(low, high))
            changes[1] |= set(range(start, end))
    names = {catalog.fold(name): name for section in catalog.all_sections() for name in catalog.all_keys(section)}
    found = set[str]()
    for text, changed in zip(texts, changes, strict=True):
        for section in gcfg.parse(text).sections:
            header = _numbers(text, section.span.start, section.span.end)
            for entry in section.entries:
                if changed & (header | _numbers(text, entry.key_start, max(entry.end, entry.key_end))):
                    found.add(names.get(catalog.fold(entry.key), entry.key))
    return found


def _numbers(text: str, start: int, end: int) -> set[int]:
    """The numbers of the lines that a place is on."""
    return set(range(text.count("\n", 0, start), text.count("\n", 0, end) + 1))
