"""A literal block scalar as it is written: header, lines, indentation."""

from __future__ import annotations

from itertools import accumulate, zip_longest

from ccmcheck.base.lazy_regex import lazy_regex

_HEADER = lazy_regex(r"\|([+\-1-9]{0,2})[^\n]*+(?:\n|\Z)")
_STRANGE_BREAK = lazy_regex(r"[\x85\u2028\u2029]|\r(?!\n)")


class BlockText:
    r"""The lines of a literal block.

    Args:
        raw: From the ``|`` to the end of the last line.

    Attributes:
        lines: The lines with their indentation, without ``\n`` or ``\r\n``; the last one is empty where the block ends
            with a line end.
        starts: Where each line starts in ``raw``.
        newline: The line end of the header.
        guessed: Whether the indentation is detected from the lines, because there is no indicator.
        keeps: Whether all line ends at the end count (``|+``).
        strips: Whether none does (``|-``).
    """

    __slots__ = ("guessed", "keeps", "lines", "newline", "starts", "strips")

    def __init__(self, raw: str) -> None:
        header = _HEADER.match(raw)
        signs = header[1] if header else ""
        start = header.end() if header else 0
        self.keeps = "+" in signs
        self.strips = "-" in signs
        self.guessed = not signs.strip("+-")
        self.newline = "\r\n" if raw.startswith("\r", start - 2) else "\n"
        lines = raw[start:].split("\n")
        self.starts = list(accumulate([start, *[len(line) + 1 for line in lines[:-1]]]))
        if "\r" in raw:
            lines = [line.removesuffix("\r") for line in lines]
        self.lines = lines

    def value(self, indent: int) -> str | None:
        """Read the block as YAML does.

        Args:
            indent: Columns of indentation.

        Returns:
            Its text; None where the block would end early or not be read with this indentation.
        """
        margin = " " * indent
        inside = [line[indent:] if line.startswith(margin) else None if line.strip(" ") else "" for line in self.lines]
        if None in inside:
            return None
        texts = [line for line in inside if line]
        if self.guessed and texts and texts[0][0] in " \t":
            return None
        value = "\n".join(line or "" for line in inside)
        if self.keeps:
            return value
        stripped = value.rstrip("\n")
        return stripped if self.strips or not stripped else value[: len(stripped) + 1]

    def indent(self, text: str, parent: int) -> int:
        """The indentation, by the value of the first line that is not blank.

        An indentation indicator counts from the parent's column, which is not known here.

        Args:
            text: The value, as parsed.
            parent: The column of the key before the block, for a block without any text.

        Returns:
            Columns of indentation.
        """
        blank = 0
        for line, inside in zip_longest(self.lines, text.split("\n")):
            if inside:
                return len(line) - len(inside)
            blank = max(blank, len(line))
        return max(blank, parent + 2)


def read(raw: str) -> BlockText | None:
    """Split a literal block into lines.

    Args:
        raw: From the ``|`` to the end of the last line.

    Returns:
        The lines, None where there are line ends that only YAML has (NEL, LS, PS, a lone CR).
    """
    return None if _STRANGE_BREAK.search(raw) else BlockText(raw)
