"""Words that Winnow writes into a page: in the page's language, and marked where we lack it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

from tests.document.render.book.test_epub import opened
from winnow.document.document import Document
from winnow.document.render.book.epub import Chapter, write_book
from winnow.document.render.renderers import renderer_for
from winnow.document.spans import Record, RecordKind, Span
from winnow.document.texts.page_word_table import LANGUAGES, TRANSLATIONS
from winnow.document.texts.page_words import PageWords
from winnow.document.values import Extraction, Format, Profile, Recipe

ROOT = Path(__file__).parents[3]
FACTS = json.dumps(
    {
        "@type": "Product",
        "name": "Lampe",
        "offers": [
            {"price": 5, "availability": "InStock"},
            {"price": 9, "availability": "InStock"},
        ],
    }
)
GERMAN, ENGLISH = "Regen fiel den ganzen Tag.", "All the day the rain fell on the harbour."
PAGE = (
    f'<title>Lampe</title><script type="application/ld+json">{FACTS}</script>'
    f"<p>{GERMAN}<table><tr><td>1<td>2<tr><td>3<td>4</table>"
    '<video src="/a.mp4"></video><iframe src="https://www.youtube.com/embed/abcdefgh"></iframe>'
    "<form><input name=q></form><form><input type=password name=p></form>"
    '<div id="post"><p>Ein Beitrag aus dem Forum.</div>'
)
SHOWN = [
    Recipe(),
    Recipe(profile=Profile.BASIC),
    Recipe(profile=Profile.VOICE),
    Recipe(format=Format.PRUNED),
    Recipe(format=Format.MARKDOWN),
]


def shown(language: str, recipe: Recipe) -> str:
    """The page as a recipe shows it, its last part a post that names no author."""
    html = f'<html lang="{language}">{PAGE if language != "en" else PAGE.replace(GERMAN, ENGLISH)}'
    document = Document.from_html(html, "http://example.org/a")
    element = next(e for e in document.elements_named("div"))
    start = document.text.index("Ein Beitrag")
    spans = (Span(start, len(document.text)),)
    record = Record(spans, element, RecordKind.ANSWER, is_accepted=True)
    extraction = Extraction("x", (Span(0, len(document.text)),), records=(record,))
    renderer = renderer_for(replace(recipe, live=True))
    return renderer.render(document, extraction).body.decode()


def english_in(markup: str) -> set[str]:
    """Our English texts that a page says without marking them as English."""
    plain = re.sub(r"<style.*?</style>|<script.*?</script>", "", markup, flags=re.DOTALL)
    plain = re.sub(r'<(\w+)[^>]* lang="en".*?</\1>', "", plain, flags=re.DOTALL)
    written = re.findall(r'aria-label="([^"]*)"', plain) + re.findall(r">([^<]+)<", plain)
    words = {text.partition("{")[0].strip() for text in TRANSLATIONS} - {""}
    return {word for word in words if any(re.match(rf"{re.escape(word)}\b", w) for w in written)}


@pytest.mark.parametrize("recipe", SHOWN, ids=lambda one: f"{one.format}-{one.profile}")
@pytest.mark.parametrize("language", ["ar", "ja", "zh-CN"])
def test_a_page_in_a_language_of_ours_has_no_english_words_of_ours(
    language: str, recipe: Recipe
) -> None:
    assert not english_in(shown(language, recipe))


def test_the_page_has_such_words_where_it_is_english() -> None:
    found = english_in(shown("en", Recipe()).replace(' lang="en"', ""))
    assert {"Skip to the text", "Table", "Sign in", "Price", "Answer"} <= found


def test_words_of_a_language_that_we_lack_are_marked_as_english() -> None:
    page = shown("ru", Recipe())
    assert '<a class="winnow-skip" href="#winnow-text" lang="en" dir="ltr">Skip to the text' in page
    assert '<span lang="en" dir="ltr">Sign in</span>' in page


@pytest.mark.parametrize("english", TRANSLATIONS)
def test_a_translation_fills_the_same_places(english: str) -> None:
    def places(text: str) -> list[str]:
        return sorted(name for _, name, _, _ in Formatter().parse(text) if name)

    assert len(TRANSLATIONS[english]) == len(LANGUAGES)
    assert all(TRANSLATIONS[english])
    assert all(places(each) == places(english) for each in TRANSLATIONS[english])


def test_no_text_is_in_vain_and_none_is_missing() -> None:
    code = "".join(
        file.read_text()
        for folder in ("document", "engine")
        for file in sorted((ROOT / folder).rglob("*.py"))
        if file.name != "page_word_table.py"
    )
    asked = set(re.findall(r'(?:words|_words)\.(?:text|span)\(\s*"([^"]+)"', code))
    asked |= set(re.findall(r'written\("([^"]+)"', code))
    assert asked <= TRANSLATIONS.keys()
    schema = {"cancelled", "postponed", "rescheduled", "moved online", "full time", "part time"}
    schema |= {"contractor", "temporary", "intern", "volunteer"}
    assert {text for text in TRANSLATIONS if f'"{text}"' not in code} == schema


def test_a_page_of_a_regional_variety_has_the_words_of_its_language() -> None:
    assert PageWords("pt-BR").text("Next page") == PageWords("PT").text("Next page") != "Next page"


def test_a_book_of_one_language_has_its_contents_in_it() -> None:
    book = write_book([Chapter("", "<p>مطر</p>", language="ar", direction="rtl")])
    contents = opened(book)["EPUB/nav.xhtml"].decode()
    assert 'lang="ar"' in contents
    assert 'dir="rtl"' in contents
    assert "<h1>المحتويات</h1>" in contents
    assert ">بلا عنوان</a>" in contents
