"""``/-/opml``: a reader's list of feeds, each by way of ``/-/feed`` or no longer. Keeps nothing."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Final
from urllib.parse import parse_qs, quote

from markupsafe import Markup

from winnow.document.addresses import parts_of
from winnow.proxy.http.form_data import form_parts
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.downloads import file_response
from winnow.proxy.own.handlers.form_checks import refuse_cross_site
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import HtmlPage, own_page
from winnow.proxy.own.translation import N_, _

_ABOUT: Final = N_(
    "Export the list of feeds from your feed reader as OPML. Winnow gives it back with addresses "
    "by which each item has the whole article; import that list again."
)
OPML: Final = "/-/opml"
LARGEST: Final = 4 * 1024 * 1024
_FEED: Final = "/-/feed"
_ADDRESS: Final = re.compile(r"""(\sxmlUrl\s*=\s*)("[^"<]*"|'[^'<]*')""")


async def opml_page(request: OwnRequest) -> OwnResponse:
    """GET shows a form, POST gives the file back with other addresses."""
    only(request, "GET", "HEAD", "POST")
    if request.head.method != "POST":
        return shown(_form())
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


def _form() -> HtmlPage:
    main = Markup(
        '<p>{}</p>\n<form method="post" action="{}" enctype="multipart/form-data">'
        '<p><label for="file">{}</label><br><input type="file" id="file" name="file" '
        'required></p><p><button class="first" name="to" value="full">{}</button>'
        '<button name="to" value="original">{}</button></p></form>'
    ).format(_(_ABOUT), OPML, _("OPML file"), _("Whole articles"), _("Back to the original feeds"))
    return own_page(_("Feeds with whole articles"), main)
