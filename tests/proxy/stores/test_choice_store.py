"""Every store of choices keeps the same promises; the one on disk survives a kill."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.proxy.stores.memories import at
from winnow.proxy.stores.choice_store import ChoiceStore, NotifyingChoices
from winnow.proxy.stores.choices import EVERYBODY, UNTIL_RESTART, Choices, Owned, PassThrough
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import _STEPS, FILE_NAME, SqliteChoices
from winnow.proxy.stores.store_errors import StoreError

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NEVER = Choice(SiteMode.NEVER)


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ChoiceStore]:
    made: ChoiceStore = NotifyingChoices()
    if request.param == "sqlite":
        made = await SqliteChoices.open(tmp_path / FILE_NAME)
    yield made
    await made.aclose()


async def test_a_new_one_remembers_nothing(store: ChoiceStore) -> None:
    assert store.now == Choices()


async def test_a_choice_is_read_at_once(store: ChoiceStore) -> None:
    choice = Choice(SiteMode.ALWAYS, "crunch:2", 5)
    await store.choose(EVERYBODY, "example.com", choice)
    assert store.now.choice(EVERYBODY, at("example.com")) == choice


async def test_a_choice_is_replaced_and_undone(store: ChoiceStore) -> None:
    await store.choose(EVERYBODY, "example.com", NEVER)
    await store.choose(EVERYBODY, "example.com", Choice(SiteMode.ALWAYS))
    assert store.now.choice(EVERYBODY, at("example.com")).mode is SiteMode.ALWAYS
    await store.choose(EVERYBODY, "example.com", NO_CHOICE)
    assert store.now == Choices()


async def test_a_value_once_read_does_not_change(store: ChoiceStore) -> None:
    before = store.now
    await store.choose(EVERYBODY, "example.com", NEVER)
    assert before == Choices()


async def test_pass_through_is_learned_and_unlearned(store: ChoiceStore) -> None:
    entry = PassThrough("api.example.com", "unknown ca", NOW, False, "::1", "abc")
    await store.learn(entry)
    assert store.now.passed == {entry.key: entry}
    await store.unlearn(store.now.refused_by("::1", "abc", doubtful=True))
    assert not store.now.passed


async def test_a_pause_begins_and_ends(store: ChoiceStore) -> None:
    await store.pause(EVERYBODY, NOW)
    assert store.now.of(EVERYBODY).paused_until == NOW
    await store.pause(EVERYBODY, None)
    assert store.now.of(EVERYBODY).paused_until is None


async def test_changes_at_once_are_all_stored(store: ChoiceStore) -> None:
    sites = [f"s{number}.example" for number in range(50)]
    await asyncio.gather(*(store.choose(EVERYBODY, site, NEVER) for site in sites))
    assert set(store.now.of(EVERYBODY).choices) == set(sites)


async def test_all_is_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / FILE_NAME
    store = await SqliteChoices.open(path)
    await store.choose(EVERYBODY, "example.com", Choice(None, "bte", None))
    await store.choose(EVERYBODY, "gone.example", NEVER)
    await store.choose(EVERYBODY, "gone.example", NO_CHOICE)
    await store.learn(PassThrough("api.example.com", "unknown ca", NOW, False, "::1", "abc"))
    await store.learn(PassThrough("api.example.com", "closed-twice", NOW, True, "::1", "def"))
    await store.pause(EVERYBODY, NOW)
    before = store.now
    await store.aclose()
    assert await _reopened(path) == before


async def test_a_pause_until_restart_ends_with_it(tmp_path: Path) -> None:
    store = await SqliteChoices.open(tmp_path / FILE_NAME)
    await store.pause(EVERYBODY, UNTIL_RESTART)
    assert store.now.is_paused(EVERYBODY, NOW)
    await store.aclose()
    assert (await _reopened(tmp_path / FILE_NAME)).of(EVERYBODY).paused_until is None


async def _reopened(path: Path) -> Choices:
    store = await SqliteChoices.open(path)
    await store.aclose()
    return store.now


_KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from tempfile import TemporaryDirectory
from winnow.proxy.stores.choices import EVERYBODY
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import SqliteChoices

async def main():
    store = await SqliteChoices.open(Path(sys.argv[1]))
    await store.choose(EVERYBODY, "example.com", Choice(SiteMode.NEVER))
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_what_was_stored_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    run = [sys.executable, "-c", _KILLED, str(path)]
    done = await asyncio.to_thread(subprocess.run, run, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert (await _reopened(path)).choice(EVERYBODY, at("example.com")) == NEVER


async def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    await _reopened(tmp_path / FILE_NAME)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


async def test_a_choice_nobody_knows_is_damage(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    await _reopened(path)
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO decided VALUES ('', 'example.com', 'mode', 'sometimes')")
    database.close()
    notices = Notices()
    store = await SqliteChoices.open(path, notices)
    await store.aclose()
    assert store.now == Choices()
    assert "sometimes" in notices.texts()[0]


async def test_a_file_of_the_first_version_keeps_choices_and_no_refusal(tmp_path: Path) -> None:
    """Refusals without a client held for everybody: they are learned anew, each for its client."""
    path = tmp_path / FILE_NAME
    with sqlite3.connect(path) as database:
        database.executescript(_STEPS[0])
        database.execute("INSERT INTO choice VALUES ('a.example', 'never', NULL, NULL)")
        database.execute("INSERT INTO passed VALUES ('b.example', 'x', '2026-11-21', 1)")
        database.execute("PRAGMA user_version = 1")
    database.close()
    assert await _reopened(path) == Choices().with_choice(EVERYBODY, "a.example", NEVER)


async def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreError, match="newer Winnow"):
        await SqliteChoices.open(path)


async def test_what_cannot_be_stored_is_not_pretended(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    notices = Notices()
    store = await SqliteChoices.open(tmp_path / "file" / FILE_NAME, notices)
    assert "not saved" in notices.texts()[0]
    with pytest.raises(StoreError, match="could not be saved"):
        await store.choose(EVERYBODY, "example.com", NEVER)
    assert store.now == Choices()
    await store.aclose()


_choices = st.builds(
    Choice,
    st.none() | st.sampled_from(SiteMode),
    st.none() | st.sampled_from(["bte", "mss"]),
    st.none() | st.integers(1, 12),
)
_owners = st.sampled_from([EVERYBODY, "user:anna", "192.168.1.9"])
_sites = st.sampled_from(["a.example", "b.example:81"])
_steps = st.lists(
    st.tuples(_owners, st.none() | _sites, _choices, st.none() | st.just(NOW)), max_size=12
)


@settings(max_examples=30)
@given(_steps)
def test_disk_and_memory_agree(
    steps: list[tuple[str, str | None, Choice, datetime | None]],
) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(_compare(steps, Path(folder, FILE_NAME)))


async def _compare(
    steps: list[tuple[str, str | None, Choice, datetime | None]], path: Path
) -> None:
    memory, disk = NotifyingChoices(), await SqliteChoices.open(path)
    for owner, site, choice, until in steps:
        for store in (memory, disk):
            if site:
                await store.choose(owner, site, choice)
            else:
                await store.pause(owner, until)
    await disk.aclose()
    assert disk.now == memory.now == await _reopened(path)


_FIRST = """
    CREATE TABLE choice (site TEXT PRIMARY KEY, mode TEXT, extractor TEXT, level INTEGER) STRICT;
    CREATE TABLE passed (
        host TEXT PRIMARY KEY, reason TEXT NOT NULL, since TEXT NOT NULL, sure INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE pause (only INTEGER PRIMARY KEY CHECK (only = 1), until TEXT NOT NULL) STRICT;
    INSERT INTO choice VALUES ('example.com', 'never', NULL, 3), ('b.example', NULL, 'bte', NULL);
    INSERT INTO pause VALUES (1, '2026-11-21T12:00:00+00:00');
    INSERT INTO passed VALUES ('app.example', 'unknown ca', '2026-11-21T12:00:00+00:00', 1);
    PRAGMA user_version = 1;
"""


async def test_what_was_chosen_before_choices_had_owners_is_everybodys(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    database = sqlite3.connect(path)
    database.executescript(_FIRST)
    database.close()
    expected = {
        "example.com": Choice(SiteMode.NEVER, None, 3),
        "b.example": Choice(None, "bte"),
    }
    for _ in range(2):
        now = await _reopened(path)
        assert now.owners == {EVERYBODY: Owned(expected, NOW)}


async def test_the_order_of_choices_outlives_a_restart(tmp_path: Path) -> None:
    """Beyond the bound the oldest goes."""
    store = await SqliteChoices.open(tmp_path / FILE_NAME)
    for site in ("c.example", "a.example", "b.example"):
        await store.choose("user:anna", site, NEVER)
    await store.choose("user:anna", "c.example", Choice(SiteMode.ALWAYS))
    await store.aclose()
    now = await _reopened(tmp_path / FILE_NAME)
    assert list(now.of("user:anna").choices) == ["a.example", "b.example", "c.example"]


async def test_a_pause_until_restart_is_heard_with_its_owner(tmp_path: Path) -> None:
    reported: list[object] = []

    async def others(change: object) -> None:
        reported.append(change)

    one = await SqliteChoices.open(tmp_path / FILE_NAME)
    two = await SqliteChoices.open(tmp_path / FILE_NAME)
    one.notify = others
    await one.pause("user:anna", UNTIL_RESTART)
    await one.pause("user:ben", NOW)
    await two.on_notify(["user:anna"])
    assert reported[-1] == ["user:anna"]
    assert two.now == one.now
    await one.aclose()
    await two.aclose()
