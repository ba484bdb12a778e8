"""Ports of mail and databases are connected to by nobody, whatever the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.origins import Origin, ask, html
from tests.proxy.proxies import proxying
from winnow.compose.factories import client_of
from winnow.config.server_settings import REFUSED_PORTS
from winnow.config.settings import Settings
from winnow.proxy.http.proxy_errors import PortRefusedError
from winnow.proxy.http.request_target import Origin as Address
from winnow.proxy.upstream.connections.connector import Connector

MAIL = Address("https", "mail.test", 25)


def test_mail_and_databases_are_refused_and_no_port_that_a_system_hands_out() -> None:
    assert {25, 110, 143, 465, 587, 993, 1433, 1521, 3306, 5432, 6379, 9200, 11211, 27017} <= set(
        REFUSED_PORTS
    )
    assert not {80, 443, 8080, 8443, 3000, 5000, 8000} & set(REFUSED_PORTS)
    assert max(REFUSED_PORTS) < 32768


def test_the_setting_decides() -> None:
    plain = Settings()
    none = replace(plain, upstream=replace(plain.upstream, refused_ports=()))
    client_of(none).connector.check_port(MAIL)
    with pytest.raises(PortRefusedError):
        client_of(plain).connector.check_port(MAIL)


@pytest.mark.parametrize("way", ["forward", "gateway", "tunnel", "api"])
async def test_no_way_leads_there(origin: Origin, way: str) -> None:
    origin.replies["/"] = html(b"<p>a page")
    there = f"127.0.0.1:{origin.port}"
    connector = Connector(refused_ports=frozenset({origin.port}))
    async with proxying(connector=connector) as proxy:
        target = {
            "forward": f"GET http://{there}/",
            "gateway": f"GET /http://{there}/",
            "tunnel": f"CONNECT {there}",
            "api": f"GET /-/api/extract?url=http://{there}/",
        }[way]
        host = there if way in ("forward", "tunnel") else f"127.0.0.1:{proxy.port}"
        answer = await ask(proxy.port, f"{target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert answer.status == 403
    assert b"port-refused" in answer.head + answer.body
    assert not origin.connections
