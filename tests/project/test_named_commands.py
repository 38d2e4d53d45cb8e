"""Every ``ccmcheck …`` that a message, a page or a guide names is a command, and its options are those of the command."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import click
import pytest
from root import ROOT

from ccmcheck.cli.command_group import all_commands
from ccmcheck.cli.main import cli

PACKAGE = ROOT / "ccmcheck"
PAGES = ["README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"]
SUFFIXES = (".md", ".toml", ".tsv", ".txt", ".ini", ".json", ".j2", ".yaml", ".yml")
NAMED = re.compile(
    r"(?:(?<=`)|(?<=\$ )|(?<=Write )|(?<=Run )|(?<=· )|(?<=run ))ccmcheck (?P<words>[a-z-][^`\n|]*)"  # in a sentence
    r"|^[ \t]*ccmcheck (?P<line>[a-z-][^`\n|]*)",  # as a line of its own
    re.MULTILINE,
)
ABBREVIATED = {"...", "…"}


@cache
def commands() -> dict[str, click.Command]:
    return dict(all_commands(cli))


@cache
def options_of(name: str) -> frozenset[str]:
    own = [option for one in commands()[name].params for option in (*one.opts, *one.secondary_opts)]
    return frozenset((*own, "--help", "-h"))


def problem(words: list[str]) -> str:
    """What is wrong with a command, given without its ``ccmcheck``; empty where nothing is."""
    if words[0].startswith("-"):
        known = {option for one in cli.params for option in one.opts} | {"--help", "-h", "--version"}
        return "" if words[0] in known else f"no option {words[0]}"
    if words[0] not in {name.partition(" ")[0] for name in commands()}:
        return f"no command {words[0]}"
    name = words[0]
    rest = words[1:]
    if isinstance(commands().get(name), click.Group) or name not in commands():
        if not rest or rest[0].startswith("-") or rest[0] in ABBREVIATED:
            return ""
        name = f"{name} {rest[0]}"
        rest = rest[1:]
        if name not in commands():
            return f"no command {name}"
    for word in rest:
        option = word.partition("=")[0]
        is_short = re.fullmatch(r"-[a-zA-Z]+", option) is not None
        given = [f"-{letter}" for letter in option[1:]] if is_short else [option]
        if word.startswith("-") and word not in {"-", "--"} and not options_of(name).issuperset(given):
            return f"{name} has no option {option}"
    return ""


def texts() -> Iterator[tuple[str, str]]:
    """All texts that people are shown, each with its file."""
    for path in (*map(ROOT.joinpath, PAGES), *sorted(PACKAGE.rglob("*"))):
        where = str(path.relative_to(ROOT))
        if path.suffix in SUFFIXES and "schemas" not in path.parts:
            yield where, path.read_text()
        elif path.suffix == ".py":
            yield from ((where, text) for text in _strings(path))


def _strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def named(text: str) -> Iterator[str]:
    for match in NAMED.finditer(text):
        line = match["line"]
        if not (line and _is_prose(line.split()[0])):
            yield (match["words"] or line).strip()


def _is_prose(word: str) -> bool:
    """Whether a line begins with the program's name in a sentence: ``ccmcheck reads``, where no command is misspelt."""
    names = {name.partition(" ")[0] for name in commands()}
    return (
        not word.startswith("-")
        and word not in names
        and (word.endswith("s") or not get_close_matches(word, names, cutoff=0.7))
    )


def _words(command: str) -> list[str]:
    """The words of a command, without what follows it in a sentence or a shell."""
    words: list[str] = []
    for word in re.split(r"\s+#|\s[>;&]|  ", command)[0].split():
        bare = word.rstrip(".,:;)\"'")
        if bare:
            words.append(bare)
        if bare != word and word[-1] not in "\"'" and not bare.startswith("-"):
            break
    return words


COMMANDS = sorted({(where, command) for where, text in texts() if "ccmcheck " in text for command in named(text)})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Write `ccmcheck lint --release 1.31 .`.", []),
        ("`ccmcheck cluster lint --octavia`", []),
        ("Run ccmcheck cluster lnit.", ["no command cluster lnit"]),
        ("$ ccmcheck lnit .", ["no command lnit"]),
        ("ccmcheck lnit .", ["no command lnit"]),
        ("ccmcheck reads a file\nccmcheck is there", []),
        ("`ccmcheck fix --unsave`, or `ccmcheck --versoin`", ["fix has no option --unsave", "no option --versoin"]),
        ("`ccmcheck predict -vx`", ["predict has no option -vx"]),
    ],
)
def test_what_is_wrong_is_noticed(text: str, wrong: list[str]) -> None:
    assert [found for command in named(text) if (found := problem(_words(command)))] == wrong


def test_each_is_a_command_with_its_options() -> None:
    assert len(COMMANDS) > 300
    assert len({where for where, _ in COMMANDS}) > 60
    wrong = [(where, command, problem(words)) for where, command in COMMANDS if (words := _words(command))]
    assert [one for one in wrong if one[2]] == []
