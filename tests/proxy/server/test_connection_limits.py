"""Connections are counted by client; those above the limits get 503 with Retry-After."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.proxy.origins import closed, get, opened, read_answer
from tests.proxy.proxies import proxying
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.listener import Listener
from winnow.proxy.server.sockets import bind_sockets


def test_each_client_and_all_together_are_bounded() -> None:
    connection_limits = ConnectionLimits(most=3, most_each=2)
    connection_limits.add("a", "10.0.0.1")
    assert not connection_limits.full_for("10.0.0.1")
    connection_limits.add("b", "10.0.0.1")
    assert connection_limits.full_for("10.0.0.1")
    assert not connection_limits.full_for("10.0.0.2")
    connection_limits.add("c", "10.0.0.2")
    assert connection_limits.full_for("10.0.0.3")
    connection_limits.remove("b")
    connection_limits.remove("b")
    assert (len(connection_limits), connection_limits.full_for("10.0.0.1")) == (2, "")


def test_a_client_that_has_left_leaves_no_entry() -> None:
    connection_limits = ConnectionLimits()
    for number in range(1000):
        connection_limits.add(number, str(number))
        assert not connection_limits.full_for("another")
        connection_limits.remove(number)
    assert (len(connection_limits), len(connection_limits._counts)) == (0, 0)


@asynccontextmanager
async def crowded(connection_limits: ConnectionLimits) -> AsyncIterator[int]:
    """A proxy with bounds; its port."""
    async with proxying() as proxy:
        server = proxy.front.server()
        server.connection_limits = connection_limits
        listening, sockets = Listener(server, None, connection_limits), bind_sockets("127.0.0.1", 0)
        listening.accept(sockets)
        yield sockets[0].getsockname()[1]
        await listening.close()
        await server.shutdown(1)


async def test_a_connection_above_the_limit_gets_503_and_others_go_on() -> None:
    connection_limits = ConnectionLimits(most=2)
    async with crowded(connection_limits) as port:
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


def test_the_limit_that_is_reached_has_a_name() -> None:
    limits = ConnectionLimits(most=2, most_each=1, name="open_files")
    limits.add(1, "10.0.0.1")
    assert limits.full_for("10.0.0.1") == "connections_per_client"
    assert limits.full_for("10.0.0.2") == ""
    limits.add(2, "10.0.0.2")
    assert limits.full_for("10.0.0.3") == "open_files"
