"""``/-/listen?url=``: an article with the controls that read it aloud. Pure.

The page reads as any without its script, which is ours alone (Content-Security-Policy, by hash).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.features.books.saved_markup import with_images
from winnow.features.listen.templates.audio_links import NO_ENGINE, audio_files
from winnow.features.listen.templates.tools import Tool, tool, tools_of
from winnow.proxy.own.checked_values import Address, own_address
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of, reading_style
from winnow.proxy.own.translation import _

LISTEN: Final = "/-/listen"
SCRIPT: Final = own_file(__package__, "listen.js")
_STYLE: Final = own_file(__package__, "listen.css")
_TEMPLATE: Final = page_template(__package__, "listen.html")
_PLAYED: Final = {"opus": "audio/ogg; codecs=opus", "mp3": "audio/mpeg"}
_SPEEDS: Final = {"0.7": "0.7", "0.85": "0.85", "1": "1", "1.25": "1.25", "1.5": "1.5", "2": "2"}


def listen_page(
    record: Mapping[str, object],
    url: str,
    looks: Address,
    files: Mapping[str, str] = MappingProxyType({}),
) -> HtmlPage:
    """``record``: the JSON of an extraction; its content is sanitised. ``looks``: where Aa leads.

    ``files``: addresses of audio files by their kind.
    """
    of_page = urlencode({"url": url})
    book = own_address(f"/-/read?{of_page}&format=epub")
    page = page_of(
        _TEMPLATE,
        style=reading_style(_STYLE),
        kind="reading",
        script=SCRIPT,
        title=str(record["title"] or url),
        content=Markup(with_images(str(record["content"]), {})),  # noqa: S704  # sanitised in a worker
        lang=record["lang"],
        dir=record["dir"],
        tools=tools_of(
            url,
            looks,
            tool(_("Later"), f"/-/save?{of_page}", _("Read later")),
            Tool(_("Listen"), None),
            Tool(_("Download EPUB, for e-readers"), book),
            tool(_("Print"), f"/-/print?{of_page}"),
            tool(_("Why?"), f"/-/why?{of_page}"),
            tool(_("All options"), f"/-/options?{of_page}"),
        ),
        book=book,
        files=audio_files(files),
        sources=[(own_address(files[kind]), _PLAYED[kind]) for kind in _PLAYED if kind in files],
        speeds=_SPEEDS,
        no_engine=NO_ENGINE,
    )
    policy = f"{page.headers['Content-Security-Policy']}; media-src 'self'"
    return page.with_headers({"Content-Security-Policy": policy})
