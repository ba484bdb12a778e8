"""Images of a reader page at addresses of our own, which send them smaller."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape, unescape
from typing import Final

from winnow.document.addresses import parts_of
from winnow.document.values import Format, Profile, Recipe, Rendered
from winnow.jobs.small_gateway import OWN_NAME, SMALL_PATH

_IMAGE: Final = re.compile(r'<img (?:[^<>"]|"[^"]*")*+>')
"""In our own markup all attributes are quoted."""
_SOURCE: Final = re.compile(r'\bsrc="(https?://[^"]*)"')
_SETS: Final = re.compile(r' (?:srcset|sizes)="[^"]*"')
_KEPT: Final = (".svg", ".gif")
"""Drawings that have no pixels, and files that may move."""


def with_small_images(rendered: Rendered, recipe: Recipe, url: str) -> Rendered:
    """A reader page with its images in the size that the recipe names; any other as it is."""
    if not recipe.images or (recipe.format, recipe.profile) != (Format.HTML, Profile.READER):
        return rendered
    base = recipe.link_prefix.rstrip("/") or f"{parts_of(url).scheme or 'http'}://{OWN_NAME}"
    start = f"{base}{SMALL_PATH}{recipe.images.value}/"

    def small(found: re.Match[str]) -> str:
        source = _SOURCE.search(found[0])
        address = unescape(source[1]).removeprefix(recipe.link_prefix) if source else ""
        if source is None or parts_of(address).path.lower().endswith(_KEPT):
            return found[0]
        written = f'src="{escape(start + address)}"'
        return _SETS.sub("", found[0].replace(source[0], written, 1))

    body = _IMAGE.sub(small, rendered.body.decode("utf-8"))
    return replace(rendered, body=body.encode("utf-8"))
