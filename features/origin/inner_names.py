"""Addresses of the site behind Winnow in its pages become those by which readers know it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from winnow.proxy.decisions.eligibility import HTML_TYPES
from winnow.proxy.http.headers import Headers, media_type
from winnow.proxy.http.messages import OriginResponse, ResponseHead
from winnow.proxy.http.request_target import Origin

_OF_THE_BYTES: Final = frozenset(
    {"content-length", "accept-ranges", "content-md5", "digest", "repr-digest", "content-digest"}
)


def has_names(head: ResponseHead) -> bool:
    """Whether it is a page whose bytes can be read as they come."""
    coded = head.headers.items("content-encoding") not in ((), ("identity",))
    return head.status == 200 and media_type(head.headers) in HTML_TYPES and not coded


def of_another_page(head: ResponseHead) -> ResponseHead:
    """Without what held for the bytes alone; a strong entity tag is a weak one then."""
    fields = head.headers.without(_OF_THE_BYTES)
    if (tag := fields.get("etag")).startswith('"'):
        fields = fields.replaced(("ETag", f"W/{tag}"))
    return replace(head, headers=fields)


@dataclass(eq=False)
class PageOfPublicNames:
    """An OriginResponse: ``origin`` is ``public`` in its body, with or without a scheme before it.

    It holds back as many bytes as an address may have.
    """

    reply: OriginResponse
    head: ResponseHead
    origin: Origin
    public: Origin
    length: int | None = None
    _held: bytes = field(default=b"", init=False)

    @property
    def trailers(self) -> Headers:
        return self.reply.trailers

    async def read(self) -> bytes:
        while True:
            piece = await self.reply.read()
            done, self._held = self._renamed(self._held + piece, is_last=not piece)
            if done or not piece:
                return done

    async def aclose(self) -> None:
        await self.reply.aclose()

    @cached_property
    def _names(self) -> re.Pattern[bytes]:
        """Slashes may be escaped, as in JSON."""
        name = re.escape(self.origin.authority.encode())
        return re.compile(rb"(https?:)?((?:\\?/){2})" + name + rb"(?![\w.:-])", re.IGNORECASE)

    def _renamed(self, found: bytes, *, is_last: bool) -> tuple[bytes, bytes]:
        """What can be sent, and what may be the beginning of an address."""
        cut = len(found) if is_last else max(len(found) - len(self.origin.authority) - 10, 0)
        done, at = [], 0
        for each in self._names.finditer(found):
            if each.end() > cut:
                cut = min(cut, each.start())
                break
            scheme = f"{self.public.scheme}:".encode() if each[1] else b""
            done += [found[at : each.start()], scheme, each[2], self.public.authority.encode()]
            at = each.end()
        return b"".join((*done, found[at:cut])), found[cut:]
