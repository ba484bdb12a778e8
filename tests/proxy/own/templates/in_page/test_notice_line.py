"""The line says why an original is shown, in the reader's language, and offers the ways out."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.templates.support import attribute
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.notice_line import CAUSES, notice_line
from winnow.proxy.own.translation import Language, is_translated, speaking

PAGE = "http://example.com/a?b=1&c=\"2'"
LINKS = ChoiceLinks("http://winnow.internal")


def line(
    reason: str, language: Language = Language.ENGLISH, links: ChoiceLinks = LINKS
) -> LexborHTMLParser:
    with speaking(language):
        return LexborHTMLParser(notice_line(PAGE, reason, links, styled=True))


@pytest.mark.parametrize(
    ("reason", "offered"),
    [
        (
            "original-requested",
            {"Read": "/-/extract", "Never change this site": "/-/choose never"},
        ),
        (
            "site-rule",
            {"Undo": "/-/undo"},
        ),
        (
            "deadline",
            {"Reader view": "/-/extract", "Always show the reader view": "/-/choose always"},
        ),
    ],
)
def test_it_offers_this_page_by_one_click_and_the_site_by_a_page_that_asks(
    reason: str, offered: dict[str, str]
) -> None:
    found = {}
    for node in line(reason).css("a"):
        parts = urlsplit(attribute(node, "href"))
        if parts.path == "/-/settings":
            continue
        query = dict(parse_qsl(parts.query))
        assert query.pop("page") == PAGE
        found[node.text()] = " ".join([parts.path, *query.values()])
    assert found == offered


def test_in_the_gateway_the_page_is_read_at_an_address_of_its_own() -> None:
    link = line("deadline", links=ChoiceLinks("http://127.0.0.1:8080", gateway=True)).css_first("a")
    assert link is not None
    query = dict(parse_qsl(urlsplit(attribute(link, "href")).query))
    assert query == {"url": PAGE, "mode": "extract"}


def test_it_speaks_german_in_any_encoding_that_extends_ascii() -> None:
    with speaking(Language.GERMAN):
        markup = notice_line(PAGE, "few-words", LINKS, styled=False)
    assert markup.isascii()
    text = line("few-words", Language.GERMAN).text()
    assert "Winnow zeigt die Originalseite: es wurden zu wenige Wörter gefunden." in text


def test_it_is_plain_elements_and_links() -> None:
    found = line("deadline")
    assert not found.css("script, form, [onclick]")
    assert attribute(found.css_first("aside"), "aria-label") == "Winnow"
    assert b"style" not in notice_line(PAGE, "busy", LINKS, styled=False)


@pytest.mark.parametrize("styled", [True, False])
def test_the_tab_key_reaches_it_first_where_it_stands_in_the_window(styled: bool) -> None:
    """Without style it stands at the end of the page: the first stop would scroll there."""
    markup = LexborHTMLParser(notice_line(PAGE, "site-rule", LINKS, styled=styled))
    stops = [node.attributes.get("tabindex") for node in markup.css("a")]
    assert stops == ["1" if styled else None] * 2
    assert bool(markup.css("details a")) is not styled


def test_each_cause_has_a_text_in_each_language() -> None:
    for language in Language:
        with speaking(language):
            assert all(map(is_translated, CAUSES.values()))


def test_a_chosen_original_has_the_switch_where_the_reader_view_has_it() -> None:
    markup = notice_line(PAGE, "original-requested", LINKS, styled=True)
    found = LexborHTMLParser(markup)
    ends = found.css("a, b")[:2]
    assert [node.text() for node in ends] == ["Read", "Original"]
    assert attribute(found.css_first("[aria-current]"), "aria-current") == "true"
    assert "top:0" in attribute(found.css_first("aside"), "style")
    assert "bottom:0" in attribute(line("deadline").css_first("aside"), "style")
