"""``/-/print?url=``: an article with its images as it is printed. Pure.

Without its script, which opens the browser's print dialog and nothing more, the page says how.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup

from winnow.document.addresses import host_of
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.saved_markup import with_images
from winnow.proxy.own.translation import _

PRINT: Final = "/-/print"
_SCRIPT: Final = Markup(
    "addEventListener('load',()=>print());const b=document.getElementById('print');"
    "b.hidden=false;b.onclick=()=>print()"
)
_STYLE: Final = FRAME_STYLE + Markup(
    """
article img, article svg { max-width: 100%; height: auto; }
@media print {
  body { max-width: none; padding: 0; font: 11pt/1.5 Georgia, serif; }
  header, .screen { display: none; }
  pre, figure, img, tr { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
}
"""
)


def print_page(
    record: Mapping[str, object], url: str, images: Mapping[str, tuple[bytes, str]]
) -> HtmlPage:
    """``record``: the JSON of an extraction, its content sanitised; ``images``: those it shows."""
    held = {source: _data(*image) for source, image in images.items()}
    marks = Markup("").join(
        Markup(' {}="{}"').format(name, record[name]) for name in ("lang", "dir") if record[name]
    )
    facts = (
        record["byline"],
        record["siteName"] or host_of(url),
        record["publishedTime"],
    )
    body = Markup(
        '<p class="screen"><button id="print" class="first" hidden>{}</button> {}</p>\n'
        '<p class="quiet">{}<br><a href="{}" dir="ltr" rel="noreferrer">{}</a></p>\n'
        "<article{}>\n{}\n</article>"
    ).format(
        _("Print"),
        _("Print by the browser’s own command (Ctrl+P): this line is not printed."),
        " · ".join(str(fact)[:200] for fact in facts if fact),
        url,
        url,
        marks,
        Markup(with_images(str(record["content"]), held)),  # noqa: S704  # sanitised in a worker
    )
    return styled_page(str(record["title"] or url), body, _STYLE, script=_SCRIPT)


def _data(body: bytes, media_type: str) -> str:
    """An image as an address (RFC 2397)."""
    return f"data:{media_type};base64,{b64encode(body).decode()}"
