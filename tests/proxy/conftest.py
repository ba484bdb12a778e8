"""An origin and a proxy for each test that asks for them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from blockbuster import blockbuster_ctx

from tests.proxy.origins import Origin, serving
from tests.proxy.proxies import Proxy, proxying


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with serving(Origin()) as running:
        yield running


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    """A proxy in which a blocking call within the event loop fails the test."""
    async with proxying() as running:
        with blockbuster_ctx("proxy"):
            yield running
