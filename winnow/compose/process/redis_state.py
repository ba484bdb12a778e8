"""Whether each Redis of the settings answers: for metrics, the status page and readiness."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from winnow.compose.stores import redis_of
from winnow.config.settings import Settings
from winnow.proxy.observability.metrics import LiveGauge

SECTIONS: Final = ("cache", "learning", "storage")
EVERY: Final = 5.0
"""Seconds between two questions."""


class RedisState:
    """``up``: whether the Redis of a section answered the last PING, by section."""

    def __init__(self) -> None:
        self.up: Mapping[str, bool] = {}

    async def run(self, settings: Callable[[], Settings]) -> None:
        """Ask until it is cancelled."""
        while True:
            await self.ask(settings())
            await asyncio.sleep(EVERY)

    async def ask(self, settings: Settings) -> None:
        """Ask each once, all at a time."""
        addresses = {section: getattr(settings, section).redis for section in SECTIONS}
        used = {section: url for section, url in addresses.items() if url}
        answers = await asyncio.gather(*(_answers(url, name) for name, url in used.items()))
        self.up = dict(zip(used, answers, strict=True))

    @property
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


async def _answers(url: str, section: str) -> bool:
    from redis.exceptions import RedisError  # noqa: PLC0415 - an extra

    redis = redis_of(url, f"{section}.redis")
    try:
        return bool(await redis.ping())
    except (RedisError, OSError, TimeoutError):
        return False
    finally:
        await redis.aclose()
