"""HTML pages from the templates that ccmcheck ships: each needs nothing but itself.

What is in a page may come from anybody's files. So every text is escaped, whatever a screen would not show as itself
is written as an escape, a policy in the page's head forbids what the page does not bring, and only an address of the
web becomes a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccmcheck.base.escape import printable, printable_lines
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.render.catalog import shipped

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from jinja2 import Environment
    from markupsafe import Markup

_WEB = lazy_regex(r"https?://[!-~]+")
_WORD = lazy_regex(r"[a-z]++(?:'[a-z]+)?(?:[ ,.:;]|\Z)")
# where a piece of evidence can be read: owner/repository#number, Launchpad's bugs, Kubernetes' proposals
_SOURCE = lazy_regex(
    r"(?<![\w/.-])(?P<repository>[a-zA-Z0-9][\w.-]{0,38}/[\w.-]{1,100})#(?P<number>\d{1,7})\b"
    r"|\bLP#(?P<bug>\d{5,8})\b|(?<![\w/#])#(?P<further>\d{1,7})\b|\bKEP-(?P<proposal>\d{1,5})\b|(?P<url>https?://[!-~]*[\w/])"
)


def page(template: str, style: str, variables: Mapping[str, object]) -> str:
    """Write a page.

    Args:
        template: The template's file, in the folder of templates.
        style: The style sheet's.
        variables: The template's variables.
    """
    import base64
    import hashlib

    from markupsafe import Markup

    from ccmcheck import __version__

    jinja = _environment()
    sheet = "\n" + jinja.get_template(style).render()
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    return jinja.get_template(template).render(
        {
            **variables,
            "style": Markup(sheet),  # noqa: S704 - our own file
            "policy": f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
            "version": __version__,
        }
    )


def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def shown(value: object) -> object:
        return printable_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    found = Environment(
        loader=FileSystemLoader(shipped()),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        finalize=shown,
    )
    found.filters["link"] = link
    found.filters["sources"] = sources
    found.filters["sentence"] = sentence
    return found


def sentence(text: str) -> str:
    """A text with a capital at its beginning, unless it begins with a name such as ``create-monitor``.

    Args:
        text: The text.
    """
    return text[:1].upper() + text[1:] if _WORD.match(text) else text


def link(title: str, url: str) -> Markup:
    """A link, where the address is one of the web; otherwise both as text.

    Args:
        title: What it is called.
        url: Where it leads.
    """
    from markupsafe import Markup

    shown, address = printable(title), printable(url)
    if not _WEB.fullmatch(url):
        return Markup("{} ({})").format(shown, address)
    return Markup('<a href="{}" rel="noopener noreferrer">{}</a>').format(address, shown)


def sources(text: str) -> Markup:
    """A piece of evidence, in which issues, bugs and addresses lead to where they can be read.

    Args:
        text: The evidence.
    """
    from markupsafe import Markup, escape

    parts: list[Markup] = []
    at, repository = 0, ""
    for match in _SOURCE.finditer(text):
        repository = match["repository"] or repository
        url = _address(match, repository)
        if url:
            parts += [escape(printable(text[at : match.start()])), link(match[0], url)]
            at = match.end()
    parts.append(escape(printable(text[at:])))
    return Markup("").join(parts)


def _address(match: re.Match[str], repository: str) -> str:
    """Where a piece of evidence can be read; empty where that cannot be told.

    Args:
        match: What was found.
        repository: The repository that was named last.
    """
    number = match["number"] or match["further"]
    if number:
        return f"https://github.com/{repository}/issues/{number}" if repository else ""
    if match["bug"]:
        return f"https://bugs.launchpad.net/bugs/{match['bug']}"
    if match["proposal"]:
        return f"https://github.com/kubernetes/enhancements/issues/{match['proposal']}"
    return match["url"]
