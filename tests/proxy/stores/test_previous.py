"""Before a file is changed for a newer version its copy is kept, until something is deleted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from winnow.cli import main
from winnow.features.backup import archive
from winnow.proxy.stores import previous, sqlite_choices, sqlite_sites
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import SqliteChoices
from winnow.proxy.stores.store_errors import NewerFileError

OLD = sqlite_choices.VERSION - 1
NEW = sqlite_choices.VERSION


def old_choices(folder: Path) -> Path:
    """A file as the version before wrote it, with one choice."""
    folder.mkdir(exist_ok=True)
    path = folder / sqlite_choices.FILE_NAME
    with closing(sqlite3.connect(path)) as database, database:
        for step in sqlite_choices._STEPS[:OLD]:
            database.executescript(step)
        database.execute(
            "INSERT INTO choice (owner, site, mode) VALUES ('', 'site.example', 'never')"
        )
        database.execute(f"PRAGMA user_version = {OLD}")
    return path


async def opened(path: Path) -> SqliteChoices:
    store = await SqliteChoices.open(path)
    await store.aclose()
    return store


async def test_a_copy_is_kept_before_the_first_change(tmp_path: Path) -> None:
    path = old_choices(tmp_path)
    await opened(path)
    (copy,) = previous.copies(path).values()
    assert previous.version_of(copy) == OLD
    assert previous.version_of(path) == NEW
    assert copy.parent.stat().st_mode & 0o777 == 0o700
    assert copy.stat().st_mode & 0o777 == 0o600
    before = copy.read_bytes()
    await opened(path)  # is not changed again
    assert copy.read_bytes() == before


async def test_a_new_file_and_one_of_this_version_need_no_copy(tmp_path: Path) -> None:
    path = tmp_path / sqlite_choices.FILE_NAME
    await opened(path)
    await opened(path)
    assert not (tmp_path / previous.FOLDER).exists()


async def test_copies_of_two_versions_are_kept(tmp_path: Path) -> None:
    path = old_choices(tmp_path)
    with closing(sqlite3.connect(path)) as database:
        for version in (3, 4, 10):
            previous.keep(database, path, version)
    assert list(previous.copies(path)) == [10, 4]


async def test_what_somebody_deletes_is_in_no_copy(tmp_path: Path) -> None:
    path = old_choices(tmp_path)
    store = await SqliteChoices.open(path)
    await store.choose("127.0.0.1", "other.example", Choice(SiteMode.NEVER))
    assert previous.copies(path)
    await store.choose("127.0.0.1", "other.example", Choice())
    await store.aclose()
    assert not previous.copies(path)


async def test_the_older_version_says_how_to_go_back_and_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = old_choices(tmp_path / "data")
    await opened(path)  # by the newer version
    monkeypatch.setattr(sqlite_choices, "VERSION", OLD)
    monkeypatch.setitem(archive.VERSIONS, path.name, OLD)
    with pytest.raises(NewerFileError, match="winnow restore --previous"):
        await SqliteChoices.open(path)
    settings = tmp_path / "winnow.toml"
    settings.write_text(f'[storage]\nfolder = "{path.parent}"\n')
    assert main(["restore", "--previous", "--config", str(settings)]) == 0
    told = capsys.readouterr().out
    assert "choices.sqlite3 as before the update; what was changed since is lost" in told
    assert list(path.parent.glob("before-restore-*.tar.gz"))
    assert previous.version_of(path) == OLD
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT site, mode FROM choice").fetchall() == [
            ("site.example", "never")
        ]
    assert main(["restore", "--previous", "--config", str(settings)]) == 0
    assert "was written by a newer Winnow: this one can begin" in capsys.readouterr().out


async def test_without_a_copy_nothing_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / sqlite_choices.FILE_NAME
    await opened(path)
    monkeypatch.setattr(sqlite_choices, "VERSION", OLD)
    monkeypatch.setitem(archive.VERSIONS, path.name, OLD)
    with pytest.raises(NewerFileError, match=r"update this one\.$"):
        await SqliteChoices.open(path)
    settings = tmp_path / "winnow.toml"
    settings.write_text(f'[storage]\nfolder = "{tmp_path}"\n')
    before = path.read_bytes()
    assert main(["restore", "--previous", "--config", str(settings)]) == 1
    assert "there is no copy of choices.sqlite3" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_learned_sites_that_leave_the_disk_leave_no_copy(tmp_path: Path) -> None:
    path = tmp_path / sqlite_sites.FILE_NAME
    with closing(sqlite3.connect(path)) as database:
        previous.keep(database, path, 1)
    now = datetime.now(UTC)
    sqlite_sites.leave_disk(tmp_path, Notices(), now)
    sqlite_sites.leave_disk(tmp_path, Notices(), now + timedelta(days=2))
    assert not path.exists()
    assert not previous.copies(path)


async def test_a_file_that_a_newer_winnow_changed_meanwhile_is_no_damage(tmp_path: Path) -> None:
    """At a hand-over the older process has it open while the newer one changes its tables."""
    path = tmp_path / sqlite_choices.FILE_NAME
    store = await SqliteChoices.open(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("ALTER TABLE decided RENAME TO chosen")
        database.execute(f"PRAGMA user_version = {NEW + 1}")
    with pytest.raises(NewerFileError):
        await store.choose("127.0.0.1", "other.example", Choice(SiteMode.NEVER))
    await store.aclose()
    assert previous.version_of(path) == NEW + 1, "it was not set aside"
