"""The page of a rule, from its file: the docstring's paragraphs, its facts, and its cases as examples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.result import RuleInfo
from ccmcheck.explain.page import Example, Page, as_markdown
from ccmcheck.rules import GROUP_OF, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccmcheck.rules.base import Case, Rule

_PARAGRAPH = lazy_regex(r"^([A-Z][A-Za-z ]{1,30}):[ \n]", re.MULTILINE)
EXAMPLES = 2
"""How many bad cases a page shows."""


def fix_word(module: Rule) -> str:
    """``safe``, ``unsafe`` or ``manual``, read off the cases, so that it cannot lie."""
    fixed = [case for case in module.BAD if case.fixed is not None]
    if not fixed:
        return "manual"
    return "unsafe" if all(case.unsafe for case in fixed) else "safe"


def rule_page(name: str) -> Page:
    """The page of one rule.

    Raises:
        KeyError: There is no rule of that name.
    """
    from ccmcheck.lint import suppress

    if name == suppress.META.name:
        return _engine_page(suppress.META.title, suppress.__doc__ or "")
    module = rule(name)
    meta = module.META
    facts = [("severity", meta.severity.word), ("fix", fix_word(module)), ("group", GROUP_OF[name])]
    if meta.needs:
        facts.append(("needs", ", ".join(meta.needs)))
    facts.append(("since", f"ccmcheck {meta.since}"))
    shown = [case for case in module.BAD if case.shown][:EXAMPLES]
    prose = tuple(paragraphs(module.__doc__ or ""))
    return Page("rule", name, meta.title, tuple(facts), prose, tuple(map(_example, shown)))


def rule_info(name: str) -> RuleInfo:
    """What reports say about one rule."""
    from ccmcheck.lint import suppress

    page = rule_page(name)
    severity = suppress.META.severity if name == suppress.META.name else rule(name).META.severity
    facts = dict(page.facts)
    prose = dict(page.paragraphs)
    parts = (page.title, _sentence(prose.get(_WHAT, "")), _sentence(prose.get(_WHY, "")))
    description = " ".join(part if part.endswith(".") else f"{part}." for part in parts if part)
    return RuleInfo(name, page.title, severity, as_markdown(page), facts["fix"], _url(name), description)


_WHAT, _WHY = "What it does", "Why"
_HOME = "https://github.com/ccmcheck/ccmcheck"


def _sentence(text: str) -> str:
    """A paragraph as a sentence of its own."""
    flat = " ".join(text.split())
    return flat[:1].upper() + flat[1:]


def _url(name: str) -> str:
    """The rule's own file at this version, which holds its page."""
    from ccmcheck import __version__

    group = GROUP_OF.get(name)
    path = f"ccmcheck/rules/{group}/{name.replace('-', '_')}.py" if group else "ccmcheck/lint/suppress.py"
    return f"{_HOME}/blob/v{__version__}/{path}"


def paragraphs(doc: str) -> Iterator[tuple[str, str]]:
    """The paragraphs of a rule's docstring that have a heading, each as one piece of prose."""
    found = list(_PARAGRAPH.finditer(doc))
    for match, following in zip(found, [*found[1:], None], strict=True):
        body = doc[match.end() : following.start() if following is not None else len(doc)]
        yield match[1], "\n".join(" ".join(part.split()) for part in body.strip().split("\n\n"))


def _example(case: Case) -> Example:
    line, column = case.at
    release = f" at CCM {case.release}" if case.release else ""
    return Example(f"Found at {line}:{column}{release}", case.text, case.fixed or "", case.conf)


def _engine_page(title: str, doc: str) -> Page:
    from ccmcheck.lint import suppress

    facts = (("severity", suppress.META.severity.word), ("fix", "manual"), ("group", "suppression"))
    body = " ".join(doc.split())
    return Page("rule", suppress.META.name, title, facts, (("What it does", body),))
