"""Sends a form of ``/-/settings`` as a browser does; knows no fault."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from tests.proxy.origins import Answer, ask, get

PAGE = "Accept: text/html,*/*;q=0.8"


async def post_setting(port: int, **fields: str) -> Answer:
    """The answer to one change, by the token that the page holds."""
    own = f"http://127.0.0.1:{port}"
    page = (await ask(port, get(f"{own}/-/settings", PAGE))).body.decode()
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found
    body = urlencode({**fields, "token": found[1]}).encode()
    head = (
        f"POST /-/settings HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {own}\r\n"
        "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return await ask(port, head.encode() + body)


async def paused(port: int) -> int:
    """The status of a pause of ten minutes, which is ended at once if it began."""
    status = (await post_setting(port, change="pause", value="10")).status
    if status == 303:
        await post_setting(port, change="resume")
    return status
