r"""From text to documents: PyYAML's C parser where it is safe, events with a depth limit where it may not be.

PyYAML composes nodes by C recursion, about 350 bytes of stack a level: thirty thousand brackets end the process, and a
thread with a small stack ends far sooner. So `_is_shallow` bounds the depth by two scans of the text before the fast
path is taken; everything else goes through libyaml's events, which are iterative.

The stream is split at ``---`` and ``...`` lines first, where YAML ends a document whatever it holds, so that one broken
document, or one bad byte, leaves the others readable.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator

from ccmcheck.base.errors import BadYaml
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.text import BOM
from ccmcheck.yamlio.compose import MAX_DEPTH, compose, library
from ccmcheck.yamlio.nodes import Raw, YamlDocument

_FLOW_LIMIT = 40  # each bracket opens two levels at most: `[a: [b: …`
_PREFIX_LIMIT = 64  # each column of indentation opens one level at most
_DEEP_PREFIX = lazy_regex(rf"\n[ \t?:\-]{{{_PREFIX_LIMIT}}}")
_DEEP_PREFIX_ANY_BREAK = lazy_regex(rf"[\n\r\x85\u2028\u2029][ \t?:\-]{{{_PREFIX_LIMIT}}}")
_DEEP_FIRST_LINE = lazy_regex(rf"[ \t?:\-]{{{_PREFIX_LIMIT}}}")

_MARKER = lazy_regex(r"\n(?:---(?=\s|\Z)|\.\.\.(?=\s|\Z)[^\n]*+)")
_DIRECTIVES_ONLY = lazy_regex(r"(?:[ \t\ufeff]*+(?:#[^\n]*+)?+\n|%[^\n]*+\n)*+\Z")
_UNPRINTABLE = r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"  # takes a while to compile
_NONE: frozenset[int] = frozenset()
_LARGE = 200_000  # code points; from here on garbage collection takes longer than parsing


def documents(text: str) -> Iterator[YamlDocument | BadYaml]:
    """Read all documents of a YAML (or JSON) text.

    Args:
        text: Decoded text; a byte order mark and lone surrogates may be in it.

    Yields:
        The documents in their order; in the place of one that cannot be parsed a `BadYaml` with its offset in ``text``.
    """
    if "\n---" not in text and "\n..." not in text:
        yield from _chunk(text, 0, len(text))
        return
    start = 0
    for match in _MARKER.finditer(text):
        cut = match.start() + 1 if text.startswith("---", match.start() + 1) else match.end()
        if "%" in text[start:cut] and _DIRECTIVES_ONLY.match(text, start, cut):
            continue
        if cut > start:
            yield from _chunk(text, start, cut)
        start = cut
    if start < len(text):
        yield from _chunk(text, start, len(text))


def _chunk(text: str, start: int, end: int) -> list[YamlDocument | BadYaml]:
    """Parse the text between two document markers: one document, or none where there are only comments."""
    chunk = text if end - start == len(text) else text[start:end]
    base = start
    if chunk.startswith(BOM):  # libyaml would skip it without counting it
        stripped = chunk.lstrip(BOM)
        base += len(chunk) - len(stripped)
        chunk = stripped
    pause_collector = len(chunk) > _LARGE and gc.isenabled()
    if pause_collector:
        gc.disable()
    try:
        roots = _compose_or_rescue(chunk)
    except BadYaml as error:
        return [BadYaml(error.message, error.offset + base)]
    except library().failures as error:
        return [BadYaml(_message(error), _offset(error, chunk) + base)]
    finally:
        if pause_collector:
            gc.enable()
    aliases = "*" in chunk and "&" in chunk
    return [YamlDocument(text, start, end, base, raw, _reached_twice(raw) if aliases else _NONE) for raw in roots]


def _compose_or_rescue(chunk: str) -> list[Raw]:
    try:
        return _compose(chunk)
    except library().failures:
        from ccmcheck.yamlio.json_text import compose_json

        roots = compose_json(chunk, _compose)
        if roots is None:
            raise
        return roots


def _compose(chunk: str) -> list[Raw]:
    if not library().in_c or not _is_shallow(chunk):
        return compose(chunk)
    parser = library().parser(chunk)
    roots: list[Raw] = []
    try:
        while parser.check_node():
            roots.append(parser.get_node())
    except library().compose_failure:
        return compose(chunk)  # it may be an anchor's second use, which is allowed
    return roots


def _is_shallow(chunk: str) -> bool:
    """Whether the text cannot be nested more than some hundred and fifty levels, however it is parsed.

    A flow collection needs a bracket. A block collection needs a column further right than the one around it (a
    sequence may share its mapping's, but then its ``- `` pushes what is inside by two), and only blanks and the
    indicators ``-``, ``?`` and ``:`` can stand before it on its line.
    """
    if chunk.count("[") + chunk.count("{") > _FLOW_LIMIT:
        return False
    deep = _DEEP_PREFIX if chunk.isascii() and "\r" not in chunk else _DEEP_PREFIX_ANY_BREAK
    return not (_DEEP_FIRST_LINE.match(chunk) or deep.search(chunk))


def _reached_twice(root: Raw) -> frozenset[int]:
    """The nodes that an alias refers to; each node is visited once, whatever the aliases would expand to."""
    seen: set[int] = set()
    twice: set[int] = set()
    pending = [root]
    while pending:
        raw = pending.pop()
        if id(raw) in seen:
            twice.add(id(raw))
            continue
        seen.add(id(raw))
        if raw.id == "sequence":
            pending.extend(raw.value)
        elif raw.id == "mapping":
            for pair in raw.value:
                pending.extend(pair)
    return frozenset(twice)


def _message(error: Exception) -> str:
    """The error message without a quotation of the text, which may be a secret."""
    if isinstance(error, UnicodeEncodeError):
        return "a byte that is not UTF-8"
    problem = getattr(error, "problem", None)
    if problem is None:
        return "a character that YAML does not allow"
    if problem.startswith("exceeded maximum nesting depth"):  # libyaml's own limit, which is met by looking ahead
        return f"nested more than {MAX_DEPTH} levels deep"
    context = getattr(error, "context", None)
    return f"{context}: {problem}" if context else str(problem)


def _offset(error: Exception, chunk: str) -> int:
    if isinstance(error, UnicodeEncodeError):
        return error.start
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        index: int = mark.index
        return min(index, len(chunk))
    match = re.search(_UNPRINTABLE, chunk)
    return match.start() if match else 0
