"""The HTML page: whole, closed in itself, escaped, and made for everybody who may read it."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from page_read import Element, colours, contrast, read
from question_made import question
from review_made import OFF, ON, nodes, ordinary, predicted, quiet, review, service, service_change

from ccmcheck.base.model import Severity
from ccmcheck.predict.records import Outcome
from ccmcheck.report.document import blocks as b
from ccmcheck.report.document.html import _diagram, inline, link, sentence
from ccmcheck.review.change.records import ConfigChange, Fate, Health, ManifestChange, Review, ReviewPoint, ServiceFact
from ccmcheck.review.page.review import timers_blocks
from ccmcheck.review.page.services import diagram
from ccmcheck.review.page.writing import question_page, review_page
from ccmcheck.review.upgrade.meaning import Upgrade

HOSTILE = (
    "<script>alert(1)</script>",
    "</style><script>alert(2)</script>",
    '--><img src=x onerror="alert(3)">',
    "\"' onmouseover=alert(4) x='",
    "</svg></title></desc><iframe src=https://example.org>",
    "{{ 7 * 7 }}{% include 'x' %}",
    "javascript:alert(5)",
    "https://example.org/<b>x</b>",
    "\u202egnp.exe\u202c\x1b[31m\ufeff\udcff",
    "W" * 4000,
)


@cache
def pages() -> dict[str, str]:
    return {"review": review_page(ordinary()), "question": question_page(question())}


def hostile_pages(text: str) -> list[str]:
    """Pages in which everything that may come from a file says this."""
    of = service("TCP/80", name=text, policy="Local", annotations={"a/" + text: text}, loadBalancerIP=text)
    change = service_change(of)
    assert change.before is not None
    assert change.after is not None
    before = change.before._replace(
        provider=text,
        outcome=Outcome.ERROR,
        error=text,
        why=text,
        plans=tuple(plan._replace(listener=text, pool=text, method=text) for plan in change.before.plans),
    )
    after = change.after._replace(
        provider=text,
        floating=change.after.floating._replace(wanted=True, address=text),
        plans=tuple(
            plan._replace(listener=text, pool=text, method=text, http_path=text) for plan in change.after.plans
        ),
    )
    change = change._replace(
        path=text,
        old_path=text,
        before=before,
        after=after,
        stays=(text,),
        facts=(ServiceFact(text, text, text + "2"), ServiceFact("hairpin", text, text)),
        requests=tuple(one._replace(path=text, body={text: [text, {"members": [text] * 5}]}) for one in after.requests),
    )
    made = review(change, quiet(text), base=text, head=text, notes=(text,))
    config = made.configs[0]._replace(
        title=text,
        old_title=text + "2",
        source=text,
        stop_after=text,
        settings=(made.configs[0].settings[0]._replace(section=text, key=text, before=text, after=text, effect=text),),
    )
    point = ReviewPoint(Severity.ERROR, "stops", text, (text, text), text, text)
    made = made._replace(configs=(config,), points=(point,))
    asked = question(text, config=text, stop=text, provider=text, notes=(text,))
    return [review_page(made), question_page(asked)]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_comes_from_files_stays_text(text: str) -> None:
    for page, ours in zip(hostile_pages(text), pages().values(), strict=True):
        tree = read(page)
        known = {one.name for one in read(ours).walk()}
        assert {one.name for one in tree.walk()} <= known | {"pre", "details", "ul", "li", "br"}
        assert not tree.every("script", "img", "iframe", "object", "embed", "link", "base", "form", "b")
        for one in tree.walk():
            assert not [name for name in one.attributes if name.startswith("on") or name in ("style", "src", "srcset")]
            href = one.attributes.get("href", "#")
            assert href.startswith(("#", "https://")), href
        assert len(tree.every("style")) == 1
        assert not set(page) & set("\u202e\x1b\ufeff\udcff")
        assert "49" not in re.findall(r"\b49\b", tree.text)
        if text.isascii() and len(text) < 100:
            assert text in tree.text


@pytest.mark.parametrize("name", ["review", "question"])
def test_the_page_needs_nothing_but_itself(name: str) -> None:
    page = pages()[name]
    tree = read(page)
    (style,) = tree.every("style")
    policy = next(one for one in tree.every("meta") if one.attributes.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    assert policy.attributes["content"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"url\(|@import|@font-face|expression", style.text)
    assert not tree.every("script", "img", "link", "iframe", "object", "embed", "image", "use", "foreignobject")
    # nothing that a browser would fetch comes before the policy that forbids it
    head = next(one for one in tree.every("head"))
    assert [one.name for one in head.content if isinstance(one, Element)][:2] == ["meta", "meta"]
    for one in tree.every("a"):
        href = one.attributes["href"]
        assert href.startswith("#") or (href.startswith("https://") and "noopener" in one.attributes["rel"])


@pytest.mark.parametrize("name", ["review", "question"])
def test_everybody_can_find_their_way(name: str) -> None:
    tree = read(pages()[name])
    assert tree.every("html")[0].attributes["lang"] == "en"
    assert [len(tree.every(one)) for one in ("header", "main", "footer", "h1", "title")][:4] == [1, 1, 1, 1]
    ids = [one.attributes["id"] for one in tree.walk() if "id" in one.attributes]
    assert len(ids) == len(set(ids))
    for one in tree.walk():
        for attribute in ("aria-labelledby", "aria-describedby"):
            assert set(one.attributes.get(attribute, "").split()) <= set(ids)
        href = one.attributes.get("href", "")
        assert not href.startswith("#") or href[1:] in ids
    levels = [int(one.name[1]) for one in tree.every("h1", "h2", "h3", "h4", "h5")]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    first = next(one for one in tree.every("a"))
    assert (first.attributes["class"], first.attributes["href"]) == ("skip", "#content")


@pytest.mark.parametrize("name", ["review", "question"])
def test_tables_and_drawings_say_what_they_are(name: str) -> None:
    tree = read(pages()[name])
    for table in tree.every("table"):
        assert table.every("caption")[0].text
        assert all(one.attributes.get("scope") in ("col", "row") for one in table.every("th"))
        columns = {len(row.every("td", "th")) for row in table.every("tr") if not row.every("td")[0:0]}
        assert len(columns) == 1
    drawn = tree.every("figure")
    assert len(drawn) >= (2 if name == "review" else 0)
    for figure in drawn:
        assert figure.every("figcaption")[0].text
        assert figure.every("ol", "p")
    # what only a picture would show stands beside it as text
    assert all(one.attributes.get("aria-hidden") == "true" for one in tree.every("svg"))
    for bar in tree.every("svg"):
        assert bar.parent is not None
        assert re.search(r"\d", bar.parent.text)


@pytest.mark.parametrize("name", ["review", "question"])
def test_it_is_valid_html(name: str) -> None:
    html5lib = pytest.importorskip("html5lib", reason="html5lib is not installed")
    parser = html5lib.HTMLParser()
    parser.parse(pages()[name])
    assert parser.errors == []


TEXTS = ("text", "quiet", "accent", "good", "bad", "warn")
GROUNDS = ("page", "surface", "code")


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_everything_stands_out_from_its_ground(scheme: int) -> None:
    (style,) = read(pages()["review"]).every("style")
    found = colours(style.text)[scheme]
    pairs = [(text, ground, 4.5) for text in TEXTS for ground in GROUNDS]
    pairs += [(tone, f"{tone}-soft", 4.5) for tone in ("good", "bad", "warn")]
    # lines that a drawing is understood by
    pairs += [(line, ground, 3.0) for line in ("rule", "quiet", "accent", "bad") for ground in ("page", "surface")]
    low = {
        (a, b): round(contrast(found[a], found[b]), 2) for a, b, least in pairs if contrast(found[a], found[b]) < least
    }
    assert not low


def test_the_summary_comes_first_and_the_worst_in_it() -> None:
    tree = read(pages()["review"])
    main = tree.every("main")[0]
    first = next(one for one in main.content if isinstance(one, Element))
    assert "summary" in first.attributes["class"].split()
    assert "shop/mixed" in first.text
    words = [one.every("span")[0].text for one in first.every("li")]
    assert words == ["error", "warning"]
    assert [one.text for one in first.every("p")[0].every("span")] == [
        "1 worse", "0 still broken", "1 better", "1 warning"
    ]  # fmt: skip
    assert [one.text for one in tree.every("h3") if "shop/" in one.text] == ["shop/mixed", "shop/dns", "shop/web"]


def test_requests_are_shown_with_their_bodies_and_long_lists_cut() -> None:
    tree = read(review_page(review(service_change(service("TCP/80"), count=60))))
    (body,) = [one.text for one in tree.every("pre") if '"loadbalancer"' in one.text]
    assert '"vip_subnet_id": "5f3c1b2a-7e6d-4c5b-9a8f-1e2d3c4b5a69"' in body
    assert "… and 58 more members" in body
    assert body.count('"address": "10.') == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"points": (), "services": (), "configs": ()}, "Nothing changes"),
        ({"points": (), "services": (), "configs": (), "notes": ()}, "Nothing changes"),
    ],
)
def test_a_quiet_review_is_a_short_page(fields: dict[str, Any], said: str) -> None:
    page = review_page(Review("a", "b", **{key: value for key, value in fields.items() if value}))
    tree = read(page)
    assert tree.every("h1")[0].text == said
    assert not tree.every("svg", "table", "details")


def test_a_service_that_comes_or_goes_has_one_drawing() -> None:
    web = service_change(service())
    for change in (
        web._replace(before=None, change=ManifestChange.ADDED, fate=Fate.CREATED, health_before=Health.ABSENT),
        web._replace(after=None, change=ManifestChange.REMOVED, fate=Fate.DELETED, health_after=Health.ABSENT),
    ):
        tree = read(review_page(review(change)))
        assert len([one for one in tree.every("ol") if one.attributes.get("class") == "stages"]) == 1
        assert "The Service does not exist." in tree.text


def said_by(of: b.Diagram) -> str:
    """A diagram as the text of its page."""
    (figure,) = read(f"<div>{''.join(_diagram(of))}</div>").every("figure")
    return " ".join(figure.text.split())


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_can_be_drawn(outcome: Outcome) -> None:
    found = predicted(ON, service("TCP/80"), nodes(3))._replace(outcome=outcome, why="because")
    for one in (found, found._replace(plans=()), found._replace(plans=(), why="", error="", nodes=None)):
        of = diagram(one, "title", other=found)
        is_reached = outcome is Outcome.ACCEPTED and bool(one.plans)
        assert of.is_broken is not is_reached
        assert len(of.stages) == (4 if is_reached else 3)
        assert is_reached or not one.why or "because" in said_by(of)


def test_a_drawing_says_in_words_what_it_shows() -> None:
    before, after = (predicted(config, service("TCP/80 TCP/443", policy="Local"), nodes(12)) for config in (ON[:0], ON))
    said = said_by(diagram(after, "after", other=before))
    assert "listener TCP/80" in said
    assert "pool TCP ROUND_ROBIN" in said
    assert "2 monitors" in said
    assert "HTTP /healthz on port 31000" in said
    assert "every 5 s, timeout 3 s" in said
    assert "9 without a pod: taken out" in said
    assert "no monitor: nothing checks the nodes" in said_by(diagram(before, "before"))
    of = diagram(after, "after", other=before)
    boxes = [box for stage in of.stages for row in stage.rows for box in row]
    assert sum(box.is_changed for box in boxes) == 1
    assert of.stages[1].is_changed is (before.floating != after.floating)


def notes(blocks: tuple[b.Block, ...]) -> str:
    paragraph = blocks[-1]
    assert isinstance(paragraph, b.Paragraph)
    return inline(paragraph.text)


def test_the_timers_are_those_of_one_cluster() -> None:
    ovn = "lb-provider = ovn\nlb-method = SOURCE_IP_PORT\n"
    mine = [service_change(service(name=name), before=OFF + ovn, after=ON + ovn) for name in ("a", "b")]
    other = service_change(service("TCP/80 TCP/443", name="c"))
    shown = notes(timers_blocks(review(other, *mine, other._replace(config="other.conf"))))
    assert shown.startswith("The 2 Services of cloud.conf with ovn; the others are left out. ")
    assert "Probes of 2 pools on 12 nodes." in shown
    alone = notes(timers_blocks(review(other)))
    assert alone.startswith("Probes of 2 pools on 12 nodes; both amphorae of each pair check.")


def test_where_nothing_is_accepted_no_timers_are_compared() -> None:
    refused = service_change(
        service("TCP/80 UDP/80"), before=ON + "monitor-delay = 2s\n", after=ON + "monitor-delay = 1s\n"
    )
    assert timers_blocks(review(refused)) == ()
    assert "Detection time and probe load" not in review_page(review(refused))


@pytest.mark.slow
def test_a_hundred_services_stay_small_and_quick() -> None:
    known = [
        service_change(service("TCP/80 TCP/443 UDP/53", name=f"web-{number}", policy="Local"), count=100)
        for number in range(100)
    ]
    made = review(*known)
    review_page(ordinary())
    start = time.process_time()
    page = review_page(made)
    spent = time.process_time() - start
    assert len(page.encode()) < 1_000_000
    assert spent < 3  # about a third of a second here; a busy machine shall not fail the test
    tree = read(page)
    assert [one.text for one in tree.every("h3")][-1] == "shop/web-99"
    assert len(tree.every("figure")) == 200


@pytest.mark.slow
def test_thousands_of_services_are_counted_not_listed() -> None:
    loud = service_change(service())
    many = [loud._replace(service=f"shop/loud-{number}") for number in range(1500)]
    many += [quiet("calm")._replace(service=f"shop/calm-{number}") for number in range(1500)]
    made = review(*many)
    points = tuple(ReviewPoint(Severity.INFO, "keys", f"point {number}") for number in range(5000))
    page = review_page(made._replace(points=points, configs=made.configs * 500, notes=("note",) * 5000))
    assert len(page.encode()) < 3_000_000
    text = read(page).text
    assert "And 1100 more Services that change" in text
    assert text.count("And 4800 more, which --format json has.") == 2
    assert text.count("And 300 more, which --format json has.") == 1


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("kubernetes/kubernetes#133052", "https://github.com/kubernetes/kubernetes/issues/133052"),
        ("KEP-3458, Risk 2", "https://github.com/kubernetes/enhancements/issues/3458"),
        ("LP#1997418", "https://bugs.launchpad.net/bugs/1997418"),
        ("see https://example.org/a?b=1.", "https://example.org/a?b=1"),
    ],
)
def test_a_source_leads_to_where_it_can_be_read(text: str, href: str) -> None:
    (found,) = read(f"<p>{inline(b.CitedSource(text))}</p>").every("a")
    assert found.attributes == {"href": href, "rel": "noopener noreferrer"}


def test_a_number_belongs_to_the_repository_before_it() -> None:
    found = read(f"<p>{inline(b.CitedSource('#1; a/b#2, #3'))}</p>").every("a")
    assert [one.text for one in found] == ["a/b#2", "#3"]
    assert found[1].attributes["href"] == "https://github.com/a/b/issues/3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("since 1.27 nodes stay", "Since 1.27 nodes stay"),
        ("monitor-delay below 3 s", "monitor-delay below 3 s"),
        ("externalTrafficPolicy Local", "externalTrafficPolicy Local"),
        ("operating_status is late", "operating_status is late"),
        ("1.23.0 loses", "1.23.0 loses"),
        ("traffic", "Traffic"),
        ("create-monitor", "create-monitor"),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_and_a_name_does_not(text: str, said: str) -> None:
    assert sentence(text) == said


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "//example.org", "https://a b", "ftp://x", ""]
)
def test_only_an_address_of_the_web_is_a_link(url: str) -> None:
    assert not read(f"<p>{link('title', url)}</p>").every("a")
    assert "title" in link("title", url)


@pytest.mark.parametrize("write", [lambda: review_page(ordinary()), lambda: question_page(question())])
def test_the_same_review_makes_the_same_page(write: Callable[[], str]) -> None:
    assert write() == write()


def test_a_config_that_stops_the_ccm_is_reported() -> None:
    config = ConfigChange(
        "cloud.conf", "cloud.conf", ManifestChange.CHANGED, "1.25", "1.36", stop_after="it ends", runs_after=False
    )
    tree = read(review_page(review(configs=(config._replace(upgrade=Upgrade(fatal_since="1.26")),), points=())))
    assert [one.text for one in tree.every("span") if one.attributes.get("class") == "tag bad"] == ["fatal"]
    assert "it ends since 1.26" in " ".join(tree.text.split())
