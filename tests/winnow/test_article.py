"""``winnow.extract`` gives an Extraction that shows itself."""

from __future__ import annotations

import json

import pytest

import winnow
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.jobs.job_types import PipelineError


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


METADATA = """<html lang="de"><head><title>Der Fluss</title>
<meta name="author" content="Ada Lind"><meta property="og:site_name" content="Die Zeitung">
<meta property="article:published_time" content="2026-01-02T03:04:05Z">
<meta name="description" content="Hochwasser am Fluss."><meta property="og:image" content="/a.jpg">
</head><body><article><h1>Der Fluss</h1>{}</article></body></html>""".format(
    '<p>Das Wasser stieg in einer Nacht um einen Meter, <a href="/b">sagt die Stadt</a>.</p>' * 6
)


def test_an_article_has_the_pages_metadata() -> None:
    article = winnow.extract(METADATA, "https://a.test/story", "bte")
    assert article.byline == "Ada Lind"
    assert article.published == "2026-01-02T03:04:05Z"
    assert article.site_name == "Die Zeitung"
    assert (article.lang, article.dir) == ("de", "ltr")
    assert article.excerpt == "Hochwasser am Fluss."
    assert article.image == "https://a.test/a.jpg"
    assert article.links == ("https://a.test/b",)
    assert article.url == "https://a.test/story"


def test_what_a_page_does_not_say_is_none() -> None:
    article = winnow.extract("<p>", extractor="plain")
    unknown = (article.byline, article.published, article.site_name, article.image, article.url)
    assert unknown == (None,) * 5
    assert article.links == ()


def test_without_a_description_the_excerpt_is_the_beginning() -> None:
    article = winnow.extract(PAGE, extractor="bte")
    assert article.excerpt is not None
    assert article.text.startswith(article.excerpt.rstrip("\u2026")[:40])


def test_metadata_and_json_agree() -> None:
    article = winnow.extract(METADATA, "https://a.test/story", "bte")
    record = json.loads(article.json)
    named = {
        "title": article.title,
        "byline": article.byline,
        "publishedTime": article.published,
        "siteName": article.site_name,
        "lang": article.lang,
        "dir": article.dir,
        "excerpt": article.excerpt,
    }
    assert {name: record[name] for name in named} == named
