"""Redis keeps what every store of sites keeps."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.features.redis.redises import redis
from tests.proxy.stores import test_site_store as every
from tests.proxy.stores.memories import merge
from winnow.features.redis.redis_sites import RedisSites

globals().update({name: each for name, each in vars(every).items() if name.startswith("test_")})
"""What every store is asked."""


@pytest.fixture
async def store() -> AsyncIterator[RedisSites]:
    async with redis() as running:
        made = RedisSites(running.url, merge, every.BOUNDS)
        yield made
        await made.aclose()
