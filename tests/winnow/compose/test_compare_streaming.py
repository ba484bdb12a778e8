"""Methods are shown as they have run; one that takes too long costs its own row alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.proxy.origins import Origin, html, serving
from tests.winnow.conftest import PAGE
from winnow.compose.running import running
from winnow.config.settings import Settings

METHODS = """
import os, time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from winnow.extractors.base import Method

@dataclass(frozen=True)
class Gated(Method):
    method: ClassVar[str] = "gated"

    def extract(self, document):
        while not os.path.exists(os.environ["GATE"]):
            time.sleep(.05)
        return self.extraction_of(document, np.ones(len(document.piece_words), bool), "all")

@dataclass(frozen=True)
class Stuck(Gated):
    method: ClassVar[str] = "stuck"

    def extract(self, document):
        time.sleep(600)
"""
DEADLINE = 6.0
"""Seconds of one method."""


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file for which one of two installed methods waits; the other ends never."""
    about = tmp_path / "site" / "slow-1.dist-info"
    about.mkdir(parents=True)
    (tmp_path / "site" / "slow.py").write_text(METHODS)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
    entries = "[winnow.extractors]\ngated = slow:Gated\nstuck = slow:Stuck\n"
    (about / "entry_points.txt").write_text(entries)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    monkeypatch.setenv("GATE", str(tmp_path / "gate"))
    return tmp_path / "gate"


def settings_with(deadline: float) -> Settings:
    plain = Settings()
    extraction = replace(plain.extraction, processes=1, deadline=deadline, extractor="bte")
    return replace(plain, server=replace(plain.server, port=0), extraction=extraction)


def asked(port: int, method: str, target: str) -> bytes:
    host = f"Host: 127.0.0.1:{port}\r\nAccept: text/html\r\nConnection: close"
    return f"{method} {target} HTTP/1.1\r\n{host}\r\n\r\n".encode()


async def test_each_method_is_shown_as_it_has_run_and_a_late_one_costs_its_row(gate: Path) -> None:
    async with serving(Origin()) as origin, running(settings_with(DEADLINE)) as proxy:
        await proxy.begin(60)
        origin.replies["/page"] = html(PAGE.encode())
        methods = "&method=".join(("", "bte", "gated", "stuck", "plain"))
        target = f"/-/compare?url={quote(origin.url('/page'), safe='')}{methods}"
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(asked(proxy.port, "GET", target))
        first = await reader.readuntil(b'<th scope="row">bte</th>')
        assert first.startswith(b"HTTP/1.1 200 ")
        await asyncio.to_thread(gate.touch)  # nothing else lets the next method end
        await reader.readuntil(b'<th scope="row">gated</th>')
        assert b" ms<" in await reader.readuntil(b'<th scope="row">stuck</th>')
        rest = (await reader.read()).decode()
        writer.close()
    assert "The method took too long." in rest
    assert '<th scope="row">plain</th>' in rest
    assert "Side by side" in rest
    assert rest.count("</html>") == 1
    assert rest.endswith("0\r\n\r\n")


async def test_head_runs_no_method() -> None:
    async with serving(Origin()) as origin, running(settings_with(60)) as proxy:
        await proxy.begin(60)
        origin.replies["/page"] = html(PAGE.encode())
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        target = f"/-/compare?url={quote(origin.url('/page'), safe='')}"
        writer.write(asked(proxy.port, "HEAD", target))
        answer = await reader.read()
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert body == b""
