"""Renderings as they are sent: the bar put in, the whole coded, once for all who get the same.

Knows sizes and codings; refuses to know what stands in a bar. A rendering is a page's content, so
all it can be finished in follows from the page and from what the bar calls its variant.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from winnow.document.values import BAR_MARK, Rendered
from winnow.proxy.caching.sized import SizedCache
from winnow.proxy.decisions import etags
from winnow.proxy.http import content_coding

LIMIT: Final = 8 * 1024 * 1024
"""Bytes of all finished pages that are kept."""
AT_ONCE: Final = 64 * 1024
"""Bytes that are coded beside the loop only beyond this: they take half a millisecond."""

_ALONGSIDE: Final = 600
"""Bytes that a page takes besides its body and its variant, roughly."""

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """``body`` in its ``coding``; ``validator`` is that of the body uncoded."""

    body: bytes
    coding: str
    validator: etags.Validator


@dataclass(frozen=True)
class PageFinisher:
    """Dresses renderings, and keeps those finished last. One for the whole process."""

    _kept: SizedCache[Key, FinishedPage] = field(default_factory=lambda: SizedCache(LIMIT))

    async def __call__(
        self, rendered: Rendered, bar: Callable[[], bytes], variant: str, accepted: str | None
    ) -> FinishedPage:
        """The page with what ``bar`` makes, which ``variant`` and the rendering tell wholly.

        ``accepted``: the client's Accept-Encoding, None without one.
        """
        wanted = content_coding.choose_coding(accepted, content_coding.SMALL)
        body = rendered.body  # Python remembers the hash of bytes: a kept body is hashed once
        shown = (rendered.extractor, rendered.words_kept, rendered.words_total)
        key = (hash(body), len(body), *shown, variant, wanted)
        finished = self._kept.get(key)
        if finished is None:
            finished = await _finish(body.replace(BAR_MARK, bar(), 1), accepted)
            size = len(finished.body) + len(variant) + _ALONGSIDE
            if size <= LIMIT // 8:
                self._kept.put(key, finished, size)
        return finished


async def _finish(body: bytes, accepted: str | None) -> FinishedPage:
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
