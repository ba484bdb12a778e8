"""Connections are counted by client; those beyond the bounds are told when to try again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.proxy.origins import closed, get, opened, read_answer
from tests.proxy.proxies import proxying
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.listener import Listener, bound


def test_each_client_and_all_together_are_bounded() -> None:
    crowd = ConnectionLimits(most=3, most_each=2)
    crowd.came("a", "10.0.0.1")
    assert not crowd.is_full_for("10.0.0.1")
    crowd.came("b", "10.0.0.1")
    assert crowd.is_full_for("10.0.0.1")
    assert not crowd.is_full_for("10.0.0.2")
    crowd.came("c", "10.0.0.2")
    assert crowd.is_full_for("10.0.0.3")
    crowd.left("b")
    crowd.left("b")
    assert (len(crowd), crowd.is_full_for("10.0.0.1")) == (2, False)


def test_nothing_is_kept_of_a_client_that_has_left() -> None:
    crowd = ConnectionLimits()
    for number in range(1000):
        crowd.came(number, str(number))
        assert not crowd.is_full_for("another")
        crowd.left(number)
    assert (len(crowd), len(crowd._counts)) == (0, 0)


@asynccontextmanager
async def crowded(crowd: ConnectionLimits) -> AsyncIterator[int]:
    """A proxy with bounds; its port."""
    async with proxying() as proxy:
        server = proxy.front.server()
        server.crowd = crowd
        listening, sockets = Listener(server, None, crowd), bound("127.0.0.1", 0)
        listening.accept(sockets)
        yield sockets[0].getsockname()[1]
        await listening.close()
        await server.shutdown(1)


async def test_one_too_many_is_told_to_try_again_and_the_others_go_on() -> None:
    crowd = ConnectionLimits(most=2)
    async with crowded(crowd) as port:
        health = get(f"http://127.0.0.1:{port}/-/health")
        first, second, third = [await opened(port) for _ in range(3)]
        for reader, writer in (first, second):
            writer.write(health)
            await read_answer(reader)
        third[1].write(health)
        answer = await read_answer(third[0])
        assert (answer.status, answer.field("retry-after")) == (503, "5")
        assert answer.field("winnow-reason") == "too-many-connections"
        await closed(third[1])
        await closed(second[1])
        first[1].write(health)
        assert (await read_answer(first[0])).status != 503
        await closed(first[1])
