"""What Crunch's filters look at: links, image links, images."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.document import Document, Mask
from winnow.document.parsing import tags

_STYLE: Final = ' style="'
_SHOWN: Final = frozenset({"src", "alt", "usemap"})
Integers = npt.NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class PageLinks:
    """A document as Crunch names its parts; each is found once."""

    document: Document

    def named(self, names: str) -> Integers:
        """The elements of blank-separated names, in document order."""
        order, bounds = self._by_tag
        found = [order[bounds[code] : bounds[code + 1]] for code in tags.codes_of(names)]
        return found[0] if len(found) == 1 else np.sort(np.concatenate(found))

    @cached_property
    def _by_tag(self) -> tuple[Integers, list[int]]:
        """All elements, those of a tag code together; and where each code's begin."""
        codes = self.document.elements.tag.astype(np.uint8)
        numbers = np.bincount(codes, minlength=len(tags.NAMES))
        return np.argsort(codes, kind="stable"), [0, *np.cumsum(numbers).tolist()]

    def tags(self, elements: Integers) -> list[str]:
        """The opening tags of some elements."""
        markup, tree = self.document.markup, self.document.elements
        starts, ends = tree.open_start[elements].tolist(), tree.open_end[elements].tolist()
        return [markup[start:end] for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def styled(self) -> Integers:
        """The elements with a ``style`` in their opening tags."""
        markup, elements = self.document.markup, self.document.elements
        found, offset = [], markup.find(_STYLE)
        while offset >= 0:
            found.append(offset)
            offset = markup.find(_STYLE, offset + 1)
        around = elements.open_start.searchsorted(found, side="right") - 1
        return around[(around >= 0) & (np.array(found) < elements.open_end[around])]

    @cached_property
    def is_link(self) -> Mask:
        """Which elements are ``A[href]``; shape (elements,)."""
        found: Mask = np.zeros(len(self.document.elements), dtype=bool)
        found[self._links] = True
        return found

    @cached_property
    def _links(self) -> Integers:
        anchors = self.named("a")
        return anchors[[' href="' in tag for tag in self.tags(anchors)]]

    @cached_property
    def direct_image(self) -> dict[int, int]:
        """The first direct child IMG of each element that has one."""
        images = self.named("img")
        parents = self.document.elements.parent[images]
        pairs = zip(reversed(parents.tolist()), reversed(images.tolist()), strict=True)
        return dict(pairs)

    @cached_property
    def image_links(self) -> Integers:
        """The links with a direct child IMG."""
        return self._links[self._holds_image]

    @cached_property
    def text_links(self) -> Integers:
        """The links without one."""
        return self._links[~self._holds_image]

    @cached_property
    def _holds_image(self) -> Mask:
        holds = np.zeros(len(self.document.elements), dtype=bool)
        holds[list(self.direct_image)] = True
        return holds[self._links]

    @cached_property
    def linked_images(self) -> Integers:
        """The IMG that are image links themselves: the parent is a link, or there is a map."""
        return self.named("img")[self._is_linked]

    @cached_property
    def plain_images(self) -> Integers:
        """All other IMG."""
        return self.named("img")[~self._is_linked]

    @cached_property
    def _is_linked(self) -> Mask:
        images = self.named("img")
        parents = np.maximum(self.document.elements.parent[images], 0)
        is_map = [' usemap="' in tag for tag in self.tags(images)]
        found: Mask = self.is_link[parents] | np.array(is_map, dtype=bool)
        return found

    def image_text(self, image: int) -> str:
        """What a removed image leaves: its ALT text, linked to it; nothing without both."""
        attributes = self.document.attributes_of(image, _SHOWN)
        source, text = attributes.get("src", ""), attributes.get("alt", "")
        if not source or not text:
            return ""
        return f'<a href="{escape(source)}"><b>[{escape(text)}]</b></a>'

    def image_link(self, image: int, target: str) -> str:
        """What a removed image link leaves: a link to the image and one to its target."""
        attributes = self.document.attributes_of(image, _SHOWN)
        is_map = "usemap" in attributes
        text = "Image Map" if is_map else attributes.get("alt") or "-Link-"
        source = f'<a href="{escape(attributes.get("src", ""))}">Image</a>'
        target = "#" if is_map else target
        return f'<b>[{source} | <i><a href="{escape(target)}">{escape(text)}</a></i>]</b>'
