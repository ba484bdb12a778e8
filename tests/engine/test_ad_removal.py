"""What a list of advertisements names goes before any method sees the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.document.document import Document
from winnow.document.values import Format, Page, Recipe
from winnow.engine.ad_removal import without_ads
from winnow.engine.pipeline import transform
from winnow.extractors.registry import BUILT_IN
from winnow.features.compare.comparing import compare
from winnow.features.why.explaining import explain
from winnow.jobs.job_types import PipelineError

WORDS = "The river rose over its banks in the night, and nobody in the village had seen it coming. "
AD = '<div><a href="http://ads.example/1"><img src="http://cdn.example/1.png" alt="Buy!"></a></div>'
MARKUP = (
    f"<html><title>The river</title><body><article><h1>The river</h1><p>{WORDS * 5}</p>"
    f"{AD}<p>{WORDS * 5}<a href='http://ads.example/about'>Ads Inc.</a> said so.</p>"
    f"<iframe src='//sub.ads.example/frame'></iframe><p>{WORDS * 5}</p></article></body></html>"
)
PAGE = Page(MARKUP.encode(), "http://news.example/story")


@pytest.fixture
def listed(tmp_path: Path) -> str:
    file = tmp_path / "ads.txt"
    file.write_text("||ads.example^\n")
    return str(file)


def test_elements_that_load_advertisements_go_and_words_stay(listed: str) -> None:
    document, why = without_ads(Document.parse(PAGE), listed)
    assert why == "2 elements named by your lists of advertisements went first"
    assert not document.elements_named("iframe")
    assert not document.elements_named("img")
    assert "Ads Inc. said so." in document.text
    assert document.page.url == PAGE.url


def test_a_page_without_any_is_the_same_document(listed: str) -> None:
    document = Document.from_html(f"<p>{WORDS}<img src=http://cdn.example/x>", "http://a.example/")
    assert without_ads(document, listed) == (document, "")


@pytest.mark.parametrize("method", sorted(set(BUILT_IN) - {"vips"}))  # its layout needs a browser
def test_no_method_shows_an_advertisement(method: str, listed: str) -> None:
    recipe = Recipe(method, Format.PRUNED, blocked=listed)
    shown = transform(PAGE, recipe)
    assert b"1.png" not in shown.body
    assert shown.reasons[0].startswith("2 elements named by your lists")


def test_comparing_and_explaining_see_the_same_page(listed: str) -> None:
    text = "<object data=http://ads.example/><p>Nothing like our boots</p></object>"
    page = Page(MARKUP.replace("</article>", f"{text}</article>").encode(), PAGE.url)
    recipe = Recipe("plain", blocked=listed)
    assert explain(page, recipe).reasons[0].startswith("2 elements named by your lists")
    assert compare(page, ("plain", "crunch"), recipe).words == explain(page, recipe).words_total


def test_a_list_that_is_gone_is_a_failure_with_a_sentence() -> None:
    with pytest.raises(PipelineError, match="cannot be read"):
        transform(PAGE, Recipe("bte", blocked="/nowhere/ads.txt"))
