"""The frame of every own page: head, style, one h1, one main, and its response headers. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from winnow.config.appearance import AS_DELIVERED, Appearance, Voice
from winnow.proxy.own.page_templates import PageTemplate, own_file, page_template
from winnow.proxy.own.templates.in_page.appearance_style import css_of
from winnow.proxy.own.templates.navigation import header_links
from winnow.proxy.own.translation import LANGUAGE

STYLE: Final = own_file(__package__, "base.css")
NO_SCRIPT = Markup("")
READING: Final = STYLE + own_file(__package__, "reading.css")
LOOKS: Final[ContextVar[Callable[[], Appearance]]] = ContextVar(
    "looks", default=lambda: AS_DELIVERED
)
"""What the reader of the request that is being answered chose, asked where a page shows it."""


_BASE: Final = page_template(__package__, "base.html")
_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """Body, status and headers of an own page."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def with_headers(self, headers: Mapping[str, str]) -> HtmlPage:
        """The same page, sent with ``headers`` too."""
        return replace(self, headers=MappingProxyType({**self.headers, **headers}))


def style_source(style: str) -> str:
    """How a Content-Security-Policy allows exactly this ``<style>`` or script (CSP 3, 2.3)."""
    return f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


def own_page(title: str, main: Markup, *, status: int = 200, kind: str = "") -> HtmlPage:
    """A whole page; ``title`` is its h1 too, ``kind`` the class of its body."""
    return page_of(_BASE, title=title, main=main, status=status, kind=kind)


def bare_page(title: str, main: Markup, *, status: int = 200, kind: str = "") -> HtmlPage:
    """As ``own_page``, where links to our other pages do not lead to us."""
    return page_of(_BASE, title=title, main=main, status=status, kind=kind, menu=None)


def page_of(
    template: PageTemplate,
    *,
    status: int = 200,
    style: Markup = STYLE,
    script: Markup = NO_SCRIPT,
    menu: str | None = "",
    **values: object,
) -> HtmlPage:
    """A page from a template that extends ``base.html``, with its headers; ``menu``: the
    origin of the links to our other pages where it is not the page's, None for no links."""
    looks = LOOKS.get()()
    frame = {
        "menu_links": () if menu is None else header_links(menu),
        "kind": "",
        "language": LANGUAGE.get(),
        "theme": looks.theme,
        "spoken": looks.voice is Voice.ON,
    }
    shown = template(**{**frame, "style": style, "script": script, **values})
    headers = page_headers(style=style, script=script)
    return HtmlPage(shown.encode(), status, MappingProxyType(headers))


def reading_style(more: Markup) -> Markup:
    """The style sheet of a page that extends ``reading.html``: an article as the reader page has
    it, in the text and colours that its reader chose. ``more``: a sheet of the page's own."""
    return READING + more + Markup(css_of(LOOKS.get()()))  # noqa: S704 - our own rules, by name


def page_headers(
    frames: tuple[str, ...] = (), style: Markup = STYLE, script: Markup = NO_SCRIPT
) -> dict[str, str]:
    """The headers of own pages: no script but exactly ``script``, no foreign frame, no referrer."""
    policy = [
        "default-src 'none'",
        f"style-src {style_source(style)}",
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
    if script:
        policy.append(f"script-src {style_source(script)}")
    if frames:
        policy.append(f"frame-src {' '.join(frames)}")
        policy.append(f"object-src {' '.join(frames)}")
    return {
        "Content-Type": _HTML,
        "Content-Language": LANGUAGE.get().value,
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store",
        "Vary": "Accept-Language",
    }
