"""The voice profile: a reader page made to be read aloud.

Decorative images, references to footnotes and rules go; links that say nothing by themselves get
the name of what they lead to; links that were removed with the page's garbage stay within reach, in
a navigation behind the text.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.render.addresses import Addresses, host_of
from winnow.document.render.reader.html_rewriter import Attributes, Rewriter
from winnow.document.render.reader.link_names import name_links
from winnow.document.render.selection import Segments
from winnow.document.texts.page_words import PageWords
from winnow.document.texts.short_texts import text_inside

_REFERENCE: Final = re.compile(r"[\[({]?(?:\d{1,3}|[*\u2020\u2021\u2191\u21a9a-z])[\])}]?")
_HEADINGS: Final = frozenset("h2 h3 h4 h5 h6".split())
_DROPPED_IF_SILENT: Final = frozenset("sup a p li ul ol figure".split()) | _HEADINGS
"""Dropped where they contain nothing to be spoken."""
_SHOWN: Final = frozenset("math svg video audio table".split())
MOST_LINKS: Final = 60
"""Removed links offered behind the text; a menu longer than this is a site's map."""
_LONGEST_NAME: Final = 100


def voice(content: str) -> str:
    """Clean HTML without what is noise when read aloud."""
    return name_links(_Voice().rewrite(content))


def removed_links(
    document: Document, segments: Segments, addresses: Addresses, words: PageWords
) -> str:
    """A navigation with the links that the article does not hold, each address once; "" if none."""
    is_selected = np.zeros(len(document.pieces) + 1, dtype=np.int32)
    is_selected[segments.piece + 1] = 1
    before = np.cumsum(is_selected)
    elements, found = document.elements, dict[str, str]()
    for link in document.elements_named("a"):
        first, behind = elements.first_piece[link], elements.last_piece[link]
        name = text_inside(document, link)
        if before[behind] > before[first] or not 0 < len(name) <= _LONGEST_NAME:
            continue
        target = addresses.link(document.attributes_of(link).get("href", ""))
        if target and not target.startswith("#") and len(found) < MOST_LINKS:
            found.setdefault(target, name)
    items = "".join(
        f'<li><a href="{escape(target)}" rel="noreferrer">{escape(name)}</a></li>'
        for target, name in found.items()
    )
    name = words.text("Other links")
    return items and f'<nav id="winnow-links" aria-label="{name}"><ul>{items}</ul></nav>'


class _Voice(Rewriter):
    def __init__(self) -> None:
        super().__init__()
        self._marks: list[tuple[str, int]] = []
        self._spoken: list[str] = []

    def begin(self, name: str, attributes: Attributes) -> None:
        if name == "hr" or (name == "img" and not attributes.get("alt", "").strip()):
            return
        if name in _DROPPED_IF_SILENT:
            self._marks.append((name, len(self.out)))
            self._spoken.append("")
        if name == "img":
            self._speak(attributes.get("alt", ""))
        elif name in _SHOWN:
            self._speak(name)
        if name == "math" and attributes.get("alttext"):
            attributes.setdefault("aria-label", attributes["alttext"])
        super().begin(name, attributes)

    def text(self, text: str) -> None:
        self._speak(text)
        super().text(text)

    def end(self, name: str) -> None:
        super().end(name)
        if name not in _DROPPED_IF_SILENT:
            return
        _, start = self._marks.pop()
        spoken = " ".join(self._spoken.pop().split())
        if not spoken or (name in {"a", "sup"} and self._is_reference(start, spoken)):
            del self.out[start:]
            return
        self._speak(spoken)
        if name == "a":
            self._name_link(start, spoken)

    def _speak(self, text: str) -> None:
        if self._spoken:
            self._spoken[-1] += f" {text} "

    def _is_reference(self, start: int, spoken: str) -> bool:
        """Whether what was just written is a note's number that leads to the note."""
        leads_on = any(' href="#' in markup for markup in self.out[start:])
        return leads_on and _REFERENCE.fullmatch(spoken) is not None

    def _name_link(self, start: int, spoken: str) -> None:
        """A link whose text is its address is spoken as its host."""
        if "://" in spoken and " " not in spoken:
            self.out[start + 1 : -1] = [escape(host_of(spoken) or spoken, quote=False)]
