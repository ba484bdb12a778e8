"""CPU time of one request's head: Winnow's parser, aiohttp's compiled one and its Python one.

python -m benchmarks.request_parsers
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Final

from aiohttp.base_protocol import BaseProtocol
from aiohttp.http_parser import HttpRequestParser, HttpRequestParserPy

from winnow.proxy.http.headers import Headers
from winnow.proxy.server.request_parser import MAX_LINE, RequestParser

ROUNDS: Final = 7
REQUESTS: Final = 3000
HEAD: Final = (
    b"GET /article/12345?x=1 HTTP/1.1\r\nHost: news.example\r\nUser-Agent: Mozilla/5.0 (X11)\r\n"
    b"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8\r\n"
    b"Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-US,en;q=0.9\r\n"
    b"Cookie: a=b; c=d\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n"
    b"Sec-Fetch-Site: none\r\nUpgrade-Insecure-Requests: 1\r\n\r\n"
)


def microseconds(parse: Callable[[], object]) -> float:
    """The least CPU time of a call over some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(REQUESTS):
            parse()
        best = min(best, (time.process_time() - begun) / REQUESTS)
    return best * 1e6


async def main() -> None:
    loop = asyncio.get_running_loop()
    ours = RequestParser(BaseProtocol(loop), loop, MAX_LINE, 10**9)
    lines = [f"ours               {microseconds(lambda: ours.feed_data(HEAD)):6.1f} us"]
    for name, kind in (("compiled", HttpRequestParser), ("Python", HttpRequestParserPy)):
        theirs = kind(BaseProtocol(loop), loop, MAX_LINE)

        def read(parser: HttpRequestParserPy = theirs) -> Headers:
            """With the fields in the form that Winnow needs."""
            return Headers.from_raw(parser.feed_data(HEAD)[0][0][0].raw_headers)

        lines.append(f"aiohttp's {name:8} {microseconds(read):6.1f} us")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
