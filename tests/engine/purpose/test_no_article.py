"""What is without an article says so, to programs too."""

from __future__ import annotations

import json

import pytest

import winnow
from winnow.document.document import Document
from winnow.document.values import Extraction, Format, Page, Recipe, Span
from winnow.engine.pipeline import transform
from winnow.engine.purpose.no_article import NO_ARTICLE, with_no_article
from winnow.jobs.job_types import PipelineError

ARTICLE = f"<article><h1>Rain</h1>{'<p>It rained on the hills all day long. ' * 20}"


@pytest.mark.parametrize("html", ["", "<body><div id=root></div><script>go()</script>", "<img>"])
@pytest.mark.parametrize("method", ["auto", "bte", "lqf", "crunch"])
def test_a_page_without_a_word_has_the_reason(html: str, method: str) -> None:
    assert NO_ARTICLE in winnow.extract(html, extractor=method).reasons
    if "script" in html:
        with pytest.raises(PipelineError, match="scripts write its text"):
            transform(Page(html.encode()), Recipe(method, Format.JSON))
        return
    rendered = transform(Page(html.encode()), Recipe(method, Format.JSON))
    assert rendered.poor == "no-article"
    assert NO_ARTICLE in json.loads(rendered.body)["reasons"]


def test_an_article_has_not() -> None:
    assert NO_ARTICLE not in winnow.extract(ARTICLE).reasons
    assert NO_ARTICLE not in transform(Page(ARTICLE.encode()), Recipe()).reasons


def test_a_span_that_begins_inside_a_piece_has_words() -> None:
    document = Document.from_html("<p>It rained on the hills.")
    assert with_no_article(document, Extraction("x", (Span(10, 20),))).reasons == ()
    assert with_no_article(document, Extraction("x", (Span(22, 23),))).reasons == (NO_ARTICLE,)
