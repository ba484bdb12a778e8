"""The file that an ``<img>`` shows: lazy loading resolved, placeholders recognised."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from winnow.document.render.addresses import Addresses, candidates_of
from winnow.document.texts.escaping import escape

_LAZY: Final = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-img-src",
    "data-image-src", "data-full-src", "data-hi-res-src", "data-large-src", "data-url", "data-echo",
    "data-actualsrc", "data-croporiginalsrc", "data-src-medium", "data-image", "data-delayed-url",
    "data-ll-src", "data-pin-media", "datasrc", "lazysrc", "lazy-src", "original-src", "ng-src",
)  # fmt: skip
_LAZY_SETS: Final = (
    "data-srcset", "data-lazy-srcset", "data-original-set", "data-src-set", "data-ll-srcset",
)  # fmt: skip
_IS_LAZY: Final = frozenset(_LAZY)
_IS_SET: Final = frozenset({*_LAZY_SETS, "srcset"})
_FILE: Final = re.compile(
    r"^(?:https?:)?[^\s,{}<>]+\.(?:jpe?g|png|webp|gif|avif)(?:[?#]\S*)?$", re.I
)
_CANDIDATES: Final = re.compile(r"\s*(?!data:)[^\s,]*/\S+\s+\d+(?:\.\d+)?[wx]\s*(?:,|$)")
"""A ``srcset``, whatever its attribute is called."""
_SAID: Final = frozenset({"alt", "title", "aria-label", "src", "srcset", "href", "longdesc"})
"""Attributes that hold words, or are read elsewhere."""
_NO_FILE: Final = re.compile(r"data:|about:", re.I)
_PLACEHOLDER: Final = re.compile(
    r"/(?:blank|spacer|pixel|transparent|1x1|loading|loader|grey|gray|clear"
    r"|trans|dot|[\w-]*(?:placeholder|lazy[_-]?load)\w*)\.(?:gif|png|svg|jpe?g)(?:[?#]|$)",
    re.I,
)
"""Behind a slash, which an engine finds ten times as fast as it tries alternatives."""
_LENGTH: Final = re.compile(r"\s*(\d{1,5})(?:px)?(?:\.\d+)?\s*$")
_SMALL_DATA: Final = 1_000
"""An image in its own address shorter than this (characters) is a placeholder."""
WIDEST: Final = 1_600
"""Of several files the widest up to this many pixels is taken."""


class ChosenImage(NamedTuple):
    """What to show: ``src`` and ``srcset`` resolved, or ""; ``alt`` None without the attribute."""

    src: str = ""
    srcset: str = ""
    alt: str | None = None
    width: str = ""
    height: str = ""
    title: str = ""
    lazy: bool = False


def image_of(
    attributes: Mapping[str, str], sources: Iterable[Mapping[str, str]], addresses: Addresses
) -> ChosenImage:
    """The image that an ``<img>`` (in a ``<picture>`` with these sources) is meant to show."""
    width, height = _pixels(attributes.get("width", "")), _pixels(attributes.get("height", ""))
    if {width, height} & {"0", "1"}:
        return ChosenImage()
    real = _real_src(attributes)
    lazy = _lazy_src(attributes, real)
    src = addresses.resource(lazy or real)
    srcset = addresses.resources(_srcset(attributes, sources if not src else ()))
    return ChosenImage(
        src=src or _widest(srcset),
        srcset=srcset,
        alt=attributes.get("alt"),
        width=width,
        height=height,
        title=attributes.get("title", ""),
        lazy=bool(lazy) or not src,
    )


def _lazy_src(attributes: Mapping[str, str], real: str) -> str:
    for name in () if _IS_LAZY.isdisjoint(attributes) else _LAZY:
        value = attributes.get(name, "").strip()
        if _is_address(value) and not _is_placeholder(value):
            return value
    if real:
        return ""
    for name, value in attributes.items():
        if "/" in value and name not in _SAID and _FILE.match(value) and not _is_placeholder(value):
            return value
    return ""


def _is_address(value: str) -> bool:
    """Whether an attribute that scripts read holds an address: not JSON, a number or a flag."""
    return ("/" in value or "." in value) and not value.startswith(("{", "["))


def _real_src(attributes: Mapping[str, str]) -> str:
    src = attributes.get("src", "").strip()
    return "" if _is_placeholder(src) else src


def _is_placeholder(src: str) -> bool:
    if src[:5] == "data:" and "svg" not in src[:20] and len(src) >= _SMALL_DATA:
        return False
    if not src or (":" in src[:6] and _NO_FILE.match(src)):
        return True
    name = src.rfind("/")
    if name < 0 or "?" in src[:name] or "#" in src[:name]:
        return _PLACEHOLDER.search("/" + src) is not None
    return _PLACEHOLDER.match(src, name) is not None  # no other part ends where a name may


def _srcset(attributes: Mapping[str, str], sources: Iterable[Mapping[str, str]]) -> str:
    for holder in (attributes, *sources):
        for name in () if _IS_SET.isdisjoint(holder) else (*_LAZY_SETS, "srcset"):
            value = holder.get(name, "").strip()
            if (
                value
                and not value.startswith("data:")
                and not _is_placeholder(value.split(None, 1)[0])
            ):
                return value
        for name, value in holder.items():
            if "/" in value and name not in _SAID and _CANDIDATES.match(value):
                return value
    return ""


def _widest(srcset: str) -> str:
    """The file of the greatest width up to WIDEST, else the smallest beyond it."""
    sized = [(_size(descriptor), address) for address, descriptor in candidates_of(srcset)]
    fitting = [pair for pair in sized if pair[0] <= WIDEST]
    if fitting:
        return max(fitting, key=lambda pair: pair[0])[1]
    return min(sized, key=lambda pair: pair[0])[1] if sized else ""


def _size(descriptor: str) -> float:
    try:
        return float(descriptor[:-1] or 1)
    except ValueError:
        return 1.0


def _pixels(length: str) -> str:
    digits = _LENGTH.match(length) if length else None
    return digits[1] if digits else ""


def image_markup(image: ChosenImage, alternative: str) -> str:
    """An ``<img>``, fetched when it comes into view."""
    written = f' srcset="{escape(image.srcset)}"' if image.srcset else ""
    if "w" in image.srcset[-8:]:
        written += ' sizes="(max-width: 42em) 100vw, 42em"'
    if image.width:
        written += f' width="{image.width}"'
    if image.height:
        written += f' height="{image.height}"'
    return f'<img src="{escape(image.src)}" alt="{escape(alternative)}"{written} loading="lazy">'


def name_of_file(address: str) -> str:
    """The words of a file's name; "" if it has none that a person would understand."""
    stem = address.partition("?")[0].rpartition("/")[2].rpartition(".")[0]
    found = [word for word in re.split(r"[\W_]+", stem) if word.isalpha() and len(word) > 2]
    return " ".join(found) if len(found) > 1 else ""
