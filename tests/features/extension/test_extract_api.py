"""What changed since a page was saved is said beside the page as JSON, in no other format."""

from __future__ import annotations

import json

import pytest

from tests.proxy.own.own_requests import asked
from tests.proxy.proxies import FakeTransform
from winnow.document.values import Page, Recipe, Rendered
from winnow.features.extension.extract_api import ExtractApi
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.router import OwnResponse
from winnow.proxy.upstream.connections.connection_pool import IdleConnections
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.proxy.upstream.response_limits import OriginTimeouts


class Shown(FakeTransform):
    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        return Rendered(b'{"textContent": "It rained."}', "application/json", recipe.extractor)


async def answered(form: str) -> OwnResponse:
    async def earlier(owner: str, since: str, address: str) -> tuple[str, str]:
        return "It snowed.", "2026-03-02"

    client = OriginClient(Connector(timeout=60), IdleConnections(), OriginTimeouts(60, 60))
    policy = Policy(name="winnow-test")
    api = ExtractApi(client, Shown(), lambda: policy, earlier=earlier)
    query = {"since": "saved", "format": form}
    try:
        return await api(asked("/-/api/extract", query=query, form={"page": "<p>It rained."}))
    finally:
        await client.aclose()


async def test_changes_stand_in_the_json() -> None:
    record = json.loads((await answered("json")).body)
    assert record["textContent"] == "It rained."
    assert "snowed" in json.dumps(record["changes"])


@pytest.mark.parametrize("form", ["text", "markdown", "spans"])
async def test_no_other_format_has_changes(form: str) -> None:
    with pytest.raises(ClientFaultError) as raised:
        await answered(form)
    assert (raised.value.status, raised.value.reason) == (400, "bad-since")
