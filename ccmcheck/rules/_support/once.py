"""What several rules ask of the same cloud.conf or object: worked out once, and gone with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar


class _HasAnswers(Protocol):
    @property
    def answers(self) -> dict[object, Any]: ...


_Asked = TypeVar("_Asked", bound=_HasAnswers)
_Answer = TypeVar("_Answer")


def once(work: Callable[[_Asked], _Answer]) -> Callable[[_Asked], _Answer]:
    """Let a cloud.conf or an object keep what a function answers about it.

    Args:
        work: The function.

    Returns:
        The function that answers from memory, from the second time on.
    """

    @wraps(work)
    def answer(asked: _Asked) -> _Answer:
        answers = asked.answers
        if work not in answers:
            answers[work] = work(asked)
        found: _Answer = answers[work]
        return found

    return answer
