"""A page for a small screen as a response: its charset, its content coding, its policy."""

from __future__ import annotations

import asyncio

from winnow.features.small.small_request import SmallRequest
from winnow.features.small.templates.small_pages import POLICY
from winnow.proxy.http import content_coding
from winnow.proxy.own.handlers.devices import CHARSETS, encoded
from winnow.proxy.own.router import OwnResponse


async def page_response(visit: SmallRequest, page: str, status: int = 200) -> OwnResponse:
    """A page in the charset and the content coding that the device takes."""
    body = encoded(page, visit.options.text)
    headers = visit.request.head.headers
    accepted = headers.joined("accept-encoding") if "accept-encoding" in headers else None
    chosen = content_coding.choose_coding(accepted, len(body))
    fields: tuple[tuple[str, str], ...] = (
        ("Content-Security-Policy", POLICY),
        ("Vary", "Accept-Encoding, Accept-Charset, Viewport-Width"),
    )
    if chosen != "identity":
        body = await asyncio.to_thread(content_coding.encode, chosen, body)
        fields += (("Content-Encoding", chosen),)
    kind = f"text/html; charset={CHARSETS[visit.options.text]}"
    return OwnResponse(body, kind, status, fields)
