"""A request and the response of an application by ASGI 3, as the forwarder knows them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote, unquote

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, ResponseHead
from winnow.proxy.http.proxy_errors import OriginFaultError
from winnow.proxy.upstream.response_parser import declared_length

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


def head_of(scope: Scope) -> RequestHead:
    """The request line and the fields of an ``http`` scope."""
    path = (scope.get("raw_path") or quote(scope["path"]).encode()).decode("latin-1")
    query = scope.get("query_string", b"").decode("latin-1")
    client = str((scope.get("client") or ("",))[0])
    target = f"{path}?{query}" if query else path
    return RequestHead(scope["method"], target, Headers.from_raw(scope["headers"]), client)


def scope_for(scope: Scope, request: OriginRequest) -> Scope:
    """The scope of what the application is asked instead."""
    path, _, query = request.target.path.partition("?")
    fields = [(name.lower().encode(), value.encode("latin-1")) for name, value in request.headers]
    return {
        **scope,
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "headers": fields,
        "extensions": {},  # none of them sends what could be read here
    }


class AppResponse:
    """An OriginResponse. The application runs in a task; it waits while nobody reads."""

    def __init__(self, app: AsgiApp, scope: Scope, receive: Receive) -> None:
        self._sent: asyncio.Queue[Message | None] = asyncio.Queue(1)
        self._task = asyncio.create_task(self._run(app, scope, receive))
        self._ended = self._is_read = False
        self.start: Message = {}
        self.head = ResponseHead(500, "", Headers())
        self.trailers = Headers()

    async def _run(self, app: AsgiApp, scope: Scope, receive: Receive) -> None:
        try:
            await app(scope, receive, self._sent.put)
        finally:
            await self._sent.put(None)

    async def begin(self) -> None:
        """Wait for the head. Raises what the application raises."""
        event = await self._next()
        if event is None:
            raise OriginFaultError("The application sent no response.")
        self.start = event
        headers = Headers.from_raw(event.get("headers", ()))
        self.head = ResponseHead(event["status"], "", headers)

    @property
    def length(self) -> int | None:
        return declared_length(self.head.headers)

    async def read(self) -> bytes:
        """Raises OriginFaultError where the application has ended early."""
        while not self._is_read:
            event = await self._next()
            if event is None:
                raise OriginFaultError("The application broke its response off.")
            self._is_read = not event.get("more_body", False)
            if body := event.get("body", b""):
                return bytes(body)
        return b""

    async def events(self) -> AsyncIterator[Message]:
        """Everything as it was sent, until the application ends. Raises what it raises."""
        yield self.start
        while (event := await self._next()) is not None:
            yield event

    async def aclose(self) -> None:
        """Let the application end: it may have more to do than to respond."""
        while await self._next() is not None:
            pass

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self._task.cancel()

    async def _next(self) -> Message | None:
        event = None if self._ended else await self._sent.get()
        if event is None:
            self._ended = True
            await self._task
        return event
