"""A worker has no more memory than it may have: a page that needs more costs itself alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.programs import require_program
from winnow.chromium.process import HEADLESS, OFFLINE, Chromium, program
from winnow.compose.factories import pool_of
from winnow.config.settings import Settings
from winnow.document.values import Page, Recipe
from winnow.jobs.oom_score import WORKER
from winnow.jobs.pool import Pool
from winnow.proxy.http.proxy_errors import TransformError
from winnow.transforms.pooled import PooledTransform

MIB = 1024 * 1024
GREEDY = """
from winnow.engine.worker import bound_memory
bound_memory(256 * 1024 * 1024)
try:
    bytearray(1024 * 1024 * 1024)
except MemoryError:
    print("refused")
"""
SENTENCE = "The river rose overnight, and by morning the whole village stood on the bridge. "
ARTICLE = f"<title>T</title><h1>T</h1>{f'<p>{SENTENCE * 4}</p>' * 8}".encode()


@asynccontextmanager
async def pool(memory: int) -> AsyncIterator[Pool]:
    """The pool as the settings make it, of one worker with so much memory."""
    plain = Settings()
    extraction = replace(plain.extraction, processes=1, deadline=120.0, max_memory=memory)
    made = pool_of(replace(plain, extraction=extraction))
    made.start()
    assert await made.begun(120)
    try:
        yield made
    finally:
        await made.aclose()


def limits_of(pid: int) -> str:
    return Path(f"/proc/{pid}/limits").read_text()


def test_more_memory_than_the_bound_is_refused() -> None:
    run = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, check=True)
    assert run.stdout == b"refused\n"


def score_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())


async def test_a_worker_is_ended_before_the_process_that_answers() -> None:
    """Where memory runs out; also the browser that a worker starts, whatever it sets itself."""
    async with pool(0) as made:
        assert [score_of(pid) for pid in made.pids] == [WORKER]
    assert score_of(os.getpid()) < WORKER


def test_a_browser_is_ended_before_the_process_that_answers() -> None:
    require_program("chromium")
    with Chromium(program(HEADLESS), 512, OFFLINE) as browser:
        browser.ask("Browser.getVersion", {}, seconds=60)
        started = browser.process_group
        (main,) = Path(f"/proc/{started}/task/{started}/children").read_text().split()
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        scores = {pid: score_of(int(pid)) for pid in (str(started), main, *children)}
    assert min(scores.values()) > score_of(os.getpid()), scores


async def test_a_worker_that_runs_has_the_bound_of_the_settings() -> None:
    async with pool(700 * MIB) as made:
        await PooledTransform(made)(Page(ARTICLE), Recipe("bte"))
        limits = limits_of(made.pids[0])
        assert re.search(rf"^Max address space +{700 * MIB} ", limits, re.MULTILINE)


async def test_a_page_that_needs_more_costs_itself_alone() -> None:
    """Fourteen million letters in a page need more than a worker of so little memory has."""
    large = ARTICLE.replace(b"<h1>", b"<p>" + SENTENCE.encode() * 175_000 + b"<h1>")
    async with pool(220 * MIB) as made:
        shown = PooledTransform(made)
        with pytest.raises(TransformError) as refused:
            await shown(Page(large), Recipe("bte"))
        assert refused.value.reason == "too-large"
        assert (await shown(Page(ARTICLE), Recipe("bte"))).body
    async with pool(0) as made:
        assert (await PooledTransform(made)(Page(large), Recipe("bte"))).body
