"""What a fix changes, for people: decoded where the file holds it encoded, and with every secret masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.carriers import find
from ccmcheck.model import Span
from ccmcheck.redact import Masker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ccmcheck.carriers import Carried, FindOptions

CONTEXT = 3
MASKED_CHANGE = "  # (a masked secret)"


def differences(path: str, before: str, after: str, options: FindOptions) -> Iterator[str]:
    """Show one file's change, line by line.

    Where all changes lie in places that people can read, this is the file's own difference; else that of each
    cloud.conf inside, named by the way to it.

    Args:
        path: The file.
        before: Its text before.
        after: Its text after.
        options: How its cloud.confs are found.

    Yields:
        Lines of a unified difference, without line ends.
    """
    if before == after:
        return
    old = find(path, before, options._replace(explicit=True)).carried
    new = find(path, after, options._replace(explicit=True)).carried
    hidden = [
        (was, now)
        for was, now in zip(old, new, strict=False)
        if was.stack.inner != now.stack.inner and not was.stack.exact
    ]
    if not hidden or len(old) != len(new):
        yield from unified(path, before, after)
        return
    for was, now in hidden:
        yield from unified(f"{path} › {was.route}", was.text, now.text)
    # what else changed, with the encoded texts out of the way
    rest_before = _without(before, [was for was, _ in hidden])
    rest_after = _without(after, [now for _, now in hidden])
    if rest_before != rest_after:
        yield from unified(path, rest_before, rest_after)


def unified(name: str, before: str, after: str) -> Iterator[str]:
    """The unified difference of two texts, masked.

    Args:
        name: What is compared.
        before: The text before.
        after: The text after.

    Yields:
        Lines without line ends; a changed line that looks the same with its secret masked says so.
    """
    from difflib import SequenceMatcher

    old, new = _lines(before), _lines(after)
    old_shown, new_shown = _masked(before), _masked(after)
    yield f"--- {name}"
    yield f"+++ {name} (fixed)"
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for tag, low, high, start, end in group:
            if tag == "equal":
                yield from (f" {line}" for line in old_shown[low:high])
                continue
            hidden = old_shown[low:high] == new_shown[start:end]
            for line in old_shown[low:high]:
                yield f"-{line}"
            for line in new_shown[start:end]:
                yield f"+{line}{MASKED_CHANGE if hidden else ''}"


def _masked(text: str) -> list[str]:
    """The lines of a text, each with its part of every secret masked; there are as many as before."""
    masker = Masker(text)
    lines = []
    start = 0
    for line in _lines(text):
        shown, _, _ = masker.line(start, start + len(line), Span(start, start))
        lines.append(shown)
        start += len(line) + 1
    return lines


def _lines(text: str) -> list[str]:
    """The lines of a text, the last one with or without its newline."""
    return text.removesuffix("\n").split("\n")


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _without(text: str, carried: Sequence[Carried]) -> str:
    """A file's text with the places that hold some cloud.confs left out."""
    for one in sorted(carried, key=lambda one: _place(one).start, reverse=True):
        start, end = _place(one)
        text = text[:start] + "…" + text[end:]
    return text


def _place(carried: Carried) -> Span:
    return carried.stack.outward(Span(0, len(carried.stack.inner)))
