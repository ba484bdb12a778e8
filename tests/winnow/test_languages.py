"""The language of own pages, bars and errors: the browser's, or the one chosen by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from tests.features.activity.test_activity import button
from tests.proxy.origins import Answer, Origin, ask, get, html, serving
from tests.winnow.test_owners import ARTICLE, BROWSER, User, plain
from winnow.compose.running import Running, running
from winnow.config.settings import Access, Settings
from winnow.proxy.own.languages import NAMES, Language
from winnow.proxy.own.translation import _, speaking

MENU = "http://winnow.internal/-/settings/language"
PATHS = ("/", "/-/setup", "/-/settings", "/-/activity", "/-/settings/language")
GERMAN = "Accept-Language: de-CH, en;q=0.5"


def open_to_all(folder: Path) -> Settings:
    return replace(plain(folder), access=Access())


def spoken(answer: Answer, element: str = "html") -> tuple[str | None, str]:
    """The language and the direction that an element says."""
    (found,) = LexborHTMLParser(answer.body).css(element)
    return found.attributes.get("lang"), found.attributes.get("dir") or "ltr"


async def test_own_pages_speak_the_browsers_language(tmp_path: Path) -> None:
    async with running(open_to_all(tmp_path)) as proxy:
        for language, path in itertools.product(Language, PATHS):
            field = f"Accept-Language: {language.value};q=0.9, xx"
            page = await ask(proxy.port, get(f"http://winnow.internal{path}", BROWSER, field))
            assert spoken(page) == (language.value, language.direction), path
            assert page.field("content-language") == language.value
            assert page.field("vary") == "Accept-Language"
            with speaking(language):
                assert _("Setup guide") in page.body.decode()


async def test_a_language_chosen_by_hand_goes_before_the_browsers(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, running(plain(tmp_path)) as proxy:
        origin.replies["/story"] = html(ARTICLE)
        ann, story = User("ann", proxy), origin.url("/story")
        before = await ann.get(story)
        menu = await ann.get(MENU)
        chosen = await ann.post(MENU, button(menu, NAMES[Language.ARABIC]))
        assert chosen.field("location") == "/-/settings/language"
        assert spoken(await ann.get(MENU)) == ("ar", "rtl")
        after = await ann.get(story)
        assert spoken(before, "#winnow-bar") == ("en", "ltr")
        assert spoken(after, "#winnow-bar") == ("ar", "rtl")
        assert before.field("etag") != after.field("etag")
        assert spoken(await User("ben", proxy).get(MENU)) == ("en", "ltr")
        with speaking(Language.ARABIC):
            same = button(await ann.get(MENU), _("Use the browser’s language"))
        await ann.post(MENU, same)
        assert spoken(await ann.get(MENU)) == ("en", "ltr")


async def test_the_menu_marks_what_no_native_reader_has_checked(tmp_path: Path) -> None:
    async with running(open_to_all(tmp_path)) as proxy:
        menu = await ask(proxy.port, get(MENU, BROWSER, GERMAN))
    items = LexborHTMLParser(menu.body).css(".languages li")
    assert [item.attributes["lang"] for item in items] == [each.value for each in Language]
    marked = [item.attributes["lang"] for item in items if "(" in item.text()]
    assert marked == [each.value for each in Language if each is not Language.ENGLISH]
    (current,) = (item for item in items if "aria-current" in item.attributes)
    assert current.attributes["lang"] == "de"


async def test_a_language_that_is_none_is_refused(tmp_path: Path) -> None:
    async with running(plain(tmp_path)) as proxy:
        ann = User("ann", proxy)
        form = button(await ann.get(MENU), "Deutsch")
        assert (await ann.post(MENU, {**form, "language": "xx"})).status == 400
        assert (await ann.post(MENU, {**form, "token": "forged"})).status == 403


async def test_errors_are_translated_for_people_and_english_for_programs(tmp_path: Path) -> None:
    async with running(open_to_all(tmp_path)) as proxy:
        person = await missing(proxy, BROWSER, GERMAN)
        assert spoken(person) == ("de", "ltr")
        assert "Seite nicht gefunden" in person.body.decode()
        program = await missing(proxy, "Accept: application/json", GERMAN)
        assert program.field("content-type") == "application/problem+json"
        assert b"Winnow has no page" in program.body


async def missing(proxy: Running, *fields: str) -> Answer:
    return await ask(proxy.port, get("http://winnow.internal/-/nothing", *fields))
