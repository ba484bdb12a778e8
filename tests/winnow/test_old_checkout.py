"""The data of a real old checkout: this version reads it, and the way back leads there again."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.programs import require_program
from winnow.features.backup import archive
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.stores import previous, sqlite_choices
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import SqliteChoices

pytestmark = pytest.mark.release

ROOT = Path(__file__).parents[2]
OLD = "7ef2ac1b~1"
"""The last commit whose choices have no owners."""
SITE = parse_url("http://site.example/").origin
WRITE = """
import asyncio, sys
from pathlib import Path
from proxy.stores.remembered import Choice, Mode
from proxy.stores.sqlite_choices import SqliteChoices

async def main(path):
    store = await SqliteChoices.open(path)
    if sys.argv[2:]:
        await store.choose(sys.argv[2], Choice(Mode.NEVER))
    for site, choice in store.now.choices.items():
        print(site, choice.mode.value)
    await store.aclose()

asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    packed = subprocess.run(
        [require_program("git"), "archive", OLD, "proxy", "config"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(tmp_path / "old", filter="data")
    return tmp_path / "old"


def old(checkout: Path, path: Path, *site: str) -> list[str]:
    """What the old version reads, after it has chosen something for a site if one is given."""
    done = subprocess.run(
        [sys.executable, "-c", WRITE, str(path), *site],
        env={**os.environ, "PYTHONPATH": str(checkout)},
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


async def test_an_update_and_the_way_back(checkout: Path, tmp_path: Path) -> None:
    path = tmp_path / "data" / sqlite_choices.FILE_NAME
    path.parent.mkdir()
    assert old(checkout, path, "site.example") == ["site.example never"]
    version = previous.version_of(path)
    assert 0 < version < sqlite_choices.VERSION
    store = await SqliteChoices.open(path)
    assert store.now.choice("", SITE).mode is SiteMode.NEVER
    await store.choose("127.0.0.1", "new.example", Choice(SiteMode.NEVER))
    await store.aclose()
    files = previous.to_go_back(path.parent, {path.name: version})
    archive.put_back(files, path.parent, tuple(files))
    assert old(checkout, path) == ["site.example never"]
    again = await SqliteChoices.open(path)  # and forward once more
    assert again.now.choice("", SITE).mode is SiteMode.NEVER
    await again.aclose()
