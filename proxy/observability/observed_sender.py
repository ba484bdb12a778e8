"""A sender that tells what came from origins and what failed; changes nothing on the way."""

from __future__ import annotations

from winnow.proxy.http.origin_messages import OriginRequest, OriginResponse, ResponseHead, Sender
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.observability.events import Observer, OriginFailed, OriginFetched


class ObservedSender:
    """Stands right before the wire, so that only what is really fetched is told."""

    def __init__(self, sender: Sender, observe: Observer) -> None:
        self._sender, self._observe = sender, observe

    async def send(self, order: OriginRequest) -> OriginResponse:
        """As the sender behind. Raises OriginFaultError."""
        try:
            answer = await self._sender.send(order)
        except ProxyError as error:
            self._observe(OriginFailed(error.reason))
            raise
        # What changes the protocol is no answer to be read, but a connection to be joined.
        return answer if answer.head.status == 101 else ObservedResponse(answer, self._observe)

    async def aclose(self) -> None:
        await self._sender.aclose()


class ObservedResponse:
    """Counts the bytes of an answer; tells them once when it is closed."""

    def __init__(self, answer: OriginResponse, observe: Observer) -> None:
        self._answer, self._observe = answer, observe
        self.head: ResponseHead = answer.head
        self.length: int | None = answer.length
        self._size = 0
        self._open = True

    async def read(self) -> bytes:
        """As the answer's. Raises OriginFaultError if cut short."""
        try:
            chunk = await self._answer.read()
        except ProxyError as error:
            self._observe(OriginFailed(error.reason))
            raise
        self._size += len(chunk)
        return chunk

    async def aclose(self) -> None:
        if self._open:
            self._open = False
            self._observe(OriginFetched(self.head.status, self._size))
        await self._answer.aclose()
