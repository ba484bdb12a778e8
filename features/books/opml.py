"""``/-/opml``: a reader's list of feeds, each by way of ``/-/feed`` or no longer. Keeps nothing."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Final
from urllib.parse import parse_qs, quote

from winnow.document.addresses import parts_of
from winnow.proxy.http.form_data import form_parts
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.downloads import file_response
from winnow.proxy.own.handlers.form_checks import refuse_cross_site
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import page_of

OPML: Final = "/-/opml"
LARGEST: Final = 4 * 1024 * 1024
_FEED: Final = "/-/feed"
_TEMPLATE: Final = page_template(__package__, "opml.html")
_ADDRESS: Final = re.compile(r"""(\sxmlUrl\s*=\s*)("[^"<]*"|'[^'<]*')""")


async def opml_page(request: OwnRequest) -> OwnResponse:
    """GET shows a form, POST gives the file back with other addresses."""
    only(request, "GET", "HEAD", "POST")
    if request.head.method != "POST":
        return shown(page_of(_TEMPLATE))
    refuse_cross_site(request)
    parts = form_parts(await request.body(LARGEST), request.head.headers.get("content-type"))
    try:
        text = parts.get("file", b"").decode("utf-8-sig")
    except UnicodeDecodeError:
        text = ""
    if "<opml" not in text[:4000]:
        raise ClientFaultError(says("This file is no OPML in UTF-8."), 422, "bad-import")
    changed = with_feeds(text, request.base, filled=parts.get("to") != b"original")
    return file_response(changed.encode(), "text/x-opml; charset=utf-8", "feeds.opml")


def with_feeds(text: str, base: str, *, filled: bool) -> str:
    """An OPML file whose feeds have whole articles, or no longer; all else is as it was."""
    start = f"{base.rstrip('/')}{_FEED}?url="

    def changed(found: re.Match[str]) -> str:
        address = _origin(unescape(found[2][1:-1]), base)
        target = f"{start}{quote(address, safe='')}" if filled else address
        return f'{found[1]}"{escape(target)}"'

    return _ADDRESS.sub(changed, text)


def _origin(address: str, base: str) -> str:
    """The feed's own address, of one that goes through us already."""
    if not address.startswith(f"{base.rstrip('/')}{_FEED}?"):
        return address
    return parse_qs(parts_of(address).query).get("url", [address])[0]
