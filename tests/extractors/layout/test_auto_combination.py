"""The site's pages have a say in ``auto`` once there are enough, where it is surer then."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest

from tests.extractors.layout.pages import FOOTER, WIDGET, document, prose
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors.auto.auto_extractor import Auto
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.prediction import PagePrediction, predict
from winnow.extractors.layout.content_decision import pages_alike
from winnow.extractors.layout.layout_extractor import LayoutExtractor
from winnow.extractors.layout.layout_learner import LEARNER, with_site
from winnow.extractors.layout.layout_memory import merge, trace
from winnow.extractors.layout.page_rows import page_rows_of
from winnow.extractors.layout.site_layout import site_layout

KEY = b"secret"
KNOWN = SiteKnowledge(key=KEY, pages=8)
LETTER = f'<div class="letter"><p>{WIDGET}</p></div>'


def beside(number: int) -> Document:
    """A page of the site with its widget behind the story."""
    html = document(number).page.body.decode().replace(LETTER, "")
    return Document.from_html(html.replace('<div class="foot">', LETTER + '<div class="foot">'))


EIGHT = reduce(merge, (trace(page_rows_of(beside(number), KEY), 1) for number in range(8)))
PAGE = beside(50)


def text_of(found: Extraction) -> str:
    return "\n".join(PAGE.plain(span.start, span.end) for span in found.spans)


@pytest.fixture(scope="module")
def alone() -> PagePrediction:
    found = predict(PAGE, shipped())
    assert found is not None
    return found


def test_auto_alone_keeps_what_looks_like_content() -> None:
    assert WIDGET in text_of(Auto().extract(PAGE))


def test_what_is_static_goes_and_the_rest_stays() -> None:
    found = LEARNER.extract(PAGE, Auto(), EIGHT, KNOWN)
    assert WIDGET not in text_of(found)
    assert all(prose(5000 + place, 3) in text_of(found) for place in range(4))
    assert "static on this site" in found.reasons[-1]
    assert found.confidence >= Auto().extract(PAGE).confidence


MIDDLE = prose(9000, 3)


def with_middle(number: int, text: str) -> Document:
    """The page with a paragraph in the middle of its article."""
    second = f"<p>{prose(number * 100 + 2, 3)}</p>"
    html = document(number).page.body.decode()
    assert html.count(second) == 1
    return Document.from_html(html.replace(second, f"<p>{text}</p>{second}"))


def test_no_other_page_takes_a_paragraph_out_of_the_middle() -> None:
    """Twelve pages repeat it, as those of somebody else who may write on the site."""
    pages = (with_middle(number, MIDDLE) for number in range(12))
    memory = reduce(merge, (trace(page_rows_of(page, KEY), 1) for page in pages))
    article = with_middle(50, MIDDLE)
    static = site_layout(memory).static(page_rows_of(article, KEY).text)
    assert static.any()
    found = LEARNER.extract(article, Auto(), memory, KNOWN)
    text = "\n".join(article.plain(span.start, span.end) for span in found.spans)
    assert MIDDLE in text
    rules = {
        article.plain(one.start, one.end): one
        for one in LEARNER.explain(article, Auto(), memory, KNOWN)
    }
    assert rules[MIDDLE].kept
    assert not rules[MIDDLE].rule.startswith("Static")


def test_what_is_left_out_for_the_site_is_counted() -> None:
    alone = Auto().extract(PAGE)
    shown = " ".join(PAGE.plain(span.start, span.end) for span in alone.spans)
    found = LEARNER.extract(PAGE, Auto(), EIGHT, KNOWN)
    assert WIDGET in shown
    assert found.left_out == sum(len(each.split()) for each in (WIDGET, FOOTER) if each in shown)
    assert alone.left_out == 0


def test_too_few_pages_have_no_say(alone: PagePrediction) -> None:
    assert with_site(PAGE, alone, shipped(), EIGHT, replace(KNOWN, pages=9)) is None
    assert LEARNER.extract(PAGE, Auto(), EIGHT, replace(KNOWN, pages=9)) == Auto().extract(PAGE)


def test_pages_of_other_layouts_do_not_count() -> None:
    other = Document.from_html("<main><section><p>Something else altogether.</p></section></main>")
    assert pages_alike(page_rows_of(PAGE, KEY), site_layout(EIGHT)) == 8
    assert pages_alike(page_rows_of(other, KEY), site_layout(EIGHT)) == 0
    assert pages_alike(page_rows_of(PAGE, KEY), site_layout(b"")) == 0


def test_what_makes_auto_less_sure_has_no_say(alone: PagePrediction) -> None:
    sure = replace(alone, confidence=1.2)  # more than can be reached, by more than LOST
    assert with_site(PAGE, sure, shipped(), EIGHT, KNOWN) is None


def test_a_page_without_text_stays_empty() -> None:
    empty = Document.from_html("")
    assert LEARNER.extract(empty, Auto(), EIGHT, KNOWN) == Auto().extract(empty)


def test_the_reason_for_a_static_block_says_on_how_many_pages_it_stands() -> None:
    reasons = LEARNER.explain(PAGE, Auto(), EIGHT, KNOWN)
    assert len(reasons) == len(blocks_of(PAGE))
    rules = {PAGE.plain(reason.start, reason.end): reason.rule for reason in reasons}
    assert rules[WIDGET] == "Static on this site: the same text stands here on 8 of 8 other pages."
    assert rules[prose(5000, 3)].startswith("Content with a chance of ")


def test_layout_explains_with_the_memory_of_the_site() -> None:
    reasons = LEARNER.explain(PAGE, LayoutExtractor(), EIGHT, KNOWN)
    rules = {PAGE.plain(reason.start, reason.end): reason.rule for reason in reasons}
    assert rules[WIDGET] == "Static on this site: the same text stands here on 8 of 8 other pages."
    assert all(rules.values())
