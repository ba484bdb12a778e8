"""What is shown for an image, film, sound, drawing or formula.

Frames and players are shown as links: what they hold is a page of its own, often with scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Final

import numpy as np

from winnow.document.document import Document, Mask, derived
from winnow.document.parsing import tags
from winnow.document.render.addresses import Addresses, host_of
from winnow.document.render.embedded.embeds import EmbedNames, address_of, is_silent
from winnow.document.render.embedded.formulas import tex_of
from winnow.document.render.embedded.images import ChosenImage, image_markup, image_of, name_of_file
from winnow.document.render.embedded.posters import is_of_site, poster_markup, posters_of
from winnow.document.render.selection import Segments
from winnow.document.sanitise import sanitise_drawing
from winnow.document.texts.escaping import escape
from winnow.document.texts.page_words import ENGLISH_WORDS, PageWords
from winnow.document.texts.short_texts import is_key_of, key_of, text_inside

_LINK: Final = tags.CODES["a"]
_FIGURE: Final = tags.CODES["figure"]
_SMALL_DRAWING: Final = 48
"""A drawing smaller than this (pixels) on either side is an icon."""
_CAPTION_LIMIT: Final = 160
_SHORT: Final = 8
"""Pieces of a paragraph that may say no more than the image in it."""
_SVG_TAG: Final = re.compile(r"<svg[^>]*>")
_SVG_SIZE: Final = re.compile(r' (?:width|height)="(\d+(?:\.\d+)?)(?:px)?"')
_SPOKEN: Final = re.compile(r' (?:role|aria-label|aria-hidden)="[^"]*"')
_TITLE: Final = re.compile(r"<title[^>]*>([^<]+)<")
_DRAWN_WORD: Final = re.compile(r"<(?:text|tspan)\b[^>]*>([^<]+)")
_ALTTEXT: Final = re.compile(r' alttext="[^"]*"')
_SOURCE: Final = re.compile(r"<(?:source|video|audio|a)\b[^>]*?\s(?:src|href)=\"([^\"]+)\"")


class MediaWriter:
    """Writes media elements of one document; keeps a list of images, so as to show each once."""

    def __init__(
        self,
        document: Document,
        segments: Segments,
        addresses: Addresses,
        *,
        scroll: bool = False,
        words: PageWords = ENGLISH_WORDS,
    ) -> None:
        self._document, self._scroll = document, scroll
        elements, pieces = document.elements, document.pieces
        self._is_text = np.zeros(document.pieces.start.size, dtype=np.bool_)
        self._is_text[segments.piece] = ~document.media[segments.piece]
        self._addresses = addresses
        self._tags, self._parents = elements.tag.data, elements.parent.data
        self._starts, self._ends, self._gaps = pieces.start.data, pieces.end.data, pieces.gap.data
        self._words, self._embeds = words, EmbedNames(words)
        self._last: tuple[int, ChosenImage] = (-2, ChosenImage())
        self._writers: Mapping[str, Callable[[int], str]] = {
            "img": self._image,
            "svg": self._drawing,
            "math": self._formula,
            "video": self._player,
            "audio": self._player,
            "iframe": self._frame,
            "embed": self._frame,
            "object": self._frame,
        }

    def write(self, element: int) -> str:
        """Markup for a media element, "" if there is nothing to show."""
        write = self._writers.get(self._document.name_of(element))
        return write(element) if write else ""

    def _image(self, element: int) -> str:
        document = self._document
        image = image_of(
            document.attributes_of(element), sources_of(document, element), self._addresses
        )
        if not image.src or self.repeats(element, image):
            return ""
        return image_markup(image, self._alternative(element, image))

    def repeats(self, element: int, image: ChosenImage) -> bool:
        """Whether the image before is this one: its lazy twin, or the same file again."""
        piece = int(self._document.elements.first_piece[element])
        before, other = self._last
        if piece - before == 1 and (
            image.src == other.src or (other.lazy and bool(self._in_fallback[piece]))
        ):
            return True
        self._last = (piece, image)
        return False

    @derived
    def _in_fallback(self) -> Mask:
        return self._document.inside_tags("noscript")

    def _alternative(self, element: int, image: ChosenImage) -> str:
        """The text in an image's stead; without one, the caption's or the file's name."""
        link = self._ancestor(element, _LINK)
        alternative = " ".join((image.alt or "").split())
        if alternative and link < 0:
            key, beside = key_of(alternative), (self._text_beside(element), self._caption(element))
            said = [text for text in beside if text or not key]
            return "" if any(is_key_of(key, text) for text in said) else alternative
        in_link = self._text_of(link) if link >= 0 else ""
        if alternative and not (in_link and is_key_of(key_of(alternative), in_link)):
            return alternative
        is_alone = link >= 0 and not self._has_text_beside(element, link)
        if alternative:
            return alternative if is_alone else ""
        if image.alt is not None and not is_alone:
            return ""
        found = image.title or self._caption(element)
        if is_alone:
            found = found or self._begin_of(link)
            return found or name_of_file(image.src) or self._words.text("Image")
        return found or name_of_file(image.src)

    def _begin_of(self, link: int) -> str:
        """The first selected text of a link: what a card is called."""
        elements = self._document.elements
        for piece in range(int(elements.first_piece[link]), int(elements.last_piece[link])):
            if text := self._text_between(piece, piece + 1):
                return text[:_CAPTION_LIMIT]
        return ""

    def _text_of(self, element: int) -> str:
        """The selected text of an element on one line."""
        elements = self._document.elements
        return self._text_between(
            int(elements.first_piece[element]), int(elements.last_piece[element])
        )

    def _text_between(self, first: int, behind: int) -> str:
        """The selected text of a half-open range of pieces on one line."""
        text, starts, ends = self._document.text, self._starts, self._ends
        is_text = self._is_text[first:behind].tolist()
        if True not in is_text:
            return ""
        texts = [
            text[starts[piece] : ends[piece]]
            for piece, is_one in enumerate(is_text, first)
            if is_one
        ]
        return " ".join(" ".join(texts).split())

    def _text_beside(self, element: int) -> str:
        """The selected text beside an image in its block; "" if it is long."""
        gap, last = self._gaps, len(self._is_text)
        first = behind = int(self._document.elements.first_piece[element])
        behind += 1
        while first > 0 and gap[first] < tags.BLOCK and behind - first <= _SHORT:
            first -= 1
        while behind < last and gap[behind] < tags.BLOCK and behind - first <= _SHORT:
            behind += 1
        return self._text_between(first, behind) if behind - first <= _SHORT else ""

    def _has_text_beside(self, element: int, link: int) -> bool:
        """Whether a link holds selected text in the block that one of its images stands in."""
        elements = self._document.elements
        inside = slice(int(elements.first_piece[link]), int(elements.last_piece[link]))
        owners = self._document.pieces.owner[inside][self._is_text[inside]]
        return bool((elements.block[owners] == elements.block[element]).any())

    def _ancestor(self, element: int, code: int) -> int:
        """The nearest element around one that has a tag code, -1 if there is none."""
        tag_of, parent_of = self._tags, self._parents
        while element >= 0 and tag_of[element] != code:
            element = parent_of[element]
        return element

    def _caption(self, element: int) -> str:
        document, figure = self._document, self._ancestor(element, _FIGURE)
        if figure < 0:
            return ""
        inner = range(figure + 1, int(document.elements.last[figure]))
        caption = (
            text_inside(document, index)
            for index in inner
            if document.elements.tag[index] == tags.CODES["figcaption"]
        )
        return next(caption, "")[:_CAPTION_LIMIT]

    def _drawing(self, element: int) -> str:
        """A figure; a drawing that is all of a link has no name to follow it by."""
        source = self._source(element)
        if is_icon(source):
            return ""
        link = self._ancestor(element, _LINK)
        if link >= 0 and not self._has_text_beside(element, link):
            return ""
        drawn = _SPOKEN.sub("", sanitise_drawing(source))
        name = self._name_of_drawing(element, source)
        return drawn.replace(">", f' role="img" aria-label="{escape(name)}">', 1)

    def _name_of_drawing(self, element: int, source: str) -> str:
        """What a drawing is called: by itself, its title, its caption, the words in it."""
        label = self._document.attributes_of(element).get("aria-label", "")
        title = _TITLE.search(source)
        words = unescape(" ".join(_DRAWN_WORD.findall(source)))
        found = (label, unescape(title[1]) if title else "", self._caption(element), words)
        name = next((" ".join(name.split()) for name in found if name.strip()), "")
        return name[:_CAPTION_LIMIT] or self._words.text("Drawing")

    def _formula(self, element: int) -> str:
        """A formula; its TeX, where the page has it, is what other formats can write."""
        source = self._source(element)
        drawn = sanitise_drawing(source)
        if self._scroll and ' display="block"' in drawn.partition(">")[0]:
            drawn = drawn.replace("<math", '<math tabindex="0"', 1)
        if tex := tex_of(source):
            opening, end, content = drawn.partition(">")
            opening = _ALTTEXT.sub("", opening).replace("<math", f'<math alttext="{escape(tex)}"')
            return opening + end + content
        return drawn

    def _player(self, element: int) -> str:
        """A film or sound with the browser's own controls; nothing is fetched before a click."""
        name, attributes = self._document.name_of(element), self._document.attributes_of(element)
        sources = [attributes.get("src", ""), *_SOURCE.findall(self._source(element))]
        found = filter(None, (self._addresses.resource(source) for source in sources if source))
        src = next(found, "")
        if not src:
            return ""
        poster = self._addresses.resource(attributes.get("poster", ""))
        is_shown = poster and name == "video" and is_of_site(poster, self._addresses)
        shown = f' poster="{escape(poster)}"' if is_shown else ""
        label = escape(self._embeds.name(self._declared_name(element), f"{name}:"))
        return (
            f'<{name} src="{escape(src)}" controls preload="none"{shown} aria-label="{label}">'
            f"</{name}>"
        )

    def _frame(self, element: int) -> str:
        """A link to what a frame, an object or a plug-in would show, by its title and its host."""
        attributes = self._document.attributes_of(element)
        target = self._addresses.resource(address_of(attributes))
        shown = target.removeprefix(self._addresses.prefix)
        host = host_of(shown)
        if self._ancestor(element, _LINK) >= 0 or is_silent(attributes, host):
            return ""
        name = self._embeds.name(self._declared_name(element), shown)
        poster = poster_markup(attributes, shown, self._posters, self._addresses)
        return f'<a href="{escape(target)}">{poster}{escape(name)} ({escape(host)})</a>'

    @derived
    def _posters(self) -> Mapping[str, str]:
        return posters_of(self._document)

    def _declared_name(self, element: int) -> str:
        attributes = self._document.attributes_of(element)
        label = attributes.get("title") or attributes.get("aria-label")
        return label or self._caption(element)

    def _source(self, element: int) -> str:
        elements = self._document.elements
        return self._document.markup[elements.open_start[element] : elements.close_end[element]]


def sources_of(document: Document, element: int) -> Iterator[Mapping[str, str]]:
    """The attributes of the ``<source>`` elements before an image in its ``<picture>``."""
    parent = int(document.elements.parent[element])
    if parent < 0 or document.elements.tag[parent] != tags.CODES["picture"]:
        return
    for index in range(parent + 1, element):
        if document.elements.tag[index] == tags.CODES["source"]:
            yield document.attributes_of(index)


def is_icon(svg: str) -> bool:
    """Whether a drawing is a sign for a button rather than a figure: small, or from a sprite."""
    if "<use" in svg and "<text" not in svg:
        return True
    tag = _SVG_TAG.match(svg)
    sizes = [float(size) for size in _SVG_SIZE.findall(tag[0])] if tag else []
    if not sizes:
        shapes = svg.count("<path") + svg.count("<rect") + svg.count("<circle")
        return "<text" not in svg and shapes < 8
    return min(sizes) < _SMALL_DRAWING
