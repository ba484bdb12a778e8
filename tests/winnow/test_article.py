"""``winnow.extract`` gives an Extraction that shows itself."""

from __future__ import annotations

import json

import pytest

import winnow
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.jobs.errors import PipelineError


@pytest.mark.parametrize("html", [PAGE, PAGE.encode()], ids=["text", "bytes"])
def test_a_page_gives_its_article(html: str | bytes) -> None:
    article = winnow.extract(html, "http://farm.example/story", "bte")
    assert isinstance(article, winnow.Extraction)
    assert article.text == "\n\n".join(ARTICLE)
    assert article.title == "Winnowing"
    assert article.extractor == "bte"
    assert ARTICLE[0] in article.markdown
    assert ARTICLE[0] in article.html
    assert json.loads(article.json)["url"] == "http://farm.example/story"


def test_spans_are_of_the_documents_text() -> None:
    article = winnow.extract(PAGE, extractor="bte")
    kept = "".join(article.document.text[span.start : span.end] for span in article.spans)
    assert all(paragraph in kept for paragraph in ARTICLE)


def test_without_a_name_the_default_extractor_works() -> None:
    assert ARTICLE[0] in winnow.extract(PAGE).text


def test_text_is_not_decoded_again() -> None:
    page = '<meta charset="iso-8859-1"><p>Ein schönes Stück über Größe und Maß.</p>'
    assert "schönes Stück" in winnow.extract(page, extractor="plain").text


def test_an_unknown_extractor_is_named() -> None:
    with pytest.raises(PipelineError, match="'btee': did you mean 'bte'"):
        winnow.extract(PAGE, extractor="btee")
