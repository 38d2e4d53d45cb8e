"""What a fix changes, for people: decoded where the file holds it encoded, and with every secret masked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from ccmcheck.base.model import Span
from ccmcheck.carriers import CarriedConf, FindOptions, find
from ccmcheck.fix.patch.merge import difference
from ccmcheck.fix.patch.objects import Plain, read_plain
from ccmcheck.redact.masker import Masker

CONTEXT = 3
MASKED_CHANGE = "  # (a masked secret)"


def differences(path: str, before: str, after: str, options: FindOptions, *, subject: str = "") -> Iterator[str]:
    """Show one file's change, line by line.

    Where all changes lie in places that people can read, this is the file's own difference; else that of each
    cloud.conf inside, named by the way to it.

    Args:
        path: The file.
        before: Its text before.
        after: Its text after.
        options: How its cloud.confs are found.
        subject: What an object is called that is no file; the ways to its cloud.confs begin with it.

    Yields:
        Lines of a unified difference, without line ends.
    """
    if before == after:
        return
    old, new = (find(path, text, options._replace(explicit=True)).carried for text in (before, after))
    yield from differences_of(path, before, after, (old, new), subject=subject)


def differences_of(
    path: str,
    before: str,
    after: str,
    carried: tuple[Sequence[CarriedConf], Sequence[CarriedConf]],
    *,
    subject: str = "",
) -> Iterator[str]:
    """The same where the cloud.confs of both texts are known.

    Args:
        path: See `differences`.
        before: See `differences`.
        after: Its text after, which is another one.
        carried: The cloud.confs before and after.
        subject: See `differences`.

    Yields:
        See `differences`.
    """
    old, new = carried
    hidden = [
        (was, now)
        for was, now in zip(old, new, strict=False)
        if was.stack.inner != now.stack.inner and not was.stack.exact
    ]
    if not hidden or len(old) != len(new):
        yield from unified(subject or path, before, after)
        return
    for was, now in hidden:
        yield from unified(was.route if subject else f"{path} › {was.route}", was.text, now.text)
    # what else changed, with the encoded texts out of the way
    rest_before = _without(before, [was for was, _ in hidden])
    rest_after = _without(after, [now for _, now in hidden])
    if rest_before != rest_after:
        yield from unified(subject or path, rest_before, rest_after)


def unified(name: str, before: str, after: str) -> Iterator[str]:
    """The unified difference of two texts, masked.

    Args:
        name: What is compared.
        before: The text before.
        after: The text after.

    Yields:
        Lines without line ends; a changed line that looks the same with its secret masked says so.
    """
    from ccmcheck.base.difference import changes, hunks, line_range

    old, new = _Shown(before), _Shown(after)
    yield f"--- {name}"
    yield f"+++ {name} (fixed)"
    for hunk in hunks(changes(old.lines, new.lines), CONTEXT):
        at, at_new = max(hunk[0].start - CONTEXT, 0), max(hunk[0].start_new - CONTEXT, 0)
        last, last_new = min(hunk[-1].end + CONTEXT, len(old.lines)), min(hunk[-1].end_new + CONTEXT, len(new.lines))
        yield f"@@ -{line_range(at, last)} +{line_range(at_new, last_new)} @@"
        for change in hunk:
            yield from (f" {line}" for line in old.masked(at, change.start))
            removed, added = old.masked(change.start, change.end), new.masked(change.start_new, change.end_new)
            hidden = removed == added
            yield from (f"-{line}" for line in removed)
            yield from (f"+{line}{MASKED_CHANGE if hidden else ''}" for line in added)
            at = change.end
        yield from (f" {line}" for line in old.masked(at, last))


class _Shown:
    """The lines of a text, each with its part of every secret masked when it is asked for: few of them are shown."""

    def __init__(self, text: str) -> None:
        self.lines = text.removesuffix("\n").split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self.lines), initial=0))
        self._masker = Masker(text)

    def masked(self, low: int, high: int) -> list[str]:
        """Some lines as they may be shown; as many as there are."""
        places = zip(self._starts[low:high], self.lines[low:high], strict=False)
        return [self._masker.line(start, start + len(line), Span(start, start))[0] for start, line in places]


def _without(text: str, carried: Sequence[CarriedConf]) -> str:
    """A file's text with the places that hold some cloud.confs left out."""
    for conf in sorted(carried, key=lambda one: _place(one).start, reverse=True):
        start, end = _place(conf)
        text = text[:start] + "…" + text[end:]
    return text


def _place(carried: CarriedConf) -> Span:
    return carried.stack.outward(Span(0, len(carried.stack.inner)))


def changed_keys(path: str, before: str, after: str, options: FindOptions) -> Iterator[str]:
    """The keys whose values differ between the cloud.confs of two texts; never a value.

    Args:
        path: The file.
        before: Its text before.
        after: Its text after.
        options: How its cloud.confs are found.
    """
    old, new = (find(path, text, options).carried for text in (before, after))
    for was, now in zip(old, new, strict=False):
        was_values, now_values = _values(was.stack.inner), _values(now.stack.inner)
        for name in {**was_values, **now_values}:
            if [value for _, value in was_values.get(name, ())] != [value for _, value in now_values.get(name, ())]:
                yield (was_values.get(name) or now_values[name])[0][0]


def _values(conf: str) -> dict[tuple[str, str | None, str], list[tuple[str, str | None]]]:
    """The entries of each key: how it is written, and its value."""
    from ccmcheck import gcfg
    from ccmcheck.catalog import fold

    found: dict[tuple[str, str | None, str], list[tuple[str, str | None]]] = {}
    for section in gcfg.parse(conf).sections:
        head = ".".join(filter(None, (section.name, section.subsection)))
        for entry in section.entries:
            name = (fold(section.name), section.subsection, fold(entry.key))
            found.setdefault(name, []).append((f"{head}.{entry.key}", entry.value))
    return found


def merge_patch(before: str, after: str) -> dict[str, Plain]:
    """The JSON merge patch that makes the object of one text the other's.

    Args:
        before: A YAML text of one object.
        after: Another one of it.

    Raises:
        CannotPatch: Kubernetes would not take one, or no merge patch says the change.
    """
    old, new = read_plain(before), read_plain(after)
    return difference(old, new) if isinstance(old, dict) and isinstance(new, dict) else {}
