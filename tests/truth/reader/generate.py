"""Makes cloud.conf files of every kind, good and bad, for the comparison with the real reader.

Run it to see some: ``python tests/truth/reader/generate.py --seed 1 --count 5``. The same seed, count and samples give the
same files.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import reader_words as words

REPOSITORY = Path(__file__).resolve().parents[3]
_HEADER = re.compile(r"^([ \t]*)\[(?:Global|LoadBalancer|Networking|BlockStorage|Metadata|Route)\b", re.MULTILINE)
_TOKEN = re.compile(rb'\s+|[A-Za-z0-9-]+|"[^"\n]*"|.', re.DOTALL)
_LONGEST_SAMPLE = 6000  # bytes; beyond that a file is a shell script with a cloud.conf somewhere in it


def samples() -> list[bytes]:
    """Real texts to mutate: the repository's own samples and, where it is there, the collection of public files.

    A file that wraps its cloud.conf in YAML or a script counts from its first section header on, without the
    indentation; what follows the cloud.conf is a mutation for free.
    """
    found = []
    for folder in (REPOSITORY / "samples", REPOSITORY.parent / "shared" / "corpus" / "files"):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                text = path.read_bytes().decode("utf-8", "surrogateescape")
                header = _HEADER.search(text)
                if header:
                    cut = text[header.start() :]
                    indent = header[1]
                    lines = [line.removeprefix(indent) for line in cut.splitlines(keepends=True)]
                    found.append("".join(lines).encode("utf-8", "surrogateescape")[:_LONGEST_SAMPLE])
    return found


def inputs(seed: int, count: int, real: Sequence[bytes]) -> Iterator[bytes]:
    """Yield ``count`` files.

    Args:
        seed: What the choice depends on.
        count: How many.
        real: Texts to mutate, see `samples`.
    """
    chance = random.Random(seed)  # noqa: S311  # nothing here is a secret
    maker = Maker(chance)
    kinds: list[tuple[Callable[[], bytes], float]] = [
        (maker.document, 30),
        (maker.one_key, 30),
        (maker.soup, 10),
        (maker.characters, 4),
        (maker.names, 4),
        (maker.long, 0.2),
        (lambda: maker.mutated(maker.document()), 12),
    ]
    if real:
        kinds.append((lambda: maker.mutated(chance.choice(real)), 14))
    for _ in range(count):
        yield chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]()


class Maker:
    """One source of chance and everything that is made from it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def pick(self, of: Sequence[str]) -> str:
        return self.chance.choice(of)

    # whole files

    def document(self) -> bytes:
        """Some sections; in most files nothing or one thing is wrong, in few files much is."""
        nasty = self.chance.choices((0.0, 0.03, 0.3), (5, 4, 1))[0]
        lines = [line for _ in range(self.chance.choice((1, 1, 2, 2, 3, 4, 6))) for line in self.section(nasty)]
        if self.often(nasty):
            lines.insert(0, self.pick(("a = b", "x", "= y", "# x", "", "\ufeff", "]", "---")))
        return self.joined(lines, nasty)

    def one_key(self) -> bytes:
        """One key with a value that is near the edge of its type: the first error hides all others."""
        section = self.pick([name for name in words.KEYS for _ in range(4 if name == "LoadBalancer" else 1)])
        key, kind = self.chance.choice(list(words.KEYS[section].items()))
        header = f'[{section} "a"]' if section == "LoadBalancerClass" else f"[{section}]"
        value = self.value(kind)
        if self.often(0.5):
            value = self.dressed(value, 0.3)
        return self.joined([header, f"{key} = {value}"], 0.0)

    def soup(self) -> bytes:
        """Pieces in any order."""
        length = self.chance.randint(1, 25)
        start = self.pick(("", "[Global]\n", "[LoadBalancer]\n", "[Global]\nusername = ", '[LoadBalancerClass "'))
        glue = self.pick(("", "", " "))
        return (start + glue.join(self.pick(words.FRAGMENTS) for _ in range(length))).encode("utf-8", "surrogatepass")

    def characters(self) -> bytes:
        """One odd character or broken sequence at any place of a small good file."""
        good = self.pick(
            ('[Global]\nusername = u # c\n[LoadBalancerClass "a"]\nsubnet-id = "s" ; c\n', "[Global]\nregion=x\n")
        )
        at = self.chance.randint(0, len(good))
        odd = self.chance.choice(words.BROKEN_UTF8) if self.often(0.4) else self.pick(words.ODD_CHARACTERS).encode()
        return good[:at].encode() + odd + good[at:].encode()

    def names(self) -> bytes:
        """A name of a section, a subsection or a key out of any characters."""
        name = self.letters(words.NAME_CHARACTERS, 8)
        where = self.pick(
            ("[{}]\nx = 1\n", '[LoadBalancerClass "{}"]\nx = 1\n', "[x]\n{} = 1\n", "[Global]\n{}\n", '[Global "{}"]\n')
        )
        return where.format(name).encode("utf-8", "surrogatepass")

    def long(self) -> bytes:
        """Much of one thing."""
        piece = self.pick(
            ("x", "1", "9", '""', "\\\n", "\u00e9", " ", "0", "# ", '\\"', ".5s", "\r", "a = b\n", "[x]\n", "#\n")
        )
        start = self.pick(("", "[Global]\n", "[Global]\nregion = ", '[LoadBalancerClass "', "[LoadBalancer]\nmax-shared-lb = ",
                           "[LoadBalancer]\nmonitor-delay = ", "[LoadBalancer]\nmonitor-max-retries = 0x"))  # fmt: skip
        text = start + piece * self.chance.choice((500, 5000, 20_000)) + self.pick(("", "\n", "x", '"]\n'))
        return text.encode("utf-8", "surrogatepass")

    def mutated(self, data: bytes) -> bytes:
        """A few bytes, tokens or lines of a file deleted, doubled, moved or replaced."""
        for _ in range(self.chance.choice((1, 1, 1, 2, 3, 6))):
            if not data:
                return data
            cut = self.chance.choice((_lines, _tokens, _tokens, list))(data)
            parts = [bytes([part]) if isinstance(part, int) else part for part in cut]
            at = self.chance.randrange(len(parts))
            other = self.chance.randrange(len(parts))
            what = self.chance.choice(("delete", "double", "swap", "replace", "insert", "cut"))
            if what == "delete":
                del parts[at]
            elif what == "double":
                parts.insert(other, parts[at])
            elif what == "swap":
                parts[at], parts[other] = parts[other], parts[at]
            elif what == "replace":
                parts[at] = self.piece()
            elif what == "insert":
                parts.insert(at, self.piece())
            elif self.often(0.3):
                parts = parts[:at]
            data = b"".join(parts)
        return data

    # parts of a file

    def piece(self) -> bytes:
        if self.often(0.1):
            return self.chance.choice(words.BROKEN_UTF8)
        if self.often(0.2):
            return self.pick(words.ODD_CHARACTERS).encode()
        if self.often(0.3):
            return self.value(self.pick("sbuidlw")).encode()
        return self.pick(words.FRAGMENTS).encode()

    def joined(self, lines: Sequence[str], nasty: float) -> bytes:
        end = self.pick(("\n", "\n", "\n", "\n", "\r\n"))
        text = ""
        for line in lines:
            text += line + (self.pick(("\n", "\r\n", "\n\n", "\r", "\x0b", "")) if self.often(nasty / 3) else end)
        if self.often(0.2):
            text = text.rstrip("\r\n")
        data = text.encode("utf-8", "surrogatepass")
        if self.often(nasty):
            data = self.mutated(data)
        return data

    def section(self, nasty: float) -> list[str]:
        name = self.pick(list(words.KEYS))
        known = words.KEYS[name]
        if self.often(0.08):
            name, known = self.pick(words.UNKNOWN_SECTIONS), words.KEYS[self.pick(list(words.KEYS))]
        subsection = ""
        if self.often(0.95 if name == "LoadBalancerClass" else 0.05):
            subsection = self.pick((" ", " ", " ", "", "\t")) + '"' + self.pick(words.SUBSECTIONS) + '"'
        header = f"[{self.spelled(name, nasty)}{subsection}]"
        if self.often(0.1):
            header = header.replace("[", "[ ", 1).replace("]", " ]")
        if self.often(nasty):
            header = self.pick(("[", "[]", "[[x]]", header + "x", header[:-1], header + " = x", header + "]", "[Global.x]",
                                "[Load Balancer]", "['Global']", '["Global"]', '[Global ""]', '[Global "x\\n"]', "[1x]",
                                "[-x]", "[Global #]", "[Global\n]", '[Global "a\nb"]', '[Global "a" "b"]', "[Global a]",
                                '[Global "x', "[Global_x]", '[ "x"]', '[Global "a\\\nb"]'))  # fmt: skip
        if self.often(0.1):
            header = self.pick((" ", "\t", "\r", "  ")) + header + self.pick(("", " # c", ";c", " \t", "\r"))
        return [header, *(self.line(known, nasty) for _ in range(self.chance.choice((0, 1, 2, 3, 5))))]

    def line(self, known: dict[str, str], nasty: float) -> str:
        if self.often(0.08):
            return self.pick(("", "# comment", "; comment", "  ", "\t# \u00e9 \"'\\", "#", ";"))
        if self.often(nasty):
            return self.pick(("auth_url = x", "= x", "1x = y", "-x = y", '"a" = b', "a b = c", "a: b", "a += b", "a.b = c",
                              "export a=b", "x =\n", "[", "]", '"', "\\", "{% if x %}", "${X}", "---", "key\n= value", "a = b = c",
                              "a=b\\", "a = \\", "a =\\\\", "// x", "a=\x00", "+", "é = x", "²x = 1", "x² = 1"))  # fmt: skip
        key, kind = self.chance.choice(list(known.items()) or [("x", "s")])
        if self.often(0.1):
            key, kind = self.pick(words.UNKNOWN_KEYS), self.pick("sbuidlwm")
        if self.often(0.05):
            kind = self.pick("sbuidlw")
        key = self.spelled(key, nasty)
        if self.often(0.06):
            return key + self.pick(("", "", " ", " # c", ";c", "\t"))
        value = self.value(kind, wrong=max(nasty, 0.02))
        if self.often(0.4):
            value = self.dressed(value, nasty)
        indent = self.pick(("", "", "", "", " ", "\t", "    "))
        return indent + key + self.pick((" = ", "=", " =", "= ", "\t=\t", " =\r ")) + value

    def spelled(self, name: str, nasty: float) -> str:
        if self.often(0.1):
            name = self.pick((name.upper(), name.lower(), name.title(), name.swapcase()))
        if self.often(0.02 + nasty / 4):
            table = self.chance.choice((words.SAME_FOLD, words.OTHER_LETTER))
            letters = [letter for letter in name if letter in table]
            if letters:
                name = name.replace(letter := self.pick(letters), table[letter], self.chance.choice((1, -1)))
        if self.often(nasty / 4):
            at = self.chance.randint(0, len(name))
            name = (
                name[:at] + self.pick(("_", "-", "1", ".", "é", "", " ", "x")) + name[at + self.chance.randint(0, 1) :]
            )
        return name

    # values

    def value(self, kind: str, wrong: float = 0.5) -> str:
        """A value for a type: from the lists with their wrong ones, or one that is right."""
        if self.often(0.05):
            return ""
        right = not self.often(wrong)
        if not right and self.often(0.3):
            return self.letters(words.VALUE_CHARACTERS[kind], 7)
        if kind == "b":
            return self.pick(words.BOOLS[:20] if right else words.BOOLS)
        if kind in "ui":
            return (
                str(self.chance.choice((1, 2, 3, self.chance.randint(0, 99)))) if right else self.pick(words.INTEGERS)
            )
        if kind == "d":
            if right:
                return str(self.chance.randint(1, 300)) + self.pick(("s", "s", "ms", "m", "h"))
            return self.pick(words.DURATIONS) if self.often(0.5) else self.duration()
        if kind == "w":
            return self.pick(words.WORDS[:3] if right else words.WORDS)
        if self.often(0.2):
            return " ".join(self.pick(words.STRINGS) for _ in range(2))
        return self.pick(words.STRINGS[:14] if right else words.STRINGS)

    def letters(self, of: str, most: int) -> str:
        """Characters in any order."""
        return "".join(self.pick(of) for _ in range(self.chance.randint(1, most)))

    def duration(self) -> str:
        """Numbers and units in any number, some of them wrong."""
        text = self.pick(("", "", "", "-", "+"))
        for _ in range(self.chance.choice((1, 1, 2, 3))):
            whole = str(self.chance.choice((0, 1, 59, 60, self.chance.randrange(10 ** self.chance.randint(1, 21)))))
            digits = "".join(self.pick("0123456789") for _ in range(self.chance.choice((0, 1, 3, 9, 10, 20))))
            number = self.pick((whole, f"{whole}.{digits}", f".{digits}", f"{whole}."))
            text += number + self.pick(("ns", "us", "µs", "μs", "ms", "s", "m", "h", "s", "", "d", "S", " s"))
        return text

    def dressed(self, value: str, nasty: float) -> str:
        """Quotes, escapes, comments and continuations around a value."""
        quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        at = self.chance.randint(0, len(value))
        head, tail = value[:at], value[at:]
        good = (quoted, quoted + " # c", value + " # c", value + ";c", value + "\t;", f'{head}""{tail}', f'{head}"{tail}"',
                f'" {value} "', f"{head}\\\n{tail}", f"{head}\\\r\n{tail}", f"{head} \\\n  {tail}", value + "  ", value + "\r",
                f"{head}\r{tail}", f'"{head}\\n{tail}"', f'"{head}\\t{tail}"', f'{head}\\"{tail}', f'"{value}" "x"', "\\\n" + value,
                value + "\\\n", f'"{head}\r{tail}"', value + "\u00a0", "\u00a0" + value, f'"{value}"#', f'"\\n{value}\\n"',
                f'"{value}#;"', value + " \\\n# not a comment", f'{head} "{tail}', "\\\n\\\n" + value)  # fmt: skip
        bad = ('"' + value, value + '"', f"{head}\\{tail}", value + "\\", value + "\\ ", f'"{head}\n{tail}"', f'"{head}\\\n{tail}"',
               f'"{head}\\x{tail}"', f'"{value}\\"', f'"{head}\\r{tail}"', f"{head}\\\\{tail}", f'"{value}" = x', value + "\\\r",
               f'"{head}\\{tail}"', f"{head}\x00{tail}", value + "\\#", f'"{value}\x00"', f"{head}\\\r{tail}")  # fmt: skip
        return self.pick(bad if self.often(nasty) else good)


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def _tokens(data: bytes) -> list[bytes]:
    return _TOKEN.findall(data)


def main() -> None:
    """Print some files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    asked = parser.parse_args()
    for data in inputs(asked.seed, asked.count, samples()):
        print(repr(data))


if __name__ == "__main__":
    main()
