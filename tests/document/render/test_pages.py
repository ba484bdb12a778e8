"""Every golden page is shown as a person found right; every reader page has one clear structure."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.document.render.pages import Elements, dangers
from tests.pages import golden
from winnow.document.arrays import Ints
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Format, Profile

PAGES = golden.names()
OWN = "h1, nav, .winnow-about, #winnow-comments > summary, blockquote[class] > p > strong"
_WORD = re.compile(r"[^\W_]+")


@pytest.mark.parametrize("form", golden.FILES)
@pytest.mark.parametrize("name", PAGES)
def test_a_golden_page_is_shown_as_expected(name: str, form: Format) -> None:
    assert golden.shown(name, form) == golden.expected(name, form)


@pytest.mark.parametrize("profile", golden.PROFILES)
@pytest.mark.parametrize("name", PAGES)
def test_a_golden_page_is_shown_as_expected_in_other_profiles(name: str, profile: Profile) -> None:
    wanted = (golden.FOLDER / name / golden.PROFILES[profile]).read_text("utf-8")
    assert golden.shown(name, Format.HTML, profile) == wanted


@pytest.mark.parametrize("name", PAGES)
def test_a_basic_page_holds_nothing_younger_than_1999(name: str) -> None:
    page = Elements(golden.shown(name, Format.HTML, Profile.BASIC))
    assert page.errors == []
    assert not set(page.names()) & set(
        "main header footer nav section article figure figcaption details summary mark time video "
        "audio svg math picture ruby script link".split()
    )
    attributes = {attribute for _, found in page.elements for attribute in found}
    assert not attributes & {"srcset", "sizes", "loading", "class", "style", "tabindex"}


@pytest.mark.parametrize("name", PAGES)
def test_a_voice_page_names_every_link_and_image(name: str) -> None:
    page = Elements(golden.shown(name, Format.HTML, Profile.VOICE))
    assert page.errors == []
    assert all(image.get("alt") for image in page.every("img"))


@pytest.mark.parametrize("name", PAGES)
def test_a_reader_page_has_one_h1_and_one_main(name: str) -> None:
    names = Elements(golden.shown(name, Format.HTML)).names()
    assert [names.count(once) for once in ("h1", "main", "header", "footer")] == [1, 1, 1, 1]


@pytest.mark.parametrize("name", PAGES)
def test_a_reader_page_has_no_hole_in_its_heading_levels(name: str) -> None:
    names = Elements(golden.shown(name, Format.HTML)).names()
    levels = [int(found[1]) for found in names if re.fullmatch("h[1-6]", found)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", PAGES)
def test_a_reader_page_says_its_language_and_direction(name: str) -> None:
    root = Elements(golden.shown(name, Format.HTML)).every("html")[0]
    assert root["lang"]
    assert root["dir"] == ("rtl" if name in {"arabic", "dates-arabic", "hebrew"} else "ltr")


@pytest.mark.parametrize("form", [Format.HTML, Format.PRUNED])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_in_a_golden_page_runs(name: str, form: Format) -> None:
    assert list(dangers(golden.shown(name, form))) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_pruned_page_has_every_word_of_the_reader_page(name: str) -> None:
    reader = LexborHTMLParser(golden.shown(name, Format.HTML)).css("main")[0]
    for own in reader.css(OWN):
        own.decompose()
    pruned = golden.shown(name, Format.PRUNED)
    said = LexborHTMLParser(pruned).text() + pruned  # formulas are in attributes
    kept = "".join(_WORD.findall(said.lower()))
    words = _WORD.findall(reader.text(separator=" ").lower())
    assert [word for word in words if word not in kept] == []


OF_HTML_ALONE = (
    r"\u00b7",  # who wrote a record and when: `TextRenderer(records=True)` writes it
    r"\([\w-]+(?:\.\w+)+\)",  # the name of a player or a frame
    r"  | ,|^\w+ \w+ so\.$",  # a formula, which text and Markdown write as TeX
    r"^(?:Yield|1 loaf|Total time|50 min)$",  # facts that stand nowhere on the page
)
"""What the article's HTML says that plain text does not have, on purpose; captions and the bodies
of records, too, where the method left them out: of gold texts the fewest have them."""

OF_TEXT_ALONE = re.compile(r"\[\d|<|http")
"""What Markdown writes with other letters: marks of notes, angles, addresses that are links."""


@pytest.mark.parametrize("name", PAGES)
def test_every_block_of_the_article_stands_in_text_and_markdown(name: str) -> None:
    """Of Markdown the letters count without links' addresses and marks of notes."""
    fields = json.loads(golden.shown(name, Format.JSON))
    article = Document.from_html(fields["content"])
    text = _letters(fields["textContent"])
    assert text == _letters(golden.shown(name, Format.TEXT))
    markdown = _letters(
        re.sub(r"\]\([^)]*\)|<[^>]*>|&\w+;", "", golden.shown(name, Format.MARKDOWN))
    )
    for start, end in zip(*(row.tolist() for row in _bounds(article)), strict=True):
        said = article.plain(start, end).strip()
        if not any(re.search(exception, said) for exception in OF_HTML_ALONE):
            assert _letters(said) in text
            assert OF_TEXT_ALONE.search(said) or _letters(said) in markdown


def _bounds(document: Document) -> tuple[Ints, Ints]:
    blocks = blocks_of(document)
    return blocks.start, blocks.end


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
