"""Whether each Redis of the settings answers: for metrics, the status page and readiness."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from winnow.feature import Context, Opening
from winnow.features.redis.redis_sharing import SECTIONS, RedisSharing, redis_of
from winnow.proxy.observability.metrics import LiveGauge, Reporting

EVERY: Final = 5.0
"""Seconds between two questions."""


class RedisState(Reporting):
    """``up``: whether the Redis of a section answered the last PING, by section."""

    def __init__(self) -> None:
        self.up: Mapping[str, bool] = {}

    async def run(self, sharing: RedisSharing) -> None:
        """Ask until it is cancelled; nothing is known then."""
        try:
            while sharing.addresses():
                await self.ask(sharing)
                await asyncio.sleep(EVERY)
        finally:
            self.up = {}

    async def ask(self, sharing: RedisSharing) -> None:
        """Ask each once, all at a time."""
        used = sharing.addresses()
        answers = await asyncio.gather(*(_answers(url, name) for name, url in used.items()))
        self.up = dict(zip(used, answers, strict=True))

    def notes(self) -> list[str]:
        """A sentence for each that does not answer."""
        down = (section for section, is_up in self.up.items() if not is_up)
        return [f"The Redis of {section}.redis does not answer." for section in down]

    def gauges(self) -> Iterator[LiveGauge]:
        for section in SECTIONS:
            yield LiveGauge(
                "redis_up",
                "Whether the Redis of this section of the settings answers.",
                partial(self.up_in, section),
                labels=(("section", section),),
                is_shown=False,
            )

    def up_in(self, section: str) -> bool | None:
        """None where the settings have none, or it was not asked yet."""
        return self.up.get(section)


@asynccontextmanager
async def stores(_opening: Opening) -> AsyncIterator[tuple[RedisState]]:
    """The state outlives a reload of the settings."""
    yield (RedisState(),)


async def asked(context: Context) -> None:
    """The task: asks each Redis of these settings."""
    await context.of(RedisState).run(RedisSharing(context.settings))


async def _answers(url: str, section: str) -> bool:
    from redis.exceptions import RedisError  # noqa: PLC0415 - an extra

    redis = redis_of(url, section)
    try:
        return bool(await redis.ping())
    except (RedisError, OSError, TimeoutError):
        return False
    finally:
        await redis.aclose()
