"""The reference: the least that an HTTP proxy in Python can be, forty lines around aiohttp.

Streams requests and replies through; no cache, no rules, no extraction, no care for odd cases.
Run it as a program: ``python passthrough.py PORT``. It takes the event loop that Winnow would.
"""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from importlib.util import find_spec

from aiohttp import ClientSession, DummyCookieJar, TCPConnector, web
from yarl import URL

GONE = {"connection", "proxy-connection", "keep-alive", "transfer-encoding", "host"}


async def serve(port: int) -> None:
    connector = TCPConnector(limit=0)
    cookies = DummyCookieJar()
    async with ClientSession(
        connector=connector, auto_decompress=False, cookie_jar=cookies
    ) as session:

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            end_to_end = [
                (name, value) for name, value in request.headers.items() if name.lower() not in GONE
            ]
            body = request.content if request.body_exists else None
            url = URL(request.raw_path, encoded=True)
            async with session.request(
                request.method, url, headers=end_to_end, data=body, allow_redirects=False
            ) as reply:
                fields = [
                    (name, value)
                    for name, value in reply.headers.items()
                    if name.lower() not in GONE
                ]
                answer = web.StreamResponse(status=reply.status, reason=reply.reason)
                answer.headers.extend(fields)
                await answer.prepare(request)
                async for chunk in reply.content.iter_any():
                    await answer.write(chunk)
                await answer.write_eof()
                return answer

        server = web.Server(handle, access_log=None)
        listener = await asyncio.get_running_loop().create_server(
            server, "127.0.0.1", port, backlog=1024
        )
        await listener.serve_forever()


if __name__ == "__main__":
    run = import_module("uvloop").run if find_spec("uvloop") else asyncio.run
    run(serve(int(sys.argv[1])))
