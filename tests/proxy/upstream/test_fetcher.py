"""The status of an address is its response to HEAD."""

from __future__ import annotations

from tests.proxy.origins import Origin, reply
from winnow.compose.factories import client_of
from winnow.config.settings import Settings
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import anywhere
from winnow.proxy.upstream.fetcher import Fetcher


async def test_a_status_is_that_of_a_head_request_and_redirects_are_not_followed(
    origin: Origin,
) -> None:
    moved = reply(b"", "Location: /", status="301 Moved")
    origin.replies = {"/there/": reply(b""), "/moved/": moved}
    client = client_of(Settings())
    fetcher = Fetcher(client, Policy)
    paths = ("/there/", "/moved/", "/gone/")
    statuses = [await fetcher.status(origin.url(path), anywhere) for path in paths]
    await client.aclose()
    assert statuses == [200, 301, 404]
    assert all(head.startswith(b"HEAD ") for head in origin.requests)
