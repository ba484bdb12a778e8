"""One client's slow pages do not hold up another's, over real sockets and with real workers."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import Any

import pytest

from tests.proxy.origins import Answer, Origin, get, html, read_answer, serving
from tests.winnow.test_whole_path import ARTICLE, BROWSER
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.jobs.quality import QualityLimits
from winnow.transforms.pooled import worker_command

SLEEPING = """
import time, winnow.engine.worker
usual = winnow.engine.worker.answer
def answer(parcel, standard):
    if b"<!-- slow" in parcel:
        time.sleep(600)
    return usual(parcel, standard)
winnow.engine.worker.answer = answer
winnow.engine.worker.main()
"""


def settings() -> Settings:
    plain = Settings()
    extraction = replace(plain.extraction, processes=2, deadline=600.0, queue_seconds=600.0)
    server = replace(plain.server, port=0)
    return replace(plain, server=server, extraction=replace(extraction, extractor="bte"))


async def ask_from(address: str, port: int, url: str) -> Answer:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        writer.write(get(url, BROWSER))
        return await read_answer(reader)
    finally:
        writer.close()


async def test_forty_slow_pages_and_another_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without shares the other client waits as long as the slow pages take: ten minutes."""

    def sleeping(standard: QualityLimits, max_memory: int, *extractors: Any) -> list[str]:
        arguments = worker_command(standard, max_memory, *extractors)[4:]
        return [sys.executable, "-c", SLEEPING, *arguments]

    monkeypatch.setattr("winnow.compose.factories.worker_command", sleeping)
    async with serving(Origin()) as origin, running(settings()) as proxy:
        slow = {f"/slow{number}": ARTICLE + b"<!-- slow %d" % number for number in range(40)}
        origin.replies = {path: html(body) for path, body in slow.items()}
        origin.replies["/page"] = html(ARTICLE)
        asking = [
            asyncio.create_task(ask_from("127.0.0.1", proxy.port, origin.url(path)))
            for path in slow
        ]
        async with asyncio.timeout(120):
            while proxy.pool.waiting < 30:  # noqa: ASYNC110 - the pool tells nobody
                await asyncio.sleep(0.01)
            answer = await ask_from("127.0.0.2", proxy.port, origin.url("/page"))
        assert answer.field("winnow-action") == "extracted"
        assert sum(not task.done() for task in asking) >= 30
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
