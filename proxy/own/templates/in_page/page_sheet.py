"""The style sheet of reader pages and their bar: one file, below the origin of each page.

A public page may not fetch what is Winnow's own, and browsers cache by site: so the file stands at
a path of every origin, which Winnow alone answers (decisions/routing.py). It is the same for
everybody, whatever they chose, and its name changes with its content.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from typing import Final

from markupsafe import Markup

from winnow.proxy.access.own_addresses import SHEETS
from winnow.proxy.http import content_coding
from winnow.proxy.own.page_templates import own_file
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.own.templates.in_page.appearance_style import live_css


def _packed(css: str) -> Markup:
    """A style sheet without comments and the spaces that say nothing."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    css = re.sub(r"\s*([{};,>])\s*", r"\1", " ".join(css.split()))
    return Markup(css.replace(": ", ":").replace(";}", "}"))  # noqa: S704 - our file


_READER: Final = own_file("winnow.document.render.reader", "reader.css").strip()
BAR: Final = _packed(own_file(__package__, "bar.css"))
ALONE: Final = _packed(own_file(__package__, "bar_alone.css"))
LIVE: Final = Markup(live_css())  # noqa: S704 - our own rules
SHEET: Final = f"{_packed(_READER)}{BAR}{LIVE}".encode()
PATH: Final = f"{SHEETS}{sha256(SHEET).hexdigest()[:16]}.css"
_INLINE: Final = f"<style>{_READER}</style>".encode()
_LINK: Final = f'<link rel="stylesheet" href="{PATH}">'.encode()


def linked(page: bytes) -> bytes:
    """A reader page with a link to the file in place of its style sheet."""
    return page.replace(_INLINE, _LINK, 1)


async def sheet(request: OwnRequest) -> OwnResponse:
    """The file; by another name of its kind too, which a page of before has, but not to keep."""
    only(request, "GET", "HEAD")
    coding = content_coding.choose_coding(
        request.head.headers.joined("accept-encoding"), len(SHEET)
    )
    control = "public, max-age=31536000, immutable" if request.path == PATH else "no-store"
    fields = (
        ("Cache-Control", control),
        ("Vary", "Accept-Encoding"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        *((("Content-Encoding", coding),) if coding != "identity" else ()),
    )
    return OwnResponse(_coded(coding), "text/css; charset=utf-8", fields=fields)


@lru_cache
def _coded(coding: str) -> bytes:
    return SHEET if coding == "identity" else content_coding.encode(coding, SHEET)
