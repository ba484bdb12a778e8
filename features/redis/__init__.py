"""Redis, in which several instances share choices, saved pages, lessons and caches.

docs/fleet.md, docs/caching.md
"""

from __future__ import annotations

from typing import Final

from winnow.feature import Feature

FEATURE: Final = Feature(
    name="redis",
    settings="winnow.features.redis.settings:RedisSettings",
    stores="winnow.features.redis.redis_state:stores",
    task="winnow.features.redis.redis_state:asked",
    sharing="winnow.features.redis.redis_sharing:RedisSharing",
)
