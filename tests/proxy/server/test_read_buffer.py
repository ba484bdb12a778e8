"""Two event loops in two threads of one program never see each other's bytes."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.proxy.origins import Origin, reply, serving
from tests.proxy.proxies import proxying
from winnow.proxy.server.sockets import read_buffer

SIZE = 24 * 1024 * 1024
TIMES = 4


def moved(letter: bytes, together: threading.Barrier, uploads: bool) -> Counter[int]:
    """Which bytes arrive where nothing but ``letter`` was sent, up or down, through a proxy."""
    return asyncio.run(_uploaded(letter, together) if uploads else _downloaded(letter, together))


async def _downloaded(letter: bytes, together: threading.Barrier) -> Counter[int]:
    counted: Counter[int] = Counter()
    origin = Origin({"/": reply(letter * SIZE, "Cache-Control: no-store")})
    async with serving(origin), proxying() as proxy:
        for _ in range(TIMES):
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            together.wait(60)
            writer.write(f"GET {origin.url()} HTTP/1.0\r\n\r\n".encode())
            await reader.readuntil(b"\r\n\r\n")
            while data := await reader.read(1 << 20):
                counted.update({each: data.count(each) for each in set(data)})
            writer.close()
    return counted


async def _uploaded(letter: bytes, together: threading.Barrier) -> Counter[int]:
    origin = Origin({"/": reply(b"ok")})
    async with serving(origin), proxying() as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        together.wait(60)
        head = f"POST {origin.url()} HTTP/1.1\r\nHost: a\r\nContent-Length: {SIZE}\r\n\r\n"
        writer.write(head.encode() + letter * SIZE)
        await reader.readuntil(b"ok")
        writer.close()
    return Counter({each: origin.bodies[0].count(each) for each in set(origin.bodies[0])})


@pytest.mark.parametrize(("uploads", "bytes_"), [(False, SIZE * TIMES), (True, SIZE)])
def test_two_loops_never_see_each_other_s_bytes(uploads: bool, bytes_: int) -> None:
    together = threading.Barrier(2)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda letter: moved(letter, together, uploads), (b"a", b"b")))
    assert found == [{ord("a"): bytes_}, {ord("b"): bytes_}]


def test_a_loop_has_one_buffer_and_takes_it_along() -> None:
    first, second = asyncio.new_event_loop(), asyncio.new_event_loop()
    assert read_buffer(first) is read_buffer(first)
    assert read_buffer(first).obj is not read_buffer(second).obj
    first.close()
    second.close()


def test_a_loop_of_uvloop_has_its_own_too() -> None:
    uvloop = pytest.importorskip("uvloop")
    first, second = uvloop.new_event_loop(), uvloop.new_event_loop()
    assert read_buffer(first).obj is not read_buffer(second).obj
    first.close()
    second.close()
    del first, second
    gc.collect()
