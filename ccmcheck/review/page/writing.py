"""Reviews as one HTML page that needs nothing but itself: no script, no font, no picture, no link that loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccmcheck.review.change.records import Review
    from ccmcheck.review.create_monitor.records import QuestionPage

_STYLE = "review/style.css"


def review_page(review: Review) -> str:
    """A review as a page.

    Args:
        review: What a change does.
    """
    from ccmcheck.render.pages import page
    from ccmcheck.review.page.of_review import variables

    return page("review/review.html.j2", _STYLE, variables(review))


def question_page(question: QuestionPage) -> str:
    """The answer to the question of create-monitor as a page.

    Args:
        question: The answer.
    """
    from ccmcheck.render.pages import page
    from ccmcheck.review.page.of_question import variables

    return page("review/question.html.j2", _STYLE, variables(question))
