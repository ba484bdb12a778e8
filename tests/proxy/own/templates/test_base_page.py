"""The frame escapes what it is given and lets no script in."""

from __future__ import annotations

import pytest
from markupsafe import Markup

from tests.proxy.own.templates.support import assert_sound, attribute, parsed, text
from winnow.proxy.own.menus import MENUS, Menus
from winnow.proxy.own.templates.base_page import bare_page, own_page
from winnow.proxy.own.templates.navigation import HERE
from winnow.proxy.own.translation import N_, Language, speaking

PARTS = Markup("<p>One.</p>\n<p>Two.</p>")


def test_a_page_is_sound_and_says_what_it_was_given() -> None:
    page = own_page("Title", PARTS)
    assert_sound(page)
    assert parsed(page).css("main")[0].text(strip=True) == "TitleOne.Two."


@pytest.mark.parametrize(("language", "name"), [("en", "Activity"), ("de", "Aktivität")])
def test_every_own_page_leads_to_the_others(language: str, name: str) -> None:
    token = MENUS.set(Menus({"/": N_("Read a page"), "/-/activity": N_("Activity")}))
    with speaking(Language(language)):
        links = parsed(own_page("Title", Markup(""))).css("header a")
    MENUS.reset(token)
    skip, first, second, *_rest = ((link.attributes["href"], link.text()) for link in links)
    assert (skip[0], first[0], second) == ("#main", "/", ("/-/activity", name))


def test_a_page_at_another_sites_address_has_no_such_links() -> None:
    page = bare_page("Title", PARTS)
    assert_sound(page)
    assert text(page) == "Title One. Two."


def test_titles_are_escaped() -> None:
    page = own_page("<script>", Markup("<em>fine</em>"))
    tree = parsed(page)
    assert not tree.css("script")
    assert len(tree.css("em")) == 1


def test_headers_may_be_added() -> None:
    page = own_page("Title", Markup("")).with_headers({"X-More": "1"})
    assert page.headers["X-More"] == "1"
    assert page.headers["Cache-Control"] == "no-store"


def test_a_wide_page_says_so() -> None:
    assert parsed(own_page("Title", Markup(""), kind="wide")).css("body.wide")


@pytest.mark.parametrize("language", Language)
def test_a_page_says_its_language_and_its_direction(language: Language) -> None:
    with speaking(language):
        page = own_page("Title", Markup(""))
    assert_sound(page, language.value)
    (root,) = parsed(page).css("html")
    assert root.attributes.get("dir", "ltr") == language.direction
    (menu,) = parsed(page).css('header a[href="/-/settings/language"]')
    assert attribute(menu.css_first("span"), "lang") == "en"
    assert menu.text().endswith("Language")


@pytest.mark.parametrize(
    ("here", "current"),
    [("/", ["Read a page"]), ("/-/saved/3", ["Saved pages"]), ("/-/savedx", []), ("/-/x", [])],
)
def test_the_menu_marks_the_page_that_one_is_on(here: str, current: list[str]) -> None:
    menus = Menus({"/": N_("Read a page"), "/-/saved": N_("Saved pages")})
    tokens = MENUS.set(menus), HERE.set(here)
    marked = parsed(own_page("Title", Markup(""))).css("header [aria-current=page]")
    MENUS.reset(tokens[0])
    HERE.reset(tokens[1])
    assert [node.text() for node in marked] == current
