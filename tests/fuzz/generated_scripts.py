"""Shell scripts made at random, with heredocs in every position that a shell allows."""

from __future__ import annotations

import random
from typing import NamedTuple

_NOISE = (
    "# a comment with an apostrophe: don't, and <<EOF",
    "echo $((1<<2)) >/dev/null",
    "((z = 1 << 3))",
    "echo 'cat <<EOF' >/dev/null",
    'echo "cat <<EOF $(echo \')\') ${x:-"}"}" >/dev/null',
    "echo 'two\nlines <<EOF\n' >/dev/null",
    'cat <<< "a here string" >/dev/null',
    "echo a\\\"b \\' c#d >/dev/null",
    ": ${y#\\#} ${#z} $# ${x:-'}'}",
    'echo `echo "a b"` >/dev/null',
    "x=$'a\\'b'",
    'if [[ $x == *"("* && 1 -lt 2 ]]; then :; fi',
    "case $x in (a|b) : ;; *) echo case esac >/dev/null ;; esac",
    'y="$(case a in a) echo ")" ;; esac)"',
    "",
)
_LINES = (
    "[Global]",
    "auth-url = https://keystone.example.org/v3",
    "user = $USER_NAME",
    "region = ${REGION}x",
    'id = $(echo "a)b" | cat) end',
    "who = `echo me`",
    "price = \\$5 and \\\\ and \\`tick\\`",
    "joined = one \\\n  two",
    'it\'s "quoted" # no comment',
    "\tindented by a tab",
    "\t\tby two",
    "  EOF",
    "EOFX",
    "<<EOF",
    "",
)
_PLACES = (
    "cat {here} > {file}",
    "cat > {file} {here}",
    "  cat {here} | cat > {file}",
    "if true; then\n  cat > {file} {here}{body}fi",
    "f() {{\n  cat {here}{body}}}\nf > {file}",
    "for i in 1; do cat > {file} {here}{body}done",
    "( cat {here} && true ) > {file}",
    "case a in\n  a) cat > {file} {here}{body};;\nesac",
    'x="$(cat {here}{body})"\nprintf \'%s\\n\' "$x" > {file}',
    "x=$(cat {here}{body})\nprintf '%s\\n' \"$x\" > {file}",
    "cat {here} > {file} # <<EOF isn't one",
    "cat \\\n  > {file} {here}",
)


class Script(NamedTuple):
    """A script, and what is known of it.

    Attributes:
        text: The script.
        files: The names of the files that it writes, one for each heredoc in their order.
    """

    text: str
    files: list[str]


def make_script(seed: int) -> Script:
    """Make a script with a few heredocs.

    Args:
        seed: Decides everything.
    """
    choose = random.Random(seed)  # noqa: S311 - for tests
    parts: list[str] = []
    files: list[str] = []
    for _ in range(choose.randint(1, 5)):
        parts += [choose.choice(_NOISE) + "\n" for _ in range(choose.randint(0, 3))]
        if choose.random() < 0.15:
            parts.append(_two(choose, files))
            continue
        here, body = _heredoc(choose)
        files.append(f"f{len(files)}")
        place = choose.choice(_PLACES)
        command = place.format(here=here, body="\n" + body, file=files[-1])
        parts.append(command + "\n" if "{body}" in place else f"{command}\n{body}")
    return Script("".join(parts), files)


def _two(choose: random.Random, files: list[str]) -> str:
    first, first_body = _heredoc(choose)
    second, second_body = _heredoc(choose)
    files += [f"f{len(files)}", f"f{len(files) + 1}"]
    return f"cat > {files[-2]} {first}; cat {second} > {files[-1]}\n{first_body}{second_body}"


def _heredoc(choose: random.Random) -> tuple[str, str]:
    word = choose.choice(("EOF", "END-OF", "E_1", "."))
    written = choose.choice((word, word, f"'{word}'", f'"{word}"', f"\\{word}"))
    dash = choose.choice(("", "-"))
    lines = [choose.choice(_LINES) for _ in range(choose.randint(0, 5))]
    end = choose.choice(("", "\t", "\t\t")) if dash else ""
    body = "".join(line + "\n" for line in lines if line.lstrip("\t") != word)
    return f"<<{dash}{choose.choice(('', ' '))}{written}", f"{body}{end}{word}\n"
