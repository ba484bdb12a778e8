"""An origin's answer that is stored while it is passed on; its body is spooled in memory.

The spool is filled by whoever needs the next piece: the client that fetches, at its own pace, or
``hurry``, at the origin's. So a client that does not read delays nobody who waits for the reply.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from winnow.proxy.caching.responses import PassedResponse, cache_status
from winnow.proxy.http.messages import OriginResponse, ResponseHead
from winnow.proxy.http.proxy_errors import OriginFaultError


@dataclass
class SpoolBudget:
    """Bytes that all spools of a process hold, and ``limit``, from which on none grows.

    Each spool may be beyond it by the one piece that was read when it was reached.
    """

    limit: int
    used: int = 0

    @property
    def is_full(self) -> bool:
        return self.used >= self.limit


class StoringResponse(PassedResponse):
    """Passes an origin's answer on and stores it once it has come whole.

    A body beyond ``largest`` bytes, or one for which ``budget`` has no room, is passed on all the
    same, and not stored.
    """

    def __init__(
        self,
        answer: OriginResponse,
        store: Callable[[bytes], Awaitable[None]],
        largest: int,
        how: str,
        budget: SpoolBudget | None = None,
    ) -> None:
        super().__init__(answer, how)
        self._plain, self._how = answer.head, how
        self._store, self._largest = store, largest
        self._budget = budget or SpoolBudget(largest)
        self._body: list[bytes] | None = []
        self._unread: deque[bytes] = deque()
        self._size = self._unread_size = 0
        self._over = False
        self._failure: OriginFaultError | None = None
        self._reading = asyncio.Lock()
        self._hurrying: asyncio.Task[None] | None = None
        self._done: Callable[[bool], None] | None = None

    @property
    def storing(self) -> bool:
        """Whether what is still to come would be stored."""
        return self._body is not None

    def on_done(self, done: Callable[[bool], None]) -> None:
        """Call ``done`` once it is clear whether this was stored: True where its reader left."""
        self._done = done

    def hurry(self) -> None:
        """Read on at the origin's pace, as far as it would be stored: somebody waits for it."""
        if self._hurrying is None and self.storing:
            self._hurrying = asyncio.create_task(self._fill())

    async def _fill(self) -> None:
        while self.storing and not self._over:
            async with self._reading:
                if self.storing and not self._over:
                    await self._read_on()

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        while not self._unread and not self._over:
            async with self._reading:
                if not self._unread and not self._over:
                    await self._read_on()
        if self._unread:
            chunk = self._unread.popleft()
            self._hold_unread(-len(chunk))
            return chunk
        if self._failure:
            raise self._failure
        return b""

    async def _read_on(self) -> None:
        """Read the next piece of the origin's body, or find its end."""
        try:
            chunk = await self._answer.read()
        except OriginFaultError as error:
            self._over, self._failure = True, error
            self._finish(lost=False)
            return
        if chunk:
            self._unread.append(chunk)
            self._hold_unread(len(chunk))
            self._spool(chunk)
            return
        self._over = True
        try:
            if self._body is not None:
                await self._store(b"".join(self._body))
                self._mark_stored()
        finally:
            self._finish(lost=False)

    def _hold_unread(self, more: int) -> None:
        self._unread_size += more
        self._budget.used += more

    def _spool(self, chunk: bytes) -> None:
        if self._body is None:
            return
        if self._size + len(chunk) > self._largest or self._budget.is_full:
            self._finish(lost=False)
            return
        self._size += len(chunk)
        self._budget.used += len(chunk)
        self._body.append(chunk)

    def _mark_stored(self) -> None:
        """Say so in Cache-Status (RFC 9211, section 2.4), to whoever asks for the head only now."""
        head = self._plain
        fields = cache_status(head.headers, f"{self._how}; stored")
        self.head = ResponseHead(head.status, head.reason, fields, head.version)

    async def aclose(self) -> None:
        """Release the connection; what has not come whole is not stored."""
        if self._hurrying:
            self._hurrying.cancel()
            await asyncio.gather(self._hurrying, return_exceptions=True)
        self._finish(lost=True)
        self._unread.clear()
        self._hold_unread(-self._unread_size)
        await self._answer.aclose()

    def _finish(self, lost: bool) -> None:
        """Spool nothing more of the body, and say so to who waits."""
        self._body = None
        self._budget.used -= self._size
        self._size = 0
        if self._done:
            self._done(lost)
            self._done = None
