"""Site rules that are written here get into the settings, and are applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.config.errors import ConfigError
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.stores.settings_history import SettingsHistory


async def test_the_first_rules_get_into_the_settings_and_all_are_applied(tmp_path: Path) -> None:
    file, rules = tmp_path / "winnow.toml", tmp_path / "site-rules.toml"
    file.touch()
    editor, applied = SettingsEditor(SettingsSource(file), SettingsHistory(tmp_path)), []

    async def apply(loaded: Loaded) -> None:
        applied.append(loaded.settings.sites.rules)

    editor.apply = apply
    assert await editor.rules() == (rules, "")
    texts = [f'[[rule]]\nsite = "{host}"\nmode = "never"\n' for host in ("a.example", "b.example")]
    for text in texts:
        await editor.change_rules(lambda _, new=text: new, "anna")  # type: ignore[misc]  # a default binds the value
        assert rules.read_text() == text
        assert applied.pop() == rules
        assert not applied
    assert str(rules) in file.read_text()
    settings, first, second = await editor.changes()
    assert [change.path for change in settings.settings] == ["sites.rules"]
    assert [each.sites for each in (first, second)] == [
        ("a.example",),
        ("a.example", "b.example"),
    ]
    assert first.who == "anna"


@pytest.mark.parametrize("before", [None, "[server]\nport = 1\n"])
async def test_what_cannot_be_applied_is_not_written(tmp_path: Path, before: str | None) -> None:
    """Neither file remains where there was none."""
    file, rules = tmp_path / "winnow.toml", tmp_path / "site-rules.toml"
    if before is not None:
        file.write_text(before)
    editor = SettingsEditor(SettingsSource(file), SettingsHistory(tmp_path))

    async def refuse(_loaded: Loaded) -> None:
        assert "9090" in file.read_text() or rules.exists()
        raise ConfigError("no")

    editor.apply = refuse
    with pytest.raises(ConfigError):
        await editor.change({"server.port": 9090}, "anna")
    with pytest.raises(ConfigError):
        await editor.change_rules(lambda _: '[[rule]]\nsite = "a.example"\n', "anna")
    assert (file.read_text() if file.exists() else None) == before
    assert not rules.exists()
    assert await editor.changes() == ()
