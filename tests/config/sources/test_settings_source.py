"""Settings come again from the same file, or from a text in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.config.errors import InvalidSettingsError
from winnow.config.sources.settings_source import SettingsSource
from winnow.config.sources.source_precedence import Loaded


def test_a_text_counts_as_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen: list[Loaded] = []
    source = SettingsSource(flags={"server.port": "9000"}, on_load=seen.append)
    assert source.file() is None
    assert source.new_file() == tmp_path / "winnow.toml"
    loaded = source.load("[server]\nport = 1\nhost = '::1'\n")
    assert (loaded.settings.server.port, loaded.settings.server.host) == (9000, "::1")
    assert loaded.origins["server.host"] == str(tmp_path / "winnow.toml")
    assert source.load().settings.server.host == "127.0.0.1", "nothing was written"
    assert len(seen) == 2
    with pytest.raises(InvalidSettingsError, match=r"server\.prot is unknown"):
        source.load("[server]\nprot = 1\n")
