"""Own pages are loaded once, at the first request for one, beside the loop."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

from tests.proxy.own.own_requests import asked
from winnow.proxy.own.lazy_pages import LazyOwnPages
from winnow.proxy.own.router import OwnPages, OwnRequest, OwnResponse


async def _page(_request: OwnRequest) -> OwnResponse:
    return OwnResponse(b"here")


async def test_they_are_loaded_once_in_a_thread() -> None:
    threads: list[threading.Thread] = []

    def load() -> OwnPages:
        threads.append(threading.current_thread())
        return OwnPages({"/-/a": _page})

    pages = LazyOwnPages(load)
    assert not threads
    answers = await asyncio.gather(*(pages(asked("/-/a")) for _ in range(3)))
    assert [answer.body for answer in answers] == [b"here"] * 3
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def test_a_start_imports_none_of_their_handlers() -> None:
    program = (
        "import sys, winnow.compose.running\n"
        "print(*(name for name in sys.modules if name.startswith('winnow.proxy.own.handlers.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["winnow.proxy.own.handlers.devices"]
