"""Reviews as one HTML page that needs nothing but itself: no script, no font, no picture, no link that loads.

What is in it may come from anybody's files. So everything is escaped by the templates, a policy in the page's head
forbids what it does not bring itself, and only an address of the web becomes a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.escape import printable
from ccmcheck.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from ccmcheck.review.question import QuestionPage
    from ccmcheck.review.records import Review

_STYLE = "review/style.css"
_ADDRESS = lazily(r"https?://[!-~]+")
# where a piece of evidence can be read: owner/repository#number, and Launchpad's bugs
_SOURCE = lazily(
    r"(?<![\w/.-])(?P<repository>[a-zA-Z0-9][\w.-]{0,38}/[\w.-]{1,100})#(?P<number>\d{1,7})\b"
    r"|\bLP#(?P<bug>\d{5,8})\b|(?P<url>https?://[!-~]*[\w/])"
)


def review_page(review: Review) -> str:
    """A review as a page.

    Args:
        review: What a change does.
    """
    from ccmcheck.review.page_review import variables

    return _page("review/review.html.j2", variables(review))


def question_page(question: QuestionPage) -> str:
    """The answer to the question of create-monitor as a page.

    Args:
        question: The answer.
    """
    from ccmcheck.review.page_question import variables

    return _page("review/question.html.j2", variables(question))


def _page(template: str, variables: Mapping[str, object]) -> str:
    import base64
    import hashlib

    from markupsafe import Markup

    from ccmcheck import __version__
    from ccmcheck.render.environment import pages

    jinja = pages()
    jinja.filters["link"] = link
    jinja.filters["sources"] = sources
    style = "\n" + jinja.get_template(_STYLE).render()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return jinja.get_template(template).render(
        {
            **variables,
            "style": Markup(style),  # noqa: S704 - our own file
            "policy": f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
            "version": __version__,
        }
    )


def link(title: str, url: str) -> Markup:
    """A link, where the address is one of the web; otherwise both as text.

    Args:
        title: What it is called.
        url: Where it leads.
    """
    from markupsafe import Markup

    shown, address = printable(title), printable(url)
    if not _ADDRESS.fullmatch(url):
        return Markup("{} ({})").format(shown, address)
    return Markup('<a href="{}" rel="noopener noreferrer">{}</a>').format(address, shown)


def sources(text: str) -> Markup:
    """A piece of evidence, in which issues, bugs and addresses lead to where they can be read.

    Args:
        text: The evidence.
    """
    from markupsafe import Markup, escape

    parts: list[Markup] = []
    at = 0
    for match in _SOURCE.finditer(text):
        parts.append(escape(printable(text[at : match.start()])))
        at = match.end()
        if match["url"]:
            url = match["url"]
        elif match["bug"]:
            url = f"https://bugs.launchpad.net/bugs/{match['bug']}"
        else:
            url = f"https://github.com/{match['repository']}/issues/{match['number']}"
        parts.append(link(match[0], url))
    parts.append(escape(printable(text[at:])))
    return Markup("").join(parts)
