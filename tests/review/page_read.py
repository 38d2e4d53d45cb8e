"""Pages as the tests read them: a tree of elements, strictly, and the colours of the style sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
SVG_EMPTY = frozenset({"path", "rect"})


class Element:
    """One element: its name, attributes, children and texts in order."""

    def __init__(self, name: str, attributes: dict[str, str], parent: Element | None) -> None:
        self.name = name
        self.attributes = attributes
        self.parent = parent
        self.content: list[Element | str] = []

    def walk(self) -> Iterator[Element]:
        yield self
        for one in self.content:
            if isinstance(one, Element):
                yield from one.walk()

    def every(self, *names: str) -> list[Element]:
        return [one for one in self.walk() if one.name in names]

    @property
    def text(self) -> str:
        return "".join(one if isinstance(one, str) else one.text for one in self.content)


class _Reader(HTMLParser):
    """Refuses what a browser would mend: elements that are not closed, or closed in another order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {}, None)
        self.at = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        made = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.content.append(made)
        if tag not in VOID:
            self.at = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SVG_EMPTY, f"<{tag}/> is no empty element"
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.at.name == tag, f"</{tag}> ends <{self.at.name}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.content.append(data)


def read(page: str) -> Element:
    """The page as a tree."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.name}> is not closed"
    return reader.root


def colours(style: str) -> tuple[dict[str, str], dict[str, str]]:
    """The colours of the light and of the dark scheme, by their names."""
    light, dark = style.split("@media screen and (prefers-color-scheme: dark)", 1)
    dark = dark[: dark.index("}\n}")]
    found = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text)) for text in (light, dark)]
    assert found[0].keys() == found[1].keys()
    return found[0], found[1]


def contrast(first: str, second: str) -> float:
    """WCAG 2.2's contrast ratio of two colours."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
