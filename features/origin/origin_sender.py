"""Asks the site behind Winnow, and gives its responses as those of the name that readers use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from winnow.features.origin.inner_names import PageOfPublicNames, has_names, of_another_page
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import (
    OriginRequest,
    OriginResponse,
    ResponseHead,
    Sender,
    anywhere,
)
from winnow.proxy.http.request_target import Origin

_ADDRESSES: Final = frozenset({"location", "content-location"})


@dataclass(frozen=True)
class OriginSender:
    """A Sender: every request goes to ``origin``, which no guard of addresses refuses.

    ``fields``: who asks, for the origin (RFC 7239); Host stays the reader's.
    """

    sender: Sender
    origin: Origin
    fields: tuple[Field, ...]

    async def send(self, order: OriginRequest) -> OriginResponse:
        target = replace(order.target, origin=self.origin)
        public = order.target.origin
        headers = order.headers.replaced(*self.fields)
        if public != self.origin and "text/html" in headers.joined("accept"):
            headers = headers.replaced(("Accept-Encoding", "identity"))  # its names are read
        there = replace(order, target=target, headers=headers, permit=anywhere)
        reply = await self.sender.send(there)
        if reply.head.status == 101:
            return reply
        head = renamed(reply.head, self.origin, public)
        if public != self.origin and has_names(head):
            return PageOfPublicNames(reply, of_another_page(head), self.origin, public)
        return _Renamed(reply, head)

    async def aclose(self) -> None:
        """The sender is its owner's to close."""


@dataclass(frozen=True)
class _Renamed:
    """An OriginResponse with another head."""

    reply: OriginResponse
    head: ResponseHead

    @property
    def length(self) -> int | None:
        return self.reply.length

    @property
    def trailers(self) -> Headers:
        return self.reply.trailers

    async def read(self) -> bytes:
        return await self.reply.read()

    async def aclose(self) -> None:
        await self.reply.aclose()


def forwarded(head: RequestHead, public: Origin) -> tuple[Field, ...]:
    """Who asks, and by which name (RFC 7239), also in the fields that were there before it."""
    client = f"[{head.client}]" if ":" in head.client else head.client
    said = f'for="{client}";host="{public.authority}";proto={public.scheme}'
    return (
        ("Forwarded", said),
        ("X-Forwarded-For", head.client),
        ("X-Forwarded-Host", public.authority),
        ("X-Forwarded-Proto", public.scheme),
    )


def renamed(head: ResponseHead, origin: Origin, public: Origin) -> ResponseHead:
    """Redirects and cookies that name the origin name ``public`` instead, or nothing."""
    fields = tuple(
        (name, _value(name.lower(), value, origin, public)) for name, value in head.headers
    )
    return replace(head, headers=Headers(fields))


def _value(name: str, value: str, origin: Origin, public: Origin) -> str:
    if name in _ADDRESSES:
        behind = value.removeprefix(str(origin))
        return f"{public}{behind}" if behind != value and behind[:1] in ("", *"/?#") else value
    if name != "set-cookie":
        return value
    parts = value.split(";")
    kept = [each for each in parts[1:] if not _is_domain(each, origin)]
    return ";".join([parts[0], *kept])


def _is_domain(attribute: str, origin: Origin) -> bool:
    name, _, domain = attribute.strip().partition("=")
    host = f".{origin.host}"
    return name.lower() == "domain" and host.endswith(f".{domain.strip().lstrip('.').lower()}")
