"""What rules say of the CCM, said of the provider inside Kubernetes where that one reads the file.

The rules about the syntax hold for both, because both read the file with gcfg.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.carriers.base import IN_TREE

if TYPE_CHECKING:
    from ccmcheck.base.model import Problem

_CCM = lazy_regex(r"\b([Tt])he CCM\b")


def said_of(consumer: str, problem: Problem) -> Problem:
    """A problem in the words for who reads the file.

    Args:
        consumer: See `ccmcheck.catalog.CONSUMERS`.
        problem: What a rule yielded.
    """
    if consumer != IN_TREE:
        return problem
    return problem._replace(label=_words(problem.label), detail=_words(problem.detail), help=_words(problem.help))


def _words(text: str) -> str:
    return _CCM.sub(r"\1he in-tree provider", text)
