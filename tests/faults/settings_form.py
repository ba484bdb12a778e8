"""Sends a form of ``/-/settings`` as a browser does; knows no fault."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from tests.proxy.origins import Answer, ask, get

PAGE = "Accept: text/html,*/*;q=0.8"


async def post_setting(port: int, **fields: str) -> Answer:
    """The answer to one change, by the token that the page holds."""
    return await _post(port, "/-/settings", fields)


async def post_site(port: int, site: str, **fields: str) -> Answer:
    """The answer to a choice for a site, whose form is sent with these fields."""
    return await _post(port, "/-/settings/site", {**fields, "do": "save"}, f"?site={site}")


async def _post(port: int, path: str, fields: dict[str, str], query: str = "") -> Answer:
    own = f"http://127.0.0.1:{port}"
    page = (await ask(port, get(f"{own}{path}{query}", PAGE))).body.decode()
    hidden = dict(re.findall(r'type="?hidden"? name="?(\w+)"? value="([^"]*)"', page))
    assert hidden
    body = urlencode({**hidden, **fields}).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {own}\r\n"
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
