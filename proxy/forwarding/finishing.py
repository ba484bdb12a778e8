"""Adds bar and content coding to renderings, and caches the result for equal requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from winnow.document.values import BAR_MARK, Rendered
from winnow.jobs.rendering_key import FinishedKey, finished_key
from winnow.proxy.caching.memory_storage import SizedCache
from winnow.proxy.decisions import etags
from winnow.proxy.http import content_coding

LIMIT: Final = 8 * 1024 * 1024
"""Bytes of all finished pages in the cache."""
AT_ONCE: Final = 64 * 1024
"""Larger bodies are coded in a thread: this many bytes take half a millisecond."""

_ALONGSIDE: Final = 600
"""Bytes that a page takes besides its body and its variant, roughly."""


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """``body`` in its ``coding``; ``validator`` is that of the body uncoded."""

    body: bytes
    coding: str
    validator: etags.Validator


@dataclass(frozen=True)
class PageFinisher:
    """Finishes renderings and caches those used last. One per process."""

    _kept: SizedCache[FinishedKey, FinishedPage] = field(default_factory=lambda: SizedCache(LIMIT))

    async def __call__(
        self, rendered: Rendered, bar: Callable[[], bytes], variant: str, accepted: str | None
    ) -> FinishedPage:
        """The rendering with its bar, which depends on ``variant`` and the rendering alone.

        ``accepted``: the client's Accept-Encoding, None without one.
        """
        wanted = content_coding.choose_coding(accepted, content_coding.SMALL)
        key = finished_key(rendered, variant, wanted)
        finished = self._kept.get(key)
        if finished is None:
            finished = await finish(rendered.body.replace(BAR_MARK, bar(), 1), accepted)
            size = len(finished.body) + len(variant) + _ALONGSIDE
            if size <= LIMIT // 8:
                self._kept.put(key, finished, size)
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
