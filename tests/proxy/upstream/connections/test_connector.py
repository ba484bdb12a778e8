"""Who may not reach private addresses reaches none, whatever a name resolves to and when."""

from __future__ import annotations

import asyncio
import socket

import pytest

from tests.attack.scales import Mirror
from tests.proxy.origins import Origin, serving
from winnow.proxy.access.private_addresses import ClientPermit, public_only
from winnow.proxy.http.proxy_errors import (
    AddressRefusedError,
    OriginFaultError,
    OriginTimeoutError,
    PrivateAddressError,
)
from winnow.proxy.http.request_target import Origin as Address
from winnow.proxy.upstream.connections.connection_pool import OriginConnection
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.resolver import Resolver

pytestmark = pytest.mark.usefixtures("virtual_time")
PUBLIC = "93.184.216.34"


class Changing(Resolver):
    """A name whose addresses differ with each look-up (DNS rebinding)."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        super().__init__()
        self._answers = list(answers)

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        listed = self._answers.pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in listed]


def named(port: int) -> Address:
    return Address("http", "rebinding.example", port)


async def answered(wire: OriginConnection) -> None:
    await wire.send(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert (await wire.receive()).startswith(b"HTTP/1.1 ")
    wire.abort()


async def test_a_name_that_leads_inside_is_refused_unconnected() -> None:
    async with serving(Origin()) as inside:
        connector = Connector(Changing(("127.0.0.1",)), timeout=60)
        with pytest.raises(AddressRefusedError, match="not open to you"):
            await connector.open(named(inside.port), public_only)
        assert inside.connections == 0


async def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    """Asked once more after the check, this name would lead inside."""
    checked: list[str] = []

    def only_this_computer(address: str, _port: int) -> bool:
        checked.append(address)
        return address == "127.0.0.1"

    async with serving(Origin()) as inside:
        connector = Connector(Changing(("127.0.0.1",), (PUBLIC,)), timeout=60)
        wire = await connector.open(named(inside.port), only_this_computer)
        await answered(wire)
    assert checked == ["127.0.0.1"]


async def test_of_several_addresses_only_those_permitted_are_tried() -> None:
    tried: list[str] = []

    def permit(address: str, _port: int) -> bool:
        tried.append(address)
        return address == "127.0.0.1"

    async with serving(Origin()) as inside:
        connector = Connector(Changing(("169.254.169.254", "127.0.0.1")), timeout=60)
        wire = await connector.open(named(inside.port), permit)
        await answered(wire)
    assert tried == ["169.254.169.254", "127.0.0.1"]


async def test_an_address_that_does_not_answer_holds_up_no_other() -> None:
    """Happy Eyeballs (RFC 8305, section 5): the next address is tried meanwhile."""
    with socket.socket() as full:
        full.bind(("127.0.0.2", 0))
        full.listen(0)
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(3)]
        for each in waiting:  # what is beyond the backlog gets no answer
            each.setblocking(False)
            each.connect_ex(("127.0.0.2", port))
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
        async with server:
            resolver = Changing(("127.0.0.2", "127.0.0.1"), ("127.0.0.2",))
            wire = await Connector(resolver, timeout=60).open(named(port))
            assert wire.peer == "127.0.0.1"
            wire.close()
            with pytest.raises(OriginTimeoutError):
                await Connector(resolver, timeout=0.5).open(named(port))
        for each in waiting:
            each.close()


# -- a client that may reach private addresses: the name that leads there counts


async def opened(answers: tuple[tuple[str, ...], ...], permit: ClientPermit) -> list[str]:
    """Where each look-up in turn led; what was refused, by whether its reader may allow it."""
    found = []
    async with serving(Origin()) as inside:
        connector = Connector(Changing(*answers), timeout=0.3)
        for _ in answers:
            try:
                wire = await connector.open(named(inside.port), permit)
            except PrivateAddressError as error:
                found.append("ask" if error.asks else "refused")
            except OriginFaultError:
                found.append("public")
            else:
                found.append(wire.peer)
                wire.abort()
    return found


BROWSER, PROGRAM = ClientPermit(asks=True), ClientPermit()
HERE = "127.0.0.1"


@pytest.mark.parametrize("permit", [BROWSER, PROGRAM])
async def test_of_mixed_answers_the_public_ones_are_used(permit: ClientPermit) -> None:
    assert await opened(((PUBLIC, HERE), (HERE, PUBLIC)), permit) == ["public", "public"]


@pytest.mark.parametrize("permit", [BROWSER, PROGRAM])
async def test_a_name_that_was_public_today_leads_to_no_private_address(
    permit: ClientPermit,
) -> None:
    assert await opened(((PUBLIC,), (HERE,)), permit) == ["public", "refused"]


async def test_a_name_of_private_addresses_alone_is_asked_about_but_for_programs() -> None:
    assert await opened(((HERE,),), BROWSER) == ["ask"]
    assert await opened(((HERE,),), PROGRAM) == [HERE]


@pytest.mark.parametrize("name", ["rebinding.example", ".example", ".rebinding.example"])
async def test_a_name_that_was_allowed_leads_where_it_says(name: str) -> None:
    permit = ClientPermit(frozenset({name}), asks=True)
    assert await opened(((HERE,), (PUBLIC,), (HERE,)), permit) == [HERE, "public", HERE]


async def test_another_name_than_the_allowed_one_is_asked_about() -> None:
    permit = ClientPermit(frozenset({"binding.example", "x.rebinding.example"}), asks=True)
    assert await opened(((HERE,),), permit) == ["ask"]


@pytest.mark.parametrize("host", ["a..example", ".example", "a" * 64 + ".example"])
async def test_a_name_that_tls_cannot_ask_for_is_no_defect_of_ours(host: str) -> None:
    """A parent proxy, or a strange name server, may lead it somewhere all the same."""
    site = Mirror()
    async with site.serving():
        connector = Connector(Changing(("127.0.0.1",)), timeout=60)
        with pytest.raises(OriginFaultError, match="No TLS with"):
            await connector.open(Address("https", host, site.port))


@pytest.mark.parametrize(
    ("found", "meant", "leads"),
    [((PUBLIC, HERE), HERE, True), ((PUBLIC,), HERE, False), ((), HERE, False)],
)
async def test_a_name_leads_to_an_address_that_it_has(
    found: tuple[str, ...], meant: str, leads: bool
) -> None:
    connector = Connector(Changing(found), timeout=60)
    assert await connector.leads_to("site.example", Address("http", meant, 80)) is leads
