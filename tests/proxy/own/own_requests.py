"""Requests for own pages, as a handler gets them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import urlencode

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import Origin
from winnow.proxy.own.router import OwnRequest

INSIDE = Origin("https", "winnow.internal", 443)


class Posted:
    """A form as a request's body."""

    started = False
    trailers = Headers()

    def __init__(self, fields: dict[str, str]) -> None:
        self._data = urlencode(fields).encode()

    async def chunks(self) -> AsyncIterator[bytes]:
        yield self._data


def asked(
    path: str,
    *fields: tuple[str, str],
    query: dict[str, str] | None = None,
    form: dict[str, str] | None = None,
    through: str = "",
) -> OwnRequest:
    """A request straight to us, or ``through`` the proxy by http or https."""
    target = f"http://winnow.internal{path}" if through == "http" else path
    inside = INSIDE if through == "https" else None
    host = ("Host", "winnow.internal" if through else "127.0.0.1:8080")
    method = "GET" if form is None else "POST"
    head = RequestHead(method, target, Headers((host, *fields)), inside=inside)
    base = f"{through or 'http'}://{host[1]}/"
    body = None if form is None else Posted(form)
    return OwnRequest(head, path, query or {}, base, body)
