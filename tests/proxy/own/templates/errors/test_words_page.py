"""The search engine that was chosen stands first; without one all are offered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.proxy.own.templates.support import assert_sound, attribute, parsed
from winnow.proxy.own.languages import Language
from winnow.proxy.own.menus import MENUS, Menus
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.errors.words_page import words_page
from winnow.proxy.own.translation import speaking


def page(words: str = "harbour news", *, gateway: bool = False) -> HtmlPage:
    return words_page(words, "/-/read", "proof", gateway=gateway)


@pytest.fixture
def chosen() -> Iterator[None]:
    token = MENUS.set(Menus(search="https://search.example/?find=%s"))
    yield
    MENUS.reset(token)


def links(made: HtmlPage, place: str) -> dict[str, str]:
    return {node.text(): attribute(node, "href") for node in parsed(made).css(place)}


@pytest.mark.usefixtures("chosen")
def test_the_chosen_engine_is_the_button_and_the_others_are_folded() -> None:
    made = page()
    assert_sound(made)
    first = {"Search with search.example": "https://search.example/?find=harbour+news"}
    assert links(made, ".button.first") == first
    assert set(links(made, "details .button")) == {"DuckDuckGo", "Bing", "Mojeek", "Wikipedia"}


def test_without_a_choice_all_are_asked_about() -> None:
    made = page()
    assert_sound(made)
    assert not links(made, "details a")
    assert len(links(made, ".buttons a")) == 4


def test_results_are_read_where_the_words_were_typed() -> None:
    assert links(page(), ".buttons a")["Bing"] == "https://www.bing.com/search?q=harbour+news"
    by_gateway = links(page(gateway=True), ".buttons a")["Bing"]
    assert by_gateway == "/https://www.bing.com/search?q=harbour+news"


def test_an_encyclopedia_is_the_reader_s() -> None:
    with speaking(Language.FRENCH):
        assert links(page(), ".buttons a")["Wikipedia"].startswith("https://fr.wikipedia.org/")


def test_what_was_typed_stays_one_bounded_line() -> None:
    made = page("harbour\r\n  news" + "x" * 9000)
    typed = attribute(parsed(made).css_first("[name=url]"), "value")
    assert typed.startswith("harbour newsx")
    assert len(typed) == 500
