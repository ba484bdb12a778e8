"""Whatever an origin does, a reader gets an error or what there is, in time, and the next page."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
import pytest_asyncio

from tests.faults.origins import FAULTS, Fault
from tests.faults.readers import read
from tests.faults.worlds import World, world
from tests.sweeps import rest_in_release

pytestmark = pytest.mark.asyncio(loop_scope="module")
QUICK = [fault for fault in FAULTS if fault.name != "stalls within the body"]
"""That one waits 14 s, until the deadlines of a page are over."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def made(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    async with world(Path(tmp_path_factory.mktemp("faults"))) as running:
        yield running


@pytest.mark.parametrize("fault", rest_in_release(FAULTS, QUICK), ids=lambda fault: fault.name)
async def test_an_origin_that_goes_wrong_costs_one_page(made: World, fault: Fault) -> None:
    got = await made.meet(fault)
    assert got.word in fault.wanted
    assert await made.is_sound()


async def test_a_name_that_comes_and_goes_is_an_error_as_long_as_it_is_gone(made: World) -> None:
    words = []
    for number, up in enumerate((False, True, False, True)):
        made.names.up = up
        url = f"http://flapping{number // 2}.example:{made.sound.port}/page"  # nothing is kept open
        words.append((await read(made.proxy.port, url)).word)
    assert words == ["502", "whole", "502", "whole"]


async def test_an_origin_where_nobody_listens_is_an_error(made: World) -> None:
    assert (await read(made.proxy.port, "http://127.0.0.1:1/")).word == "502"


async def test_a_killed_extracting_process_costs_one_page_its_extraction(made: World) -> None:
    for _ in range(3):
        for pid in made.proxy.pool.pids:
            with suppress(ProcessLookupError):  # the one killed before
                os.kill(pid, signal.SIGKILL)
        got = await read(made.proxy.port, made.sound.url("/page"))
        assert got.word == "whole"
