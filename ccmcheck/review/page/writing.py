"""Reviews, and the create-monitor question, as HTML pages."""

from __future__ import annotations

from ccmcheck.review.change.records import Review
from ccmcheck.review.create_monitor.records import QuestionPage


def review_page(review: Review, command: str = "review") -> str:
    """A review, or an upgrade, as a page."""
    from ccmcheck.report.document.html import page
    from ccmcheck.review.page import review as content

    return page(content.headline(review), f"ccmcheck {command}", content.facts(review), tuple(content.sections(review)))


def question_page(question: QuestionPage, *further: QuestionPage) -> str:
    """The answer to the create-monitor question as a page; of further configurations what differs."""
    from ccmcheck.report.document.html import page
    from ccmcheck.review.create_monitor.words import headline
    from ccmcheck.review.page import question as content

    about = "ccmcheck review · the create-monitor question"
    title = headline(question.recommendation)
    return page(title, about, content.facts(question), tuple(content.sections(question, further)))
