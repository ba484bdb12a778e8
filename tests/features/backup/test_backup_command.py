"""``winnow backup`` and ``winnow restore``: what is saved comes back; nothing else is written."""

from __future__ import annotations

import asyncio
import io
import os
import sqlite3
import sys
import tarfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unhurried import UNHURRIED
from winnow.cli import main
from winnow.compose.running import listening
from winnow.config.settings import Settings
from winnow.features.backup.archive import files_in
from winnow.features.saved.stores.saved_page import SavedPage
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.proxy.stores.files import data_folder_used
from winnow.proxy.stores.library import LibraryEntry
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_choice import Choice, SiteMode

CHOICE = Choice(SiteMode.NEVER)


def plain(folder: Path) -> Settings:
    made = Settings()
    return replace(
        made,
        server=replace(made.server, port=0, shutdown_grace=1.0),
        extraction=UNHURRIED,
        storage=replace(made.storage, folder=folder),
        learning=replace(made.learning, on_disk=True),
        cache=replace(made.cache, disk=10**6),
    )


@pytest.fixture
def used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with all that a run leaves there, backed up meanwhile as ``b.tar.gz``."""
    folder = tmp_path / "data"
    monkeypatch.setenv("WINNOW_STORAGE__FOLDER", str(folder))
    monkeypatch.chdir(tmp_path)

    async def used_and_backed_up() -> None:
        async with listening(plain(folder)) as proxy:
            await proxy.state.choices.choose("ann", "a.example", CHOICE)
            entry = LibraryEntry("http://a.example/", "A", "ann")
            await proxy.state.library.change(lambda library: library.with_bookmark(entry))
            (saved,) = proxy.state.stores["saved"]
            assert isinstance(saved, SavedPageStore)
            await saved.save("ann", SavedPage("http://a.example/", "A", "<p>A.", "A."))
            await proxy.state.ca.authority()
            assert await asyncio.to_thread(main, ["backup", "b.tar.gz"]) == 0

    asyncio.run(used_and_backed_up())
    return folder


def contents(folder: Path) -> dict[str, object]:
    """Of each file; a database's rows."""
    found: dict[str, object] = {}
    for name in files_in(folder):
        if name.endswith(".sqlite3"):
            with closing(sqlite3.connect(folder / name)) as database:
                found[name] = list(database.iterdump())
        else:
            found[name] = (folder / name).read_bytes()
    return found


def test_what_was_saved_comes_back(used: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", "b.tar.gz"]) == 0
    assert "ca/authority.pem, shelf.json, choices.sqlite3, sites." in capsys.readouterr().out
    assert Path("b.tar.gz").stat().st_mode & 0o077 == 0
    before = contents(used)
    assert b"a.example" in before["shelf.json"]  # type: ignore[operator]  # its bytes
    used.rename("lost")
    assert main(["restore", "b.tar.gz"]) == 0
    assert contents(used) == before
    assert not [path for path in used.rglob("*") if path.stat().st_mode & 0o077]

    async def choices() -> object:
        async with listening(plain(used)) as proxy:
            return proxy.state.choices.now.of("ann").choices

    assert asyncio.run(choices()) == {"a.example": CHOICE}


def test_all_that_a_run_leaves_is_saved_or_can_be_fetched_again(used: Path) -> None:
    left = {str(path.relative_to(used)) for path in used.rglob("*") if path.is_file()}
    assert {name for name in left if not name.startswith("cache.sqlite3")} == set(files_in(used))


def test_what_root_puts_back_is_the_services(used: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, tuple[int, int]] = {}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda path, *owner: given.update({Path(path).name: owner}))
    assert main(["restore", "b.tar.gz", "--replace"]) == 0
    owner = used.stat()
    assert set(given.values()) == {(owner.st_uid, owner.st_gid)}
    assert {Path(name).name for name in files_in(used)} | {"ca"} <= set(given)
    assert [name for name in given if name.startswith("before-restore-")]


def test_what_is_there_stays_unless_it_is_to_be_replaced(
    used: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (used / "shelf.json").write_text('{"version": 99}')
    assert main(["restore", "b.tar.gz"]) == 1
    assert "already: add --replace" in capsys.readouterr().err
    assert (used / "shelf.json").read_text() == '{"version": 99}'
    with closing(sqlite3.connect(used / "choices.sqlite3")) as database:  # a log without an end
        database.execute("DELETE FROM decided")
        database.commit()
        assert (used / "choices.sqlite3-wal").exists()
        assert main(["restore", "b.tar.gz", "--replace"]) == 0
    rows = contents(used)
    assert "a.example" in str(rows["choices.sqlite3"])
    assert b"99" not in rows["shelf.json"]  # type: ignore[operator]  # its bytes
    (saved,) = used.glob("before-restore-*.tar.gz")
    with tarfile.open(saved) as archive:
        member = archive.extractfile("shelf.json")
        assert member
        assert member.read() == b'{"version": 99}'


def test_a_folder_in_use_is_left_alone(used: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with data_folder_used(used, "another", Notices()):
        assert main(["restore", "b.tar.gz", "--replace"]) == 1
    assert "stop it first" in capsys.readouterr().err


def test_through_a_pipe(
    used: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["backup", "-"]) == 0
    sys.stdout.flush()
    data = capfdbinary.readouterr().out
    used.rename("lost")

    class Piped:
        buffer = io.BytesIO(data)

    monkeypatch.setattr(sys, "stdin", Piped())
    assert main(["restore", "-"]) == 0
    assert contents(used) == contents(Path("lost"))


def packing(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for member, data in members:
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def named(name: str, data: bytes = b"{}", kind: bytes = tarfile.REGTYPE) -> bytes:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, "/etc/passwd"
    return packing((member, data if kind == tarfile.REGTYPE else b""))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda _: b"", "no backup"),
        (lambda _: b"PK\x03\x04", "no backup"),
        (lambda data: data[:-200], "no backup"),
        (lambda data: data[:100] + bytes(50) + data[150:], "no backup"),
        (lambda _: packing(), "empty"),
        (lambda _: named("../shelf.json"), "'../shelf.json'"),
        (lambda _: named("/etc/passwd"), "'/etc/passwd'"),
        (lambda _: named("shelf.json", kind=tarfile.SYMTYPE), "'shelf.json'"),
        (lambda _: named("shelf.json", kind=tarfile.LNKTYPE), "'shelf.json'"),
        (lambda _: named("ca", kind=tarfile.DIRTYPE), "'ca'"),
        (lambda _: named("winnow.toml"), "'winnow.toml'"),
        (lambda _: named("shelf.json", b"{"), "shelf.json in it is damaged"),
        (lambda _: named("sites.sqlite3", b"SQLite format 3\0" + bytes(4080)), "damaged"),
        (lambda _: named("ca/authority.pem", b"-----BEGIN"), "no key and certificate"),
    ],
)
def test_a_spoiled_backup_changes_nothing(
    used: Path,
    spoil: Callable[[bytes], bytes],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = contents(used)
    Path("b.tar.gz").write_bytes(spoil(Path("b.tar.gz").read_bytes()))
    assert main(["restore", "b.tar.gz", "--replace"]) == 1
    assert message in capsys.readouterr().err
    assert contents(used) == before
    assert not list(used.glob(".restore-*"))
    assert not list(used.glob("before-restore-*"))


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_file_that_cannot_be_used(
    used: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(used / "no" / "such")]) == 1
    assert "such: No such file" in capsys.readouterr().err
    used.rename("elsewhere")
    if command == "backup":
        assert main(["backup", "x.tar.gz"]) == 1
        assert "there is no data folder" in capsys.readouterr().err
