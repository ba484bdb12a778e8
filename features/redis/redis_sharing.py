"""What the settings share by Redis; the extra ``redis`` is imported where they name one."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.features.redis.settings import RedisSettings
from winnow.proxy.caching.memory_storage import ResponseStorage
from winnow.proxy.caching.renderings import SharedValues
from winnow.proxy.cluster.bus import Bus
from winnow.proxy.cluster.sharing import Instance
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.site_store import Merge, SiteStore, SiteStoreBounds

if TYPE_CHECKING:
    from redis.asyncio import Redis

SECTIONS: Final = ("cache", "learning", "storage")
SPREAD: Final = frozenset({"shared choices", "shared shelf", "views", "gate", "forget"})
"""Subjects that other instances receive; all others stay within one instance."""
FORM_KEY: Final = "winnow:form-key"
PATIENCE: Final = 2.0
"""Seconds until an access to Redis counts as failed."""


@dataclass(frozen=True, slots=True)
class RedisSharing:
    """A ``Sharing``: each section of the settings may name a Redis of its own."""

    settings: Settings

    def check(self) -> None:
        """Raises ConfigError for an address that is none."""
        for section, url in self.addresses().items():
            redis_of(url, section)

    def addresses(self) -> dict[str, str]:
        """The address of each Redis, by section."""
        named = self.settings.of(RedisSettings)
        found = {section: getattr(named, section) for section in SECTIONS}
        return {section: url for section, url in found.items() if url}

    @asynccontextmanager
    async def joined(self, own: Instance) -> AsyncIterator[tuple[Bus, ChoiceStore, LibraryStore]]:
        """Bus, choices and library together with the other instances."""
        url = self.settings.of(RedisSettings).storage
        if not url:
            yield own.bus, own.choices, own.library
            return
        redis = redis_of(url, "storage")
        from winnow.features.redis.redis_bus import RedisBus  # noqa: PLC0415 - an extra
        from winnow.features.redis.redis_choices import RedisChoices  # noqa: PLC0415 - an extra
        from winnow.features.redis.redis_library import RedisLibrary  # noqa: PLC0415 - an extra

        bus = RedisBus(own.bus, redis, own.name, SPREAD, PATIENCE)
        choices = RedisChoices(own.choices, redis, PATIENCE)
        library = RedisLibrary(own.library, redis, PATIENCE)
        choices.notify_instances = partial(bus.publish, "shared choices")
        library.notify_instances = partial(bus.publish, "shared shelf")
        bus.subscribe("shared choices", lambda _: choices.refresh())
        bus.subscribe("shared shelf", lambda _: library.refresh())

        async def refresh() -> None:
            own.tokens.adopt(await form_key(redis))
            await choices.refresh()
            await library.refresh()

        await bus.start(refresh)
        try:
            yield bus, choices, library
        finally:
            await bus.aclose()

    @property
    def patience(self) -> float:
        return self.settings.of(RedisSettings).timeout

    @property
    def has_sites(self) -> bool:
        return "learning" in self.addresses()

    def sites(self, merge: Merge, bounds: SiteStoreBounds) -> SiteStore | None:
        """Where lessons are shared, if the settings say so. Raises ConfigError."""
        made: SiteStore | None = self._made(
            "learning", "redis_sites", lambda module, url: module.RedisSites(url, merge, bounds)
        )
        return made

    def responses(self) -> ResponseStorage | None:
        """Where responses are shared, if the settings say so. Raises ConfigError."""
        largest = self.settings.cache.memory // 8
        made: ResponseStorage | None = self._made(
            "cache",
            "redis_storage",
            lambda module, url: module.RedisStorage(url, largest, self.patience),
        )
        return made

    def renderings(self) -> SharedValues | None:
        """Where renderings are shared, if the settings say so. Raises ConfigError."""
        made: SharedValues | None = self._made(
            "cache",
            "redis_storage",
            lambda module, url: module.RedisValues(url, module.RENDERINGS, self.patience),
        )
        return made

    def _made(self, section: str, module: str, make: Callable[[Any, str], Any]) -> Any:
        """An object of a module that needs the extra; None without an address."""
        url = self.addresses().get(section)
        return _usable(section, module, lambda found: make(found, url)) if url else None


async def form_key(redis: Redis) -> bytes:
    """The key of all instances' forms, made by the first. Raises RedisError."""
    await redis.set(FORM_KEY, secrets.token_bytes(32), nx=True)
    found: Any = await redis.get(FORM_KEY)
    return bytes(found)


def redis_of(url: str, section: str) -> Redis:
    """Connections to a Redis, none made yet. Raises ConfigError, which names the setting."""

    def connected(module: Any) -> Redis:
        found: Redis = module.redis_at(url, timeout=2 * PATIENCE, connect_timeout=PATIENCE)
        return found

    redis: Redis = _usable(section, "redis_connection", connected)
    return redis


def _usable(section: str, module: str, make: Callable[[Any], Any]) -> Any:
    """Raises ConfigError without the extra, or for an address that is none."""
    try:
        found = import_module(f"winnow.features.redis.{module}")
    except ImportError as error:
        raise ConfigError(
            f"{section}.redis needs the package redis: pip install '.[redis]' in Winnow's checkout."
        ) from error
    try:
        return make(found)
    except ValueError as error:
        raise ConfigError(f"{section}.redis is no address of a Redis: {error}.") from error
