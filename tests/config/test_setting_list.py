"""Every field of every section is a setting with a path, a variable, a kind and a purpose."""

from __future__ import annotations

import pytest

from winnow.config.server_settings import LogLevel
from winnow.config.setting_list import SettingEntry, SettingKind, entries, sections


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("server.port", SettingKind.INT),
        ("server.host", SettingKind.STRING),
        ("extraction.bar", SettingKind.BOOL),
        ("extraction.min_confidence", SettingKind.FLOAT),
        ("extraction.max_page", SettingKind.SIZE),
        ("extraction.deadline", SettingKind.DURATION),
        ("upstream.ca_bundle", SettingKind.PATH),
        ("server.log_level", SettingKind.STRING),
    ],
)
def test_the_kind_follows_from_the_type(path: str, kind: SettingKind) -> None:
    assert entries()[path].kind is kind


def test_an_enum_names_its_choices() -> None:
    assert entries()["server.log_level"].choices == tuple(LogLevel)


def test_a_variable_is_named_after_section_and_setting() -> None:
    assert entries()["server.port"].variable == "WINNOW_SERVER__PORT"


@pytest.mark.parametrize("entry", entries().values(), ids=lambda entry: entry.path)
def test_every_purpose_is_a_sentence(entry: SettingEntry) -> None:
    assert entry.note.purpose[0].isupper()
    assert entry.note.purpose.endswith(".")


def test_every_section_says_what_it_is_for() -> None:
    assert all(section.purpose.endswith(".") for section in sections())
