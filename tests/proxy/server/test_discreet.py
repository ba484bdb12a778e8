"""What a client sends that is no HTTP is refused, and neither quoted nor traced in the log."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.proxy.proxies import proxying


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01secret\r\n\r\n", b"GET http://user:secret@[::1 HTTP/1.1\r\n\r\n"]
)
async def test_what_is_no_http_is_not_quoted_in_the_log(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "winnow.connection")
    async with proxying() as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(sent)
        assert b" 400 " in await reader.readline()
        writer.close()
        await writer.wait_closed()
    (record,) = [one for one in caplog.records if one.name == "winnow.connection"]
    assert record.levelno == logging.DEBUG
    assert "secret" not in caplog.text
    assert "127.0.0.1" not in record.getMessage()
