"""Values of settings in short, and what a setting is for."""

from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.config.settings import Settings
from winnow.features.settings.all_settings_page import (
    LastChanges,
    section_form,
    section_page,
    settings_page,
    with_words,
)
from winnow.features.settings.settings_in_force import ListedSection, listed
from winnow.proxy.own.languages import Language
from winnow.proxy.own.translation import speaking


@pytest.mark.parametrize(("length", "shown"), [(1, 1), (60, 60), (61, 60), (500, 60)])
def test_a_default_takes_sixty_characters_at_most(length: int, shown: int) -> None:
    text = "a" * length
    of_file = replace(listed(Settings(), {})[0].settings[0], usual=text, origin="winnow.toml")
    page = LexborHTMLParser(section_form(ListedSection("server", "", (of_file,)), {}).body)
    (found,) = (each.text() for each in page.css(".default code"))
    assert len(found) == shown
    assert found == text or found.endswith("...")


def test_a_setting_is_told_with_its_values_where_these_are_few() -> None:
    for section in listed(Settings(), {}):
        page = LexborHTMLParser(section_page(section).body)
        said = {str(each.id): each.css("td")[-1].text() for each in page.css("tr[id]")}
        assert len(said) == len(section.settings)
        for each in section.settings:
            assert ("One of: " in said[each.path]) is bool(each.entry.choices)
            assert ", ".join(each.entry.choices) in said[each.path]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("tunnel idle", "server.tunnel_idle"),
        ("LOG requests", "server.log_requests"),
        ("Tunnel", "server.tunnel_idle"),
    ],
)
def test_a_setting_is_found_by_its_name_and_by_what_it_is_for(words: str, found: str) -> None:
    sections = with_words(listed(Settings(), {}), words)
    paths = {each.path for section in sections for each in section.settings}
    assert found in paths
    assert len(paths) < 25
    page = LexborHTMLParser(settings_page(sections, LastChanges(), words, may_change=False).body)
    assert {str(each.id) for each in page.css("tr[id]")} == paths


def test_in_the_reader_s_language_too_and_nothing_says_so() -> None:
    with speaking(Language.GERMAN):
        assert with_words(listed(Settings(), {}), "Kommentare")
    page = settings_page((), LastChanges(), "quaxolotl", may_change=False)
    assert "Nothing was found." in page.body.decode()
