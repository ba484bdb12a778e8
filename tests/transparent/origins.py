"""Origins of the test: each says its address and what it was asked for.

    python -m tests.transparent.origins CERTIFICATE

``/story`` is an article.
"""

from __future__ import annotations

import asyncio
import ssl
import sys

from tests.transparent.network import INSIDE, SECOND, SITE, SITE_6

PARAGRAPH = (
    "<p>The ferry crossed the strait again on Monday, ten years after the last boat had left.</p>"
)
ARTICLE = f"<!doctype html><title>Ferry</title><h1>Ferry</h1><article>{PARAGRAPH * 30}</article>"

PORTS = {80: False, 443: True, 8000: False}


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    at = writer.get_extra_info("sockname")[0]
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return writer.close()
    lines = head.split("\r\n")
    host = next(line for line in lines if line.lower().startswith("host:"))
    body, kind = f"{at} {lines[0]} {host}", "text/plain"
    if " /story " in lines[0]:
        body, kind = ARTICLE, "text/html"
    reply = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body.encode())}\r\n"
    writer.write((reply + "Connection: close\r\n\r\n" + body).encode())
    await writer.drain()
    return writer.close()


async def main(certificate: str) -> None:
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    shown.load_cert_chain(certificate)
    for address in (SITE, SECOND, INSIDE, SITE_6):
        for port, secure in PORTS.items():
            await asyncio.start_server(answer, address, port, ssl=shown if secure else None)
    sys.stdout.write("listening\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
