"""The pages in headless Chromium: nothing leaves them, nothing is wrong in them, and everybody can use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from browser import Browser, browsing, missing
from question_made import question
from review_made import ordinary, review, service, service_change
from test_page import HOSTILE, hostile_pages

from ccmcheck.review.page.writing import question_page, review_page

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("chromium")]

WIDTHS = (360, 768, 1280)
NAMES = ("review", "question", "hostile", "hostile-question", "long")
TAB, ENTER = "\ue004", "\ue007"


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, list[str]]]:
    """Where the pages are, and every path that was asked for."""
    hostile = hostile_pages("\n".join(HOSTILE[:7]))
    long = review(*(service_change(service(name=f"{'long-' * 40}{number}")) for number in range(3)))
    pages = dict(
        zip(
            (f"/{name}" for name in NAMES),
            [review_page(ordinary()), question_page(question()), *hostile, review_page(long)],
            strict=True,
        )
    )
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = pages.get(self.path, "").encode("utf-8", "surrogatepass")
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parent's name
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if missing():
        pytest.skip(missing())
    with browsing(tmp_path_factory.mktemp("profile")) as started:
        started.open("about:blank")
        yield started


@contextmanager
def shown(browser: Browser, served: tuple[str, list[str]], name: str) -> Iterator[None]:
    """The page in the browser, as it is opened."""
    browser.open("about:blank")
    for kind in ("browser", "performance"):
        browser.log(kind)
    served[1].clear()
    browser.open(f"{served[0]}/{name}")
    try:
        yield
    finally:
        browser.media()
        browser.size(1280)


@pytest.mark.part(of=3)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_leaves_the_page_and_nothing_is_logged(
    browser: Browser, served: tuple[str, list[str]], name: str
) -> None:
    with shown(browser, served, name):
        browser.run("for (const one of document.querySelectorAll('details')) one.open = true; scrollTo(0, 1e6)")
        browser.picture()
        assert browser.log("browser") == []
        events = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
        sent = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
        assert sent == {f"{served[0]}/{name}"}
        assert served[1] == [f"/{name}"]
        assert browser.run("return performance.getEntriesByType('resource').length") == 0
        assert browser.run("return document.scripts.length + document.images.length + frames.length") == 0
        assert browser.run("return getComputedStyle(document.querySelector('.page')).maxWidth") == "768px"


def test_the_policy_forbids_what_a_hole_in_the_escaping_would_let_in(
    browser: Browser, served: tuple[str, list[str]]
) -> None:
    """Put in by force, a script does not run, a picture does not load, and a style does not count."""
    with shown(browser, served, "review"):
        outcome = browser.run(
            "const one = document.createElement('div');"
            f'one.innerHTML = \'<img src="{served[0]}/spy" onerror="window.ran = 1"><b style="color: red">x</b>\';'
            "const script = document.createElement('script'); script.text = 'window.ran = 2';"
            "document.body.append(one, script);"
            "return [window.ran === undefined, getComputedStyle(one.querySelector('b')).color]"
        )
        assert outcome[0] is True
        assert outcome[1] != "rgb(255, 0, 0)"
        assert served[1] == ["/review"]


@pytest.mark.part(of=3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_never_wider_than_the_screen(
    browser: Browser, served: tuple[str, list[str]], name: str, width: int
) -> None:
    with shown(browser, served, name):
        browser.size(width)
        browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        assert browser.run("return document.documentElement.scrollWidth") <= width
        assert browser.run("return innerWidth") == width
        # what is wider scrolls inside, and the keyboard reaches it to do so
        stuck = browser.run(
            "return [...document.querySelectorAll('main *')].filter(one => one.scrollWidth > one.clientWidth + 1"
            " && ['auto', 'scroll'].includes(getComputedStyle(one).overflowX) && one.tabIndex < 0)"
            ".map(one => one.outerHTML.slice(0, 80))"
        )
        assert stuck == []


@pytest.mark.parametrize(("width", "above"), [(360, True), (1280, False)])
def test_badges_are_above_their_text_on_a_phone_and_beside_it_elsewhere(
    browser: Browser, served: tuple[str, list[str]], width: int, above: bool
) -> None:
    found = 0
    for name in ("review", "question"):
        with shown(browser, served, name):
            browser.size(width)
            places = browser.run(
                "document.querySelectorAll('details').forEach(one => one.open = true);"
                "return [...document.querySelectorAll('li.marked')].map(one => ["
                "one.children[0].getBoundingClientRect().bottom, one.children[1].getBoundingClientRect().top])"
            )
            found += len(places)
            assert all((bottom <= top + 1) is above for bottom, top in places), places
    assert found


_CUT = (
    "return [...document.querySelectorAll('.table')].filter(one => one.scrollWidth > one.clientWidth + 1)"
    ".map(one => one.getAttribute('aria-label'))"
)


@pytest.mark.parametrize("name", ["review", "question"])
@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_table_is_cut(browser: Browser, served: tuple[str, list[str]], name: str, width: int) -> None:
    with shown(browser, served, name):
        browser.size(width)
        browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        assert browser.run(_CUT) == []


@pytest.mark.parametrize("name", ["review", "question"])
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_in_a_drawing_or_a_table_leaves_its_place(
    browser: Browser, served: tuple[str, list[str]], name: str, width: int
) -> None:
    with shown(browser, served, name):
        browser.size(width)
        browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        outside = browser.run(
            """
            const outside = [];
            for (const one of document.querySelectorAll('.way *, td, tbody th')) {
              const place = one.getBoundingClientRect(), frame = one.parentElement.getBoundingClientRect();
              if (!place.width) continue;
              if (place.left < frame.left - 1 || place.right > frame.right + 1) outside.push(one.outerHTML.slice(0, 80));
              if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth) outside.push(one.outerHTML.slice(0, 80));
            }
            return outside;
            """
        )
        assert outside == []
        bars = browser.run(
            "return [...document.querySelectorAll('svg.bar')].map(one => one.getBoundingClientRect())"
            ".map(one => [one.width, one.height])"
        )
        assert len(bars) >= (9 if name == "review" else 3)
        assert all(width >= 60 and 6 <= height <= 12 for width, height in bars)


@pytest.mark.parametrize("name", ["review", "question"])
def test_the_keyboard_reaches_everything_and_shows_where_it_is(
    browser: Browser, served: tuple[str, list[str]], name: str
) -> None:
    with shown(browser, served, name):
        browser.size(1280)
        order = (
            "[...document.querySelectorAll('a[href], summary, [tabindex=\"0\"]')].filter(one => one.checkVisibility())"
        )
        count = browser.run(f"return {order}.length")
        assert count > 12
        for number in range(count):
            browser.press(TAB)
            at, outline = browser.run(
                f"const one = document.activeElement;"
                f"return [{order}.indexOf(one), getComputedStyle(one).outlineStyle + getComputedStyle(one).outlineWidth]"
            )
            assert at == number
            assert outline == "solid3px"
        # the skip link comes into sight, and leads to the content
        browser.run("document.activeElement.blur(); scrollTo(0, 0)")
        browser.open(f"{served[0]}/{name}")
        browser.press(TAB)
        assert browser.run("return document.activeElement.className") == "skip"
        assert browser.run("return document.activeElement.getBoundingClientRect().top") >= 0
        browser.press(ENTER)
        assert browser.run("return location.hash") == "#content"


def test_a_summary_opens_by_the_keyboard(browser: Browser, served: tuple[str, list[str]]) -> None:
    with shown(browser, served, "review"):
        browser.run("document.querySelectorAll('details.service')[1].querySelector('summary').focus()")
        browser.press(ENTER)
        assert browser.run("return document.querySelectorAll('details.service')[1].open") is True


@pytest.mark.parametrize("name", ["review", "question"])
def test_without_script_it_looks_the_same(browser: Browser, served: tuple[str, list[str]], name: str) -> None:
    with shown(browser, served, name):
        browser.size(1280)
        whole = browser.picture()
        browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            browser.open(f"{served[0]}/{name}")
            assert browser.picture() == whole
        finally:
            browser.devtools("Emulation.setScriptExecutionDisabled", value=False)


def test_both_schemes_are_drawn_in_their_colours(browser: Browser, served: tuple[str, list[str]]) -> None:
    with shown(browser, served, "review"):
        script = (
            "const style = one => getComputedStyle(document.querySelector(one));"
            "return [style('body').backgroundColor, style('body').color, style('.bar .track').fill]"
        )
        found = []
        for scheme in ("light", "dark"):
            browser.media(prefers_color_scheme=scheme)
            found.append(browser.run(script))
        light, dark = found
        assert light == ["rgb(251, 251, 250)", "rgb(29, 32, 36)", "rgb(226, 228, 231)"]
        assert dark == ["rgb(20, 22, 25)", "rgb(231, 232, 234)", "rgb(48, 53, 59)"]


def test_motion_is_left_out_where_it_is_not_wanted(browser: Browser, served: tuple[str, list[str]]) -> None:
    with shown(browser, served, "review"):
        script = "return getComputedStyle(document.documentElement).scrollBehavior"
        browser.media(prefers_reduced_motion="reduce")
        assert browser.run(script) == "auto"
        browser.media(prefers_reduced_motion="no-preference")
        assert browser.run(script) == "smooth"


@pytest.mark.parametrize("name", ["review", "question"])
def test_a_print_is_light_and_holds_what_is_folded(browser: Browser, served: tuple[str, list[str]], name: str) -> None:
    with shown(browser, served, name):
        browser.media("print", prefers_color_scheme="dark")
        assert browser.run("return getComputedStyle(document.body).color") == "rgb(29, 32, 36)"
        assert not browser.run(
            "return [...document.querySelectorAll('details.service .inside')].map(one => one.getBoundingClientRect().height).filter(one => one <= 10)"
        )
        browser.size(700)  # a sheet of A4 without its margins
        assert browser.run(_CUT) == []
        bodies = "[...document.querySelectorAll('.inside > pre')]"
        assert (
            browser.run(f"return {bodies}.some(one => one.checkVisibility({{contentVisibilityAuto: true}}))") is False
        )
        assert browser.run(f"return {bodies}.length") or name == "question"
        printed = browser.devtools("Page.printToPDF", printBackground=False)
        assert len(printed["data"]) > 20_000


def test_the_page_opens_as_a_file(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "review.html"
    path.write_text(review_page(ordinary()), encoding="utf-8")
    browser.open("about:blank")
    browser.log("browser")
    browser.open(path.as_uri())
    assert browser.log("browser") == []
    assert "mixed" in browser.run("return document.querySelector('main').innerText")


@pytest.mark.parametrize("name", ["review", "question"])
def test_a_screen_reader_gets_the_structure(browser: Browser, served: tuple[str, list[str]], name: str) -> None:
    with shown(browser, served, name):
        browser.devtools("Accessibility.enable")
        tree = browser.devtools("Accessibility.getFullAXTree")["nodes"]
        known = [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in tree
            if not node.get("ignored") and "role" in node
        ]
        roles = [role for role, _ in known]
        assert {"banner", "main", "contentinfo", "navigation"} <= set(roles)
        assert all(text for role, text in known if role in ("image", "img", "table", "link", "heading", "region"))
        assert roles.count("table") >= 2
        browser.devtools("Accessibility.disable")
