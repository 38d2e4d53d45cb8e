"""What one value of a line hides: an argument of a program, an item of a flow collection, a template mark."""

from __future__ import annotations

from collections.abc import Iterator

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.redact.names import CCM_FLAGS, is_known_name, is_public_key, is_secret_name, known_sections
from ccmcheck.redact.values import hidden_parts, is_harmless

INLINE_COMMENT = lazy_regex(r"(?:^|[ \t])[#;]|;")


_PROSE_WORD = (
    r"(?:[(\"'`]{0,2}(?:[A-Za-z][A-Za-z'’-]{0,15}|[\w./]{1,3}|[A-Za-z]{1,12}/[A-Za-z]{1,12}|v?[0-9]{1,3}(?:\.[0-9x]{1,3}){1,3})"
    r"[\"'`,.;:!?)]{0,3}|[–-])(?=[ \t]|\Z)"
)


PROSE = lazy_regex(rf"{_PROSE_WORD}(?:[ \t]+{_PROSE_WORD})++[ \t]*")


EMPTY_KEY = lazy_regex(r"[a-z][a-z-]{0,40}")


_LITERAL = lazy_regex(r"\"[^\"]*\"?|'[^']*'?|`[^`]*`?")


_SHORTEST_LITERAL = 4


_VARIABLE = lazy_regex(r"[A-Z][A-Z_]{1,60}")


_FLAG = lazy_regex(r"--?([A-Za-z][\w.-]*)(?:=(.*))?")


_PROGRAM_PATH = lazy_regex(r"/(?:bin|sbin|usr|opt|etc)(?:/[\w.-]{1,64}){1,8}")


DIRECTIVE = "ccmcheck:"


_NAME = lazy_regex(r"[\w.@$!-]+")


_WORD = lazy_regex(r"\S+")


def flow_items(line: str, start: int) -> Iterator[tuple[int, int, int]]:
    """The items of a flow collection, however deep, each with the key of its pair.

    Args:
        line: The line.
        start: Where the collection begins.

    Yields:
        Start, end, and how many brackets are open around it.
    """
    at, depth = start, 0
    while at < len(line):
        while at < len(line) and line[at] in " \t{}[],":
            depth += (line[at] in "{[") - (line[at] in "}]")
            at += 1
        end = at
        quote = ""
        while end < len(line) and (quote or line[end] not in ",{}[]"):
            if line[end] in "\"'":
                quote = "" if line[end] == quote else quote or line[end]
            end += 1
        if end > at:
            yield at, end, depth
        at = end


def is_flow(value: str) -> bool:
    """Whether a value is a flow collection and not a template mark."""
    return value[:1] in ("{", "[") and not value.startswith(("{{", "{%"))


def open_brackets(line: str, start: int = 0) -> int:
    """How many brackets of a flow collection a line leaves open, outside of quotes; negative for closed ones."""
    quote, depth, before = "", 0, " "
    for char in line[start:]:
        if char == "#" and not quote and before in " \t":
            break
        before = char
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
    return depth


def hidden_argument(argument: str, before: str) -> int | None:
    """Where an argument of a program hides something from, or None: it follows ``before``."""
    if before.startswith("-") and "=" not in before and is_secret_name(before):
        return 0
    flag = _FLAG.fullmatch(argument)
    if flag is not None:
        name, value = flag[1], flag[2] or ""
        open_value = name in CCM_FLAGS or (not is_secret_name(name) and (is_public_key(name) or is_harmless(value)))
        return None if not value or (open_value and not hidden_parts(value)) else flag.start(2)
    if _PROGRAM_PATH.fullmatch(argument) or argument in COMMANDS or is_harmless(argument):
        return None
    return 0


def of_template(text: str) -> Iterator[tuple[int, int]]:
    """The literals of a line that is nothing but template marks: they may be values, all else names them."""
    for match in _LITERAL.finditer(text):
        if "\\" in match[0]:  # which may hide a quote or not: that depends on the language, and on what is around it
            last = max(map(text.rfind, "\"'`"))
            yield match.start() + 1, last if last > match.start() else len(text)
            return
        literal = match[0][1:-1]
        if len(literal) >= _SHORTEST_LITERAL and not is_harmless(literal) and not _is_name(literal):
            yield match.start() + 1, match.end() - 1


def _is_name(literal: str) -> bool:
    return _VARIABLE.fullmatch(literal) is not None or is_known_name(literal) or literal.lower() in known_sections()


COMMANDS = frozenset({"kubectl", "helm", "openstack", "cat", "echo", "curl", "sh", "bash"})


def is_empty_key(key: str) -> bool:
    """Whether a key without a value is a name, not the end of a base64 text."""
    return EMPTY_KEY.fullmatch(key) is not None or is_known_name(key)


def of_public(line: str, start: int) -> Iterator[tuple[int, int]]:
    """The hidden parts of a public value: credentials of URLs, and a comment behind it."""
    value = line[start:]
    comment = INLINE_COMMENT.search(value)
    end = comment.start() if comment is not None else len(value)
    yield from ((start + low, start + high) for low, high in hidden_parts(value[:end]))
    if comment is not None and not is_harmless(value[comment.end() :]):
        body = value[comment.end() :].strip()
        prose = PROSE.fullmatch(body) is not None or body.isalpha()
        if body.startswith(DIRECTIVE):
            yield from of_directive(line, start + comment.end())
        elif not prose or any(map(is_secret_name, body.split())):
            yield start + comment.end(), len(line)


def of_directive(line: str, start: int) -> Iterator[tuple[int, int]]:
    """The hidden part of a comment to ccmcheck: all behind the first name of a secret in the reason."""
    begin = max(start, line.find("]", start))
    ends = [word.end() for word in _NAME.finditer(line, begin) if is_secret_name(word[0])]
    ends += [
        word.start() + len(word[0].rstrip("=:")) for word in _WORD.finditer(line, begin) if is_secret_name(word[0])
    ]
    if ends and min(ends) < len(line):
        yield min(ends), len(line)
