"""The settings of Redis, each in the table of what is shared there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.config.setting_fields import setting
from winnow.config.sources.units import Duration


@dataclass(frozen=True, slots=True)
class RedisSettings:
    """What several instances share by Redis."""

    SECTION: ClassVar[str] = "redis"

    learning: str = setting(
        "",
        "Redis in which several instances share this data, such as redis://127.0.0.1:6379/0; "
        "with the names of the sites; empty: see on_disk.",
        protected=True,
        path="learning.redis",
    )
    storage: str = setting(
        "",
        "Redis in which several instances share choices, bookmarks, forms and failed log-ins, such "
        "as redis://127.0.0.1:6379/0; empty uses the folder.",
        protected=True,
        path="storage.redis",
    )
    cache: str = setting(
        "",
        "Redis in which several instances share responses and extracted pages, such as "
        "redis://127.0.0.1:6379/0; empty shares nothing.",
        protected=True,
        path="cache.redis",
    )
    timeout: Duration = setting(
        0.25,
        "Time limit for Redis; then the response counts as not cached.",
        minimum=0.01,
        path="cache.redis_timeout",
    )
