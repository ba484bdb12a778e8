"""The names of the files that images show, which survive proxies, thumbnails and lazy loading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

from winnow.document.document import Document

_SMALLEST: Final = 32
"""Images declared smaller than this (pixels) are signs and counters."""
_NO_FILE: Final = frozenset({"", "blank", "spacer", "pixel", "placeholder", "transparent", "1x1"})


def is_large(attributes: Mapping[str, str]) -> bool:
    """Whether an image is not declared as small as a sign."""
    sizes = [attributes.get(name, "").removesuffix("px") for name in ("width", "height")]
    return all(int(size) >= _SMALLEST for size in sizes if size.isdecimal())


def all_files(document: Document) -> str:
    """The names of the files of all images of a page, with a blank between."""
    images = (document.attributes_of(element) for element in document.elements_named("img"))
    return " ".join(file for attributes in images for file in files(attributes))


def files(attributes: Mapping[str, str]) -> list[str]:
    """The names of the files that an image may show."""
    names = [file_of(attributes.get("src", ""))]
    for name, value in attributes.items():
        if name == "srcset" or (name.startswith("data-") and "/" in value):
            names += (file_of(part.split()[0]) for part in value.split(", ") if part.split())
    return [name for name in names if name]


def file_of(address: str) -> str:
    """The last part of an address, blanks and escapes left out; "" of a stand-in."""
    path = unquote(address.strip()).partition("?")[0].partition("#")[0]
    name = "".join(path.rstrip("/").rpartition("/")[2].split())
    is_stand_in = address.startswith(("data:", "{")) or "placeholder" in name
    return "" if is_stand_in or name.partition(".")[0].lower() in _NO_FILE else name
