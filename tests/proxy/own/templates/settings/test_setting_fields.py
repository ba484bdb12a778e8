"""Values of settings in short."""

import pytest

from winnow.config.settings import Settings
from winnow.config.settings_in_force import listed
from winnow.proxy.own.templates.settings.setting_fields import _short, description


@pytest.mark.parametrize(("length", "shown"), [(0, 0), (60, 60), (61, 60), (500, 60)])
def test_a_value_takes_sixty_characters_at_most(length: int, shown: int) -> None:
    text = "a" * length
    assert len(_short(text)) == shown
    assert _short(text) == text or _short(text).endswith("...")


def test_a_setting_is_told_with_its_values_where_these_are_few() -> None:
    settings = [each for section in listed(Settings(), {}) for each in section.settings]
    said = {each.path: str(description(each)) for each in settings}
    few = {each.path: each.entry.choices for each in settings if each.entry.choices}
    assert few
    for path, text in said.items():
        assert ("One of: " in text) is (path in few)
        assert ", ".join(few.get(path, ())) in text
