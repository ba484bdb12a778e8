"""Own pages that are loaded when the first of them is asked for."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from dataclasses import dataclass, field

from winnow.proxy.own.router import OwnPages, OwnRequest, OwnResponse


@dataclass(eq=False)
class LazyOwnPages:
    """Serves what ``load`` returns, which runs once, in a thread: it imports modules."""

    load: Callable[[], OwnPages]
    _pages: OwnPages | None = None
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await (self._pages or await self.loaded())(request)

    async def loaded(self) -> OwnPages:
        """The pages, loaded now if they are not yet."""
        async with self._loading:
            if self._pages is None:
                self._pages = await asyncio.to_thread(self.load)
                gc.freeze()  # no collection need walk over what was imported
            return self._pages
