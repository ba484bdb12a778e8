"""What Crunch's filters look at: links, image links, images. Knows markup; takes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np
import numpy.typing as npt

from document import tags
from document.document import Document, Mask

Integers = npt.NDArray[np.integer]


@dataclass(frozen=True, eq=False)
class Sight:
    """A document as Crunch names its parts; each is found once."""

    document: Document

    def named(self, names: str) -> Integers:
        """The elements of blank-separated names, in document order."""
        return np.flatnonzero(tags.table_of(names)[self.document.elements.tag])

    @cached_property
    def is_link(self) -> Mask:
        """Which elements are ``A[href]``; shape (elements,)."""
        document, elements = self.document, self.document.elements
        found: Mask = elements.tag == tags.CODES["a"]
        found[found] = [
            ' href="' in document.markup[start:end]
            for start, end in zip(
                elements.open_start[found].tolist(), elements.open_end[found].tolist(), strict=True
            )
        ]
        return found

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
        return np.array([link for link in self._links() if link in self.direct_image], np.int64)

    @cached_property
    def text_links(self) -> Integers:
        """The links without one."""
        return np.array([link for link in self._links() if link not in self.direct_image], np.int64)

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
        mapped = [self.is_map(image) for image in images.tolist()]
        found: Mask = self.is_link[parents] | np.array(mapped, dtype=bool)
        return found

    def is_map(self, image: int) -> bool:
        """Whether an image has regions that are links."""
        elements = self.document.elements
        tag = self.document.markup[elements.open_start[image] : elements.open_end[image]]
        return ' usemap="' in tag

    def _links(self) -> list[int]:
        return np.flatnonzero(self.is_link).tolist()

    def image_text(self, image: int) -> str:
        """What a removed image leaves: its ALT text, linked to it; nothing without both."""
        attributes = self.document.attributes_of(image)
        source, text = attributes.get("src", ""), attributes.get("alt", "")
        if not source or not text:
            return ""
        return f'<a href="{escape(source)}"><b>[{escape(text)}]</b></a>'

    def image_link(self, image: int, target: str) -> str:
        """What a removed image link leaves: a link to the image and one to its target."""
        attributes = self.document.attributes_of(image)
        is_map = "usemap" in attributes
        text = "Image Map" if is_map else attributes.get("alt") or "-Link-"
        source = f'<a href="{escape(attributes.get("src", ""))}">Image</a>'
        target = "#" if is_map else target
        return f'<b>[{source} | <i><a href="{escape(target)}">{escape(text)}</a></i>]</b>'
