"""Texts made to hurt: deep nesting, alias bombs, long runs. In a process of its own, as a crash would end this one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ccmcheck.base.errors import BadYaml
from ccmcheck.yamlio import Mapping, YamlDocument, documents, field, scalars
from ccmcheck.yamlio.cover import mask
from ccmcheck.yamlio.marks import find
from ccmcheck.yamlio.parse import MAX_DEPTH

DEEP = {
    "[": "'[' * 100_000",
    "[ closed": "'[' * 100_000 + ']' * 100_000",
    "{": "'{a: ' * 50_000",
    "{ closed": "'{a: ' * 50_000 + '}' * 50_000",
    "pairs": "'[a: ' * 50_000 + ']' * 50_000",
    "-": "'- ' * 50_000",
    "- closed": "'- ' * 50_000 + 'a'",
    "- wide": "'-   ' * 50_000",
    "?": "'? ' * 50_000",
    "? -": "'? - ' * 50_000",
    "after a marker": "'---\\n' + '- ' * 50_000",
    "after a mark": "'\\ufeff' + '- ' * 50_000",
    "indentation": "'\\n'.join(' ' * depth + 'a:' for depth in range(1_500))",
    "indentation with CR": "'\\r'.join(' ' * depth + 'a:' for depth in range(1_500))",
    "indentation with LS": "'\\u2028'.join(' ' * depth + 'a:' for depth in range(1_500))",
    "sequences in mappings": "'\\n'.join('  ' * depth + '- a:' for depth in range(1_000))",
    "brackets on many lines": "'[\\n' * 100_000",
}

IN_A_SMALL_STACK = """
import sys, threading
from ccmcheck.base.errors import BadYaml
from ccmcheck.yamlio import documents
found = []
def run():
    found.extend(documents(TEXT))
threading.stack_size(128 * 1024)
thread = threading.Thread(target=run)
thread.start()
thread.join()
assert len(found) == 1, len(found)
assert isinstance(found[0], BadYaml), found
print(found[0].message, found[0].offset)
"""


@pytest.mark.part(of=4)
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_nesting_is_an_error_and_not_a_crash(text: str) -> None:
    script = IN_A_SMALL_STACK.replace("TEXT", text)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"nested more than {MAX_DEPTH} levels deep ")


SHALLOW_ENOUGH = """
import threading
from ccmcheck.yamlio import YamlDocument, documents, scalars
lines = [" " * depth + "a:" for depth in range(63)]
text = "\\n".join(lines) + "\\n" + " " * 63 + "b: " + "[a: " * 40 + "c" + "]" * 40
done = []
def run():
    document, = documents(text)
    assert isinstance(document, YamlDocument)
    done.extend(scalar.value for scalar in scalars(document.root))
threading.stack_size(128 * 1024)
thread = threading.Thread(target=run)
thread.start()
thread.join()
assert done == ["c"], done
"""


def test_the_deepest_text_of_the_fast_path_fits_a_small_stack() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHALLOW_ENOUGH], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1])
def test_the_limit(depth: int) -> None:
    (found,) = documents("[" * depth + "]" * depth)
    assert isinstance(found, YamlDocument) == (depth == MAX_DEPTH)


def test_an_alias_bomb_is_as_long_as_its_text() -> None:
    text = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    assert len(list(scalars(document.root))) == 2
    assert repr(document.root) == f"Mapping(0, {len(text)})"


def test_cycles_end() -> None:
    (document,) = documents("&a\nb: *a\n<<: *a\nc: [*a, d]\n")
    assert isinstance(document, YamlDocument)
    assert isinstance(document.root, Mapping)
    assert [scalar.value for scalar in scalars(document.root)] == ["d"]
    assert document.root.get("nowhere") is None
    assert field(document.root, *["b"] * 500) == document.root


def test_long_chains_of_aliases_and_merges() -> None:
    text = "k0: &k0 {a: b}\n" + "".join(f"k{n}: &k{n}\n  <<: *k{n - 1}\n" for n in range(1, 3_000))
    (document,) = documents(text)
    assert isinstance(document, YamlDocument)
    value = field(document.root, "k2999", "a")
    assert value is not None
    assert value.shared


@pytest.mark.parametrize(
    "text",
    ["&a " * 9_000, "!a " * 9_000, "%" * 9_000, "*a " * 9_000, "|" * 9_000, "'" * 9_001, ": " * 9_000, "\t" * 9_000],
)
def test_long_runs_end(text: str) -> None:
    (found,) = documents(text)
    assert isinstance(found, BadYaml)
    assert 0 <= found.offset <= len(text)


@pytest.mark.part(of=4)
@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "${",
        "$",
        "{{ ",
        '{{ "',
        "{% ",
        "%{",
        "<%",
        "{{ ' }}\n",
        "{{ '}}'\n",
        '{{ "\\"',
        "{{ `",
        "{{/*",
        "${a{",
        "${a:-$",
        "{{}}",
        "{{\n}}\n",
    ],
)
def test_marks_in_long_runs(piece: str) -> None:
    text = piece * (400_000 // len(piece))  # a quadratic reading would take hours
    assert len(mask(text, find(text))) == len(text)
