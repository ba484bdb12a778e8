"""A page for a small screen as a response: its charset, its content coding, its policy."""

from __future__ import annotations

import asyncio
import re
from typing import Final

from winnow.features.small.small_request import SmallRequest
from winnow.features.small.templates.small_pages import POLICY
from winnow.proxy.http import content_coding
from winnow.proxy.own.handlers.devices import CHARSETS, LATIN_1, encoded
from winnow.proxy.own.router import OwnResponse

_HTML_32: Final = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">'
_SECTIONS: Final = re.compile("<(/?)(?:main|header|nav|section|footer)\\b")


async def page_response(visit: SmallRequest, page: str, status: int = 200) -> OwnResponse:
    """A page in the charset and the content coding that the device takes."""
    if visit.options.old:
        page = _SECTIONS.sub(r"<\1div", page).replace("<!doctype html>", _HTML_32, 1)
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
    if visit.options.old and visit.options.text == LATIN_1:
        kind = "text/html"  # RFC 2616, section 3.4.1: some HTTP/1.0 clients take no charset's name
    return OwnResponse(body, kind, status, fields)
