"""Values of settings in short, and what a setting is for."""

from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.config.settings import Settings
from winnow.config.settings_in_force import ListedSection, listed
from winnow.features.settings.all_settings_page import section_form, section_page


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
