"""The process that answers starts without parsers and arrays; they come with the first page."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from tests.proxy.origins import Origin, ask, get, html, serving
from tests.proxy.proxies import FakeTransform, proxying
from winnow.compose.pooled import Loading
from winnow.proxy.decisions.policy import Preparation

RUN = """
import asyncio, tempfile
from dataclasses import replace
from pathlib import Path
from winnow.config.settings import Settings
from winnow.compose.running import serve

async def run(folder):
    plain = Settings()
    storage = replace(plain.storage, folder=Path(folder))
    server = replace(plain.server, port=0)
    async with serve(replace(plain, server=server, storage=storage)) as proxy:
        {asked}
        pass

with tempfile.TemporaryDirectory() as folder:
    asyncio.run(run(folder))
"""
HEAVY = (
    "numpy",
    "cryptography",
    "lxml",
    "selectolax",
    "PIL",
    "winnow.document.document",
    "winnow.engine.pipeline",
)


def loaded_after(code: str) -> set[str]:
    """Which of the heavy modules a fresh Python holds after it ran this."""
    told = f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_what_answers_holds_no_parser() -> None:
    assert loaded_after("import winnow.compose.running") == set()


def test_a_proxy_that_runs_holds_none_either() -> None:
    assert loaded_after(RUN.format(asked="")) == set()


def test_they_come_with_the_first_page() -> None:
    asked = "await winnow.proxy.app.app.forward.preparation()"
    assert "winnow.engine.pipeline" in loaded_after(RUN.format(asked=asked))


async def test_it_is_done_once_for_all_who_wait() -> None:
    times: list[int] = []
    loading = Loading(lambda: times.append(1))
    assert not loading.done
    await asyncio.gather(loading(), loading())
    assert loading.done
    assert times == [1]


class Counted:
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.done, self.asked = False, 0

    async def __call__(self) -> None:
        self.asked += 1
        self.done = True


@pytest.mark.parametrize(("accept", "asked"), [("text/html", 1), ("image/webp", 0)])
async def test_only_a_page_waits_for_it(accept: str, asked: int) -> None:
    counted = Counted()
    preparation: Preparation = counted
    async with (
        serving(Origin()) as origin,
        proxying(FakeTransform(), preparation=preparation) as up,
    ):
        origin.replies["/a"] = html(b"<p>page")
        for _ in range(2):
            answer = await ask(up.port, get(origin.url("/a"), f"Accept: {accept}"))
            assert answer.status == 200
    assert counted.asked == asked
