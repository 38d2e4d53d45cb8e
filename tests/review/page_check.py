"""Checks the page on create-monitor of any folder: its length, its sources, and every number on it against the model.

``python tests/review/page_check.py FOLDER... [-- OPTIONS]`` reads each folder as it is, and with create-monitor turned on
and off. The first screen's figures are worked out again from the timers, ports and nodes; every other number must be in
what the model gives, as in `test_page_numbers`. Exit code 1 if anything is wrong.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from unittest.mock import patch

from test_motion import MOST_INSIDE, MOST_OUTSIDE, MOST_ROWS, MOST_WORDS, words
from test_page_numbers import unknown_numbers, unknown_numbers_of_lines

from ccmcheck.cli import review
from ccmcheck.cli.main import run
from ccmcheck.predict.inputs.options import Options
from ccmcheck.report.document import blocks as b
from ccmcheck.review.create_monitor.records import QuestionPage
from ccmcheck.review.create_monitor.report import as_lines, first_screen
from ccmcheck.workspace.deployment.record import Deployment

CONNECT = 5
"""timeout_member_connect in seconds: as long as a check waits for a silent host, unless the next one is due before."""


def pages_of(folder: str, options: Sequence[str], value: bool | None) -> list[QuestionPage]:
    """The pages that the command makes of a folder, with create-monitor as it is there for None."""
    found: list[QuestionPage] = []
    read = Deployment.options

    def kept(pages: Sequence[QuestionPage], *_: object, **__: object) -> Iterator[str]:
        found.extend(pages)
        return iter(())

    def turned(self: Deployment) -> Options:
        return read(self) if value is None else read(self)._replace(create_monitor=value)

    with patch.object(review, "question_written", kept), patch.object(Deployment, "options", turned):
        run(["review", "--question", "create-monitor", folder, *options])
    return found


def faults(found: QuestionPage, first: QuestionPage | None = None) -> Iterator[str]:
    """What is wrong with a page, the first or one below that."""
    lines = list(as_lines(found, "text", first=first))
    if words("\n".join(lines)) > MOST_WORDS:
        yield f"{words(chr(10).join(lines))} words"
    (table,) = [block for block in first_screen(found) if isinstance(block, b.Table)]
    inside = words(" ".join(" ".join(map(str, row)) for row in (table.columns, *table.rows)))
    if len(table.rows) > MOST_ROWS or inside > MOST_INSIDE:
        yield f"the table has {len(table.rows)} rows and {inside} words"
    text = "\n".join(lines)
    if first is None:  # the page above says the rest
        screen = re.split(r"\nThe draft's options|\nServices, and", text)[0]
        outside = words(screen.replace(screen[screen.index("applies to") : screen.index("To decide")], ""))
        if outside > MOST_OUTSIDE:
            yield f"the first screen has {outside} words outside its table"
    yield from unknown_numbers(found)
    yield from unknown_numbers_of_lines(found, as_lines(found, "text", verbose=1, first=first))
    yield from _figures(found, {row.label: (row.now, row.then) for row in found.motion})


def _figures(found: QuestionPage, rows: dict[str, tuple[str, str]]) -> Iterator[str]:
    """The first screen's figures, worked out from the timers that are moved, the ports and the nodes."""
    timers = {
        (
            plan.monitor["type"] == "UDP-CONNECT",
            int(str(plan.monitor["delay"])),
            int(str(plan.monitor["max_retries_down"])),
        )
        for case in found.services
        for plan in (case.then.plans if case.then is not None else ())
        if plan.monitor is not None
    }
    expected: list[tuple[str, str]] = []
    if len(timers) == 1 and found.provider == "amphora":
        ((datagrams, delay, down),) = timers
        refused, silent = delay * down, (delay + min(delay, CONNECT)) * down
        if not datagrams:
            expected.append(("a dead node is out", f"in {refused} s (refused) or {silent} s (silent)"))
        ports = sum(len(case.ports) for case in found.services if case.then is not None and not case.stand_in)
        if ports and found.nodes:
            # a pair of amphorae, active and standby, sends twice as many
            rate = ports * found.nodes / delay
            expected += [("monitors", str(ports)), ("probes a second", f"{rate:g}|{2 * rate:g}")]
    for name, wanted in expected:
        shown = next((then for row, (_, then) in rows.items() if name in row), None)
        if shown is not None and not any(one in shown for one in wanted.split("|")):
            yield f"{name}: {shown}, not {wanted}"
    for shares in found.first_connections[:1]:
        sizes = re.search(r"(\d+) nodes?, (\d+) with a pod", shares.label)
        if sizes and shares.closed.most == shares.closed.least and shares.closed.most:
            nodes, answering = map(int, sizes.groups())
            closed = (nodes - answering) / nodes * ((nodes - answering - 1) / (nodes - 1)) ** 3
            if abs(closed - shares.closed.most) > 0.005 or abs(answering / nodes - shares.at_once.most) > 0.005:
                yield f"{shares.label}: {shares.at_once} at once, {shares.closed} closed"


def main(arguments: Sequence[str]) -> int:
    """Check the folders; the exit code."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    wrong = 0
    for folder in arguments[:at]:
        for value in (None, True, False):
            pages = pages_of(folder, arguments[at + 1 :], value)
            for number, page in enumerate(pages):
                first = pages[0] if number else None
                listed = list(faults(page, first))
                wrong += len(listed)
                count = words("\n".join(as_lines(page, "text", first=first)))
                print(f"{page.config}, create-monitor {'as it is' if value is None else value}: {count} words")
                print(*(f"  {one}\n" for one in listed), sep="", end="")
    print(f"{wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
