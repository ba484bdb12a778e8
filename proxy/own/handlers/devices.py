"""Small devices: their options, as a word in the path, their charsets and limits. Pure.

``w240.k12.i2.t1.b12.p3``: width in pixels, kB a part, images (1 when tapped, 2 in the text),
text (0 UTF-8, 1 Latin-1, 2 ASCII, then as in CHARSETS), kB an image, part; ``h1``: the list of
headings instead; ``o1``: as browsers of 1995 take it. Missing letters have defaults.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from html import escape
from typing import Final
from urllib.parse import parse_qsl

import markupsafe
from anyascii import anyascii

from winnow.config.settings import Gateway
from winnow.document.values import Page
from winnow.jobs.small_gateway import size_text
from winnow.proxy.decisions.request.device_profiles import machine_options
from winnow.proxy.http.headers import Headers, number, parameter
from winnow.proxy.own.translation import _
from winnow.proxy.stores.library import Library
from winnow.proxy.upstream.fetcher import FetchedResponse

_LETTERS: Final[Mapping[str, str]] = {
    "w": "width",
    "k": "kilobytes",
    "i": "images",
    "t": "text",
    "b": "image_kilobytes",
    "p": "part",
    "h": "headings",
    "o": "old",
}
_BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "width": (64, 1600),
    "kilobytes": (2, 500),
    "images": (1, 2),
    "text": (0, 9),
    "image_kilobytes": (1, 2000),
    "part": (1, 10_000),
    "headings": (0, 1),
    "old": (0, 1),
}
_WORD: Final = re.compile(r"[wkitbpho][0-9]{1,5}")
_ADDRESS: Final = re.compile(r"(https?):/{1,2}(.+)\Z", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SmallOptions:
    """``kilobytes`` bounds a part's text, ``image_kilobytes`` one image of it; kB of 1000 bytes."""

    width: int = 240
    kilobytes: int = 12
    images: int = 1
    text: int = 0
    image_kilobytes: int = 11
    part: int = 1
    headings: int = 0
    old: int = 0

    @classmethod
    def usual(cls, gateway: Gateway) -> SmallOptions:
        """What small screens get where nobody asks for anything else."""
        return cls(
            width=gateway.image_width,
            kilobytes=gateway.page_size // 1000,
            image_kilobytes=gateway.image_size // 1000,
        )

    def word(self, base: SmallOptions) -> str:
        """The options as a path segment with its slash; "" where all are those of ``base``."""
        word = ".".join(
            f"{letter}{getattr(self, name)}"
            for letter, name in _LETTERS.items()
            if getattr(self, name) != getattr(base, name)
        )
        return f"{word}/" if word else ""


DEFAULT: Final = SmallOptions()


def read_path(path: str, base: SmallOptions) -> tuple[SmallOptions, str]:
    """The options at the beginning of a path behind ``/-/small/``, and the rest of it."""
    head, _, rest = path.partition("/")
    words = head.split(".")
    if all(map(_WORD.fullmatch, words)):
        values = {_LETTERS[word[0]]: int(word[1:]) for word in words}
        return bounded(values, base), rest
    return base, path


def bounded(values: Mapping[str, int], base: SmallOptions) -> SmallOptions:
    """The options with ``values``, limited to their ranges."""
    names = {item.name for item in fields(SmallOptions)}
    within = {
        name: min(max(value, _BOUNDS[name][0]), _BOUNDS[name][1])
        for name, value in values.items()
        if name in names
    }
    return replace(base, **within)


def address_in(text: str) -> str:
    """The address in a path, in which a browser may have merged slashes; "" for none."""
    match = _ADDRESS.match(text)
    return f"{match[1].lower()}://{match[2]}" if match else ""


CHARSETS: Final = (
    *("utf-8", "iso-8859-1", "us-ascii"),
    *("iso-8859-2", "windows-1250", "koi8-r", "windows-1251", "shift_jis", "big5", "gb2312"),
)
"""By the ``text`` of Options."""

LATIN_1: Final = 1


def encoded(text: str, level: int) -> bytes:
    """The text, transliterated where the charset lacks a letter: "Größe" becomes "Grosse"."""
    if level == 0:
        return text.encode("utf-8", "replace")
    charset = CHARSETS[level]
    try:
        return text.encode(charset)
    except UnicodeEncodeError:
        return "".join(_letter(sign, charset) for sign in text).encode(charset, "replace")


def _letter(sign: str, charset: str) -> str:
    """A sign in the charset; transliterated signs of markup are harmless entities."""
    try:
        sign.encode(charset)
    except UnicodeEncodeError:
        return str(markupsafe.escape(anyascii(sign)))
    return sign


def level_for(accept_charset: str) -> int:
    """The richest text that an Accept-Charset field takes (RFC 2616, section 14.2)."""
    names = {part.partition(";")[0].strip().lower() for part in accept_charset.split(",")} - {""}
    if not names or names & {"utf-8", "*"}:
        return 0
    if names & {"iso-8859-1", "iso8859-1", "windows-1252", "latin1"}:
        return 1
    return next((level for level, name in enumerate(CHARSETS) if name in names), 2)


FRAME_BYTES: Final = 2000
"""Approximate size of the markup around a part."""
_SECRET: Final = ("password", "passwd", "pwd", "passwort", "kennwort")


def device(headers: Headers, usual: SmallOptions, machines: Sequence[str] = ()) -> SmallOptions:
    """A device's default options: a named machine's, then by its client hints and charsets."""
    if word := machine_options(headers, machines):
        usual = read_path(f"{word}/", usual)[0]
    values: dict[str, int] = {}
    if accepted := headers.joined("accept-charset"):
        values["text"] = level_for(accepted)
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
    size = size_text(max(library.fetched - library.sent, 0))
    return _("{size} saved so far.").format(size=size)


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
