"""An origin and a proxy for each test that asks for them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.proxy.origins import Origin, serving
from tests.proxy.proxies import Proxy, proxying


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with serving(Origin()) as running:
        yield running


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with proxying() as running:
        yield running
