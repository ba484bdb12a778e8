"""Properties of small devices: screen, size limits, forms with passwords. Pure."""

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
"""Approximate size of the markup around a part."""
_SECRET: Final = ("password", "passwd", "pwd", "passwort", "kennwort")


def device(headers: Headers, usual: SmallOptions) -> SmallOptions:
    """A device's default options, by its client hints and charsets."""
    values: dict[str, int] = {"text": level_for(headers.joined("accept-charset"))}
    for name in ("sec-ch-viewport-width", "viewport-width", "sec-ch-width", "width"):
        width = number(headers.get(name))
        if width is not None:
            values["width"] = width
            break
    return bounded(values, usual)


def images_within(options: SmallOptions, budget: int) -> int:
    """The number of images in the text of a part, so that the whole stays within the budget."""
    if options.images < 2:
        return 0
    return max((budget - options.kilobytes) // options.image_kilobytes, 0)


def room(options: SmallOptions) -> int:
    """Bytes for the text of a part."""
    return options.kilobytes * 1000 - FRAME_BYTES


def saved(library: Library) -> str:
    """The bytes saved by small pages so far, in words."""
    return f"{size_text(max(library.fetched - library.sent, 0))} saved so far."


def asks_for_secret(form: bytes) -> bool:
    """Whether a posted form has a password field, by its name, that is filled in."""
    fields = parse_qsl(form.decode("utf-8", "replace"))
    return any(word in name.lower() for name, _ in fields for word in _SECRET)


def as_html(fetched: FetchedResponse) -> Page:
    """Plain text as a page, so that it is split into parts as well."""
    charset = parameter(fetched.headers.get("content-type"), "charset") or "utf-8"
    try:
        text = fetched.body.decode(charset, "replace")
    except LookupError:
        text = fetched.body.decode("utf-8", "replace")
    blocks = "".join(f"<p>{escape(block)}</p>" for block in text.split("\n\n") if block.strip())
    return Page(blocks.encode(), fetched.url, "utf-8")
