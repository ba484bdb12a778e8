"""Edited settings files keep what they do not change; what is protected names files and trust."""

from __future__ import annotations

import tomllib

import pytest

from winnow.config.editing.file_edits import changed_text
from winnow.config.errors import UnreadableFileError
from winnow.config.feature_settings import FeatureSettings
from winnow.config.hidden_values import SECRETS
from winnow.config.setting_list import SettingKind, entries
from winnow.feature_list import sections_of

TEXT = """\
# first
[server]  # a
port = 9090   # b

[sites]
never = [
    "a.example",  # c
    "b.example",
]
"""


def test_a_file_keeps_its_comments_and_its_order() -> None:
    text = changed_text(TEXT, {"server.port": 1, "sites.never": ["a.example", "c.example"]})
    for comment in ("# first", "# a", "# b", '"a.example",  # c'):
        assert comment in text
    found = tomllib.loads(text)
    assert found == {"server": {"port": 1}, "sites": {"never": ["a.example", "c.example"]}}


def test_a_list_of_another_order_is_written_anew() -> None:
    text = changed_text(TEXT, {"sites.never": ["b.example", "a.example"]})
    assert tomllib.loads(text)["sites"]["never"] == ["b.example", "a.example"]


def test_a_new_section_and_a_setting_less() -> None:
    text = changed_text(TEXT, {"ads.refresh": "1 d", "server.port": None, "server.host": None})
    assert tomllib.loads(text)["ads"] == {"refresh": "1 d"}
    assert tomllib.loads(text)["server"] == {}
    assert changed_text("", {"server.port": 1}).strip() == "[server]\nport = 1"


@pytest.mark.parametrize("text", ["[server", "server = 3"])
def test_a_file_that_cannot_be_changed_is_said(text: str) -> None:
    with pytest.raises(UnreadableFileError, match="cannot be changed"):
        changed_text(text, {"server.port": 1})


def test_what_names_files_addresses_users_and_keys_is_protected() -> None:
    every = entries(sections_of(FeatureSettings()))
    protected = {path for path, entry in every.items() if entry.is_protected}
    assert {path for path, entry in every.items() if entry.kind is SettingKind.PATH} < protected
    assert {path for path in every if path.startswith("access.")} < protected
    assert {path for path in every if path.endswith(".redis")} < protected
    assert {"server.host", "server.port", "upstream.proxy", "ads.lists", *SECRETS} < protected
    assert not {"interception.hosts", "extraction.min_words", "appearance.size"} & protected


def test_what_waits_for_a_restart() -> None:
    found = {path for path, entry in entries().items() if entry.needs_restart}
    assert {"server.port", "storage.folder"} < found
    assert "interception.hosts" not in found
