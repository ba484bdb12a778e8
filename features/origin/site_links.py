"""The one line that a page of the site gets: to its original, or to be read. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from winnow.document.values import Rendered
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import BarLook
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.translation import LANGUAGE, _


def line(url: str, view: str, text: str) -> bytes:
    """A link to a view, ``/-/read`` say, of the page at an address."""
    language = LANGUAGE.get()
    spoken = f'lang="{language.value}" dir="{language.direction}"'
    link = f'<a href="{escape(view + parse_url(url).path)}">{escape(text)}</a>'
    return f'<p id="winnow-bar" {spoken}>{link}</p>'.encode("ascii", "xmlcharrefreplace")


@dataclass(frozen=True)
class SiteBar:
    """A BarRenderer: it leads to the original. ``prefix`` stands before all views."""

    views: str

    def variant(self, request: RequestHead) -> str:
        return f"{self.views} {LANGUAGE.get()}"

    def __call__(
        self, request: RequestHead, url: str, rendered: Rendered, prefix: str, *, look: BarLook
    ) -> bytes:
        return line(url, f"{self.views}original", _("Original"))


@dataclass(frozen=True)
class SiteNotice:
    """A NoticeRenderer: it leads to the page to be read."""

    views: str

    def __call__(
        self, request: RequestHead, url: str, reason: str, prefix: str, *, styled: bool
    ) -> bytes:
        return line(url, f"{self.views}read", _("Read"))
