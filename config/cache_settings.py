"""The settings of the cache."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from winnow.config.setting_fields import setting
from winnow.config.sources.units import Size

_MIB = 1024 * 1024


class CacheMode(StrEnum):
    """``private`` also stores what RFC 9111 reserves for one person."""

    SHARED = "shared"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class Cache:
    """The cache of responses (RFC 9111) and of extracted pages."""

    enabled: bool = setting(True, "Cache responses as HTTP allows.")
    mode: CacheMode = setting(
        CacheMode.SHARED,
        "What is cached: shared only what everybody may see, private also what is for one person.",
    )
    private_cache: bool = setting(
        False,
        "Only one person or household uses this Winnow: responses with cookies are cached, and "
        "responses to requests with cookies may be reused by heuristic freshness.",
    )
    memory: Size = setting(64 * _MIB, "Memory for responses.", minimum=_MIB)
    disk: Size = setting(
        0, "Disk space for responses, which then survive a restart; 0 uses memory only."
    )
    largest_reply: Size = setting(4 * _MIB, "Maximum size of a cached response.", minimum=1024)
    renderings: Size = setting(32 * _MIB, "Memory for extracted pages; 0 caches none.")
