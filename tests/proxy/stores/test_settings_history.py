"""The history of settings is private, bounded, and says when it is damaged."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from stat import S_IMODE

import pytest

from winnow.proxy.stores.settings_history import FILE_NAME, MOST, SettingChange, SettingsHistory
from winnow.proxy.stores.store_errors import StoreError

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_changes_are_kept_with_what_was_before(tmp_path: Path) -> None:
    history = SettingsHistory(tmp_path / "new")
    assert history.changes() == ()
    history.add(NOW, "ann", (SettingChange("server.port", None, 1), SettingChange("a.b", ["x"], 2)))
    (found,) = history.changes()
    assert (found.number, found.who, found.when) == (1, "ann", NOW)
    assert found.undone() == {"server.port": None, "a.b": ["x"]}
    assert S_IMODE((tmp_path / "new" / FILE_NAME).stat().st_mode) == 0o600


def test_the_oldest_go(tmp_path: Path) -> None:
    history = SettingsHistory(tmp_path)
    for number in range(MOST + 2):
        history.add(NOW, "ann", (SettingChange("a.b", number, number + 1),))
    numbers = [change.number for change in history.changes()]
    assert numbers == list(range(3, MOST + 3))


@pytest.mark.parametrize("damaged", [b"[{]", b'["\xff"]'])
def test_a_damaged_history_is_said(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(damaged)
    with pytest.raises(StoreError, match="is damaged"):
        SettingsHistory(tmp_path).changes()
