"""What small devices are and may send: screens, budgets, forms with secrets. Pure."""

from __future__ import annotations

from html import escape
from typing import Final
from urllib.parse import parse_qsl

from winnow.document.values import Page
from winnow.jobs.small_gateway import size_text
from winnow.proxy.http.headers import Headers, number, parameter
from winnow.proxy.own.handlers.charsets import level_for
from winnow.proxy.own.handlers.small_options import SmallOptions, bounded
from winnow.proxy.stores.library import Library
from winnow.proxy.upstream.fetcher import FetchedResponse

FRAME_BYTES: Final = 2000
"""What stands around a part, roughly."""
_SECRET: Final = ("password", "passwd", "pwd", "passwort", "kennwort")


def device(headers: Headers, usual: SmallOptions) -> SmallOptions:
    """The options of a device that says nothing else: by its client hints and charsets."""
    told: dict[str, int] = {"text": level_for(headers.joined("accept-charset"))}
    for name in ("sec-ch-viewport-width", "viewport-width", "sec-ch-width", "width"):
        width = number(headers.get(name))
        if width is not None:
            told["width"] = width
            break
    return bounded(told, usual)


def images_within(options: SmallOptions, budget: int) -> int:
    """How many images may stand in the text of a part, so that the whole keeps to the budget."""
    if options.images < 2:
        return 0
    return max((budget - options.kilobytes) // options.image_kilobytes, 0)


def room(options: SmallOptions) -> int:
    """Bytes for the text of a part: what the frame around it leaves."""
    return options.kilobytes * 1000 - FRAME_BYTES


def saved(shelf: Library) -> str:
    """What small pages have saved in all."""
    return f"{size_text(max(shelf.fetched - shelf.sent, 0))} saved so far."


def asks_for_secret(form: bytes) -> bool:
    """Whether a posted form has a field that is a password by its name, and is filled in."""
    fields = parse_qsl(form.decode("utf-8", "replace"))
    return any(word in name.lower() for name, _ in fields for word in _SECRET)


def as_html(fetched: FetchedResponse) -> Page:
    """Plain text as a page of its own, so that it is cut into parts as well."""
    charset = parameter(fetched.headers.get("content-type"), "charset") or "utf-8"
    try:
        text = fetched.body.decode(charset, "replace")
    except LookupError:
        text = fetched.body.decode("utf-8", "replace")
    blocks = "".join(f"<p>{escape(block)}</p>" for block in text.split("\n\n") if block.strip())
    return Page(blocks.encode(), fetched.url, "utf-8")
