"""What rules say of the CCM, said of the program that a file is judged for.

Such rules are about the syntax and about keys that both read: all of these programs read the file with gcfg.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.catalog.readers import reader_name

if TYPE_CHECKING:
    from ccmcheck.base.model import Problem

_CCM = lazy_regex(r"\b([Tt])he CCM\b")


def said_of(consumer: str, problem: Problem) -> Problem:
    """A problem in the words for who reads the file.

    Args:
        consumer: See `ccmcheck.catalog.CONSUMERS`.
        problem: What a rule yielded.
    """
    if consumer == "ccm":
        return problem
    name = reader_name(consumer).removeprefix("the ")

    def words(text: str) -> str:
        return _CCM.sub(rf"\1he {name}", text)

    return problem._replace(label=words(problem.label), detail=words(problem.detail), help=words(problem.help))
