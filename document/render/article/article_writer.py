"""The article writer in Python: elements and segments to HTML, a step of the walk at a time.

This is the definition; ``_writer.c``, where it could be built, does the same some
ten times faster and is tested equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.render.article import element_roles
from winnow.document.render.article.start_tag_writer import StartTagWriter
from winnow.document.render.embedded.media import MediaWriter
from winnow.document.render.selection import SegmentMarkup, Segments
from winnow.document.render.traversal import Step, walk


def write_in_python(
    start_tags: StartTagWriter, media: MediaWriter, segments: Segments, shown: Mask
) -> list[str]:
    """The article in parts, the ``shown`` elements around the segments; O(both)."""
    writer = _Writer(start_tags, media, segments)
    is_segment, is_open = Step.SEGMENT, Step.OPEN
    for step, index in walk(start_tags.document, segments, shown):
        if step is is_segment:
            writer.segment(index)
        elif step is is_open:
            writer.open(index)
        else:
            writer.close(index)
    return writer.result()


@dataclass(slots=True)
class _Container:
    """An open container: where in the output it begins, and whether it holds anything yet."""

    element: int
    name: str
    at: int
    closing: str
    locales: int
    filled: bool = False


class _Row(NamedTuple):
    """A segment: the edge before it, the element that owns it and the block that stands in."""

    gap: int
    owner: int
    block: int
    is_medium: bool


class _Inline(NamedTuple):
    """An inline element that is open."""

    element: int
    name: str
    opening: str


def _rows(document: Document, segments: Segments) -> list[_Row]:
    owners = document.pieces.owner[segments.piece]
    blocks, media = document.elements.block[owners], document.media[segments.piece]
    columns = (segments.gap.tolist(), owners.tolist(), blocks.tolist(), media.tolist())
    return list(map(_Row._make, zip(*columns, strict=True)))


class _Writer:
    """What is open while an article is written."""

    def __init__(self, start_tags: StartTagWriter, media: MediaWriter, segments: Segments) -> None:
        self.document, self.structure = start_tags.document, start_tags.structure
        self.start_tags, self.sources = start_tags, SegmentMarkup(start_tags.document, segments)
        self.rows = _rows(start_tags.document, segments)
        self.codes = self.structure.tags.tolist()
        self.media = media
        self.out: list[str] = []
        self.containers = [_Container(-1, "", 0, "", 0)]
        self.inlines: list[_Inline] = []
        self.locales: list[tuple[int, str]] = []
        self.anchors: list[str] = []
        self.opened = 0
        self.in_paragraph = self.in_run = False
        self.widest = tags.INLINE

    def result(self) -> list[str]:
        """The article in parts; everything that is open is closed."""
        self._end_run()
        return self.out

    def open(self, element: int) -> None:
        """Begin an element, if it means anything in an article."""
        name = element_roles.NAMES[self.codes[element]]
        if name in element_roles.CONTAINERS and self._fits(element, name):
            self._open_container(element, name)
            return
        if anchor := self.structure.anchors.get(element):
            self.anchors.append(anchor)
        if name in element_roles.INLINES:
            self._open_inline(element, name)
        elif name == "hr":
            self._rule()
        elif locale := self.structure.locales.get(element):
            if self.codes[element] in tags.BLOCK_LEVEL:
                self.locales.append((element, locale))
            else:
                self.inlines.append(_Inline(element, "span", f"<span{locale}>"))

    def close(self, element: int) -> None:
        """End an element, if ``open`` began it."""
        if self.containers[-1].element == element or self._is_behind_synthetic(element):
            self._close_containers(element)
        elif self.inlines and self.inlines[-1].element == element:
            self._close_inline()
        elif self.locales and self.locales[-1][0] == element:
            self._end_run()
            self.locales.pop()

    def segment(self, index: int) -> None:
        """Write one selected stretch of text, or one medium."""
        row = self.rows[index]
        self.widest = max(self.widest, row.gap)
        if row.is_medium:
            markup = self.media.write(row.owner)
        elif self.containers[-1].name == "pre":
            markup = self.sources[index]
        else:
            markup = self.sources[index].strip()
        if markup:
            self._begin_run(row)
            self.out.append(markup)
            self.containers[-1].filled = True
            self.widest = tags.INLINE

    # Runs: text and inline elements between two edges of containers.

    def _begin_run(self, row: _Row) -> None:
        """Part from what stands before as the gap asks, open a paragraph and what is inline."""
        if self.containers[-1].name in element_roles.WRAPPED_IN:
            self._open_synthetic()
        if self.in_run and self.widest > tags.INLINE:
            self._part(row)
        if not self.in_run:
            self.in_run = True
            if self._wants_paragraph(row):
                self.out.append(f"<p{self._locale()}>")
                self.in_paragraph = True
        if self.anchors:
            self.out += [f'<span id="{anchor}"></span>' for anchor in self.anchors]
            self.anchors.clear()
        if self.opened < len(self.inlines):
            self.out += [inline.opening for inline in self.inlines[self.opened :]]
            self.opened = len(self.inlines)

    def _part(self, row: _Row) -> None:
        if self.containers[-1].name == "pre":
            self.out.append("\n" if self.widest > tags.SPACE else "")
        elif self.widest > tags.LINE and (self.in_paragraph or self._wants_paragraph(row)):
            self._end_run()
        elif self.widest > tags.SPACE:
            is_heading = self.containers[-1].name in element_roles.HEADINGS
            self.out.append("<br>" if self.widest == tags.LINE or is_heading else "<br><br>")
        elif self.widest == tags.SPACE:
            self.out.append(" ")

    def _end_run(self) -> None:
        """Close what is inline and the paragraph; inline elements still wanted open again later."""
        if self.opened:
            self.out += [f"</{inline.name}>" for inline in reversed(self.inlines[: self.opened])]
            self.opened = 0
        if self.in_paragraph:
            self.out.append("</p>")
        self.in_paragraph = self.in_run = False

    def _wants_paragraph(self, row: _Row) -> bool:
        """Text needs one unless its container is made for text and has no other."""
        top = self.containers[-1]
        if top.name not in element_roles.HOLDS_TEXT:
            return not (top.name == "figure" and row.is_medium)
        if top.element < 0 or top.name in element_roles.TEXT_ONLY:
            return False
        return row.block != top.element and self._has_blocks(top.element)

    def _has_blocks(self, container: int) -> bool:
        """Whether a container's text begins and ends in different blocks."""
        elements, owners = self.document.elements, self.document.pieces.owner
        first, last = elements.first_piece[container], elements.last_piece[container] - 1
        return bool(elements.block[owners[first]] != elements.block[owners[last]])

    # Containers.

    def _fits(self, element: int, name: str) -> bool:
        """Whether a container may stand here; where it may not, its tags go and its text stays."""
        top = self._top_real(name)
        if (
            len(self.containers) > element_roles.DEEPEST
            or top in element_roles.HEADINGS
            or top == "pre"
        ):
            return False
        if element in self.structure.layout:
            return False
        if name in element_roles.HEADINGS and element not in self.structure.levels:
            return False
        return name not in element_roles.PARENTS or top in element_roles.PARENTS[name]

    def _top_real(self, name: str) -> str:
        top = self.containers[-1]
        if top.element < 0 and len(self.containers) > 1 and name in element_roles.ITEMS:
            return self.containers[-2].name
        return top.name

    def _open_container(self, element: int, name: str) -> None:
        self._end_run()
        if self.containers[-1].element < 0 and name in element_roles.ITEMS:
            self._close_top()
        elif (
            self.containers[-1].name in element_roles.WRAPPED_IN and name not in element_roles.ITEMS
        ):
            self._open_synthetic()
        if name in element_roles.HEADINGS:
            name = f"h{self.structure.levels[element]}"
        opening, closing = self.start_tags.container(element, name, self._locale())
        self._push(_Container(element, name, len(self.out), closing, 0), opening)

    def _open_synthetic(self) -> None:
        name = element_roles.WRAPPED_IN[self.containers[-1].name]
        self._push(_Container(-1, name, len(self.out), f"</{name}>", 0), f"<{name}>")

    def _push(self, container: _Container, opening: str) -> None:
        container.locales = len(self.locales)
        self.out.append(opening)
        self.containers.append(container)

    def _is_behind_synthetic(self, element: int) -> bool:
        return self.containers[-1].element < 0 and self.containers[-2:][0].element == element

    def _close_containers(self, element: int) -> None:
        if self.containers[-1].element != element:
            self._close_top()
        self._close_top()

    def _close_top(self) -> None:
        """End the innermost container; one that holds nothing goes, save a table's cell."""
        self._end_run()
        container = self.containers.pop()
        if container.filled:
            self.out.append(container.closing)
            self.containers[-1].filled = True
        elif container.name in {"td", "th"}:
            opening = self.out[container.at].replace("<th", "<td", 1)
            self.out[container.at :] = [opening, "</td>"]
        else:
            del self.out[container.at :]
        self.widest = tags.INLINE

    def _rule(self) -> None:
        if self.containers[-1].name in element_roles.RULED:
            self._end_run()
            self.out.append("<hr>")

    # Inline elements.

    def _open_inline(self, element: int, name: str) -> None:
        if name != "a" and name in [inline.name for inline in self.inlines]:
            return
        if opening := self.start_tags.inline(element, name):
            self.inlines.append(_Inline(element, name, opening))

    def _close_inline(self) -> None:
        inline = self.inlines.pop()
        if self.opened > len(self.inlines):
            self.out.append(f"</{inline.name}>")
            self.opened -= 1

    def _locale(self) -> str:
        """The language and direction of transparent elements that no open container carries."""
        fresh = self.locales[self.containers[-1].locales :]
        return fresh[-1][1] if fresh else ""
