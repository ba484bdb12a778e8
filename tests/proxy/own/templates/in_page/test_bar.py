"""The bar says how much is shown, speaks the reader's language, and offers every way out."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.own.templates.support import attribute
from winnow.config.appearance import Appearance, Theme
from winnow.document.values import Rendered, Treatment
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.http.headers import Headers
from winnow.proxy.own.menus import MENUS, Menus
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest, read_choice
from winnow.proxy.own.templates.in_page.bar import BarView, PageBars, make_bar
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.tidy_bar import tidy_bar
from winnow.proxy.own.translation import Language, speaking

BASE = "http://winnow.internal"


def bar(
    page: str = "http://example.com/a?b=1&c=2",
    language: Language = Language.ENGLISH,
    chosen: Appearance | None = None,
    *,
    annotates: bool = False,
) -> bytes:
    shown = BarView(page, "auto")
    with speaking(language):
        return make_bar(shown, ChoiceLinks(BASE), chosen, annotates=annotates)


def tree(made: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(made)


def links(made: bytes) -> dict[str, str]:
    return {node.text(): attribute(node, "href") for node in tree(made).css("a")}


def test_the_two_ends_of_the_switch_stand_first_and_no_count_of_words() -> None:
    first = tree(bar()).css_first("#winnow-bar > div > p")
    assert first is not None
    assert [node.text() for node in first.iter()] == ["Read", "Original", "Never here"]
    assert attribute(first.css_first("[aria-current]"), "aria-current") == "true"
    assert "words" not in tree(bar()).text()


def test_it_speaks_german_to_germans_and_says_so() -> None:
    made = bar(language=Language.GERMAN)
    assert "Warum?" in made.decode()
    assert attribute(tree(made).css_first("aside"), "lang") == "de"


def test_it_is_a_named_landmark_without_script() -> None:
    found = tree(bar())
    assert attribute(found.css_first("aside"), "aria-label") == "Winnow"
    assert not found.css("script, [onclick]")


def test_its_element_alone_has_a_style_that_goes_before_the_page_s_rules() -> None:
    (styled,) = tree(bar()).css("[style]")
    assert attribute(styled, "id") == "winnow-bar"
    rules = (attribute(styled, "style") or "").split(";")
    assert all(rule.endswith("!important") for rule in rules)


def test_the_original_and_the_why_are_one_link_away() -> None:
    found = links(bar())
    original = tree(bar()).css_first("a[referrerpolicy]")
    assert attribute(original, "referrerpolicy") == "origin"
    assert found["Original"].startswith(f"{BASE}/-/original?page=http%3A%2F%2Fexample.com")
    assert dict(parse_qsl(urlsplit(found["Why?"]).query)) == {
        "url": "http://example.com/a?b=1&c=2",
        "mode": "extract",
    }


def test_a_tidied_page_can_be_read_by_one_click() -> None:
    page, here = "http://example.com/", ChoiceLinks(BASE)
    for styled in (True, False):
        markup = tidy_bar(page, "It is tidied.", here, styled=styled)
        found = LexborHTMLParser(markup)
        targets = {node.text(): attribute(node, "href") or "" for node in found.css("a")}
        assert targets["Read"].startswith(f"{BASE}/-/extract?page=")
        assert targets["Original"].startswith(f"{BASE}/-/original?page=")
        assert {"Why?", "Always show the reader view", "Never here", "Read later"} <= targets.keys()
        assert not found.css("form, script")
        assert bool(found.css("[style]")) is bool(found.css("style")) is styled
    assert "Read" not in links(bar())


def test_the_line_of_a_tidied_page_says_why_it_is_not_extracted() -> None:
    request = RequestHead("GET", "/", Headers())
    for instead, said in (("player-lost", "a player would have been lost"), ("", "")):
        page = Rendered(b"", "text/html", "x", treatment=Treatment.TIDY, instead=instead)
        markup = PageBars()(request, "http://example.com/", page, "", look=BarLook.STYLED).decode()
        assert (f"Winnow tidied the page: {said}." in markup) is bool(said)


@pytest.mark.parametrize("page", ["http://example.com/", "https://example.com/a?b=1&c=2"])
def test_a_choice_is_a_plain_link_to_a_page_that_asks(page: str) -> None:
    found = links(bar(page))
    for text, action in (
        ("Always show the reader view", "always"),
        ("Never here", "never"),
    ):
        parts = urlsplit(found[text])
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{BASE}/-/choose"
        asked = dict(parse_qsl(parts.query))
        assert read_choice(asked, frozenset()) == ChoiceRequest(ChoiceAction(action), page)


def test_the_slider_leads_to_that_page_too() -> None:
    made = bar("https://example.com/")
    (slider,) = tree(made).css("form")
    assert attribute(slider, "method") == "get"
    assert attribute(slider, "action") == f"{BASE}/-/choose"


def test_nothing_in_it_is_a_secret_or_acts_by_itself() -> None:
    """The page of a site can read and click all of it."""
    one, two = bar(), bar()
    assert one == two
    assert b"token" not in one
    assert not tree(one).css("form[method=post], [onclick], script, iframe")


def test_in_the_gateway_the_original_has_an_address() -> None:
    shown = BarView("http://example.com/a?b=1", "auto")
    made = make_bar(shown, ChoiceLinks("http://127.0.0.1:8080", gateway=True))
    parts = urlsplit(links(made)["Original"])
    assert (parts.netloc, parts.path) == ("127.0.0.1:8080", "/-/read")
    assert dict(parse_qsl(parts.query)) == {"url": shown.page, "mode": "original"}


@pytest.mark.parametrize("saves", [False, True])
def test_who_saves_data_gets_one_line_of_links(saves: bool) -> None:
    fields = (("Save-Data", "on"),) if saves else ()
    head = RequestHead("GET", "/", Headers(fields))
    rendered = Rendered(b"", "text/html", "auto")
    made = PageBars()(head, "http://example.com/", rendered, "", look=BarLook.READER)
    assert (len(made) < 1200) is saves
    found = links(made)
    assert {"Original", "Why?"} <= found.keys()
    if saves:
        assert list(found) == ["Original", "Aa", "Why?", "More"]
        assert urlsplit(found["Aa"]).path == "/-/settings/reading"
        assert attribute(tree(made).css_first("a[referrerpolicy]"), "href") == found["Original"]
    assert (
        PageBars().variant(head) == PageBars().variant(RequestHead("GET", "/", Headers()))
    ) is not saves


@pytest.mark.parametrize("look", [BarLook.STYLED, BarLook.BASIC])
def test_saving_data_makes_no_other_bar_lean(look: BarLook) -> None:
    """Pages that keep their own look have no room for the lean bar's links to the reader's."""
    rendered = Rendered(b"", "text/html", "auto")
    saving, other = (
        RequestHead("GET", "/", Headers(fields)) for fields in ((("Save-Data", "on"),), ())
    )
    made, plain = (
        PageBars()(head, "http://example.com/", rendered, "", look=look) for head in (saving, other)
    )
    assert made == plain


def test_what_is_done_once_in_a_while_is_folded_away() -> None:
    made = tree(bar("https://example.com/", chosen=Appearance()))
    line = made.css("div > p > a, aside > div > a, aside > div > details > summary")
    names = [node.attributes.get("title") or node.text() for node in line]
    assert names == [
        *("Original", "Never change this site", "Text and colours", "Read later", "Listen", "More")
    ]
    assert not made.css("details[open]")
    assert {attribute(node, "name") for node in made.css("aside > div details")} == {"winnow-bar"}


@pytest.mark.parametrize(
    ("text", "path", "more"),
    [
        ("Later", "/-/save", {"now": "1"}),
        ("Download EPUB, for e-readers", "/-/book", {}),
        ("All options", "/-/options", {}),
        ("Annotate", "/-/annotate", {}),
    ],
)
def test_what_else_can_be_done_with_the_page_is_one_link_away(
    text: str, path: str, more: dict[str, str]
) -> None:
    parts = urlsplit(links(bar(annotates=True))[text])
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{BASE}{path}"
    assert dict(parse_qsl(parts.query)) == {"url": "http://example.com/a?b=1&c=2", **more}


def test_no_link_notes_a_page_in_the_history() -> None:
    assert b"/-/small/" not in bar()
    assert "Annotate" not in links(bar())


def test_text_and_colours_stand_in_the_bar_of_our_own_pages() -> None:
    own, other = tree(bar(chosen=Appearance(theme=Theme.DARK))), tree(bar())
    (form,) = own.css("form")
    assert attribute(form, "action") == f"{BASE}/-/settings/reading"
    assert attribute(form, "method") == "get"
    shown = {node.attributes["name"]: node.css("[selected]") for node in own.css("select")}
    chosen = {name: [attribute(each, "value") for each in nodes] for name, nodes in shown.items()}
    assert chosen == {"size": ["usual"], "theme": ["dark"], "typeface": ["serif"]}
    assert not other.css("form:not(.winnow-slider)")
    assert urlsplit(links(bar())["Aa"]).path == "/-/settings/reading"


@pytest.mark.parametrize("attack", ['"><script>alert(1)</script>', "'&<b>", "</style><script>"])
def test_an_address_cannot_break_out(attack: str) -> None:
    made = bar(f"http://example.com/{attack}")
    assert not tree(made).css("script, b:not([aria-current])")
    assert len(tree(made).css("aside")) == 1


def test_what_one_page_was_given_is_not_in_the_bar_of_another() -> None:
    first, second = "http://one.example/'a'?q=\"<1>", "https://two.example/b c"
    for page, other in ((first, "two.example"), (second, "one.example")):
        made = bar(page, chosen=Appearance())
        fields = {node.attributes["value"] for node in tree(made).css("input[name=back]")}
        assert fields == {page}
        assert dict(parse_qsl(urlsplit(links(made)["Why?"]).query))["url"] == page
        assert other not in made.decode()
        assert b"\x1a" not in made
        assert b"%1A" not in made


def test_a_feature_that_was_switched_off_meanwhile_has_no_link() -> None:
    assert "Listen" in links(bar())
    token = MENUS.set(Menus(addresses=frozenset({"/-/why"})))
    try:
        assert "Listen" not in links(bar())
    finally:
        MENUS.reset(token)
    assert "Listen" in links(bar())
