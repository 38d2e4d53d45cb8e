"""What holds for every fix of every file, whatever is wrong with it and whatever carries it."""

from __future__ import annotations

import random
from collections import Counter
from difflib import SequenceMatcher
from functools import cache

from fix_carriers import carriers, conf
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from ccmcheck import catalog, gcfg
from ccmcheck.base.model import Span
from ccmcheck.carriers import find
from ccmcheck.carriers.base import CarriedConf, RunContext
from ccmcheck.conf import reading
from ccmcheck.conf.target_release import TargetRelease
from ccmcheck.fix.passes import FixResult, fix_text
from ccmcheck.lint.engine import Linter
from ccmcheck.lint.settings import Settings
from ccmcheck.rules.registry import ENTRIES

LAW = settings(max_examples=250)
RELEASES = (("1.36",), ("1.31", "1.36"), ("1.25",), ("1.20", "1.27", "1.36"))
RULES_ABOUT_COMMENTS = {"gcfg-comment-in-value", "gcfg-section-header", "gcfg-illegal-key-char", "gcfg-quoting"}
"""Their finding is that something is, or is not, a comment to gcfg."""

confs = st.integers(0, 1 << 32).map(conf)


@cache
def linter(releases: tuple[str, ...] = ("1.36",)) -> Linter:
    return Linter(
        Settings(judged=tuple(TargetRelease("ccm", catalog.release(name), "--release") for name in releases)),
        RunContext(),
    )


def fixed(path: str, text: str, releases: tuple[str, ...] = ("1.36",), *, unsafe: bool = True) -> FixResult:
    return fix_text(path, text, linter(releases), unsafe=unsafe, wanted=is_about_the_text)


def is_about_the_text(name: str) -> bool:
    """Whether a rule is about a cloud.conf, and not about the object around it."""
    return not ENTRIES[name].kinds


def lines(text: str) -> list[str]:
    return text.split("\n")


def kept_lines(before: str, after: str) -> tuple[set[int], set[int]]:
    """The numbers of the lines that stay, before and after."""
    old, new = set[int](), set[int]()
    for tag, low, high, start, end in SequenceMatcher(None, lines(before), lines(after), autojunk=False).get_opcodes():
        if tag == "equal":
            old |= set(range(low, high))
            new |= set(range(start, end))
    return old, new


def entries(text: str, kept: set[int]) -> Counter[tuple[str, str | None]]:
    """Keys with their values, of those that stand on lines that stay, whole."""
    document = gcfg.parse(text)
    found = Counter[tuple[str, str | None]]()
    for section in document.sections:
        for entry in section.entries:
            first = text.count("\n", 0, entry.key_start)
            end = max(entry.end, entry.key_end)
            while text[end - 1].isspace():  # a value that is continued onto a blank line ends above it
                end -= 1
            last = text.count("\n", 0, end)
            if set(range(first, last + 1)) <= kept:
                found[catalog.fold(entry.key), entry.value] += 1
    return found


def comments(text: str) -> Counter[str]:
    return Counter(text[token.start : token.end].rstrip() for token in gcfg.tokenize(text) if token.kind == "comment")


@LAW
@given(confs, st.sampled_from(RELEASES), st.booleans())
def test_a_second_run_does_nothing(text: str, releases: tuple[str, ...], unsafe: bool) -> None:
    once = fixed("cloud.conf", text, releases, unsafe=unsafe)
    again = fixed("cloud.conf", once.after, releases, unsafe=unsafe)
    assert again.after == once.after
    assert again.done == ()
    event(f"{bool(once.done)} {bool(once.dropped)}")


@LAW
@given(confs, st.sampled_from(RELEASES), st.booleans())
def test_fixes_keep_what_the_ccm_accepts(text: str, releases: tuple[str, ...], unsafe: bool) -> None:
    after = fixed("cloud.conf", text, releases, unsafe=unsafe).after
    for name in releases:
        schema = catalog.schema(catalog.release(name))
        if not reading.read(gcfg.parse(text), schema).stops:
            assert not reading.read(gcfg.parse(after), schema).stops


@LAW
@given(confs, st.sampled_from(RELEASES), st.booleans())
@example(conf(1063), ("1.36",), True)  # a section after a last line that ends in a backslash
def test_a_value_changes_only_on_a_line_that_changes(text: str, releases: tuple[str, ...], unsafe: bool) -> None:
    after = fixed("cloud.conf", text, releases, unsafe=unsafe).after
    old, new = kept_lines(text, after)
    assert not entries(text, old) - entries(after, new)
    if not gcfg.parse(text).stops:
        assert entries(text, old) == entries(after, new)
    for name in releases:
        schema = catalog.schema(catalog.release(name))
        was, now = reading.read(gcfg.parse(text), schema), reading.read(gcfg.parse(after), schema)
        if was.stops or now.stops:
            continue
        touched = {
            catalog.fold(entry.key)
            for whole, kept in ((text, old), (after, new))
            for section in gcfg.parse(whole).sections
            for entry in section.entries
            if whole.count("\n", 0, entry.key_start) not in kept
            or whole.count("\n", 0, max(entry.end, entry.key_end)) not in kept
            or whole.count("\n", 0, section.span.start) not in kept
        }
        for section, values in {**was.values, **now.values}.items():
            for key in {*values, *was.values.get(section, {})}:
                if catalog.fold(key) not in touched and not isinstance(values.get(key), dict):
                    assert was.values.get(section, {}).get(key) == now.values.get(section, {}).get(key), key


@LAW
@given(confs, st.booleans())
def test_comments_stay(text: str, unsafe: bool) -> None:
    result = fixed("cloud.conf", text, unsafe=unsafe)
    if {outcome.finding.rule for outcome in result.done} & RULES_ABOUT_COMMENTS:
        return
    lost = comments(text) - comments(result.after)
    old, _ = kept_lines(text, result.after)
    for comment in lost:
        # the comment after a section, a blank key or a value that has become part of a new comment or value
        assert not any(lines(text)[number].rstrip().endswith(comment.rstrip()) for number in old), comment


@LAW
@given(confs, st.booleans())
def test_line_ends_stay(text: str, unsafe: bool) -> None:
    after = fixed("cloud.conf", text, unsafe=unsafe).after
    if after == text or not text:
        return
    # after a backslash the last newline is a part of the last value
    if text.endswith("\n") and after and not text.rstrip("\r\n").endswith("\\"):
        assert after.endswith("\n")
    if "\n" in text and "\n" not in text.replace("\r\n", ""):
        assert "\n" not in after.replace("\r\n", "")
    if "\r" not in text:
        assert "\r" not in after


def one(path: str, text: str) -> CarriedConf | None:
    found = find(path, text).carried
    return found[0] if len(found) == 1 else None


@settings(max_examples=60)
@given(confs, st.randoms(use_true_random=False))
def test_in_every_carrier(text: str, chance: random.Random) -> None:
    for carrier in carriers(text, chance):
        was = one(carrier.path, carrier.text)
        if was is None:
            event("not taken for a cloud.conf")
            continue
        result = fixed(carrier.path, carrier.text)
        now = one(carrier.path, result.after)
        assert now is not None, carrier.name
        assert fixed(carrier.path, result.after).after == result.after, carrier.name
        alone = fixed("cloud.conf", was.stack.inner)
        if not result.dropped and not alone.dropped and was.final and "{" not in text:
            assert now.stack.inner == alone.after, carrier.name
        outside(carrier.text, was, result.after, now)
        event(f"{carrier.name} {'changed' if result.done else 'left'}")


def outside(before: str, was: CarriedConf, after: str, now: CarriedConf) -> None:
    """Everything around the text stays, and so does the way in which it is written."""
    old = was.stack.outward(Span(0, len(was.stack.inner)))
    new = now.stack.outward(Span(0, len(now.stack.inner)))
    assert before[: old.start] == after[: new.start]
    assert before[old.end :].lstrip("\r\n") == after[new.end :].lstrip("\r\n")
    assert before.endswith("\n") == after.endswith("\n")
    assert ("\n" in before.replace("\r\n", "")) == ("\n" in after.replace("\r\n", ""))
    if not was.stack.exact:
        old_widths, new_widths = widths(before[slice(*old)]), widths(after[slice(*new)])
        assert not old_widths or new_widths <= old_widths


def widths(encoded: str) -> set[int]:
    """How long the lines of a base64 text are, all but the last."""
    return {len(line.strip()) for line in lines(encoded)[:-1]}
