"""What a form shows of a setting means the same when it is sent."""

from __future__ import annotations

import pytest

from winnow.config.setting_list import entries
from winnow.config.sources.value_parser import read_value
from winnow.features.settings.setting_forms import form_raw
from winnow.features.settings.settings_in_force import form_text


@pytest.mark.parametrize("path", list(entries()))
def test_a_form_shows_every_default_so_that_it_means_the_same(path: str) -> None:
    entry = entries()[path]
    assert read_value(entry, form_raw(entry, form_text(entry, entry.default))) == entry.default
