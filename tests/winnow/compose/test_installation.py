"""A start says which compiled parts are missing, and that another project's winnow is installed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.origins import ask, get
from tests.unhurried import UNHURRIED
from winnow.compose import installation
from winnow.compose.installation import COMPILED, installation_faults
from winnow.compose.running import listening
from winnow.config.settings import Settings

SETUP = (Path(__file__).parents[3] / "setup.py").read_text()


def test_every_compiled_part_of_setup_is_looked_for() -> None:
    assert list(COMPILED) == re.findall(r'"(winnow\.[\w.]+\._\w+)"', SETUP)


def test_a_sound_installation_has_no_faults() -> None:
    assert installation_faults() == ()


def without(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    found = installation.is_built
    monkeypatch.setattr(installation, "is_built", lambda each: each != name and found(each))


async def test_a_missing_part_is_logged_and_on_the_status_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Issue 20, fault 4: 17 times slower, and nothing said so."""
    without(monkeypatch, "winnow.document.parsing._scan")
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0, shutdown_grace=1.0),
        extraction=UNHURRIED,
        storage=replace(plain.storage, folder=tmp_path),
    )
    sentence = f"1 of {len(COMPILED)} compiled parts are missing"
    async with listening(settings) as proxy:
        await proxy.begin(0.01)
        page = await ask(proxy.port, get(f"http://127.0.0.1:{proxy.port}/-/status"))
    assert sentence in caplog.text
    assert sentence.encode() in page.body


def test_another_projects_winnow_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 20, fault 15: PyPI has a package of that name, which owns our import name."""
    foreign = tmp_path / "winnow-9.9.dist-info"
    foreign.mkdir()
    (foreign / "METADATA").write_text("Metadata-Version: 2.1\nName: winnow\nVersion: 9.9\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    (fault,) = installation_faults()
    assert "The package winnow 9.9 of another project" in fault
