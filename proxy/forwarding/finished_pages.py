"""Pages with their bar, in the coding that a client accepts; those used last are cached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from winnow.document.values import Rendered
from winnow.jobs.rendering_key import FinishedKey, finished_key
from winnow.proxy.caching.memory_storage import SizedCache
from winnow.proxy.decisions import etags
from winnow.proxy.forwarding.known_pages import FinishedPage
from winnow.proxy.http import content_coding

LIMIT: Final = 8 * 1024 * 1024
"""Bytes of all finished pages in the cache."""
AT_ONCE: Final = 64 * 1024
"""Larger bodies are coded in a thread: this many bytes take half a millisecond."""

_ALONGSIDE: Final = 600
"""Bytes that a page takes besides its body and its variant, roughly."""


Fill = Callable[[bytes], bytes]


@dataclass(frozen=True)
class PageFinisher:
    """Finishes renderings and caches those used last. One per process."""

    _cache: SizedCache[FinishedKey, FinishedPage] = field(default_factory=lambda: SizedCache(LIMIT))

    async def __call__(
        self, rendered: Rendered, fill: Fill, variant: str, accepted: str | None
    ) -> FinishedPage:
        """The rendering with its bar, which depends on ``variant`` and the rendering alone.

        ``fill`` puts it in. ``accepted``: the client's Accept-Encoding, None without one.
        """
        wanted = content_coding.choose_coding(accepted, content_coding.SMALL)
        key = finished_key(rendered, variant, wanted)
        finished = self._cache.get(key)
        if finished is None:
            finished = await finish(fill(rendered.body), accepted)
            size = len(finished.body) + len(variant) + _ALONGSIDE
            if size <= LIMIT // 8:
                self._cache.put(key, finished, size)
        return finished


async def finish(body: bytes, accepted: str | None) -> FinishedPage:
    """A page in the content coding that the client accepts best."""
    chosen = content_coding.choose_coding(accepted, len(body))
    coded = body
    if chosen != "identity":
        few = len(body) <= AT_ONCE
        coded = (
            content_coding.encode(chosen, body)
            if few
            else await asyncio.to_thread(content_coding.encode, chosen, body)
        )
    return FinishedPage(coded, chosen, etags.of_body(body))
