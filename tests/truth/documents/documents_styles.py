"""Writes a text as a value of YAML, in any style that can hold it."""

from __future__ import annotations

import base64
import json
import random
import textwrap


class Styles:
    """Writes texts.

    Args:
        chance: What the styles depend on.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def text(self, text: str, indent: int) -> str:
        """A text as the value of a key at some indentation, in any style that holds it."""
        styles = [self._double]
        if all(char.isprintable() or char in "\n\t" for char in text) and text.strip("\n"):
            styles += [self._literal] * 4
            if not any(line != line.strip() or "\t" in line for line in text.split("\n")):
                styles.append(self._single)
        return self.chance.choice(styles)(text, indent)

    def _literal(self, text: str, indent: int) -> str:
        step = self.chance.choice([1, 2, 2, 2, 4, 7])
        first = next(line for line in text.split("\n") if line.strip(" "))
        stated = first.startswith(" ") or text.startswith((" ", "\n")) or self.often(0.15)
        chomp = "-" if not text.endswith("\n") else "+" if text.endswith("\n\n") else self.chance.choice(["", "", "+"])
        lines = text.removesuffix("\n").split("\n") if text.endswith("\n") else text.split("\n")
        header = (
            "|" + (str(step) if stated else "") + chomp + self.chance.choice(["", "", "", "  # by hand", " #", " "])
        )
        return header + "\n" + "\n".join(" " * (indent + step) + line if line else "" for line in lines)

    def _double(self, text: str, indent: int) -> str:
        if self.often(0.3):
            return json.dumps(text.encode("utf-8", "replace").decode())
        pieces = []
        for char in text:
            if char == "\n":
                pieces.append("\\n" + (f"\\\n{' ' * (indent + 2)}" if self.often(0.1) else ""))
            elif char in '"\\':
                pieces.append("\\" + char)
            elif char == "\t":
                pieces.append("\\t")
            elif char.isprintable() and not self.often(0.01):
                # a blank after a folded line end would be lost
                pieces.append("\\x20" if char == " " and pieces and pieces[-1].endswith(" ") else char)
            else:
                pieces.append(f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}")
        return '"' + "".join(pieces) + '"'

    def _single(self, text: str, indent: int) -> str:
        return "'" + text.replace("'", "''").replace("\n", "\n\n" + " " * (indent + 2)) + "'"

    def encoded(self, data: bytes, indent: int) -> str:
        """Base64 in any style."""
        whole = base64.b64encode(data).decode() or '""'
        width = self.chance.choice([0, 0, 0, 20, 60, 64, 76])
        lines = textwrap.wrap(whole, width) if width else [whole]
        blanks = " " * (indent + self.chance.choice([1, 2, 4]))
        style = self.chance.choice(["plain", "plain", "|", ">", "|-", '"', "'"])
        if style in ("|", ">", "|-"):
            return style + "\n" + "\n".join(blanks + line for line in lines)
        quote = "" if style == "plain" else style
        return quote + f"\n{blanks}".join(lines) + quote + self.chance.choice(["", "", "  # by hand"])
